"""The documents beside a graph: kept as chunks, added and removed one by one, read as a stream."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from clew.tools.documents.chunk import Chunk, Description
from clew.tools.documents.store.database import connected, failure, reading, writing
from clew.tools.documents.store.extractions import ExtractionStore, forget_extractions

FILE = "documents.sqlite"
_CHUNK = "id, document, title, text, kind, place, place_in, topic, header, entities, columns"
_DOCUMENT = "id, source, title, digest, settings, bytes, chunks, tables, added, linked, described"
_ROWS = 500
_MOST_VARIABLES = 500
_VERSIONS = 1 << 128


@dataclass(frozen=True, slots=True)
class Document:
    """A file whose chunks are kept."""

    id: str
    source: str
    """Where it was read: an absolute path."""
    title: str
    digest: str
    """SHA-256 of its bytes."""
    settings: str
    """What, with the bytes, decides its chunks."""
    bytes: int
    chunks: int
    tables: int
    """Tables in it, of which each has one or more chunks."""
    added: float
    """Seconds since 1970."""
    linked: str = ""
    """The version of the names that its mentions were looked up in; "" before that."""
    described: str = ""
    """A digest of what a model said of its chunks; "" where it said nothing."""


@dataclass(frozen=True, slots=True)
class Totals:
    """How much there is."""

    documents: int
    chunks: int
    tables: int
    mentions: int


@dataclass(frozen=True, slots=True)
class ChunkMention:
    """A chunk names an entity of the graph."""

    chunk: str
    node: str
    """The entity's id."""
    surface: str
    """As the chunk has it."""
    start: int
    """Where in its text."""
    score: float
    """0 to 1: how sure it is that the entity is meant."""


