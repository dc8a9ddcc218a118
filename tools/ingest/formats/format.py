"""A recognised file: what it is, why, and how to read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from clew.tools.ingest.records import Record
from clew.tools.ingest.source import Advance

Kind = Literal["triples", "csv", "json-lines", "n-triples", "turtle", "cypher"]

Reader = Callable[[Advance | None], Iterator[Record]]


@dataclass(frozen=True, slots=True)
class Format:
    """One file and its reader. `read` may be called more than once."""

    path: Path
    kind: Kind
    why: str
    """A sentence for the user: what was recognised and by what."""
    read: Reader
