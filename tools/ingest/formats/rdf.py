"""N-Triples, streamed line by line, and Turtle, parsed whole (its memory grows with the file), both by rdflib.

IRIs become relation types, labels and property names by their local names; a node keeps its whole IRI as its key.
Literals become properties, `rdf:type` the label, `rdfs:label` and `skos:prefLabel` the name, `skos:altLabel` aliases.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from clew.tools.errors import BadInput
from clew.tools.ingest.records import NAME_CANDIDATES, BadLine, EdgeRecord, Format, NodeRecord, Record, unreadable_line
from clew.tools.ingest.source import Advance, lines

if TYPE_CHECKING:
    from rdflib.term import Literal

_RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
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
        return Format(path, "turtle", "Turtle, by its prefix declarations", partial(read_turtle, path))
    matching = sum(1 for line in filled if _NT_LINE.match(line))
    if filled and matching / len(filled) >= _DECLARED_MIN:
        return Format(path, "n-triples", "N-Triples, by its lines", partial(read_ntriples, path))
    if ".ttl" in suffixes:
        return Format(path, "turtle", "Turtle, by its extension", partial(read_turtle, path))
    if ".nt" in suffixes:
        return Format(path, "n-triples", "N-Triples, by its extension", partial(read_ntriples, path))
    return None


def read_ntriples(path: Path, advance: Advance | None = None) -> Iterator[Record]:
    """Partial NodeRecords and EdgeRecords, one for each good line; memory does not grow with the file."""
    from rdflib.exceptions import ParserError
    from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

    _quiet()
    sink = _LastStatement()
    parser = W3CNTriplesParser(sink=sink, bnode_context=_OwnNames())  # type: ignore[arg-type]
    file, blank = str(path), f"_:{path.name.split('.')[0]}."
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
        if sink.statement is not None:
            yield _record(sink.statement, blank, number)


def read_turtle(path: Path, advance: Advance | None = None) -> Iterator[Record]:
    """As `read_ntriples`; a syntax error refuses the whole file, naming its line."""
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
    try:
        graph.parse(data="\n".join(texts), format="turtle", publicID=path.absolute().as_uri())
    except BadSyntax as error:
        line = int(getattr(error, "lines", 0)) + 1
        raise BadInput(f"{path}:{line}: not Turtle: {_why(error)}.", "Correct the file and import it again.") from error
    except (ValueError, IndexError, AssertionError, AttributeError, RecursionError, OverflowError) as error:
        raise BadInput(f"{path}: not Turtle: {str(error)[:120]}.", "Correct the file and import it again.") from error
    numbers: dict[str, str] = {}
    blank = f"_:{path.name.split('.')[0]}."
    for subject, predicate, value in graph.statements:
        statement = (_numbered(subject, numbers), predicate, _numbered(value, numbers))
        yield _record(statement, blank, 0)


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


def _record(statement: tuple[Any, Any, Any], blank: str, line: int) -> Record:
    from rdflib.term import Literal

    subject, predicate, value = statement
    key, relation = _key(subject, blank), str(predicate)
    if isinstance(value, Literal):
        return NodeRecord(key, (), _properties(relation, value), line, partial=True)
    if relation == _RDF_TYPE:
        labels = () if str(value) in _NO_CLASS else (local_name(str(value)),)
        return NodeRecord(key, labels, {}, line, partial=True)
    return EdgeRecord(key, local_name(relation), _key(value, blank), {}, line, declares=True)


def _key(term: Any, blank: str) -> str:
    from rdflib.term import BNode

    return blank + str(term) if isinstance(term, BNode) else str(term)


def _properties(relation: str, literal: Literal) -> dict[str, Any]:
    if relation in _NAMES:
        language = (literal.language or "").lower()
        rank = 0 if language.split("-")[0] == "en" else 1 if not language else 2
        return {NAME_CANDIDATES: [[rank, str(literal)]]}
    if relation in _ALIASES:
        return {"aliases": [str(literal)]}
    return {local_name(relation): _value(literal)}


def _value(literal: Literal) -> Any:
    found = literal.toPython()
    if isinstance(found, datetime):
        return found.astimezone(UTC) if found.tzinfo else found
    if isinstance(found, Decimal):
        return float(found)
    if isinstance(found, int) and not isinstance(found, bool) and not -(2**63) <= found < 2**63:
        return str(literal)
    return found if type(found) in (bool, int, float, date) else str(literal)


def _quiet() -> None:
    """rdflib logs a warning for every odd IRI and literal; the import reports the lines that it rejects."""
    logging.getLogger("rdflib").setLevel(logging.ERROR)


def _why(error: Exception) -> str:
    return str(getattr(error, "_why", "") or error).split("\n")[0][:120]
