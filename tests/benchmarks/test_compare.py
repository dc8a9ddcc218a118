"""Two runs of a benchmark of questions, compared."""

from __future__ import annotations

from typing import Any

from benchmarks.queries.compare import compared


def run(**right: bool) -> dict[str, Any]:
    asked = [{"question": q, "right": r, "confidence": 0.5, "answers": ["x"] * r} for q, r in right.items()]
    return {"shop": {"questions": asked}, "together": {"exact": 0.5}}


def test_what_is_won_and_lost() -> None:
    found = list(compared(run(a=True, b=False, c=True), run(a=False, b=True, c=True, d=True)))
    assert [(each.now["question"], each.won, each.lost) for each in found] == [
        ("a", False, True), ("b", True, False), ("c", False, False),
    ]  # fmt: skip
    assert found[0].line() == "lost shop: a | 0.50 x → 0.50 nothing"
