"""What was extracted from chunks, kept beside them: each answer is there as soon as it was given, and stays as long as
its chunk does, so that nothing is asked or paid for twice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.store.database import connected, reading, writing
from clew.tools.documents.store.extraction import Extraction
from clew.tools.errors import ClewError

_ROWS = 500
_COUNTER, _MADE = "extractions", "skeleton"
"""Names in the table `state`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an extraction depends on: another chunk or another prompt is asked anew."""

    content: str
    prompt: str
    """The digest of the prompt's file."""

    @classmethod
    def of(cls, chunk: Chunk, prompt: str) -> Asked:
        told = f"{chunk.title}\n{chunk.text}".encode("utf-8", "surrogatepass")
        return cls(blake2b(told, digest_size=16).hexdigest(), prompt)


@dataclass(frozen=True, slots=True)
class Made:
    """How the skeleton of a graph's documents is made, as it was last said."""

    by: str
    """"model" or "rules"."""
    beta: float
    """The share of the chunks that it is made from, where rules make it; that last asked for, where a model does."""


class ExtractionStore:
    """In the file of the documents. Safe for several threads and processes."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def version(self) -> int:
        """Another one after every change."""
        return int(self._state(_COUNTER) or 0)

    @property
    def made(self) -> Made | None:
        """None where no skeleton was asked for."""
        told = self._state(_MADE)
        return Made(**json.loads(told)) if told else None

    def make(self, made: Made) -> None:
        with closing(connected(self._path)) as db, writing(self._path, db):
            _set(db, _MADE, json.dumps(asdict(made)))

    def asked(self) -> dict[str, Asked]:
        """By the chunk's id what its extraction was made of."""
        return {chunk: Asked(content, prompt) for chunk, content, prompt in self._rows("chunk, content, prompt")}

    def counts(self) -> dict[str, int]:
        """By the document's id how many of its chunks something was extracted from."""
        counted: dict[str, int] = {}
        for (document,) in self._rows("document"):
            counted[document] = counted.get(document, 0) + 1
        return counted

    def of(self, document: str) -> dict[str, Extraction]:
        """By the chunk's id what was extracted from a document."""
        return dict(self._read("WHERE e.document = ?", document))

    def models(self) -> list[str]:
        """Those that gave what is kept, each once, that of most chunks first."""
        counted: dict[str, int] = {}
        for (model,) in self._rows("model"):
            counted[model] = counted.get(model, 0) + 1
        return sorted(counted, key=lambda model: (-counted[model], model))

    def stream(self) -> Iterator[tuple[str, Extraction]]:
        """Chunk ids with what was extracted: document after document, each in its order, whatever came first. Raises
        ClewError for a row that cannot be read."""
        return self._read()

    def _read(self, where: str = "", *values: str) -> Iterator[tuple[str, Extraction]]:
        for chunk, said in self._rows("chunk, said", where, *values):
            try:
                yield chunk, Extraction.of_json(said)
            except (ValueError, KeyError, TypeError) as error:
                remedy = "Run `clew documents skeleton --forget`, then make it again."
                message = f"{self._path}: what was extracted from {chunk} is damaged: {error}."
                raise ClewError(message, remedy) from error

    def put(self, found: Iterable[tuple[Chunk, Asked, Extraction]], model: str) -> int:
        """Keep what was extracted, in place of what was kept of the same chunks, of those that are still there; returns
        how many those were."""
        with closing(connected(self._path)) as db, writing(self._path, db):
            count = 0
            for chunk, asked, extraction in found:
                kept = db.execute(
                    "INSERT OR REPLACE INTO extractions (chunk, document, content, prompt, model, said) "
                    "SELECT id, document, ?, ?, ?, ? FROM chunks WHERE id = ?",
                    (asked.content, asked.prompt, model, extraction.to_json(), chunk.id),
                )
                count += kept.rowcount
            _count(db, count)
            return count

    def forget(self) -> int:
        """Forget all of it, and that a skeleton was asked for; returns how many chunks had some."""
        if not self._path.exists():
            return 0
        with closing(connected(self._path)) as db, writing(self._path, db):
            gone = db.execute("DELETE FROM extractions").rowcount
            db.execute("DELETE FROM state WHERE name = ?", (_MADE,))
            _count(db, gone)
            return gone

    def _rows(self, columns: str, where: str = "", *values: str) -> Iterator[tuple[str, ...]]:
        if not self._path.exists():
            return
        names = ", ".join(f"e.{column.strip()}" for column in columns.split(","))
        joined = f"SELECT {names} FROM extractions e JOIN chunks c ON c.id = e.chunk"
        with reading(self._path) as db:
            rows = db.execute(f"{joined} {where} ORDER BY c.document, c.place_in", values)
            while some := rows.fetchmany(_ROWS):
                yield from some

    def _state(self, name: str) -> str:
        if not self._path.exists():
            return ""
        with reading(self._path) as db:
            row = db.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
            return str(row[0]) if row else ""


def forget_extractions(db: sqlite3.Connection, document: str) -> None:
    """Forget, within a change of the documents, what was extracted from chunks that a document has no more."""
    gone = "DELETE FROM extractions WHERE document = ? AND chunk NOT IN (SELECT id FROM chunks WHERE document = ?)"
    _count(db, db.execute(gone, (document, document)).rowcount)


def _count(db: sqlite3.Connection, changes: int) -> None:
    if changes:
        row = db.execute("SELECT value FROM state WHERE name = ?", (_COUNTER,)).fetchone()
        _set(db, _COUNTER, str(int(row[0] if row else 0) + 1))


def _set(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))
