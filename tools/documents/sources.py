"""The files that a user means by files and folders."""

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
    """The files that were found."""

    files: list[Path] = field(default_factory=list)
    """Absolute paths with links resolved; each once, sorted within a folder."""
    hidden: int = 0
    """Number of files and folders in folders whose names begin with a dot."""
    unknown: Counter[str] = field(default_factory=Counter)
    """By ending, the number of files in folders whose format is not read."""
    outside: int = 0
    """Number of links in folders that lead out of them and were not followed."""
    bad: list[BadInput] = field(default_factory=list)
    """Errors of paths that cannot be read."""


def find_sources(paths: Sequence[Path], *, follow_links: bool = False) -> Sources:
    """The files that the user means: a named file whatever its ending, and the files below a folder with known endings.

    Links within a folder are followed, and with `follow_links` those that lead out of it, but no folder is visited
    twice.
    """
    found = Sources()
    files: dict[Path, None] = {}
    seen: set[tuple[int, int]] = set()
    for path in paths:
        try:
            if path.is_dir():
                files.update(dict.fromkeys(_below(path.resolve(), found, seen, follow_links)))
            else:
                path.stat()
                files[path.resolve()] = None
        except FileNotFoundError:
            found.bad.append(BadInput(f"{path}: no such file.", "Check the path."))
        except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, in Python 3.11 and 3.12
            found.bad.append(unreadable(path, error if isinstance(error, OSError) else OSError(str(error))))
    found.files = list(files)
    return found


def _below(folder: Path, found: Sources, seen: set[tuple[int, int]], follow_links: bool) -> Iterator[Path]:
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
            elif not follow_links and entry.is_symlink() and _leads_out(Path(entry.path), folder):
                found.outside += 1
            elif entry.is_dir():
                folders.append(Path(entry.path))
            elif (suffix := Path(entry.name).suffix.lower()) in SUFFIXES:
                yield Path(entry.path).resolve() if entry.is_file() else Path(entry.path)
            else:
                found.unknown[suffix or "no ending"] += 1
        waiting += reversed(folders)


def _leads_out(link: Path, folder: Path) -> bool:
    """Whether what the link stands for exists and is not below the folder."""
    try:
        return not link.resolve(strict=True).is_relative_to(folder)
    except (OSError, RuntimeError):  # It leads nowhere, or in a circle: reading it says so.
        return False
