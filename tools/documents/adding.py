"""Adding files to a graph's documents: what is there already is passed over, what has changed is replaced, what cannot
be read is named, and what was finished stays, whatever interrupts the rest."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.chunking.cutting import chunks_of
from clew.tools.documents.reading import read
from clew.tools.documents.reading.blocks import Block, Content, Table
from clew.tools.documents.reading.files import check, unreadable
from clew.tools.documents.store.sources import Sources
from clew.tools.documents.store.store import Document, DocumentStore, document_id
from clew.tools.embedding import Embedder
from clew.tools.errors import BadInput

RULES = 1
"""Counted up when reading or cutting comes to give other chunks: files are then read again when they are next added."""
_LISTED = 20


@dataclass(frozen=True, slots=True)
class BadFile:
    """A file that could not be read."""

    message: str
    remedy: str


@dataclass(slots=True)
class AddReport:
    """What became of the files."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    chunks: int = 0
    """Of the files added and changed."""
    tables: int = 0
    hidden: int = 0
    """Files and folders passed over because their names begin with a dot."""
    unknown: dict[str, int] = field(default_factory=dict)
    """Files in folders passed over, by their ending."""
    bad: list[BadFile] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """How files were read that left something to guess."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def summary_lines(self) -> list[str]:
        """For people: one fact a line."""
        lines = self.notes[:_LISTED]
        if self.hidden:
            lines.append(f"Passed over as hidden: {self.hidden:,}.")
        if self.unknown:
            kinds = ", ".join(f"{suffix} {n:,}" for suffix, n in sorted(self.unknown.items(), key=lambda e: -e[1])[:8])
            lines.append(f"Passed over, of kinds that are not read: {sum(self.unknown.values()):,} ({kinds}).")
        if self.bad:
            lines.append(f"Could not be read: {len(self.bad):,}")
            lines += [f"  {each.message} {each.remedy}" for each in self.bad[:_LISTED]]
            if len(self.bad) > _LISTED:
                lines.append(f"  … and {len(self.bad) - _LISTED:,} more")
        made = f": {counted(self.chunks, 'chunk')}" + (f", {counted(self.tables, 'table')}" if self.tables else "")
        lines.append(
            f"{counted(self.added, 'document')} added, {self.changed:,} changed, {self.unchanged:,} unchanged"
            + (made if self.added or self.changed else "")
            + "."
        )
        return lines


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def add_documents(
    store: DocumentStore,
    sources: Sources,
    chunking: Chunking,
    embedder: Embedder,
    advance: Callable[[int], None],
    report: AddReport,
    encoding: str | None = None,
) -> None:
    """Add the files that were found. `advance` is called with the number of those that are done. `report` is filled as
    it goes: what was done is known after an interruption. Raises ClewError where the store cannot be written."""
    report.hidden, report.unknown = sources.hidden, dict(sources.unknown)
    report.bad += [BadFile(error.message, error.remedy) for error in sources.bad]
    with store.held_open() if sources.files else nullcontext():
        for done, path in enumerate(sources.files, start=1):
            try:
                _add(store, path, chunking, embedder, encoding, report)
            except BadInput as error:
                report.bad.append(BadFile(error.message, error.remedy))
            advance(done)


def _add(
    store: DocumentStore, path: Path, chunking: Chunking, embedder: Embedder, encoding: str | None, report: AddReport
) -> None:
    """Raises BadInput for a file that cannot be read; what was kept of it before stays."""
    source, (digest, size) = _name(path), _digest(path)
    known = store.at(source)
    encoding = encoding or (_Settings.of(known).encoding if known else None)
    settings = str(_Settings(RULES, chunking.key, encoding))
    if known is not None and (known.digest, known.settings) == (digest, settings):
        report.unchanged += 1
        return
    content = read(path, encoding)
    counted = _CountedTables(content.blocks)
    id = document_id(source)
    made = chunks_of(id, Content(content.title, counted), chunking, embedder)
    new = Document(id, source, content.title, digest, settings, size, 0, 0, time.time())
    kept = store.put(new, _some(path, made), lambda: counted.tables)
    report.chunks += kept.chunks
    report.tables += kept.tables
    report.changed += known is not None
    report.added += known is None
    if content.note:
        report.notes.append(content.note)


@dataclass(frozen=True, slots=True)
class _Settings:
    """What decides a document's chunks besides its bytes, as the store keeps it in one string."""

    rules: int
    chunking: str
    encoding: str | None

    @classmethod
    def of(cls, document: Document) -> _Settings:
        rules, chunking, *encoding = document.settings.split(" ")
        return cls(int(rules), chunking, encoding[0] if encoding else None)

    def __str__(self) -> str:
        return " ".join(filter(None, (str(self.rules), self.chunking, self.encoding)))


def last_chunking(store: DocumentStore) -> Chunking:
    """How the document that was added last was cut; the default where there is none."""
    last = max(store.documents(), key=lambda document: document.added, default=None)
    return Chunking() if last is None else Chunking.of_key(_Settings.of(last).chunking)


def _name(path: Path) -> str:
    source = str(path)
    try:
        source.encode()
    except UnicodeEncodeError:
        shown = source.encode("utf-8", "backslashreplace").decode()
        raise BadInput(f"{shown}: its name is not UTF-8.", "Rename it.") from None
    return source


def _digest(path: Path) -> tuple[str, int]:
    """SHA-256 of the file's bytes, and how many there are."""
    check(path)
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()
    except OSError as error:
        raise unreadable(path, error) from error


def _some(path: Path, made: Iterable[Chunk]) -> Iterator[Chunk]:
    """The chunks. Raises BadInput where there is none."""
    chunk = None
    for chunk in made:
        yield chunk
    if chunk is None:
        raise BadInput(f"{path} has no text.", "Check that it was written completely.")


class _CountedTables:
    """Blocks as they are read, with the tables counted."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = blocks
        self.tables = 0

    def __iter__(self) -> Iterator[Block]:
        for block in self._blocks:
            self.tables += isinstance(block, Table)
            yield block
