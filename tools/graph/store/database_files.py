"""What the embedded database does not report about damage to its files: records that are gone.

The engine starts on files that were cut off or removed, and answers from the records that are left.
"""

from __future__ import annotations

import re
from pathlib import Path

from clew.tools.graph.store.connection import Connection

_PAGED = re.compile(r".+\.\d+\.(?P<page>\d+)\.v\d+\.\w+")
"""The name of a file of pages: NAME.NUMBER.PAGESIZE.vVERSION.KIND."""


def cut_files(database: Path) -> list[str]:
    """The names of the files in a database's folder that do not end with a page."""
    found = ((path, _PAGED.fullmatch(path.name)) for path in database.glob("*.v*.*"))
    return sorted(path.name for path, match in found if match and path.stat().st_size % int(match["page"]))


def records(connection: Connection, name: str) -> tuple[str, int, int]:
    """The entry of a graph of the embedded database, and its numbers of nodes and relationships."""
    info = connection.catalogue.info(connection.entries.current(name))
    return info.name, info.nodes, info.relationships


def stored_files(database: Path) -> list[str]:
    """The names of the files of records in a database's folder; they stay as long as the graph is not replaced."""
    return sorted(path.name for path in database.glob("*.bucket"))


def lost(before: tuple[int, int], now: tuple[int, int]) -> str:
    """What a graph has lost, in words; "" for nothing."""
    parts = [
        f"{was - left:,} of {was:,} {what}"
        for was, left, what in zip(before, now, ("nodes", "relationships"), strict=True)
        if left < was
    ]
    return " and ".join(parts)
