"""Sentences as chunks are made of: with their length in tokens, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tools.documents.reading.blocks import Paragraph
from tools.documents.sentences import sentences

Count = Callable[[str], int]
"""The tokens of a text."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, a part of a long one, a word, or a heading."""

    text: str
    tokens: int
    """Of the text and what stands before it."""
    paragraph: Paragraph
    joint: str
    """What stands between it and the unit before: a line break, a space, or nothing."""


def units_of(paragraph: Paragraph, count: Count, most: int) -> list[Unit]:
    """The sentences of a paragraph, each of at most `most` tokens: a longer one is cut between words, a longer word
    within. A heading is one sentence."""
    found: list[Unit] = []
    for line in paragraph.text.split("\n"):
        end = 0
        for first, last in [(0, len(line))] if paragraph.level else sentences(line):
            joint = "\n" if not end else " " if first > end else ""
            unit = Unit(line[first:last], count(" " + line[first:last]), paragraph, joint)
            found += [unit] if unit.tokens <= most else _parts(unit, count, most)
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
    """Runs of paragraphs under the same headings; headings with nothing under them go with what follows."""
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


def _parts(sentence: Unit, count: Count, most: int) -> list[Unit]:
    words = words_of(replace(sentence.paragraph, text=sentence.text), count, most)
    found: list[Unit] = []
    for run in packed(words, most):
        joint = run[0].joint if found else sentence.joint
        found.append(Unit(joined(run), length(run), sentence.paragraph, joint))
    return found


def _cut(word: str, count: Count, most: int) -> list[str]:
    if count(" " + word) <= most or len(word) < 2:
        return [word]
    middle = len(word) // 2
    return _cut(word[:middle], count, most) + _cut(word[middle:], count, most)
