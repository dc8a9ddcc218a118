"""Questions in people's own words, by the default command: exact answers, precision, calibration, latency.

The sets: geography (Geo880 over the GeoQuery database, 618 questions), its 45 questions with words that the graph's
glosses define ("defined"), transfer (220), demo (76), and forty-one graphs, from the hospital to the rowing club,
whose 100 to 160 questions each were written before the reader was run on them. A question counts as right
if the set of answers equals the gold set; for a question that the graph cannot answer, if nothing is answered at or
above the threshold. Precision is the share of right ones among those answered at or above the threshold.

    python -m benchmarks.queries.reading --data ../shared/data --json reading.json
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from clew.agents.answering.confidence import ENOUGH  # noqa: E402
from clew.app.evaluation.evaluation import folded, percentile  # noqa: E402

SETS = (
    "geography",
    "defined",
    "transfer",
    "demo",
    "hospital",
    "tracker",
    "shipping",
    "university",
    "football",
    "kitchen",
    "museum",
    "airline",
    "farm",
    "festival",
    "court",
    "utility",
    "hotel",
    "gym",
    "podcast",
    "vet",
    "library",
    "garage",
    "theatre",
    "citybus",
    "lawfirm",
    "wineimport",
    "assembly",
    "beeclub",
    "brewery",
    "climbing",
    "filmfest",
    "itservices",
    "orchestra",
    "recycling",
    "hostels",
    "seedbank",
    "television",
    "lettings",
    "school",
    "dentist",
    "solar",
    "novels",
    "opera",
    "charity",
    "rowing",
)
DEFINITIONS = {
    "major city": "a City with population > 150000",
    "major river": "a River with length > 750",
    "major lake": "a Lake with area > 750",
}
"""What the questions of "defined" mean by these words, as their gold queries have it."""
_BINS = 10
_DRAWS = 100


@dataclass(frozen=True)
class Asked:
    """One question with what came of it."""

    question: str
    kind: str
    right: bool
    answered: bool
    confidence: float
    ms: float
    answers: list[str]
    cypher: str | None
    told: bool
    """Whether it was told that the graph does not have something that the question names."""
    offered: bool
    """Whether the answer is not sure, and another reading that is offered gives the gold answers."""


def files_of(name: str, data: Path) -> tuple[list[Path], Path]:
    """The files to import and the questions of a set."""
    if name == "geography":
        return sorted((data / name).glob("*.csv")), data / name / "questions.jsonl"
    if name == "defined":
        return sorted((data / "geography").glob("*.csv")), data / "geography" / "questions-defined.jsonl"
    if name == "demo":
        return sorted((HERE.parents[1] / "demo" / "graph").glob("*")), HERE.parents[1] / "demo" / "questions.jsonl"
    folder = HERE / name
    return sorted(folder.glob("csv/*.csv")) or sorted(folder.glob("*.csv")), folder / "questions.jsonl"


def spelling(answer: str) -> str:
    """One spelling for names that differ in case, and for numbers that differ behind the second decimal."""
    try:
        return f"{round(float(answer), 2):.4g}"
    except ValueError:
        return folded(answer)


def ask(graph: clew.Graph, entry: dict[str, Any], threshold: float) -> Asked:
    started = time.perf_counter()
    result = graph.ask(entry["question"])
    ms = (time.perf_counter() - started) * 1000
    names = list(dict.fromkeys(answer.name for answer in result.answers))
    answered = bool(names) and result.confidence >= threshold
    gold = gold_of(entry)
    right = {spelling(name) for name in names} == gold if gold else not answered
    if numbers := numbers_of(entry):
        right = right and {(spelling(each.name), spelling(each.detail)) for each in result.answers} == numbers
    kind = str(entry.get("kind") or entry.get("type") or "")
    others = () if result.sure else result.readings[1:]
    offered = any(_gives(each, gold) for each in others)
    told = bool(result.unmatched)
    return Asked(
        entry["question"], kind, right, answered, result.confidence, ms, names[:20], result.cypher, told, offered
    )


def gold_of(entry: dict[str, Any]) -> set[str]:
    """The answers of a question; of numbers for each of several those that have one."""
    numbers = numbers_of(entry)
    return {name for name, _ in numbers} if numbers else {spelling(str(answer)) for answer in entry["answers"]}


def numbers_of(entry: dict[str, Any]) -> set[tuple[str, str]]:
    """The number for each of several, where a question asks for them and its answers have both."""
    rows = entry.get("rows") or []
    told = rows and len(rows[0]) > 1 and len(entry["answers"]) > len(rows)
    return {(spelling(str(name)), spelling(str(number))) for name, number, *_ in rows} if told else set()


def _gives(reading: Any, gold: set[str]) -> bool:
    """Whether an offered reading has as many answers as there are, and the first ones are right."""
    return reading.count == len(gold) and {spelling(answer) for answer in reading.answers or ()} <= gold


def calibration_error(asked: list[Asked]) -> float:
    """The expected calibration error of the answered questions, in ten bins of equal width."""
    bins = defaultdict(list)
    for each in asked:
        bins[min(_BINS - 1, int(each.confidence * _BINS))].append(each)
    gaps = [abs(sum(e.right - e.confidence for e in part)) for part in bins.values()]
    return sum(gaps) / max(1, len(asked))


def error_by_chance(asked: list[Asked]) -> float:
    """The calibration error, on average, if every answer were right with exactly its confidence: of few questions it is
    far from 0."""
    draws = random.Random(0)
    drawn = ([replace(each, right=draws.random() < each.confidence) for each in asked] for _ in range(_DRAWS))
    return statistics.fmean(map(calibration_error, drawn))


def summary(asked: list[Asked]) -> dict[str, Any]:
    answered = [each for each in asked if each.answered]
    without = [each for each in asked if each.kind == "unanswerable"]
    kinds = defaultdict(list)
    for each in asked:
        kinds[each.kind].append(each.right)
    times = [each.ms for each in asked]
    with_answers = [each for each in asked if each.answers]
    return {
        "n": len(asked),
        "exact": round(sum(each.right for each in asked) / len(asked), 4),
        "answered": round(len(answered) / len(asked), 4),
        "precision": round(sum(each.right for each in answered) / max(1, len(answered)), 4),
        "told": f"{sum(each.told for each in without)}/{len(without)} without an answer, "
        f"{sum(each.told for each in asked if each not in without)}/{len(asked) - len(without)} others",
        "right_reading_offered": sum(each.offered for each in asked),
        "calibration_error": round(calibration_error(with_answers), 4),
        "calibration_error_by_chance": round(error_by_chance(with_answers), 4),
        "ms_p50": round(percentile(times, 0.5), 1),
        "ms_p95": round(percentile(times, 0.95), 1),
        "by_kind": {kind: f"{sum(right)}/{len(right)}" for kind, right in sorted(kinds.items())},
    }


def undefined(graph: clew.Graph, entries: list[dict[str, Any]], threshold: float) -> dict[str, Any]:
    """The share of right answers without definitions, which are then added to the graph's glosses."""
    for each in graph.definitions():
        if each.phrase in DEFINITIONS:
            graph.undefine(each.phrase)
    asked = [ask(graph, entry, threshold) for entry in entries]
    for phrase, meaning in DEFINITIONS.items():
        graph.define(phrase, meaning)
    return {"exact_without_definitions": summary(asked)["exact"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the development data")
    parser.add_argument("--home", type=Path, help="CLEW_HOME to use; a temporary one without it")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--threshold", type=float, default=ENOUGH, help="confidence from which on an answer counts")
    parser.add_argument("--quick", action="store_true", help="20 questions of each set")
    parser.add_argument("--json", type=Path, help="write the figures and every question here")
    args = parser.parse_args()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in args.sets:
            imported, questions = files_of(name, args.data)
            graph = clew.connect(name, home=args.home or folder)
            graph.import_files(*imported)
            lines = questions.read_text(encoding="utf-8").splitlines()
            entries = [json.loads(line) for line in (lines[:20] if args.quick else lines)]
            without = undefined(graph, entries, args.threshold) if name == "defined" else {}
            asked = [ask(graph, entry, args.threshold) for entry in entries]
            found[name] = {**summary(asked), **without, "questions": [asdict(each) for each in asked]}
            print(name, json.dumps({k: v for k, v in found[name].items() if k != "questions"}, indent=1), flush=True)
    every = [Asked(**each) for figures in found.values() for each in figures["questions"]]
    together = {key: value for key, value in summary(every).items() if key != "by_kind"}
    print("all questions together", json.dumps(together, indent=1))
    found["together"] = together
    if args.json:
        args.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
