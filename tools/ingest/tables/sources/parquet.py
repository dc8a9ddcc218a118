"""A table in a Parquet file, which DuckDB reads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from clew.tools.errors import BadInput
from clew.tools.ingest.records import BadLine
from clew.tools.ingest.source import Advance
from clew.tools.ingest.tables.sources.delimited_text import table_name
from clew.tools.ingest.tables.sources.source_table import Hint, Row, Source

MAGIC = b"PAR1"
_MEMORY = "1GB"
_ROWS = 5000


def parquet(path: Path, shown: Path | None = None) -> Source:
    """The table in a Parquet file. Raises BadInput if it cannot be read."""
    import duckdb

    shown = shown or path
    try:
        with duckdb.connect() as db:
            columns = db.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(path)]).fetchall()
    except duckdb.Error as error:
        reason = str(error).split("\n")[0]
        raise BadInput(f"{shown} cannot be read as Parquet: {reason}.", "Write the file again.") from error
    kept = [(str(name), str(kind)) for name, kind, *_rest in columns if kind != "BLOB"]
    hints: dict[str, Hint] = {name: "text" for name, kind in kept if kind == "VARCHAR"}
    return Source(
        table=table_name(shown),
        path=shown,
        what="a Parquet file",
        columns=tuple(name for name, _kind in kept),
        rows=partial(_rows, path, [name for name, _kind in kept]),
        hints=hints,
        left_out={str(name): "binary data" for name, kind, *_rest in columns if kind == "BLOB"},
    )


def _rows(path: Path, columns: list[str], _advance: Advance | None = None) -> Iterator[Row | BadLine]:
    """The rows, numbered from 1."""
    import duckdb

    listed = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
    with duckdb.connect(config={"memory_limit": _MEMORY}) as db:
        found = db.execute(f"SELECT {listed} FROM read_parquet(?)", [str(path)])
        number = 0
        while block := found.fetchmany(_ROWS):
            for row in block:
                number += 1
                yield number, [", ".join(map(str, value)) if isinstance(value, list) else value for value in row]
