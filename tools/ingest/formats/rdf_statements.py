"""What the statements of RDF are in the graph: nodes with labels and properties, and relationships."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from clew.tools.ingest.formats.rdf_schema import TYPE, SchemaTerms, schema_of
from clew.tools.ingest.records import NAME_CANDIDATES, EdgeRecord, NodeRecord, Record

if TYPE_CHECKING:
    from rdflib.term import Literal

Statement = tuple[Any, Any, Any]
_NAMES = frozenset({
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://xmlns.com/foaf/0.1/name",
    "http://schema.org/name",
    "https://schema.org/name",
})  # fmt: skip
_ALIASES = frozenset({
    "http://www.w3.org/2004/02/skos/core#altLabel",
    "http://schema.org/alternateName",
    "https://schema.org/alternateName",
})  # fmt: skip
_NO_CLASS = frozenset({
    "http://www.w3.org/2002/07/owl#NamedIndividual",
    "http://www.w3.org/2002/07/owl#Thing",
    "http://www.w3.org/2000/01/rdf-schema#Resource",
})  # fmt: skip


def records_of(statements: Sequence[Statement], path: Path, notes: list[str]) -> Iterator[Record]:
    """Partial NodeRecords and EdgeRecords of a whole file; statements about classes and properties are left out, and
    counted in `notes`."""
    numbers: dict[str, str] = {}
    blank, schema, left_out = blank_prefix(path), schema_of(statements), 0
    for statement in statements:
        if schema.describes(statement):
            left_out += 1
            continue
        subject, predicate, value = statement
        yield record_of((_numbered(subject, numbers), predicate, _numbered(value, numbers)), blank, 0, schema)
    if left_out:
        notes.append(schema.note(left_out))


def blank_prefix(path: Path) -> str:
    """What the keys of a file's blank nodes begin with."""
    return f"_:{path.name.split('.')[0]}."


def local_name(iri: str) -> str:
    """`http://example.org/people#Ada_Lovelace` gives Ada_Lovelace; an IRI without a local part stays whole."""
    tail = re.split(r"[/#]", iri.rstrip("/#"))[-1]
    if "/" not in iri and "#" not in iri:
        tail = iri.rsplit(":", 1)[-1]
    return unquote(tail) or iri


def _numbered(term: Any, numbers: dict[str, str]) -> Any:
    from rdflib.term import BNode

    if isinstance(term, BNode):
        return BNode(numbers.setdefault(str(term), f"b{len(numbers)}"))
    return term


def record_of(statement: Statement, blank: str, line: int, schema: SchemaTerms) -> Record:
    """The record of one statement."""
    from rdflib.term import Literal

    subject, predicate, value = statement
    key, relation = _key(subject, blank), str(predicate)
    if isinstance(value, Literal):
        name = schema.name(relation, local_name(relation))
        return NodeRecord(key, (), _properties(relation, name, value), line, partial=True)
    if relation == TYPE:
        classes = [each for each in schema.classes(str(value)) if each not in _NO_CLASS]
        labels = tuple(dict.fromkeys(schema.name(each, local_name(each)) for each in classes))
        return NodeRecord(key, labels, {}, line, partial=True)
    return EdgeRecord(key, schema.name(relation, local_name(relation)), _key(value, blank), {}, line, declares=True)


def _key(term: Any, blank: str) -> str:
    from rdflib.term import BNode

    return blank + str(term) if isinstance(term, BNode) else str(term)


def _properties(relation: str, name: str, literal: Literal) -> dict[str, Any]:
    if relation in _NAMES:
        language = (literal.language or "").lower()
        rank = 0 if language.split("-")[0] == "en" else 1 if not language else 2
        return {NAME_CANDIDATES: [[rank, str(literal)]]}
    if relation in _ALIASES:
        return {"aliases": [str(literal)]}
    value = _value(literal)
    return _length_of_time(name, value) if isinstance(value, timedelta) else {name: value}


def _length_of_time(name: str, value: timedelta) -> dict[str, Any]:
    """A duration as the number of its minutes, or days: `movingTimeMinutes` 318 of PT5H18M."""
    unit, seconds = ("Days", 86400) if not value.seconds and not value.microseconds else ("Minutes", 60)
    number = value.total_seconds() / seconds
    named = f"_{unit.lower()}" if "_" in name else unit
    called = name if name.lower().endswith(unit.lower()) else name + named
    return {called: int(number) if number.is_integer() else number}


def _value(literal: Literal) -> Any:
    found = literal.toPython()
    if isinstance(found, datetime):
        return found.astimezone(UTC) if found.tzinfo else found
    if isinstance(found, Decimal):
        return float(found)
    if isinstance(found, int) and not isinstance(found, bool) and not -(2**63) <= found < 2**63:
        return str(literal)
    return found if type(found) in (bool, int, float, date, timedelta) else str(literal)


def quiet_rdflib() -> None:
    """rdflib logs a warning for every odd IRI and literal; the import reports the lines that it rejects."""
    logging.getLogger("rdflib").setLevel(logging.ERROR)
