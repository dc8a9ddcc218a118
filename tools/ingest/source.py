"""Reading the lines of a file: gzip by its magic bytes, UTF-8 with or without BOM, binary files refused."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

from clew.tools.errors import BadInput

GZIP_MAGIC = b"\x1f\x8b"
SAMPLE_BYTES = 64 * 1024
LONGEST_LINE = 16 * 1024 * 1024
_REPORT_EVERY = 2000

_OTHER_KINDS = {
    b"PK\x03\x04": ("a zip archive", "Unpack it and import the files inside."),
    b"BZh": ("compressed with bzip2", "Unpack it, or compress it with gzip."),
    b"\xfd7zXZ": ("compressed with xz", "Unpack it, or compress it with gzip."),
    b"\x28\xb5\x2f\xfd": ("compressed with zstd", "Unpack it, or compress it with gzip."),
    b"\xff\xfe": ("UTF-16 text", "Save it as UTF-8."),
    b"\xfe\xff": ("UTF-16 text", "Save it as UTF-8."),
}

Advance = Callable[[int], None]
"""Called with the number of bytes of the file (as stored) read since the last call."""


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
    try:
        with _open(path) as (file, _raw):
            return file.read(size)
    except OSError as error:
        raise _unreadable(path, error) from error
    except (EOFError, zlib.error) as error:
        raise _damaged(path, 1) from error


def sample_lines(path: Path, count: int = 200) -> list[str]:
    """Up to `count` complete lines from the start, bad bytes replaced, line ends and BOM removed."""
    sample = head(path)
    lines = sample.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").splitlines()
    if len(sample) == SAMPLE_BYTES and len(lines) > 1:
        lines.pop()  # cut in the middle
    return lines[:count]


def lines(path: Path, advance: Advance | None = None) -> Iterator[tuple[int, str | None]]:
    """(line number from 1, text without its end), the text None where the line is not UTF-8 or is too long."""
    number, reported = 0, 0
    try:
        with _open(path) as (file, raw):
            for data in _byte_lines(file):
                number += 1
                yield number, _decoded(data, first=number == 1)
                if advance is not None and number % _REPORT_EVERY == 0:
                    position = raw.tell()
                    advance(position - reported)
                    reported = position
            if advance is not None:
                advance(raw.tell() - reported)
    except OSError as error:
        raise _unreadable(path, error) from error
    except (EOFError, zlib.error) as error:
        raise _damaged(path, number + 1) from error


def content_digest(paths: Iterable[Path]) -> str:
    """SHA-256 of the unpacked contents, in hex; the same for a file and its gzip, and for any order of files."""
    digests = sorted(_digest(path) for path in paths)
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    try:
        with _open(path) as (file, _raw):
            while block := file.read(1 << 20):
                found.update(block)
    except OSError as error:
        raise _unreadable(path, error) from error
    except (EOFError, zlib.error) as error:
        raise _damaged(path, 1) from error
    return found.hexdigest()


class _open:
    """The unpacked stream, and the file below it (whose position is the progress)."""

    def __init__(self, path: Path) -> None:
        self._raw: IO[bytes] = path.open("rb")
        packed = self._raw.read(2) == GZIP_MAGIC
        self._raw.seek(0)
        self._file: IO[bytes] = gzip.GzipFile(fileobj=self._raw) if packed else self._raw  # type: ignore[assignment]

    def __enter__(self) -> tuple[IO[bytes], IO[bytes]]:
        return self._file, self._raw

    def __exit__(self, *_exception: object) -> None:
        self._file.close()
        self._raw.close()


def _byte_lines(file: IO[bytes]) -> Iterator[bytes | None]:
    while line := file.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE)
        yield None


def _decoded(data: bytes | None, *, first: bool) -> str | None:
    if data is None:
        return None
    if first:
        data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        return None


def _unreadable(path: Path, error: OSError) -> BadInput:
    if isinstance(error, gzip.BadGzipFile):
        return _damaged(path, 1)
    return BadInput(f"{path} cannot be read: {error.strerror or error}.", "Check the path and its permissions.")


def _damaged(path: Path, line: int) -> BadInput:
    return BadInput(f"{path}:{line}: the gzip data is cut off or damaged.", "Fetch or compress the file again.")
