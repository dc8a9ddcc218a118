"""Names by some of their words: a surname, an initial and a surname, a part of a title.

Words of a text have to stand in a name in the same order. Each may be written in another form: as a nickname, an
initial, a numeral, a plural, or with a typing error. Function words may be left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from clew.tools.arrays.strings import hash_text
from clew.tools.linking.normalise import ARTICLES
from clew.tools.linking.ordinary import is_english, word_class
from clew.tools.linking.tables import Tables
from clew.tools.linking.word_forms import nicknames, numerals, singulars

_OTHER_FORM = 0.01
"""What it costs that a word is written as a plural, an initial, a nickname or another numeral."""
_GAP = 0.03
"""What it costs that words of the name are left out between those of the text."""
_PER_ERROR = 0.06
_JUNIOR = 0.005
"""What it costs that the text leaves out "Jr."."""
_MOST_FULL_NAMES = 0.85
_MOST_NAMES = 400
"""Names compared for one text; of more, those of the nodes with the most relationships."""
_MOST_NEAR = 8
_SHORTEST_MISSPELT = 5
_LONG = 9
"""Letters from which on a word may have two errors."""


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A key with the words of a text in it."""

    key: int
    cost: float
    whole: bool
    """Whether the key has no other words at its ends than an article."""
    at_edge: bool
    """Whether the words are the first or the last ones of the key, as first names and surnames are."""


