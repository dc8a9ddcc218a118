"""What people say for a relation, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.queries.lexical import stem
from clew.tools.queries.reading.english.inflection import kin

PREPOSITIONS = frozenset({
    "in", "of", "by", "to", "for", "from", "on", "at", "with", "through", "under", "over", "about", "into", "against",
    "between", "after", "before", "within", "across", "as", "up",
})  # fmt: skip
_WEAK = 0.3
"""Weight of a preposition beside that of a word with content."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """What people say for a relation."""

    forms: dict[str, float]
    """The stems of its words, and what they share with words made of them, with their weights."""
    whole: float
    """The weight of all its words."""
    own: float
    """How much it says of the relation."""

    @classmethod
    def of(cls, phrase: Sequence[str], own: float) -> Phrase:
        weights = [weight_of(word) for word in phrase]
        whole = sum(weight for weight in weights if weight > _WEAK) or sum(weights)
        forms = {form: weight_of(word) for word in phrase for form in (stem(word), kin(word))}
        return cls(forms, whole, own)


def overlap(words: Sequence[tuple[str, str, float]], phrase: Phrase) -> float:
    """How much of some words a phrase has; each with its stem, what it shares with words made of it, and its weight."""
    total = sum(weight for _, _, weight in words)
    shared = sum(weight for each, like, weight in words if each in phrase.forms or like in phrase.forms)
    if not shared or not total:
        return 0.0
    return shared / total * (0.7 + 0.3 * min(1.0, shared / phrase.whole))


def weight_of(word: str) -> float:
    return _WEAK if word in PREPOSITIONS else 1.0
