"""The embedded engine in a process of its own, without a server: `python -m tests.tools.graph.engine_process`.

write FOLDER N        create a database, commit N batches of nodes, and wait
check FOLDER...       open databases after `rewind`, and print a line for each: its films, and those that the index
                      of their keys finds
check-raw FOLDER...   the same without `rewind`
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from clew.tools.graph.store.torn_pages import rewind

ROWS = 40
"""Nodes of one batch."""
_CREATE = "UNWIND $rows AS row CREATE (n:Film {nodeId: row, name: row})"


def write(databases: Any, count: int) -> None:
    database = databases.create()
    database.command("opencypher", "CREATE INDEX IF NOT EXISTS FOR (n:Film) ON (n.nodeId)")
    for batch in range(count):
        with database.transaction():
            rows = [f"film {number}" for number in range(batch * ROWS, (batch + 1) * ROWS)]
            database.command("opencypher", _CREATE, {"rows": rows})
    print("written", flush=True)
    time.sleep(600)


def check(databases: Any) -> None:
    with databases.open() as database:
        films = [each.get("key") for each in database.query("opencypher", "MATCH (n:Film) RETURN n.nodeId AS key")]
        found = "MATCH (n:Film {nodeId: $key}) RETURN n.name"
        known = sum(any(True for _ in database.query("opencypher", found, {"key": key})) for key in set(films))
    print(len(films), known, flush=True)


def main(task: str, *arguments: str) -> None:
    from arcadedb_embedded import DatabaseFactory
    from arcadedb_embedded.jvm import start_jvm

    os.chdir(Path(arguments[0]).parent)  # The engine writes its log there.
    start_jvm(heap_size="256m", jvm_args=["-Xrs"])
    if task == "write":
        write(DatabaseFactory(arguments[0]), int(arguments[1]))
        return
    for folder in arguments:
        if task == "check":
            rewind(Path(folder))
        check(DatabaseFactory(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)
