"""Comparisons of two sets that a question describes: "are there more cats than dogs"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from clew.tools.queries.reading.comparisons.metrics import NOTHING
from clew.tools.queries.reading.comparisons.question import (
    AUXILIARIES,
    HAVING,
    MANY,
    NAMELESS,
    Place,
    Question,
    Range,
    is_comparative,
    is_less,
)
from clew.tools.queries.reading.question_parts import Piece
from clew.tools.queries.space.query import Comparison

_ABOVE = frozenset({"above", "below", "over", "under"})
_OUTNUMBERS = frozenset({"outnumber", "outnumbers", "outnumbered", "beat", "exceed", "exceeds"})
_PREPOSITIONS = frozenset({
    "in", "at", "on", "about", "by", "for", "from", "with", "to", "of", "under", "into", "near", "during", "without",
})  # fmt: skip
_FEWEST_VERBS = 3
"""Words of a verb between what asks and what is compared."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Two numbers that a question compares, each as a question of its own."""

    aim: Literal["whether", "difference"]
    one: Sequence[Piece]
    other: Sequence[Piece]
    comparison: Comparison = ">"


def sides(question: Question) -> Iterator[Sides]:
    """The two numbers that a question may compare.

    Args:
        question: The question.
    """
    texts = question.texts
    aim: Literal["whether", "difference"] = "whether" if question.much is None else "difference"
    for i in range(2, len(texts) - 1):
        if texts[i] == "than":
            yield from _more(question, i, aim)
        elif texts[i] in _OUTNUMBERS and question.name_at(i) is None:
            asks = question.place(AUXILIARIES, (0, i))
            if asks is not None and asks + 1 < i:
                yield from _counted(question, (asks + 1, i), question.tail(i + 1), [], aim)
        elif texts[i] in ("that", "those") and texts[i + 1] in _PREPOSITIONS:
            yield from _above(question, i, aim)
    yield from _gap(question)


def _gap(question: Question) -> Iterator[Sides]:
    """ "The gap in height between one and other", "the difference between the height of one and that of other"."""
    texts = question.texts
    gap = question.place({"gap", "difference"}, (0, len(texts)))
    between = question.place({"between"}, (gap or 0, len(texts)))
    middle = question.place({"and"}, ((between or 0) + 2, len(texts) - 1))
    if gap is None or between is None or middle is None:
        return
    what, end = question.span((gap + 2, between)), question.tail(middle + 1)[1]
    if what and middle + 1 < end:
        one, other = ((*question.span(each),) for each in ((between + 1, middle), (middle + 1, end)))
        yield Sides("difference", ["what is the", *what, "of", *one], ["what is the", *what, "of", *other])
        return
    that = middle + 1 + (texts[middle + 1] in ("that", "those"))
    if that < end and texts[that] in _PREPOSITIONS:
        yield _of_both(question, (between + 1, middle), (that, end), "difference")


def _above(question: Question, that: Place, aim: Literal["whether", "difference"]) -> Iterator[Sides]:
    """ "Is the price of one above that of other", "by how much does the price of one exceed that of other"."""
    texts = question.texts
    degree = next(
        (i for i in range(that - 1, 0, -1) if texts[i] in _OUTNUMBERS | _ABOVE or is_comparative(texts[i])), None
    )
    asks = question.place(AUXILIARIES, (0, degree or 0))
    if degree is not None and asks is not None and asks + 1 < degree:
        less = texts[degree] in ("below", "under") or is_less(texts[degree])
        yield _of_both(question, (asks + 1, degree), (that + 1, question.tail(that + 1)[1]), aim, less)


def _of_both(
    question: Question, one: Range, other: Range, aim: Literal["whether", "difference"], less: bool = False
) -> Sides:
    """The same asked of one, and of what another preposition of its kind brings."""
    behind = next((i for i in range(*one) if question.texts[i] == question.texts[other[0]]), one[1])
    what = [*question.span((one[0], behind)), *question.span(other)]
    return Sides(aim, ["what is", *question.span(one)], ["what is", *what], "<" if less else ">")


def _more(question: Question, than: Place, aim: Literal["whether", "difference"]) -> Iterator[Sides]:
    """ "Do we have more things than others", "how many more things than others do we have"."""
    texts = question.texts
    degree = next((i for i in range(than - 2, -1, -1) if texts[i] in MANY and question.name_at(i) is None), None)
    if degree is None:
        return
    tail = question.tail(than + 1)
    if aim == "difference":
        asks = question.place(AUXILIARIES, tail)
        done = question.span((asks, tail[1])) if asks is not None else []
        yield from _counted(question, (degree + 1, than), (tail[0], asks or tail[1]), done, aim)
        return
    asks = next((i for i in range(degree - 1, -1, -1) if texts[i] in AUXILIARIES), None)
    asks = asks if asks is not None and question.begins_clause(asks) else None
    if asks is not None and degree - asks - 1 <= _FEWEST_VERBS:
        done = question.span((asks, degree)) if texts[asks + 1] in NAMELESS or texts[asks] in HAVING else []
        if texts[asks + 1] == "there":
            done = []
        yield from _counted(question, (degree + 1, than), tail, done, aim, is_less(texts[degree]))
    elif texts[degree - 1] in HAVING and texts[degree - 2] in NAMELESS:  # "is it true that we have …"
        yield from _counted(question, (degree + 1, than), tail, [], aim, is_less(texts[degree]))


def _counted(
    question: Question,
    one: Range,
    other: Range,
    done: Sequence[Piece],
    aim: Literal["whether", "difference"],
    less: bool = False,
) -> Iterator[Sides]:
    """How many there are of the one, and of the other, which leaves out what the one has said."""
    texts, shared, last = question.texts, NOTHING, NOTHING
    if other[0] >= other[1]:
        return
    if texts[other[0]] in _PREPOSITIONS:  # "customers in Glasgow than in Leeds"
        places = [i for i in range(*one) if texts[i] == texts[other[0]]]
        shared = (one[0], places[-1] if places else one[1])
    elif one[1] - one[0] == 1 < other[1] - other[0] and texts[other[1] - 1] in question.kinds:  # "open than shut cases"
        last = (other[1] - 1, other[1])
    yield Sides(
        aim,
        ["how many", *question.span(one), *question.span(last), *done],
        ["how many", *question.span(shared), *question.span(other), *done],
        "<" if less else ">",
    )
