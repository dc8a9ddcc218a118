"""Cutting a text into chunks: its sentences, each of which says one thing, for one part of a question to meet."""

from __future__ import annotations

from collections.abc import Iterator

from clew.tools.text_search.sentences import sentences

MOST_CHARACTERS = 480
"""Of a chunk: about 80 words, 110 tokens, well within what the encoder reads."""
LEAST_CHARACTERS = 30
"""A shorter sentence ("Not so.") says little by itself: it is joined to the one before."""


def chunks(text: str) -> list[str]:
    """The text in order without loss of a word: one sentence each, short ones joined up to MOST_CHARACTERS, a longer
    sentence cut between words, a longer word within. Whitespace is normalised; a text without words has no chunk."""
    found: list[str] = []
    for piece in _pieces(text):
        short = found and min(len(found[-1]), len(piece)) < LEAST_CHARACTERS
        if short and len(found[-1]) + 1 + len(piece) <= MOST_CHARACTERS:
            found[-1] += " " + piece
        else:
            found.append(piece)
    return found


def _pieces(text: str) -> Iterator[str]:
    for start, end in sentences(text):
        plain = " ".join(text[start:end].split())
        while len(plain) > MOST_CHARACTERS:
            end = plain.rfind(" ", 0, MOST_CHARACTERS + 1)
            end = end if end > 0 else MOST_CHARACTERS
            yield plain[:end]
            plain = plain[end:].lstrip()
        if plain:
            yield plain
