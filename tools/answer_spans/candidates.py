"""The spans of a passage that may answer a question: names, numbers, dates, quoted lines and the cells of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.mentions.names import capitalised
from clew.tools.documents.mentions.vocabulary import Vocabulary
from clew.tools.graph.entity import Entity
from clew.tools.linking.ordinary import word_class
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import unit_measure
from clew.tools.queries.values import MONTHS, NUMERALS

SpanKind = Literal["name", "number", "time", "quote", "code", "phrase"]
"""A phrase is a noun in lower case with what belongs to it: "the shelter by the rear entrance"."""

_MONTH = "|".join(sorted((name.capitalize() for name in MONTHS), key=len, reverse=True))
_YEAR = r"(?:1\d{3}|20\d\d)"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_TIME = re.compile(
    rf"\b{_DAY} (?:of )?(?:{_MONTH})\b\.?(?:,? {_YEAR}\b)?|\b(?:{_MONTH})\.? {_DAY}\b(?:,? {_YEAR}\b)?"
    rf"|\b(?:{_MONTH})\.? {_YEAR}\b|\b{_YEAR}-\d\d-\d\d\b|\b{_YEAR}s?\b"
    r"|\b(?:half past|quarter past|quarter to) \w+\b|\b\d{1,2}[.:]\d\d(?: ?[ap]\.?m\.?)?(?![\w.,]*\d)"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
)
_WORDS_OF_NUMBERS = "|".join(sorted(NUMERALS, key=len, reverse=True))
_NUMBER = re.compile(
    r"(?<![\w.,-])(?:[$\u20ac\u00a3]\s?)?\d+(?:[.,]\d+)*(?:\s?%|(?![\w]))(?: (?:hundred|thousand|million|billion)\b)?"
    rf"|\b(?:{_WORDS_OF_NUMBERS})(?:[- ](?:{_WORDS_OF_NUMBERS}|hundred|thousand|million|billion))*\b",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[ \u00a0-]?(%|[^\W\d_]+)")
_CODE = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Z0-9][\w-]+\b|\b\d{2,}(?: \d{2,})+\b")
_QUOTE = re.compile(
    '\u201c([^\u201c\u201d]{2,300})\u201d|(?<!\\w)"([^"]{2,300})"(?!\\w)|\u2018([^\u2018\u2019]{8,300})\u2019(?!\\w)'
)
_TAIL = re.compile(r" (?:of|from|at|in) ")
_APPOSED = re.compile(r"(?:^|[.!?\n] ?)([A-Z][\w'\u2019-]+), (?:the|a|an|our|my) ")
_ARTICLES = ("the", "a", "an", "its", "their", "our", "my", "his", "her", "your")
_BEFORE_PHRASES = (
    "in", "at", "on", "by", "under", "to", "near", "behind", "beside", "inside", "outside", "from", "with", "into",
    "is", "are", "was", "were", "called", "for", *_ARTICLES,
)  # fmt: skip
_WITHIN_PHRASES = ("of", "in", "on", "at", "by", "to", "for")
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_MOST_PHRASE = 4
"""Nouns and adjectives that stand together in a phrase."""
_LONG_CELL = 4
"""Words from which on what stands in a cell is told apart."""
_CELL = re.compile(r"(?:^|; )([^:;\n]+): ([^;\n]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """`text[start:end]` of a chunk, which may be the answer."""

    start: int
    end: int
    kind: SpanKind
    unit: str = ""
    """Of a number, the word behind it in the singular; the span of the answer ends with it."""
    number_end: int = 0
    """Of a number, where it ends without its unit."""
    column: str = ""
    """Of a table's cell, the name of its column."""
    node: Entity | None = None
    """The node of the graph that it names."""
    within_date: bool = False
    """Whether it is the year of a date."""

    def spoken(self, *, counted: bool) -> tuple[int, int]:
        """The span of the answer: of a count the number alone."""
        return self.start, self.number_end if counted and self.number_end else self.end


def candidates_in(chunk: Chunk, vocabulary: Vocabulary, nodes: Iterable[tuple[int, int, Entity]]) -> list[Candidate]:
    """The candidates of a chunk, by place.

    Args:
        chunk: A passage, or rows of a table.
        vocabulary: The words of the passages, which show what is capitalised only at the beginning of a sentence.
        nodes: Where the chunk names nodes of the graph: [start, end) of its text.
    """
    text = chunk.text
    if chunk.kind == "table":
        return list(_cells(text))
    times = [Candidate(match.start(), _end_of_time(match), "time") for match in _TIME.finditer(text)]
    found = [*times, *_years_within(text, times)]
    found += [_quote(match) for match in _QUOTE.finditer(text) if any(map(str.isalnum, match.group()))]
    codes = [Candidate(match.start(), match.end(), "code") for match in _CODE.finditer(text)]
    named = [Candidate(start, end, "name", node=node) for start, end, node in nodes]
    names = [each for each in _names(text, vocabulary) if not _within(each, [*times, *codes])]
    found += named + [each for each in names if not _covered(each, named)]
    found += [*codes, *_numbers(text, [*times, *codes, *named, *names])]
    taken = {(each.start, each.end) for each in found}
    found += [each for each in _phrases(text) if (each.start, each.end) not in taken]
    return sorted(found, key=lambda each: (each.start, each.end))


def _end_of_time(match: re.Match[str]) -> int:
    """Without the full stop behind it, unless it ends in "p.m."."""
    return match.end() - (match.group().endswith(".") and not match.group().endswith(".m."))


