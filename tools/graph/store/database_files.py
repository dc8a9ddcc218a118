"""What the embedded database does not report about damage to its files: records that are gone.

The engine starts on files that were cut off, emptied, overwritten or removed, and answers from what is left.
"""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path

from clew.tools.graph.store.connection import Connection

_PAGED = re.compile(r".+\.\d+\.(?P<page>\d+)\.v\d+\.\w+")
"""The name of a file of pages: NAME.NUMBER.PAGESIZE.vVERSION.KIND."""
_HEAD = struct.Struct(">ii")
"""Of a page: how often it was written, and the bytes in use."""
_PAGES_LOOKED_AT = 64


def spoilt_files(database: Path) -> list[str]:
    """The names of the files in a database's folder that do not end with a page, or hold what is no page."""
    found = ((path, _PAGED.fullmatch(path.name)) for path in database.glob("*.v*.*"))
    return sorted(path.name for path, match in found if match and not _has_pages(path, int(match["page"])))


def _has_pages(path: Path, size: int) -> bool:
    """Whether a file consists of pages. Those of a large file are looked at here and there."""
    with path.open("rb") as file:
        number, rest = divmod(os.fstat(file.fileno()).st_size, size)
        looked_at = range(0, number, max(1, number // _PAGES_LOOKED_AT))
        return not rest and all(_is_page(os.pread(file.fileno(), _HEAD.size, size * at), size) for at in looked_at)


def _is_page(head: bytes, size: int) -> bool:
    version, content = _HEAD.unpack(head)
    return bool(version >= 0 and 0 <= content <= size)


def records(connection: Connection, name: str) -> tuple[str, int, int]:
    """The entry of a graph of the embedded database, and its numbers of nodes and relationships."""
    info = connection.catalogue.info(connection.entries.current(name))
    return info.name, info.nodes, info.relationships


def stored_files(database: Path) -> dict[str, int]:
    """The files of records in a database's folder with their sizes. They stay and do not become smaller as long as the
    graph is not replaced."""
    return {path.name: path.stat().st_size for path in sorted(database.glob("*.bucket"))}


def lost(before: tuple[int, int], now: tuple[int, int]) -> str:
    """What a graph has lost, in words; "" for nothing."""
    parts = [
        f"{was - left:,} of {was:,} {what}"
        for was, left, what in zip(before, now, ("nodes", "relationships"), strict=True)
        if left < was
    ]
    return " and ".join(parts)
