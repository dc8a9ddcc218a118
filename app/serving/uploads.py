"""The files of an import, as a client sends them: each in parts, into a folder of the import's own."""

from __future__ import annotations

import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from clew.app.serving.errors import Busy, TooLarge
from clew.tools.errors import BadInput

PART_BYTES = 4_000_000
"""Of one part of a file: of the body of one request."""
MOST_FILES = 5000
_MOST_NAME = 200
_STALE_SECONDS = 24 * 3600
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Uploads:
    """The folder below which each import has its own."""

    folder: Path
    most_bytes: int
    """Of all files of one import."""

    def remove_stale(self) -> None:
        """Remove what a server left that ended without removing it."""
        for each in self.folder.iterdir() if self.folder.is_dir() else ():
            if time.time() - each.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(each, ignore_errors=True)

    def of(self, id: str) -> UploadFolder:
        return UploadFolder(self.folder / id, self.most_bytes)

    def shown(self, text: str) -> str:
        """A message without the paths of these folders: files are called as the client called them."""
        return re.sub(re.escape(f"{self.folder}/") + r"[0-9a-f]+/", "", text)


@dataclass(frozen=True, slots=True)
class UploadFolder:
    """The files of one import."""

    folder: Path
    most_bytes: int

    def write(self, name: str, offset: int, part: bytes) -> int:
        """Write a part of a file, behind what it has or in place of its end.

        Args:
            name: The file's name, with folders before it (`shop/orders.csv`).
            offset: Where the part begins; 0 begins the file anew.
            part: Its bytes.

        Returns:
            The size of the file.

        Raises:
            BadInput: The name cannot be used.
            Busy: Parts before this one are missing.
            TooLarge: The files have too many bytes together.
        """
        path = self.folder.joinpath(*_parts(name))
        known = path.stat().st_size if path.is_file() else 0
        if offset > known:
            raise Busy(f"{name} has {known:,} bytes, and this part begins at {offset:,}.", "Send it again from there.")
        sizes = self.sizes()
        if sum(sizes.values()) - known + offset + len(part) > self.most_bytes:
            message = f"The files have more than {self.most_bytes / 1e6:,.0f} MB together."
            raise TooLarge(message, "Import them with `clew import`, or raise CLEW_SERVE_UPLOAD_MB.")
        if name not in sizes and len(sizes) >= MOST_FILES:
            raise TooLarge(f"There are more than {MOST_FILES:,} files.", "Put them into a .zip archive.")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("r+b" if offset else "wb") as file:
                file.seek(offset)
                file.write(part)
                file.truncate()
        except OSError as error:
            raise BadInput(f"{name} cannot be kept: {error.strerror}.", "Give it another name.") from None
        return offset + len(part)

    def sizes(self) -> dict[str, int]:
        """The name of each file, with its size in bytes."""
        files = sorted(path for path in self.folder.rglob("*") if path.is_file()) if self.folder.is_dir() else []
        return {path.relative_to(self.folder).as_posix(): path.stat().st_size for path in files}

    def paths(self) -> list[Path]:
        """What to import: the files that were sent by themselves, and the folders of the others."""
        files = [self.folder / name for name in self.sizes()]
        folders = dict.fromkeys(path.parent for path in files if path.parent != self.folder)
        return [*(path for path in files if path.parent == self.folder), *folders]

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _parts(name: str) -> tuple[str, ...]:
    """The parts of a name that stays below its folder. Raises BadInput."""
    path = PurePosixPath(name.replace("\\", "/"))
    parts = path.parts
    bad = not parts or path.is_absolute() or len(name) > _MOST_NAME or _CONTROL.search(name)
    if bad or any(":" in part or part.startswith(".") for part in parts):
        raise BadInput("This name of a file cannot be used.", "Use a plain name, with folders before it if need be.")
    return parts
