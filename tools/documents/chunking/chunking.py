"""Cutting running text into chunks: by paragraphs, by meaning (SAGE, section 2.1), or by a number of tokens.

Every method keeps all words, in order. A heading begins a chunk with the text under it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from clew.tools.documents.chunking.units import Count, Unit, length, packed, sections, units_of, words_of
from clew.tools.documents.reading.blocks import Paragraph
from clew.tools.embedding import Embedder
from clew.tools.errors import BadInput

Method = Literal["paragraph", "semantic", "tokens"]
METHODS: tuple[Method, ...] = get_args(Method)

MOST, LEAST, OVERLAP = 200, 60, 40
"""Tokens. The sentence encoder reads about 200 (256 of its own, shorter ones); search does not find the rest."""
_PERCENTILE = 20
_WINDOWS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Chunking:
    """How documents are cut. Raises BadInput for impossible sizes."""

    method: Method = "paragraph"
    most: int = MOST
    """The most tokens of a chunk."""
    least: int = LEAST
    """The least tokens of a chunk whose section has as many; not for `tokens`."""
    overlap: int = OVERLAP
    """Tokens of the chunk before that a chunk repeats; only for `tokens`."""

    def __post_init__(self) -> None:
        if self.most < 20:
            raise BadInput(f"Chunks of {self.most} tokens are too small.", "Allow 20 or more.")
        if self.method != "tokens" and not 0 <= self.least <= self.most:
            raise BadInput(f"No chunk can have at least {self.least} of at most {self.most} tokens.", "Allow fewer.")
        if self.method == "tokens" and not 0 <= self.overlap <= self.most // 2:
            raise BadInput(
                f"An overlap of {self.overlap} is too much for chunks of {self.most} tokens.", "Allow half of it."
            )

    @property
    def key(self) -> str:
        """Identifies the settings that decide the chunks."""
        third = self.overlap if self.method == "tokens" else self.least
        return f"{self.method}-{self.most}-{third}"

    @classmethod
    def of_key(cls, key: str) -> Chunking:
        """The settings of a `key`. Raises ValueError for any other text."""
        method, most, third = key.split("-")
        if method == "tokens":
            return cls("tokens", int(most), overlap=int(third))
        if method in METHODS:
            return cls(method, int(most), least=int(third))
        raise ValueError(key)


def cut(
    paragraphs: Sequence[Paragraph], chunking: Chunking, count: Count, embedder: Embedder | None = None
) -> Iterator[list[Unit]]:
    """The units of each chunk in order. `semantic` needs the embedder."""
    if chunking.method == "tokens":
        words = [unit for paragraph in paragraphs for unit in words_of(paragraph, count, chunking.most)]
        yield from _overlapping(words, chunking)
    elif chunking.method == "paragraph":
        for section in sections(paragraphs):
            yield from _by_paragraphs([units_of(each, count, chunking.most) for each in section], chunking)
    else:
        assert embedder is not None
        yield from _by_meaning(paragraphs, chunking, count, embedder)


def _overlapping(words: Sequence[Unit], chunking: Chunking) -> Iterator[list[Unit]]:
    """Chunks of as many words as fit, each beginning with the end of the one before."""
    first = 0
    while first < len(words):
        last, tokens = first, 0
        while last < len(words) and (last == first or tokens + words[last].tokens <= chunking.most):
            tokens += words[last].tokens
            last += 1
        yield list(words[first:last])
        if last == len(words):
            return
        repeated, tokens = last, words[last - 1].tokens
        while repeated > first + 1 and tokens <= chunking.overlap:
            repeated -= 1
            tokens += words[repeated - 1].tokens
        first = repeated


def _by_paragraphs(section: Sequence[list[Unit]], chunking: Chunking) -> Iterator[list[Unit]]:
    """One chunk per paragraph; below the least it is joined with the next, above the most cut between sentences."""
    runs: list[list[Unit]] = []
    for paragraph in section:
        fits = runs and length(runs[-1]) < chunking.least and length(runs[-1]) + length(paragraph) <= chunking.most
        if fits or (runs and all(unit.paragraph.level for unit in runs[-1])):
            runs[-1] = runs[-1] + paragraph
        else:
            runs.append(paragraph)
    chunks = [chunk for run in runs for chunk in _evenly(run, chunking.most)]
    yield from _without_small_end(chunks, chunking)


def _evenly(units: Sequence[Unit], most: int) -> Iterator[list[Unit]]:
    """The units in as few runs of at most `most` tokens as possible, of about equal length."""
    total = length(units)
    if total <= most:
        yield list(units)
        return
    aim = max(total / -(-total // most), max(unit.tokens for unit in units))
    yield from packed(units, min(most, int(aim * 1.1) + 1))


def _without_small_end(chunks: list[list[Unit]], chunking: Chunking) -> list[list[Unit]]:
    """Chunks below the least are joined with a neighbour where that fits."""
    found: list[list[Unit]] = []
    for chunk in chunks:
        small = found and min(length(chunk), length(found[-1])) < chunking.least
        if small and length(found[-1]) + length(chunk) <= chunking.most:
            found[-1] = found[-1] + chunk
        else:
            found.append(chunk)
    return found


def _by_meaning(
    paragraphs: Sequence[Paragraph], chunking: Chunking, count: Count, embedder: Embedder
) -> Iterator[list[Unit]]:
    """Cut where windows of three sentences are least similar, at or below the document's 20th percentile."""
    found = [
        [unit for each in section for unit in units_of(each, count, chunking.most)] for section in sections(paragraphs)
    ]
    similarities = _similarities(found, embedder)
    known = [similarity for section in similarities for similarity in section]
    threshold = float(np.percentile(known, _PERCENTILE)) if known else 0.0
    for section, similarity in zip(found, similarities, strict=True):
        yield from _without_small_end(list(_at_drops(section, similarity, threshold, chunking)), chunking)


def _at_drops(
    section: Sequence[Unit], similarities: Sequence[float], threshold: float, chunking: Chunking
) -> Iterator[list[Unit]]:
    """Cut after unit i where similarities[i] is at or below the threshold; a chunk that would be too long is cut at its
    lowest similarity."""
    first = 0
    for last in range(1, len(section)):
        while length(section[first : last + 1]) > chunking.most:
            within = range(first, last)
            enough = [i for i in within if length(section[first : i + 1]) >= chunking.least] or list(within)[-1:]
            end = min(enough, key=lambda i: (similarities[i], -i)) + 1
            yield list(section[first:end])
            first = end
        dropped = similarities[last - 1] <= threshold and not section[last - 1].paragraph.level
        if dropped and first < last and length(section[first:last]) >= chunking.least:
            yield list(section[first:last])
            first = last
    yield from packed(section[first:], chunking.most)


def _similarities(parts: Sequence[Sequence[Unit]], embedder: Embedder) -> list[list[float]]:
    """For each section, the cosine of the windows around each unit and the next: one fewer than units."""
    found: list[list[float]] = []
    for units in parts:
        windows = [" ".join(each.text for each in units[max(0, i - 1) : i + 2]) for i in range(len(units))]
        similarities: list[float] = []
        for begun in range(0, len(windows) - 1, _WINDOWS_AT_ONCE):
            vectors = embedder.embed(windows[begun : begun + _WINDOWS_AT_ONCE + 1])
            similarities += [float(one @ other) for one, other in pairwise(vectors)]
        found.append(similarities)
    return found
