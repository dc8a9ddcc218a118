"""Typing errors."""

from __future__ import annotations

import random

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def misspell(name: str, edits: int, source: random.Random) -> str:
    """`edits` random substitutions, deletions, insertions or swaps of neighbours, each of them a change."""
    for _ in range(edits):
        before = name
        while name == before:
            i = source.randrange(len(before))
            name = source.choice(
                [
                    before[:i] + source.choice(_LETTERS) + before[i + 1 :],
                    before[:i] + before[i + 1 :],
                    before[:i] + source.choice(_LETTERS) + before[i:],
                    before[:i] + before[i + 1 : i + 2] + before[i] + before[i + 2 :],
                ]
            )
    return name
