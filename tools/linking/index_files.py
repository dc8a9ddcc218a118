"""An entity index on disk: arrays in a folder, and one small file that says which folder is current."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.errors import BadInput, ClewError

FORMAT = 1
_MANIFEST = "index.json"


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


def publish(
    directory: Path, version: str, contents: str, labels: list[str], longest: int, write: Callable[[Path], None]
) -> None:
    """Let `write` fill a new folder, then make it current in one rename; older folders go away.

    A process that has the old arrays mapped keeps them. After a crash the old index is still current.
    """
    directory.mkdir(parents=True, exist_ok=True)
    token = secrets.token_hex(4)
    building = directory / f"building-{token}"
    building.mkdir()
    try:
        write(building)
        data = building.rename(directory / f"data-{token}")
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    manifest = Manifest(FORMAT, version, contents, data.name, labels, longest)
    draft = directory / f"{_MANIFEST}.{token}"
    draft.write_text(json.dumps(asdict(manifest), ensure_ascii=False), encoding="utf-8")
    os.replace(draft, directory / _MANIFEST)
    for old in directory.glob("data-*"):
        if old != data:
            shutil.rmtree(old, ignore_errors=True)


def read_manifest(directory: Path) -> Manifest:
    """Raises BadInput where there is no index, or one that another version of Clew wrote."""
    path = directory / _MANIFEST
    rebuild = "Build it again with `clew index`."
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"There is no entity index in {directory}.", "Build it with `clew index`.") from None
    except (ValueError, OSError) as error:
        raise BadInput(f"{path} cannot be read: {error}.", rebuild) from error
    found = fields.get("format") if isinstance(fields, dict) else None
    if found != FORMAT:
        raise BadInput(f"{path} has format {found}; this version of Clew reads format {FORMAT}.", rebuild)
    try:
        return Manifest(**fields)
    except TypeError as error:
        raise BadInput(f"{path} is not an entity index: {error}.", rebuild) from error


def damaged(directory: Path, error: Exception) -> ClewError:
    """The error for arrays that are missing or unreadable."""
    return BadInput(f"The entity index in {directory} is damaged: {error}.", "Build it again with `clew index`.")
