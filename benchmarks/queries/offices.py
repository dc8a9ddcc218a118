"""What people ask of the tables of their office, by the default command: exact answers, precision, latency.

Forty-two offices, each a folder of CSV files, with 50 to 70 questions of owners, clerks and analysts (the columns of
the last twenty-two are well named). Their writers saw no reader. `import_files` makes the graph of the folder,
without a model or an edited plan. Rows ("sales by month", "the name and the city of …") count as right if there are as
many, each with all its values.

    python -m benchmarks.queries.offices --json offices.json
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from benchmarks.queries.reading import Asked, spelling, summary  # noqa: E402
from clew.agents.answering.confidence import ENOUGH  # noqa: E402
from clew.app.evaluation.evaluation import folded  # noqa: E402

OFFICES = (
    "payroll", "bookings", "bikeshop", "repairs", "wholesale", "fleet", "clinic", "eventhire", "bakery", "tutoring",
    "gymchain", "callcentre", "logistics", "estateagency", "regionalmuseum", "musicschool", "recruiter", "vineyard",
    "vetsurgery", "marina", "bookshop", "cyclehire", "scholar", "cinema", "eatery", "hiring", "campus", "tunes",
    "zoo", "parcels", "observatory", "council", "publisher", "trains", "shelter", "esports", "chess", "port", "lab",
    "peloton", "market", "nursery",
)  # fmt: skip
_MONTH = re.compile(r"(\d{4})-(\d\d)")


def ask(graph: clew.Graph, entry: dict[str, Any]) -> Asked:
    started = time.perf_counter()
    result = graph.ask(entry["question"])
    ms = (time.perf_counter() - started) * 1000
    names = list(dict.fromkeys(answer.name for answer in result.answers))
    answered = bool(names) and result.confidence >= ENOUGH
    right = is_exact(result, entry["answers"]) if entry["answers"] else not answered
    return Asked(
        entry["question"], entry["kind"], right, answered, result.confidence, ms, names[:20], result.cypher,
        bool(result.unmatched), offered=False,
    )  # fmt: skip


def is_exact(result: clew.Answer, gold: Sequence[Any]) -> bool:
    """Whether a result has exactly these answers: names, or rows of values."""
    if gold and isinstance(gold[0], list):
        numbered = all(str(row[0]).isdecimal() and int(row[0]) <= 12 for row in gold)
        told = [_told(each, numbered) for each in result.answers]
        return len(told) == len(gold) and all(any(_has(each, row) for each in told) for row in gold)
    return {spelling(each.name) for each in result.answers} == {spelling(str(each)) for each in gold}


def _told(answer: clew.Answer, numbered: bool) -> list[str]:
    """The name of an answer and what stands beside it ("rating 4, seats 60"); a month by its number, if the right
    answers number the months of one year."""
    month = _MONTH.fullmatch(answer.name) if numbered else None
    name = str(int(month[2])) if month is not None else answer.name
    return [spelling(name), spelling(answer.detail), f" {folded(answer.detail)},"]


def _has(told: Sequence[str], row: Sequence[Any]) -> bool:
    """Whether an answer tells every value of a row, in whatever order."""
    name, detail, listed = told
    return all(spelling(str(v)) in (name, detail) or f" {folded(str(v))}," in listed for v in row)


def main() -> None:
    run("offices", OFFICES, lambda folder: [folder / "csv"], __doc__)


def run(
    kind: str,
    names: Sequence[str],
    files: Callable[[Path], Iterable[Path]],
    description: str | None,
    held: Sequence[str] = (),
) -> None:
    """Ask the questions of the folders `names` in the folder `kind`.

    Args:
        kind: The folder beside this file, and the option that chooses some of the names.
        names: The folders in it, each with its questions.
        files: What is imported of a folder.
        description: What `--help` says.
        held: The folders whose errors nobody used to mend the reader; `--held` asks only these.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="CLEW_HOME to use; a temporary one without it")
    parser.add_argument(f"--{kind}", nargs="+", choices=names, default=list(names), dest="names")
    if held:
        parser.add_argument("--held", action="store_const", const=list(held), dest="names", help="the held-back ones")
    parser.add_argument("--json", type=Path, help="write the figures and every question here")
    args = parser.parse_args()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for name in args.names:
            folder = HERE / kind / name
            graph = clew.connect(name, home=args.home or temporary)
            graph.import_files(*files(folder))
            lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
            asked = [ask(graph, json.loads(line)) for line in lines]
            found[name] = {**summary(asked), "questions": [asdict(each) for each in asked]}
            print(name, json.dumps({k: v for k, v in found[name].items() if k != "questions"}, indent=1), flush=True)
    every = [Asked(**each) for figures in found.values() for each in figures["questions"]]
    found["together"] = {key: value for key, value in summary(every).items() if key != "by_kind"}
    print("all questions together", json.dumps(found["together"], indent=1))
    if args.json:
        args.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