def _phrases(text: str) -> Iterator[Candidate]:
    """The nouns behind prepositions, articles and "is", with their adjectives; and the same with one phrase more behind
    a preposition."""
    words = list(_WORD.finditer(text))
    for place, word in enumerate(words[:-1]):
        begins = word.group().lower() in _BEFORE_PHRASES and words[place + 1].group().lower() not in _BEFORE_PHRASES
        if not begins or (end := _run(text, words, place + 1)) is None:
            continue
        start = words[place + 1].start()
        yield Candidate(start, words[end - 1].end(), "phrase")
        behind = words[end : end + 2]
        if not behind or behind[0].group() not in _WITHIN_PHRASES or not _touch(text, words, end):
            continue
        further = end + 1 + (len(behind) > 1 and behind[1].group() in _ARTICLES)
        if (last := _run(text, words, further)) is not None and _touch(text, words, further):
            yield Candidate(start, words[last - 1].end(), "phrase")


def _run(text: str, words: Sequence[re.Match[str]], first: int) -> int | None:
    """The end of the words from a place on that are no function words and stand together; None for none."""
    end = first
    while end < min(len(words), first + _MOST_PHRASE) and word_class(words[end].group().lower()) != "function":
        if end > first and not _touch(text, words, end):
            break
        end += 1
    return end if end > first else None


def _touch(text: str, words: Sequence[re.Match[str]], place: int) -> bool:
    """Whether only a blank stands before a word."""
    return text[words[place - 1].end() : words[place].start()] == " "


def _names(text: str, vocabulary: Vocabulary) -> list[Candidate]:
    """Names: also "Maid's Head" as a whole, "Eva Ross" of "Eva Ross of Bergen", and the first word of a sentence with
    an apposition ("Biscuit, the dog, …")."""
    spans = [(start, start + len(name)) for start, name in capitalised(text, vocabulary) if not name[0].isdecimal()]
    starts = dict(spans)
    joined = [(start, starts[end + 3]) for start, end in spans if text[end + 1 : end + 3] == "s " and end + 3 in starts]
    parted = [(start, start + found.start()) for start, end in spans if (found := _TAIL.search(text[start:end]))]
    apposed = [match.span(1) for match in _APPOSED.finditer(text) if match.start(1) not in starts]
    return [Candidate(start, end, "name") for start, end in dict.fromkeys([*spans, *joined, *parted, *apposed])]


def _cells(text: str) -> Iterator[Candidate]:
    for match in _CELL.finditer(text):
        start = match.start(2)
        value = match[2].strip()
        if not value:
            continue
        number = _NUMBER.match(value)
        kind: SpanKind = "time" if _TIME.fullmatch(value) else "number" if number else "name"
        column = match[1].strip()
        yield Candidate(start, start + len(match[2].rstrip()), kind, column=column)
        if len(value.split()) >= _LONG_CELL:
            for inner in (*_TIME.finditer(match[2]), *_NUMBER.finditer(match[2])):
                end, unit = _with_unit(match[2], inner.end())
                told: SpanKind = "time" if _TIME.fullmatch(inner.group()) else "number"
                yield Candidate(start + inner.start(), start + end, told, unit, start + inner.end(), column)


def _quote(match: re.Match[str]) -> Candidate:
    """What stands between the quotes, without the comma before "said X"."""
    said = match[match.lastindex or 0]
    start = match.start(match.lastindex or 0) + len(said) - len(said.lstrip())
    return Candidate(start, start + len(said.strip().rstrip(",")), "quote")


def _years_within(text: str, times: Sequence[Candidate]) -> Iterator[Candidate]:
    """The years of dates, for "which year"."""
    for each in times:
        match = re.search(rf"{_YEAR}$", text[each.start : each.end])
        if match and match.start():
            yield Candidate(each.start + match.start(), each.end, "time", within_date=True)


def _numbers(text: str, taken: Sequence[Candidate]) -> Iterator[Candidate]:
    for match in _NUMBER.finditer(text):
        own = Candidate(match.start(), match.end(), "number")
        if not _within(own, taken):
            end, unit = _with_unit(text, match.end())
            yield Candidate(match.start(), end, "number", unit, match.end())
            more = _NUMBER.match(text, end + 1) if unit and text[end : end + 1] == " " else None
            if more is not None:  # "6 minutes 20 seconds"
                yield Candidate(match.start(), _with_unit(text, more.end())[0], "number", unit, match.end())


def _with_unit(text: str, end: int) -> tuple[int, str]:
    """The end of a number with its unit, and the unit in the singular; a unit may have an adjective before it."""
    first = _UNIT.match(text, end)
    if first is None or (first[1] != "%" and _is_no_unit(first[1])):
        return end, ""
    if unit_measure(singular(first[1].lower())) or singular(first[1]) != first[1]:
        return first.end(), singular(first[1].lower())
    second = re.compile(r" ([^\W\d_]+)").match(text, first.end())
    if second and not _is_no_unit(second[1]) and singular(second[1]) != second[1]:
        return second.end(), singular(second[1].lower())
    return first.end(), first[1].lower()


def _is_no_unit(word: str) -> bool:
    return not word.islower() or word_class(word) == "function"


def _within(one: Candidate, others: Sequence[Candidate]) -> bool:
    return any(one.start < other.end and one.end > other.start for other in others)


def _covered(one: Candidate, others: Sequence[Candidate]) -> bool:
    return any(other.start <= one.start and one.end <= other.end for other in others)
