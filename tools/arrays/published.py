"""Files that are built in a folder of their own and published by one rename.

A directory holds `data-*` folders of arrays and a manifest, a small JSON file that names the current one. Readers need
no lock: a process that has the old arrays mapped keeps them. After a crash what was published before is still current.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from clew.tools.errors import BadInput


class Manifest(Protocol):
    """A dataclass; what the manifest file holds."""

    @property
    def format(self) -> int: ...
    @property
    def folder(self) -> str: ...


M = TypeVar("M", bound=Manifest)


@dataclass(frozen=True, slots=True)
class PublishedFiles(Generic[M]):
    """One kind of published files: how its manifest is called and read, and what errors say."""

    kind: type[M]
    what: str
    """For people, such as "graph snapshot"."""
    file: str
    """The manifest's name."""
    format: int
    build: str
    """What to do where there are none."""
    rebuild: str
    """What to do where they cannot be read."""

    @contextmanager
    def building(self, directory: Path) -> Iterator[Path]:
        """A new empty folder to build in; it goes away where the build fails."""
        directory.mkdir(parents=True, exist_ok=True)
        folder = directory / f"building-{secrets.token_hex(4)}"
        folder.mkdir()
        try:
            yield folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    @staticmethod
    def remove_interrupted(directory: Path) -> None:
        """Remove what builds that were killed have left. Only for a builder who is alone in the directory."""
        for left in directory.glob("building-*"):
            shutil.rmtree(left, ignore_errors=True)

    def publish(self, directory: Path, built: Path, manifest: M) -> None:
        """Make the built folder current, under the name that the manifest gives; older folders go away."""
        data = built.rename(directory / manifest.folder)
        draft = directory / f"{self.file}.{secrets.token_hex(4)}"
        draft.write_text(json.dumps(_fields(manifest), ensure_ascii=False), encoding="utf-8")
        os.replace(draft, directory / self.file)
        for old in directory.glob("data-*"):
            if old != data:
                shutil.rmtree(old, ignore_errors=True)

    def read(self, directory: Path) -> M:
        """The manifest. Raises BadInput where there is none, or one that another version of Clew wrote."""
        path = directory / self.file
        try:
            fields = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise BadInput(f"There is no {self.what} in {directory}.", self.build) from None
        except (ValueError, OSError) as error:
            raise BadInput(f"{path} cannot be read: {error}.", self.rebuild) from error
        found = fields.get("format") if isinstance(fields, dict) else None
        if found != self.format:
            message = f"{path} has format {found}; this version of Clew reads format {self.format}."
            raise BadInput(message, self.rebuild)
        try:
            return self.kind(**fields)
        except TypeError as error:
            raise BadInput(f"{path} does not describe a {self.what}: {error}.", self.rebuild) from error

    def damaged(self, directory: Path, error: Exception) -> BadInput:
        """The error for arrays that are missing or unreadable."""
        return BadInput(f"The {self.what} in {directory} is damaged: {error}.", self.rebuild)


def published_name(built: Path) -> str:
    """What a folder of `building` is called once it is published."""
    return built.name.replace("building-", "data-")


def _fields(manifest: Manifest) -> dict[str, object]:
    return asdict(manifest)  # type: ignore[call-overload, no-any-return]
