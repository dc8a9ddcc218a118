"""Choosing a query without a model, measured: which of the valid queries is put first, and how the weights move.

Sets are the bundled demo and transfer graphs, and MetaQA and PathQuestions where `--data` has them; parts that are
absent are left out and named. Graphs are imported once into `--home` and found again. Peers in the same run, over the
same candidates: the cosine of the question and the query's words, and alignment without the lexicon.

    python -m benchmarks.queries.ranking --json ranking.json           # scores per set
    python -m benchmarks.queries.ranking --tune 600                    # random search; prints the weights found
    python -m benchmarks.queries.ranking --tune 300 --leave-one-out    # each group with weights tuned on the others
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import platform
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import fmean, median
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clew.app.cli.progress_bars import ProgressBars
from clew.app.container import Container
from clew.app.settings import load_settings
from clew.tools.ingest import ImportOptions, load
from clew.tools.linking.mentions import Linking, find_mentions
from clew.tools.queries.ranking import glosses as glosses_module
from clew.tools.queries.ranking.ranker import Ranker
from clew.tools.queries.ranking.weights import WEIGHTS, Weights
from clew.tools.queries.space.query import RankedQuery
from clew.tools.queries.space.words import words

Reorder = Callable[[str, list[RankedQuery]], list[RankedQuery]]
ROOT = Path(__file__).resolve().parents[2]
BOUNDS: dict[str, tuple[float, float]] = {
    "span_exponent": (0.3, 1.0), "silent_cost": (0.1, 1.0),
    "base": (0.1, 0.5), "centring": (0.0, 0.5), "hop_cost": (0.1, 0.5),
    "skip_cost": (0.0, 0.4), "skip_floor": (0.0, 1.0), "skip_origin": (0.0, 0.5), "reverse_cost": (0.0, 0.15),
    "join_cost": (0.0, 0.5), "label_gain": (0.0, 0.5), "label_threshold": (0.5, 0.9), "repeat_gain": (-0.1, 0.3),
    "repeat_threshold": (0.5, 0.95), "left_first_cost": (0.0, 0.05), "kind_bonus": (0.0, 0.3),
    "property_cost": (0.0, 0.2), "asked_cost": (0.0, 1.0), "asked_threshold": (0.4, 0.95),
    "unused_cost": (0.0, 0.4), "meeting_bonus": (-0.1, 0.3), "name_bonus": (0.0, 0.6), "schema_word": (0.4, 0.9),
    "same_bonus": (0.0, 0.4), "identifier_bonus": (0.0, 0.3), "return_cost": (0.0, 0.2), "voice_cost": (0.0, 0.6),
}  # fmt: skip
"""Where the search may move each weight."""
MIDDLE = dataclasses.replace(WEIGHTS, **{name: (low + high) / 2 for name, (low, high) in BOUNDS.items()})
"""Where the search begins when a group is left out: the present weights have seen every group."""


@dataclasses.dataclass(frozen=True)
class QuestionSet:
    """Questions over one graph; sets of one group count together as one voice."""

    group: str
    name: str
    graph: tuple[Path, ...]
    questions: Path


def known_sets(data: Path) -> list[QuestionSet]:
    demo = tuple(sorted((ROOT / "demo/graph").glob("*.csv")))
    transfer = (ROOT / "benchmarks/queries/transfer/nodes.csv", ROOT / "benchmarks/queries/transfer/edges.csv")
    films = (data / "metaqa/kb.txt.gz",)
    found = [
        QuestionSet("demo", "demo", demo, ROOT / "demo/questions.jsonl"),
        QuestionSet("transfer", "transfer-dev", transfer, ROOT / "benchmarks/queries/transfer/questions.dev.jsonl"),
        *(QuestionSet("metaqa", f"metaqa-{h}", films, data / f"metaqa/dev_{h}hop.jsonl.gz") for h in (1, 2, 3)),
    ]
    for h in (2, 3):
        kb, questions = data / f"pathquestions/{h}H-kb.tsv", data / f"pathquestions/PQ-{h}H.dev.jsonl"
        found.append(QuestionSet("pathquestions", f"pathquestions-{h}", (kb,), questions))
    return found


class Trial:
    """One set, with everything remembered that weights do not change."""

    def __init__(self, container: Container, chosen: QuestionSet, limit: int, seed: int) -> None:
        self.set = chosen
        opener: Callable[..., Any] = gzip.open if chosen.questions.suffix == ".gz" else open
        with opener(chosen.questions, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        self.rows = random.Random(seed).sample(rows, limit) if limit < len(rows) else rows
        context = container.context(_imported(container, chosen))
        space: Any = context.tools.space
        space.supported = _remembered_per_path(space.supported)
        space.matches = _remembered(space.matches, lambda query: query.key())
        space.execute = _remembered(space.execute, lambda query: query.key())
        self.space = space
        self._embedder = context.tools.embedder
        self.linking: dict[str, Linking] = {
            row["question"]: find_mentions(row["question"], context.tools.index) for row in self.rows
        }
        self._compare: Callable[[Any], Any] | None = None
        self.ranker(WEIGHTS)

    def ranker(self, weights: Weights) -> Ranker:
        """A ranker with these weights, and one memory of similarities for all of them."""
        ranker = Ranker(self.space, self._embedder, weights=weights)
        phrases: Any = ranker._phrases
        phrases.compare = self._compare or _remembered(phrases.compare, tuple)
        self._compare = phrases.compare
        return ranker

    def score(self, weights: Weights, reorder: Reorder | None = None) -> dict[str, float]:
        """Fractions: the first answer is right, F1 of the answer set; and the median milliseconds of ranking."""
        ranker, hits, f1s, times = self.ranker(weights), [], [], []
        for row in self.rows:
            start = time.perf_counter()
            ranked = ranker.rank(row["question"], self.linking[row["question"]])
            times.append(1000 * (time.perf_counter() - start))
            ranked = reorder(row["question"], ranked) if reorder else ranked
            answers = self.space.execute(ranked[0].query).rows if ranked else []
            found, gold = {answer.name for answer in answers}, set(row["answers"])
            shared = len(found & gold)
            hits.append(float(bool(answers) and answers[0].name in gold))
            f1s.append(2 * shared / (len(found) + len(gold)) if shared else 0.0)
        return {"n": len(self.rows), "hits_at_1": fmean(hits), "set_f1": fmean(f1s), "rank_ms": median(times)}

    def by_cosine(self, question: str, ranked: list[RankedQuery]) -> list[RankedQuery]:
        """The peer: the same candidates, by the cosine of the question and the query's words."""
        if not ranked:
            return []
        vectors = self._embedder.embed([question, *(words(item.query) for item in ranked)])
        return [ranked[i] for i in (-(vectors[1:] @ vectors[0])).argsort(kind="stable")]


