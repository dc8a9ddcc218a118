"""A question that compares, its words, and the names among them."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property

from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import Span, Token
from clew.tools.queries.reading.english.words import adjectives, is_superlative, tokens

AUXILIARIES = frozenset({
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would",
})  # fmt: skip
BEING = frozenset({"is", "are", "was", "were", "be", "been"})
HAVING = frozenset({"has", "have", "had", "with", "having", "got", "get", "gets"})
NAMELESS = frozenset({"there", "we", "you", "they"})
MANY = frozenset({"more", "fewer", "less"})
MOST = frozenset({"most", "least", "fewest"})
_DOWN = frozenset({"fewer", "less", "least", "fewest", "behind", "trails", "trail"})
_LEADING = frozenset({
    "the", "that", "those", "of", "at", "in", "for", "does", "did", "do", "is", "was", "a", "by", "on", "with", "from",
    "one", "ones", "to", "over",
})  # fmt: skip
"""Words between "than" and a name."""
_REACH = 4
"""How many of them there may be."""
_BREAK = re.compile(
    r"[?!;:.(]|,(?!\s+(?:in|going|by|measured|counting|for|during|on)\b)|\s[-\u2013\u2014]\s", re.IGNORECASE
)
Place = int
Range = tuple[Place, Place]
"""The places of some words: of the first, and of the one behind the last."""


@dataclass(frozen=True)
class Question:
    """A question that may compare."""

    text: str
    names: Sequence[Mention]
    """The names in it that are linked."""
    kinds: Container[str]
    """Words for labels."""

    @cached_property
    def tokens(self) -> list[Token]:
        return tokens(self.text)

    @cached_property
    def texts(self) -> list[str]:
        return [token.text for token in self.tokens]

    def name_at(self, place: Place) -> Mention | None:
        """The name to which a word belongs."""
        at = self.tokens[place]
        return next((each for each in self.names if each.start <= at.start < each.end), None)

    def places(self, name: Mention) -> Range:
        """The places of the words of a name."""
        first = next(i for i, token in enumerate(self.tokens) if token.end > name.start)
        return first, next((i for i, token in enumerate(self.tokens) if token.start >= name.end), len(self.tokens))

    def breaks(self, place: Place) -> bool:
        """Whether a clause ends before a word."""
        found = _BREAK.search(self.text, self.tokens[place - 1].end)
        return found is not None and found.start() < self.tokens[place].start

    def span(self, places: Range) -> list[Span]:
        """Some words, as one span or none."""
        first, last = places
        return [(self.tokens[first].start, self.tokens[last - 1].end)] if first < last else []

    def place(self, words: Container[str], within: Range) -> Place | None:
        """The first place of one of some words."""
        return next((i for i in range(*within) if self.texts[i] in words and self.name_at(i) is None), None)

    def clause(self, place: Place) -> Place:
        """Where the clause of a word begins."""
        return next((i for i in range(place, 0, -1) if self.breaks(i)), 0)

    def subject(self, end: Place) -> Place:
        """Where the words for a set begin that end at a place: behind "I am keen to hear"."""
        asks = next((i for i in range(end - 1, 0, -1) if self.texts[i] in ("which", "what")), None)
        return self.clause(end - 1) if asks is None else asks

    def begins_clause(self, place: Place) -> bool:
        """Whether a word is the first of its clause: "… whether there are …"."""
        return place == 0 or self.breaks(place) or self.texts[place - 1] in ("whether", "if", "and", "but", "so")

    def asks_of(self, name: Mention) -> Place | None:
        """The place of the verb that asks about a name: "does the Langford Museum …"."""
        before = self.places(name)[0] - 1
        while before > 0 and (self.texts[before] in ("the", "our", "a", "an") or self.texts[before].isdecimal()):
            before -= 1
        return before if before >= 0 and self.texts[before] in AUXILIARIES else None

    def named_behind(self, place: Place) -> Mention | None:
        """The name that follows a word."""
        for i in range(place + 1, min(place + _REACH + 2, len(self.tokens))):
            if (name := self.name_at(i)) is not None or self.texts[i] not in _LEADING:
                return name
        return None

    def is_described(self, name: Mention) -> bool:
        """Whether a name only says of which kind some things are: "horror games"."""
        behind = self.places(name)[1]
        return behind < len(self.texts) and self.texts[behind] in self.kinds and not self.breaks(behind)

    def names_before(self, place: Place, other: Mention) -> list[Mention]:
        """The names before a word, but for another."""
        return [each for each in self.names if self.places(each)[1] <= place and each != other]

    def tail(self, place: Place) -> Range:
        """What the clause says behind a place, without "does"."""
        start, end = place, len(self.tokens)
        while start < end and self.texts[start] in AUXILIARIES | {"'s", "ones", "one"}:
            start += 1
        return start, next((i for i in range(max(start, 1), end) if self.breaks(i)), end)

    @cached_property
    def much(self) -> Range | None:
        """The places of "how much" or "how many"."""
        pairs = zip(self.texts, self.texts[1:], strict=False)
        return next(((i, i + 2) for i, (how, much) in enumerate(pairs) if how == "how" and much in _MUCH), None)


_MUCH = ("much", "many", "far")


def is_comparative(text: str) -> bool:
    """Whether a word compares: "more", "longer"."""
    return text in MANY or (text in adjectives() and adjectives()[text].comparative)


def is_most(text: str) -> bool:
    """Whether a word says which one has most: "most", "longest"."""
    return text in MOST or is_superlative(text)


def is_less(text: str) -> bool:
    """Whether less is meant than the other has."""
    own = adjectives().get(text)
    return text in _DOWN or (own is not None and bool(own.down) and not own.up)
