"""Statement files for `clew eval`, and scores of verdicts: accuracy, overall and by type, and confusions."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.app.evaluation.evaluation import ERRORS_KEPT, Timed, percentiles
from clew.app.evaluation.questions import ItemFile, json_lines, read_items

SUPPORTED, REFUTED, UNKNOWN = "supported", "refuted", "not enough evidence"
LABELS: dict[object, str] = {
    SUPPORTED: SUPPORTED, REFUTED: REFUTED, UNKNOWN: UNKNOWN, "true": SUPPORTED, "false": REFUTED,
    "supports": SUPPORTED, "refutes": REFUTED, "not enough info": UNKNOWN, "nei": UNKNOWN, "unknown": UNKNOWN,
}  # fmt: skip
"""Names of labels, in any case; JSON's true and false count too."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with its label; `type` groups the figures."""

    text: str
    label: str
    type: str = ""


def holds_statements(path: Path) -> bool:
    """Whether the first line that is JSON has a `statement`. Raises BadInput if the file cannot be read."""
    for _, line in json_lines(path):
        try:
            value = json.loads(line)
        except json.JSONDecodeError:
            continue
        return isinstance(value, dict) and "statement" in value and "question" not in value
    return False


def read_statements(path: Path) -> ItemFile[Statement]:
    """Read statements from JSON lines, plain or gzipped. Raises BadInput if the file cannot be read, or holds no usable
    statement."""
    example = '{"statement": "Jane Austen wrote Emma.", "label": "supported"}'
    return read_items(path, _statement, example)


def _statement(value: Any) -> Statement:
    text = value.get("statement") if isinstance(value, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise ValueError("no `statement`")
    given = value.get("label")
    label = LABELS.get(str(given).strip().lower()) if isinstance(given, str | bool) else None
    if label is None:
        raise ValueError("`label` is none of supported, refuted, not enough evidence, true, false")
    kind = value.get("type", "")
    if not isinstance(kind, str):
        raise ValueError("`type` is not text")
    return Statement(text, label, kind)


@dataclass(slots=True)
class Verdicts:
    """A run over statements. `figures()` may be called at any time, also after an interruption. A statement that failed
    counts as wrong."""

    right: list[bool] = field(default_factory=list)
    by_type: defaultdict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    errors: int = 0
    error_messages: list[str] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)

    def score_all(
        self, statements: Iterable[Statement], results: Iterable[Timed], done: Callable[[], None] = lambda: None
    ) -> None:
        """Score the verdicts on the statements, in their order, as they come."""
        for statement, (result, ms, failed) in zip(statements, results, strict=True):
            verdict = str(result["verdict"]) if result is not None else "error"
            self.errors += bool(failed)
            if failed and len(self.error_messages) < ERRORS_KEPT:
                self.error_messages.append(f"{statement.text}: {failed}")
            self.ms.append(ms)
            self.right.append(verdict == statement.label)
            if statement.type:
                self.by_type[statement.type].append(verdict == statement.label)
            self.confusion[statement.label, verdict] += 1
            done()

    def figures(self) -> dict[str, Any]:
        """Fractions of 1. `confusion` counts by label, then by verdict."""
        table: dict[str, dict[str, int]] = {}
        for (label, verdict), count in sorted(self.confusion.items()):
            table.setdefault(label, {})[verdict] = count
        return {
            "n": len(self.right),
            "accuracy": _share(self.right),
            "by_type": {t: {"n": len(r), "accuracy": _share(r)} for t, r in sorted(self.by_type.items())},
            "confusion": table,
            "errors": self.errors,
            "error_messages": self.error_messages,
            "latency_ms": percentiles(self.ms),
        }


def _share(right: list[bool]) -> float | None:
    return round(sum(right) / len(right), 6) if right else None
