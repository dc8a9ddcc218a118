"""The table of docs/methods.md: every method on the development sets, without a language model.

    python -m benchmarks.methods --data DIR --json FILE             # sets about graphs, 500 questions each at most
    python -m benchmarks.methods --data DIR --only demo --limit 50 --methods default,simgrag
    python -m benchmarks.methods --data DIR --only semi-structured  # the others only if they are named
    python -m benchmarks.methods --data DIR --only northwind,musique,ottqa
    python -m benchmarks.methods --quick                                       # 20 of the demo's

The graphs are imported into HOME on the first run. Prints a row for each set and method, and writes all figures. To
measure with a language model, set CLEW_MODEL as for `clew eval --methods`, which does the same for one graph.

`semi-structured` is a graph whose nodes have texts, made on the first run and asked by all methods. Northwind, MuSiQue
and OTT-QA have measures of their own (execution match, coverage, recall of passages), and are run by their benchmarks.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.text_search.semi_structured.__main__ import QUESTIONS, build
from clew.app.api.client import Client
from clew.app.api.requests import METHODS
from clew.app.cli import run
from clew.app.cli.evaluate_methods import evaluate_methods
from clew.app.cli.evaluation_report import EvaluationJob
from clew.app.settings import load_settings
from clew.tools.atomic_files import write_json

ROOT = Path(__file__).parents[1]
LIMIT = 500
TEXTS = "semi-structured"
OTHERS = {
    "northwind": ("queries.northwind", "--data={data}/northwind", "--home={home}",
                  "--only", "default", "graphraft", "simgrag", "byokg"),
    "musique": ("documents", "musique", "--data={data}", "--home={home}/documents"),
    "ottqa": ("documents", "ottqa", "--data={data}", "--home={home}/documents"),
}  # fmt: skip
"""Sets with a measure of their own, and the benchmark that takes it."""


class QuestionSet(NamedTuple):
    """Questions about a graph."""

    graph: str
    imported: tuple[Path, ...]
    questions: tuple[Path, ...]


def question_sets(data: Path) -> dict[str, QuestionSet]:
    """The sets that are there, by name."""
    metaqa = tuple(data / f"metaqa/dev_{hops}hop.jsonl.gz" for hops in (1, 2, 3))
    demo = tuple(sorted((ROOT / "demo/graph").glob("*.csv")))
    found = {
        "demo": QuestionSet("demo", demo, (ROOT / "demo/questions.jsonl",)),
        "metaqa": QuestionSet("metaqa", (data / "metaqa/kb.txt.gz",), metaqa),
        "geography": QuestionSet(
            "geography",
            tuple(sorted((data / "geography").glob("*.csv"))),
            (data / "geography/questions.jsonl",),
        ),
    }
    for hops in (2, 3):
        kb, questions = data / f"pathquestions/{hops}H-kb.tsv", data / f"pathquestions/PQ-{hops}H.dev.jsonl"
        found[f"pathquestions-{hops}"] = QuestionSet(f"pq{hops}", (kb,), (questions,))
    return {name: each for name, each in found.items() if all(path.exists() for path in each.questions)}


def nodes_with_texts(home: Path) -> QuestionSet:
    """The graph of benchmarks/text_search/semi_structured with seed 1, whose files are made in `home`."""
    folder = home.resolve() / TEXTS / "seed1"
    if not (folder / QUESTIONS).exists():
        build(folder, 1)
    return QuestionSet(f"{TEXTS}-{folder.name}", tuple(sorted(folder.glob("*.csv"))), (folder / QUESTIONS,))


def _run_other(command: Sequence[str], data: Path, home: Path) -> None:
    """Run another benchmark. Raises CalledProcessError where it fails."""
    module, *options = (part.format(data=data.resolve(), home=home.resolve()) for part in command)
    subprocess.run([sys.executable, "-m", f"benchmarks.{module}", *options], check=True, cwd=ROOT)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(), help="the folder that holds metaqa/, pathquestions/ …")
    parser.add_argument("--home", type=Path, default=Path(".bench"), help="where the graphs are kept between runs")
    parser.add_argument("--quick", action="store_true", help="20 questions of the demo")
    parser.add_argument("--methods", default="all")
    parser.add_argument("--only", help=f"names of sets, with commas; also {TEXTS}, {', '.join(OTHERS)}")
    parser.add_argument("--limit", type=int, default=LIMIT, help="questions of each file, a random sample")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="file for the figures; keeps those of sets that are not asked")
    given = parser.parse_args()
    if given.quick:
        given.only, given.limit = "demo", 20
    sets = question_sets(given.data)
    chosen = given.only.split(",") if given.only else list(sets)
    if TEXTS in chosen:
        sets[TEXTS] = nodes_with_texts(given.home)
    names = tuple(METHODS) if given.methods == "all" else tuple(given.methods.split(","))
    client = Client(load_settings(home=given.home))
    client.keep_open(inf)
    known = {graph.name for graph in client.graphs()}
    for name in chosen:
        if name in OTHERS:
            _run_other(OTHERS[name], given.data, given.home)
            continue
        each = sets[name]
        if each.graph not in known:
            run(["--home", str(given.home), "import", *map(str, each.imported), "--graph", each.graph])
            if name == TEXTS:
                run(["--home", str(given.home), "index", "--texts", "--graph", each.graph])
        jobs = [EvaluationJob(client, each.graph, file, given.limit, given.seed, None) for file in each.questions]
        rows = evaluate_methods(jobs, names, None, {"method": None, "strategies": None, "strict": False})
        if given.json is not None:
            _keep(given.json, name, {**jobs[0].facts(), "rows": [_short(row) for row in rows]})
    return 0


def _short(row: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of a row without those of each gold path."""
    return {key: value for key, value in row.items() if key not in ("by_path", "error_messages")}


def _keep(path: Path, name: str, figures: Mapping[str, Any]) -> None:
    """Write the figures of a set beside those of the others."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    write_json(path, {**known, name: figures})


if __name__ == "__main__":
    raise SystemExit(main())
