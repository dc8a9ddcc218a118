"""The words of a question that compare, which things they compare, and by what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import Span
from clew.tools.queries.reading.comparisons.metrics import NOTHING, Metric, how_much_of, metrics, plain
from clew.tools.queries.reading.comparisons.question import (
    AUXILIARIES,
    BEING,
    HAVING,
    MANY,
    NAMELESS,
    Place,
    Question,
    Range,
    is_comparative,
    is_less,
    is_most,
)
from clew.tools.queries.space.query import Comparison

Aim = Literal["which", "whether", "difference", "more"]
_EXCEEDS = frozenset({
    "tops", "top", "beats", "beat", "exceeds", "exceed", "surpasses", "surpass", "outnumbers", "outnumber", "outsells",
    "outsell", "outsold", "outdo", "outdoes", "outweighs", "outweigh", "trails", "trail", "ahead", "behind", "outlive",
    "outlives",
})  # fmt: skip
_VERSUS = frozenset({"vs", "versus", "or", "and", "against"})
_ARTICLES = frozenset({"a", "an", "the", "been", "much", "even"})
_ASKING = frozenset({"who", "which", "what", "whose", "whom", "whoever"})
_BEFORE_TWO = frozenset({"", "of", "between", "among", "from", "compare", "comparing", "take", "in", "both", "either"})
"""Words before two things of which one is asked for."""
_RELATIVES = frozenset({"that", "who", "which", "whose"})
_OPENS = AUXILIARIES | HAVING | _RELATIVES | {"able"}
"""Words with which what is said of a set begins."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison of two things, or of a set with a thing."""

    aim: Aim
    other: Mention
    """The thing that is compared with …"""
    metrics: Sequence[Metric]
    """Questions for one thing, the likeliest first."""
    comparison: Comparison = ">"
    degree: str = ""
    """The word that compares, in its plain form."""
    one: Mention | None = None
    """… what is compared with it, if a thing …"""
    subject: Span = NOTHING
    """… or the words for the set."""


def comparisons(question: Question) -> Iterator[Compared]:
    """What a question may compare.

    Args:
        question: The question.
    """
    for i, text in enumerate(question.texts):
        if i == 0 or question.name_at(i) is not None:
            continue
        if text in ("than", "as") and (other := question.named_behind(i)) is not None:
            degree = _degree(question, i)
            alone = degree is not None and not (question.texts[degree] in MANY and question.is_described(other))
            yield from _than(question, degree, i, other) if degree is not None and alone else ()
        elif text in _EXCEEDS and (other := question.named_behind(i)) is not None:
            yield from _exceeding(question, i, other)
    names = sorted(question.names, key=lambda each: each.start)
    for one, other in pairwise(names):
        first, last = question.places(one)[1], question.places(other)[0]
        between = [text for text in question.texts[first:last] if text not in _ARTICLES]
        chosen = between != ["and"] or _word_before(question, one) in _BEFORE_TWO
        if len(between) == 1 and between[0] in _VERSUS and chosen:
            yield from _gap(question, one, other)
            yield from _which(question, one, other)


def _word_before(question: Question, name: Mention) -> str:
    """The word before a name; none where it begins the question."""
    first = question.places(name)[0]
    before = first - 1 - (first > 0 and question.texts[first - 1] in _ARTICLES)
    return question.texts[before] if before >= 0 else ""


def _degree(question: Question, than: Place) -> Place | None:
    """The place of the word that is compared: "more", "longer", or the one behind the first "as"."""
    places = [i for i in range(than) if question.name_at(i) is None]
    if question.texts[than] == "as":
        return next((i + 1 for i in reversed(places) if question.texts[i] == "as" and i < than - 1), None)
    return next((i for i in reversed(places) if is_comparative(question.texts[i])), None)


def _than(question: Question, degree: Place, than: Place, other: Mention) -> Iterator[Compared]:
    """ "Did A sell more things than B", "how much longer is A than B", "things that are longer than B"."""
    texts, much = question.texts, question.much
    as_much, less = texts[than] == "as", is_less(texts[degree])
    comparison: Comparison = ("<=" if less else ">=") if as_much else ("<" if less else ">")
    before = question.names_before(than, other)
    tail, lead = question.tail(question.places(other)[1]), degree - as_much
    asked = before and (
        question.asks_of(before[-1]) is not None
        or texts[lead - 1] in AUXILIARIES
        or (texts[lead - 1] in NAMELESS and texts[lead - 2] in AUXILIARIES)
        or question.place({"whether", "if"}, (0, degree)) is not None
    )
    if before and (much is not None or asked):
        aim: Aim = "whether" if much is None else "difference"
        one, (start, end) = before[-1], question.places(before[-1])
        if start > degree:
            found = _named_behind(question, degree, (start, end), than, tail)
        else:
            asks = question.place(AUXILIARIES, (0, start))
            asks = end if asks is None and texts[end] in AUXILIARIES else asks
            if much is not None and much[0] >= tail[0]:  # "A is longer than B by how many metres"
                tail = NOTHING
            found = metrics(question, degree, (degree + 1, than), asks, (end, lead), tail)
        yield Compared(aim, other, found, comparison, plain(texts[degree]), one)
    if not before or (not asked and question.places(before[0])[0] > 0):
        yield from _set(question, degree, lead, than, other, comparison, tail)