class NameWords:
    """Search in the words of an index's keys."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._near = tables.near_words()

    def count(self, word: str) -> int:
        """The number of keys with that very word."""
        number = self._number(word)
        return 0 if number is None else len(self._keys(number))

    def forms(self, word: str, *, alone: bool, misspelt: bool = False) -> dict[str, float]:
        """The words of names that a word of a text may stand for, with their costs.

        Args:
            word: A folded word.
            alone: Whether it is the text's only content word; then it is not a nickname.
            misspelt: Whether typing errors are considered; only if no name has the word itself.
        """
        known = bool(self.count(word))
        others = numerals(word) | (set() if known else set(singulars(word))) | (set() if alone else nicknames(word))
        found = {other: _OTHER_FORM for other in others if self.count(other)}
        if known:
            found[word] = 0.0
        elif misspelt:
            found |= {near: cost for near, cost in self._misspelt(word) if near not in found}
        return found

    def matches(
        self, words: Sequence[str], *, optional: Collection[str] = (), misspelt: bool = False
    ) -> list[WordMatch]:
        """The keys that contain all of `words` in their order, best first.

        Args:
            words: Folded words; one letter with a full stop is an initial.
            optional: Those of `words` that a name need not have.
            misspelt: Whether typing errors are considered, in words that no name has.
        """
        needed = [word for word in words if word not in optional and not _is_initial(word)]
        alone = len(words) == 1
        forms = {word: self.forms(word, alone=alone, misspelt=misspelt) for word in needed}
        if not needed or not all(forms.values()):
            return []
        forms |= {word: dict.fromkeys(nicknames(word), _OTHER_FORM) for word in optional}
        found = []
        for key in self._candidates([forms[word] for word in needed]):
            key_words = self._tables.keys[key].split()
            match = _matched(words, forms, key_words, optional)
            if match is not None:
                cost, first, last = match
                left = {*key_words[:first], *key_words[last:]}
                edge = first == 0 or last == len(key_words)
                cost += _JUNIOR if left & {"jr", "junior"} else 0.0
                found.append(WordMatch(key, cost, left <= set(ARTICLES), edge))
        return sorted(found, key=lambda match: (match.cost, not match.at_edge, -self.degree(match.key)))

    def degree(self, key: int) -> int:
        """The relationships of the key's first node."""
        return int(self._degrees(np.array([key]))[0])

    def _candidates(self, forms: Sequence[dict[str, float]]) -> list[int]:
        """The keys that contain a form of each word, at most `_MOST_NAMES`."""
        lists = [[self._keys(n) for word in each if (n := self._number(word)) is not None] for each in forms]
        rarest, *others = sorted(lists, key=lambda each: sum(map(len, each)))
        kept = rarest[0] if len(rarest) == 1 else np.unique(np.concatenate(rarest))
        for each in others:  # "of" is in a tenth of all names: not all are read.
            kept = kept[np.logical_or.reduce([_among(kept, keys) for keys in each])]
        if len(kept) > _MOST_NAMES:
            kept = kept[np.argsort(-self._degrees(kept), kind="stable")[:_MOST_NAMES]]
        return [int(key) for key in kept]

    def _degrees(self, keys: npt.NDArray[np.int32] | npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        tables = self._tables
        nodes = tables.spelling_nodes[tables.posting_spellings[tables.posting_starts[keys]]]
        return tables.node_degrees[nodes]

    def _number(self, word: str) -> int | None:
        tables, hashed = self._tables, np.uint64(hash_text(word))
        place = int(np.searchsorted(tables.word_hashes, hashed))
        if place == len(tables.word_hashes) or tables.word_hashes[place] != hashed:
            return None
        number = int(tables.hashed_words[place])
        return number if tables.words[number] == word else None

    def _keys(self, number: int) -> npt.NDArray[np.int32]:
        starts = self._tables.word_key_starts
        return self._tables.word_keys[int(starts[number]) : int(starts[number + 1])]

    def _misspelt(self, word: str) -> Iterator[tuple[str, float]]:
        """The words of names that differ by one typing error, or by two from a long word; the first letter is right
        in one of them."""
        if len(word) < _SHORTEST_MISSPELT or not word.isalpha():
            return
        errors = 1 if len(word) < _LONG else 2
        for number, _ in self._near.within(word, errors, _MOST_NEAR, floor=0.6):
            near = self._tables.words[number]
            if len(near) >= _SHORTEST_MISSPELT - 1:
                yield near, _PER_ERROR * OSA.distance(word, near)


def is_content(word: str) -> bool:
    """Whether a folded word identifies a name; function words do not, except for numbers."""
    return word_class(word) != "function" or (len(word) > 1 and bool(numerals(word)))


def are_full_names(names: Sequence[str]) -> bool:
    """Whether most folded names are a first name and a surname: two or three words, not all of the language."""
    return sum(map(_is_full_name, names)) >= _MOST_FULL_NAMES * len(names)


def _is_full_name(name: str) -> bool:
    words = name.split()
    named = 2 <= len(words) <= 3 and all(word.isalpha() and is_content(word) for word in words)
    return named and not all(map(is_english, words))


def _matched(
    words: Sequence[str], forms: dict[str, dict[str, float]], key: Sequence[str], optional: Collection[str]
) -> tuple[float, int, int] | None:
    """The cost of `words` in a key's words, the first place and the end; None if they are not there in their order."""
    cost, place, first = 0.0, 0, -1
    for word in words:
        at, price = _next(word, forms.get(word, {}), key, place)
        if at < 0:
            if word not in optional:
                return None
            cost += 0.0 if word in ARTICLES else _GAP
            continue
        if first >= 0 and any(map(is_content, key[place:at])):
            cost += _GAP
        first = at if first < 0 else first
        cost, place = cost + price, at + 1
    return None if first < 0 else (cost, first, place)


def _next(word: str, forms: dict[str, float], key: Sequence[str], place: int) -> tuple[int, float]:
    """The first place from `place` on where a key has a form of `word`, with its cost; -1 if there is none."""
    letter = word[0] if _is_initial(word) else ""
    for at in range(place, len(key)):
        other = key[at]
        if other in forms:
            return at, forms[other]
        if other == word:
            return at, 0.0
        if letter and other.startswith(letter):
            return at, _OTHER_FORM
    return -1, 0.0


def _is_initial(word: str) -> bool:
    return len(word) == 2 and word[1] == "."


def _among(wanted: npt.NDArray[np.int32], keys: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Which of the wanted keys are in sorted ones, of which there is at least one."""
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    among: npt.NDArray[np.bool_] = keys[places] == wanted
    return among