class DocumentStore:
    """The documents in a folder, which is made with the first of them. Safe for several threads and processes."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.path = directory / FILE

    @property
    def extractions(self) -> ExtractionStore:
        """What was extracted from the chunks."""
        return ExtractionStore(self.path)

    # ---- reading

    @property
    def version(self) -> str:
        """Names the set of chunks with what is said of them: the same for the same documents cut in the same way, in
        whatever order they came; "" where there are none."""
        with self._reading() as db:
            return _version(db) if db else ""

    def totals(self) -> Totals:
        with self._reading() as db:
            if db is None:
                return Totals(0, 0, 0, 0)
            counted = db.execute("SELECT count(*), total(chunks), total(tables) FROM documents").fetchone()
            mentions = db.execute("SELECT count(*) FROM mentions").fetchone()[0]
            return Totals(counted[0], int(counted[1]), int(counted[2]), mentions)

    def documents(self) -> list[Document]:
        """All documents, by source."""
        with self._reading() as db:
            found = db.execute(f"SELECT {_DOCUMENT} FROM documents ORDER BY source") if db else ()
            return [Document(*row) for row in found]

    def document(self, id: str) -> Document | None:
        return self._one(f"SELECT {_DOCUMENT} FROM documents WHERE id = ?", id)

    def at(self, source: str) -> Document | None:
        """The document that was read from there."""
        return self._one(f"SELECT {_DOCUMENT} FROM documents WHERE source = ?", source)

    def chunks(self, document: str | None = None) -> Iterator[Chunk]:
        """The chunks as they are now, of one document or of all: document after document, each in its order; those of a
        million are not held."""
        with self.snapshot(document) as (_, found):
            yield from found

    @contextmanager
    def snapshot(self, document: str | None = None) -> Iterator[tuple[str, Iterator[Chunk]]]:
        """The version, and the chunks of just that version, whatever is written meanwhile."""
        with self._reading() as db:
            if db is None:
                yield "", iter(())
                return
            where, values = ("", ()) if document is None else ("WHERE document = ?", (document,))
            rows = db.execute(f"SELECT {_CHUNK} FROM chunks {where} ORDER BY document, place_in", values)
            yield _version(db), map(_chunk, _fetched(rows))

    def get(self, ids: Sequence[str]) -> list[Chunk]:
        """The chunks of these ids, in their order; unknown ids are passed over."""
        with self._reading() as db:
            rows = _selected(db, f"SELECT {_CHUNK} FROM chunks WHERE id IN", ids) if db else ()
            found = {chunk.id: chunk for chunk in map(_chunk, rows)}
        return [found[id] for id in ids if id in found]

    def undescribed(self) -> Iterator[Chunk]:
        """The chunks whose topics and names are those found by rules."""
        with self._reading() as db:
            if db is not None:
                where = "WHERE described = '' ORDER BY document, place_in"
                yield from map(_chunk, _fetched(db.execute(f"SELECT {_CHUNK} FROM chunks {where}")))

    def mentions(self, ids: Sequence[str] | None = None) -> Iterator[ChunkMention]:
        """What these chunks, or all, mention: chunk after chunk, and by place in each."""
        joined = "SELECT c.id, m.node, m.surface, m.start, m.score FROM chunks c JOIN mentions m ON m.chunk = c.number"
        order = "ORDER BY c.document, c.place_in, m.start, m.score DESC, m.node"
        with self._reading() as db:
            if db is not None and ids is None:
                yield from (ChunkMention(*row) for row in _fetched(db.execute(f"{joined} {order}")))
            elif db is not None:
                yield from (ChunkMention(*row) for row in _selected(db, f"{joined} WHERE c.id IN", ids or (), order))

    @property
    def linked(self) -> list[str]:
        """The versions of names that the documents' mentions were looked up in, each once."""
        with self._reading() as db:
            rows = db.execute("SELECT DISTINCT linked FROM documents ORDER BY linked") if db else ()
            return [str(row[0]) for row in rows]

    def mentioning(self, nodes: Sequence[str], most: int = 100) -> list[ChunkMention]:
        """Of each of these entities, the first mention in every chunk that has one; at most `most` chunks, the surest
        first."""
        query = (
            "SELECT c.id, m.node, m.surface, min(m.start), max(m.score) AS best FROM mentions m "
            "JOIN chunks c ON c.number = m.chunk WHERE m.node = ? GROUP BY m.chunk ORDER BY best DESC, c.id LIMIT ?"
        )
        with self._reading() as db:
            if db is None:
                return []
            return [ChunkMention(*row) for node in dict.fromkeys(nodes) for row in db.execute(query, (node, most))]

    # ---- writing

    def put(self, new: Document, made: Iterable[Chunk], tables: Callable[[], int]) -> Document:
        """Keep a document, in place of what was read from the same source before: all its chunks, or, where `made`
        raises or the process ends, none. `made` is a stream and is put aside on disk while it runs; others can read and
        write meanwhile. `tables` says, after that, how many there were. Returns the document with its counts."""
        with closing(connected(self.path)) as db:
            new = replace(new, chunks=_put_aside(db, self.path, _CHUNK, map(_row, made)), tables=tables())
            with writing(self.path, db):
                _forget(db, new.id)
                db.execute(f"INSERT INTO chunks ({_CHUNK}) SELECT {_CHUNK} FROM staged ORDER BY place_in")
                values = [getattr(new, name) for name in _DOCUMENT.split(", ")]
                db.execute(f"INSERT INTO documents ({_DOCUMENT}) VALUES ({', '.join('?' * len(values))})", values)
                forget_extractions(db, new.id)
                _turn(db, new, +1)
            return new

    @contextmanager
    def held_open(self) -> Iterator[None]:
        """For many changes one after the other: the log is not folded into the file after each."""
        with closing(connected(self.path)):
            yield

    def remove(self, ids: Iterable[str]) -> int:
        """Forget these documents, together; returns how many there were."""
        if not self.path.exists():
            return 0
        with closing(connected(self.path)) as db, writing(self.path, db):
            count = 0
            for id in ids:
                count += _forget(db, id)
                forget_extractions(db, id)
            return count

    def link(self, document: Document, mentions: Iterable[ChunkMention], names: str) -> bool:
        """Keep what a document mentions, in place of what was kept. `names` is the version of the names that were
        looked up. False, and nothing is kept, where the document is no longer as it is given."""
        with closing(connected(self.path)) as db:
            rows = ((each.chunk, each.node, _storable(each.surface), each.start, each.score) for each in mentions)
            _put_aside(db, self.path, "chunk, node, surface, start, score", rows)
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
        """Take what a model says of chunks, by id, in place of what was found by rules; `by` is the model. Returns how
        many of the chunks were there and had nothing from a model."""
        with closing(connected(self.path)) as db, writing(self.path, db):
            changed: dict[str, int] = {}
            count = 0
            for id, told in given.items():
                row = db.execute("SELECT document FROM chunks WHERE id = ? AND described = ''", (id,)).fetchone()
                if row is not None:
                    lists = (json.dumps(each, ensure_ascii=False) for each in (told.entities, told.columns))
                    values = (_storable(told.topic), *map(_storable, lists))
                    query = "UPDATE chunks SET topic = ?, entities = ?, columns = ?, described = ? WHERE id = ?"
                    db.execute(query, (*values, by, id))
                    changed[row[0]] = changed.get(row[0], 0) + _number("\n".join((id, *values)))
                    count += 1
            for document, change in changed.items():
                _redescribe(db, document, change)
            return count

    # ---- inside

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """None where nothing has been added yet."""
        if not self.path.exists():
            yield None
            return
        with reading(self.path) as db:
            yield db

    def _one(self, query: str, value: str) -> Document | None:
        with self._reading() as db:
            row = db.execute(query, (value,)).fetchone() if db else None
            return Document(*row) if row else None


