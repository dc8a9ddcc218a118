"""The words of one document: those in lower case, and in how many of its paragraphs each occurs."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from clew.tools.linking.ordinary import word_class

_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_WORDS = 500_000
"""Distinct words that are counted; further words of a longer document are treated as rare."""
_RARE = 1.5


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Made by `of`."""

    small: frozenset[str]
    """Words that occur in lower case."""
    held: Counter[str]
    """By word in lower case, the number of texts that have it."""
    texts: int

    @classmethod
    def of(cls, texts: Iterable[str]) -> Vocabulary:
        small: set[str] = set()
        held: Counter[str] = Counter()
        count = 0
        for text in texts:
            count += 1
            words = set(_WORD.findall(text))
            if len(held) < _MOST_WORDS:
                small.update(word for word in words if word.islower())
                held.update({word.lower() for word in words})
        return cls(frozenset(small), held, count)

    def distinctive(self, text: str, most: int) -> list[str]:
        """The words that distinguish this text from the document's others (tf · idf), best first, as written."""
        counted: Counter[str] = Counter()
        written: dict[str, str] = {}
        for word in _WORD.findall(text):
            folded = word.lower()
            if len(word) > 2 and word_class(folded) != "function":
                counted[folded] += 1
                written.setdefault(folded, word if folded not in self.small else folded)
        ranked = sorted(counted, key=lambda word: -counted[word] * self._weight(word))
        return [written[word] for word in ranked[:most]]

    def _weight(self, word: str) -> float:
        rarity = math.log((self.texts + 1) / (self.held.get(word, 0) + 0.5)) + 0.1
        return max(rarity, 0.05) * (_RARE if word_class(word) == "rare" else 1.0)
