"""Answering with a model, measured without one: a scripted model that knows the gold path and answers from it.

The model is a server on loopback that speaks as an OpenAI-compatible endpoint does, and `langchain-openai` is the
client, so that everything between a question and its answer is the real thing but the model. It writes what a perfect
KG-Linker would (the topic, the gold relation path, the query, no draft), selects the gold relations when it traverses,
and as the reasoner lists those gold-path answers that the context shows. What is lost is therefore lost by the
machinery. Three runs:

    perfect     as above; beside it what the graph itself can give (the ceiling)
    misspelt    the topics are misspelt by one or two edits, in the question and in all that the model writes
    wrong       in 30 % of the questions the first artifacts are wrong (wrong direction, unknown relation, invented
                entity, unparsable), those of the next call right: how many are recovered, by how many readings; once
                as it is, and once with the ranker, which needs no model, kept silent

    python -m benchmarks.with_model --data DIR --json with_model.json      # 300 questions a hop
    python -m benchmarks.with_model --data DIR --quick                     # 30 a hop
    python -m benchmarks.with_model --data DIR --strategies                # perfect model, one strategy at a time
    python -m benchmarks.with_model --data DIR --methods                   # perfect model, one method at a time
    python -m benchmarks.with_model --data DIR --errors --questions 15     # each kind of error, each method: a table
"""

from __future__ import annotations

import argparse
import gzip
import json
import platform
import random
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from itertools import pairwise
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.erring import ERRORS, Erring
from clew.app.api.graph import Graph
from clew.app.cli.progress_bars import ProgressBars
from clew.app.container import Container
from clew.app.evaluation.evaluation import Evaluation, folded
from clew.app.evaluation.questions import Question, read_questions, sample
from clew.app.settings import load_settings
from clew.tools.ingest import ImportOptions, load
from clew.tools.linking.mentions import Linking
from clew.tools.queries.space.query import RankedQuery
from tests.scripted_model import Request, ScriptedModel

GRAPH = "metaqa"
HOPS = (1, 2, 3)
WRONG_SHARE = 0.3
FAULTS = ("direction", "relation", "entity", "unparsable")
RELATIONS = {
    "director": "directed_by", "writer": "written_by", "actor": "starred_actors", "year": "release_year",
    "language": "in_language", "genre": "has_genre", "imdbrating": "has_imdb_rating", "imdbvotes": "has_imdb_votes",
    "tags": "has_tags", "tag": "has_tags",
}  # fmt: skip
"""The end of a step of MetaQA's paths that is no film, to the relation of the step; a film is always its head."""
Step = tuple[str, bool]
"""A relation, and whether it is followed forwards."""


@dataclass(frozen=True)
class Gold:
    """What a perfect model knows about one question."""

    question: Question
    text: str
    """As it is asked: perhaps misspelt."""
    topic: str
    """As the model writes it."""
    steps: tuple[Step, ...]
    frontiers: tuple[frozenset[str], ...]
    """The entities reached by each step; the last are the answers that the graph can give."""
    fault: str = ""


