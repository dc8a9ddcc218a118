"""Cypher's lexical grammar: the one place that distinguishes code from strings, quoted names and comments.

`lex` gives all tokens of any text. `code_tokens` gives those that a parser needs, within bounds. Tokens keep their
places, so that a part of a query can be replaced and the rest left as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from clew.tools.errors import QueryFailed

MAX_LENGTH = 8000
"""Characters of a query that `code_tokens` reads."""
MAX_DEPTH = 40
"""Brackets within brackets that `code_tokens` reads."""

COMMENT = r"//[^\r\n]*|/\*.*?\*/"
OPAQUE = rf"""
    (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<quoted>(?:`[^`]*`)+)
  | (?P<comment>{COMMENT})
  | (?P<open>['"`]|/\*)
"""
"""Verbose pattern (with DOTALL) of parts that may hold any character; `open` is a quote or comment without an end."""
_TOKEN = re.compile(
    rf"""
    (?P<space>[\s\u180e]+) | {OPAQUE}
  | (?P<number>0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<word>[^\W\d]\w*)
  | (?P<mark>\.\.|<=|>=|<>|!=|=~|\+=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Refused(QueryFailed):
    """A query that is not run; the message says why. The name is the `kind` of such errors in traces."""


class Token(NamedTuple):
    """A token with its place in the text: `text[start:end]`."""

    kind: str
    """"word", "quoted" (in backticks), "string", "number", "mark", "open"; "" beyond the ends of a query."""
    text: str
    """As written."""
    start: int
    end: int

    @property
    def upper(self) -> str:
        """A word in capitals, to compare with keywords; a mark as it is; "" for all that cannot be a keyword."""
        return self.text.upper() if self.kind == "word" else self.text if self.kind == "mark" else ""

    @property
    def name(self) -> str:
        """The identifier that a word or a quoted name stands for."""
        return self.text[1:-1].replace("``", "`") if self.kind == "quoted" else self.text

    @property
    def is_name(self) -> bool:
        return self.kind in ("word", "quoted")


NO_TOKEN = Token("", "", 0, 0)


@dataclass(frozen=True, slots=True)
class Edit:
    """`text[start:end]` is to become `replacement`."""

    start: int
    end: int
    replacement: str


def lex(text: str) -> Iterator[Token]:
    """All tokens but white space and comments. What is not closed is a token of the kind "open"."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind not in ("space", "comment"):
            yield Token(kind, match.group(), *match.span())


def code_tokens(cypher: str) -> list[Token]:
    """The tokens of one query. Raises Refused where the text is too long, too deep or not closed."""
    if len(cypher) > MAX_LENGTH:
        raise Refused(f"The query is longer than {MAX_LENGTH} characters.", cypher=cypher)
    found, depth = [], 0
    for token in lex(cypher):
        if token.kind == "open":
            raise Refused("A quote or a comment of the query is not closed.", cypher=cypher)
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if depth > MAX_DEPTH:
            raise Refused(f"The query has more than {MAX_DEPTH} brackets within brackets.", cypher=cypher)
        found.append(token)
    return found


def token_at(tokens: Sequence[Token], place: int) -> Token:
    """The token at `place`, NO_TOKEN beyond the ends."""
    return tokens[place] if 0 <= place < len(tokens) else NO_TOKEN


def apply_edits(cypher: str, edits: Iterable[Edit]) -> str:
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
