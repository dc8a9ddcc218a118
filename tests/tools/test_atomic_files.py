"""Files that are written as a whole."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from clew.tools.atomic_files import write_bytes, write_json, write_text


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_and_its_folder_are_written(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "new" / "a.txt"
    write_text(path, "one", 0o600)
    write_bytes(path, "zwei ü".encode(), 0o600, durable=durable)
    assert path.read_text(encoding="utf-8") == "zwei ü"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(path.parent) == ["a.txt"]


def test_an_interruption_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    write_json(path, {"a": "ü"})

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        write_bytes(path, b"new", durable=True)
    assert path.read_text(encoding="utf-8") == '{\n  "a": "ü"\n}\n'
    assert os.listdir(tmp_path) == ["a.json"]
