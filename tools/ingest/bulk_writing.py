"""Writing the relationships of a new graph by ArcadeDB's bulk load: many batches in a request, ends by record ids.

The first batch of each type goes the way of all others, which creates the type; so does what a line of JSON cannot hold
(dates, NaN, the least float) or a page of the database (long texts).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from functools import cached_property

from clew.tools.errors import ClewError
from clew.tools.graph.store.graph_store import BulkLoad
from clew.tools.ingest.batches import Batch
from clew.tools.ingest.writing import read_ahead

MOST_BATCHES = 40
"""In a request: so many may have been written before an interruption without a note of it."""
_BYTES = 16_000_000
"""Of a request, unless a single batch has more."""
_MOST_CHARACTERS = 8_000
"""Of the properties of a relationship as JSON: the bulk load has to put them into one page of 64 KiB."""
_LINE_BYTES = 100
"""Of a line without the properties, about."""
_SIZES = f"""
    SELECT relation, coalesce(max(length(properties)), 0) FROM edge_order GROUP BY relation
    HAVING coalesce(max(length(properties)), 0) <= {_MOST_CHARACTERS} AND NOT max(
        instr(properties, '{{"@date') OR properties GLOB '*[[:,]null*' OR properties GLOB '*[[:,]NaN*'
        OR properties GLOB '*[[:,]Infinity*' OR properties GLOB '*[[:,]-Infinity*'
        OR instr(properties, 'e-324'))
"""
_LINES = """
    SELECT count(*), cast(group_concat(line, char(10)) AS blob) FROM (
        SELECT ? || s.id || '","@to":"' || t.id || iif(properties > '', '",' || substr(properties, 2), '"}') AS line
        FROM edge_order JOIN record_ids s ON s.node = source JOIN record_ids t ON t.node = target
        WHERE edge_order.rowid BETWEEN ? AND ? ORDER BY edge_order.rowid)
"""
_KEYS = "SELECT node, key FROM node_order o JOIN nodes ON id = node WHERE o.label = ? ORDER BY o.rowid"


class BulkWriter:
    """Writes batches of relationships by the bulk load."""

    def __init__(self, load: BulkLoad, db: sqlite3.Connection) -> None:
        self._load = load
        self._db = db
        self._begun = ""
        """The type of relationship whose first batch was seen."""
        self._has_record_ids = False

    def takes(self, batch: Batch) -> bool:
        """Whether a batch can be loaded; to be asked of all batches, in the order of writing."""
        if batch.kind != "edges" or batch.relation not in self._sizes:
            return False
        begun, self._begun = self._begun, batch.relation
        return begun == batch.relation

    def write_all(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Load batches that it takes, and yield each when it is in the graph."""
        if not self._has_record_ids:
            self._read_record_ids()
        for request, lines in read_ahead(self._requests(batches), self._lines):
            self._load.load(lines, sum(batch.size for batch in request))
            yield from request

    @cached_property
    def _sizes(self) -> dict[str, int]:
        """The types of relationships that can be loaded, each with the length of its longest properties."""
        return dict(self._db.execute(_SIZES))

    def _requests(self, batches: Iterable[Batch]) -> Iterator[list[Batch]]:
        """The batches of each request: of one type, bounded in number and in bytes."""
        request: list[Batch] = []
        held = 0
        for batch in batches:
            size = batch.size * (_LINE_BYTES + self._sizes[batch.relation])
            full = len(request) == MOST_BATCHES or held + size > _BYTES
            if request and (full or batch.relation != request[0].relation):
                yield request
                request, held = [], 0
            request.append(batch)
            held += size
        if request:
            yield request

    def _lines(self, request: list[Batch]) -> bytes:
        start = f'{{"@type":"edge","@class":{json.dumps(request[0].relation)},"@from":"'
        count, lines = self._db.execute(_LINES, (start, request[0].first, request[-1].last)).fetchone()
        if count != sum(batch.size for batch in request):
            raise ClewError("The graph lacks nodes that were written to it.", "Import again with --replace.")
        return bytes(lines)

    def _read_record_ids(self) -> None:
        """Put the record ids of all nodes into a temporary table."""
        self._db.execute("CREATE TEMP TABLE record_ids (node INTEGER PRIMARY KEY, id TEXT NOT NULL)")
        self._db.execute("BEGIN")
        for (label,) in self._db.execute("SELECT DISTINCT label FROM node_order").fetchall():
            self._db.executemany("INSERT INTO record_ids VALUES (?, ?)", self._record_ids(label))
        self._db.execute("COMMIT")
        self._has_record_ids = True

    def _record_ids(self, label: str) -> Iterator[tuple[int, str]]:
        """The staged number and the record id of each node; most are in the order of writing."""
        written = self._db.execute(_KEYS, (label,))
        for key, record in self._load.record_ids(label):
            node, expected = next(written, (0, None))
            if expected != key:
                node = self._db.execute("SELECT id FROM nodes WHERE key = ?", (key,)).fetchone()[0]
            yield node, record
