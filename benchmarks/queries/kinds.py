"""Questions of certain kinds over the graphs of `networks.py` and `offices.py`: what such a benchmark is run by."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from clew.agents.answering.confidence import ENOUGH  # noqa: E402

Judge = Callable[[clew.Answer, dict[str, Any]], bool]
"""Whether a result is what the writer of a question wants."""


def run(description: str | None, name: str, is_right: Judge, more: Callable[..., None] | None = None) -> None:
    """Ask the questions of a file beside this one, and print the figures of each kind and each set.

    Args:
        description: What `--help` says.
        name: The file of the questions, each with its `graph`, `kind`, `set`, `question` and `answers`.
        is_right: Judges the results.
        more: Asks further questions: of a home, with the figures that are found, and whether to print wrong answers.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="CLEW_HOME to use; a temporary one without it")
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--wrong", action="store_true", help="print the questions that are answered otherwise")
    args = parser.parse_args()
    entries: list[dict[str, Any]] = [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]
    found: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        home = args.home or Path(temporary)
        for graph in sorted({entry["graph"] for entry in entries}):
            asked = clew.connect(graph, home=home)
            asked.import_files(*_files(graph))
            for entry in (each for each in entries if each["graph"] == graph):
                _ask(asked, entry, is_right, found, wrong=args.wrong)
            print(graph, flush=True)
        if more is not None:
            more(home, found, wrong=args.wrong)
    figures = {group: dict(found[group]) for group in sorted(found)}
    print(json.dumps(figures, indent=1))
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _ask(
    graph: clew.Graph, entry: dict[str, Any], is_right: Judge, found: dict[str, Counter[str]], *, wrong: bool
) -> None:
    result = graph.ask(entry["question"])
    right, sure = is_right(result, entry), bool(result.answers) and result.confidence >= ENOUGH
    counts = {"n": 1, "right": right, "answered": sure, "right of these": right and sure}
    for group in ("all", entry["kind"], f"{entry['set']} set", f"{entry['kind']}, {entry['set']} set"):
        found.setdefault(group, Counter()).update(counts)
    if wrong and not right:
        told = [f"{each.name} {each.detail or ''}".strip() for each in result.answers][:5]
        print(f"{graph.name}, {entry['kind']}: {entry['question']} → {told}, not {entry['answers'][:5]}")


def _files(graph: str) -> list[Path]:
    network, office = HERE / "networks" / graph / "graph", HERE / "offices" / graph / "csv"
    return sorted(network.iterdir()) if network.is_dir() else [office]
