"""The same questions to the embedded database and to Neo4j: the same answers, and how long each takes.

MetaQA's graph is imported into both, unless a graph of that name is there, and the same questions of its development
set are asked of both by turns. Answers are compared as sets of names.

    python -m benchmarks.engines --home HOME --each 100 --json engines.json
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from clew import Client
from clew.app.api.graph import Graph
from clew.app.evaluation.evaluation import percentiles

GRAPH = "metaqa"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="default: %(default)s")
    parser.add_argument("--home", type=Path, required=True, help="the folder of indexes, and of the embedded database")
    parser.add_argument("--each", type=int, default=100, help="questions of each number of hops; default: %(default)s")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    arguments = parser.parse_args()
    if "NEO4J_URI" not in os.environ:
        raise SystemExit("NEO4J_URI is not set; `python tests/neo4j_server.py start` runs a Neo4j and prints it.")
    url, user = os.environ["NEO4J_URI"], os.environ.get("NEO4J_USERNAME", "neo4j")
    password = os.environ.get("NEO4J_PASSWORD", "")
    folder = arguments.data / "metaqa"
    report: dict[str, Any] = {"date": time.strftime("%Y-%m-%d"), "each": arguments.each, "hops": {}}
    with (
        Client(home=arguments.home) as own,
        Client(home=arguments.home, url=url, user=user, password=password) as other,
    ):
        graphs = {name: _opened(client, folder) for name, client in (("embedded", own), ("neo4j", other))}
        for hops in (1, 2, 3):
            asked = list(_questions(folder / f"dev_{hops}hop.jsonl.gz", arguments.each, arguments.seed))
            report["hops"][hops] = _compared(graphs, asked)
            print(hops, report["hops"][hops], file=sys.stderr)
    text = json.dumps(report, indent=2, ensure_ascii=False)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n", encoding="utf-8")


def _opened(client: Client, folder: Path) -> Graph:
    graph = client.graph(GRAPH)
    if GRAPH not in [each.name for each in client.graphs()]:
        graph.import_files(folder / "kb.txt.gz")
    client.keep_open(3600)
    graph.ask("who directed Heat?")
    return graph


def _questions(path: Path, number: int, seed: int) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line)["question"] for line in file]
    random.Random(seed).shuffle(rows)
    yield from rows[:number]


def _compared(graphs: dict[str, Graph], questions: list[str]) -> dict[str, Any]:
    times: dict[str, list[float]] = {name: [] for name in graphs}
    different = []
    for question in questions:
        answers = {}
        for name, graph in graphs.items():
            began = time.perf_counter()
            answers[name] = sorted({answer.name for answer in graph.ask(question).answers})
            times[name].append(1000 * (time.perf_counter() - began))
        if answers["embedded"] != answers["neo4j"]:
            different.append({"question": question, **answers})
    took = {
        name: {f"{at}_ms": ms and round(ms) for at, ms in percentiles(each).items()} for name, each in times.items()
    }
    return {"questions": len(questions), "same": len(questions) - len(different), **took, "different": different}


if __name__ == "__main__":
    main()
