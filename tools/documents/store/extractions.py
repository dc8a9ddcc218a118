"""The entities and relations that a model, or rules, extract from chunks (KET-RAG, Algorithm 1), stored beside them.

Each answer of a model is stored as soon as it is there, and stays as long as its chunk does. So no chunk is sent to the
model, or paid for, twice.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.search_options import CoreChoice
from clew.tools.documents.store.database import changing, rows
from clew.tools.errors import ClewError

_COUNTER, _SETTINGS = "extractions", "skeleton"
"""Names in the table `state`."""
_STATE_QUERY = "SELECT value FROM state WHERE name = ?"


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity in one chunk."""

    name: str
    """As it is written there."""
    type: str = ""
    """What kind of thing it is, in a word or two; "" where it is not known."""
    description: str = ""
    """What the chunk says of it."""


@dataclass(frozen=True, slots=True)
class NamedRelation:
    """A relation between two entities of one chunk, by their names."""

    head: str
    words: str
    """Read from the head to the tail: "was directed by"."""
    tail: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was extracted from one chunk; every end of a relation is one of the entities."""

    entities: tuple[NamedEntity, ...] = ()
    relations: tuple[NamedRelation, ...] = ()

    def to_json(self) -> str:
        """As text; `of_json` reads it back."""
        found = {"entities": [astuple(e) for e in self.entities], "relations": [astuple(r) for r in self.relations]}
        return json.dumps(found, ensure_ascii=False)

    @classmethod
    def of_json(cls, text: str) -> Extraction:
        found: Mapping[str, Any] = json.loads(text)
        return cls(
            tuple(NamedEntity(*each) for each in found["entities"]),
            tuple(NamedRelation(*each) for each in found["relations"]),
        )


@dataclass(frozen=True, slots=True)
class ExtractionKey:
    """What an extraction depends on: for another chunk or another prompt the model is asked again."""

    content: str
    """A digest of the chunk's title and text."""
    prompt: str
    """The digest of the prompt's file."""

    @classmethod
    def of(cls, chunk: Chunk, prompt: str) -> ExtractionKey:
        content = f"{chunk.title}\n{chunk.text}".encode("utf-8", "surrogatepass")
        return cls(blake2b(content, digest_size=16).hexdigest(), prompt)


@dataclass(frozen=True, slots=True)
class SkeletonSettings:
    """How the skeleton of a graph's documents is built, as it was last set."""

    by: str
    """"model" or "rules"."""
    beta: float
    """The share of the chunks that it is built from by rules; by a model, the share that was last asked for."""
    core: CoreChoice = "pagerank"
    """How these chunks are chosen."""


class ExtractionStore:
    """The extractions in the file of the documents. Safe for several threads and processes."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def version(self) -> int:
        """Changes with every change."""
        return int(self._state(_COUNTER) or 0)

    @property
    def settings(self) -> SkeletonSettings | None:
        """None where there is to be no skeleton."""
        stored = self._state(_SETTINGS)
        return SkeletonSettings(**json.loads(stored)) if stored else None

    def set(self, settings: SkeletonSettings) -> None:
        """Set how the skeleton is built."""
        with changing(self._path) as db:
            _set(db, _SETTINGS, json.dumps(asdict(settings)))

    def keys(self) -> dict[str, ExtractionKey]:
        """By the chunk's id what its extraction depends on."""
        found = self._rows("e.chunk, e.content, e.prompt")
        return {chunk: ExtractionKey(content, prompt) for chunk, content, prompt in found}

    def counts(self) -> dict[str, int]:
        """By the document's id the number of its chunks with an extraction."""
        return dict(self._rows("e.document, count(*)", "GROUP BY e.document"))

    def of(self, document: str) -> dict[str, Extraction]:
        """By the chunk's id what was extracted from a document."""
        return dict(self._read("WHERE e.document = ?", document))

    def models(self) -> list[str]:
        """The models that the extractions are from, that of most chunks first."""
        found = dict(self._rows("e.model, count(*)", "GROUP BY e.model"))
        return sorted(found, key=lambda model: (-found[model], model))

    def stream(self) -> Iterator[tuple[str, Extraction]]:
        """Chunk ids with their extractions: document after document, each in its order.

        Raises ClewError for a row that cannot be read.
        """
        return self._read()

    def put(self, found: Iterable[tuple[Chunk, ExtractionKey, Extraction]], model: str) -> int:
        """Store extractions in place of earlier ones of the same chunks; returns how many chunks are still there."""
        with changing(self._path) as db:
            count = 0
            for chunk, key, extraction in found:
                stored = db.execute(
                    "INSERT OR REPLACE INTO extractions (chunk, document, content, prompt, model, said) "
                    "SELECT id, document, ?, ?, ?, ? FROM chunks WHERE id = ?",
                    (key.content, key.prompt, model, extraction.to_json(), chunk.id),
                )
                count += stored.rowcount
            _count(db, count)
            return count

    def forget(self) -> int:
        """Delete all extractions and the settings of the skeleton; returns how many chunks had an extraction."""
        if not self._path.exists():
            return 0
        with changing(self._path) as db:
            deleted = db.execute("DELETE FROM extractions").rowcount
            db.execute("DELETE FROM state WHERE name = ?", (_SETTINGS,))
            _count(db, deleted)
            return deleted

    def _read(self, where: str = "", *values: str) -> Iterator[tuple[str, Extraction]]:
        for chunk, said in self._rows("e.chunk, e.said", where, *values):
            try:
                yield chunk, Extraction.of_json(said)
            except (ValueError, KeyError, TypeError) as error:
                remedy = "Run `clew documents skeleton --forget`, then make it again."
                message = f"{self._path}: what was extracted from {chunk} is damaged: {error}."
                raise ClewError(message, remedy) from error

    def _rows(self, columns: str, rest: str = "", *values: str) -> Iterator[Any]:
        joined = f"SELECT {columns} FROM extractions e JOIN chunks c ON c.id = e.chunk"
        return rows(self._path, f"{joined} {rest} ORDER BY c.document, c.place_in", values)

    def _state(self, name: str) -> str:
        return next((str(value) for (value,) in rows(self._path, _STATE_QUERY, (name,))), "")


def forget_extractions(db: sqlite3.Connection, document: str) -> None:
    """Within a change of the documents: delete the extractions of chunks that a document no longer has."""
    deleted = "DELETE FROM extractions WHERE document = ? AND chunk NOT IN (SELECT id FROM chunks WHERE document = ?)"
    _count(db, db.execute(deleted, (document, document)).rowcount)


def _count(db: sqlite3.Connection, changes: int) -> None:
    if changes:
        row = db.execute(_STATE_QUERY, (_COUNTER,)).fetchone()
        _set(db, _COUNTER, str(int(row[0] if row else 0) + 1))


def _set(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))
