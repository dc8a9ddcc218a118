"""Sub-chunks: a chunk cut into equal parts, for a finer keyword channel (KET-RAG, section 5.1)."""

from __future__ import annotations

import re

from clew.tools.documents.chunk import Chunk

_GAP, _LINE_END = re.compile(r"\s+"), re.compile(r"\s*\n\s*")

Span = tuple[int, int]
"""[start, end) in the chunk's text."""


def sub_chunks(chunk: Chunk, splits: int) -> list[Span]:
    """The parts of a chunk after `splits` rounds of halving (τ), in order: 2 ** splits of about equal length.

    A text is cut between words, a table between rows, where the two halves differ least in length. What has no such
    place stays whole, so that there may be fewer parts. No word is lost. A chunk without text has no part.
    """
    first, last = len(chunk.text) - len(chunk.text.lstrip()), len(chunk.text.rstrip())
    if first >= last:
        return []
    gaps = _LINE_END if chunk.kind == "table" else _GAP
    spans = [(first, last)]
    for _ in range(splits):
        spans = [half for span in spans for half in _halved(chunk.text, span, gaps)]
    return spans


def _halved(text: str, span: Span, gaps: re.Pattern[str]) -> list[Span]:
    start, end = span
    places = [(match.start(), match.end()) for match in gaps.finditer(text, start, end)]
    if not places:
        return [span]
    left, right = min(places, key=lambda gap: abs((gap[0] - start) - (end - gap[1])))
    return [(start, left), (right, end)]