def _imported(container: Container, chosen: QuestionSet) -> str:
    name = "-".join(part for part in (chosen.group, chosen.graph[0].name.split("-")[0].split(".")[0]) if part)
    if not container.database.exists(name):
        store = container.database.open(name, create=True)
        load(store, chosen.graph, ImportOptions(state_dir=container.folder(name) / "import"))
    return name


def _remembered(function: Callable[[Any], Any], key: Callable[[Any], Any]) -> Callable[[Any], Any]:
    kept: dict[Any, Any] = {}

    def call(argument: Any) -> Any:
        place = key(argument)
        if place not in kept:
            kept[place] = function(argument)
        return kept[place]

    return call


def _remembered_per_path(function: Callable[[Any, Any], list[Any]]) -> Callable[[Any, Any], list[Any]]:
    kept: dict[Any, Any] = {}

    def call(entity: Any, paths: Sequence[Any]) -> list[Any]:
        missing = [path for path in paths if (entity.id, path) not in kept]
        kept.update({(entity.id, path): way for path, way in zip(missing, function(entity, missing), strict=True)})
        return [kept[entity.id, path] for path in paths]

    return call


def voice(scores: dict[str, dict[str, float]], trials: Sequence[Trial], skip: str | None = None) -> float:
    """The mean over groups of the mean over their sets of (hits at 1 + set F1) / 2."""
    groups: dict[str, list[float]] = {}
    for trial in trials:
        if trial.set.group != skip:
            row = scores[trial.set.name]
            groups.setdefault(trial.set.group, []).append((row["hits_at_1"] + row["set_f1"]) / 2)
    return fmean(fmean(values) for values in groups.values())


