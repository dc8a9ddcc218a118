"""The chunks of an index on disk, by position, and their searchable text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.id_table import IdTable
from clew.tools.arrays.strings import Strings
from clew.tools.documents.chunk import Chunk

PASSAGES, METADATA = "passages", "metadata"
"""Kinds of vectors."""
TITLE, TOPIC, COLUMNS = range(3)
METADATA_FIELDS = 3
_PLAIN = 7
"""Scalar fields of a chunk on disk; the lists follow."""


def metadata_of(chunk: Chunk) -> tuple[str, str, str]:
    """What is embedded of a chunk beside its text: its title, its topic (its title where it has none), its column
    names with what a model says of them; "" for what it has not."""
    meanings = chunk.columns or ("",) * len(chunk.header)
    columns = [": ".join(filter(None, pair)) for pair in zip(chunk.header, meanings, strict=True)]
    return chunk.title, chunk.topic or chunk.title, ", ".join(filter(None, columns))


def to_line(chunk: Chunk) -> str:
    """All fields except the id."""
    fields = [chunk.document, chunk.title, chunk.text, chunk.kind, chunk.place, chunk.order, chunk.topic]
    columns = [chunk.columns] if chunk.columns else []
    return json.dumps([*fields, chunk.header, chunk.entities, *columns], ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class ChunkStore:
    """n chunks, memory-mapped."""

    ids: IdTable
    lines: Strings
    tokens: npt.NDArray[np.int32]
    """Of each chunk's text: shape (n,)."""

    @classmethod
    def open(cls, folder: Path) -> ChunkStore:
        return cls(IdTable.open(folder), Strings.load(folder, "lines"), mapped(folder, "tokens"))

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, position: int) -> Chunk:
        fields = json.loads(self.lines[position])
        return Chunk(self.ids[position], *fields[:_PLAIN], *map(tuple, fields[_PLAIN:]))

    def positions(self, ids: Sequence[str]) -> npt.NDArray[np.int32]:
        """The chunks with these ids, -1 where there is none: shape (len(ids),)."""
        return self.ids.positions(ids)
