"""From a file's bytes to its text: size, encoding, and the signs of a file that is not what its name says."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from clew.tools.errors import BadInput

LARGEST = 256 * 1024 * 1024
"""Maximum bytes of a file."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_BINARY = {
    b"%PDF": "a PDF", b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "compressed with gzip",
    b"\xd0\xcf\x11\xe0": "an old Office file", b"\x89PNG": "an image", b"\xff\xd8\xff": "an image", b"GIF8": "an image",
}  # fmt: skip
_NO_MEMORY = 2
"""The code of lxml's errors where it has no memory."""
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MOST_CONTROL = 0.01
_WESTERN = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜàáâãäåæçèéêëìíîïñòóôõöøùúûüÿßŒœ\u201c\u201d\u2018\u2019„\u2013\u2014…•€£§°©®™«»¿¡ºª·\u00a0"
)
_MOST_WESTERN = 0.2
"""Share of such letters among all: in no language that Windows-1252 is for is it more."""


def checked_bytes(path: Path) -> bytes:
    """The file's bytes. Raises BadInput where it is missing, not a file, empty, too large or cannot be read."""
    check(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error


def first_bytes(path: Path) -> bytes:
    """The beginning of the file. Raises BadInput."""
    try:
        with path.open("rb") as file:
            return file.read(1 << 16)
    except OSError as error:
        raise unreadable(path, error) from error


def check(path: Path) -> None:
    """Check a file as `checked_bytes` does, without reading it."""
    try:
        if not path.exists():
            raise BadInput(f"{path}: no such file.", "Check the path.")
        if not path.is_file():
            raise BadInput(f"{path} is not a file.", "Name files, or folders with files in them.")
        size = path.stat().st_size
    except OSError as error:
        raise unreadable(path, error) from error
    if not size:
        raise BadInput(f"{path} is empty.", "Check that it was written completely.")
    if size > LARGEST:
        raise BadInput(f"{path} is too large ({size >> 20:,} MiB of at most {LARGEST >> 20}).", "Split it.")


def decoded(path: Path, data: bytes, encoding: str | None = None, *, likely: str | None = None) -> tuple[str, str]:
    """The text with line ends as \\n, and a note where its encoding was guessed.

    Text is UTF-8, or UTF-16 or UTF-32 with its mark. Other text is read as Windows-1252 where its letters and signs
    beyond ASCII are of western Europe and few.

    Args:
        encoding: as the user says.
        likely: as the file itself says; tried where the text is not UTF-8.

    Raises:
        BadInput: the bytes are not text, or of an unknown encoding.
    """
    refuse_binary(path, data)
    marked = next((name for bom, name in _BOMS if data.startswith(bom)), None)
    try:
        return _lines(data.decode(encoding or marked or "utf-8")), ""
    except LookupError:
        raise BadInput(f"There is no encoding {encoding!r}.", "Such as utf-8, windows-1252, shift_jis.") from None
    except UnicodeDecodeError as error:
        if encoding is not None or marked is not None:
            raise BadInput(f"{path} is not {encoding or marked} text{_where(data, error)}.", _ENCODING) from None
        guessed = _as_declared(data, likely) or _as_western(data)
        if guessed is None:
            raise BadInput(f"{path} is not UTF-8 text{_where(data, error)}.", _ENCODING) from None
    return _lines(guessed[0]), f"{path} was read as {guessed[1]}."


_ENCODING = "Save it as UTF-8, or say what it is: --encoding NAME"


def refuse_binary(path: Path, data: bytes) -> None:
    """Raises BadInput unless the bytes can be text."""
    kind = next((kind for magic, kind in _BINARY.items() if data.startswith(magic)), None)
    wide = any(data.startswith(bom) for bom, name in _BOMS if name != "utf-8-sig")
    if kind is None and not wide:
        sample = data[: 1 << 16]
        if b"\0" in sample or len(_CONTROL.findall(sample)) > _MOST_CONTROL * len(sample):
            kind = "a binary file"
    if kind is not None:
        raise BadInput(f"{path} is {kind}, not text.", "Give it the ending of its format, or leave it out.")


def unreadable(path: Path, error: OSError) -> BadInput:
    """The error for a file that the system does not open or read."""
    return BadInput(f"{path} cannot be read: {error.strerror or error}.", "Check the path and its permissions.")


def damaged(path: Path, kind: str, error: Exception) -> BadInput:
    """The BadInput for an exception that a reading library raises on a broken file. Raises MemoryError for one."""
    if isinstance(error, MemoryError) or (isinstance(error, SyntaxError) and getattr(error, "code", 0) == _NO_MEMORY):
        raise MemoryError from error
    why = " ".join(str(error).split())[:160] or type(error).__name__
    return BadInput(f"{path} is damaged, or not {kind}: {why}.", "Open and save it again with the program it is from.")


def name_as_title(path: Path) -> str:
    """`box_office-2020.csv` to "box office 2020"."""
    return " ".join(re.sub(r"[_\-]+", " ", path.stem).split()) or path.name


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _as_declared(data: bytes, likely: str | None) -> tuple[str, str] | None:
    try:
        return (data.decode(likely), likely) if likely else None
    except (LookupError, UnicodeDecodeError):
        return None


def _as_western(data: bytes) -> tuple[str, str] | None:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    foreign = [character for character in text if character > "\x7f"]
    letters = sum(map(str.isalpha, text))
    fits = _WESTERN.issuperset(foreign) and sum(map(str.isalpha, foreign)) <= _MOST_WESTERN * letters
    return (text, "Windows-1252") if fits else None


def _where(data: bytes, error: UnicodeDecodeError) -> str:
    line = data.count(b"\n", 0, error.start) + 1
    return f" (byte {data[error.start]:#04x} in line {line})"
