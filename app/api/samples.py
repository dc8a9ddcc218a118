"""The graphs that come with Clew, to begin with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import clew


@dataclass(frozen=True, slots=True)
class Sample:
    """A folder of graph files."""

    name: str
    about: str
    files: tuple[Path, ...]


def samples() -> list[Sample]:
    """Those whose files are there."""
    folder = Path(clew.__file__).resolve().parent / "demo" / "graph"
    about = "Films with their people, books, songs, places and awards"
    found = [Sample("demo", about, tuple(sorted(folder.glob("*.csv"))))]
    return [sample for sample in found if sample.files]


def sample(name: str) -> Sample | None:
    """The sample of that name."""
    return next((each for each in samples() if each.name == name), None)
