"""What RDF files say about classes and properties, apart from what they say about things; and the usual prefixes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
TYPE, LABEL, SUBCLASS = _RDF + "type", _RDFS + "label", _RDFS + "subClassOf"

USUAL_PREFIXES = {
    "rdf": _RDF,
    "rdfs": _RDFS,
    "owl": _OWL,
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "dct": "http://purl.org/dc/terms/",
    "schema": "https://schema.org/",
    "sdo": "https://schema.org/",
    "prov": "http://www.w3.org/ns/prov#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "org": "http://www.w3.org/ns/org#",
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "dbo": "http://dbpedia.org/ontology/",
    "dbr": "http://dbpedia.org/resource/",
    "dbp": "http://dbpedia.org/property/",
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "ex": "http://example.org/",
    "": "http://example.org/",
}
"""From https://prefix.cc; `ex` and the empty prefix are those of examples."""

_SCHEMA_CLASSES = frozenset({
    _RDFS + "Class", _RDFS + "Datatype", _RDF + "Property", _OWL + "Class", _OWL + "Ontology", _OWL + "Restriction",
    _OWL + "ObjectProperty", _OWL + "DatatypeProperty", _OWL + "AnnotationProperty", _OWL + "FunctionalProperty",
    _OWL + "InverseFunctionalProperty", _OWL + "SymmetricProperty", _OWL + "TransitiveProperty",
    _OWL + "DeprecatedClass", _OWL + "AllDisjointClasses", _OWL + "Axiom",
})  # fmt: skip
_SCHEMA_PREDICATES = frozenset({
    SUBCLASS, _RDFS + "subPropertyOf", _RDFS + "domain", _RDFS + "range", _OWL + "equivalentClass",
    _OWL + "equivalentProperty", _OWL + "inverseOf", _OWL + "disjointWith",
})  # fmt: skip
_DECLARED = re.compile(r"(?:^|\s)@?prefix\s+([\w.-]*):", re.IGNORECASE)
_USED = re.compile(r"(?<![\w:/#<\"'.-])([A-Za-z][\w-]*|):(?=[A-Za-z_\d%])")
_QUIET = re.compile(r"<[^<>\s]*>|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*")
"""What holds no prefixed name: IRIs, texts, comments."""


def missing_prefixes(lines: Iterable[str]) -> list[str]:
    """The usual prefixes that Turtle uses and does not declare, sorted."""
    declared: set[str] = set()
    used: set[str] = set()
    for line in lines:
        declared.update(name for name in _DECLARED.findall(line))
        used.update(_USED.findall(_QUIET.sub(" ", line)))
    return sorted((used - declared) & USUAL_PREFIXES.keys())


def declarations(prefixes: Sequence[str]) -> str:
    """Turtle that declares prefixes, in one line."""
    return "".join(f"@prefix {name}: <{USUAL_PREFIXES[name]}> . " for name in prefixes)


_STATEMENT = re.compile(r"\s*<(?P<subject>[^<>\s]*)>\s+<(?P<predicate>[^<>\s]*)>\s+(<(?P<value>[^<>\s]*)>)?")
_MAY_BE_SCHEMA = re.compile(r"owl#|rdf-schema#|rdf-syntax-ns#Property")


@dataclass(slots=True)
class SchemaTerms:
    """The classes and properties that a file describes."""

    terms: set[str] = field(default_factory=set)
    labels: dict[str, str] = field(default_factory=dict)
    """The `rdfs:label` of those whose own name says nothing, such as P31."""
    parents: dict[str, list[str]] = field(default_factory=dict)
    """Class to the classes that it is a subclass of."""

    def look_at(self, statement: tuple[Any, Any, Any]) -> None:
        """Note whether the statement makes its subject a class or a property."""
        subject, predicate, value = map(str, statement)
        if (predicate == TYPE and value in _SCHEMA_CLASSES) or predicate in _SCHEMA_PREDICATES:
            self.terms.add(subject)
        if predicate == SUBCLASS and ":" in value:  # A restriction has no name of its own.
            self.parents.setdefault(subject, []).append(value)

    def classes(self, iri: str) -> list[str]:
        """A class and all that it is a subclass of (RDF Schema, entailment rules rdfs9 and rdfs11), nearest first."""
        found = [iri]
        for each in found:
            found += [parent for parent in dict.fromkeys(self.parents.get(each, ())) if parent not in found]
        return found

    def describes(self, statement: tuple[Any, Any, Any]) -> bool:
        """Whether a statement is about a class or a property."""
        return str(statement[0]) in self.terms

    def name(self, iri: str, local: str) -> str:
        """The name of a class or property: its local name, or its label where that is only a number."""
        label = self.labels.get(iri)
        return (
            re.sub(r"\W+", "_", label).strip("_") or local if label and re.fullmatch(r"[A-Za-z]?\d+", local) else local
        )

    def note(self, left_out: int) -> str:
        """For the report."""
        return f"{left_out:,} statements about {len(self.terms):,} classes and properties are the schema, and no nodes."


def schema_of_lines(lines: Callable[[], Iterable[str]]) -> SchemaTerms:
    """As `schema_of`, for the lines of N-Triples, which are read twice; without labels, which may be too many."""
    found = SchemaTerms()
    for match in map(_STATEMENT.match, filter(_MAY_BE_SCHEMA.search, lines())):
        if match is not None:
            found.look_at((match["subject"], match["predicate"], match["value"]))
    if found.terms and all(match["subject"] in found.terms for match in map(_STATEMENT.match, lines()) if match):
        return SchemaTerms()
    return found


def schema_of(statements: Sequence[tuple[Any, Any, Any]]) -> SchemaTerms:
    """The classes and properties of statements; none if they are about nothing else: then an ontology is the data."""
    found = SchemaTerms()
    for statement in statements:
        found.look_at(statement)
    if found.terms and all(map(found.describes, statements)):
        return SchemaTerms()
    for statement in filter(found.describes, statements):
        if str(statement[1]) == LABEL:
            found.labels.setdefault(str(statement[0]), str(statement[2]))
    return found
