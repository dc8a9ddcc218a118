"""benchmarks/methods.py: its sets, and the commands of the sets with a measure of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import methods
from benchmarks.methods import OTHERS, ROOT, nodes_with_texts, question_sets


def test_sets_that_are_not_there_are_left_out(tmp_path: Path) -> None:
    assert set(question_sets(tmp_path)) == {"demo"}


def test_nodes_with_texts_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path] = []

    def build(folder: Path, seed: int) -> None:
        built.append(folder)
        folder.mkdir(parents=True)
        (folder / "paper.csv").touch()
        (folder / "questions.jsonl").touch()

    monkeypatch.setattr(methods, "build", build)
    first, again = nodes_with_texts(tmp_path), nodes_with_texts(tmp_path)
    assert first == again
    assert built == [tmp_path / "semi-structured" / "seed1"]
    assert [path.name for path in first.imported] == ["paper.csv"]


@pytest.mark.parametrize("name", OTHERS)
def test_the_other_benchmarks_take_these_options(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Any] = []
    monkeypatch.setattr(subprocess, "run", lambda command, **options: ran.append((command, options)))
    methods._run_other(OTHERS[name], tmp_path, tmp_path)
    monkeypatch.undo()
    ((command, options),) = ran
    assert command[0] == sys.executable
    assert options["cwd"] == ROOT
    told = subprocess.run([*command[:3], "--help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(option.split("=")[0] in told for option in command[3:] if option.startswith("--"))
