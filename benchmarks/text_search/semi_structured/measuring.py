"""Clew on the benchmark graph, without a model: imported once, then asked with one strategy at a time."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Any

from clew.app.api.graph import Graph
from clew.app.api.importing import import_files
from clew.app.cli.progress_bars import ProgressBars
from clew.app.container import Container
from clew.app.evaluation.evaluation import Evaluation
from clew.app.evaluation.questions import Question
from clew.app.settings import load_settings
from clew.tools.ingest import ImportOptions

METRICS = ("n", "hits_at_1", "hits_at_5", "recall_at_20", "mrr")


@dataclass(frozen=True, slots=True)
class Run:
    """One way of asking; `expansion` is the setting of that name."""

    name: str
    strategies: tuple[str, ...] | None
    expansion: str


RUNS = (
    Run("hybrid", ("hybrid",), "off"),
    Run("hybrid + SAGE", ("hybrid",), "edge"),
    Run("plan", ("plan",), "off"),
    Run("plan + SAGE +edge", ("plan",), "edge"),
    Run("plan + SAGE -edge", ("plan",), "no-edge"),
)
DEFAULT = Run("default strategies", None, "no-edge")
"""What a user gets who names no strategy; asked only where it is named."""


def run(
    folder: Path, home: Path, questions: Sequence[dict[str, Any]], only: Sequence[str] | None = None
) -> dict[str, Any]:
    """Figures of each run, overall and by type of question. The home may hold graphs of several seeds."""
    graph = f"semi-structured-{folder.name}"
    report: dict[str, Any] = {
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("numpy", "arcadedb-embedded", "chromadb")},
        "questions": len(questions),
        "answers_a_question": round(sum(len(line["answer_ids"]) for line in questions) / len(questions), 2),
        "prepared": _prepare(folder, home, graph),
        "runs": {},
    }
    asked = [Question(line["question"], (), (), line["type"], tuple(line["answer_ids"])) for line in questions]
    for each in (*RUNS, DEFAULT):
        if each.name in only if only else each is not DEFAULT:
            report["runs"][each.name] = _figures(each, home, graph, asked)
            print(f"{each.name}: {report['runs'][each.name]['all']}", flush=True)
    return report


def _prepare(folder: Path, home: Path, graph: str) -> dict[str, float]:
    """Import the graph where it is not there yet, and ask once with every index; wall-clock seconds."""
    seconds = {}
    container = Container(load_settings(home=home, expansion="edge"), ProgressBars())
    if not container.database.exists(graph):
        started = time.perf_counter()
        files = tuple(sorted(folder.glob("*.csv")))
        import_files(container, graph, files, ImportOptions(state_dir=container.folder(graph) / "import"))
        container.files(graph).index()
        seconds["import_s"] = round(time.perf_counter() - started, 1)
    started = time.perf_counter()
    Graph(container, graph).ask("Which paper is about sleep?", strategies=("hybrid",)).to_dict()
    seconds["indexes_s"] = round(time.perf_counter() - started, 1)
    container.close()
    return seconds


def _figures(each: Run, home: Path, graph: str, questions: Sequence[Question]) -> dict[str, Any]:
    container = Container(load_settings(home=home, expansion=each.expansion), ProgressBars())
    container.keep_open(inf)
    container.context(graph)
    Graph(container, graph).ask(questions[0].text, strategies=each.strategies).to_dict()
    evaluation, count = Evaluation(), 0
    with container.progress.task(each.name, "questions", len(questions)) as advance:

        def done() -> None:
            nonlocal count
            count += 1
            advance(count)

        evaluation.run(
            questions, lambda text: Graph(container, graph).ask(text, strategies=each.strategies).to_dict(), done
        )
    container.close()
    figures = evaluation.figures()
    return {
        "strategies": each.strategies,
        "expansion": each.expansion,
        "all": {metric: figures[metric] for metric in METRICS},
        "latency_ms": figures["latency_ms"],
        "errors": figures["errors"],
        "error_messages": figures["error_messages"],
        "by_type": {kind: {m: group[m] for m in METRICS} for kind, group in figures["by_path"].items()},
    }
