"""The generator measured beside the ranker: which query each puts first, and how good the answers are.

    python -m benchmarks.learning.generator demo/questions.jsonl --graph demo --generator demo/generator --json FILE
    python -m benchmarks.learning.generator … --node-reasoner FOLDER         # L2 as well (GraphRAFT section 4.3)
    python -m benchmarks.learning.generator --quick                    # the demo graph in a home of its own
    python -m benchmarks.learning.generator --data DATA --home HOME --json FILE  # learning from 30 to 3,000 questions

The graph is one that `clew import` made. Both choose from the same candidates. As in GraphRAFT (Table 1), queries are
run, the likeliest first, until 20 nodes are found; Hit@1, Hit@5, Recall@20 and MRR are of that list. Questions whose
answer is a number or a value are scored by the first query alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import torch

from benchmarks.learning.generator_curve import SIZES, curve
from clew.agents.answering.node_reasoner import NodeReasoner
from clew.agents.answering.union import Union, found_by, with_details
from clew.agents.generating.choosers import chooser_of
from clew.agents.generating.cypher_generator import CypherGenerator, Generated, Generator, RankedOrder
from clew.app.cli.progress_bars import ProgressBars
from clew.app.container import Container
from clew.app.evaluation.evaluation import score
from clew.app.evaluation.questions import Question, read_questions, sample
from clew.app.settings import load_settings
from clew.tools.errors import QueryFailed
from clew.tools.graph.store.graph_store import Limits
from clew.tools.linking.mentions import find_mentions
from clew.tools.queries.space.around import entities_of, queries_around
from clew.tools.queries.space.space import QuerySpace

ROOT = Path(__file__).resolve().parents[2]
SHOWN = 20
"""Nodes of the list that is scored."""
TRIED = 10
LIMITS = Limits(timeout_s=10.0)


def main() -> None:
    arguments = _arguments()
    container = Container(load_settings(home=arguments.home), ProgressBars())
    try:
        if arguments.quick:
            _import_demo(container)
        report = _learning(container, arguments) if arguments.data else _measured(container, arguments)
    finally:
        container.close()
    text = json.dumps(report, indent=2) + "\n"
    print(text, end="")
    if arguments.json:
        arguments.json.write_text(text, encoding="utf-8")


def _learning(container: Container, arguments: argparse.Namespace) -> dict[str, Any]:
    torch.set_num_threads(1)
    sizes = [int(size) for size in arguments.sizes.split(",")]
    graph = arguments.graph if arguments.graph != "demo" else "metaqa"
    return curve(container, graph, arguments.data, sizes, arguments.test, arguments.seed, arguments.json)


def _measured(container: Container, arguments: argparse.Namespace) -> dict[str, Any]:
    questions = sample(read_questions(arguments.questions).items, arguments.limit, arguments.seed)
    context = container.context(arguments.graph)
    space = QuerySpace(context.tools.store, context.tools.schema)
    chooser = chooser_of(str(arguments.generator), arguments.adapter)
    chooser.prepare()
    generator = CypherGenerator(chooser, lambda entities: queries_around(space, entities))
    reasoner = None
    if arguments.node_reasoner:
        reasoner = NodeReasoner(chooser_of(str(arguments.node_reasoner)))
    ways: dict[str, tuple[Generator, NodeReasoner | None]] = {
        "ranker": (RankedOrder(), None),
        "generator (L1)": (generator, None),
    }
    if reasoner is not None:
        ways["generator and node reasoner (L1 + L2)"] = (generator, reasoner)
    tallies = {name: _Tally() for name in ways}
    for question in questions:
        linking = find_mentions(question.text, context.tools.index)
        ranked = context.tools.ranker.rank(question.text, linking)
        candidates = generator.candidates(ranked, entities_of(linking.mentions))
        for name, (way, then) in ways.items():
            began = time.process_time()
            offered = ranked if isinstance(way, RankedOrder) else candidates
            generated = way.choose(question.text, offered, TRIED, seconds=60.0) if offered else None
            seconds = time.process_time() - began
            subgraph = tallies[name].add(question, generated, len(offered), seconds, space)
            if all(_is_value(answer) for answer in question.answers):
                continue
            if subgraph.nodes:
                names = [node.name for node in subgraph.nodes][:SHOWN]
                if then is not None:
                    subgraph = with_details(subgraph, context.tools.store)
                    names = [node.name for node, _ in then.select(question.text, subgraph, seconds=60.0).kept][:SHOWN]
                tallies[name].score(question, names)
            else:
                tallies[name].score(question, [])
    return {
        "command": " ".join(["python", "-m", "benchmarks.learning.generator", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "generator": chooser.name,
        "graph": arguments.graph,
        "questions": len(questions),
        "ways": {name: tally.figures() for name, tally in tallies.items()},
    }


def _is_value(answer: str) -> bool:
    return answer.replace(".", "").replace(",", "").isdigit()


class _Tally:
    """Adds up one way of choosing."""

    def __init__(self) -> None:
        self.first_f1: list[float] = []
        self.first_hit: list[float] = []
        self.candidates: list[int] = []
        self.seconds: list[float] = []
        self.sure: list[float] = []
        self.executed = self.failed = 0
        self.lists: list[Any] = []

    def add(
        self, question: Question, generated: Generated | None, offered: int, seconds: float, space: QuerySpace
    ) -> Union:
        """The nodes that the chosen queries find."""
        self.candidates.append(offered)
        self.seconds.append(seconds)
        if generated is not None and generated.chosen[0].probability is not None:
            self.sure.append(generated.chosen[0].probability)
        queries = [each.ranked.query for each in generated.chosen] if generated else []
        for query in queries:
            try:
                space.execute(query, LIMITS)
                self.executed += 1
            except QueryFailed:
                self.failed += 1
        rows = space.execute(queries[0], LIMITS).rows if queries else []
        first = score([row.name for row in rows], question.answers)
        self.first_f1.append(first.set_f1)
        self.first_hit.append(float(first.set_recall > 0))
        return found_by(space, queries, LIMITS, SHOWN)

    def score(self, question: Question, names: Sequence[str]) -> None:
        self.lists.append(score(names, question.answers))

    def figures(self) -> dict[str, Any]:
        def mean(values: Iterator[float]) -> float:
            return round(fmean(list(values) or [0.0]), 4)

        return {
            "candidates_median": median(self.candidates),
            "queries_that_run": f"{self.executed} of {self.executed + self.failed}",
            "questions_for_nodes": len(self.lists),
            "first_query_f1": mean(iter(self.first_f1)),
            "first_query_has_an_answer": mean(iter(self.first_hit)),
            "first_query_confidence": mean(iter(self.sure)) if self.sure else None,
            "hit_at_1": mean(s.hits_at_1 for s in self.lists),
            "hit_at_5": mean(s.hits_at_5 for s in self.lists),
            "recall_at_20": mean(s.recall_at_20 for s in self.lists),
            "mrr": mean(s.mrr for s in self.lists),
            "cpu_ms_median": round(1000 * median(self.seconds), 1),
        }


def _import_demo(container: Container) -> None:
    from clew.tools.errors import UnknownGraph

    try:
        container.store("demo")
    except UnknownGraph:
        from clew.app.cli import run

        files = sorted(str(path) for path in (ROOT / "demo" / "graph").glob("*.csv"))
        run(["--home", str(container.settings.home), "import", *files, "--graph", "demo"])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="?", type=Path, default=ROOT / "demo" / "questions.jsonl")
    parser.add_argument("--graph", default="demo")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--generator", default=str(ROOT / "demo" / "generator"))
    parser.add_argument("--adapter")
    parser.add_argument("--node-reasoner")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--data", type=Path, help="the folder that holds metaqa/: measure how a small model learns")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="questions to learn from (%(default)s)")
    parser.add_argument("--test", type=int, default=60, help="test questions a hop, with --data")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quick", action="store_true", help="20 questions on the demo graph")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.limit = arguments.limit or 20
        arguments.home = arguments.home or Path(tempfile.mkdtemp(prefix="clew-benchmark-"))
    return arguments


if __name__ == "__main__":
    main()
