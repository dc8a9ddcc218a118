"""An entity index on disk: arrays in a folder, and `index.json`, which says which folder is current."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clew.tools.arrays.published import PublishedFiles, published_name

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `index.json` holds."""

    format: int
    version: str
    """Of the graph that was indexed, as the caller gave it."""
    contents: str
    """A digest of the names."""
    folder: str
    labels: list[str]
    longest: int
    """Letters and digits in the longest spelling."""


FILES = PublishedFiles(
    Manifest, "entity index", "index.json", FORMAT, "Build it with `clew index`.", "Build it again with `clew index`."
)


def publish(
    directory: Path, version: str, contents: str, labels: list[str], longest: int, write: Callable[[Path], None]
) -> None:
    """Let `write` fill a new folder, then make it current."""
    with FILES.building(directory) as built:
        write(built)
        FILES.publish(directory, built, Manifest(FORMAT, version, contents, published_name(built), labels, longest))