def _named_behind(question: Question, degree: Place, name: Range, than: Place, tail: Range) -> list[Metric]:
    """ "How many more things did A sell than B", "do more people work at A than at B"."""
    nouns, verbs = (degree + 1, name[0]), (name[1], than)
    asks = question.place(AUXILIARIES, nouns)
    if asks is not None and question.texts[asks] in BEING and name[0] > asks + 1:  # "are held by A", "is a lap at A"
        many = question.texts[degree] in MANY
        what = ["how many", *question.span((degree + 1, asks))] if many else how_much_of(question, degree)
        behind = [*question.span(verbs), *question.span(tail)]
        return [Metric((*what, *question.span((asks, name[0])), None, *behind))]
    if asks is not None:
        return metrics(question, degree, (degree + 1, asks), asks, verbs, tail)
    if question.much is not None:
        return metrics(question, degree, nouns, question.place(AUXILIARIES, verbs), verbs, tail)
    done = question.span((0, degree)) if question.texts[1:2] == ["we"] else []
    return [Metric(("how many", *question.span(nouns), None, *question.span(verbs), *question.span(tail), *done))]


def _set(
    question: Question, degree: Place, lead: Place, than: Place, other: Mention, comparison: Comparison, tail: Range
) -> Iterator[Compared]:
    """A set that is compared with a thing; where its words end, what is said of it begins."""
    texts, start = question.texts, lead
    while start > 0 and texts[start - 1] in _ARTICLES:
        start -= 1
    first = question.subject(start)
    behind = range(first + 1, start)
    end = next((i for i in behind if texts[i] in _OPENS or (i > first + 1 and texts[i].endswith("ing"))), start)
    if end == start > first + 2 and texts[start - 1].endswith(("ed", "s")) and texts[start - 1] not in question.kinds:
        end = start - 1
    if end <= first:
        return
    nouns, verbs = (degree + 1, than), end + (texts[end] in _RELATIVES)
    if texts[end] == "whose":
        nouns, verbs = (end + 1, question.place(BEING, (end + 1, lead)) or lead), lead
    asks = verbs if verbs < lead and texts[verbs] in AUXILIARIES else None
    found = metrics(question, degree, nouns, asks, (verbs, lead), tail)
    subject = question.span((first, end))[0]
    yield Compared("more", other, found, comparison, plain(texts[degree]), subject=subject)


def _exceeding(question: Question, place: Place, other: Mention) -> Iterator[Compared]:
    """ "Things whose budget tops that of B", "by how many pages does A beat B", "how many points is A ahead of B"."""
    texts, much = question.texts, question.much
    before, tail = question.names_before(place, other), question.span(question.tail(question.places(other)[1]))
    comparison: Comparison = "<" if is_less(texts[place]) else ">"
    if before and much is not None and question.places(before[-1])[0] > much[0]:
        unit = question.span((much[1], question.place(AUXILIARIES, (much[1], place)) or place))
        of = [
            Metric(("how many", *unit, "does", None, "have", *tail)),
            Metric(("what are the", *unit, "of", None, *tail)),
        ]
        yield Compared("difference", other, of if unit else [], comparison, one=before[-1])
    whose = question.place({"whose", "with"}, (1, place))
    if whose is not None and whose + 1 < place:
        asked = Metric(("what is the", *question.span((whose + 1, place)), "of", None, *tail))
        yield Compared("more", other, [asked], comparison, subject=question.span((0, whose))[0])


def _gap(question: Question, one: Mention, other: Mention) -> Iterator[Compared]:
    """ "The gap in height between A and B"."""
    start = question.places(one)[0]
    gap = question.place({"gap", "difference", "margin"}, (0, start))
    between = question.place({"between"}, (0, start))
    if gap is not None and between is not None and gap + 2 < between:
        last = next((i for i in range(gap + 3, between) if question.breaks(i)), between)
        of = Metric(("what is the", *question.span((gap + 2, last)), "of", None))
        yield Compared("difference", other, [of], one=one)


def _which(question: Question, one: Mention, other: Mention) -> Iterator[Compared]:
    """ "Who raised more money, A or B", "A vs B: who is older"."""
    texts, start, end = question.texts, question.places(one)[0], question.places(other)[1]
    left = [i for i in range(len(texts)) if not start <= i < end]
    degree = next((i for i in left if is_comparative(texts[i]) or is_most(texts[i])), None)
    if degree is None or texts[0] == "how":
        return
    either = question.place({"former", "latter", "first", "second"}, (end, degree)) if end < degree else None
    if either is not None and question.place(AUXILIARIES, (end, either)) is not None:
        whether, than = (one, other) if texts[either] in ("former", "first") else (other, one)
        found = metrics(question, degree, (degree + 1, question.tail(degree)[1]), None, NOTHING)
        yield Compared("whether", than, found, "<" if is_less(texts[degree]) else ">", plain(texts[degree]), whether)
        return
    clause = (0, start) if degree < start else (end, len(texts))
    much = question.much
    if much is not None and much[1] == degree:  # "A versus B: how much more does she earn"
        asks = question.place(AUXILIARIES, (degree, clause[1])) or clause[1]
        found = metrics(question, degree, (degree + 1, asks), asks, (asks + 1, clause[1])) if asks < clause[1] else []
        yield Compared("difference", other, found, degree=plain(texts[degree]), one=one)
        return
    asks = next((i for i in reversed(range(clause[0], degree)) if texts[i] in _ASKING), clause[0])
    last = degree
    while last > asks + 1 and texts[last - 1] in _ARTICLES - {"been"}:
        last -= 1
    verb = question.place(AUXILIARIES, (asks + 1, degree))
    if texts[asks] == "whose":
        found = metrics(question, degree, (asks + 1, verb or degree), None, NOTHING)
    else:
        noun = texts[asks] in ("which", "what") and asks + 2 < last  # "which subject draws"
        begin = verb if verb is not None else min(asks + 1 + noun, last)
        found = metrics(question, degree, (degree + 1, clause[1]), verb, (begin + (verb is not None), last))
    yield Compared("which", other, found, "<" if is_less(texts[degree]) else ">", plain(texts[degree]), one)
