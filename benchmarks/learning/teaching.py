"""`clew teach` measured: what is put first before and after teaching with ever more questions.

Each set's questions are split by a seed into those to teach with and those to test on; no question is in both. Sets are
the transfer graph (taught with its dev part, tested on its test part), and MetaQA, PathQuestions and STaRK-MAG where
`--data` has them. Of STaRK-MAG the graph is not at hand: candidate queries and the numbers of their results are given,
and are chosen among by the same features, weights and training. From 100 questions on, an encoder is fine-tuned as well
and what it gains is measured beside what is learned without it. Graphs are imported once into `--home`.

    python -m benchmarks.learning.teaching --json teaching.json
    python -m benchmarks.learning.teaching --only metaqa,stark --sizes 30,300 --test 100
    python -m benchmarks.learning.teaching --quick                     # a minute or two
"""

from __future__ import annotations

import argparse
import gzip
import json
import platform
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clew.app.cli.progress_bars import ProgressBars
from clew.app.container import Container
from clew.app.evaluation.evaluation import score
from clew.app.settings import load_settings
from clew.app.training.teaching import TUNED_FROM, Teaching
from clew.tools.embedding import Embedder, MiniLM, Vectors, bundled_minilm
from clew.tools.ingest import ImportOptions, load
from clew.tools.learning.teaching.encoder import tune
from clew.tools.learning.teaching.given import given_example
from clew.tools.learning.teaching.learned_ranker import LearnedRanker
from clew.tools.learning.teaching.synthesis import Pair
from clew.tools.learning.teaching.training import FEWEST, Trained, train
from clew.tools.learning.teaching.training_examples import TrainingExample, patterns_of, preferred, with_rivals
from clew.tools.linking.mentions import Linking, find_mentions
from clew.tools.queries.space.query import RankedQuery
from clew.tools.queries.space.space import QuerySpace

ROOT = Path(__file__).resolve().parents[2]
SIZES = (30, 100, 300, 1000, 3000)
TRIED = 5


@dataclass(frozen=True)
class TaughtSet:
    """Questions over one graph: those of `teach` and `test` are split by the seed where they are the same files."""

    name: str
    graph: tuple[Path, ...]
    teach: tuple[Path, ...]
    test: tuple[Path, ...]


def known_sets(data: Path) -> list[TaughtSet]:
    transfer = ROOT / "benchmarks/queries/transfer"
    dev, test = transfer / "questions.dev.jsonl", transfer / "questions.test.jsonl"
    films = tuple(data / f"metaqa/dev_{hops}hop.jsonl.gz" for hops in (1, 2, 3))
    found = [
        TaughtSet("transfer", (transfer / "nodes.csv", transfer / "edges.csv"), (dev,), (test,)),
        TaughtSet("metaqa", (data / "metaqa/kb.txt.gz",), films, films),
    ]
    for hops in (2, 3):
        questions = (data / f"pathquestions/PQ-{hops}H.dev.jsonl",)
        graph = (data / f"pathquestions/{hops}H-kb.tsv",)
        found.append(TaughtSet(f"pathquestions-{hops}", graph, questions, questions))
    return found


class Remembered:
    """The untaught ranker, asked once for each question."""

    def __init__(self, ranker: Any) -> None:
        self._ranker = ranker
        self._kept: dict[tuple[str, int], list[RankedQuery]] = {}

    def rank(self, question: str, linking: Linking, limit: int = 20) -> list[RankedQuery]:
        if (question, limit) not in self._kept:
            self._kept[question, limit] = self._ranker.rank(question, linking, limit)
        return self._kept[question, limit]


