"""The content of a statement, without phrases about its truth."""

from __future__ import annotations

import re

_CONTRACTED = re.compile(
    r"\b(?:(is|are|was|were|do|does|did|has|have|had|could|would|should|ca|wo|sha)n['\u2019]?t|(can)not)\b", re.I
)
_FULL = {"ca": "can", "wo": "will", "sha": "shall"}
_IT_IS = r"^it(?: is|'s|\u2019s) "
_OPENINGS: tuple[tuple[re.Pattern[str], bool], ...] = tuple(
    (re.compile(pattern, re.I), negative)
    for pattern, negative in (
        (_IT_IS + r"(?:not (?:true|correct|right|the case|a fact)|untrue|false|wrong|incorrect|a lie)"
         r"(?: to (?:say|claim))? that ", True),
        (_IT_IS + r"(?:not (?:false|wrong|untrue|incorrect)) that ", False),
        (_IT_IS + r"(?:true|correct|right|the case|a fact|indeed true) that ", False),
        (r"^(?:in fact|indeed|actually|according to the graph),? ", False),
    )
)  # fmt: skip
_END = re.compile(r"[\s.!]+$")


def plain(statement: str) -> tuple[str, bool]:
    """The statement without phrases about its truth ("it is not true that"), and whether those negate it.

    Contractions are written out, so that every "not" is a word.
    """
    text = " ".join(statement.split())
    text = _CONTRACTED.sub(_written_out, text)
    text = _END.sub("", text)
    turned, again = False, True
    while again:
        again = False
        for pattern, negative in _OPENINGS:
            if found := pattern.match(text):
                text, turned, again = text[found.end() :], turned != negative, True
    return text, turned


def _written_out(found: re.Match[str]) -> str:
    verb = found.group(1) or found.group(2)
    return f"{_FULL.get(verb.lower(), verb)} not"
