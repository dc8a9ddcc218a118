"""JSON documents as tables: what APIs, MongoDB and scripts write.

In: files of JSON (one value, or one object a line). Out: a `Source` for each kind of object in them. Objects in objects
become columns, or rows of their own table where they have a key; lists of objects become rows that refer to theirs.
`reading` finds the records of a file, `shape` what their fields hold, `layout` what each kind of object becomes, and
`rows` writes the rows into the files of `written_table`.
"""

from __future__ import annotations

from clew.tools.ingest.tables.sources.json_files.reading import JsonFile, is_json
from clew.tools.ingest.tables.sources.json_files.rows import tables

__all__ = ["JsonFile", "is_json", "tables"]
