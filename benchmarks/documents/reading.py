"""MuSiQue and OTT-QA as chunks and questions, cut as documents that a user adds are."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.chunking.cutting import chunks_of
from clew.tools.documents.reading.blocks import Content, Paragraph, Table

WHOLE_PARAGRAPHS = Chunking("paragraph", most=1200, least=0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its gold."""

    text: str
    answer: str
    slots: tuple[frozenset[str], ...] = ()
    """Of OTT-QA: sets of chunk ids; a slot is filled by any of its chunks."""


def musique(folder: Path) -> tuple[list[Chunk], list[Asked]]:
    """Every paragraph of the corpus is a chunk; they are one document without a title."""
    with (folder / "corpus.txt").open(encoding="utf-8") as file:
        paragraphs = [Paragraph(line.strip()) for line in file if line.strip()]
    chunks = list(chunks_of("corpus", Content("", paragraphs), WHOLE_PARAGRAPHS))
    with (folder / "dev.jsonl").open(encoding="utf-8") as file:
        questions = [json.loads(line) for line in file]
    return chunks, [Asked(each["question"], each["answer"]) for each in questions]


@dataclass(frozen=True, slots=True)
class OttQa:
    chunks: list[Chunk]
    questions: list[Asked]
    links: frozenset[tuple[str, str]]
    """Chunks of table rows and of passages that a hyperlink joins. Never an input."""


def ottqa(folder: Path, most: int | None = None) -> OttQa:
    """Every table and every passage is a document; tables are cut into segments.

    With `most`, a sample: the first `most` questions, their tables, and all passages that these tables link to or that
    the questions need.
    """
    chunks: list[Chunk] = []
    of_row: dict[tuple[int, int], str] = {}
    of_passage: dict[int, list[str]] = {}
    tables, passages = _lines(folder / "tables.jsonl.gz"), _lines(folder / "passages.jsonl.gz")
    asked = list(islice(_lines(folder / "questions.dev.jsonl.gz"), most))
    wanted_tables = {each["table"] for each in asked}
    wanted = {passage for each in asked for passage in each["passages"] or ()}
    linked = []
    for table in tables:
        if most is not None and table["id"] not in wanted_tables:
            continue
        wanted |= {passage for _, _, passage in table["links"]}
        rows = [tuple(row) for row in table["rows"]]
        content = Content(table["title"], [Table(rows, tuple(table["header"]), table["section"])])
        for chunk in chunks_of(f"table {table['id']}", content, WHOLE_PARAGRAPHS):
            chunks.append(chunk)
            of_row.update(((table["id"], row), chunk.id) for row in _rows_at(chunk.place))
        linked += [(table["id"], max(row, 0), passage) for row, _, passage in table["links"]]
    for passage in passages:
        if most is not None and passage["id"] not in wanted:
            continue
        content = Content(passage["title"], [Paragraph(passage["text"])])
        found = list(chunks_of(f"passage {passage['id']}", content, WHOLE_PARAGRAPHS))
        chunks += found
        of_passage[passage["id"]] = [chunk.id for chunk in found]
    questions = []
    for each in asked:
        slots = [frozenset(of_row[each["table"], row] for row in each["rows"])]
        if each["passages"]:
            slots.append(frozenset(id for passage in each["passages"] for id in of_passage[passage]))
        questions.append(Asked(each["q"], each["answer"], tuple(slots)))
    links = frozenset((of_row[table, row], of_passage[passage][0]) for table, row, passage in linked)
    return OttQa(chunks, questions, links)


def _rows_at(place: str) -> range:
    """The rows of a segment, from 0, by the place that it is cited by: "rows 6-10"."""
    numbers = place.rsplit(" ", 1)[-1].split("-")
    return range(int(numbers[0]) - 1, int(numbers[-1]))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
