"""Files that are written as a whole: under a temporary name in the same folder, which is then renamed.

No reader sees an incomplete file, and an interruption leaves the old one.
"""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any


def write_bytes(path: Path, content: bytes, mode: int = 0o666, *, durable: bool = False) -> None:
    """Write a file, and its folder if there is none.

    Args:
        path: The file.
        content: All of it.
        mode: Its permissions, less those that the umask of the process takes away.
        durable: Whether the content is on the disk before the file is renamed, so that it outlasts a power failure.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def write_text(path: Path, text: str, mode: int = 0o666) -> None:
    """Write a text in UTF-8, as `write_bytes` does."""
    write_bytes(path, text.encode(), mode)


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON, as `write_bytes` does."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2) + "\n")
