"""Cypher's tokens with their places, so that a part of a query can be replaced and the rest left as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from clew.tools.errors import QueryFailed

LONGEST = 8000
"""Characters of a query that is read."""
DEEPEST = 40
"""Brackets within brackets."""
_TOKEN = re.compile(
    r"""
      (?P<space>\s+|//[^\r\n]*|/\*.*?\*/)
    | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    | (?P<quoted>(?:`[^`]*`)+)
    | (?P<number>0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)
    | (?P<word>[^\W\d]\w*)
    | (?P<mark>\.\.|<=|>=|<>|!=|=~|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Refused(QueryFailed):
    """A query that is not run; the message says why, in words that its author can use."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    """"word", "quoted" (in backticks), "string", "number" or "mark"; "" for what lies beyond the ends."""
    text: str
    """As written."""
    start: int
    end: int

    @property
    def upper(self) -> str:
        """A word in capitals, to be compared with keywords; a mark as it is; "" for all that is no keyword."""
        return self.text.upper() if self.kind == "word" else self.text if self.kind == "mark" else ""

    @property
    def name(self) -> str:
        """The identifier that a word or a quoted name stands for."""
        return self.text[1:-1].replace("``", "`") if self.kind == "quoted" else self.text

    @property
    def is_name(self) -> bool:
        return self.kind in ("word", "quoted")


NOTHING = Token("", "", 0, 0)


@dataclass(frozen=True, slots=True)
class Edit:
    """`text[start:end]` is to become `replacement`."""

    start: int
    end: int
    replacement: str


def tokens_of(cypher: str) -> list[Token]:
    """The tokens without space and comments. Raises Refused where the text is too long, too deep or not closed."""
    if len(cypher) > LONGEST:
        raise Refused(f"The query is longer than {LONGEST} characters.", cypher=cypher)
    found, depth = [], 0
    for match in _TOKEN.finditer(cypher):
        kind, text = match.lastgroup or "", match.group()
        if kind == "space":
            continue
        if kind == "mark" and (text in "'\"`" or cypher.startswith("/*", match.start())):
            raise Refused("A quote or a comment of the query is not closed.", cypher=cypher)
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
        if depth > DEEPEST:
            raise Refused(f"The query has more than {DEEPEST} brackets within brackets.", cypher=cypher)
        found.append(Token(kind, text, match.start(), match.end()))
    return found


def applied(cypher: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; edits of the same place are made in the order given."""
    text, at = [], 0
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        text += [cypher[at : edit.start], edit.replacement]
        at = max(at, edit.end)
    return "".join([*text, cypher[at:]])


def string_value(token: Token) -> str:
    """What a string literal stands for."""
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), token.text[1:-1], flags=re.DOTALL)


def number_value(text: str) -> int | float | None:
    """A number literal's value; None where the database's own types may not hold it."""
    if re.fullmatch(r"0[xX][0-9a-fA-F]+", text):
        value: int | float = int(text, 16)
    else:
        value = int(text) if text.isascii() and text.isdigit() else float(text)
    fits = -(2**63) <= value < 2**63 if isinstance(value, int) else abs(value) < float("inf")
    return value if fits else None
