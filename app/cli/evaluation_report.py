"""Reports of `clew eval`: tables, and the facts that every report file has about its run."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from clew.app.cli.errors import show_bad_lines
from clew.app.cli.render import table

if TYPE_CHECKING:
    from clew.app.api.client import Client
    from clew.app.evaluation.questions import ItemFile
    from clew.app.evaluation.retrieval import Figures

PATHS_SHOWN = 20
GROUP_METRICS = ("hits_at_1", "hits_at_5", "recall_at_20", "mrr", "set_f1")
VERSIONS_OF = ("clew", "langgraph", "torch", "transformers", "rapidfuzz", "arcadedb-embedded", "neo4j")
Item = TypeVar("Item")


@dataclass(frozen=True)
class EvaluationJob:
    """One evaluation: the graph, the file of questions or statements, how many of them, and where to report."""

    client: Client
    graph: str
    file: Path
    limit: int | None
    seed: int
    report: Path | None

    def sample(self, read: ItemFile[Item]) -> list[Item]:
        """The items to evaluate; prints the lines that could not be used."""
        from clew.app.evaluation.questions import sample

        show_bad_lines(read.bad_lines)
        return sample(read.items, self.limit, self.seed)

    def facts(self) -> dict[str, Any]:
        """Facts about the run, for every report."""
        return {
            "command": shlex.join(["clew", *sys.argv[1:]]),
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "graph": self.graph,
            "graph_version": self.client.store(self.graph).version(),
            "questions": str(self.file),
            "limit": self.limit,
            "seed": self.seed,
            "versions": _versions(),
        }

    def write(self, values: Mapping[str, Any]) -> None:
        """Write the report file, if there is to be one."""
        from clew.tools.atomic_files import write_json

        if self.report is not None:
            write_json(self.report, dict(values))


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version()}
    for package in VERSIONS_OF:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def figure_lines(figures: dict[str, Any]) -> Iterator[str]:
    """The figures of questions, one a line, and then the largest groups of gold paths."""
    from clew.app.evaluation.evaluation import METRICS

    by_id = f" ({figures['scored_by_id']} scored by node id)" if figures["scored_by_id"] else ""
    yield f"{'questions':<14} {figures['n']}{by_id}"
    for metric in [*METRICS, "linking_at_1"]:
        if figures[metric] is not None:
            yield f"{metric:<14} {figures[metric]:.3f}"
    yield from _errors_and_latency(figures)
    if cost := figures["model"]:
        price = "" if cost["price"] is None else f", {cost['price']:.4f} USD"
        tokens = f"{cost['input_tokens'] + cost['output_tokens']:,} tokens{' (estimated)' if cost['estimated'] else ''}"
        yield f"{'model calls':<14} {cost['calls_per_question']:.2f} a question, {tokens}{price}"
    if figures["by_path"]:
        yield ""
        rows = [
            (path, str(group["n"]), *(f"{group[metric]:.3f}" for metric in GROUP_METRICS))
            for path, group in list(figures["by_path"].items())[:PATHS_SHOWN]
        ]
        heads = ("gold path", "n", *GROUP_METRICS)
        yield from table(heads, rows, right=frozenset(range(1, len(heads))))
        if len(figures["by_path"]) > PATHS_SHOWN:
            yield f"… {len(figures['by_path'])} gold paths in all; --json FILE has every one."
    for message in figures["error_messages"]:
        yield f"failed: {message}"


def verdict_figures(figures: dict[str, Any]) -> Iterator[str]:
    """The figures of verdicts: accuracy, overall and by type, and verdicts by label."""
    yield f"{'statements':<14} {figures['n']}"
    if figures["accuracy"] is not None:
        yield f"{'accuracy':<14} {figures['accuracy']:.3f}"
    yield from _errors_and_latency(figures)
    if figures["by_type"]:
        yield ""
        rows = [(kind, str(row["n"]), f"{row['accuracy']:.3f}") for kind, row in figures["by_type"].items()]
        yield from table(("type", "n", "accuracy"), rows, right=frozenset({1, 2}))
    verdicts = sorted({verdict for row in figures["confusion"].values() for verdict in row})
    if verdicts:
        yield ""
        counts = [
            (label, *(str(row.get(verdict, 0)) for verdict in verdicts)) for label, row in figures["confusion"].items()
        ]
        right = frozenset(range(1, len(verdicts) + 1))
        yield from table(("label \\ verdict", *verdicts), counts, right=right)
    for message in figures["error_messages"]:
        yield f"failed: {message}"


def retrieval_lines(figures: Mapping[str, Figures], n: int) -> list[str]:
    """The figures of retrieval as a table."""
    values = {name: each.to_json() for name, each in figures.items()}
    first = next(iter(values.values()))
    heads = [*(f"coverage {t}" for t in first["coverage"]), *(f"recall@{k}" for k in first["recall_at"])]
    rows = [
        (name, *(f"{v:.3f}" for v in (*row["coverage"].values(), *row["recall_at"].values())),
         f"{row['latency_ms']['p50']:.0f}", f"{row['latency_ms']['p95']:.0f}")
        for name, row in values.items()
    ]  # fmt: skip
    columns = ("channels", *heads, "p50 ms", "p95 ms")
    return [f"questions      {n}", *table(columns, rows, right=frozenset(range(1, len(columns))))]


def _errors_and_latency(figures: Mapping[str, Any]) -> Iterator[str]:
    yield f"{'errors':<14} {figures['errors']}"
    for name, value in figures["latency_ms"].items():
        if value is not None:
            yield f"{'latency ' + name:<14} {value:.1f} ms"
