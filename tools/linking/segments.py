"""Texts within a number of typing errors of a text, found by the pieces that they share.

A text of an index is cut into a few segments of equal length. An error changes one of them at most, so a text within e
errors has all but e of them unchanged, each at most e letters from its place. The index has, for every segment of every
text, its hash with the texts; a search looks the pieces of the query up that may be such segments, and leaves out as
many of the most frequent ones as it may.

Distances are those of optimal string alignment: insertions, deletions, substitutions, and swaps of neighbours. A swap
changes two segments where it is at their border. So each piece is looked up in the form before such a swap, too.

Source: the partition scheme of PassJoin (Li, Deng, Wang, Feng: PassJoin, VLDB 2012), extended to swaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.strings import IntArray, Strings

Signatures = npt.NDArray[np.uint64]

INDEXED_FROM = 200_000
"""Texts from which on there are segments; fewer are compared all, in a millisecond."""
LOOKUP_COST = 12
"""Signatures that are compared one after the other in the time of one that is looked up."""


@dataclass(frozen=True, slots=True)
class Segments:
    """The segments of an index's texts by their hash; both arrays are empty where there are none."""

    starts: npt.NDArray[np.uint32]
    """Of bucket b the texts [starts[b], starts[b + 1]); the number of buckets is a power of 2."""
    owners: npt.NDArray[np.int32]
    """Positions of texts, ascending within a bucket."""

    @classmethod
    def of(cls, texts: Strings, text_starts: IntArray) -> Segments:
        """The segments of texts, which are sorted by length as `NearNames` has them."""
        if len(texts) < max(INDEXED_FROM, 1):
            return cls(np.zeros(0, np.uint32), np.zeros(0, np.int32))
        from clew.tools.linking.segment_search import count_segments, fill_segments  # imports numba

        starts = np.zeros((1 << (2 * len(texts) - 1).bit_length()) + 1, np.uint32)
        count_segments(texts.text, texts.ends, text_starts, starts)
        np.cumsum(starts, out=starts)
        owners = np.empty(int(starts[-1]), np.int32)
        fill_segments(texts.text, texts.ends, text_starts, starts, owners)
        return cls(starts, owners)

    def __bool__(self) -> bool:
        return len(self.starts) > 0

    def candidates(self, query: str, errors: int, starts: IntArray, signatures: Signatures, own: Any) -> IntArray:
        """The positions, ascending, of all texts within `errors` of the query, and of a few others.

        Args:
            query: What they are compared with; not empty.
            errors: At least 1.
            starts: By length in characters, the first text of that length or more.
            signatures: Of the texts, as of `edit_distance.signatures_of`.
            own: The signature of the query.
        """
        from clew.tools.linking.segment_search import search_segments

        letters = np.fromiter(map(ord, query), np.int32, len(query))
        found = search_segments(letters, errors, self.starts, self.owners, starts, signatures, own, LOOKUP_COST)
        return np.unique(found)