class Tests:
    """The test questions of a graph, grouped by file, with everything remembered that teaching does not change."""

    def __init__(self, container: Container, graph: str, groups: dict[str, list[dict[str, Any]]]) -> None:
        context = container.context(graph)
        self._groups = groups
        self._embedder = context.tools.embedder
        self._space = QuerySpace(context.tools.store, context.tools.schema)
        self._untaught = Remembered(container.untaught_ranker(graph))
        self._index = context.tools.index
        self._linking: dict[str, Linking] = {}
        self._answers: dict[str, list[str]] = {}

    def untaught(self) -> dict[str, Any]:
        return self._scores(self._untaught)

    def taught(self, lessons: Sequence[TrainingExample], encoders: Path | None) -> dict[str, Any]:
        """What was learned without an encoder; and with one tuned in `encoders`, where lessons suffice."""
        settled = preferred(lessons)
        patterns = patterns_of(settled)

        def scores(trained: Trained) -> dict[str, Any]:
            if not trained.held_back.better:
                return self._scores(self._untaught)
            chosen = trained.preference
            return self._scores(LearnedRanker(self._untaught, self._space, self._embedder, chosen, patterns))

        return {"patterns": len(patterns), **learned(with_rivals(settled), self._embedder, encoders, scores)}

    def _scores(self, ranker: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, rows in self._groups.items():
            scores, ms = [], []
            for row in rows:
                text = row["question"]
                if text not in self._linking:
                    self._linking[text] = find_mentions(text, self._index)
                if ranker is not self._untaught:  # what it was asked before costs nothing again
                    self._untaught.rank(text, self._linking[text])
                began = time.perf_counter()
                ranked = ranker.rank(text, self._linking[text])
                ms.append((time.perf_counter() - began) * 1000)
                scores.append(score(self._first(ranked), row["answers"]))
            found[name] = {
                "n": len(rows),
                "hits_at_1": round(fmean(s.hits_at_1 for s in scores), 4),
                "set_f1": round(fmean(s.set_f1 for s in scores), 4),
                "added_ms": round(sorted(ms)[len(ms) // 2], 1),
            }
        return found

    def _first(self, ranked: Sequence[RankedQuery]) -> list[str]:
        """The answers of the first query that has any, as they are put in order."""
        for item in ranked[:TRIED]:
            key = item.query.key()
            if key not in self._answers:
                self._answers[key] = [row.name for row in self._space.execute(item.query).rows]
            if self._answers[key]:
                return self._answers[key]
        return []


def learned(
    lessons: Sequence[TrainingExample],
    embedder: Embedder,
    encoders: Path | None,
    scores: Callable[[Trained], dict[str, Any]],
) -> dict[str, Any]:
    """What training gives, without and with a tuned encoder; a good query is asked for, as `clew teach` does."""
    usable = sum(lesson.found and lesson.quality > 0 for lesson in lessons)
    began, used = time.perf_counter(), time.process_time()
    trained = train(lessons, embedder)
    if trained is None:
        return {"used": False, "found": f"{usable}, fewer than {FEWEST}"}
    found = _figures(trained, began, used) | scores(trained)
    if encoders is None or usable < TUNED_FROM:
        return found
    began, used = time.perf_counter(), time.process_time()
    trained = train(lessons, embedder, tune=lambda part: MiniLM(tune(part, bundled_minilm(), encoders)))
    assert trained is not None
    assert trained.encoder is not None
    with_encoder = {"tried": asdict(trained.encoder), **_figures(trained, began, used)}
    return {**found, "with encoder": with_encoder | scores(trained)}


def _figures(trained: Trained, began: float, used: float) -> dict[str, Any]:
    return {
        "used": trained.held_back.better,
        "strength": trained.strength,
        "held_back": asdict(trained.held_back),
        "train_s": round(time.perf_counter() - began, 1),
        "train_cpu_s": round(time.process_time() - used, 1),
    }


def measure(
    container: Container, chosen: TaughtSet, sizes: Sequence[int], test: int, seed: int, encoders: Path | None
) -> dict[str, Any]:
    graph = _imported(container, chosen)
    teach, groups = _split(chosen, test, seed)
    tests = Tests(container, graph, groups)
    report: dict[str, Any] = {"untaught": tests.untaught(), "taught": {}}
    for size in _sizes(sizes, len(teach)):
        pairs = [Pair(row["question"], tuple(str(a) for a in row["answers"])) for row in teach[:size]]
        began = time.perf_counter()
        lessons = Teaching(container, graph).synthesise(pairs, threads=4)
        made = {
            "synthesis_s": round(time.perf_counter() - began, 1),
            "found": sum(lesson.found for lesson in lessons),
            "exact": sum(lesson.quality == 1 for lesson in lessons),
        }
        report["taught"][size] = {**made, **tests.taught(lessons, encoders)}
        print(chosen.name, size, json.dumps(report["taught"][size]), file=sys.stderr, flush=True)
    return report


class RememberedVectors:
    """Embeddings of all texts that were ever asked for."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: dict[str, Vectors] = {}

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if missing:
            self._kept.update(zip(missing, self._embedder.embed(missing), strict=True))
        return np.stack([self._kept[text] for text in texts])


def measure_given(
    path: Path, embedder: Embedder, sizes: Sequence[int], test: int, seed: int, encoders: Path | None
) -> dict[str, Any]:
    """Choosing among given candidate queries: the share with a right answer, and F1, of what is put first."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        lessons = [given_example(json.loads(line)) for line in lines]
    random.Random(seed).shuffle(lessons)
    tested = lessons[:test]
    asked = {lesson.question for lesson in tested}
    teach = [lesson for lesson in lessons[test:] if lesson.question not in asked]
    embedder = RememberedVectors(embedder)
    embedder.embed([r.option.masked for lesson in (*tested, *teach[: max(sizes)]) for r in lesson.rated])  # at once

    def scores(choose: Callable[[TrainingExample], int]) -> dict[str, float]:
        first = [lesson.rated[choose(lesson)] for lesson in tested]
        return {"hit": round(fmean(r.hits > 0 for r in first), 4), "f1": round(fmean(r.f1 for r in first), 4)}

    def best(lesson: TrainingExample, key: Callable[[Any], float]) -> int:
        return max(range(len(lesson.rated)), key=lambda i: key(lesson.rated[i]))

    report: dict[str, Any] = {
        "n": len(tested),
        "best possible": scores(lambda lesson: best(lesson, lambda r: r.f1)),
        "fewest results": scores(lambda lesson: best(lesson, lambda r: -r.total)),
        "untaught": scores(lambda lesson: best(lesson, lambda r: r.option.untaught)),
        "taught": {},
    }

    def taught(trained: Trained) -> dict[str, float]:
        def choose(lesson: TrainingExample) -> int:
            if not trained.held_back.better:
                return best(lesson, _untaught)
            return int(trained.preference.scores([r.option for r in lesson.rated], embedder).argmax())

        return scores(choose)

    for size in _sizes(sizes, len(teach)):
        report["taught"][size] = learned(preferred(teach[:size]), embedder, encoders, taught)
        print("stark", size, json.dumps(report["taught"][size]), file=sys.stderr, flush=True)
    return report


def _untaught(rated: Any) -> float:
    return float(rated.option.untaught)


def _sizes(sizes: Sequence[int], there: int) -> list[int]:
    """The sizes up to what there is, and all that there is in place of the first that is larger."""
    return sorted({min(size, there) for size in sizes})


def _split(chosen: TaughtSet, test: int, seed: int) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    """Rows to teach with, the files taking turns, and `test` rows of each file to test on."""
    teach: list[list[dict[str, Any]]] = []
    groups: dict[str, list[dict[str, Any]]] = {}
    for path in chosen.test:
        rows = _rows(path)
        random.Random(seed).shuffle(rows)
        groups[path.name.split(".jsonl")[0]] = rows[:test]
        if chosen.teach == chosen.test:
            tested = {row["question"] for row in rows[:test]}
            teach.append([row for row in rows[test:] if row["question"] not in tested])
    if chosen.teach != chosen.test:
        teach = [_rows(path) for path in chosen.teach]
        for rows in teach:
            random.Random(seed).shuffle(rows)
    return [row for turn in zip_longest(*teach) for row in turn if row is not None], groups


def _rows(path: Path) -> list[dict[str, Any]]:
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _imported(container: Container, chosen: TaughtSet) -> str:
    name = f"teaching-{chosen.name}"
    if not container.database.exists(name):
        load(container.database.open(name, create=True), chosen.graph, ImportOptions(container.folder(name) / "import"))
    return name


def main() -> None:
    arguments = _arguments()
    container = Container(load_settings(home=arguments.home), ProgressBars())
    stark = arguments.data / "stark-mag/queries.dev.jsonl.gz"
    sets = [s for s in known_sets(arguments.data) if arguments.only is None or s.name in arguments.only]
    there = [s for s in sets if all(p.exists() for p in (*s.graph, *s.teach, *s.test))]
    report: dict[str, Any] = {
        "command": " ".join(["python", "-m", "benchmarks.learning.teaching", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "left_out": [s.name for s in sets if s not in there],
    }
    for name, figures in _measured(container, there, arguments, stark):
        report[name] = figures
        if arguments.json:
            arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    container.close()
    print(json.dumps(report, indent=2))


def _measured(
    container: Container, sets: Sequence[TaughtSet], arguments: argparse.Namespace, stark: Path
) -> Iterator[tuple[str, dict[str, Any]]]:
    encoders = None if arguments.encoder == "frozen" else arguments.home / "encoders"
    for chosen in sets:
        yield chosen.name, measure(container, chosen, arguments.sizes, arguments.test, arguments.seed, encoders)
    if stark.exists() and (arguments.only is None or "stark" in arguments.only):
        sizes, test = arguments.sizes, 5 * arguments.test
        yield "stark", measure_given(stark, container.embedder, sizes, test, arguments.seed, encoders)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="20 test questions a set, taught with 30")
    parser.add_argument("--sizes", type=_numbers, default=list(SIZES), help="questions to teach with, as 30,100,300")
    parser.add_argument(
        "--test",
        type=int,
        default=160,
        help="test questions of a file; of STaRK-MAG, five times as many (default: %(default)s)",
    )
    parser.add_argument("--encoder", choices=("auto", "frozen"), default="auto", help="frozen: none is tuned")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=lambda text: text.split(","), metavar="A,B", help="sets, stark among them")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="default: %(default)s")
    home = Path.home() / ".cache/clew-benchmarks"
    parser.add_argument("--home", type=Path, default=home, help="where graphs are imported (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.sizes, arguments.test = [30], 20
    return arguments


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


if __name__ == "__main__":
    main()
