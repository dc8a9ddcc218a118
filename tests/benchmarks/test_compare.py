"""Two runs of a benchmark of questions, compared."""

from __future__ import annotations

from typing import Any

from benchmarks.queries.compare import changes


def run(**right: bool) -> dict[str, Any]:
    asked = [{"question": q, "right": r, "confidence": 0.5, "answers": ["x"] * r} for q, r in right.items()]
    return {"shop": {"questions": asked}, "together": {"exact": 0.5}}


def test_what_is_won_and_lost() -> None:
    found = list(changes(run(a=True, b=False, c=True), run(a=False, b=True, c=True, d=True)))
    assert [(each.won, each.now["question"]) for each in found] == [(False, "a"), (True, "b")]
    assert found[0].line() == "lost shop: a | 0.50 x → 0.50 nothing"
