"""The answers of a reasoner's reply: one per line, each with its citations of evidence, `[F1, Q2]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from clew.agents.replies import items
from clew.agents.replies.loose_json import parse_json, read_json
from clew.agents.replies.parts import headed, part_named, tagged
from clew.agents.replies.prose import readable

_LONGEST_LINE = 2000
_LONGEST_RANGE = 50
_ALL = re.compile(
    r"(?:all|every|everything|each)(?:\s+(?:of|the|rows?|results?|entries|answers|from|in|sets?|items|values))*\s*[:.]?\Z",
    re.IGNORECASE,
)
_ALL_BARE = re.compile(r"ALL\s+(?:rows\s+)?(?:of\s+|from\s+|in\s+)?([FQ]\d{1,5}(?:\s*,\s*[FQ]\d{1,5}){0,20})\s*\.?\Z")
_NUMBERED_NOTE = re.compile(r"\s*\[\d{1,2}\]\s*\Z")
_LED_IN = re.compile(r"(?:the )?(?:final )?answers?(?: is| are)?\s*[:\uff1a]\s*", re.IGNORECASE)
_CITED_FIRST = re.compile(r"\[\s*[FQ]\d", re.IGNORECASE)
_BRACKETS = re.compile(
    r"[\[\u3010\uff3b(\uff08]([^\[\]\u3010\u3011\uff3b\uff3d()\uff08\uff09\n]{1,200})[\]\u3011\uff3d)\uff09]"
)
_CITATION = re.compile(r"(?:facts?|results?|result sets?|items?|query|queries)?\s*#?([FQfq])\s?(\d{1,5})\Z")
_RANGE = re.compile(r"([FQfq])\s?(\d{1,5})\s*(?:-|\u2013|\u2014|\.\.|to)\s*[FQfq]?\s?(\d{1,5})\Z")
_BETWEEN = re.compile(r"[,;/&\u3001\uff0c+|]|\band\b")
_SOURCES = ("citations", "citation", "cites", "sources", "source", "evidence", "facts", "support", "refs")
_NO_ANSWER = frozenset({"unknown", "no answer found", "not found", "cannot be determined", "insufficient information"})


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """One line of a reasoner's answers."""

    name: str
    """"" if `all` is set."""
    citations: tuple[str, ...] = ()
    """Such as "F1" or "Q2", in the line's order."""
    all: bool = False
    """It stands for every row of the result sets that it cites."""


@dataclass(frozen=True, slots=True)
class AnswerLines:
    """The answers of a reasoner's reply in its order, each once; the citations of repeated ones are joined."""

    lines: list[CitedAnswer]
    formatted: bool = True
    """They were marked as answers: by a tag, as JSON, by a heading. Other replies may be sentences."""
    cut_off: bool = False
    """The reply breaks off within them."""


def parse_answers(text: str) -> AnswerLines:
    """The answers in the tag <answers>, else in a JSON object or list, else under a heading, else on the lines of a
    reply without tags."""
    plain = readable(text)
    found = tagged(plain)
    if found.texts:
        lines = _joined(of_part(found.texts["answers"])) if "answers" in found.texts else []
        return AnswerLines(lines, cut_off=found.unended == "answers")
    json = read_json(plain)
    value = json.value
    if isinstance(value, dict) and (plain[:1] in ("{", "`") or _answers_in(value) is not value):
        return AnswerLines(_joined(of_json(_answers_in(value))), cut_off=json.cut_off)
    if isinstance(value, list) and plain[:1] in ("[", "`") and not _CITED_FIRST.match(plain):
        return AnswerLines(_joined(of_json(value)), cut_off=json.cut_off)
    under = headed(plain).texts.get("answers")
    lines = _joined(_of_lines(items.lines(plain if under is None else under)))
    return AnswerLines(lines, formatted=under is not None)


def of_part(text: str) -> Iterator[CitedAnswer]:
    """The answers in the part of a reply that holds them."""
    value = parse_json(text) if text[:1] in ("[", "{", "`") and not _CITED_FIRST.match(text) else None
    if isinstance(value, (list, dict)):
        yield from of_json(_answers_in(value) if isinstance(value, dict) else value)
    else:
        yield from _of_lines(items.lines(text))


