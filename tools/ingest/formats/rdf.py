"""N-Triples, streamed line by line, and Turtle, parsed whole (its memory grows with the file), both by rdflib.

IRIs become relation types, labels and property names by their local names; a node keeps its whole IRI as its key.
Literals become properties, `rdf:type` the label, `rdfs:label` and `skos:prefLabel` the name, `skos:altLabel` aliases.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from clew.tools.errors import BadInput
from clew.tools.ingest.formats.rdf_schema import (
    TYPE,
    USUAL_PREFIXES,
    SchemaTerms,
    declarations,
    missing_prefixes,
    schema_of,
    schema_of_lines,
)
from clew.tools.ingest.formats.values import HALF_CHARACTER, has_half_character
from clew.tools.ingest.records import NAME_CANDIDATES, BadLine, EdgeRecord, Format, NodeRecord, Record, unreadable_line
from clew.tools.ingest.source import Advance, lines

if TYPE_CHECKING:
    from rdflib.term import Literal

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
_NT_LINE = re.compile(r"\s*(<[^<>\s]+>|_:\S+)\s+<[^<>\s]+>\s+(<[^<>\s]+>|_:\S+|\".*\"\S*)\s*\.\s*(#.*)?\Z")
_TURTLE_LINE = re.compile(r"\s*(@prefix|@base|prefix\s+\S*:\s*<|base\s+<)", re.IGNORECASE)
_DECLARED_MIN = 0.5


def recognise(path: Path, sample: Sequence[str]) -> Format | None:
    """The file as Turtle (a prefix or base declaration, or its extension) or N-Triples (its lines), else None."""
    filled = [line for line in sample if line.strip() and not line.lstrip().startswith("#")]
    suffixes = {suffix.lower() for suffix in path.suffixes}
    if any(_TURTLE_LINE.match(line) for line in filled[:50]):
        return turtle(path, "Turtle, by its prefix declarations")
    matching = sum(1 for line in filled if _NT_LINE.match(line))
    if filled and matching / len(filled) >= _DECLARED_MIN:
        return ntriples(path, "N-Triples, by its lines")
    if ".ttl" in suffixes:
        return turtle(path, "Turtle, by its extension")
    if ".nt" in suffixes:
        return ntriples(path, "N-Triples, by its extension")
    return None


def turtle(path: Path, why: str) -> Format:
    """The file as Turtle."""
    notes: list[str] = []
    return Format(path, "turtle", why, partial(_read_turtle, path, notes), notes=notes)


def ntriples(path: Path, why: str) -> Format:
    """The file as N-Triples."""
    notes: list[str] = []
    return Format(path, "n-triples", why, partial(_read_ntriples, path, notes), notes=notes)


def _read_ntriples(path: Path, notes: list[str], advance: Advance | None = None) -> Iterator[Record]:
    """Partial NodeRecords and EdgeRecords, one for each good line; memory does not grow with the file.

    Statements about classes and properties are left out; to know them, the file is read twice.
    """
    from rdflib.exceptions import ParserError
    from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

    _quiet()
    sink = _LastStatement()
    parser = W3CNTriplesParser(sink=sink, bnode_context=_OwnNames())  # type: ignore[arg-type]
    file, blank = str(path), f"_:{path.name.split('.')[0]}."
    schema = schema_of_lines(lambda: (text for _number, text in lines(path) if text is not None))
    left_out = 0
    for number, text in lines(path, advance):
        if text is None:
            yield unreadable_line(file, number)
            continue
        sink.statement = None
        parser.line = text
        try:
            parser.parseline()
        except (ParserError, ValueError, AttributeError, OverflowError):
            yield BadLine(file, number, "not a statement `<subject> <predicate> object .`")
            continue
        if sink.statement is not None and "\\ud" in text.lower() and has_half_character(*sink.statement):
            yield BadLine(file, number, HALF_CHARACTER)
        elif sink.statement is not None and schema.describes(sink.statement):
            left_out += 1
        elif sink.statement is not None:
            yield _record(sink.statement, blank, number, schema)
    if left_out:
        notes.append(schema.note(left_out))


def _read_turtle(path: Path, notes: list[str], advance: Advance | None = None) -> Iterator[Record]:
    """As `_read_ntriples`; a syntax error refuses the whole file, naming its line.

    Usual prefixes that the file does not declare are assumed, and said in `notes`.
    """
    from rdflib import Graph
    from rdflib.plugins.parsers.notation3 import BadSyntax

    class Ordered(Graph):
        """Keeps statements in the order of the file, so that blank nodes are numbered alike each time."""

        def __init__(self) -> None:
            super().__init__()
            self.statements: list[tuple[Any, Any, Any]] = []

        def add(self, triple: tuple[Any, Any, Any]) -> Ordered:
            self.statements.append(triple)
            return self

    _quiet()
    texts = []
    for number, text in lines(path, advance):
        if text is None:
            raise BadInput(f"{path}:{number}: not UTF-8 text.", "Save the file as UTF-8.")
        texts.append(text)
    graph = Ordered()
    assumed = missing_prefixes(texts)
    if assumed:
        listed = ", ".join(f"{name}: <{USUAL_PREFIXES[name]}>" for name in assumed)
        notes.append(f"{path} does not declare the prefixes that it uses; these are assumed: {listed}.")
    try:
        graph.parse(data=declarations(assumed) + "\n".join(texts), format="turtle", publicID=path.absolute().as_uri())
    except BadSyntax as error:
        line = int(getattr(error, "lines", 0)) + 1
        raise BadInput(f"{path}:{line}: not Turtle: {_why(error)}.", "Correct the file and import it again.") from error
    except (ValueError, IndexError, AssertionError, AttributeError, RecursionError, OverflowError) as error:
        raise BadInput(f"{path}: not Turtle: {str(error)[:120]}.", "Correct the file and import it again.") from error
    suspect = next((number for number, text in enumerate(texts, 1) if "\\ud" in text.lower()), 0)
    if suspect and any(has_half_character(*statement) for statement in graph.statements):
        raise BadInput(f"{path}:{suspect}: {HALF_CHARACTER}.", "Correct the file and import it again.")
    numbers: dict[str, str] = {}
    blank = f"_:{path.name.split('.')[0]}."
    schema = schema_of(graph.statements)
    left_out = 0
    for statement in graph.statements:
        if schema.describes(statement):
            left_out += 1
            continue
        subject, predicate, value = statement
        yield _record((_numbered(subject, numbers), predicate, _numbered(value, numbers)), blank, 0, schema)
    if left_out:
        notes.append(schema.note(left_out))


def local_name(iri: str) -> str:
    """`http://example.org/people#Ada_Lovelace` gives Ada_Lovelace; an IRI without a local part stays whole."""
    tail = re.split(r"[/#]", iri.rstrip("/#"))[-1]
    if "/" not in iri and "#" not in iri:
        tail = iri.rsplit(":", 1)[-1]
    return unquote(tail) or iri


class _LastStatement:
    """Receives a statement from rdflib's parser."""

    def __init__(self) -> None:
        self.statement: tuple[Any, Any, Any] | None = None

    def triple(self, subject: Any, predicate: Any, value: Any) -> None:
        self.statement = (subject, predicate, value)


class _OwnNames(dict[str, str]):
    """Keeps the blank nodes' own names instead of random ones, and so needs no memory for them."""

    def get(self, key: str, default: Any = None) -> Any:
        return key


def _numbered(term: Any, numbers: dict[str, str]) -> Any:
    from rdflib.term import BNode

    if isinstance(term, BNode):
        return BNode(numbers.setdefault(str(term), f"b{len(numbers)}"))
    return term


def _record(statement: tuple[Any, Any, Any], blank: str, line: int, schema: SchemaTerms) -> Record:
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


def _quiet() -> None:
    """rdflib logs a warning for every odd IRI and literal; the import reports the lines that it rejects."""
    logging.getLogger("rdflib").setLevel(logging.ERROR)


def _why(error: Exception) -> str:
    return str(getattr(error, "_why", "") or error).split("\n")[0][:120]
