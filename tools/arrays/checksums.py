"""Checksums of derived files: what is read is what was written, or it is made again.

Arrays go into compiled code that checks no bounds, so a damaged one must be found when it is opened.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CHECKED_AT_ONCE = 64 << 20
"""Bytes of a folder that are read whenever it is opened, in about 60 ms. Of a larger one the sizes are compared."""
_CHUNK = 1 << 20
_SEAL = "checksum"

Checksums = dict[str, list[int]]
"""Path within a folder → size in bytes and CRC-32."""


def checksums_of(folder: Path) -> Checksums:
    """Those of all files in a folder and below it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): [path.stat().st_size, crc_of(path)] for path in files}


def check(folder: Path, expected: Checksums, *, fully: bool = False) -> None:
    """Compare the files of a folder with their checksums; those of a folder beyond CHECKED_AT_ONCE only if `fully`.

    Raises ValueError or OSError that names the first file that differs.
    """
    for name, (size, _) in expected.items():
        if (found := (folder / name).stat().st_size) != size:
            raise ValueError(f"{name} has {found} bytes in place of {size}")
    if fully or sum(size for size, _ in expected.values()) <= CHECKED_AT_ONCE:
        for name, (_, crc) in expected.items():
            if crc_of(folder / name) != crc:
                raise ValueError(f"the content of {name} has changed")


def crc_of(path: Path) -> int:
    """CRC-32 of a file's content."""
    crc = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            crc = zlib.crc32(chunk, crc)
    return crc


def sealed(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a JSON file with the checksum of them all."""
    return {**fields, _SEAL: _crc(fields)}


def unsealed(found: Any) -> dict[str, Any]:
    """The fields that `sealed` was given. Raises ValueError if they have changed; files of versions of Clew that did
    not seal them pass."""
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")
    fields = {name: value for name, value in found.items() if name != _SEAL}
    if _SEAL in found and found[_SEAL] != _crc(fields):
        raise ValueError("its content has changed")
    return fields


def _crc(fields: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(fields, sort_keys=True).encode())
