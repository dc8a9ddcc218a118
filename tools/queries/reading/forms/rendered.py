"""A logical form as it is sent to the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Rendered:
    """A query, its parameters, and what its columns are called."""

    cypher: str
    parameters: dict[str, Any]
    columns: tuple[str, ...]
