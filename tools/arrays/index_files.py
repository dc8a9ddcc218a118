"""The template of an index on disk: lock, version check, staged build, publication and opening.

A directory holds `data-*` folders of arrays and a manifest, a small JSON file that names the current folder. A build
fills a new folder and publishes it by one rename. Readers need no lock: a process that has mapped the old arrays keeps
them. A build that is killed leaves the old index in place; the next build goes on from the journals that it left.

An index contributes what is its own: the fields of its manifest, a function that fills a folder, and a function that
reads the arrays of one.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from clew.tools.arrays.checksums import Checksums, check, checksums_of, sealed, unsealed
from clew.tools.atomic_files import write_text
from clew.tools.errors import BadInput
from clew.tools.full_disk import writing_in

_JOURNALS = ("embedded-*", "compared-*")
"""Files in which a build keeps finished work until it is published."""

Advance = Callable[[int], None]
"""Takes the number of items done so far."""
Stage = Callable[[str, str, int | None], AbstractContextManager[Advance]]
"""`stage(what, unit, total)` shows the progress of one step of a build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What every manifest holds; an index adds fields of its own."""

    format: int
    version: str
    """Of what was indexed, as the caller of the build gave it."""
    folder: str
    """The current folder of arrays."""
    files: Checksums = field(default_factory=dict)
    """Those of the arrays; none in an index of a version of Clew that did not write them."""


class Opened(Protocol):
    """An index that was opened."""

    @property
    def version(self) -> str: ...


class OtherFormat(BadInput):
    """Another version of Clew wrote the index, in a format that this one does not read."""


M = TypeVar("M", bound=Manifest)
T = TypeVar("T")
V = TypeVar("V", bound=Opened)


@dataclass(frozen=True, slots=True)
class IndexFiles(Generic[M]):
    """One kind of index on disk."""

    manifest: type[M]
    name: str
    """Of the manifest and the lock: "text" for `text.json` and `text.lock`."""
    what: str
    """What error messages call it, such as "text index"."""
    format: int
    """An index of another format is outdated and is built again."""
    remedy: str = "Remove the folder; it is built again when it is needed."

    def read(self, directory: Path, *, any_format: bool = False) -> M:
        """The manifest. Raises BadInput if there is none, or if another version of Clew wrote it; with `any_format`,
        only if it does not have these fields."""
        path = self._path(directory)
        try:
            fields = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise BadInput(f"There is no {self.what} in {directory}.", self.remedy) from None
        except (ValueError, OSError) as error:
            raise BadInput(f"{path} cannot be read: {error}.", self.remedy) from error
        found = fields.get("format") if isinstance(fields, dict) else None
        if found != self.format and not (any_format and isinstance(fields, dict)):
            message = f"{path} has format {found}; this version of Clew reads format {self.format}."
            raise OtherFormat(message, self.remedy)
        try:
            return self.manifest(**unsealed(fields))
        except ValueError as error:
            raise BadInput(f"{path} is damaged: {error}.", self.remedy) from error
        except TypeError as error:
            raise BadInput(f"{path} does not describe a {self.what}: {error}.", self.remedy) from error

    def open(self, directory: Path, load: Callable[[M, Path], T]) -> T:
        """What `load` makes of the manifest and the current folder.

        Raises BadInput if there is no index, one of another format, or a damaged one: its files differ from their
        checksums, or `load` raises any error of reading arrays (OSError, ValueError, EOFError, IndexError).
        """
        return self._loaded(directory, self.read(directory), load, fully=False)

    def check(self, directory: Path, *, any_format: bool = False) -> M:
        """The manifest of an index whose files are all read and sound, however large. Raises BadInput as `read`, and
        for damage."""
        manifest = self.read(directory, any_format=any_format)
        return self._loaded(directory, manifest, lambda manifest, _: manifest, fully=True)

    def earlier(self, directory: Path) -> tuple[M, Path] | None:
        """The manifest and the folder of an index that is sound, of whatever version, for a build that goes on from
        it."""
        try:
            manifest = self.check(directory)
        except BadInput:
            return None
        return manifest, directory / manifest.folder

    def discard(self, directory: Path) -> None:
        """Have the next build make the index again, from nothing if it is damaged, whatever its version. Readers that
        have it open keep it."""
        try:
            self._write(directory, replace(self.check(directory), version=""))
        except BadInput:
            self._path(directory).unlink(missing_ok=True)

    def _loaded(self, directory: Path, manifest: M, load: Callable[[M, Path], T], *, fully: bool) -> T:
        folder = directory / manifest.folder
        try:
            check(folder, manifest.files, fully=fully)
            return load(manifest, folder)
        except (OSError, ValueError, EOFError, IndexError) as error:
            raise BadInput(f"The {self.what} in {directory} is damaged: {error}.", self.remedy) from error

    def open_or_build(
        self,
        directory: Path,
        version: str,
        open: Callable[[], V],
        fill: Callable[[Path], Mapping[str, Any]],
        *,
        rebuild: bool = False,
        published: Callable[[M], None] | None = None,
    ) -> V:
        """The index of `version`, which is built if it is missing, damaged or outdated, or if `rebuild` is set.

        One builder works in a directory at a time; another waits, and then opens what the first one published.

        Args:
            open: Opens the index in `directory`, or raises BadInput.
            fill: Writes the arrays into an empty folder and returns the index's own manifest fields. If it raises, the
                folder is removed and the old index stays current.
            published: Called after a build with the new manifest, while the lock is still held.
        """
        if not rebuild and (found := current(open, version)) is not None:
            return found
        import filelock  # only builds need it

        directory.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(directory / f"{self.name}.lock"):
            if not rebuild and (found := current(open, version)) is not None:
                return found
            for interrupted in directory.glob("building-*"):
                shutil.rmtree(interrupted, ignore_errors=True)
            with _building(directory) as folder, writing_in(directory):
                manifest = self._publish(directory, folder, version, fill(folder))
            for pattern in _JOURNALS:
                for journal in directory.glob(pattern):
                    journal.unlink()
            if published is not None:
                published(manifest)
        return open()

    def _publish(self, directory: Path, built: Path, version: str, fields: Mapping[str, Any]) -> M:
        """Make the built folder current; older folders are removed."""
        files = checksums_of(built)
        data = built.rename(directory / built.name.replace("building-", "data-"))
        manifest = self.manifest(format=self.format, version=version, folder=data.name, files=files, **fields)
        self._write(directory, manifest)
        for old in directory.glob("data-*"):
            if old != data:
                shutil.rmtree(old, ignore_errors=True)
        return manifest

    def _write(self, directory: Path, manifest: M) -> None:
        write_text(self._path(directory), json.dumps(sealed(asdict(manifest)), ensure_ascii=False))

    def _path(self, directory: Path) -> Path:
        return directory / f"{self.name}.json"


def current(open: Callable[[], V], version: str) -> V | None:
    """The index that `open` opens if it is of this version; None if it is missing, damaged or outdated."""
    try:
        found = open()
    except BadInput:
        return None
    return found if found.version == version else None


def silent(what: str, unit: str, total: int | None) -> AbstractContextManager[Advance]:
    """A `Stage` that shows nothing."""
    return nullcontext(lambda _: None)


@contextmanager
def _building(directory: Path) -> Iterator[Path]:
    """A new empty folder to build in; it is removed if the build fails."""
    folder = directory / f"building-{secrets.token_hex(4)}"
    folder.mkdir()
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
