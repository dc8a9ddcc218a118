"""How files are read: the encoding of texts, and the bounds of formats that are read in a process of their own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The bounds are those of one file."""

    encoding: str | None = None
    """Of text files that are not UTF-8."""
    memory_mb: float = 1000.0
    """Megabytes that the process may take, where the system enforces it."""
    seconds: float = 300.0
    text_mb: float = 64.0
    """Megabytes of what the file holds, as the process gives it back."""
