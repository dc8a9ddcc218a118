"""Readings of several conditions as sets, each read as a question of its own, that have the answers in common.

"Certified vendors who failed an inspection" are the certified vendors among the vendors who failed an inspection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Span, Token
from clew.tools.queries.reading.choosing.shape import negates
from clew.tools.queries.reading.english.courtesy import without_courtesy
from clew.tools.queries.reading.english.inflection import plural_of, singular
from clew.tools.queries.reading.english.words import adjectives, tokens
from clew.tools.queries.reading.forms.form import Form, sets
from clew.tools.queries.reading.forms.intersection import in_common
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import cost, with_features
from clew.tools.queries.reading.presentation.said import LONGEST
from clew.tools.queries.reading.question_parts import Parts
from clew.tools.queries.reading.schema.property_names import NUMBERING
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_RELATIVES = frozenset({"who", "that", "which", "whose", "where", "whom"})
_PREPOSITIONS = frozenset({
    "in", "at", "on", "from", "with", "by", "without", "under", "over", "above", "below", "before", "after", "since",
    "between", "for", "within", "inside", "near", "during", "worth",
})  # fmt: skip
_JOINING = frozenset({"and", "but", "also", "both", "then", "plus", "which", "yet", "&"})
_DOING, _PRONOUNS = frozenset({"do", "does", "did"}), frozenset({"we", "you", "they", "i"})
_ADVERBS = frozenset({"still", "now", "currently", "not", "never", "already", "recently", "first"})
_DONE = re.compile(r"\w{2,}(?:ed|ing)\Z|\A(?:made|built|held|sold|born|written|bought|paid|won|sent|led|run|done)\Z")
_NO_VERBS = frozenset(
    {"red", "bed", "need", "seed", "speed", "feed", "king", "ring", "wing", "spring", "thing", "during"}
)
_NUMBERS = re.compile(
    r"\b(?:total|sum|average|mean|altogether|combined|how (?:many|much) (?:more|fewer|less))\b", re.IGNORECASE
)
"""What asks for a number of a set, other than how many it has."""
_BREAK = re.compile(r"\s*(?:,|;|:|\s[-\u2013\u2014]\s)\s*\Z")
_SURELY = 2.7
"""Cost below which the reading of the whole stands."""
_DEAREST, _KEPT = 4.0, 3
"""Cost above which the reading of a part is not trusted, and readings of the first part that are tried."""
_FLOATS = ("guess", 2.0)
"""What it costs that the words of a part are not joined by grammar."""
_HEADS, _CUTS = 3, 5
"""Places where the first part may end, and the conditions behind them, that are tried."""
_FURTHER = ("guess", 0.4)
"""What each further part costs."""
_CUT = 0.5
"""… and what it adds where the words may be cut in several ways."""
_LOSING = frozenset({"unexplained", "dropped value"})
"""What adds up over the parts; of other costs, that of the dearest part counts."""
_NEAR = 1.5
"""What a reading of the whole may cost more that says all of the conditions, too."""


def with_intersections(readings: Sequence[Reading], parts: Parts, words: SchemaWords) -> list[Reading]:
    """The readings of a question, with those of its conditions by themselves.

    Args:
        readings: Those of the question as a whole.
        parts: The question, and how its parts are read.
        words: The words of the schema.
    """
    sure = readings and readings[0].cost < _SURELY and not readings[0].unexplained
    denies = any(negates([each.form.nodes]) for each in readings[:1])
    if sure or denies or len(parts.question) > LONGEST or _NUMBERS.search(parts.question) is not None:
        return list(readings)
    found = [_whole(each, readings) for each in _Conditions(parts, words).readings()]
    return sorted([*found, *readings], key=lambda each: each.cost)


def _whole(joined: Reading, readings: Sequence[Reading]) -> Reading:
    """The joined conditions, or a reading of the whole that says all of them, and how they belong together."""
    same = [each.form for each in readings if _says_all(each, joined)]
    return replace(joined, form=max(same, key=lambda form: len(_said(form)))) if same else joined


def _says_all(whole: Reading, joined: Reading) -> bool:
    """Whether a reading of the whole, at a cost not much higher, says all that the joined conditions say."""
    one, other = whole.form, joined.form
    near = not whole.unexplained and whole.cost < joined.cost + _NEAR
    return near and one.nodes.label == other.nodes.label and _said(other) <= _said(one)


def _said(form: Form) -> set[str]:
    """The names and values that a form speaks of."""
    every = sets(form.nodes)
    tests = [each.predicate for nodes in every for each in nodes.conditions]
    tests += [each for nodes in every for link in nodes.links for each in link.conditions]
    return {entity.id for entity in form.entities} | {str(each.value).lower() for each in tests if each is not None}


@dataclass(frozen=True)
class _Conditions:
    """A question that may say several conditions."""

    parts: Parts
    words: SchemaWords

    @cached_property
    def said(self) -> list[Token]:
        return tokens(without_courtesy(self.parts.question))

    @cached_property
    def cuts(self) -> list[int]:
        """The places of the words with which a condition may begin."""
        return [i for i in range(1, len(self.said)) if self._begins(i)]

    def _begins(self, place: int) -> bool:
        text, before = self.said[place].text, self.said[place - 1]
        if any(each.start < self.said[place].start < each.end for each in self.parts.named[0]):
            return False
        if text == "and" and any(token.text == "between" for token in self.said[max(0, place - 3) : place]):
            return False
        if _BREAK.search(self.parts.question[: self.said[place].start]) is not None:
            return True
        if before.text in _PREPOSITIONS | _RELATIVES | _ADVERBS | _JOINING:
            return False
        if text in _JOINING or self._opens(place):
            return True
        return _DONE.search(text) is not None and text not in _NO_VERBS

    def readings(self) -> list[Reading]:
        """The readings of the question as what its conditions have in common, cheapest first."""
        ends = map(self._from, self.cuts[:_HEADS])
        found = next((some for each in ends if (some := list(each))), [])
        return sorted(found, key=lambda each: each.cost)[:_KEPT]

    def _from(self, end: int) -> Iterator[Reading]:
        """Those whose first part ends before a word."""
        labels = set()
        if self._asks_of_another(end):
            return
        for first in self.parts.readings(*self._span(0, end))[:_KEPT]:
            label = first.form.nodes.label
            if label in labels or not _lists(first) or not _is_set(first) or not self._is_head(end - 1, label):
                continue
            labels.add(label)
            noun = self._noun(end, label)
            chain = self._chain(end, label, noun)
            form = in_common(first.form, [each.form.nodes for each in chain])
            if form is not None:
                yield _joined(form, [first, *chain])

    def _asks_of_another(self, end: int) -> bool:
        """Whether what stands before a word is of another thing: "what class does the drug"."""
        texts = [token.text for token in self.said[:end]]
        done = next((i for i, text in enumerate(texts) if text in _DOING), end)
        return done + 1 < end and texts[done + 1] not in _PRONOUNS

    def _is_head(self, place: int, label: str) -> bool:
        """Whether the word before the conditions may be what is asked for: no word for something else."""
        text = self.said[place].text
        named = {each for form in (text, singular(text)) for each, _ in self.words.labels.get(form, ())}
        named |= {role.step.target for form in (text, singular(text)) for role in self.words.roles.get(form, ())}
        return label in named or not named

    def _span(self, first: int, last: int) -> list[Span]:
        return [(self.said[first].start, self.said[last - 1].end)] if first < last else []

    def _noun(self, end: int, label: str) -> str:
        """What is said to be meant by a label in the other parts."""
        for token in reversed(self.said[:end]):
            meant = self.words.labels.get(token.text, ()) or self.words.labels.get(singular(token.text), ())
            if any(each == label for each, _ in meant):
                return token.text
        names = [text for text, meant in self.words.labels.items() if (label, 0.0) in meant]
        return plural_of(names[0]) if names else plural_of(" ".join(identifier_words(label)))

    def _chain(self, start: int, label: str, noun: str) -> tuple[Reading, ...]:
        """The cheapest readings of the words from a place as conditions; none where some cannot be read."""
        places = [i for i in self.cuts if i >= start][:_CUTS]
        best: dict[int, tuple[Reading, ...]] = {len(self.said): ()}
        for i in reversed(places):
            parts = [(self._condition(i, j, label, noun), j) for j in (*places, len(self.said)) if j > i and j in best]
            ways = [(part, *best[j]) for part, j in parts if part is not None]
            if ways:
                best[i] = min(ways, key=lambda each: sum(part.cost + _CUT for part in each))
        return best.get(start, ())

    def _condition(self, first: int, last: int, label: str, noun: str) -> Reading | None:
        """The reading of some words as a condition."""
        while first < last and self.said[first].text in _JOINING:
            first += 1
        if first == last:
            return None
        found = self.parts.readings(noun, *self._lead(first), *self._span(first, last))[:_KEPT]
        part = next((each for each in found if _lists(each) and _tells(each.form, label)), None)
        loose = part is not None and any(name == "floats" for name, _ in part.features)
        return with_features(part, _FLOATS) if part is not None and loose else part

    def _lead(self, place: int) -> list[str]:
        """The word before a condition that goes on from another: "with a terrace and (with) a garden"."""
        if self._opens(place) or _DONE.search(self.said[place].text) is not None:
            return []
        return [each.text for each in self.said[:place] if each.text in _RELATIVES | {"with"}][-1:]

    def _opens(self, place: int) -> bool:
        """Whether a word begins a condition wherever it stands."""
        text = self.said[place].text
        own = adjectives().get(text)
        return text in _RELATIVES | _PREPOSITIONS | _ADVERBS or (own is not None and own.comparative)


def _lists(reading: Reading) -> bool:
    """Whether a reading tells a set that is not one of the first by something."""
    return reading.cost <= _DEAREST and reading.form.nodes.order is None and reading.form.limit is None


def _is_set(reading: Reading) -> bool:
    """Whether a reading asks for nodes of a kind, or how many there are."""
    form, asks = reading.form, cost(each for each in reading.features if each[0] == "asks")
    counts = form.asks == "number" and form.value is None
    return (form.asks == "nodes" or counts) and not form.nodes.entities and asks < cost([("asks", 1.0)])


def _tells(form: Form, label: str) -> bool:
    """Whether a form asks for those of a kind of which something is true, other than what numbers them."""
    numbered = any(identifier_words(each.property)[-1] in NUMBERING for each in form.nodes.conditions if each.property)
    return form.asks == "nodes" and form.nodes.label == label and not (form.nodes.bare or numbered)


def _joined(form: Form, readings: Sequence[Reading]) -> Reading:
    features = [*(feature for each in readings for feature in each.features), *([_FURTHER] * (len(readings) - 1))]
    unexplained = tuple(dict.fromkeys(word for each in readings for word in each.unexplained))
    return Reading(form, _dear(readings), tuple(features), unexplained)


def _dear(readings: Sequence[Reading]) -> float:
    """What several parts cost together."""
    lost = [cost(feature for feature in each.features if feature[0] in _LOSING) for each in readings]
    dearest = max(each.cost - much for each, much in zip(readings, lost, strict=True))
    return dearest + sum(lost) + cost([_FURTHER] * (len(readings) - 1))
