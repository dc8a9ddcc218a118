"""RDF files: which of their formats a file has, and N-Triples, streamed line by line.

IRIs become relation types, labels and property names by their local names; a node keeps its whole IRI as its key.
Literals become properties, `rdf:type` the label, `rdfs:label` and `skos:prefLabel` the name, `skos:altLabel` aliases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from clew.tools.ingest.formats.rdf_documents import json_ld, rdf_xml, turtle
from clew.tools.ingest.formats.rdf_schema import schema_of_lines
from clew.tools.ingest.formats.rdf_statements import blank_prefix, quiet_rdflib, record_of
from clew.tools.ingest.formats.values import HALF_CHARACTER, has_half_character
from clew.tools.ingest.records import BadLine, Format, Kind, Record, unreadable_line
from clew.tools.ingest.source import Advance, lines

_NT_LINE = re.compile(r"\s*(<[^<>\s]+>|_:\S+)\s+<[^<>\s]+>\s+(<[^<>\s]+>|_:\S+|\".*\"\S*)\s*\.\s*(#.*)?\Z")
_TURTLE_LINE = re.compile(r"\s*(@prefix|@base|prefix\s+\S*:\s*<|base\s+<)", re.IGNORECASE)
_XML_LINE = re.compile(r"<(\w+:)?RDF\b")
_JSON_LD = re.compile(r'"@(context|graph|id|type)"\s*:')
_DECLARED_MIN = 0.5


def recognise(path: Path, sample: Sequence[str]) -> Format | None:
    """The file as Turtle (a prefix or base declaration), N-Triples (its lines), RDF/XML or JSON-LD (an element or key
    of theirs), or as its extension says; else None."""
    filled = [line for line in sample if line.strip() and not line.lstrip().startswith("#")]
    suffixes = {suffix.lower() for suffix in path.suffixes}
    if any(_TURTLE_LINE.match(line) for line in filled[:50]):
        return turtle(path, "Turtle, by its prefix declarations")
    matching = sum(1 for line in filled if _NT_LINE.match(line))
    if filled and matching / len(filled) >= _DECLARED_MIN:
        return ntriples(path, "N-Triples, by its lines")
    begins = filled[0].lstrip()[:1] if filled else ""
    if begins == "<" and any(map(_XML_LINE.search, filled)):
        return rdf_xml(path, "RDF/XML, by its element")
    if begins in ("{", "[") and any(map(_JSON_LD.search, filled)):
        return json_ld(path, "JSON-LD, by its keys")
    if ".rdf" in suffixes or ".owl" in suffixes:
        return rdf_xml(path, "RDF/XML, by its extension")
    if ".jsonld" in suffixes:
        return json_ld(path, "JSON-LD, by its extension")
    if ".ttl" in suffixes:
        return turtle(path, "Turtle, by its extension")
    if ".nt" in suffixes:
        return ntriples(path, "N-Triples, by its extension")
    return None


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

    quiet_rdflib()
    sink = _LastStatement()
    parser = W3CNTriplesParser(sink=sink, bnode_context=_OwnNames())  # type: ignore[arg-type]
    file, blank = str(path), blank_prefix(path)
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
            yield record_of(sink.statement, blank, number, schema)
    if left_out:
        notes.append(schema.note(left_out))


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


READERS: dict[Kind, Callable[[Path, str], Format]] = {
    "n-triples": ntriples,
    "turtle": turtle,
    "rdf-xml": rdf_xml,
    "json-ld": json_ld,
}
"""By kind, what makes a file one of it, with the reason that is given."""
