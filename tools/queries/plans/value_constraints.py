"""What a question asks of numbers, dates and order, found by its words: "under 20 dollars", "published 2016-02-11",
"rated at least 4", "the three most cited".

Only the words are read here; which property of the graph is meant is settled in `clew.tools.queries.plans.properties`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from clew.tools.queries.lexical import FUNCTION_WORDS, Span, load_toml, overlaps
from clew.tools.queries.ranking.constraints import find_constraints
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import MONTH, NUMERALS, Scalar, moment, whole

_DATE = (
    rf"(?:\d{{4}}-\d{{1,2}}(?:-\d{{1,2}})?|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{MONTH})\.?,?\s+\d{{4}}"
    rf"|(?:{MONTH})\.?\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?\d{{4}}|(?:1[0-9]|20)\d\d(?![\d,.]*\d))"
)
_NUMBER = r"(?:[$\u20ac\u00a3]\s?)?\d[\d,]*(?:\.\d+)?"
_VALUE = rf"(?P<value>{_DATE}|{_NUMBER})"
_UNIT = r"(?:[\s-]+(?P<unit>[a-z]+))?"
_COMPARISONS: tuple[tuple[str, Comparison], ...] = (
    (r"at least|no less than|no fewer than|not less than|a minimum of|minimum|since|from|starting", ">="),
    (r"at most|no more than|not more than|up to|until|a maximum of|maximum|by the end of|within", "<="),
    (r"(?:more|greater|larger|bigger|longer|older|higher|heavier|taller|deeper|faster|pricier|later|newer)\s+than"
     r"|over|above|exceeding|after|beyond", ">"),
    (r"(?:less|fewer|smaller|shorter|younger|lower|lighter|cheaper|slower|earlier)\s+than|under|below|before|prior to",
     "<"),
    (r"exactly|equal to|in the year|in|on|during|dated|of", "="),
)  # fmt: skip
_COMPARED = [(re.compile(rf"\b(?P<said>{words})\s+{_VALUE}{_UNIT}", re.I), sign) for words, sign in _COMPARISONS]
_BETWEEN = re.compile(
    rf"\b(?:between|from)\s+(?P<value>{_DATE}|{_NUMBER})\s*(?:and|to|until|-|\u2013)\s*(?P<other>{_DATE}|{_NUMBER}){_UNIT}",
    re.I,
)
_BEHIND = re.compile(
    rf"(?<![\w.-]){_VALUE}{_UNIT}\s*(?:\+(?!\w)|\bor\s+(?P<said>more|higher|above|better|later|greater|less|lower|fewer"
    r"|below|earlier|cheaper)\b)",
    re.I,
)
_DAY_ALONE = re.compile(rf"(?<![\w-])(?P<value>{_DATE})(?![\w-])", re.I)
_DOWNWARDS = frozenset({"less", "lower", "fewer", "below", "earlier", "cheaper"})
_TOP = re.compile(
    r"\b(?:the\s+)?(?:(?:top|first|best)\s+)?(?P<count>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)\s+"
    r"(?=(?:\w+\s+){0,3}?(?:most|least|best|worst|highest|lowest|cheapest|newest|oldest|latest|earliest|longest|shortest"
    r"|largest|biggest|smallest|by)\b)",
    re.I,
)
_TOP_BY = re.compile(
    r"\b(?:top|best|leading)\s+(?P<count>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)?\b"
    r"(?P<between>.{0,80}?)\b(?:by|in terms of|ranked by|according to)\s+"
    r"(?P<by>[a-z]+(?:\s+(?:count|date|year|time))?)",
    re.I,
)
_SORTED = re.compile(
    r"\b(?:sorted|ordered|ranked)\s+by\s+(?P<by>[a-z]+(?:\s+(?:count|date|year|time))?)"
    r"(?:\s*,?\s*\(?(?P<way>ascending|descending|lowest first|highest first|cheapest first|oldest first))?",
    re.I,
)
_EXTREME = frozenset({"highest", "lowest", "greatest", "largest", "biggest", "smallest", "best", "worst", "latest"})
_WORD = re.compile(r"[^\W\d_]+")
_WORDS_BEFORE = 3


@dataclass(frozen=True, slots=True)
class ValueConstraint:
    """A value that some property is to compare with."""

    comparison: Comparison
    value: Scalar
    names: tuple[str, ...]
    """What the property may be called, the likeliest first."""
    of_time: bool
    span: Span
    exact: tuple[str, ...] = ()
    """What the property is called if it has these very words."""


@dataclass(frozen=True, slots=True)
class OrderConstraint:
    """What the answers are to be put in order by."""

    names: tuple[str, ...]
    descending: bool
    of_time: bool
    counted: bool
    """Whether it may be something to count along a relation."""
    top: int
    """How many of them are asked for."""
    spans: tuple[Span, ...]
    exact: tuple[str, ...] = ()
    """As for a value."""


def find_value_constraints(
    question: str, masked: Sequence[Span]
) -> tuple[list[ValueConstraint], OrderConstraint | None]:
    """The conditions and the order that a question asks for; words within `masked` are names and do not count."""
    found: list[ValueConstraint] = []
    for constraint in _conditions(question):
        if not overlaps(*constraint.span, masked) and not overlaps(*constraint.span, _others(found, constraint)):
            found.append(constraint)
    return found, _order(question, [*masked, *(constraint.span for constraint in found)])


def _conditions(question: str) -> Iterator[ValueConstraint]:
    """The surest forms first."""
    for match in _BETWEEN.finditer(question):
        yield _value_constraint(match, "value", ">=", question)
        yield _value_constraint(match, "other", "<=", question)
    for match in _BEHIND.finditer(question):
        yield _value_constraint(match, "value", "<=" if (match["said"] or "").lower() in _DOWNWARDS else ">=", question)
    for pattern, comparison in _COMPARED:
        for match in pattern.finditer(question):
            constraint = _value_constraint(match, "value", comparison, question)
            if (
                comparison != "="
                or constraint.of_time
                or match["said"].lower() in ("exactly", "equal to")
                or constraint.names
            ):
                yield constraint
    for match in _DAY_ALONE.finditer(question):
        constraint = _value_constraint(match, "value", "=", question)
        if len(str(constraint.value)) > 4 or constraint.names:
            yield constraint


def _value_constraint(match: re.Match[str], group: str, comparison: Comparison, question: str) -> ValueConstraint:
    said = match[group].strip()
    unit = (match.groupdict().get("unit") or "").lower()
    unit = "" if unit in FUNCTION_WORDS else unit
    when = moment(said) if re.fullmatch(_DATE, said, re.I) else None
    known = units()
    if when is not None and unit in known and len(when) == 4:
        when = None  # "2000 pages" is not a year
    before = _words_before(question, match.start())
    compared = (match.groupdict().get("said") or "").lower().split()[:1]
    keys = ["$" if said[0] in "$\u20ac\u00a3" else "", unit, *compared, *before]
    hints = times() if when is not None else known
    names = [name for key in keys for name in hints.get(key, ())]
    if unit and unit not in known and when is None:
        names.append(unit)
    start, end = match.start(group), match.end(group)
    if "said" in match.groupdict() and match["said"] is not None:
        start, end = min(start, match.start("said")), max(end, match.end("said"))
    if group == "value" and match.re is _BETWEEN:
        start = match.start()
    if unit and (unit in known or unit in names) and match.re is not _BETWEEN:
        end = max(end, match.end("unit"))
    nearest = [word for word in before if word in hints][:1]
    if nearest:
        start = min(start, question.lower().rindex(nearest[0], 0, match.start()))
    value: Scalar = when if when is not None else _number(said)
    exact = tuple(" ".join(reversed(before[:n])) for n in (3, 2, 1) if len(before) >= n)
    return ValueConstraint(comparison, value, tuple(dict.fromkeys(names)), when is not None, (start, end), exact)


def _number(said: str) -> float | int:
    return whole(float(re.sub(r"[^\d.]", "", said).rstrip(".") or 0))


def _words_before(question: str, end: int) -> list[str]:
    """The nearest words before a place, the nearest first."""
    return [word.lower() for word in _WORD.findall(question[:end])][: -_WORDS_BEFORE - 1 : -1]


def _others(found: Sequence[ValueConstraint], constraint: ValueConstraint) -> list[Span]:
    """The places taken by others than the two halves of one "between"."""
    last = found[-1] if found else None
    pair = (
        last is not None and (last.comparison, constraint.comparison) == (">=", "<=") and last.names == constraint.names
    )
    return [each.span for each in found if not (pair and each is last and each.span[1] <= constraint.span[1])]


def _order(question: str, masked: Sequence[Span]) -> OrderConstraint | None:
    top = next((m for m in _TOP.finditer(question) if not overlaps(*m.span(), masked)), None)
    count = _count(top["count"]) if top else 1
    spans: tuple[Span, ...] = (top.span(),) if top else ()
    for match in (*_TOP_BY.finditer(question), *_SORTED.finditer(question)):
        if overlaps(*match.span("by"), masked):
            continue
        groups = match.groupdict()
        way = (groups.get("way") or "").lower()
        ascending = way in ("ascending", "lowest first", "cheapest first", "oldest first")
        end = match.end("way") if way else match.end("by")
        cut = ((match.start(), match.start("between")), (match.end("between"), end)) if "between" in groups else ()
        asked = _count(groups["count"]) if groups.get("count") else count
        names = tuple(name for word in match["by"].lower().split() for name in _named(word))
        return OrderConstraint(
            (match["by"].lower(), *names), not ascending, _is_time(names), True, asked, cut or ((match.start(), end),)
        )
    found = find_constraints(question, list(masked)).superlative
    if found is None:
        return None
    names = found.names
    after = _WORD.match(question[found.span[1] :].lstrip())
    following = [word.lower() for word in _WORD.findall(question[found.span[1] :])[:3]]
    exact = tuple(" ".join(following[:n]) for n in (3, 2, 1) if len(following) >= n)
    said = question[slice(*found.span)].lower().split()
    if after and said[-1] in _EXTREME and (own := _named(after[0].lower())):
        length = len(question[found.span[1] :]) - len(question[found.span[1] :].lstrip()) + after.end()
        return OrderConstraint(
            tuple(own), found.descending, False, False, count, (*spans, (found.span[0], found.span[1] + length)), exact
        )
    if found.counted:
        names = (*_named(names[0]), *names)
    return OrderConstraint(
        tuple(dict.fromkeys(names)), found.descending, found.of_time, found.counted, count, (*spans, found.span), exact
    )


def _named(word: str) -> tuple[str, ...]:
    return units().get(word) or times().get(word) or ()


def _is_time(names: Sequence[str]) -> bool:
    return any(part in ("date", "year") for name in names for part in name.split())


def _count(said: str) -> int:
    return int(said) if said.isdecimal() else NUMERALS[said.lower()]


@cache
def units() -> dict[str, tuple[str, ...]]:
    """Word to the names of the properties that it may speak of."""
    return _resolved("units")


@cache
def times() -> dict[str, tuple[str, ...]]:
    """The same for words of time."""
    return _resolved("times")


def _resolved(part: str) -> dict[str, tuple[str, ...]]:
    rows = load_toml("plans", "property_words.toml")[part]
    return {word: tuple(rows[said] if isinstance(said, str) else said) for word, said in rows.items()}
