"""How many records the embedded database has of a graph, and what it has lost since that was noted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clew.app.parts import Parts


def noted_records(parts: Parts, name: str) -> dict[str, Any] | None:
    """What is noted of a graph beside its schema; None for a database that is not the embedded one."""
    found = _records(parts, name)
    return found and {"counts": list(found[1]), "files": found[2]}


def missing_records(parts: Parts, name: str, noted: Mapping[str, Any] | None) -> str:
    """What the database has lost of a graph since its records were `noted`, in words; "" for nothing."""
    from clew.tools.graph.store.database_files import lost, spoilt_files

    now = _records(parts, name)
    if now is None or noted is None:
        return ""
    place, counts, files = now
    before = noted["files"] if isinstance(noted["files"], dict) else dict.fromkeys(noted["files"], 0)
    spoilt = {*spoilt_files(place), *(name for name, size in before.items() if files.get(name, -1) < size)}
    return f"what was in {', '.join(sorted(spoilt))}" if spoilt else lost(tuple(noted["counts"]), counts)


def _records(parts: Parts, name: str) -> tuple[Path, tuple[int, int], dict[str, int]] | None:
    """The folder of the graph's embedded database, its numbers of records, and the sizes of its files; None
    for another."""
    if parts.settings.database_url is not None:
        return None
    from clew.tools.graph.store import daemon
    from clew.tools.graph.store.database_files import records, stored_files

    entry, *counts = parts.database.ask(lambda connection: records(connection, name))
    place = daemon.folder(parts.settings.home) / "databases" / entry
    return place, (counts[0], counts[1]), stored_files(place)
