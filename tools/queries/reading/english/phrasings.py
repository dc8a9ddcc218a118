"""Whole questions in other words: "the average cost per ward" for "break it down by ward and give me the average cost".

Data: phrasings.toml, whose first lines explain how a phrasing is written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any

from clew.tools.queries.lexical import Token, load_toml

_PART = re.compile(r"<\w+>|\([^)]*\)|\[[^\]]*\]|\{\w+\}|\S+")
_SLOTS = {
    "kind": r"\S+(?: \S+){0,2}?",
    "property": r"\S+(?: \S+){0,3}?",
    "number": r"\d[\d.,]*",
    "upper": r"\d[\d.,]*",
    "degree": r"(?:\S+est|most|least|maximum|minimum)",
    "comparative": r"(?:\S+er|(?:more|less) \S+)",
    "adjective": r"\S+",
    "verb": r"\S+",
    "unit": r"(?:year|month|quarter|decade|day of the week|day|weekday)",
    "units": r"(?:day of the week|(?:year|month|quarter|decade|day|weekday)s?)",
    "nouns": r"\S+(?<!s)s",
}
"""What stands for a slot of this name; one of the words of that name, or any words, for the others."""
_LONGEST = 60
"""Words of a question that may be a phrasing: a pattern with many slots takes long on a long text."""


@dataclass(frozen=True, slots=True)
class _Phrasing:
    pattern: re.Pattern[str]
    read: tuple[str, ...]
    needs_property: bool
    calculated: str
    """What must be a calculated number of the graph."""


def rephrased(tokens: Sequence[Token], is_property: Callable[[str], bool]) -> list[Token]:
    """The words of a question in the phrasing that is read.

    Args:
        tokens: The words.
        is_property: Whether a phrase names a property.
    """
    if len(tokens) > _LONGEST:
        return list(tokens)
    tokens = _replaced(tokens)
    text = "".join(f"{token.text} " for token in tokens)
    for phrasing in _phrasings():
        match = phrasing.pattern.fullmatch(text)
        fits = match is not None and (not phrasing.needs_property or is_property(match["property"]))
        if match and fits and (not phrasing.calculated or is_property(f"calculated {phrasing.calculated}")):
            return _written(tokens, match, phrasing.read)
    return list(tokens)


def _replaced(tokens: Sequence[Token]) -> Sequence[Token]:
    """The words with those of the table [anywhere] replaced."""
    for pattern, read in _anywhere():
        text = "".join(f"{token.text} " for token in tokens)
        if (match := pattern.search(text)) is not None:
            starts = _starts(tokens)
            first, last = (bisect_left(starts, at) for at in match.span())
            if first < last and starts[first] == match.start():  # Not within quotes.
                said = _filled(tokens[first:last], match, read)
                tokens = [*tokens[:first], *said, *tokens[last:]]
    return tokens


def _starts(tokens: Sequence[Token]) -> list[int]:
    """Where each token begins in their texts, joined by blanks."""
    return [0, *accumulate(len(token.text) + 1 for token in tokens[:-1])]


def _filled(tokens: Sequence[Token], match: re.Match[str], read: Sequence[str]) -> list[Token]:
    """What replaces some words: groups are numbered, or named after their slot."""
    groups = {f"<{i}>": said for i, said in enumerate(match.groups(), 1)}
    groups |= {f"<{name}>": said for name, said in match.groupdict().items()}
    start, end = tokens[0].start, tokens[-1].end
    return [Token(groups.get(part) or part, start, end) for part in read]


@cache
def _anywhere() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    table, words = _table(), _words()
    return tuple(
        (re.compile(r"(?<!\S)" + _pattern(said, words, grouped=True)), tuple(read.split()))
        for said, read in table["anywhere"].items()
    )


def _written(tokens: Sequence[Token], match: re.Match[str], read: Sequence[str]) -> list[Token]:
    """The tokens of the slots, and those of the further words."""
    found: list[Token] = []
    for part in reversed(read):
        if part.startswith("<"):
            first, last = match.span(part[1:-1])
            found = [
                token for token, start in zip(tokens, _starts(tokens), strict=True) if first <= start < last
            ] + found
        else:
            at = found[0].start if found else tokens[-1].start  # Outside of the name that may follow.
            found.insert(0, Token(part, at, at))
    return found


@cache
def _table() -> dict[str, dict[str, Any]]:
    return load_toml("reading.english", "phrasings.toml")


@cache
def _words() -> dict[str, str]:
    return {name: f"(?:{'|'.join(map(re.escape, said))})" for name, said in _table()["words"].items()}


@cache
def _phrasings() -> tuple[_Phrasing, ...]:
    table, words = _table(), _words()
    return tuple(
        _Phrasing(
            re.compile(_pattern(said, words)),
            tuple(re.sub(r"[{}]", "", read).split()),
            "<property>" in said,
            (re.findall(r"\{(.+?)\}", read) or [""])[0],
        )
        for said, read in table["phrasings"].items()
    )


def _pattern(said: str, words: Mapping[str, str], *, grouped: bool = False) -> str:
    """A phrasing as a regular expression over words, each with a blank behind it."""
    parts = _PART.findall(re.sub(r"\[(\{\w+\})\]", lambda found: f"[{words[found[1][1:-1]]}]", said))
    return "".join(_regular(parts, words, "(" if grouped else "(?:"))


def _regular(parts: Sequence[str], words: Mapping[str, str], opening: str) -> Iterator[str]:
    for part in parts:
        inner = part[1:-1]
        if part.startswith("<"):
            yield f"(?P<{inner}>{_SLOTS.get(inner) or words.get(inner, '.+?')}) "
        elif part.startswith("["):
            yield f"(?:(?:{inner}) )*"
        elif part.startswith("{"):
            yield f"{words[inner]} "
        else:
            yield f"{opening}{inner}) " if part.startswith("(") else f"{re.escape(part)} "
