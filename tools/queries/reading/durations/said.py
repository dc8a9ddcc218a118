"""The words of a question that say a duration, and what is asked of it. Data: duration_words.toml."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.durations.intervals import Unit, table
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.forms.functions import Function
from clew.tools.queries.space.query import Comparison

Aim = Literal["", "value", "average", "longest", "condition"]
_UNITS: dict[str, Unit] = {
    "fortnight": "day", "day": "day", "night": "day", "week": "week", "month": "month", "year": "year", "hour": "hour",
    "hr": "hour", "minute": "minute", "min": "minute",
}  # fmt: skip
_LESS = frozenset({
    "less than", "under", "fewer than", "shorter than", "less", "fewer", "shorter",
})  # fmt: skip
_BOUNDS: dict[str, Comparison] = {
    "at least": ">=", "no more than": "<=", "not more than": "<=", "at most": "<=", "up to": "<=", "within": "<=",
    "exactly": "=",
}  # fmt: skip
_FUNCTIONS: dict[str, Function] = {"averaged": "avg", "median": "median", "total": "sum"}
_SHORT = frozenset(
    {"soonest", "quicker", "faster", "earliest", "shortest", "quickest", "fastest", "briefest", "smallest", "least"}
)
_HALF = {"half": 0.5, "half a": 0.5, "half an": 0.5, "a": 1.0, "an": 1.0}
_PLANNED: dict[str, Comparison] = {"punctual": "<=", "exact": "=", "behind": ">"}
_FEWEST = 2
"""Words of "the longest", which alone asks for other lengths as well."""
_AT_EVENTS = frozenset({"when", "at", "on", "upon", "by", "in", "before", "after"})
"""Words before an event, on the day of which an age may be asked for."""
_DAYS = {"week": 7.0, "fortnight": 14.0, "month": 30.4375}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a duration."""

    aim: Aim = ""
    unit: Unit = ""
    comparison: Comparison = ">"
    amount: float = 0.0
    shortest: bool = False
    averaged: bool = False
    function: Function = "avg"
    """How several durations become one."""
    late: bool = False
    """Whether it is how late something was …"""
    early: bool = False
    """… or how early …"""
    planned: bool = False
    """… or whether it was on time."""
    passing: bool = False
    """Whether a verb says that time passes."""
    so_far: bool = False
    """Whether it is the time until today."""
    aged: bool = False
    """Whether that is an age: "how old is Ann"."""
    places: frozenset[int] = field(default_factory=frozenset)
    """The words that say it."""


def asked_of_time(tokens: Sequence[Token], names: Container[int] = ()) -> Asked | None:
    """What a question asks of a duration; None where it does not speak of one.

    Args:
        tokens: The words of the question.
        names: The places of those that name things.
    """
    asked = Asked()
    for aim, pattern in _cues():
        for found, places in _found(pattern, tokens):
            second = bool(asked.aim) and aim not in (*_FUNCTIONS, "unit", "value")
            if second or places & asked.places or any(i in names for i in places):
                continue
            asked = _with(asked, aim, {name: said or "" for name, said in found.groupdict().items()}, places)
            if aim == "average" and "median" in found.group():
                asked = replace(asked, function="median")
    compares = any(token.text == "than" and i not in asked.places for i, token in enumerate(tokens))
    if asked.averaged and asked.unit and not asked.aim:
        asked = replace(asked, aim="average")  # "The average reign, in days"
    if not asked.aim or (compares and asked.aim != "condition"):
        return None  # "By how many years is A older than B?"
    if not asked.unit and {"old", "age"} & {tokens[i].text for i in asked.places}:
        asked = replace(asked, unit="year")
    if asked.averaged and asked.aim == "value":
        asked = replace(asked, aim="average")
    asked = replace(_passing(tokens, asked, names), aged=_is_age(tokens, asked))
    return replace(asked, so_far=asked.aged or _is_so_far(tokens, asked))


