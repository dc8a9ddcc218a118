"""The words of a question, each with the evidence that it belongs to a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from clew.tools.linking.normalise import compact, fold, is_word_character
from clew.tools.linking.ordinary import QUESTION_WORDS, WordClass, word_class

Joint = Literal["", "_", "-", "&"]
TokenKind = WordClass | Literal["question", "number", "clitic", "symbol"]

_CLITICS = {"s", "t", "d", "m", "ll", "re", "ve"}
_APOSTROPHES = "'\u2019\u2018`\u00b4"
_QUOTED = re.compile(
    r'"([^"]+)"|\u201c([^\u201d]+)\u201d|\u201e([^\u201c\u201d]+)[\u201c\u201d]|\u00ab([^\u00bb]+)\u00bb'
    r"|(?<!\w)['\u2018]((?:[^'\u2019]|['\u2019](?=\w))+)['\u2019](?!\w)"
)
_SYMBOLS = re.compile(
    r"(?<!\S)(?:[$\u20ac\u00a3\u00a5+*#%@=<>~^|]|[^\w\s\"\u201c\u201d\u00ab\u00bb\u201e]{2,})(?=[?.!]?(?!\S))"
)
TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof"})
"""Of people, before a name; they are no part of it."""
_ABBREVIATED = re.compile(r"(?<!\w)(?:[^\W\d_]|mr|mrs|ms|dr|st|prof|jr|sr|vs|no|vol)\.$", re.IGNORECASE)
"""What ends with a full stop within a sentence: initials and titles."""
_SCRIPTS_WITHOUT_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")

_WEIGHT: dict[TokenKind, float] = {
    "question": 0.05, "function": 0.1, "kind": 0.2, "ordinary": 0.35,
    "rare": 1.0, "number": 0.8, "symbol": 1.0, "clitic": 0.0,
}  # fmt: skip
_LOWER_CASE_AMONG_CAPITALS = 0.7
_CAPITAL = {"function": 0.8, "question": 0.8}


@dataclass(frozen=True, slots=True)
class Token:
    """`question[start:end]`, a word."""

    start: int
    end: int
    folded: str
    """Without spaces; empty for a symbol."""
    kind: TokenKind
    weight: float
    """How strongly this word indicates a name, 0 to 1."""
    marked: bool
    """Capitalised where case marks names, quoted, or part of an identifier like `a_b` or `a&b`."""
    joined: Joint
    """The text between it and the previous word if there is no space."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a question in order."""

    tokens: tuple[Token, ...]
    case_marks_names: bool
    """Whether the writer capitalises names: a capital occurs within a sentence, and not every word has one."""


def words_of(question: str) -> Words:
    """The words of `question`.

    A capital letter marks a name unless it begins a sentence, or the whole question is written in capitals or in title
    case; a first word in capitals is a name, too. In a question where case marks names, a lower-case ordinary word is
    less likely a name.
    """
    bounds = list(_bounds(question))
    folds = [compact(fold(question[start:end])) for start, end in bounds]
    kinds = [_kind(question, start, word) for (start, _), word in zip(bounds, folds, strict=True)]
    capital = [
        question[start].isupper() and word != "i" and word not in TITLES and not _begins_sentence(question, start)
        for (start, _), word in zip(bounds, folds, strict=True)
    ]
    by_case = _case_marks_names(question, capital, kinds)
    quoted = _quoted(question)
    tokens = []
    for i, (start, end) in enumerate(bounds):
        kind = kinds[i]
        after = _joint(question, start)
        before = _joint(question, bounds[i + 1][0]) if i + 1 < len(bounds) and bounds[i + 1][0] <= end + 1 else ""
        marked = kind != "clitic" and (
            (by_case and capital[i])
            or (not i and kind != "question" and _is_acronym(question[start:end], question[end:]))
            or any(joint in ("_", "&") for joint in (after, before))
            or any(first <= start and end <= last for first, last in quoted)
        )
        short = kind == "rare" and len(folds[i]) <= 2 and folds[i].isalpha()
        weight = 0.3 * len(folds[i]) if short else _WEIGHT[kind]
        if marked:
            weight = max(weight, _CAPITAL.get(kind, 1.0))
        elif by_case and kind in ("kind", "ordinary"):
            weight *= _LOWER_CASE_AMONG_CAPITALS
        tokens.append(Token(start, end, "" if kind == "symbol" else folds[i], kind, weight, marked, after))
    return Words(tuple(tokens), by_case)


def _bounds(question: str) -> Iterator[tuple[int, int]]:
    """Runs of letters and digits; `&`, free-standing runs of signs, and each letter of a script without spaces."""
    signs = {match.start(): match.end() for match in _SYMBOLS.finditer(question)}
    position = 0
    while position < len(question):
        end = signs.get(position, position)
        if end == position and question[position] == "&":
            end = position + 1
        elif end == position and is_word_character(question[position]):
            end = _word_end(question, position)
        if end > position:
            yield position, end
        position = max(end, position + 1)


def _word_end(question: str, start: int) -> int:
    end = start + 1
    if _SCRIPTS_WITHOUT_SPACES.match(question[start]):
        return end
    while end < len(question) and is_word_character(question[end]) and not _SCRIPTS_WITHOUT_SPACES.match(question[end]):
        end += 1
    return end


def _kind(question: str, start: int, word: str) -> TokenKind:
    if not any(map(str.isalnum, word)):
        return "symbol"
    if word in _CLITICS and start > 0 and question[start - 1] in _APOSTROPHES:
        return "clitic"
    if word.isdigit():
        return "number"
    return "question" if word in QUESTION_WORDS else word_class(word)


def _joint(question: str, start: int) -> Joint:
    """The text between the word at `start` and the previous word."""
    if start and "&" in question[start - 1 : start + 1] and not question[start - 1].isspace():
        return "&"
    if start < 2 or not is_word_character(question[start - 2]):
        return ""
    return "_" if question[start - 1] == "_" else "-" if question[start - 1] in "-\u2010\u2011" else ""


def _quoted(question: str) -> list[tuple[int, int]]:
    return [match.span(match.lastindex or 0) for match in _QUOTED.finditer(question)]


def _begins_sentence(question: str, start: int) -> bool:
    before = question[:start].rstrip(" \t\n\"'\u201c\u2018\u00ab\u201e([\u00bf\u00a1")
    return not before or (before[-1] in ".?!。" and not _ABBREVIATED.search(before))


def _is_acronym(word: str, rest: str) -> bool:
    """Whether the first word is written in capitals and the others are not: "IT staff"."""
    return len(word) > 1 and word.isupper() and any(map(str.islower, rest)) and not rest.split(maxsplit=1)[0].isupper()


def _case_marks_names(question: str, capital: list[bool], kinds: list[TokenKind]) -> bool:
    """Whether the writer capitalises names only; title case also capitalises plain words."""
    plain = [i for i, kind in enumerate(kinds) if kind in ("kind", "ordinary")]
    title_case = len(plain) >= 3 and all(capital[i] for i in plain)
    return any(capital) and not title_case and any(c.islower() for c in question)
