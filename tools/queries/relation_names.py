"""The words of the names of relationship types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, cast

from clew.tools.graph.identifiers import bare_words
from clew.tools.queries.lexical import load_lines, load_toml

JOINED = "|"
"""Between the types of a relation that stands for several."""
_NUMBERED = re.compile(r"^([^\W\d]+)(\d+)$")
_LIGHT = frozenset({"has", "have", "is", "was", "of", "by", "to", "from", "in", "at", "id"})


@lru_cache(maxsize=16384)
def relation_words(name: str) -> tuple[str, ...]:
    """The words of a relationship type's name, with the usual short forms written out: "supported by" of SUP_BY."""
    if JOINED in name and (common := in_common(*name.split(JOINED))):
        return common
    return tuple(part for word in bare_words(name) for part in _short_forms().get(word, word).split())


def in_common(*names: str) -> tuple[str, ...]:
    """The words for all of several relationship types: "parent of" for FATHER_OF and MOTHER_OF, "team" for
    HAS_HOME_TEAM and HAS_AWAY_TEAM, "glaze" for GLAZE_1, GLAZE_2 and GLAZE_3; none where there are no such words."""
    one, *others = names
    found = {_in_common_of_two(one, other) for other in others}
    return found.pop() if len(found) == 1 else ()


@lru_cache(maxsize=16384)
def _in_common_of_two(one: str, other: str) -> tuple[str, ...]:
    before, left, right, behind = apart(relation_words(one), relation_words(other))
    roles = frozenset((" ".join(left), " ".join(right)))
    numbered = len(roles) == 2 and all(map(str.isdecimal, roles))
    if (numbered or roles in _sides()) and {*before, *behind} - _LIGHT:
        return (*before, *behind)
    named = _roles().get(roles)
    return (*before, named, *behind) if named else ()


def types_of(relation: str) -> list[str]:
    """The relationship types of the graph that a relation stands for."""
    types = relation.split(JOINED)
    return types if len(types) > 1 and in_common(*types) else [relation]


def apart(one: Sequence[str], other: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """What two names have in common at their beginnings, what each has of its own, and their common end."""
    one, other = _with_numbers(one), _with_numbers(other)
    shorter = min(len(one), len(other))
    first = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    last = next((i for i in range(shorter - first) if one[-1 - i] != other[-1 - i]), shorter - first)
    ends = len(one) - last, len(other) - last
    return tuple(one[:first]), tuple(one[first : ends[0]]), tuple(other[first : ends[1]]), tuple(one[ends[0] :])


def _with_numbers(words: Sequence[str]) -> list[str]:
    """Words with a number behind them as two: "player", "1"."""
    return [part for word in words for part in _NUMBERED.sub(r"\1 \2", word).split()]


def are_kin(one: str, other: str) -> bool:
    """Whether two relationship types are those of fathers and mothers, or the like."""
    return not set(in_common(one, other)).isdisjoint(_table()["kin"])


def first_side(one: str, other: str) -> str:
    """Which of two relationship types leads to the side that is named first: the home team, white."""
    _, left, right, _ = apart(relation_words(one), relation_words(other))
    return one if (" ".join(left), " ".join(right)) in _ordered() else other


def side_names(one: str, other: str) -> list[tuple[str, ...]]:
    """The words by which the names of two relationship types differ: "home" and "away"."""
    _, *own, _ = apart(relation_words(one), relation_words(other))
    return own


def side_words(one: str, other: str) -> tuple[frozenset[str], frozenset[str]]:
    """What people say for the one and for the other of two relationship types: "home" and "host" of HAS_HOME_TEAM."""
    own = side_names(one, other)
    said = _table()["said"]
    found = [
        frozenset((*words, *said.get(" ".join(words), ()), *(more for word in words for more in said.get(word, ()))))
        for words in own
    ]
    return found[0] - found[1], found[1] - found[0]


def meetings() -> Mapping[str, Sequence[str]]:
    """What stands between the two sides of an event: of "either", of the "home" and the visiting side, or "away"; and
    what "return"s behind them."""
    return cast("Mapping[str, Sequence[str]]", _table()["meetings"])


@cache
def _table() -> Mapping[str, Any]:
    return load_toml("", "relations_in_common.toml")


@cache
def _roles() -> dict[frozenset[str], str]:
    named = {**_table()["kin"], **_table()["roles"]}
    return {frozenset(pair): name for name, pairs in named.items() for pair in pairs}


@cache
def _sides() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair in _table()["sides"]["pairs"])


@cache
def _ordered() -> frozenset[tuple[str, ...]]:
    tables = (_table()[name] for name in ("kin", "roles", "sides"))
    return frozenset(tuple(pair) for table in tables for pairs in table.values() for pair in pairs)


@cache
def _short_forms() -> dict[str, str]:
    pairs = [line.partition(" ") for line in load_lines("", "relation_abbreviations.txt")]
    return {short: word for short, _, word in pairs}
