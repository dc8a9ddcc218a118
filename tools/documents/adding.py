"""Adding files to a graph's documents.

Files that are stored already are skipped, changed ones are replaced, and those that cannot be read are reported. Files
that were finished stay after an interruption.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.chunking.cutting import chunks_of
from clew.tools.documents.reading import SUFFIXES
from clew.tools.documents.reading.blocks import Block, Content, Table
from clew.tools.documents.reading.files import check, unreadable
from clew.tools.documents.reading.options import ReadingOptions
from clew.tools.documents.reading.process import ReadingProcess
from clew.tools.documents.store.records import Document, document_id
from clew.tools.documents.store.store import DocumentStore
from clew.tools.embedding import Embedder
from clew.tools.errors import BadInput

RULES = 1
"""Increased when a change of reading or cutting gives other chunks: files are read again when they are next added."""
MOST_CHARACTERS = 1_000_000_000
"""Of all chunks of a file, with what each repeats."""
_LISTED = 20


@dataclass(slots=True)
class Sources:
    """The files that were found."""

    files: list[Path] = field(default_factory=list)
    """Absolute paths with links resolved; each once, sorted within a folder."""
    hidden: int = 0
    """Number of files and folders in folders whose names begin with a dot."""
    unknown: Counter[str] = field(default_factory=Counter)
    """By ending, the number of files in folders whose format is not read."""
    outside: int = 0
    """Number of links in folders that lead out of them and were not followed."""
    bad: list[BadInput] = field(default_factory=list)
    """Errors of paths that cannot be read."""


def find_sources(paths: Sequence[Path], *, follow_links: bool = False) -> Sources:
    """The files that the user means: a named file whatever its ending, and the files below a folder with known endings.

    Links within a folder are followed, and with `follow_links` those that lead out of it, but no folder is visited
    twice.
    """
    found = Sources()
    files: dict[Path, None] = {}
    seen: set[tuple[int, int]] = set()
    for path in paths:
        try:
            if path.is_dir():
                files.update(dict.fromkeys(_below(path.resolve(), found, seen, follow_links)))
            else:
                path.stat()
                files[path.resolve()] = None
        except FileNotFoundError:
            found.bad.append(BadInput(f"{path}: no such file.", "Check the path."))
        except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, in Python 3.11 and 3.12
            found.bad.append(unreadable(path, error if isinstance(error, OSError) else OSError(str(error))))
    found.files = list(files)
    return found


def _below(folder: Path, found: Sources, seen: set[tuple[int, int]], follow_links: bool) -> Iterator[Path]:
    """The files below a folder, each folder visited once."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            state = here.stat()
            entries = sorted(os.scandir(here), key=lambda entry: entry.name)
        except OSError as error:
            found.bad.append(unreadable(here, error))
            continue
        if (state.st_dev, state.st_ino) in seen:
            continue
        seen.add((state.st_dev, state.st_ino))
        folders = []
        for entry in entries:
            if entry.name.startswith("."):
                found.hidden += 1
            elif not follow_links and entry.is_symlink() and _leads_out(Path(entry.path), folder):
                found.outside += 1
            elif entry.is_dir():
                folders.append(Path(entry.path))
            elif (suffix := Path(entry.name).suffix.lower()) in SUFFIXES:
                yield Path(entry.path).resolve() if entry.is_file() else Path(entry.path)
            else:
                found.unknown[suffix or "no ending"] += 1
        waiting += reversed(folders)


def _leads_out(link: Path, folder: Path) -> bool:
    """Whether what the link stands for exists and is not below the folder."""
    try:
        return not link.resolve(strict=True).is_relative_to(folder)
    except (OSError, RuntimeError):  # It leads nowhere, or in a circle: reading it says so.
        return False


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
    encoding = reading.options.encoding or (_Settings.of(known).encoding if known else None)
    settings = str(_Settings(RULES, chunking.key, encoding))
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
    stored = store.put(new, _some(path, chunks), lambda: tables)
    report.chunks += stored.chunks
    report.tables += stored.tables
    report.changed += known is not None
    report.added += known is None
    if content.note:
        report.notes.append(content.note)


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings that, with its bytes, determine a document's chunks; one string in the store."""

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
    """The chunking of the document that was added last; the default where there is none."""
    last = max(store.documents(), key=lambda document: document.added, default=None)
    return Chunking() if last is None else Chunking.of_key(_Settings.of(last).chunking)


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


def _some(path: Path, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
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
