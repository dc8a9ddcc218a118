"""Reading files of documents and tables.

In: a path. Out: a `Content`: a title, and paragraphs and tables in order with their headings and pages. To add a
format, write a module with a reader and name it with its file endings in `_READERS`. `process` reads formats that a
library parses in a process with bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from clew.tools.documents.reading.blocks import Content
from clew.tools.documents.reading.files import check, first_bytes, refuse_binary
from clew.tools.errors import BadInput

_READERS = {
    "plain_text:read_plain_text": (".txt", ".text", ".rst", ".adoc", ".org"),
    "markdown_text:read_markdown": (".md", ".markdown", ".mdown", ".mkd"),
    "web_page:read_web_page": (".html", ".htm", ".xhtml"),
    "pdf:read_pdf": (".pdf",),
    "word:read_word": (".docx",),
    "delimited_text:read_delimited_text": (".csv", ".tsv", ".tab"),
}
_BY_SUFFIX = {suffix: reader for reader, suffixes in _READERS.items() for suffix in suffixes}
_PLAIN = frozenset(("plain_text:read_plain_text", "delimited_text:read_delimited_text"))
"""Readers without a parser: they take memory in proportion to the file."""
SUFFIXES = frozenset(_BY_SUFFIX)
"""Endings of the files that are read from a folder."""
_CONVERT = {
    **dict.fromkeys((".doc", ".odt", ".rtf", ".pages"), "Save it as .docx or PDF."),
    **dict.fromkeys((".ppt", ".pptx", ".odp", ".key"), "Save it as PDF."),
    **dict.fromkeys((".xls", ".xlsx", ".ods", ".numbers"), "Save its sheets as CSV."),
    **dict.fromkeys((".zip", ".gz", ".tar", ".7z", ".bz2", ".xz"), "Unpack it."),
}


def is_plain(path: Path) -> bool:
    """Whether the file is read as text, or not at all."""
    suffix = path.suffix.lower()
    return suffix not in _BY_SUFFIX or _BY_SUFFIX[suffix] in _PLAIN


def read(path: Path, encoding: str | None = None) -> Content:
    """The content of a file; one with an unknown ending is read as plain text.

    Args:
        path: the file.
        encoding: of text files, where the user says it.

    Raises:
        BadInput: names the file that cannot be read.
    """
    check(path)
    suffix = path.suffix.lower()
    if suffix in _CONVERT:
        raise BadInput(f"{path}: {suffix} files are not read.", _CONVERT[suffix])
    if suffix not in _BY_SUFFIX:
        refuse_binary(path, first_bytes(path))
    module, _, function = _BY_SUFFIX.get(suffix, "plain_text:read_plain_text").partition(":")
    reader: Callable[[Path, str | None], Content] = getattr(import_module(f"{__name__}.{module}"), function)
    return reader(path, encoding)
