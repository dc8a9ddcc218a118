"""The words between two items, and what they say about how the items belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import COPULAS, FREE, HAVING, NEGATIVE, RELATIVE, light

KEPT = frozenset({"in", "by", "to", "for", "from", "on", "at", "with", "through", "under", "over", "of"})
"""Prepositions that tell relations apart."""
_BEHIND_NO = frozenset({"on", "to", "in", "for", "at", "against"})


@dataclass(frozen=True, slots=True)
class Gap:
    """tokens[first:last], no part of which is an item."""

    first: int
    last: int
    texts: tuple[str, ...]
    words: tuple[str, ...]
    """Those that say a relation, prepositions behind a verb included; negations are not among them."""
    negated: bool

    @property
    def empty(self) -> bool:
        return self.first == self.last

    @property
    def possessive(self) -> bool:
        return self.texts == ("'s",) or self.texts == ("'",)

    @property
    def plain(self) -> bool:
        """Whether nothing in it needs a reason."""
        return not self.heavy

    @property
    def light_words(self) -> int:
        return sum(word in light() for word in self.words)

    @property
    def heavy(self) -> tuple[str, ...]:
        """The words that need a reason."""
        return tuple(word for word in self.words if word not in light() and word not in FREE)

    @property
    def copula(self) -> bool:
        return bool(COPULAS & set(self.texts))

    @property
    def relative(self) -> bool:
        return bool(RELATIVE & set(self.texts))

    @property
    def having(self) -> bool:
        return bool(HAVING & set(self.texts))

    @property
    def conjunction(self) -> str:
        """ "and", "or" or "nor" where it begins with one, else ""."""
        texts = [text for text in self.texts if text not in ("either", "both", "also")]
        return texts[0] if texts and texts[0] in ("and", "or", "nor") else ""

    @property
    def of_each(self) -> bool:
        """Whether what follows tells for each of what a number is given."""
        return self.says("per", "each", "by", "every")

    def says(self, *words: str) -> bool:
        return not set(words).isdisjoint(self.texts)


def gap(tokens: Sequence[Token], first: int, last: int) -> Gap:
    """The gap between two tokens."""
    inside = tokens[first:last]
    texts = tuple(token.text for token in inside)
    denied = [denies(tokens, i) for i in range(first, first + len(inside))]
    words = tuple(content([token for token, no in zip(inside, denied, strict=True) if not no]))
    return Gap(first, last, texts, words, any(denied))


def denies(tokens: Sequence[Token], place: int) -> bool:
    """Whether a word is a negation; not "no" before a preposition, which is a value: "who voted no on the motion"."""
    following = tokens[place + 1].text if place + 1 < len(tokens) else ""
    text = tokens[place].text
    return text in NEGATIVE and not (text == "no" and following in _BEHIND_NO)


def content(tokens: Sequence[Token]) -> list[str]:
    """The words that say a relation: no question words, articles or auxiliaries, but prepositions behind a verb."""
    words = [token.text for token in tokens if token.text in KEPT or token.text not in FREE]
    while words and words[0] in KEPT and len(words) > 1:
        words = words[1:]
    return [] if all(word in KEPT for word in words) else words
