"""Counts, superlatives and comparisons that a question asks for, found by their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import FUNCTION_WORDS, Span, overlaps
from clew.tools.queries.space.query import Comparison

COUNT = re.compile(
    r"\b(?:how many|(?:what is |what's |tell me |give me )?the (?:total )?number of|count (?:of |the )?)\b", re.I
)
SUPERLATIVES: dict[str, tuple[bool, tuple[str, ...]]] = {
    "oldest": (False, ("birth year", "year founded", "year built", "year opened", "release year", "date")),
    "youngest": (True, ("birth year", "year founded", "date of birth")),
    "newest": (True, ("release year", "year built", "year founded", "year opened", "date")),
    "latest": (True, ("release year", "date", "year")),
    "most recent": (True, ("release year", "date", "year")),
    "most recently": (True, ("release year", "date", "year")),
    "earliest": (False, ("release year", "date", "year founded", "year")),
    "first": (False, ("release year", "date", "year founded", "year")),
    "last": (True, ("release year", "date", "year")),
    "longest": (True, ("length", "duration", "runtime", "distance")),
    "shortest": (False, ("length", "duration", "runtime", "height", "distance")),
    "tallest": (True, ("height", "elevation")),
    "highest": (True, ("height", "elevation", "rating", "score", "price")),
    "lowest": (False, ("height", "rating", "score", "price")),
    "deepest": (True, ("depth",)),
    "largest": (True, ("area", "population", "size", "capacity", "number of employees", "length")),
    "biggest": (True, ("area", "population", "size", "capacity", "number of employees", "length", "revenue")),
    "smallest": (False, ("area", "population", "size", "capacity", "number of employees", "length")),
    "most populous": (True, ("population", "inhabitants")),
    "most populated": (True, ("population", "inhabitants")),
    "heaviest": (True, ("weight", "mass")),
    "lightest": (False, ("weight", "mass")),
    "fastest": (True, ("speed",)),
    "slowest": (False, ("speed",)),
    "richest": (True, ("wealth", "revenue", "salary", "income")),
    "highest-grossing": (True, ("box office", "gross", "revenue")),
    "highest grossing": (True, ("box office", "gross", "revenue")),
    "best-selling": (True, ("sales", "copies sold")),
    "most expensive": (True, ("price", "cost", "budget")),
    "cheapest": (False, ("price", "cost")),
    "best rated": (True, ("rating", "score")),
    "best-rated": (True, ("rating", "score")),
    "highest-rated": (True, ("rating", "score")),
    "worst rated": (False, ("rating", "score")),
    "most popular": (True, ("popularity", "votes", "views")),
}
"""Whether the largest value is wanted, and what the property may be called."""
MOST = re.compile(
    r"(?<!\bat )\b(?:the )?(most|fewest|least|highest number of|largest number of|greatest number of)\s+([\w-]+)", re.I
)
COMPARISONS: tuple[tuple[str, Comparison], ...] = (
    (r"(?:at least|no less than|no fewer than|or more than|from|since)", ">="),
    (r"(?:at most|no more than|up to|until)", "<="),
    (r"(?:more than|over|above|greater than|exceeding|larger than|bigger than|longer than|older than|after)", ">"),
    (r"(?:less than|fewer than|under|below|smaller than|shorter than|before|prior to)", "<"),
    (r"(?:in|of|from year|in the year|during)", "="),
)
NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
BETWEEN = re.compile(
    rf"\b(?:between|from)\s+{NUMBER}\s*(?:and|to|until|-|\u2013)\s*{NUMBER}"
    r"(?:\s+(?!and\b|or\b|in\b|of\b)([a-z-]+))?",
    re.I,
)

SAID_BEFORE = 6
"""Words before a number in which the property that it is compared with may be named."""


@dataclass(frozen=True, slots=True)
class Superlative:
    """ "The oldest …", "the most awards": which way, and what the property or relation may be called."""

    descending: bool
    names: tuple[str, ...]
    counted: bool
    """True for "the most N": N may be something to count along a relation."""
    span: Span

    @property
    def of_time(self) -> bool:
        """Whether it is about when: any property of years will do."""
        return any(word in {"year", "date"} for name in self.names for word in name.split())


@dataclass(frozen=True, slots=True)
class NumberCondition:
    """ "After 1990", "over 200 beds": the unit is the word that follows, "" where there is none."""

    comparison: Comparison
    value: float
    unit: str
    span: Span
    before: tuple[str, ...] = ()
    """The words that lead up to it, SAID_BEFORE at most: "with a reorder level above 20"."""

    @property
    def is_year(self) -> bool:
        return self.value.is_integer() and 1000 <= self.value <= 2100 and not self.unit


@dataclass(frozen=True, slots=True)
class Constraints:
    """The words of a question that count, compare or order."""

    count: Span | None
    superlative: Superlative | None
    numbers: tuple[NumberCondition, ...]

    @property
    def spans(self) -> list[Span]:
        """The parts of the question that these words take up."""
        found = [self.count] if self.count else []
        if self.superlative:
            found.append(self.superlative.span)
        return [*found, *(number.span for number in self.numbers)]

    def without(self, spans: Sequence[Span]) -> Constraints:
        """Those that do not lie in any of these parts."""
        superlative = self.superlative if self.superlative and not overlaps(*self.superlative.span, spans) else None
        return Constraints(self.count, superlative, tuple(n for n in self.numbers if not overlaps(*n.span, spans)))


def find_constraints(question: str, mentions: Sequence[Span]) -> Constraints:
    """What the question asks to count, rank or compare; words inside a mention are names and do not count."""

    def free(match: re.Match[str]) -> bool:
        return not overlaps(*match.span(), mentions)

    count = next((m.span() for m in COUNT.finditer(question) if free(m)), None)
    return Constraints(count, _superlative(question, free), _numbers(question, free))


def _superlative(question: str, free: Callable[[re.Match[str]], bool]) -> Superlative | None:
    for word in sorted(SUPERLATIVES, key=len, reverse=True):
        for match in re.finditer(rf"\b{re.escape(word)}\b(?! number of\b)", question, re.I):
            if free(match):
                descending, names = SUPERLATIVES[word]
                return Superlative(descending, names, False, match.span())
    for match in MOST.finditer(question):
        if free(match):
            less = match.group(1).lower() in {"fewest", "least"}
            return Superlative(not less, (match.group(2).lower(),), True, match.span())
    return None


def _numbers(question: str, free: Callable[[re.Match[str]], bool]) -> tuple[NumberCondition, ...]:
    found: list[NumberCondition] = []
    for match in BETWEEN.finditer(question):
        if free(match):
            found += [_number(match, 1, 3, ">="), _number(match, 2, 3, "<=")]
    for words, comparison in COMPARISONS:
        for match in re.finditer(rf"\b{words}\s+{NUMBER}(?:\s+(?!and\b|or\b|in\b|of\b)([a-z-]+))?", question, re.I):
            span = (match.start(), match.end(1))
            if free(match) and not overlaps(*span, [other.span for other in found]):
                found.append(_number(match, 1, 2, comparison))
    return tuple(found)


def _number(match: re.Match[str], number: int, unit: int, comparison: Comparison) -> NumberCondition:
    """The condition that one group of a match states; the unit is another group of it."""
    value = float(match.group(number).replace(",", ""))
    said = (match.group(unit) or "").lower()
    span = (match.start(), match.end(number))
    before = identifier_words(match.string[: match.start()])[-SAID_BEFORE:]
    return NumberCondition(comparison, value, "" if said in FUNCTION_WORDS else said, span, before)
