"""The benchmark of decoding runs from end to end on its own tokenizer and models."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.learning import decoding


def test_all_methods_are_measured_on_both_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = tmp_path / "decoding.json"
    shape = ["--layers", "1", "--hidden", "16", "--heads", "2", "--train-seconds", "0.3"]
    small = ["--sizes", "30", "--questions", "1", "--json", str(report)]
    monkeypatch.setattr(sys, "argv", ["decoding.py", *shape, *small])
    decoding.main()
    found = json.loads(report.read_text())["models"]
    assert set(found) == {"random", "trained"}
    for model in found.values():
        (size,) = model["sizes"]
        assert size["candidates"] == 30
        assert len(size["methods"]) == 13
        assert all(row["ms"] > 0 and row["passes"] > 0 for row in size["methods"].values())
        assert all(row["exact"] for name, row in size["methods"].items() if name.startswith("exact"))
        assert 0 <= size["beam_20_finds_of_top_20"] <= 1


def test_candidates_are_different_and_hold_the_right_ones() -> None:
    world = decoding.World.make(0)
    drawn = decoding.random.Random(1)
    chains = [world.chain(drawn) for _ in range(3)]
    texts = world.candidates(200, chains, drawn)
    assert len(set(texts)) == 200
    assert {world.query(chain) for chain in chains} <= set(texts)
