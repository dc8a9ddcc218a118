"""An import that goes on: JSON Lines as they come, written in batches, each acknowledged when the graph has it.

A batch is first kept in a file of the graph's imports, then imported as any file is: nodes are merged by id, and
relationships by ends, type and properties. So a batch that a killed process left is finished by the next one, and lines
that are sent again because nobody has acknowledged them change nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TYPE_CHECKING

from clew.tools.atomic_files import write_bytes
from clew.tools.ingest.formats import json_lines
from clew.tools.ingest.records import BadLine

if TYPE_CHECKING:
    from clew.app.api.graph import Graph

SOURCE = "standard input"
SHOWN = 20
"""Of the lines of a batch that cannot be used."""
_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Following:
    """How lines become batches."""

    rows: int = 5000
    """The most lines of a batch."""
    seconds: float = 1.0
    """The longest time that a line waits for its batch to be full."""


DEFAULT = Following()


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """What the graph has, durably."""

    lines: int
    """Of this run, from its beginning; blank lines count."""
    nodes: int
    """Nodes of this batch that the graph did not have."""
    relationships: int
    bad: tuple[BadLine, ...] = ()
    """The first lines of this batch that are not in the graph."""
    bad_lines: int = 0
    """How many they are."""


def follow(graph: Graph, lines: Iterable[bytes], how: Following = DEFAULT) -> Iterator[Acknowledged]:
    """Import lines of nodes and relationships until they end. Raises ClewError: what was not acknowledged by then has
    to be sent again.

    Args:
        graph: The graph, which is created if need be.
        lines: In UTF-8. A relationship comes after its nodes.
        how: How many make a batch.

    Yields:
        Each batch once it is in the graph; first, if there is one, the batch that a killed process has left, with 0
        lines.
    """
    spool = graph.client.folder(graph.name) / "import" / "follow.jsonl"
    if spool.exists():
        yield _imported(graph, spool, _Batch(0, [], [], []))
    read = 0
    for lines_of_batch in _batches(lines, how):
        batch = _checked(lines_of_batch, read)
        read = batch.read
        if batch.good:
            spool.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_bytes(spool, b"".join(batch.good), 0o600, durable=True)
            yield _imported(graph, spool, batch)
        else:
            yield Acknowledged(read, 0, 0, tuple(batch.bad[:SHOWN]), len(batch.bad))


@dataclass(frozen=True, slots=True)
class _Batch:
    """Lines, checked one by one."""

    read: int
    """How many lines there were until its end."""
    good: list[bytes]
    numbers: list[int]
    """Of the good lines."""
    bad: list[BadLine]


def _checked(lines: Sequence[bytes], before: int) -> _Batch:
    batch = _Batch(before + len(lines), [], [], [])
    for number, line in enumerate(lines, before + 1):
        if not (text := line.decode("utf-8", "surrogateescape")).strip():
            continue
        found = json_lines.record_of(text, SOURCE, number)
        if isinstance(found, BadLine):
            batch.bad.append(found)
        else:
            batch.good.append(line.rstrip(b"\r\n") + b"\n")
            batch.numbers.append(number)
    return batch


def _imported(graph: Graph, spool: Path, batch: _Batch) -> Acknowledged:
    with graph.plan_import(spool, format="json-lines") as planned:
        report = graph.import_files(planned, max_bad_share=1.0, index=False)
    spool.unlink()
    dangling = [
        each._replace(file=SOURCE, line=batch.numbers[each.line - 1]) if batch.numbers else each
        for each in report.bad_lines
    ]
    bad = (*batch.bad, *dangling)
    return Acknowledged(
        batch.read, report.nodes - report.present, report.edges, bad[:SHOWN], len(batch.bad) + report.bad
    )


def _batches(lines: Iterable[bytes], how: Following) -> Iterator[list[bytes]]:
    """Lines in batches that are full, or as old as they may get. A reader ahead of the import holds one more batch."""
    queue: Queue[bytes | BaseException | None] = Queue(how.rows)
    ended = Event()

    def put(item: bytes | BaseException | None) -> None:
        while not ended.is_set():
            try:
                return queue.put(item, timeout=_POLL_SECONDS)
            except Full:
                continue

    def read() -> None:
        try:
            for line in lines:
                put(line)
                if ended.is_set():
                    return
        except BaseException as error:
            put(error)
        put(None)

    Thread(target=read, name="follow", daemon=True).start()
    try:
        yield from _taken(queue, how)
    finally:
        ended.set()


def _taken(queue: Queue[bytes | BaseException | None], how: Following) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    until = 0.0
    while True:
        try:
            wait = until - time.monotonic() if batch else _POLL_SECONDS
            item = queue.get(timeout=max(0.0, wait)) if wait > 0 else queue.get_nowait()
        except Empty:
            if batch:
                yield batch
                batch = []
            continue
        if isinstance(item, BaseException):
            raise item
        if item is None:
            if batch:
                yield batch
            return
        until = until if batch else time.monotonic() + how.seconds
        batch.append(item)
        if len(batch) >= how.rows:
            yield batch
            batch = []
