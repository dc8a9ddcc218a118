"""The names nearest to a text by edit distance, exactly, without comparing it with every name.

The measure is `rapidfuzz.fuzz.ratio`: 1 - d / (|a| + |b|) with d the least number of insertions and deletions.
Two cheap lower bounds of d spare nearly all comparisons: the difference of the lengths (names are kept sorted by
length), and the difference of the letter counts, which a 64-bit signature per name gives by XOR and popcount. Among
very many names, those with few typing errors are found by their segments.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from clew.tools.arrays.strings import IntArray, Strings
from clew.tools.linking.segments import Segments, Signatures

_BINS = 32
_CHUNK = 65_536
_STEP = 2
_BY_SEGMENTS = (2, 4)
"""Distances for which names are first looked for by their segments: as many typing errors, or fewer."""
_EXCLUDED = 32_000
_MOST_DECODED = 200_000
_MOST_COMPARED = 30_000
"""Names compared for one text at most; past that the least promising are left out and the result is approximate."""


class NearNames:
    """Search over `keys`, which are sorted by their length in characters.

    `starts[l]` is the position of the first key of length l or more; `signatures` is one uint64 per key.
    """

    def __init__(self, keys: Strings, starts: IntArray, signatures: Signatures, segments: Segments) -> None:
        self._keys = keys
        self._starts = starts
        self._signatures = signatures
        self._segments = segments
        self._decoded: list[str] | None = None

    def nearest(
        self,
        text: str,
        k: int,
        *,
        floor: float,
        wanted: int | None = None,
        among: npt.NDArray[np.bool_] | None = None,
    ) -> list[tuple[int, float]]:
        """At most `k` (position, ratio) pairs with ratio ≥ `floor`, best first.

        `among` (bool, one per key) restricts the search. The distance is widened step by step until the
        `wanted` best (default: all k) cannot be beaten: a name farther than d has a ratio of at most
        1 - (d+1) / (2|text| + d+1).
        """
        size = len(text)
        if not size or not len(self._keys):
            return []
        wanted = k if wanted is None else wanted
        limit = int(2 * size * (1 - floor) / floor)
        found: list[tuple[int, float]] = []
        for distance in _BY_SEGMENTS if self._segments else ():
            places = self._found_by_segments(text, distance)
            found = self._merged([], text, places if among is None else places[among[places]], k, floor)
            if _is_proven(found, wanted, size, distance):
                return found
        first, bounds = self._lower_bounds(text, limit, among)
        found = []
        compared = -1
        budget = _MOST_COMPARED
        for distance in [*range(_STEP, limit, _STEP), limit]:
            places = np.flatnonzero((bounds > compared) & (bounds <= distance))[:budget] + first
            found = self._merged(found, text, places, k, floor)
            compared = distance
            budget -= len(places)
            if budget <= 0 or _is_proven(found, wanted, size, distance):
                break
        return found

    def within(self, text: str, errors: int, k: int, *, floor: float = 0.0) -> list[tuple[int, float]]:
        """At most `k` (position, ratio) pairs with at most `errors` typing errors (insertions, deletions,
        substitutions, swaps of neighbours) and ratio ≥ `floor`, best first."""
        if not text or errors < 1 or not len(self._keys):
            return []
        if self._segments:
            places = self._found_by_segments(text, errors)
        else:
            first, bounds = self._lower_bounds(text, 2 * errors, None)
            places = np.flatnonzero(bounds <= 2 * errors) + first
        texts = self._texts(places)
        hits = process.extract(text, texts, scorer=OSA.distance, processor=None, limit=None, score_cutoff=errors)
        ratios = ((int(places[i]), fuzz.ratio(text, near) / 100) for near, _, i in hits)
        return sorted((hit for hit in ratios if hit[1] >= floor), key=lambda hit: (-hit[1], hit[0]))[:k]

    def _found_by_segments(self, text: str, errors: int) -> IntArray:
        return self._segments.candidates(text, errors, self._starts, self._signatures, signatures_of([text])[0])

    def _lower_bounds(
        self, text: str, limit: int, among: npt.NDArray[np.bool_] | None
    ) -> tuple[int, npt.NDArray[np.int16]]:
        """The first key whose length is within `limit` of the text's, and from there on a lower bound of d per key."""
        size, longest = len(text), len(self._starts) - 2
        shortest = min(max(size - limit, 0), longest + 1)
        last = min(size + limit, longest)
        first = int(self._starts[shortest])
        signature = signatures_of([text])[0]
        counted = np.bitwise_count(self._signatures[first : int(self._starts[last + 1])] ^ signature)
        bounds = counted.astype(np.int16)
        for length in range(shortest, last + 1):
            same_length = bounds[int(self._starts[length]) - first : int(self._starts[length + 1]) - first]
            np.maximum(same_length, abs(length - size), out=same_length)
        if among is not None:
            bounds[~among[first : first + len(bounds)]] = _EXCLUDED
        return first, bounds

    def _merged(
        self, found: list[tuple[int, float]], text: str, places: npt.NDArray[np.int64], k: int, floor: float
    ) -> list[tuple[int, float]]:
        """The `k` best of `found` and of the keys at `places`."""
        cutoff = found[-1][1] if len(found) >= k else floor
        hits = process.extract(
            text, self._texts(places), scorer=fuzz.ratio, processor=None, limit=k, score_cutoff=cutoff * 100
        )
        new = [(int(places[i]), score / 100) for _, score, i in hits]
        return sorted(found + new, key=lambda hit: -hit[1])[:k]

    def _texts(self, places: npt.NDArray[np.int64]) -> list[str]:
        """The keys at `places`; an index of moderate size is decoded once and kept."""
        if len(self._keys) > _MOST_DECODED:
            return self._keys.take(places)
        if self._decoded is None:
            self._decoded = self._keys.take(np.arange(len(self._keys)))
        decoded = self._decoded
        return [decoded[place] for place in places.tolist()]