def of_json(value: object, depth: int = 0) -> Iterator[CitedAnswer]:
    """The answers in a JSON list of texts, or of objects with a name and citations."""
    if isinstance(value, list) and depth < 4:
        for each in value:
            yield from of_json(each, depth + 1)
    elif isinstance(value, dict):
        named = items.strings({key: each for key, each in value.items() if str(key).casefold() not in _SOURCES})
        cited = [each for key, each in value.items() if str(key).casefold() in _SOURCES]
        codes = ", ".join(code.strip("[] ") for code in items.strings(cited))
        yield from (answer for name in named[:1] for answer in _of_line(f"{name} [{codes}]" if codes else name))
    else:
        yield from _of_lines(items.strings(value))


def _answers_in(value: dict[str, object]) -> object:
    return next((each for key, each in value.items() if part_named(str(key)) == "answers"), value)


def _of_lines(lines: list[str]) -> Iterator[CitedAnswer]:
    for line in lines[: items.MOST_ITEMS * 10]:
        yield from _of_line(line[:_LONGEST_LINE])


def _of_line(line: str) -> Iterator[CitedAnswer]:
    """`A [F1], B [F2]` is two answers; other text after a citation is an explanation."""
    if bare := _ALL_BARE.match(line.strip("*` ")):
        line = f"ALL [{bare.group(1)}]"
    brackets = _cited_brackets(line)
    if not brackets:
        yield from _answer(line, ())
        return
    names: list[tuple[str, tuple[str, ...]]] = []
    end = 0
    for start, after, codes in brackets:
        between = line[end:start]
        if names and not between.strip(" \t,;&"):
            names[-1] = (names[-1][0], names[-1][1] + codes) if not between.strip() or not names[-1][0] else names[-1]
        elif names and names[-1][0] and between.lstrip()[:1] not in (",", ";", "|"):
            names[-1] = (names[-1][0], names[-1][1] + codes)
        else:
            names.append((between.strip(" \t,;|"), codes))
        end = after
    if len(names) == 1 and not names[0][0]:  # the citation comes first
        names = [(line[end:].strip(" \t:-\u2013\u2014"), names[0][1])]
    for name, codes in names:
        yield from _answer(name, codes)


def _answer(words: str, codes: tuple[str, ...]) -> Iterator[CitedAnswer]:
    codes = tuple(dict.fromkeys(codes))
    name = items.bare(_LED_IN.sub("", _NUMBERED_NOTE.sub("", words.strip()), count=1).rstrip(":"))
    if _ALL.match(name) and (codes or name == "ALL"):
        yield CitedAnswer("", codes, all=True)
    elif name and len(name) <= items.LONGEST and name.casefold().rstrip(".") not in _NO_ANSWER:
        yield CitedAnswer(name, codes)


def _joined(answers: Iterator[CitedAnswer]) -> list[CitedAnswer]:
    found: dict[tuple[str, bool], CitedAnswer] = {}
    for answer in answers:
        key = (answer.name, answer.all)
        before = found.get(key)
        cited = (*before.citations, *answer.citations) if before else answer.citations
        found[key] = CitedAnswer(answer.name, tuple(dict.fromkeys(cited)), answer.all)
    return list(found.values())


def _cited_brackets(line: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """(start, end, citations) of every bracket that holds only citations."""
    brackets = ((*match.span(), _citations(match.group(1))) for match in _BRACKETS.finditer(line))
    return [each for each in brackets if each[2]]


def _citations(inside: str) -> tuple[str, ...]:
    cited: dict[str, None] = {}
    for piece in _BETWEEN.split(inside):
        word = piece.strip().strip("[]#\"'`* ")
        if not word:
            continue
        if one := _CITATION.match(word):
            cited.setdefault(f"{one.group(1).upper()}{int(one.group(2))}")
        elif several := _RANGE.match(word):
            kind, first, last = several.group(1).upper(), int(several.group(2)), int(several.group(3))
            cited.update(
                (f"{kind}{number}", None) for number in range(first, min(last, first + _LONGEST_RANGE - 1) + 1)
            )
        else:
            return ()
    return tuple(cited)
