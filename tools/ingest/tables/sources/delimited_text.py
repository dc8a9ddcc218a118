"""A table of delimited text: CSV, TSV, and the like, plain or gzipped, in UTF-8, UTF-16 or Windows-1252."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from clew.tools.errors import BadInput
from clew.tools.ingest import source
from clew.tools.ingest.formats.delimited import DELIMITER_NAMES, rows
from clew.tools.ingest.formats.headed_table import Layout, layout
from clew.tools.ingest.records import BadLine
from clew.tools.ingest.source import Advance
from clew.tools.ingest.tables.sources.source_table import Row, Source

_ENCODINGS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_FALLBACK = "cp1252"


def delimited_text(path: Path, scratch: Path, shown: Path | None = None) -> Source:
    """The table in a file.

    Args:
        path: the file.
        scratch: a folder for a copy in UTF-8, if the file has another encoding.
        shown: what messages call the file, if not `path`.

    Raises:
        BadInput: the file cannot be read, or has no two columns.
    """
    shown = shown or path
    text, encoding = _as_utf8(path, scratch)
    source.check(text)
    sample = source.sample_lines(text)
    found = layout(sample)
    if found is None:
        first = next((line for line in sample if line.strip()), "")[:60]
        message = f"{shown} is not a table: its lines have different numbers of columns (the first is `{first}`)."
        raise BadInput(message, "Give it a header row, and separate its columns by comma, tab, `;` or `|`.")
    names = column_names(found.header)
    notes = [] if encoding == "utf-8" else [f"{shown} is read as {encoding}."]
    notes += renamed(f"{shown}:{found.line}", found.header, names)
    return Source(
        table=table_name(shown),
        path=shown,
        what=f"a table separated by {DELIMITER_NAMES[found.delimiter]}",
        columns=names,
        rows=partial(_rows, text, found, str(shown), notes),
        size=text.stat().st_size,
        notes=notes,
    )


def table_name(path: Path) -> str:
    """`shop/order-details.csv.gz` gives order-details."""
    return path.name.split(".")[0] or path.name


def _rows(
    path: Path, found: Layout, file: str, notes: list[str], advance: Advance | None = None
) -> Iterator[Row | BadLine]:
    width, repaired = len(found.header), 0
    lines = ((number, text) for number, text in source.lines(path, advance) if number >= found.line)
    header = True
    for row in rows(lines, found.delimiter, quoted=True, multiline=True, file=file):
        if isinstance(row, BadLine):
            yield row
            continue
        if header:
            header = False
            continue
        number, fields = row
        if len(fields) != width:
            joined = _joined(fields) if found.delimiter == "," else fields
            if len(joined) != width:
                yield BadLine(file, number, f"{len(fields)} columns instead of {width}")
                continue
            fields, repaired = joined, repaired + 1
        yield number, [field.strip() for field in fields]
    if repaired:
        rows_of = f"{repaired:,} row{'s' if repaired > 1 else ''} of {file}"
        notes.append(f"{rows_of} had a comma in a text without quotes; the text was put together again.")


def _joined(fields: Sequence[str]) -> list[str]:
    """The fields with each that begins with a blank added to the one before: "Rua do Paço, 67" without quotes."""
    found: list[str] = []
    for field in fields:
        if found and re.match(r" \S", field):
            found[-1] += "," + field
        else:
            found.append(field)
    return found


def column_names(header: Sequence[str]) -> tuple[str, ...]:
    """The header with a name for each field that has none, and a number after a name that is there already."""
    names: list[str] = []
    for place, field in enumerate(header, start=1):
        name = field or f"column_{place}"
        taken = {each.lower() for each in names}
        if name.lower() in taken:
            name = next(f"{name}_{n}" for n in range(2, len(header) + 2) if f"{name}_{n}".lower() not in taken)
        names.append(name)
    return tuple(names)


def renamed(place: str, header: Sequence[str], names: Sequence[str]) -> list[str]:
    """What is said of columns whose name an earlier column has."""
    return [
        f"{place}: two columns are named `{field}`; the later one is called `{name}`."
        for field, name in zip(header, names, strict=True)
        if field and field != name
    ]


def _as_utf8(path: Path, scratch: Path) -> tuple[Path, str]:
    """The file itself if it is UTF-8, else a copy of it in UTF-8, with the encoding."""
    head = source.head(path, 4)
    encoding = next((name for mark, name in _ENCODINGS.items() if head.startswith(mark)), None)
    if encoding is None:
        if _is_utf8(path):
            return path, "utf-8"
        encoding = _FALLBACK
    copy = scratch / f"{len(list(scratch.iterdir()))}-{path.name.removesuffix('.gz')}"
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    with copy.open("w", encoding="utf-8", newline="") as out:
        for block in source.blocks(path):
            out.write(decoder.decode(block))
        out.write(decoder.decode(b"", final=True))
    return copy, "UTF-16" if encoding == "utf-16" else "Windows-1252"


def _is_utf8(path: Path) -> bool:
    """Whether a file is UTF-8, apart from a few damaged bytes: in a file of one byte a letter, none is valid."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    damaged = letters = 0
    for block in source.blocks(path):
        text = decoder.decode(block)
        damaged += text.count("\ufffd")
        letters += 0 if text.isascii() else sum(letter > "\x7f" for letter in text)
    return damaged == 0 or letters > 2 * damaged
