"""Extraction by rules: two names in one sentence, and the words between them (in KET-RAG, section 5.1, a language
model reads the core chunks)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunk_graph.names import folded
from clew.tools.documents.store.extractions import Extraction, NamedEntity, NamedRelation
from clew.tools.text_search.sentences import sentences

MOST_BETWEEN = 12
"""Maximum number of words between two names that may state a relation."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation that a sentence states."""

    head: str
    relation: str
    """The words between the two names; of a table's row, the column's name."""
    tail: str
    sentence: str


def extracted(chunk: Chunk) -> Extraction:
    """The names of a chunk, each described by the first sentence that has it, and how the sentences join them."""
    found = mentions(chunk)
    return Extraction(
        tuple(NamedEntity(name, description=sentence) for name, sentence in found),
        tuple(NamedRelation(each.head, each.relation, each.tail, each.sentence) for each in statements(chunk)),
    )


def statements(chunk: Chunk) -> list[Statement]:
    """Each name of a sentence with the next one in it, where they are two and words that say something join them."""
    found = []
    for first, last in sentences(chunk.text):
        sentence = chunk.text[first:last]
        places = _places(sentence, chunk.entities)
        for (_, end, head), (start, _, tail) in pairwise(places):
            between = _WORD.findall(sentence[end:start])
            if 0 < len(between) <= MOST_BETWEEN and folded(head) != folded(tail):
                found.append(Statement(head, " ".join(between), tail, sentence))
    return found


def mentions(chunk: Chunk) -> list[tuple[str, str]]:
    """Each name with the first sentence that has it, in the order of the names."""
    first_sentences: dict[str, str] = {}
    for first, last in sentences(chunk.text):
        sentence = chunk.text[first:last]
        for _, _, name in _places(sentence, chunk.entities):
            first_sentences.setdefault(name, sentence)
    return [(name, first_sentences[name]) for name in chunk.entities if name in first_sentences]


def _places(sentence: str, names: tuple[str, ...]) -> list[tuple[int, int, str]]:
    """The positions of the names in order; of overlapping names, the longest."""
    taken: list[tuple[int, int, str]] = []
    for name in sorted(names, key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence):
            if all(match.end() <= start or end <= match.start() for start, end, _ in taken):
                taken.append((match.start(), match.end(), name))
    return sorted(taken)
