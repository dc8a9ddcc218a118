"""A statement as words, names and values, and the names that share a place in it.

Read by words and by where the linked names stand; no grammar of the language is needed beyond its small words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from clew.tools.queries.space.words import ACTIVE, FINITE, PAST

_TOKEN = re.compile(r"['\u2019]s\b|[^\W_](?:[\w-]|['\u2019.](?=\w))*|[,;:]")
_MOST_COUNTED = 200
"""A larger number before a noun is taken for a value."""
_JOINS = frozenset({"and", "or", "but", "nor", "as", "well", "also", "both", "either", "the", ",", "not", "&", "with"})
_LISTS = frozenset({"and", "or", "nor", "but", "&"})
CLAUSE = frozenset({"and", "but", "while", "whereas", "though", "although", ";", ",", "yet"})
RELATIVE = frozenset({"who", "which", "that", "whose", "whom", "where"})
BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
HAVE = frozenset({"has", "have", "had", "does", "do", "did", "can", "could", "will", "would", "may", "might"})
PARTICIPLES = frozenset(
    [
        "born",
        "set",
        "filmed",
        "shot",
        "made",
        "sung",
        "written",
        "drawn",
        "led",
        "won",
        "built",
        "held",
        "sold",
        "known",
        "given",
        "seen",
        "taken",
        "run",
        "spoken",
    ]
)
NEGATIVE = frozenset({"not", "never", "no", "nobody", "none", "neither", "nor", "without", "lacks", "lack"})


@dataclass(frozen=True, slots=True)
class Item:
    """A word, a sign, a name (`mention`) or a value (`mention` -1)."""

    text: str
    mention: int | None = None

    @property
    def low(self) -> str:
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Group:
    """Names that share a place in a sentence."""

    members: tuple[Item, ...]
    negative: tuple[bool, ...]
    either: bool = False
    """Joined by "or"."""


def items_of(text: str, names: Sequence[tuple[int, int]]) -> list[Item]:
    items: list[Item] = []
    position = 0
    for number, (start, end) in enumerate([*names, (len(text), len(text))]):
        words = [Item(match.group()) for match in _TOKEN.finditer(text, position, start)]
        items += [_as_value(words, place) for place in range(len(words))]
        if number < len(names):
            items.append(Item(text[start:end], number))
        position = end
    return items


def _as_value(words: Sequence[Item], place: int) -> Item:
    """A number that does not count the noun behind it is a value."""
    word = words[place]
    if not word.text[0].isdecimal():
        return word
    counts = word.text.isdecimal() and int(word.text[:9]) <= _MOST_COUNTED and place + 1 < len(words)
    return word if counts and words[place + 1].text.isalpha() else replace(word, mention=-1)


def grouped(items: Sequence[Item]) -> tuple[list[Group], list[list[Item]]]:
    """The groups of names, and the words before, between and after them."""
    gaps: list[list[Item]] = [[]]
    names: list[Item] = []
    for item in items:
        if item.mention is None:
            gaps[-1].append(item)
        else:
            names.append(item)
            gaps.append([])
    groups: list[Group] = []
    between: list[list[Item]] = [gaps[0]]
    place = 0
    while place < len(names):
        last = _end_of_list(gaps, place, len(names))
        members = names[place : last + 1]
        groups.append(_group(members, [gaps[i] for i in range(place + 1, last + 1)], between[-1]))
        between.append(gaps[last + 1])
        place = last + 1
    return groups, between


def _end_of_list(gaps: Sequence[Sequence[Item]], first: int, count: int) -> int:
    """The last name of the list that begins with the name `first`."""
    last = first
    while last + 1 < count and _joins(gaps[last + 1]):
        last += 1
    while last > first and not any(item.low in _LISTS for item in gaps[last]) and not _pair(gaps[last]):
        last -= 1  # a comma alone ends no list
    is_subject_of_more = last > first and first > 0 and last + 1 < count and not begins_clause(gaps[last + 1])
    if is_subject_of_more and gaps[last + 1] and any(item.low == "and" for item in gaps[last]):
        last -= 1  # "A directed B and C wrote D"
    return last


def _joins(gap: Sequence[Item]) -> bool:
    words = [item.low for item in gap]
    if not words or words == ["with"] or words == ["the"] or words == ["as"]:
        return False
    if words[:2] in (["rather", "than"], ["instead", "of"]) and len(words) == 2:
        return True
    return all(word in _JOINS for word in words) and words != ["not"]


def _pair(gap: Sequence[Item]) -> bool:
    words = [item.low for item in gap]
    return words[:2] in (["rather", "than"], ["instead", "of"]) or {"as", "well"} <= set(words)


def _group(members: Sequence[Item], inner: Sequence[Sequence[Item]], before: Sequence[Item]) -> Group:
    neither = any(item.low == "neither" for item in before)
    negative = [neither]
    for gap in inner:
        words = {item.low for item in gap}
        turned = bool(words & {"not", "rather", "instead"}) and "neither" not in words
        negative.append(neither or "nor" in words or turned)
    either = any(item.low == "or" for gap in inner for item in gap)
    return Group(tuple(members), tuple(negative), either)


def begins_clause(gap: Sequence[Item]) -> bool:
    return bool(gap) and (gap[0].low in CLAUSE or gap[0].low in RELATIVE)


def verbal(word: str) -> bool:
    return (
        word in BE
        or word in HAVE
        or word in FINITE
        or word in PAST
        or word in ACTIVE
        or word in PARTICIPLES
        or word in NEGATIVE - {"no", "neither", "nor"}
        or (word.endswith("ed") and len(word) > 4)
        or word in ("starring", "featuring", "stars", "features", "costars", "won")
    )
