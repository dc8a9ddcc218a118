"""The documents beside a graph: stored as chunks, added and removed one by one, read as a stream."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from clew.tools.documents.chunk import Chunk, Description
from clew.tools.documents.store.database import (
    ROWS_AT_ONCE,
    changing,
    connected,
    failure,
    fetched,
    reading,
    rows,
    rows_of_ids,
    writing,
)
from clew.tools.documents.store.extractions import ExtractionStore, forget_extractions
from clew.tools.documents.store.records import (
    CHUNK_COLUMNS,
    DOCUMENT_COLUMNS,
    ChunkMention,
    Document,
    Totals,
    chunk_of,
    chunk_row,
    json_text,
    storable,
)

FILE = "documents.sqlite"
_VERSIONS = 1 << 128
_VERSION_QUERY = "SELECT value FROM state WHERE name = 'version'"


class DocumentStore:
    """The documents in a folder, which is created with the first of them. Safe for several threads and processes."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.path = directory / FILE

    @property
    def extractions(self) -> ExtractionStore:
        """The entities and relations that were extracted from the chunks."""
        return ExtractionStore(self.path)

    @property
    def version(self) -> str:
        """Identifies the set of chunks with their descriptions; "" where there are none.

        It is the same for the same documents cut in the same way, in whatever order they were added.
        """
        return next((str(value) for (value,) in rows(self.path, _VERSION_QUERY)), "")

    def totals(self) -> Totals:
        """The numbers of documents, chunks, tables and mentions."""
        mentions = "(SELECT count(*) FROM mentions)"
        query = f"SELECT count(*), total(chunks), total(tables), {mentions} FROM documents"
        return next((Totals(*map(int, row)) for row in rows(self.path, query)), Totals(0, 0, 0, 0))

    def documents(self) -> list[Document]:
        """All documents, by source."""
        return self._documents("ORDER BY source")

    def document(self, id: str) -> Document | None:
        """The document with this id."""
        return next(iter(self._documents("WHERE id = ?", id)), None)

    def at(self, source: str) -> Document | None:
        """The document that was read from this path."""
        return next(iter(self._documents("WHERE source = ?", source)), None)

    def chunks(self, document: str | None = None) -> Iterator[Chunk]:
        """The chunks as they are now, of one document or of all: document after document, each in its order.

        This is a stream: memory does not grow with the number of chunks.
        """
        with self.snapshot(document) as (_, found):
            yield from found

    @contextmanager
    def snapshot(self, document: str | None = None) -> Iterator[tuple[str, Iterator[Chunk]]]:
        """The version, and the chunks of exactly that version, even if the store changes meanwhile."""
        if not self.path.exists():
            yield "", iter(())
            return
        where, values = ("", ()) if document is None else ("WHERE document = ?", (document,))
        with reading(self.path) as db:
            found = db.execute(f"SELECT {CHUNK_COLUMNS} FROM chunks {where} ORDER BY document, place_in", values)
            yield _version(db), map(chunk_of, fetched(found))

    def get(self, ids: Sequence[str]) -> list[Chunk]:
        """The chunks with these ids, in their order; unknown ids are skipped."""
        query = f"SELECT {CHUNK_COLUMNS} FROM chunks WHERE id IN"
        found = {chunk.id: chunk for chunk in map(chunk_of, rows_of_ids(self.path, query, ids))}
        return [found[id] for id in ids if id in found]

    def undescribed(self) -> Iterator[Chunk]:
        """The chunks that no model has described: their topics and names are found by rules."""
        where = "WHERE described = '' ORDER BY document, place_in"
        return map(chunk_of, rows(self.path, f"SELECT {CHUNK_COLUMNS} FROM chunks {where}"))

    def mentions(self, ids: Sequence[str] | None = None) -> Iterator[ChunkMention]:
        """The mentions in these chunks, or in all: chunk after chunk, and by place in each."""
        joined = "SELECT c.id, m.node, m.surface, m.start, m.score FROM chunks c JOIN mentions m ON m.chunk = c.number"
        order = "ORDER BY c.document, c.place_in, m.start, m.score DESC, m.node"
        if ids is None:
            found = rows(self.path, f"{joined} {order}")
        else:
            found = rows_of_ids(self.path, f"{joined} WHERE c.id IN", ids, order)
        return (ChunkMention(*row) for row in found)

    @property
    def linked(self) -> list[str]:
        """The versions of names that the documents' mentions were looked up in, each once."""
        query = "SELECT DISTINCT linked FROM documents ORDER BY linked"
        return [str(version) for (version,) in rows(self.path, query)]

    def mentioning(self, nodes: Sequence[str], most: int = 100) -> list[ChunkMention]:
        """For each of these entities, its first mention in at most `most` chunks, the surest first."""
        query = (
            "SELECT c.id, m.node, m.surface, min(m.start), max(m.score) AS best FROM mentions m "
            "JOIN chunks c ON c.number = m.chunk WHERE m.node = ? GROUP BY m.chunk ORDER BY best DESC, c.id LIMIT ?"
        )
        if not self.path.exists():
            return []
        with reading(self.path) as db:
            return [ChunkMention(*row) for node in dict.fromkeys(nodes) for row in db.execute(query, (node, most))]

    def put(self, new: Document, chunks: Iterable[Chunk], tables: Callable[[], int]) -> Document:
        """Store a document in place of an earlier version: all its chunks, or none where `chunks` raises.

        Args:
            new: the document; its counts of chunks and tables are filled in.
            chunks: a stream, which is staged on disk while it runs; others can read and write meanwhile.
            tables: gives the number of tables, after the stream has ended.

        Returns:
            The document with its counts.
        """
        with closing(connected(self.path)) as db:
            count = _staged(db, self.path, CHUNK_COLUMNS, map(chunk_row, chunks))
            new = replace(new, chunks=count, tables=tables())
            with writing(self.path, db):
                _forget(db, new.id)
                db.execute(f"INSERT INTO chunks ({CHUNK_COLUMNS}) SELECT {CHUNK_COLUMNS} FROM staged ORDER BY place_in")
                values = astuple(new)
                db.execute(f"INSERT INTO documents ({DOCUMENT_COLUMNS}) VALUES ({_marks(len(values))})", values)
                forget_extractions(db, new.id)
                _change_version(db, new, +1)
            return new

    @contextmanager
    def held_open(self) -> Iterator[None]:
        """For many changes one after the other: the write-ahead log is not merged into the file after each."""
        with closing(connected(self.path)):
            yield

    def remove(self, ids: Iterable[str]) -> int:
        """Remove these documents in one transaction; returns how many there were."""
        if not self.path.exists():
            return 0
        with changing(self.path) as db:
            count = 0
            for id in ids:
                count += _forget(db, id)
                forget_extractions(db, id)
            return count

    def link(self, document: Document, mentions: Iterable[ChunkMention], names: str) -> bool:
        """Store the mentions of a document, in place of earlier ones.

        Args:
            document: the document that was searched.
            mentions: those in its chunks.
            names: the version of the names that were looked up.

        Returns:
            False, and nothing is stored, where the document has changed since.
        """
        with closing(connected(self.path)) as db:
            staged = ((each.chunk, each.node, storable(each.surface), each.start, each.score) for each in mentions)
            _staged(db, self.path, "chunk, node, surface, start, score", staged)
            with writing(self.path, db):
                known = db.execute("SELECT digest, settings FROM documents WHERE id = ?", (document.id,)).fetchone()
                if known != (document.digest, document.settings):
                    return False
                _forget_mentions(db, document.id)
                db.execute(
                    "INSERT INTO mentions (chunk, node, surface, start, score) SELECT c.number, s.node, s.surface, "
                    "s.start, s.score FROM staged s JOIN chunks c ON c.id = s.chunk"
                )
                db.execute("UPDATE documents SET linked = ? WHERE id = ?", (names, document.id))
            return True

    def describe(self, given: Mapping[str, Description], by: str) -> int:
        """Store a model's descriptions of chunks, by id, in place of what rules found.

        Args:
            given: by the chunk's id.
            by: the model.

        Returns:
            How many of the chunks were there and had no description of a model.
        """
        with changing(self.path) as db:
            changed: dict[str, int] = {}
            count = 0
            for id, description in given.items():
                row = db.execute("SELECT document FROM chunks WHERE id = ? AND described = ''", (id,)).fetchone()
                if row is not None:
                    lists = (json_text(description.entities), json_text(description.columns))
                    values = (storable(description.topic), *lists)
                    query = "UPDATE chunks SET topic = ?, entities = ?, columns = ?, described = ? WHERE id = ?"
                    db.execute(query, (*values, by, id))
                    changed[row[0]] = changed.get(row[0], 0) + _number("\n".join((id, *values)))
                    count += 1
            for document, change in changed.items():
                _redescribe(db, document, change)
            return count

    def _documents(self, where: str, *values: str) -> list[Document]:
        return [Document(*row) for row in rows(self.path, f"SELECT {DOCUMENT_COLUMNS} FROM documents {where}", values)]