def document_id(source: str) -> str:
    """The id of what is read from there."""
    return "document:" + blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _put_aside(db: sqlite3.Connection, path: Path, columns: str, rows: Iterable[tuple[Any, ...]]) -> int:
    """Write a stream of rows into the temporary table `staged`, which locks nothing; returns how many there are."""
    try:
        db.execute(f"CREATE TEMP TABLE staged ({columns})")
        marks = ", ".join("?" * len(columns.split(",")))
        count, stream = 0, iter(rows)
        while some := list(islice(stream, _ROWS)):
            db.executemany(f"INSERT INTO staged VALUES ({marks})", some)
            count += len(some)
        return count
    except sqlite3.DatabaseError as error:
        raise failure(path, error) from error


def _forget(db: sqlite3.Connection, id: str) -> bool:
    row = db.execute(f"SELECT {_DOCUMENT} FROM documents WHERE id = ?", (id,)).fetchone()
    if row is None:
        return False
    _forget_mentions(db, id)
    db.execute("DELETE FROM chunks WHERE document = ?", (id,))
    db.execute("DELETE FROM documents WHERE id = ?", (id,))
    _turn(db, Document(*row), -1)
    return True


def _forget_mentions(db: sqlite3.Connection, document: str) -> None:
    db.execute("DELETE FROM mentions WHERE chunk IN (SELECT number FROM chunks WHERE document = ?)", (document,))


def _turn(db: sqlite3.Connection, document: Document, sign: int) -> None:
    """Take a document into the version, or out of it. The version is a sum, so the order of changes does not count."""
    decided = "\n".join((document.id, document.digest, document.settings, document.described))
    value = (int(_version(db) or "0", 16) + sign * _number(decided)) % _VERSIONS
    db.execute("INSERT OR REPLACE INTO state VALUES ('version', ?)", (f"{value:032x}" if value else "",))


def _redescribe(db: sqlite3.Connection, id: str, change: int) -> None:
    before = Document(*db.execute(f"SELECT {_DOCUMENT} FROM documents WHERE id = ?", (id,)).fetchone())
    after = replace(before, described=f"{(int(before.described or '0', 16) + change) % _VERSIONS:032x}")
    db.execute("UPDATE documents SET described = ? WHERE id = ?", (after.described, id))
    _turn(db, before, -1)
    _turn(db, after, +1)


def _number(text: str) -> int:
    """128 bits, the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest(), "big")


def _version(db: sqlite3.Connection) -> str:
    row = db.execute("SELECT value FROM state WHERE name = 'version'").fetchone()
    return str(row[0]) if row else ""


def _row(chunk: Chunk) -> tuple[str | int, ...]:
    lists = (json.dumps(names, ensure_ascii=False) for names in (chunk.header, chunk.entities, chunk.columns))
    text, title, place, topic = map(_storable, (chunk.text, chunk.title, chunk.place, chunk.topic))
    return (chunk.id, chunk.document, title, text, chunk.kind, place, chunk.order, topic, *map(_storable, lists))


def _chunk(row: Sequence[Any]) -> Chunk:
    *fields, header, entities, columns = row
    return Chunk(*fields, *(tuple(json.loads(each)) for each in (header, entities, columns)))


def _storable(text: str) -> str:
    """Without lone surrogates, which are no text."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _fetched(rows: sqlite3.Cursor) -> Iterator[Any]:
    while some := rows.fetchmany(_ROWS):
        yield from some


def _selected(db: sqlite3.Connection, query: str, ids: Sequence[str], order: str = "") -> Iterator[Any]:
    """The rows for these ids, some hundred at a time."""
    for first in range(0, len(ids), _MOST_VARIABLES):
        part = ids[first : first + _MOST_VARIABLES]
        yield from db.execute(f"{query} ({', '.join('?' * len(part))}) {order}", part)
