"""The texts that a graph's properties hold, where they are few enough to be kinds, places and codes: "Berlin" is a city
of Customer, "severe" is a property of HAS_DIAGNOSIS. Names are the entity index's, long texts the text index's."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from clew.tools.arrays.checksums import sealed, unsealed
from clew.tools.cypher.quoting import quoted
from clew.tools.errors import QueryFailed
from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property, Schema
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.linking.normalise import fold, split_camel
from clew.tools.linking.ordinary import is_english
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import FREE, people
from clew.tools.queries.reading.forms.wider_labels import Place as Place

MOST_VALUES = 2000
"""Of one property; one with more is no list of kinds or places."""
SAMPLED = 50_000
"""Nodes of a label that are looked at."""
LONGEST = 60
"""Characters of a value."""
_MOST_OF_A_CATEGORY, _LEAST_SHORTENED = 100, 3
"""Values of a property that are shortened, and words of one."""
_LONGEST_NAME = 4
"""Words of the name of a person."""
_FORMAT = 2
_TERM = re.compile(r"(?P<season>f|fa|s|sp|spr|su|sum|w|wi|win|au)[ -]?(20)?(?P<year>\d\d)", re.IGNORECASE)
_SEASONS = {"f": ("fall", "autumn"), "a": ("autumn", "fall"), "s": ("spring",), "su": ("summer",), "w": ("winter",)}


class PropertyValues:
    """Folded value → where it stands, and the values as they are written."""

    def __init__(self, found: Iterable[tuple[str, str, bool, str]]) -> None:
        self._places: dict[str, dict[Place, list[str]]] = defaultdict(dict)
        by_place: dict[Place, set[str]] = defaultdict(set)
        for label, name, of_relation, value in found:
            self._add(value, value, (label, name, of_relation))
            if split_camel(value) != value:  # "WorldTour" is two words, "worldtour" is one.
                self._add(value.lower(), value, (label, name, of_relation))
            by_place[label, name, of_relation].add(value)
        for place, values in by_place.items():
            of_people = _is_of_people(place[1])
            for short, value in (*_short_forms(values), *(_parts_of_names(values) if of_people else ())):
                self._add(short, value, place)
            terms = [term for value in values if (term := _TERM.fullmatch(value))]
            for term in terms if len(terms) == len(values) > 1 else ():
                for said in _said_of(term):
                    self._add(said, term.string, place)

    def _add(self, said: str, value: str, place: Place) -> None:
        written = self._places[fold(said)].setdefault(place, [])
        if value not in written:
            written.append(value)

    def find(self, text: str) -> dict[Place, list[str]]:
        """Where `text` is a value, but for case and accents → the values as they are written."""
        return self._places.get(fold(text), {})

    @classmethod
    def read(cls, store: GraphStore, schema: Schema, kept_in: Path) -> PropertyValues:
        """From the database, or from the file that an earlier call for this version of the graph left."""
        try:
            kept = unsealed(json.loads(kept_in.read_text(encoding="utf-8")))
            if (kept["format"], kept["version"]) == (_FORMAT, schema.version):
                return cls(map(tuple, kept["values"]))
        except (OSError, ValueError, KeyError, TypeError):
            pass  # It is made anew.
        values = list(_scanned(store, schema))
        kept_in.parent.mkdir(parents=True, exist_ok=True)
        written = kept_in.with_suffix(f".{os.getpid()}.tmp")
        record = sealed({"format": _FORMAT, "version": schema.version, "values": values})
        written.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
        written.replace(kept_in)
        return cls(values)


def _short_forms(values: Collection[str]) -> Iterator[tuple[str, str]]:
    """The short forms of a category's values that only one of them may have: "CEO" and "chief executive" of “Chief
    Executive Officer”."""
    found: dict[str, set[str]] = defaultdict(set)
    for value in values if len(values) <= _MOST_OF_A_CATEGORY else ():
        words = value.split()
        if len(words) >= _LEAST_SHORTENED and all(word.isalpha() and word[0].isupper() for word in words):
            for short in ("".join(word[0] for word in words), " ".join(words[:-1])):
                found[fold(short)].add(value)
    known = set(map(fold, values)) | FREE
    yield from ((short, of.pop()) for short, of in found.items() if len(of) == 1 and short not in known)


def _is_of_people(name: str) -> bool:
    """Whether a property is called after somebody: `roasted_by`, `contact`, `Team Manager`."""
    words = identifier_words(name)
    return words[-1:] == ("by",) or not (people() | {"contact"}).isdisjoint(words)


def _parts_of_names(values: Collection[str]) -> Iterator[tuple[str, str]]:
    """First and last names that only one of some people has, and that are no words of the language; the last word of a
    firm's name is often a plural: "Aegean Tankers"."""
    found: dict[str, set[str]] = defaultdict(set)
    for value in values if len(values) <= _MOST_OF_A_CATEGORY else ():
        words = value.split()
        if 1 < len(words) <= _LONGEST_NAME and all(word[0].isupper() for word in words):
            for part in {words[0], *(words[-1:] if singular(words[-1].lower()) == words[-1].lower() else ())}:
                found[fold(part)].add(value)
    yield from ((part, of.pop()) for part, of in found.items() if len(of) == 1 and not is_english(part))


def _said_of(term: re.Match[str]) -> Iterator[str]:
    """What people call a term of a school year that is written as a code: "fall 2024" and "fall 24" for `F24`."""
    season = term["season"].lower()
    for name in _SEASONS.get(season[:2]) or _SEASONS[season[0]]:
        yield from (f"{name} 20{term['year']}", f"{name} {term['year']}", f"{name} of 20{term['year']}")


def _scanned(store: GraphStore, schema: Schema) -> Iterable[tuple[str, str, bool, str]]:
    nodes = [(p, False, f"MATCH {store.terms.node('n', p.label)}") for p in schema.properties if not _names(p, store)]
    edges = [(p, True, f"MATCH ()-[n:{quoted(p.label)}]->()") for p in schema.relation_properties]
    for owned, of_relation, match in (*nodes, *edges):
        long = any(len(str(example)) > LONGEST for example in owned.examples)
        listed = owned.type.startswith("LIST")
        if (owned.type != "STRING" and not listed) or long:
            continue
        each = (
            f"UNWIND n.{quoted(owned.name)} AS each WITH DISTINCT each"
            if listed
            else f"WITH DISTINCT n.{quoted(owned.name)}"
        )
        cypher = (
            f"{match} WITH n LIMIT {SAMPLED} "
            f"{each} AS value WHERE value IS NOT NULL RETURN value LIMIT {MOST_VALUES + 1}"
        )
        try:
            values = [str(row["value"]) for row in store.scan(cypher)]
        except QueryFailed:
            continue  # Values of several types in one property, say.
        if len(values) <= MOST_VALUES:
            yield from ((owned.label, owned.name, of_relation, v) for v in values if v.strip() and len(v) <= LONGEST)


def _names(owned: Property, store: GraphStore) -> bool:
    """Whether the property is what nodes are found by already, or text."""
    if store.terms.imported and owned.name in ("name", "aliases"):
        return True
    return owned.name in store.terms.names.get(owned.label, ())
