"""The words of a question that say when something began and ended: "between the report and the repair"."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.durations.intervals import Moment, begin_and_end, in_order
from clew.tools.queries.reading.durations.said import Asked
from clew.tools.queries.reading.english.words import FREE
from clew.tools.queries.reading.schema.births import is_birth
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.values import MONTHS

_OPENING = frozenset({"between", "from", "since", "after", "of"})
_JOINING = frozenset({"and", "to", "until", "till", "after", "before", "past", "since", "beyond", "for"})
_BEHIND = _OPENING | _JOINING | {"its", "their", "the", "being", "got", "get", "his", "her", "was", "were", "they"}
_BEFORE_TIMES = frozenset({"in", "on", "between", "since", "during", "before", "after", "from", "until"})
_FAR = 6
"""Words between two ends of a duration, at most."""
_OWN, _ALIKE, _JOINED = 1.0, 0.6, 0.5


@dataclass(frozen=True, slots=True)
class Ends:
    """When something began and ended, and the words that say it."""

    first: Moment
    last: Moment
    said: int
    """How many of the two are said."""
    places: frozenset[int]


@dataclass(frozen=True, slots=True)
class Said:
    """A word that may say a time, and how well it does."""

    place: int
    moment: Moment
    likeness: float


def ends_of(
    every: Sequence[Moment], tokens: Sequence[Token], asked: Asked, kept: Container[int], names: Container[int]
) -> Iterator[Ends]:
    """The intervals that a question may mean, likeliest first.

    Args:
        every: The times of one label or relationship type.
        tokens: The words of the question.
        asked: What is asked of a duration.
        kept: The places of words that say something else: names, and kinds of things …
        names: … and of the former.
    """
    said = said_moments(every, tokens, asked, kept)
    pairs = [
        (one.likeness + other.likeness + _joined(tokens, one.place, other.place), one, other)
        for one, other in combinations(said, 2)
        if one.place < other.place and one.moment is not other.moment
    ]
    for _, one, other in sorted(pairs, key=lambda each: -each[0])[:1]:
        first, last = _directed(one.moment, other.moment, asked)
        yield Ends(first, last, 2, frozenset(between(tokens, one.place, other.place, names)))
    whole = begin_and_end(every)
    for each in sorted(said, key=lambda each: -each.likeness)[:2]:
        beside = _beside(each.moment, every, asked)
        if beside is not None:
            yield Ends(*beside, 1, frozenset(other.place for other in said if other.moment is each.moment))
    if asked.late or asked.early:
        planned = next((each for each in every if each.planned), None)
        beside = _beside(planned, every, asked) if planned is not None else None
        if beside is not None:
            yield Ends(*beside, 1, frozenset())
    elif whole is not None:
        yield Ends(*whole, 0, frozenset())


def said_moments(every: Sequence[Moment], tokens: Sequence[Token], asked: Asked, kept: Container[int]) -> list[Said]:
    """The words that may say one of some times (the arguments as of `ends_of`)."""
    found = (
        Said(i, moment, _likeness(token, moment))
        for i, token in enumerate(tokens)
        if i not in asked.places and i not in kept and not token.quoted and token.text not in FREE
        if not _is_dated(tokens, i)
        for moment in every
    )
    return [each for each in found if each.likeness]


def _is_dated(tokens: Sequence[Token], place: int) -> bool:
    """Whether a time stands behind a word, so that it is no end: "reported in 2023"."""
    behind = [token.text for token in tokens[place + 1 : place + 4]]
    return behind[:1] != [] and behind[0] in _BEFORE_TIMES and any(t in MONTHS or t[:1].isdigit() for t in behind[1:])


def _likeness(token: Token, moment: Moment) -> float:
    """How well a word says a time."""
    said = root(token.text)
    if said not in moment.said:
        return 0.0
    return _OWN if said in root(moment.name.replace("_", " ")).split() or said in _roots(moment.name) else _ALIKE


def _roots(name: str) -> set[str]:
    return {root(word) for word in name.lower().replace("_", " ").split()}


def _joined(tokens: Sequence[Token], one: int, other: int) -> float:
    """Whether two words stand as the two ends of something."""
    before = {token.text for token in tokens[max(0, one - 2) : one]}
    between = {token.text for token in tokens[one + 1 : other]}
    return _JOINED * (bool(before & _OPENING) + bool(between & _JOINING) - 0.2 * max(0, other - one - _FAR))


def between(tokens: Sequence[Token], one: int, other: int, kept: Container[int]) -> Iterator[int]:
    """The places of both ends, and of what joins them."""
    yield from (one, other)
    inside = range(one + 1, other)
    short = other - one - 1 <= _FAR and not any(i in kept for i in inside)
    yield from (i for i in inside if (short or tokens[i].text in FREE | _BEHIND) and i not in kept)


def _directed(one: Moment, other: Moment, asked: Asked) -> tuple[Moment, Moment]:
    """From when to when: of a plan and what became of it, as "late" or "early" say."""
    if one.planned == other.planned:
        return in_order(one, other)
    plan, done = (one, other) if one.planned else (other, one)
    return (done, plan) if asked.early else (plan, done)


def _beside(moment: Moment, every: Sequence[Moment], asked: Asked) -> tuple[Moment, Moment] | None:
    """The interval of which one end is said."""
    others = [each for each in every if each is not moment and each.planned == moment.planned]
    if moment.planned:
        others = [each for each in every if not each.planned]
        ended = begin_and_end(others)
        done = ended[1] if ended is not None else others[-1] if others else None
        return None if done is None else _directed(moment, done, asked)
    if asked.late or asked.early:
        plans = [each for each in every if each.planned]
        return _directed(moment, plans[0], asked) if plans else None
    pairs = [pair for each in others if (pair := begin_and_end([moment, each])) is not None]
    whole = begin_and_end(every)
    if whole is not None:
        for pair in pairs:
            if pair[0] is whole[0] or pair[1] is whole[1]:
                return pair
    if pairs:
        return pairs[0]
    of_life = is_birth(moment.name) or any(is_birth(each.name) for each in others)
    if len(others) != 1 or (of_life and asked.aim == "longest"):
        return None  # "Who has been a member the longest" is no age.
    return in_order(moment, others[0])
