"""Statement files for `clew eval`, and scores of verdicts: accuracy, overall and by type, and what was taken for
what."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.app.evaluation.evaluation import ERRORS_KEPT, percentile
from clew.app.evaluation.questions import json_lines, read_items
from clew.tools.errors import ClewError, DatabaseUnavailable

SUPPORTED, REFUTED, UNKNOWN = "supported", "refuted", "not enough evidence"
LABELS: dict[object, str] = {
    SUPPORTED: SUPPORTED, REFUTED: REFUTED, UNKNOWN: UNKNOWN, "true": SUPPORTED, "false": REFUTED,
    "supports": SUPPORTED, "refutes": REFUTED, "not enough info": UNKNOWN, "nei": UNKNOWN, "unknown": UNKNOWN,
}  # fmt: skip
"""What a label may be called, in any case; JSON's true and false count too."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with its label; `type` groups the figures."""

    text: str
    label: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class StatementFile:
    statements: list[Statement]
    bad_lines: list[str]
    """One text for each line that could not be used: "file:line: reason"."""


def holds_statements(path: Path) -> bool:
    """Whether the first line that is JSON has a `statement`. Raises BadInput where the file cannot be read."""
    for _, line in json_lines(path):
        try:
            value = json.loads(line)
        except json.JSONDecodeError:
            continue
        return isinstance(value, dict) and "statement" in value and "question" not in value
    return False


def read_statements(path: Path) -> StatementFile:
    """Read JSON lines, gzipped if the first bytes say so. Blank lines are passed over.

    Raises BadInput where the file cannot be read, or holds no usable statement.
    """
    example = '{"statement": "Jane Austen wrote Emma.", "label": "supported"}'
    return StatementFile(*read_items(path, _statement, example))


def _statement(value: Any) -> Statement:
    text = value.get("statement") if isinstance(value, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise ValueError("no `statement`")
    said = value.get("label")
    label = LABELS.get(str(said).strip().lower()) if isinstance(said, str | bool) else None
    if label is None:
        raise ValueError("`label` is none of supported, refuted, not enough evidence, true, false")
    kind = value.get("type", "")
    if not isinstance(kind, str):
        raise ValueError("`type` is no text")
    return Statement(text, label, kind)


@dataclass(slots=True)
class Verdicts:
    """A run over statements; `figures()` may be asked for at any time, after an interruption too.

    A statement that failed counts as judged wrongly.
    """

    right: list[bool] = field(default_factory=list)
    by_type: defaultdict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    errors: int = 0
    error_messages: list[str] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)

    def run(
        self,
        statements: Iterable[Statement],
        check: Callable[[str], Mapping[str, Any]],
        done: Callable[[], None] = lambda: None,
    ) -> None:
        """Check every statement; `check` gets its text alone. DatabaseUnavailable ends the run."""
        for statement in statements:
            began = time.perf_counter()
            verdict = "error"
            try:
                verdict = str(check(statement.text)["verdict"])
            except DatabaseUnavailable:
                raise
            except Exception as error:
                self.errors += 1
                if len(self.error_messages) < ERRORS_KEPT:
                    told = error.message if isinstance(error, ClewError) else f"{type(error).__name__}: {error}"
                    self.error_messages.append(f"{statement.text}: {told}")
            self.ms.append((time.perf_counter() - began) * 1000)
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
            "latency_ms": {name: percentile(self.ms, share) for name, share in (("p50", 0.5), ("p95", 0.95))},
        }


def _share(right: list[bool]) -> float | None:
    return round(sum(right) / len(right), 6) if right else None
