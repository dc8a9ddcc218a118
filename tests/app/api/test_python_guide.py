"""docs/python.md runs from top to bottom, and prints what it says."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs" / "python.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


async def test_every_block_runs_and_prints_what_it_says(
    clew_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLEW_HOME", str(clew_home))
    monkeypatch.delenv("CLEW_DATABASE_URL", raising=False)
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {"__name__": "guide"}
    assert len(BLOCKS) > 8
    for block in BLOCKS:
        code = compile(block, str(GUIDE), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        done = eval(code, names)
        if inspect.isawaitable(done):
            await done
        said = re.findall(r"^# → (.*)$", block, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == said, block