def tune(
    trials: Sequence[Trial], steps: int, seed: int, start: Weights, skip: str | None = None
) -> Iterator[tuple[int, float, Weights]]:
    """Random search from `start`; yields every improvement."""
    chance, best = random.Random(seed), start
    used = [trial for trial in trials if trial.set.group != skip]
    top = voice({t.set.name: t.score(best) for t in used}, used, skip)
    yield 0, top, best
    for step in range(1, steps + 1):
        changes = {}
        for name in chance.sample(list(BOUNDS), chance.choice([1, 1, 2, 3])):
            low, high = BOUNDS[name]
            changes[name] = min(high, max(low, getattr(best, name) + chance.gauss(0, 0.2) * (high - low)))
        tried = dataclasses.replace(best, **changes)
        score = voice({t.set.name: t.score(tried) for t in used}, used, skip)
        if score > top:
            top, best = score, tried
            yield step, top, best


def main() -> None:
    arguments = _arguments()
    container = Container(load_settings(home=arguments.home), ProgressBars())
    sets = [s for s in known_sets(arguments.data) if all(p.exists() for p in (*s.graph, s.questions))]
    trials = [Trial(container, chosen, arguments.limit, arguments.seed) for chosen in sets]
    report: dict[str, Any] = {
        "command": " ".join(["python", "-m", "benchmarks.queries.ranking", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("numpy", "numba", "arcadedb-embedded")},
        "left_out": sorted({s.name for s in known_sets(arguments.data)} - {s.name for s in sets}),
        "ours": {t.set.name: t.score(WEIGHTS) for t in trials},
        "cosine": {t.set.name: t.score(WEIGHTS, t.by_cosine) for t in trials},
    }
    if not arguments.tune:
        with patch.object(glosses_module, "meaning", lambda name: None):
            bare = [Trial(container, chosen, arguments.limit, arguments.seed) for chosen in sets]
            report["without_lexicon"] = {t.set.name: t.score(WEIGHTS) for t in bare}
    elif arguments.leave_one_out:
        report["leave_one_out"] = {}
        for group in sorted({t.set.group for t in trials}):
            *_, (_, _, weights) = tune(trials, arguments.tune, arguments.seed, MIDDLE, skip=group)
            report["leave_one_out"][group] = {t.set.name: t.score(weights) for t in trials if t.set.group == group}
            print(group, report["leave_one_out"][group], file=sys.stderr)
    else:
        for step, score, weights in tune(trials, arguments.tune, arguments.seed, WEIGHTS):
            print(f"step {step}: {score:.4f}", file=sys.stderr)
            report["tuned"] = {"score": score, "weights": {k: round(getattr(weights, k), 3) for k in BOUNDS}}
    container.close()
    text = json.dumps(report, indent=2)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="under a minute: 20 questions a set")
    parser.add_argument("--limit", type=int, default=120, help="questions of a set (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tune", type=int, default=0, metavar="STEPS", help="search for weights")
    parser.add_argument("--leave-one-out", action="store_true", help="tune on all groups but one, score that one")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="default: %(default)s")
    home = Path.home() / ".cache/clew-benchmarks"
    parser.add_argument("--home", type=Path, default=home, help="where graphs are imported (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.limit = 20
    return arguments


if __name__ == "__main__":
    main()