class Facts:
    """The graph as the file has it."""

    def __init__(self, file: Path) -> None:
        self.near: dict[tuple[str, bool], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                head, relation, tail = line.rstrip("\n").split("|")
                self.near[relation, True][head].add(tail)
                self.near[relation, False][tail].add(head)

    def frontiers(self, topic: str, steps: Sequence[Step]) -> tuple[frozenset[str], ...]:
        """The entities at each step of the paths that neither come back to the topic nor take a triplet twice."""
        reached: list[set[str]] = [set() for _ in steps]
        stack: list[tuple[str, int, frozenset[tuple[str, str, str]]]] = [(topic, 0, frozenset())]
        while stack:
            node, depth, used = stack.pop()
            if depth == len(steps):
                continue
            relation, forward = steps[depth]
            for other in self.near[relation, forward].get(node, ()):
                triplet = (node, relation, other) if forward else (other, relation, node)
                if other != topic and triplet not in used:
                    reached[depth].add(other)
                    stack.append((other, depth + 1, used | {triplet}))
        return tuple(frozenset(nodes) for nodes in reached)


def steps_of(path: str) -> tuple[Step, ...]:
    """ "actor_to_movie_to_year" as relations with their directions."""
    ends = path.split("_to_")
    return tuple((RELATIONS[b], True) if a == "movie" else (RELATIONS[a], False) for a, b in pairwise(ends))


def misspelt(name: str, rng: random.Random) -> str:
    """One or two edits inside a name, two only where it has eight letters or more."""
    letters = list(name)
    for _ in range(1 if len(name) < 8 else rng.choice((1, 2))):
        at = rng.randrange(1, max(2, len(letters)))
        edit = rng.choice(("drop", "add", "change", "swap"))
        if edit == "drop" and len(letters) > 3:
            del letters[min(at, len(letters) - 1)]
        elif edit == "add":
            letters.insert(at, rng.choice("abcdefghijklmnopqrstuvwxyz"))
        elif edit == "swap" and at < len(letters):
            letters[at - 1], letters[at] = letters[at], letters[at - 1]
        else:
            letters[min(at, len(letters) - 1)] = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return "".join(letters)


@dataclass
class Oracle:
    """The scripted model: finds the question in the prompt, and the role in the tags that the prompt asks for."""

    golds: list[Gold]
    labels: dict[str, tuple[str, str]]
    """Relation to the labels of its ends."""
    asked: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Prompts for artifacts, by question."""
    seen: dict[str, int] = field(default_factory=dict)

    def __call__(self, request: Request) -> str:
        text = f"{request.system}\n{request.user}"
        found = [gold for gold in self.golds if gold.text in request.user]
        gold = max(found, key=lambda g: len(g.text))
        if '"triples"' in request.system:
            return self._pattern(gold)
        if "<selected>" in text:
            return f"<selected>\n{chr(10).join(dict.fromkeys(r for r, _ in gold.steps))}\n</selected>"
        if "<next-entities>" in text:
            return f"<next-entities>\n{self._next(gold, request.user)}\n</next-entities>"
        if "<entities>" in text:
            return self._artifacts(gold, again="FINISH" in text)
        if "<opencypher>" in text:
            return f"<opencypher>\n{self._cypher(gold.topic, gold.steps)}\n</opencypher>"
        return f"<answers>\n{chr(10).join(self._answers(gold, request.user))}\n</answers>"

    def _answers(self, gold: Gold, context: str) -> list[str]:
        """Those that the context shows, the questions' own gold answers first."""
        wanted = set(gold.question.answers)
        shown = [name for name in gold.frontiers[-1] if _names(name, context)]
        return sorted(shown, key=lambda name: (name not in wanted, name))

    def _next(self, gold: Gold, context: str) -> str:
        if self._answers(gold, context):
            return "FINISH"
        shown = [name for nodes in gold.frontiers for name in sorted(nodes) if _names(name, context)]
        return "\n".join(shown[:20]) or "FINISH"

    def _artifacts(self, gold: Gold, again: bool) -> str:
        call = self.asked[gold.text]
        self.asked[gold.text] += 1
        if gold.fault and call == 0:
            return self._wrong(gold)
        if again and not gold.fault:
            return "<entities>\nFINISH\n</entities>"
        return _written(gold.topic, gold.steps, self._cypher(gold.topic, gold.steps))

    def _pattern(self, gold: Gold) -> str:
        """The chain as a pattern graph (SimGRAG)."""
        names, triples = [gold.topic], []
        for place, step in enumerate(gold.steps, 1):
            names.append(f"UNKNOWN {self._ends(step)[1]} {place}")
            ends = names[-2:] if step[1] else names[:-3:-1]
            triples.append([ends[0], step[0], ends[1]])
        return json.dumps({"segments": [gold.text], "triples": triples, "asked": names[-1]})

    def _wrong(self, gold: Gold) -> str:
        if gold.fault == "direction":
            turned = tuple((relation, not forward) for relation, forward in gold.steps)
            return _written(gold.topic, gold.steps, self._cypher(gold.topic, turned, gold.steps))
        if gold.fault == "relation":
            steps = tuple(("relates_to_somehow", forward) for _, forward in gold.steps)
            return _written(gold.topic, steps, self._cypher(gold.topic, steps, gold.steps))
        if gold.fault == "entity":
            invented = f"Zq{gold.topic[::-1]}xv"
            return _written(invented, gold.steps, self._cypher(invented, gold.steps))
        return "import os\nfor x in range(10):\n    os.remove(str(x))  # {'entities': [ <paths"

    def _cypher(self, topic: str, steps: Sequence[Step], truth: Sequence[Step] | None = None) -> str:
        """The query for a chain; labels are those of the true chain, so that only what is meant to be wrong is."""
        labels = [self._ends(step)[0] for step in (truth or steps)[:1]]
        labels += [self._ends(step)[1] for step in truth or steps]
        text = f"(n0:{labels[0]} {{name: {json.dumps(topic)}}})"
        for i, (relation, forward) in enumerate(steps, start=1):
            edge = f"-[:{relation}]->" if forward else f"<-[:{relation}]-"
            text += f"{edge}(n{i}:{labels[i]})"
        return f"MATCH {text} RETURN DISTINCT n{len(steps)}.name"

    def _ends(self, step: Step) -> tuple[str, str]:
        source, target = self.labels[step[0]]
        return (source, target) if step[1] else (target, source)


def _written(topic: str, steps: Sequence[Step], cypher: str) -> str:
    path = " -> ".join(relation for relation, _ in steps)
    return (
        f"<entities>\n{topic}\n</entities>\n<paths>\n{path}\n</paths>\n"
        f"<opencypher>\n{cypher}\n</opencypher>\n<answers>\n</answers>"
    )


def _names(name: str, context: str) -> bool:
    return name in context and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", context) is not None


@dataclass
class Sample:
    """The questions of one number of hops."""

    hops: int
    golds: list[Gold]

    def ceiling(self) -> dict[str, float]:
        """What the answers that the graph can give score."""
        hits, f1 = [], []
        for gold in self.golds:
            wanted = {folded(name) for name in gold.question.answers}
            given = {folded(name) for name in gold.frontiers[-1]}
            common = len(wanted & given)
            hits.append(float(bool(common)))
            f1.append(2 * common / (len(wanted) + len(given)) if given else 0.0)
        return {"hits_at_1": round(fmean(hits), 4), "set_f1": round(fmean(f1), 4)}


def read_sample(data: Path, facts: Facts, hops: int, count: int, seed: int) -> Sample:
    questions = sample(read_questions(data / f"metaqa/dev_{hops}hop.jsonl.gz").items, count, seed)
    golds = []
    for question in questions:
        steps = steps_of(question.path)
        golds.append(
            Gold(question, question.text, question.topics[0], steps, facts.frontiers(question.topics[0], steps))
        )
    return Sample(hops, golds)


def misspell(given: Sample, seed: int) -> Sample:
    rng, golds = random.Random(seed), []
    for gold in given.golds:
        topic = misspelt(gold.topic, rng)
        golds.append(Gold(gold.question, gold.text.replace(gold.topic, topic), topic, gold.steps, gold.frontiers))
    return Sample(given.hops, golds)


def spoil(given: Sample, seed: int) -> Sample:
    rng, golds = random.Random(seed), []
    for gold in given.golds:
        fault = rng.choice(FAULTS) if rng.random() < WRONG_SHARE else ""
        golds.append(Gold(gold.question, gold.text, gold.topic, gold.steps, gold.frontiers, fault))
    return Sample(given.hops, golds)


class SilentRanker:
    """Has no query to offer, so that only the model's artifacts can find anything."""

    def rank(self, question: str, linking: Linking, limit: int = 20) -> list[RankedQuery]:
        return []


@dataclass
class Outcome:
    """The figures of one run over one sample."""

    figures: dict[str, Any]
    right: dict[str, bool]
    """By question as asked: whether the first answer is a gold one."""
    calls: list[int]


def run(container: Container, given: Sample, advance: Callable[[int], None], **settings: Any) -> Outcome:
    """Ask every question of a sample of a fresh scripted model."""
    options = {name: settings.pop(name, None) for name in ("method", "strategies")}
    silent = settings.pop("silent", False)
    relations = {r.type: (r.source, r.target) for r in container.files(GRAPH).schema().relations}
    with ScriptedModel(Oracle(given.golds, relations)) as server:
        live = _live(container, server, **settings)
        if silent:
            context = live.context(GRAPH)
            live._graphs[GRAPH].context = replace(context, tools=replace(context.tools, ranker=SilentRanker()))
        evaluation, right, calls, asked = Evaluation(), {}, [], [0]

        def ask(text: str) -> dict[str, Any]:
            result = Graph(live, GRAPH).ask(text, **options).to_dict()
            calls.append(result["model"]["calls"] if result["model"] else 0)
            wanted = {folded(name) for name in by_text[text].question.answers}
            right[text] = bool(result["answers"]) and folded(result["answers"][0]["name"]) in wanted
            asked[0] += 1
            advance(asked[0])
            return result

        by_text = {gold.text: gold for gold in given.golds}
        questions = [Question(g.text, g.question.answers, g.question.topics, g.question.path) for g in given.golds]
        evaluation.run(questions, ask)
        live.close()
    figures = evaluation.figures()
    kept = {key: figures[key] for key in ("n", "hits_at_1", "set_f1", "set_recall", "errors", "latency_ms")}
    return Outcome({**kept, "calls": round(fmean(calls), 2), "most_calls": max(calls)}, right, calls)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder that holds metaqa/")
    parser.add_argument("--home", type=Path, default=Path(".bench"), help="where the graph is kept between runs")
    parser.add_argument("--questions", type=int, default=300, help="a hop")
    parser.add_argument("--hops", type=int, nargs="+", choices=HOPS, default=HOPS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="30 questions a hop")
    parser.add_argument("--strategies", action="store_true", help="a perfect model, one strategy at a time")
    parser.add_argument("--methods", action="store_true", help="a perfect model, one method at a time")
    parser.add_argument("--errors", action="store_true", help="a model that errs, by kind of error, rate and method")
    parser.add_argument("--rates", type=float, nargs="+", default=ERROR_RATES, help="of --errors")
    parser.add_argument("--kinds", nargs="+", choices=(*ERRORS, "any"), default=(*ERRORS, "any"), help="of --errors")
    parser.add_argument("--only", choices=("perfect", "misspelt", "wrong"), help="one of the three runs")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if given.data is None or not (given.data / "metaqa/kb.txt.gz").exists():
        print("with_model: left out, --data DIR with metaqa/ is needed")
        return
    count = 30 if given.quick else given.questions
    facts = Facts(given.data / "metaqa/kb.txt.gz")
    samples = [read_sample(given.data, facts, hops, count, given.seed) for hops in given.hops]
    container = Container(load_settings(home=given.home), ProgressBars())
    try:
        _import(container, given.data)
        report = {
            "questions": count, "seed": given.seed, "python": platform.python_version(),
            "versions": {name: version(name) for name in ("clew", "langgraph", "langchain-openai")},
        }  # fmt: skip
        if given.errors:
            report["runs"] = _errors(container, samples, given.rates, given.kinds)
        elif given.strategies or given.methods:
            report["runs"] = _ablation(container, samples, METHODS_ASKED if given.methods else STRATEGIES_ASKED)
        else:
            report["runs"] = _runs(container, samples, given.seed, given.only)
    finally:
        container.close()
    if given.json:
        given.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _import(container: Container, data: Path) -> None:
    if not container.database.exists(GRAPH):
        store = container.database.open(GRAPH, create=True)
        load(store, [data / "metaqa/kb.txt.gz"], ImportOptions(state_dir=container.folder(GRAPH)))


def _runs(container: Container, samples: list[Sample], seed: int, only: str | None) -> dict[str, Any]:
    report: dict[str, Any] = {}
    for given in samples:
        row: dict[str, Any] = {"ceiling": given.ceiling()}
        if only in (None, "perfect"):
            row["perfect"] = _told(container, given, "perfect").figures
            row["share_of_f1"] = round(row["perfect"]["set_f1"] / row["ceiling"]["set_f1"], 4)
        if only in (None, "misspelt"):
            row["misspelt"] = _told(container, misspell(given, seed), "misspelt").figures
        if only in (None, "wrong"):
            row["wrong"] = _recovery(container, spoil(given, seed))
            row["wrong, silent ranker"] = _recovery(container, spoil(given, seed), silent=True)
        report[f"{given.hops} hops"] = row
        print(json.dumps({given.hops: row}))
    return report


def _recovery(container: Container, spoilt: Sample, silent: bool = False) -> dict[str, Any]:
    """Of the questions whose first artifacts are wrong, how many one and two readings get right, fault by fault."""
    name = "wrong, silent ranker" if silent else "wrong"
    one = _told(container, spoilt, f"{name}, one reading", model_iterations=1, silent=silent)
    two = _told(container, spoilt, f"{name}, two readings", model_iterations=2, silent=silent)
    found: dict[str, Any] = {"one_reading": one.figures, "two_readings": two.figures}
    for fault in ("", *FAULTS):
        texts = [g.text for g in spoilt.golds if g.fault == fault]
        if texts:
            found[fault or "none"] = {
                "n": len(texts),
                "one_reading": round(fmean(one.right.get(text, False) for text in texts), 3),
                "two_readings": round(fmean(two.right.get(text, False) for text in texts), 3),
            }
    return found


STRATEGIES_ASKED: dict[str, dict[str, Any]] = {
    "+".join(names) or "default": {"strategies": names or None}
    for names in ((), ("cypher",), ("paths",), ("triplets",), ("rerank",), ("traversal",), ("cypher", "paths"))
}
METHODS_ASKED: dict[str, dict[str, Any]] = {
    name: {"method": name} for name in ("default", "graphraft", "simgrag", "byokg")
}
"""The scripted model writes no plans, and MetaQA has no texts for the others."""
ERROR_RATES = (0.3, 1.0)


def _errors(
    container: Container, samples: list[Sample], rates: Sequence[float], kinds: Sequence[str]
) -> dict[str, Any]:
    """Hits@1 and calls of each method over all samples, by kind of error and rate; printed as a table."""
    golds = [gold for given in samples for gold in given.golds]
    relations = {r.type: (r.source, r.target) for r in container.files(GRAPH).schema().relations}
    asked = [("none", 0.0), *((kind, rate) for kind in kinds for rate in rates)]
    report: dict[str, Any] = {}
    print("| error | rate | " + " | ".join(METHODS_ASKED) + " |\n|---|---|" + "---|" * len(METHODS_ASKED))
    script = Erring(Oracle(golds, relations), "none", 0.0)
    with ScriptedModel(script) as server:
        live = _live(container, server)
        for kind, rate in [("no model", 0.0), *asked]:
            row = report[f"{kind}, {rate:g}"] = {}
            for name, options in METHODS_ASKED.items():
                script.right, script.kind, script.rate = Oracle(golds, relations), kind, rate
                script.spoilt = script.replies = 0
                row[name] = _survived(container if kind == "no model" else live, golds, options, script)
            cells = [f"{figures['hits_at_1']:.3f} ({figures['calls']:.1f})" for figures in row.values()]
            print(f"| {kind} | {rate:g} | " + " | ".join(cells) + " |", flush=True)
        live.close()
    return report


def _survived(live: Container, golds: Sequence[Gold], options: dict[str, Any], script: Erring) -> dict[str, float]:
    """Hits@1, calls a question, and the share of spoilt replies."""
    right, calls = 0, 0
    for gold in golds:
        result = Graph(live, GRAPH).ask(gold.text, **options).to_dict()
        wanted = {folded(name) for name in gold.question.answers}
        right += bool(result["answers"]) and folded(result["answers"][0]["name"]) in wanted
        calls += result["model"]["calls"] if result["model"] else 0
    n = len(golds)
    spoilt = script.spoilt / max(1, script.replies)
    return {"n": n, "hits_at_1": round(right / n, 3), "calls": round(calls / n, 2), "spoilt": round(spoilt, 3)}


def _live(container: Container, server: ScriptedModel, **settings: Any) -> Container:
    """The same home with the scripted model."""
    settings = {"model": "scripted", "model_base_url": server.base_url, "model_api_key": "none", **settings}
    live = Container(load_settings(home=container.settings.home, **settings), container.progress)
    live.keep_open(inf)
    return live


def _ablation(container: Container, samples: list[Sample], asked: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        f"{given.hops} hops, {name}": _told(container, given, name, **options).figures
        for given in samples
        for name, options in asked.items()
    }


def _told(container: Container, given: Sample, name: str, **settings: Any) -> Outcome:
    with container.progress.task(f"{given.hops} hops, {name}", "questions", len(given.golds)) as advance:
        outcome = run(container, given, advance, **settings)
    print(f"{given.hops} hops, {name}: {json.dumps(outcome.figures)}")
    return outcome


if __name__ == "__main__":
    main()
