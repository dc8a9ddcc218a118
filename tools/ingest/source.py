"""Reading the lines of a file: gzip by its magic bytes, UTF-8 with or without BOM, binary files refused."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from clew.tools.errors import BadInput, BoundPassed

GZIP_MAGIC = b"\x1f\x8b"
SAMPLE_BYTES = 64 * 1024
LONGEST_LINE = 16 * 1024 * 1024
MOST_WHOLE = 64 * 1024 * 1024
"""Bytes of a file that is parsed whole, at most."""
_REPORT_EVERY = 2000
_BOM = b"\xef\xbb\xbf"

_OTHER_KINDS = {
    b"PK\x03\x04": ("a zip archive", "Unpack it and import the files inside."),
    b"BZh": ("compressed with bzip2", "Unpack it, or compress it with gzip."),
    b"\xfd7zXZ": ("compressed with xz", "Unpack it, or compress it with gzip."),
    b"\x28\xb5\x2f\xfd": ("compressed with zstd", "Unpack it, or compress it with gzip."),
    b"\xff\xfe": ("UTF-16 text", "Save it as UTF-8."),
    b"\xfe\xff": ("UTF-16 text", "Save it as UTF-8."),
}

Advance = Callable[[int], None]
"""Called with the number of bytes of the file (as stored) read so far."""


def check(path: Path) -> None:
    """Raises BadInput unless `path` is a readable, non-empty text file (or gzip of one)."""
    if not path.exists():
        raise BadInput(f"{path}: no such file.", "Check the path.")
    if path.is_dir():
        raise BadInput(f"{path} is a folder.", "Name the files to import, for example with a wildcard.")
    sample = head(path)
    if not sample.strip():
        raise BadInput(f"{path} is empty.", "Check that it was written completely.")
    for magic, (kind, remedy) in _OTHER_KINDS.items():
        if sample.startswith(magic):
            raise BadInput(f"{path} is {kind}.", remedy)
    if b"\0" in sample:
        raise BadInput(f"{path} is a binary file, not text.", "Import triples, CSV, JSON Lines, RDF or Cypher text.")


def head(path: Path, size: int = SAMPLE_BYTES) -> bytes:
    """The first `size` bytes, unpacked."""
    with _open(path) as (file, _raw):
        return file.read(size)


def sample_lines(path: Path, count: int = 200) -> list[str]:
    """Up to `count` complete lines from the start, bad bytes replaced, line ends and BOM removed."""
    sample = head(path)
    text = sample.removeprefix(_BOM).decode("utf-8", "replace").removesuffix("\n")
    lines = [line.rstrip("\r") for line in text.split("\n")]  # Other characters that end lines do not end these.
    if len(sample) == SAMPLE_BYTES and len(lines) > 1:
        lines.pop()  # cut in the middle
    return lines[:count]


def lines(path: Path, advance: Advance | None = None) -> Iterator[tuple[int, str | None]]:
    """(line number from 1, text without its end); the text is None where the line is not UTF-8 or is too long."""
    with _open(path) as (file, raw):
        number = 0
        try:
            for number, data in enumerate(_byte_lines(file), start=1):
                yield number, _decoded(data.removeprefix(_BOM) if data and number == 1 else data)
                if advance is not None and number % _REPORT_EVERY == 0:
                    advance(raw.tell())
        except (EOFError, zlib.error) as error:
            raise _damaged(path, number + 1) from error
        if advance is not None:
            advance(raw.tell())


def whole_text(path: Path, shown: Path, what: str, remedy: str) -> str:
    """The text of a file that is parsed whole.

    Args:
        path: the file.
        shown: what messages call it.
        what: what it is, such as "one JSON value".
        remedy: what helps if it is too large.

    Raises:
        BoundPassed: it has more than MOST_WHOLE bytes.
        BadInput: it is not UTF-8, or cannot be read.
    """
    data = bytearray()
    for block in blocks(path):
        data += block
        if len(data) > MOST_WHOLE:
            message = f"{shown} is {what} of more than {MOST_WHOLE / 1024**2:g} MiB in one file."
            raise BoundPassed(message, remedy, bound="memory")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{shown}:{line}: not UTF-8 text.", "Save the file as UTF-8.") from error


def suffix(path: Path) -> str:
    """The extension that gives the format: `.csv` of `orders.csv.gz`."""
    return Path(path.name.lower().removesuffix(".gz")).suffix


def content_digest(paths: Iterable[Path]) -> str:
    """SHA-256 of the unpacked contents, in hex; the same for a file and its gzip, and for any order of files."""
    digests = sorted(_digest(path) for path in paths)
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def blocks(path: Path) -> Iterator[bytes]:
    """The unpacked content, in blocks of 1 MiB."""
    with _open(path) as (file, _raw):
        while block := file.read(1 << 20):
            yield block


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    for block in blocks(path):
        found.update(block)
    return found.hexdigest()


@contextmanager
def _open(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The unpacked stream, and the file below it, whose position is the progress. Raises BadInput."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == GZIP_MAGIC
            raw.seek(0)
            if not packed:
                yield raw, raw
            else:
                with gzip.GzipFile(fileobj=raw) as file:
                    yield file, raw  # type: ignore[misc]
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise _damaged(path, 1) from error
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}."
        raise BadInput(message, "Check the path and its permissions.") from error


def _byte_lines(file: IO[bytes]) -> Iterator[bytes | None]:
    """The lines with their ends; None for one that is too long."""
    while line := file.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE)
        yield None


def _decoded(data: bytes | None) -> str | None:
    try:
        return None if data is None else data.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        return None


def _damaged(path: Path, line: int) -> BadInput:
    return BadInput(f"{path}:{line}: the gzip data is cut off or damaged.", "Fetch or compress the file again.")
