"""The units that chunks are made of: sentences with their length in tokens and their paragraph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from clew.tools.documents.reading.blocks import Paragraph
from clew.tools.text_search.sentences import sentences

Count = Callable[[str], int]
"""Counts the tokens of a text."""


_LONGEST_TOKEN = 20
"""Characters; a text with longer tokens may be cut although it would fit."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, a part of a long one, a word, or a heading."""

    text: str
    tokens: int
    """The tokens of the text with the space before it."""
    paragraph: Paragraph
    joint: str
    """The text between it and the unit before: a line break, a space, or nothing."""


def units_of(paragraph: Paragraph, count: Count, most: int) -> list[Unit]:
    """The sentences of a paragraph, each of at most `most` tokens; a heading is one sentence.

    A longer sentence is cut between words, a longer word within.
    """
    found: list[Unit] = []
    for line in paragraph.text.split("\n"):
        end = 0
        for first, last in [(0, len(line))] if paragraph.level else sentences(line):
            joint = "\n" if not end else " " if first > end else ""
            sentence = line[first:last]
            if _fits(sentence, count, most):
                found.append(Unit(sentence, count(" " + sentence), paragraph, joint))
            else:
                found += _parts(sentence, joint, paragraph, count, most)
            end = last
    return found


def words_of(paragraph: Paragraph, count: Count, most: int) -> list[Unit]:
    """The words of a paragraph; one of more than `most` tokens in parts."""
    found: list[Unit] = []
    for line in paragraph.text.split("\n"):
        joint = "\n"
        for word in line.split():
            for part in _cut(word, count, most):
                found.append(Unit(part, count(" " + part), paragraph, joint))
                joint = ""
            joint = " "
    return found


def packed(units: Iterable[Unit], most: int) -> Iterator[list[Unit]]:
    """Runs of units, each as long as `most` tokens allow."""
    run: list[Unit] = []
    tokens = 0
    for unit in units:
        if run and tokens + unit.tokens > most:
            yield run
            run, tokens = [], 0
        run.append(unit)
        tokens += unit.tokens
    if run:
        yield run


def sections(paragraphs: Iterable[Paragraph]) -> Iterator[list[Paragraph]]:
    """Runs of paragraphs under the same headings; headings without text belong to the next run."""
    section: list[Paragraph] = []
    has_text = False
    for paragraph in paragraphs:
        if has_text and (paragraph.level or paragraph.headings != section[-1].headings):
            yield section
            section, has_text = [], False
        section.append(paragraph)
        has_text = has_text or not paragraph.level
    if section:
        yield section


def joined(units: Sequence[Unit]) -> str:
    """The units as one text."""
    return "".join(part for unit in units for part in (unit.joint, unit.text))[len(units[0].joint) :] if units else ""


def length(units: Iterable[Unit]) -> int:
    """In tokens."""
    return sum(unit.tokens for unit in units)


def _parts(sentence: str, joint: str, paragraph: Paragraph, count: Count, most: int) -> list[Unit]:
    found: list[Unit] = []
    for run in packed(words_of(replace(paragraph, text=sentence), count, most), most):
        found.append(Unit(joined(run), length(run), paragraph, run[0].joint if found else joint))
    return found


def _cut(word: str, count: Count, most: int) -> list[str]:
    if len(word) < 2 or _fits(word, count, most):
        return [word]
    middle = len(word) // 2
    return _cut(word[:middle], count, most) + _cut(word[middle:], count, most)


def _fits(text: str, count: Count, most: int) -> bool:
    """Whether the text has at most `most` tokens. A very long text is not counted, which would be slow."""
    return len(text) <= _LONGEST_TOKEN * most and count(" " + text) <= most
