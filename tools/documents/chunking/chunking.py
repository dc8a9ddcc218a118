"""Cutting running text into chunks: by paragraphs, by meaning (SAGE, section 2.1), or by a number of tokens.

Every method keeps every word, in order. A heading begins a chunk, with the text under it.
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
"""Tokens. The sentence encoder reads about 200 (256 of its own, shorter ones), and what it does not read it does not
find."""
_PERCENTILE = 20
_WINDOWS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Chunking:
    """How documents are cut. Raises BadInput for sizes that cannot be."""

    method: Method = "paragraph"
    most: int = MOST
    """Tokens of a chunk."""
    least: int = LEAST
    """Tokens that a chunk has where its section has as many; not for `tokens`."""
    overlap: int = OVERLAP
    """Tokens that a chunk repeats of the one before; for `tokens` alone."""

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
        """Names the settings that decide the chunks."""
        third = self.overlap if self.method == "tokens" else self.least
        return f"{self.method}-{self.most}-{third}"

    @classmethod
    def of_key(cls, key: str) -> Chunking:
        """The settings that `key` names. Raises ValueError for none of its kind."""
        method, most, third = key.split("-")
        found = cls(overlap=int(third), method="tokens", most=int(most)) if method == "tokens" else None
        if found is None and method in METHODS:
            found = cls(method, int(most), least=int(third))
        if found is None:
            raise ValueError(key)
        return found


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
    """A paragraph a chunk; one below the least is joined with the next, one above the most cut between sentences."""
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
    """The units in as few runs of at most `most` tokens as can be, of about the same length."""
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
    """Boundaries where windows of three sentences are least alike, at or below the document's 20th percentile."""
    found = [
        [unit for each in section for unit in units_of(each, count, chunking.most)] for section in sections(paragraphs)
    ]
    likenesses = _likenesses(found, embedder)
    known = [likeness for section in likenesses for likeness in section]
    threshold = float(np.percentile(known, _PERCENTILE)) if known else 0.0
    for section, likeness in zip(found, likenesses, strict=True):
        yield from _without_small_end(list(_at_drops(section, likeness, threshold, chunking)), chunking)


def _at_drops(
    section: Sequence[Unit], likenesses: Sequence[float], threshold: float, chunking: Chunking
) -> Iterator[list[Unit]]:
    """Cut after unit i where likenesses[i] is at or below the threshold, or else where a chunk would grow too long: at
    the lowest likeness in it."""
    first = 0
    for last in range(1, len(section)):
        while length(section[first : last + 1]) > chunking.most:
            within = range(first, last)
            enough = [i for i in within if length(section[first : i + 1]) >= chunking.least] or list(within)[-1:]
            end = min(enough, key=lambda i: (likenesses[i], -i)) + 1
            yield list(section[first:end])
            first = end
        dropped = likenesses[last - 1] <= threshold and not section[last - 1].paragraph.level
        if dropped and first < last and length(section[first:last]) >= chunking.least:
            yield list(section[first:last])
            first = last
    yield from packed(section[first:], chunking.most)


def _likenesses(parts: Sequence[Sequence[Unit]], embedder: Embedder) -> list[list[float]]:
    """For each section, the cosine of the windows around each unit and the next: one fewer than it has units."""
    found: list[list[float]] = []
    for units in parts:
        windows = [" ".join(each.text for each in units[max(0, i - 1) : i + 2]) for i in range(len(units))]
        likenesses: list[float] = []
        for begun in range(0, len(windows) - 1, _WINDOWS_AT_ONCE):
            vectors = embedder.embed(windows[begun : begun + _WINDOWS_AT_ONCE + 1])
            likenesses += [float(one @ other) for one, other in pairwise(vectors)]
        found.append(likenesses)
    return found
