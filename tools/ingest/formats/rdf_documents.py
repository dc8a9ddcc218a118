"""RDF files that are parsed whole, so that memory grows with the file: Turtle, RDF/XML and JSON-LD, all by rdflib."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.sax import SAXParseException

from clew.tools.errors import BadInput
from clew.tools.ingest.formats.rdf_schema import USUAL_PREFIXES, declarations, missing_prefixes
from clew.tools.ingest.formats.rdf_statements import Statement, quiet_rdflib, records_of
from clew.tools.ingest.formats.values import HALF_CHARACTER, has_half_character
from clew.tools.ingest.records import Format, Record
from clew.tools.ingest.source import Advance, lines

_CORRECT = "Correct the file and import it again."
_SCHEMA_ORG = ("http://schema.org", "https://schema.org")
_ENTITY = re.compile(r"<!ENTITY\s([^>]*)>")
_UNSAFE = re.compile(r"&(?!amp;)|%|\b(?:SYSTEM|PUBLIC)\b")
_LONGEST_ENTITY = 300
_UNPARSED = (ValueError, IndexError, AssertionError, AttributeError, KeyError, TypeError, RecursionError, OverflowError)
"""What rdflib's parsers raise for files that are not what they should be."""


def turtle(path: Path, why: str) -> Format:
    """The file as Turtle."""
    notes: list[str] = []
    return Format(path, "turtle", why, partial(_read_turtle, path, notes), notes=notes)


def rdf_xml(path: Path, why: str) -> Format:
    """The file as RDF/XML."""
    notes: list[str] = []
    return Format(path, "rdf-xml", why, partial(_read_xml, path, notes), notes=notes)


def json_ld(path: Path, why: str) -> Format:
    """The file as JSON-LD."""
    notes: list[str] = []
    return Format(path, "json-ld", why, partial(_read_json, path, notes), notes=notes)


def _read_turtle(path: Path, notes: list[str], advance: Advance | None = None) -> Iterator[Record]:
    """The records; a syntax error refuses the whole file, naming its line.

    Usual prefixes that the file does not declare are assumed, and said in `notes`.
    """
    from rdflib.plugins.parsers.notation3 import BadSyntax

    texts = _texts(path, advance)
    assumed = missing_prefixes(texts)
    if assumed:
        listed = ", ".join(f"{name}: <{USUAL_PREFIXES[name]}>" for name in assumed)
        notes.append(f"{path} does not declare the prefixes that it uses; these are assumed: {listed}.")
    try:
        statements = _parsed(declarations(assumed) + "\n".join(texts), "turtle", path)
    except BadSyntax as error:
        line = int(getattr(error, "lines", 0)) + 1
        raise BadInput(f"{path}:{line}: not Turtle: {_why(error)}.", _CORRECT) from error
    except _UNPARSED as error:
        raise BadInput(f"{path}: not Turtle: {str(error)[:120]}.", _CORRECT) from error
    suspect = next((number for number, text in enumerate(texts, 1) if "\\ud" in text.lower()), 0)
    if suspect and any(has_half_character(*statement) for statement in statements):
        raise BadInput(f"{path}:{suspect}: {HALF_CHARACTER}.", _CORRECT)
    yield from records_of(statements, path, notes)


def _read_xml(path: Path, notes: list[str], advance: Advance | None = None) -> Iterator[Record]:
    """The records. Entities may shorten addresses; others, by which a small file can take gigabytes, are refused."""
    from rdflib.exceptions import ParserError

    text = "\n".join(_texts(path, advance))
    if any(len(said) > _LONGEST_ENTITY or _UNSAFE.search(said) for said in _ENTITY.findall(text)):
        raise BadInput(f"{path}: it declares entities that hold more than an address.", "Save the data as Turtle.")
    try:
        statements = _parsed(text, "xml", path)
    except SAXParseException as error:
        raise BadInput(f"{path}:{error.getLineNumber()}: not RDF/XML: {error.getMessage()}.", _CORRECT) from error
    except (ParserError, *_UNPARSED) as error:
        raise BadInput(f"{path}: not RDF/XML: {str(error)[:120]}.", _CORRECT) from error
    yield from records_of(statements, path, notes)


def _read_json(path: Path, notes: list[str], advance: Advance | None = None) -> Iterator[Record]:
    """The records; a context at another address is not fetched."""
    try:
        found = json.loads("\n".join(_texts(path, advance)))
    except (ValueError, RecursionError) as error:
        where = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise BadInput(f"{path}{where}: not JSON: {str(error)[:120]}.", _CORRECT) from error
    if has_half_character(json.dumps(found, ensure_ascii=False)):
        raise BadInput(f"{path}: {HALF_CHARACTER}.", _CORRECT)
    try:
        statements = _parsed(json.dumps(_with_contexts(found, path)), "json-ld", path)
    except _UNPARSED as error:
        raise BadInput(f"{path}: not JSON-LD: {str(error)[:120]}.", _CORRECT) from error
    yield from records_of(statements, path, notes)


def _with_contexts(found: Any, path: Path) -> Any:
    """The document with the vocabulary of schema.org in the place of its address.

    Raises BadInput for other addresses of contexts.
    """
    if isinstance(found, list):
        return [_with_contexts(each, path) for each in found]
    if not isinstance(found, dict):
        return found
    return {
        name: _context(value, path) if name == "@context" else _with_contexts(value, path)
        for name, value in found.items()
    }


def _context(value: Any, path: Path) -> Any:
    if isinstance(value, list):
        return [_context(each, path) for each in value]
    address = value.get("@import") if isinstance(value, dict) else value
    if isinstance(address, str) and address.startswith(_SCHEMA_ORG):
        return {"@vocab": "https://schema.org/"}
    if isinstance(address, str):
        raise BadInput(
            f"{path}: its context is at {address}, and an import fetches nothing.",
            "Put the context itself into the file, or save the data as Turtle.",
        )
    if isinstance(value, dict):
        return {name: _with_contexts(each, path) for name, each in value.items()}
    return value


def _texts(path: Path, advance: Advance | None) -> list[str]:
    found = []
    for number, text in lines(path, advance):
        if text is None:
            raise BadInput(f"{path}:{number}: not UTF-8 text.", "Save the file as UTF-8.")
        found.append(text)
    return found


def _parsed(text: str, format: str, path: Path) -> list[Statement]:
    """The statements of a text in the order of the file, so that blank nodes are numbered alike each time."""
    from rdflib import Dataset, Graph

    quiet_rdflib()
    base = path.absolute().as_uri()
    if format == "json-ld":  # Its parser passes by the graph that it is given.
        every = Dataset(default_union=True)
        every.parse(data=text, format=format, publicID=base)
        return [(subject, predicate, value) for subject, predicate, value, _graph in every.quads()]

    statements: list[Statement] = []

    class Ordered(Graph):
        def add(self, triple: Statement) -> Ordered:
            statements.append(triple)
            return self

    Ordered().parse(data=text, format=format, publicID=base)
    return statements


def _why(error: Exception) -> str:
    return str(getattr(error, "_why", "") or error).split("\n")[0][:120]
