"""Citations of evidence at the end of an answer: `[F1, Q2]`, and what else models make of it."""

from __future__ import annotations

import re

_MOST = 50
"""Items of one range."""
_GROUP = re.compile(
    r"[\[\u3010\uff3b(\uff08]([^\[\]\u3010\u3011\uff3b\uff3d()\uff08\uff09\n]{1,200})[\]\u3011\uff3d)\uff09]"
)
_ONE = re.compile(r"(?:facts?|results?|result sets?|items?|query|queries)?\s*#?([FQfq])\s?(\d{1,5})\Z")
_RANGE = re.compile(r"([FQfq])\s?(\d{1,5})\s*(?:-|\u2013|\u2014|\.\.|to)\s*[FQfq]?\s?(\d{1,5})\Z")
_BETWEEN = re.compile(r"[,;/&\u3001\uff0c+|]|\band\b")


def groups(line: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """(start, end, citations) of every bracket that holds citations and nothing else."""
    found = []
    for match in _GROUP.finditer(line):
        cited = _cited(match.group(1))
        if cited:
            found.append((*match.span(), cited))
    return found


def _cited(inside: str) -> tuple[str, ...]:
    cited: dict[str, None] = {}
    for piece in _BETWEEN.split(inside):
        word = piece.strip().strip("[]#\"'`* ")
        if not word:
            continue
        if one := _ONE.match(word):
            cited.setdefault(f"{one.group(1).upper()}{int(one.group(2))}")
        elif several := _RANGE.match(word):
            kind, first, last = several.group(1).upper(), int(several.group(2)), int(several.group(3))
            cited.update((f"{kind}{number}", None) for number in range(first, min(last, first + _MOST - 1) + 1))
        else:
            return ()
    return tuple(cited)