def _is_proven(found: list[tuple[int, float]], wanted: int, size: int, distance: int) -> bool:
    """Whether no name that is farther than `distance` can be better than the `wanted` best."""
    beyond = 1 - (distance + 1) / (2 * size + distance + 1)
    return len(found) >= wanted and found[wanted - 1][1] >= beyond


def length_starts(lengths: npt.NDArray[Any]) -> IntArray:
    """`starts` of NearNames for sorted `lengths`: shape (longest + 2,)."""
    longest = int(lengths[-1]) if len(lengths) else 0
    return np.searchsorted(lengths, np.arange(longest + 2)).astype(np.int64)


def signatures_of(texts: list[str]) -> Signatures:
    """Per text, for each of 32 letter bins, one bit for "occurs" and one for "occurs twice": shape (n,), uint64.

    One insertion or deletion flips at most one bit, so the popcount of the XOR of two signatures is a lower
    bound of the distance, whatever letters share a bin.
    """
    parts = [_signatures(texts[i : i + _CHUNK]) for i in range(0, len(texts), _CHUNK)]
    return np.concatenate(parts) if parts else np.zeros(0, np.uint64)


def _signatures(texts: list[str]) -> Signatures:
    letters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    owner = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    counts = np.bincount(owner * _BINS + _bins(letters), minlength=len(texts) * _BINS).reshape(-1, _BINS)
    bit = np.uint64(1) << np.arange(_BINS, dtype=np.uint64)
    once = ((counts >= 1) * bit).sum(1, dtype=np.uint64)
    twice = ((counts >= 2) * bit).sum(1, dtype=np.uint64)
    signatures: Signatures = once | (twice << np.uint64(_BINS))
    return signatures


def _bins(letters: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """a to z have a bin each, the space has one, the digits share five; other signs are spread over all."""
    letter = (letters >= 97) & (letters <= 122)
    digit = (letters >= 48) & (letters <= 57)
    return np.where(
        letter, letters - 97, np.where(digit, 27 + (letters - 48) // 2, np.where(letters == 32, 26, letters % _BINS))
    ).astype(np.int64)
