"""Atomic writing of files."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any


def write_text(path: Path, text: str, mode: int = 0o666) -> None:
    """Write a file under a temporary name and rename it, so that no reader sees an incomplete file.

    `mode` are its permissions, less those that the umask of the process takes away.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON, as `write_text` does."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2) + "\n")
