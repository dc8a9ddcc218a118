"""What a comparison compares, as questions for one of the two things."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import Span
from clew.tools.queries.reading.comparisons.question import (
    AUXILIARIES,
    BEING,
    HAVING,
    MANY,
    MOST,
    NAMELESS,
    Place,
    Question,
    Range,
)
from clew.tools.queries.reading.english.words import adjectives
from clew.tools.queries.reading.question_parts import Piece

Part = Piece | None
"""A part of a question, or other words; None where the thing is named."""
_EMPTY = AUXILIARIES | {
    "the", "a", "an", "its", "their", "our", "much", "even", "any", "ones", "one", "them", "two", "actually", "really",
    "ever", "far", "way", "who", "which", "what", "we", "us", "we've", "normally",
    "able", "he", "she", "it", "they",
}  # fmt: skip
_LEFT_OVER = frozenset({"of", "for", "in", "at", "by", "from", "with", "to"})
_OF_AGE = frozenset({"old", "young", "new", "early", "late"})
NOTHING: Range = (0, 0)


@dataclass(frozen=True, slots=True)
class Metric:
    """A question for one of the things that are compared."""

    parts: tuple[Part, ...]
    left: int = 0
    """How many words of what is compared it leaves out."""

    def asked_of(self, thing: Mention) -> list[Piece]:
        """The question for a thing, as pieces of the one that compares."""
        return [(thing.start, thing.end) if each is None else each for each in self.parts]


def metrics(
    question: Question, degree: Place, nouns: Range, auxiliary: Place | None, verbs: Range, tail: Range = NOTHING
) -> list[Metric]:
    """The questions for one thing, the likeliest first.

    Args:
        question: The question that compares.
        degree: The place of "more" or "longer".
        nouns: What there is more of.
        auxiliary: The place of the verb that asks.
        verbs: What the thing does.
        tail: What is said behind.
    """
    texts = question.texts
    noun, verb, tails = _said(question, nouns), _said(question, verbs), question.span(tail)
    if all(texts[i] in HAVING | _EMPTY for i in range(*verbs)):
        verb = []
    if noun and nouns[0] == degree + 1 and texts[degree + 1] in _LEFT_OVER | {"per", "each", "every"}:
        noun, tails = [], [*question.span(nouns), *tails]
    helping = texts[auxiliary] if auxiliary is not None else "does"
    having = helping in HAVING or any(texts[i] in HAVING for i in range(*verbs))
    does = helping if helping not in BEING else "does"
    does = "does" if not verb and helping in HAVING else does
    does = "is" if verb and auxiliary is None and texts[verbs[0]].endswith("ing") else does
    of = Metric(("what is the", *noun, "of", None, *tails))
    if texts[degree] in MANY | MOST | {"many", "much"}:
        if auxiliary is not None and NAMELESS.intersection(texts[auxiliary + 1 : auxiliary + 2]):
            # "which one have we sold more of"
            said = question.span((auxiliary, verbs[1]))
            return [Metric(("how many", *([*noun, "of"] if noun else []), None, *said, *_without_of(question, tail)))]
        if not noun:
            return [Metric(("how much", does, None, *verb, *tails))]
        done: tuple[Part, ...] = (*verb, *tails) if verb else ("have", *tails)
        found = [Metric((how, *noun, does, None, *done)) for how in ("how many", "how much")]
        return [*found, of] if having or not verb else found
    how, left = how_much_of(question, degree), len(texts[slice(*nouns)]) if noun else 0
    found = [of] if noun else []
    if not verb:
        return [*found, Metric((*how, "is", None, *tails), left)]
    found.append(Metric((*how, does, None, *verb, *tails), left))
    return [*found, Metric(("how many", *noun, does, None, *verb, *tails))] if noun else found


def _without_of(question: Question, tail: Range) -> list[Span]:
    left = tail[0] < tail[1] and question.texts[tail[0]] in _LEFT_OVER
    return question.span((tail[0] + left, tail[1]))


def how_much_of(question: Question, degree: Place) -> tuple[Part, ...]:
    """ "How long" for "longer", or "how many metres long"."""
    much = question.much
    of = plain(question.texts[degree])
    unit = much is not None and much[0] < degree - 2 and of not in _OF_AGE
    return (*(question.span((much[0], degree)) if unit and much is not None else ["how"]), of)


def _said(question: Question, places: Range) -> list[Part]:
    """What some words say, without those around it that say nothing."""
    last = next((i for i in range(places[0] + 1, places[1]) if question.breaks(i)), places[1])
    told = [i for i in range(places[0], last) if question.texts[i] not in _EMPTY]
    if len(told) > 1 and question.texts[told[-1]] in _LEFT_OVER:
        told.pop()
    return list(question.span((told[0], told[-1] + 1))) if told else []


@cache
def plain(text: str) -> str:
    """The plain form of a comparative or superlative: "long" of "longer"."""
    own = adjectives().get(text)
    if own is None:
        return text
    alike = [form for form, each in adjectives().items() if (each.up, each.down) == (own.up, own.down)]
    found = [form for form in alike if not (adjectives()[form].comparative or adjectives()[form].superlative)]
    return next((form for form in found if form[:3] == text[:3]), found[0] if found else text)
