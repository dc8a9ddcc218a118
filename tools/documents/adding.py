"""Adding files to a graph's documents.

Files that are stored already are skipped, changed ones are replaced, and those that cannot be read are reported. Files
that were finished stay after an interruption.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.chunking.cutting import chunks_of
from clew.tools.documents.reading.blocks import Block, Content, Table
from clew.tools.documents.reading.files import check, unreadable
from clew.tools.documents.reading.options import ReadingOptions
from clew.tools.documents.reading.process import ReadingProcess
from clew.tools.documents.sources import Sources
from clew.tools.documents.store.records import Document, document_id
from clew.tools.documents.store.store import DocumentStore
from clew.tools.embedding import Embedder
from clew.tools.errors import BadInput

RULES = 1
"""Increased when a change of reading or cutting gives other chunks: files are read again when they are next added."""
MOST_CHARACTERS = 1_000_000_000
"""Of all chunks of a file, with what each repeats."""
_LISTED = 20


@dataclass(frozen=True, slots=True)
class BadFile:
    """A file that could not be read."""

    message: str
    remedy: str


@dataclass(slots=True)
class AddReport:
    """The result of adding files."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    chunks: int = 0
    """Numbers of the files added and changed."""
    tables: int = 0
    hidden: int = 0
    """Files and folders that were skipped because their names begin with a dot."""
    unknown: dict[str, int] = field(default_factory=dict)
    """Files in folders that were skipped, by their ending."""
    outside: int = 0
    """Links in folders that lead out of them and were not followed."""
    bad: list[BadFile] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Notes on files whose encoding was guessed."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def summary_lines(self) -> list[str]:
        """The report for users, one fact per line."""
        lines = self.notes[:_LISTED]
        if self.hidden:
            lines.append(f"Passed over as hidden: {self.hidden:,}.")
        if self.outside:
            lines.append(f"Passed over, as links out of the folder: {self.outside:,}. --follow-links follows them.")
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
    """A number with its noun, in the plural unless it is 1."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def add_documents(
    store: DocumentStore,
    sources: Sources,
    chunking: Chunking,
    embedder: Embedder,
    advance: Callable[[int], None],
    report: AddReport,
    options: ReadingOptions | None = None,
) -> None:
    """Read, cut and store the files that were found.

    Args:
        store: the documents of a graph.
        sources: the files.
        chunking: how documents are cut.
        embedder: for semantic chunking.
        advance: called with the number of files that are done.
        report: filled on the way, so that it is complete after an interruption.
        options: how the files are read.

    Raises:
        ClewError: the store cannot be written.
    """
    report.hidden, report.outside, report.unknown = sources.hidden, sources.outside, dict(sources.unknown)
    report.bad += [BadFile(error.message, error.remedy) for error in sources.bad]
    with ExitStack() as held:
        reading = held.enter_context(ReadingProcess(options or ReadingOptions()))
        if sources.files:
            reading.start_for(sources.files)
            held.enter_context(store.held_open())
        for done, path in enumerate(sources.files, start=1):
            try:
                _add(store, path, chunking, embedder, reading, report)
            except BadInput as error:
                report.bad.append(BadFile(error.message, error.remedy))
            advance(done)


def _add(
    store: DocumentStore, path: Path, chunking: Chunking, embedder: Embedder, reading: ReadingProcess, report: AddReport
) -> None:
    """Raises BadInput for a file that cannot be read; an earlier version of it stays."""
    source, (digest, size) = _source(path), _digest(path)
    known = store.at(source)
    encoding = reading.options.encoding or (Settings.of(known).encoding if known else None)
    settings = str(Settings(RULES, chunking.key, encoding))
    if known is not None and (known.digest, known.settings) == (digest, settings):
        report.unchanged += 1
        return
    content = reading.read(path, encoding)
    tables = 0

    def counting_tables() -> Iterator[Block]:
        nonlocal tables
        for block in content.blocks:
            tables += isinstance(block, Table)
            yield block

    id = document_id(source)
    chunks = chunks_of(id, Content(content.title, counting_tables()), chunking, embedder)
    new = Document(id, source, content.title, digest, settings, size, 0, 0, time.time())
    stored = store.put(new, some(path, chunks), lambda: tables)
    report.chunks += stored.chunks
    report.tables += stored.tables
    report.changed += known is not None
    report.added += known is None
    if content.note:
        report.notes.append(content.note)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that, with its bytes, determine a document's chunks; one string in the store."""

    rules: int
    chunking: str
    encoding: str | None

    @classmethod
    def of(cls, document: Document) -> Settings:
        rules, chunking, *encoding = document.settings.split(" ")
        return cls(int(rules), chunking, encoding[0] if encoding else None)

    def __str__(self) -> str:
        return " ".join(filter(None, (str(self.rules), self.chunking, self.encoding)))


def last_chunking(store: DocumentStore) -> Chunking:
    """The chunking of the document that was added last; the default where there is none."""
    last = max(store.documents(), key=lambda document: document.added, default=None)
    return Chunking() if last is None else Chunking.of_key(Settings.of(last).chunking)


def _source(path: Path) -> str:
    """The path as text. Raises BadInput where it is not UTF-8."""
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


def some(path: Path | str, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """The chunks. Raises BadInput where there is none, or too much: each part of a table repeats the column names."""
    characters = 0
    for chunk in chunks:
        characters += sum(map(len, (chunk.text, chunk.title, chunk.place, chunk.topic, *chunk.header)))
        if characters > MOST_CHARACTERS:
            raise BadInput(
                f"{path} gives more than {MOST_CHARACTERS:,} characters with headings and column names repeated.",
                "Split it, or shorten its headings and column names.",
            )
        yield chunk
    if not characters:
        raise BadInput(f"{path} has no text.", "Check that it was written completely.")
