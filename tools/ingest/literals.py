"""Triples that lead to no thing: types ("Dunmore is_a city") become labels, and values ("Dunmore population 48200")
properties, as RDF has them."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from clew.tools.ingest.formats import values
from clew.tools.ingest.relation_words import FALLBACK, title, words
from clew.tools.ingest.staging import Staging
from clew.tools.ingest.stored_names import stored_property

_TYPES = frozenset({"is a", "isa", "is an", "instance of", "instanceof", "rdf type"})
_PERHAPS_TYPES = frozenset({"type", "has type", "entity type", "class"})
"""Relations that give types if nearly all heads have one: a Pokémon's type is none."""
_NAMES = frozenset({"name", "has name", "full name", "fullname", "rdfs label", "pref label", "preflabel"})
"""Relations that say what nodes are called, whatever else is called so …"""
_OWN = 0.8
"""… if that many of their heads have a name of their own, as a share."""
_NEARLY_ALL = 0.9
_FEW = 0.1
"""Share of the tails that may be heads, too: a film may be called like a year."""
_SAMPLED, _ROWS = 20, 5000
_WHOLE = re.compile(r"[+-]?(0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"[+-]?(0|[1-9]\d{0,17})(\.\d+)?")
_YEAR = re.compile(r"[12]\d{3}")
_TIME = re.compile(r"\d{1,3}:[0-5]\d(:[0-5]\d)?")
_TRUTH = {"true": True, "false": False, "yes": True, "no": False}

_ENDS = "edges JOIN nodes h ON h.id = source JOIN nodes t ON t.id = target WHERE relation = ?"
_HEADS = "SELECT count(DISTINCT source) FROM edges"
_SHAPES = """
    SELECT relation, count(*), count(DISTINCT source), count(DISTINCT target),
        count(DISTINCT CASE WHEN EXISTS (SELECT 1 FROM edges o WHERE o.source = e.target) THEN target END)
    FROM edges e GROUP BY relation
"""
_UNUSED = """
    DELETE FROM nodes WHERE label IS NULL AND properties IS NULL
    AND NOT EXISTS (SELECT 1 FROM edges WHERE source = id) AND NOT EXISTS (SELECT 1 FROM edges WHERE target = id)
"""


def take(staging: Staging, is_kept: Callable[[str], bool]) -> list[str]:
    """Turn the types and values of staged triples into labels and properties.

    A relation gives values if each of its tails is a number, a date (YYYY-MM-DD), a time (5:32) or a truth value, each
    head has one alone, and hardly any tail is a head. If years are all the values of a graph, they stay nodes: paths
    lead through them from one film to another of its year.

    Args:
        staging: The triples.
        is_kept: Whether a relation leads to nodes in any case.

    Returns:
        What the user should know of it.
    """
    db = staging.db
    typing: list[str] = []
    valued: dict[str, Callable[[str], Any]] = {}
    db.execute("CREATE INDEX by_source ON edges (source)")
    db.execute("BEGIN")
    names, heads = staging.relation_names(), db.execute(_HEADS).fetchone()[0]
    for number, *numbers in db.execute(_SHAPES).fetchall():
        name, shape = names[number], _Shape(heads, *numbers)
        called = " ".join(words(name))
        if _is_typing(db, number, called, shape) and not is_kept(name):
            _take_types(db, number)
            typing.append(name)
        elif called in _NAMES and shape.may_give_values and shape.tails >= _OWN * shape.heads and not is_kept(name):
            valued[name] = str
        elif shape.may_give_values and (read := _reader(db, number)) and not is_kept(name):
            valued[name] = read
    if all(_gives_years(db, staging.relation_ids[name]) for name in valued):
        valued = {}
    for name, read in valued.items():
        _take_values(db, staging.relation_ids[name], stored_property(name), read)
    for name in (*typing, *valued):
        db.execute("DELETE FROM edges WHERE relation = ?", (staging.relation_ids[name],))
        db.execute("DELETE FROM relations WHERE id = ?", (staging.relation_ids.pop(name),))
    if typing or valued:
        db.execute("CREATE INDEX by_target ON edges (target)")
        db.execute(_UNUSED)
    db.execute("COMMIT")
    db.executescript("DROP INDEX by_source; DROP INDEX IF EXISTS by_target;")
    return list(_notes(typing, [*valued]))


class _Shape(NamedTuple):
    """Numbers of a relation."""

    all_heads: int
    """Of all relations."""
    triples: int
    heads: int
    tails: int
    tails_as_heads: int

    def gives_types(self, *, surely: bool) -> bool:
        """Whether its tails are the types of its heads, and not those of other types or of moves in a game."""
        few = self.tails_as_heads <= _FEW * self.tails and self.tails < self.heads
        return few and (surely or self.heads >= _NEARLY_ALL * (self.all_heads - self.tails_as_heads))

    @property
    def may_give_values(self) -> bool:
        return self.triples == self.heads and self.tails_as_heads <= _FEW * self.tails


def _is_typing(db: sqlite3.Connection, number: int, called: str, shape: _Shape) -> bool:
    """Whether a relation is called so that it gives types, and all of its tails begin with a letter."""
    if called not in _TYPES | _PERHAPS_TYPES or not shape.gives_types(surely=called in _TYPES):
        return False
    return all(key[0].isalpha() for (key,) in db.execute(f"SELECT DISTINCT t.key FROM {_ENDS}", (number,)))


def _take_types(db: sqlite3.Connection, number: int) -> None:
    """Each head gets the most frequent of its types as its label, and the others as further labels."""
    rows = db.execute(
        "SELECT source, key, count(*) OVER (PARTITION BY target) AS n FROM edges JOIN nodes ON id = target "
        "WHERE relation = ? ORDER BY source, n DESC, key",
        (number,),
    )
    found = []
    for node, types in groupby(rows, key=itemgetter(0)):
        first, *others = dict.fromkeys(_label(key) for _node, key, _n in types)
        found.append((first, json.dumps(others, ensure_ascii=False) if others else None, node))
    db.executemany("UPDATE nodes SET label = ?, labels = coalesce(labels, ?) WHERE id = ?", found)


def _label(text: str) -> str:
    """RecordLabel of "record label"."""
    return "".join(title(word) for word in re.split(r"[\W_]+", text) if word) or FALLBACK


def _reader(db: sqlite3.Connection, number: int) -> Callable[[str], Any] | None:
    """What reads all tails of a relation, if they are of one kind."""
    heads, first = zip(*db.execute(f"SELECT h.key, t.key FROM {_ENDS} LIMIT {_SAMPLED}", (number,)), strict=True)
    if all(_NUMBER.fullmatch(key) for key in heads):
        return None  # Nodes are numbered, and tails may be nodes.
    for read in (_whole_number, _number, values.iso_date, _truth, _time):
        if all(read(key) is not None for key in first):
            tails = db.execute(f"SELECT DISTINCT t.key FROM {_ENDS}", (number,))
            if all(read(key) is not None for (key,) in tails):
                return read
    return None


def _gives_years(db: sqlite3.Connection, number: int) -> bool:
    return all(_YEAR.fullmatch(key) for (key,) in db.execute(f"SELECT DISTINCT t.key FROM {_ENDS}", (number,)))


def _whole_number(text: str) -> int | None:
    return int(text) if _WHOLE.fullmatch(text) else None


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


def _time(text: str) -> str | None:
    """A time of the day or a running time."""
    return text if _TIME.fullmatch(text) else None


def _truth(text: str) -> bool | None:
    return _TRUTH.get(text.lower())


def _take_values(db: sqlite3.Connection, number: int, name: str, read: Callable[[str], Any]) -> None:
    """Set a property of the heads to what is read from the tails."""
    rows = db.execute(f"SELECT h.id, h.properties, t.key FROM {_ENDS}", (number,))
    while some := rows.fetchmany(_ROWS):
        changed = [
            (values.dump((values.load(text) if text else {}) | {name: read(key)}), node) for node, text, key in some
        ]
        db.executemany("UPDATE nodes SET properties = ? WHERE id = ?", changed)


def _notes(typing: Sequence[str], valued: Sequence[str]) -> Iterator[str]:
    if typing:
        yield f"{', '.join(typing)} gives the labels of nodes."
    if valued:
        remedy = "A line `RELATION,object,LABEL` in a file for --labels keeps one."
        yield f"Properties, not relationships, since they have one value each: {', '.join(sorted(valued))}. {remedy}"
