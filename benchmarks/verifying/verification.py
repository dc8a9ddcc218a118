"""Checking statements without a model, measured: accuracy by type of statement and by graph.

Rules (`statements/build.py`) make the statements from the facts of the bundled demo graph, of the transfer
graph, and of MetaQA where `--data` has it. Half of the wordings were seen while the checker was made; those of the
other half, and all of the transfer graph, were not. Graphs are imported once into `--home` and found again.

    python -m benchmarks.verifying.verification --json verification.json
    python -m benchmarks.verifying.verification --quick                      # 20 statements of a type
    python -m benchmarks.verifying.verification --only demo --seen --wrong   # print what was judged wrongly
    python -m benchmarks.verifying.verification --write DIR                  # the statements as files for `clew eval`
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import platform
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.verifying.statements.build import TYPES, Builder, Graph, Statement
from clew.app.api.client import Client
from clew.app.cli.progress_bars import ProgressBars
from clew.app.settings import load_settings
from clew.tools.ingest import ImportOptions, load

ROOT = Path(__file__).resolve().parents[2]
TRIPLE_LABELS = {"release_year": "Year", "in_language": "Language", "has_genre": "Genre"}
"""Of the tails of MetaQA's relations; all others that are used lead to people."""


@dataclass(frozen=True)
class StatementSet:
    name: str
    files: tuple[Path, ...]
    wordings: Path
    held: tuple[bool, ...]


def known_sets(data: Path) -> list[StatementSet]:
    demo = tuple(sorted((ROOT / "demo/graph").glob("*.csv")))
    transfer = (ROOT / "benchmarks/queries/transfer/nodes.csv", ROOT / "benchmarks/queries/transfer/edges.csv")
    words = ROOT / "benchmarks/verifying/statements"
    return [
        StatementSet("demo", demo, words / "demo.toml", (False, True)),
        StatementSet("metaqa", (data / "metaqa/kb.txt.gz",), words / "metaqa.toml", (False, True)),
        StatementSet("transfer", transfer, words / "transfer.toml", (True,)),
    ]


def graph_of(files: Sequence[Path]) -> Graph:
    return _from_triples(files[0]) if files[0].name.endswith(".txt.gz") else _from_csv(files)


def _from_csv(files: Sequence[Path]) -> Graph:
    """Files with the headers of neo4j-admin import."""
    names: dict[str, str] = {}
    labels: dict[str, str] = {}
    facts: list[tuple[str, str, str]] = []
    for file in files:
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                if ":START_ID" in row:
                    facts.append((row[":START_ID"], row[":TYPE"], row[":END_ID"]))
                    continue
                id = row.get("id:ID") or row[":ID"]
                names[id], labels[id] = row["name"], row[":LABEL"].split(";")[0]
    return Graph(names, labels, facts)


def _from_triples(file: Path) -> Graph:
    """MetaQA's facts; an entity of one name and kind is one node."""
    names: dict[str, str] = {}
    labels: dict[str, str] = {}
    facts: list[tuple[str, str, str]] = []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            head, relation, tail = line.rstrip("\n").split("|")
            ends = ("Film", head), (TRIPLE_LABELS.get(relation, "Person"), tail)
            if relation.startswith("has_") and relation != "has_genre":
                continue
            for label, name in ends:
                names[f"{label}:{name}"], labels[f"{label}:{name}"] = name, label
            facts.append((f"Film:{head}", relation, f"{ends[1][0]}:{tail}"))
    return Graph(names, labels, facts)


def imported(client: Client, chosen: StatementSet) -> str:
    name = f"statements-{chosen.name}"
    if not client.database.exists(name):
        store = client.database.open(name, create=True)
        load(store, chosen.files, ImportOptions(state_dir=client.folder(name) / "import"))
    return name


def measured(client: Client, graph: str, statements: Sequence[Statement]) -> tuple[dict[str, Any], list[Any]]:
    """The figures, and what was judged wrongly."""
    right: dict[str, list[bool]] = defaultdict(list)
    confusion: Counter[tuple[str, str]] = Counter()
    wrong, times = [], []
    for statement in statements:
        started = time.perf_counter()
        result = client.graph(graph).verify(statement.text).to_dict()
        times.append(1000 * (time.perf_counter() - started))
        good = result["verdict"] == statement.label
        right[statement.type].append(good)
        confusion[statement.label, result["verdict"]] += 1
        if not good:
            wrong.append((statement, result))
    figures: dict[str, Any] = {
        "n": len(statements),
        "accuracy": round(sum(map(sum, right.values())) / max(len(statements), 1), 4),
        "by_type": {
            t: {"n": len(right[t]), "accuracy": round(sum(right[t]) / len(right[t]), 4)} for t in TYPES if right[t]
        },
        "confusion": {f"{gold} as {said}": count for (gold, said), count in sorted(confusion.items())},
        "ms": {"p50": round(median(times), 1), "p95": round(sorted(times)[int(0.95 * (len(times) - 1))], 1)},
    }
    return figures, wrong


def main() -> None:
    arguments = _arguments()
    client = Client(load_settings(home=arguments.home), ProgressBars())
    client.keep_open(inf)
    report: dict[str, Any] = {
        "command": " ".join(["python", "-m", "benchmarks.verifying.verification", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("numpy", "numba", "langgraph", "arcadedb-embedded")},
        "seed": arguments.seed,
        "each": arguments.each,
        "sets": {},
    }
    for chosen in known_sets(arguments.data):
        if (arguments.only and chosen.name not in arguments.only) or not all(file.exists() for file in chosen.files):
            continue
        builder = Builder(graph_of(chosen.files), chosen.wordings, arguments.seed)
        for held in chosen.held:
            if (held and arguments.seen) or (not held and arguments.held):
                continue
            statements = builder.statements(arguments.each, held)
            name = f"{chosen.name}-{'held' if held else 'seen'}"
            if arguments.write:
                _write(arguments.write / f"{name}.jsonl", statements)
                continue
            figures, wrong = measured(client, imported(client, chosen), statements)
            report["sets"][name] = figures
            print(name, json.dumps(figures), file=sys.stderr)
            for statement, result in wrong if arguments.wrong else ():
                print(f"{statement.label} / {result['verdict']}: {statement.text}  [{statement.type}; {statement.how}]")
                for claim in result["claims"]:
                    print(f"    {claim['verdict']}: {claim['claim']} | {claim['reading']} | {claim['reason']}")
    client.close()
    if arguments.write:
        return
    report["total"] = sum(figures["n"] for figures in report["sets"].values())
    print(json.dumps(report, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _write(path: Path, statements: Sequence[Statement]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(statement.to_json(), ensure_ascii=False) for statement in statements]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="20 statements of a type")
    parser.add_argument("--each", type=int, default=40, help="statements of a type and half (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", action="append", metavar="SET", help="demo, metaqa or transfer")
    parser.add_argument("--seen", action="store_true", help="only the wordings that were seen")
    parser.add_argument("--held", action="store_true", help="only those that were kept aside")
    parser.add_argument("--wrong", action="store_true", help="print what was judged wrongly")
    parser.add_argument("--write", type=Path, metavar="DIR", help="write the statements there, and check nothing")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="default: %(default)s")
    home = Path.home() / ".cache/clew-benchmarks"
    parser.add_argument("--home", type=Path, default=home, help="where graphs are imported (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.each = 20
    return arguments


if __name__ == "__main__":
    main()
