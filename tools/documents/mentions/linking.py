"""Links from chunks to the graph's entities, stored with the chunks, and renewed when the names have changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import filelock

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.mentions.mentions import SURNAME_SCORE, MentionFinder, TextMention
from clew.tools.documents.store.records import ChunkMention, Document
from clew.tools.documents.store.store import DocumentStore
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.ordinary import word_class

RULES = 1
"""Increased when a change of the rules finds other mentions."""
_LOCK = "linking.lock"
_MOST_WORDS = 4
_SHORTEST = 3
_WORD = re.compile(r"(?<![\w-])[^\W\d_]+(?![\w-])")
_BEFORE = re.compile(r"([^\W\d_]+|\b[^\W\d_]\.) $")


def link_documents(store: DocumentStore, index: EntityIndex, advance: Callable[[int], None] | None = None) -> int:
    """Find the names of `index` in the documents that have not been searched with these names.

    One process at a time; an interrupted run continues with the next call.

    Args:
        store: the documents.
        index: the names of the graph's entities.
        advance: called with the number of chunks that are done.

    Returns:
        How many documents were searched.
    """
    if not unlinked(store, index):
        return 0
    names, linked, chunks = names_version(index), 0, 0
    with filelock.FileLock(store.directory / _LOCK), store.held_open():
        if waiting := unlinked(store, index):
            finder = MentionFinder(index)
        for document in waiting:
            linked += store.link(document, _mentions(finder, store.chunks(document.id)), names)
            chunks += document.chunks
            if advance is not None:
                advance(chunks)
    return linked


def unlinked(store: DocumentStore, index: EntityIndex) -> list[Document]:
    """The documents that have not been searched with the names of `index`."""
    names = names_version(index)
    return [document for document in store.documents() if document.linked != names]


def names_version(index: EntityIndex) -> str:
    """Identifies what mentions depend on besides the documents."""
    return f"{RULES} {index.version} {index.contents}"


def _mentions(finder: MentionFinder, chunks: Iterator[Chunk]) -> Iterator[ChunkMention]:
    surnames = _Surnames()
    for chunk in chunks:
        is_table = chunk.kind == "table"
        columns = _columns(chunk) if is_table else ()
        named = [
            each
            for each in finder.in_text(chunk.text, cells=is_table)
            if not any(first <= each.start < last for first, last in columns)
        ]
        for each in sorted([*named, *surnames.found(chunk.text, named)], key=lambda each: each.start):
            for candidate in each.meant:
                yield ChunkMention(chunk.id, candidate.entity.id, each.surface, each.start, each.score)


def _columns(chunk: Chunk) -> list[tuple[int, int]]:
    """The positions of column names in the rows of a table, which are not mentions."""
    found = []
    for name in chunk.header:
        found += [each.span() for each in re.finditer(rf"(?:^|; ){re.escape(name)}:", chunk.text, re.MULTILINE)]
    return found


class _Surnames:
    """Within a document, a person named in full is often named by the last word alone after that."""

    def __init__(self) -> None:
        self._known: dict[str, TextMention | None] = {}
        """By last word, the full name; None if several end in it."""

    def found(self, text: str, named: Sequence[TextMention]) -> list[TextMention]:
        """The surnames in the text of people who are named in full before, or in this text."""
        for each in named:
            self._learn(each)
        covered = [(each.start, each.end) for each in named]
        found = []
        for match in _WORD.finditer(text):
            full = self._known.get(match.group())
            apart = all(match.end() <= start or end <= match.start() for start, end in covered)
            if full is not None and apart and not _within_run(text, match):
                score = full.score * SURNAME_SCORE
                found.append(replace(full, start=match.start(), end=match.end(), surface=match.group(), score=score))
        return found

    def _learn(self, named: TextMention) -> None:
        words = named.surface.split()
        if not 1 < len(words) <= _MOST_WORDS or not all(word[0].isupper() and word[-1].isalpha() for word in words):
            return
        last = words[-1]
        if len(last) >= _SHORTEST and last.isalpha() and not last.isupper() and word_class(last.lower()) == "rare":
            known = self._known.setdefault(last, named)
            if known is not None and {each.entity.id for each in known.meant} != {e.entity.id for e in named.meant}:
                self._known[last] = None


def _within_run(text: str, match: re.Match[str]) -> bool:
    """Whether a capitalised word is adjacent, so that it is part of another name."""
    after = text[match.end() : match.end() + 2]
    if after[:1] == " " and after[1:].isupper():
        return True
    before = _BEFORE.search(text[max(0, match.start() - 40) : match.start()])
    return before is not None and before.group(1)[0].isupper() and word_class(before.group(1).lower()) == "rare"
