"""The tables of an import, wherever they are: delimited text, workbooks, Parquet files and databases.

In: paths and database URLs. Out: a `Source` for each table, with its columns, its rows, and the types and keys that the
source declares.
"""

from __future__ import annotations

from clew.tools.ingest.tables.sources.source_table import NULLS, DeclaredReference, Hint, Row, Source

__all__ = ["NULLS", "DeclaredReference", "Hint", "Row", "Source"]
