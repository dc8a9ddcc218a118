"""Which files the user means: files by name, folders with all that is below them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clew.tools.documents.reading import SUFFIXES
from clew.tools.documents.reading.files import unreadable
from clew.tools.errors import BadInput


@dataclass(slots=True)
class Sources:
    """What was found."""

    files: list[Path] = field(default_factory=list)
    """Absolute, without links in them; each once, sorted within a folder."""
    hidden: int = 0
    """Files and folders in folders, whose names begin with a dot."""
    unknown: Counter[str] = field(default_factory=Counter)
    """By ending, how many files in folders are of none that is read."""
    bad: list[BadInput] = field(default_factory=list)
    """Paths that cannot be looked at."""


def find_sources(paths: Sequence[Path]) -> Sources:
    """A file that is named is taken whatever its ending; from folders those of known endings, at any depth. Links are
    followed, in a circle but once."""
    found = Sources()
    files: dict[Path, None] = {}
    seen: set[tuple[int, int]] = set()
    for path in paths:
        try:
            if path.is_dir():
                files.update(dict.fromkeys(_below(path.resolve(), found, seen)))
            else:
                path.stat()
                files[path.resolve()] = None
        except FileNotFoundError:
            found.bad.append(BadInput(f"{path}: no such file.", "Check the path."))
        except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, in Python 3.11 and 3.12
            found.bad.append(unreadable(path, error if isinstance(error, OSError) else OSError(str(error))))
    found.files = list(files)
    return found


def _below(folder: Path, found: Sources, seen: set[tuple[int, int]]) -> Iterator[Path]:
    """The files below a folder, each folder visited once."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            state = here.stat()
            entries = sorted(os.scandir(here), key=lambda entry: entry.name)
        except OSError as error:
            found.bad.append(unreadable(here, error))
            continue
        if (state.st_dev, state.st_ino) in seen:
            continue
        seen.add((state.st_dev, state.st_ino))
        folders = []
        for entry in entries:
            if entry.name.startswith("."):
                found.hidden += 1
            elif entry.is_dir():
                folders.append(Path(entry.path))
            elif (suffix := Path(entry.name).suffix.lower()) in SUFFIXES:
                yield Path(entry.path).resolve() if entry.is_file() else Path(entry.path)
            else:
                found.unknown[suffix or "no ending"] += 1
        waiting += reversed(folders)
