"""A reasoner's answers: one a line, each with what it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.agents.replies import items
from clew.agents.replies.citations import groups
from clew.agents.replies.loose_json import parse_json
from clew.agents.replies.parts import headed, part_named, tagged
from clew.agents.replies.prose import readable
from clew.agents.replies.shapes import CitedAnswer

_LONGEST_LINE = 2000
_ALL = re.compile(
    r"(?:all|every|everything|each)(?:\s+(?:of|the|rows?|results?|entries|answers|from|in|sets?|items|values))*\s*[:.]?\Z",
    re.IGNORECASE,
)
_ALL_BARE = re.compile(r"ALL\s+(?:rows\s+)?(?:of\s+|from\s+|in\s+)?([FQ]\d{1,5}(?:\s*,\s*[FQ]\d{1,5}){0,20})\s*\.?\Z")
_NUMBERED_NOTE = re.compile(r"\s*\[\d{1,2}\]\s*\Z")
_LED_IN = re.compile(r"(?:the )?(?:final )?answers?(?: is| are)?\s*[:\uff1a]\s*", re.IGNORECASE)
_CITED_FIRST = re.compile(r"\[\s*[FQ]\d", re.IGNORECASE)
_SOURCES = ("citations", "citation", "cites", "sources", "source", "evidence", "facts", "support", "refs")
_NO_ANSWER = frozenset({"unknown", "no answer found", "not found", "cannot be determined", "insufficient information"})


def parse_answers(text: str) -> list[CitedAnswer]:
    """The answers of a reasoner's reply, in its order, each once; of one said twice the citations are joined.

    Read from the tag <answers>, else from a JSON object or list, else from a heading, else from the lines of a reply
    that has no tags at all.
    """
    plain = readable(text)
    found = tagged(plain)
    if found.texts:
        return _joined(of_part(found.texts["answers"])) if "answers" in found.texts else []
    value = parse_json(plain)
    if isinstance(value, dict) and (plain[:1] in ("{", "`") or _answers_in(value) is not value):
        return _joined(of_json(_answers_in(value)))
    if isinstance(value, list) and plain[:1] in ("[", "`") and not _CITED_FIRST.match(plain):
        return _joined(of_json(value))
    under = headed(plain).texts.get("answers")
    return _joined(_of_lines(items.lines(plain if under is None else under)))


def of_part(text: str) -> Iterator[CitedAnswer]:
    """The answers of the part of a reply that holds them."""
    if (
        text[:1] in ("[", "{", "`")
        and not _CITED_FIRST.match(text)
        and isinstance(value := parse_json(text), (list, dict))
    ):
        yield from of_json(_answers_in(value) if isinstance(value, dict) else value)
    else:
        yield from _of_lines(items.lines(text))


def _answers_in(value: dict[str, object]) -> object:
    return next((each for key, each in value.items() if part_named(str(key)) == "answers"), value)


def of_json(value: object, depth: int = 0) -> Iterator[CitedAnswer]:
    """The answers of a JSON list, of texts or of objects with a name and citations."""
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


def _of_lines(lines: list[str]) -> Iterator[CitedAnswer]:
    for line in lines[: items.MOST_ITEMS * 10]:
        yield from _of_line(line[:_LONGEST_LINE])


def _of_line(line: str) -> Iterator[CitedAnswer]:
    """`A [F1], B [F2]` is two answers; what follows a citation otherwise is an explanation."""
    if bare := _ALL_BARE.match(line.strip("*` ")):
        line = f"ALL [{bare.group(1)}]"
    cited = groups(line)
    if not cited:
        yield from _answer(line, ())
        return
    names: list[tuple[str, tuple[str, ...]]] = []
    end = 0
    for start, after, codes in cited:
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
