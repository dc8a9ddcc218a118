"""Methods compared: the questions of one file, asked by each method in turn (`clew eval --methods`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clew.app.evaluation.evaluation import Answer, Evaluation
from clew.app.evaluation.questions import Question

Ask = Callable[[str, str], Answer]
"""Asks a question (the second argument) by a method (the first)."""
SHOWN = ("hits_at_1", "recall_at_20", "exact_set", "set_f1", "answered")
"""The metrics of the table, as `clew.app.evaluation.evaluation.Scores` defines them."""


@dataclass(slots=True)
class MethodRow:
    """One method on the questions of one file."""

    file: str
    method: str
    lacks: str = ""
    """Why the method cannot be used on the graph; then nothing is asked."""
    evaluation: Evaluation = field(default_factory=Evaluation)

    def figures(self) -> dict[str, Any]:
        """The figures of `Evaluation`, with the calls and the prompt tokens of language models per question."""
        if self.lacks:
            return {"file": self.file, "method": self.method, "lacks": self.lacks}
        figures = self.evaluation.figures()
        cost = figures["model"] or {"calls_per_question": 0.0, "input_tokens": 0}
        n = max(figures["n"], 1)
        return {
            "file": self.file,
            "method": self.method,
            **figures,
            "model_calls": cost["calls_per_question"],
            "prompt_tokens": round(cost["input_tokens"] / n, 1),
        }


def cells(figures: Mapping[str, Any]) -> list[str]:
    """The figures of a row as text, after its file and method: n, the metrics of `SHOWN`, the median time in
    milliseconds, model calls and prompt tokens per question."""
    means = ["-" if figures[metric] is None else f"{figures[metric]:.3f}" for metric in SHOWN]
    p50 = figures["latency_ms"]["p50"]
    return [
        str(figures["n"]), *means, "-" if p50 is None else f"{p50:.0f}", f"{figures['model_calls']:.2f}",
        f"{figures['prompt_tokens']:.0f}",
    ]  # fmt: skip


HEADS = ("n", "hits@1", "R@20", "exact", "F1", "answered", "p50 ms", "calls", "prompt tokens")
"""Of `cells`."""


def compare(rows: Sequence[MethodRow], questions: Sequence[Question], ask: Ask, done: Callable[[], None]) -> None:
    """Ask every question by the method of each row that can be used. Raises as `Evaluation.run`."""
    for row in rows:
        if not row.lacks:
            row.evaluation.run(questions, lambda text, method=row.method: ask(method, text), done)  # type: ignore[misc]