def _is_age(tokens: Sequence[Token], asked: Asked) -> bool:
    """Whether it asks how old something is today: "how old is Ann", but not "how old is she when …"."""
    behind = [token.text for token in tokens[max(asked.places) + 1 :]]
    old = "old" in {tokens[i].text for i in asked.places} and asked.aim == "value"
    return old and behind[:1] in (["is"], ["are"]) and _AT_EVENTS.isdisjoint(behind)


def _is_so_far(tokens: Sequence[Token], asked: Asked) -> bool:
    """Whether what is asked about goes on: "how long has she been with us"."""
    if asked.aim not in ("value", "average") or asked.late or asked.early:
        return False
    behind = max(asked.places) + 1
    texts = [token.text for token in tokens]
    return not asked.passing and texts[behind : behind + 1] in (["has"], ["have"])


@cache
def _cues() -> tuple[tuple[str, re.Pattern[str]], ...]:
    pieces = table()["pieces"]

    def whole(pattern: str) -> str:
        return re.sub(r"\{([a-z]+)\}", lambda name: pieces[name[1]], pattern)

    return tuple((cue["aim"], re.compile(rf"\b{whole(said)}\b")) for cue in table()["cues"] for said in cue["said"])


def _found(pattern: re.Pattern[str], tokens: Sequence[Token]) -> Iterator[tuple[re.Match[str], frozenset[int]]]:
    """Where a pattern is met by the words, and the places of these."""
    starts, text = [], ""
    for token in tokens:
        starts.append(len(text))
        text += f"{token.text} "
    for found in pattern.finditer(text):
        yield found, frozenset(i for i, at in enumerate(starts) if found.start() <= at < found.end())


def _with(asked: Asked, aim: str, said: dict[str, str], places: frozenset[int]) -> Asked:
    """With what a cue says."""
    asked = replace(asked, places=asked.places | places)
    unit = said.get("unit", "").removesuffix("s")
    if unit in _UNITS:
        asked = replace(asked, unit=_UNITS[unit])
    match aim:
        case "unit":
            return asked
        case "averaged" | "median" | "total":
            return replace(asked, averaged=True, function=_FUNCTIONS[aim])
        case "punctual" | "exact" | "behind":
            return replace(asked, aim="condition", comparison=_PLANNED[aim], planned=True)
        case "ahead":
            return replace(asked, aim="condition", comparison=">", early=True)
        case "longest":
            return replace(asked, aim="longest", shortest=said["degree"] in _SHORT, passing=len(places) > _FEWEST)
        case "condition":
            amount = _HALF.get(said["n"]) or number(said["n"]) or 1.0
            bound, behind = said.get("bound", "").removeprefix("in "), said.get("behind", "")
            comparison = _BOUNDS.get(bound) or ("<" if {bound, behind} & _LESS else ">=" if behind else ">")
            days = _DAYS.get(unit)
            asked = asked if days is None else replace(asked, unit="day")
            return replace(asked, aim="condition", amount=amount * (days or 1.0), comparison=comparison)
        case _:
            return replace(asked, aim=asked.aim or ("average" if aim == "average" else "value"))


def _passing(tokens: Sequence[Token], asked: Asked, names: Container[int]) -> Asked:
    """With the words that say that time passes, and that something was late or early."""
    verbs, behind = table()["passing"]["verbs"], table()["passing"]["behind"]
    places = set(asked.places)
    texts = ["" if i in names else token.text for i, token in enumerate(tokens)]
    passing = asked.passing
    for i, text in enumerate(texts):
        if text in verbs and i not in asked.places:
            places.add(i)
            passing = True
            if texts[i + 1 : i + 2] and texts[i + 1] in behind and (i + 2 in asked.places or i + 2 >= len(texts)):
                places.add(i + 1)
    free = [text for i, text in enumerate(texts) if i not in asked.places or asked.aim != "condition"]
    late, early = (any(text in table()["passing"][name] for text in free) for name in ("late", "early"))
    late, early = late or asked.planned, early or asked.early
    places |= {i for i, t in enumerate(texts) if t in table()["passing"]["late"] + table()["passing"]["early"]}
    return replace(asked, places=frozenset(places), passing=passing, late=late, early=early and not late)