def _staged(db: sqlite3.Connection, path: Path, columns: str, stream: Iterable[tuple[Any, ...]]) -> int:
    """Write a stream of rows into the temporary table `staged`, which locks nothing; returns how many there are."""
    try:
        db.execute(f"CREATE TEMP TABLE staged ({columns})")
        insert = f"INSERT INTO staged VALUES ({_marks(len(columns.split(',')))})"
        count, waiting = 0, iter(stream)
        while some := list(islice(waiting, ROWS_AT_ONCE)):
            db.executemany(insert, some)
            count += len(some)
        return count
    except sqlite3.DatabaseError as error:
        raise failure(path, error) from error


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _forget(db: sqlite3.Connection, id: str) -> bool:
    """Remove a document with its chunks and mentions; False where there is none."""
    row = db.execute(f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE id = ?", (id,)).fetchone()
    if row is None:
        return False
    _forget_mentions(db, id)
    db.execute("DELETE FROM chunks WHERE document = ?", (id,))
    db.execute("DELETE FROM documents WHERE id = ?", (id,))
    _change_version(db, Document(*row), -1)
    return True


def _forget_mentions(db: sqlite3.Connection, document: str) -> None:
    db.execute("DELETE FROM mentions WHERE chunk IN (SELECT number FROM chunks WHERE document = ?)", (document,))


def _change_version(db: sqlite3.Connection, document: Document, sign: int) -> None:
    """Add a document to the version, or subtract it. As the version is a sum, the order of changes does not count."""
    content = "\n".join((document.id, document.digest, document.settings, document.described))
    value = (int(_version(db) or "0", 16) + sign * _number(content)) % _VERSIONS
    db.execute("INSERT OR REPLACE INTO state VALUES ('version', ?)", (f"{value:032x}" if value else "",))


def _redescribe(db: sqlite3.Connection, id: str, change: int) -> None:
    before = Document(*db.execute(f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE id = ?", (id,)).fetchone())
    after = replace(before, described=f"{(int(before.described or '0', 16) + change) % _VERSIONS:032x}")
    db.execute("UPDATE documents SET described = ? WHERE id = ?", (after.described, id))
    _change_version(db, before, -1)
    _change_version(db, after, +1)


def _number(text: str) -> int:
    """128 bits, the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest(), "big")


def _version(db: sqlite3.Connection) -> str:
    row = db.execute(_VERSION_QUERY).fetchone()
    return str(row[0]) if row else ""
