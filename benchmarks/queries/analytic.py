"""Analytic questions by construction: groups, first of each, periods, sets, totals, comparisons, over eight graphs.

Each of 94 kinds of question (`analytic_words/wordings.json`) is filled in from the words of a graph
(`analytic_words/vocabulary.toml`). Its answer is worked out in Python from the nodes and relationships, not by a query.
`--wordings` takes another file: that of `wordings_other.json` was written without a look at the reader. The reader was
developed on the graphs that are not `held_out`.

    python -m benchmarks.queries.analytic --home HOME --json analytic.json
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from benchmarks.queries.analytic_kinds import ID, Facts, drawn  # noqa: E402
from benchmarks.queries.reading import spelling  # noqa: E402
from clew.agents.answering.confidence import ENOUGH  # noqa: E402

FOLDER = HERE / "analytic_words"
_ROUNDED = 0.051
_MOST = 40
"""Questions with more answers than these are not asked: nobody would read them."""


@dataclass(frozen=True)
class Case:
    """A question and the sets of answers that count as right; of groups, a pair of name and number each."""

    graph: str
    kind: str
    question: str
    right: tuple[frozenset[Any], ...]
    order: tuple[str, ...] = ()


def cases(name: str, facts: Facts, wordings: dict[str, list[str]], each: int, seed: int) -> Iterator[Case]:
    """As many questions of each kind, with wordings in turn."""
    draws = random.Random(f"{name} {seed}")
    for kind, texts in wordings.items():
        found: set[str] = set()
        for _ in range(60):
            if len(found) == each:
                break
            case = drawn(facts, kind, draws)
            if case is None or not case[1] or not case[1][0] or len(case[1][0]) > _MOST:
                continue
            question = texts[(len(found) + seed) % len(texts)].format_map(case[0])
            if question not in found:
                found.add(question)
                yield Case(name, kind, question, tuple(case[1]), case[2])


def _spelt(value: Any) -> Any:
    return tuple(map(_spelt, value)) if isinstance(value, tuple) else spelling(str(value).partition(ID)[0])


def _number(text: str) -> float:
    try:
        return float(text.rstrip("% "))
    except ValueError:
        return -1.0


def right(case: Case, result: clew.Result) -> bool:
    """Whether the answers are one of the right sets, in the order that was asked for."""
    given = [(each.name, each.detail or "") for each in result.answers]
    if case.kind == "with_amounts":  # "price 12.5"
        given = [(name, detail.rpartition(" ")[2]) for name, detail in given]
    paired = any(isinstance(value, tuple) for value in case.right[0])
    found = {_spelt(pair) if paired else _spelt(pair[0]) for pair in given}
    if case.kind.startswith("percentage"):
        shares = {float(share) for each in case.right for share in each}
        return len(given) == 1 and any(abs(_number(given[0][0]) - share) <= _ROUNDED for share in shares)
    in_order = not case.order or [_spelt(name) for name, _ in given] == [_spelt(name) for name in case.order]
    return in_order and any(found == {_spelt(value) for value in each} for each in case.right)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="CLEW_HOME that has the graphs under their names", required=True)
    parser.add_argument("--graphs", nargs="+")
    parser.add_argument("--kinds", nargs="+")
    parser.add_argument("--wordings", type=Path, default=FOLDER / "wordings.json")
    parser.add_argument("--each", type=int, default=3, help="questions of each kind and graph")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print what is wrong")
    parser.add_argument("--json", type=Path, help="write the figures and every question here")
    args = parser.parse_args()
    vocabulary = tomllib.loads((FOLDER / "vocabulary.toml").read_text(encoding="utf-8"))
    wordings = json.loads(args.wordings.read_text(encoding="utf-8"))
    wordings = {kind: texts for kind, texts in wordings.items() if not args.kinds or kind in args.kinds}
    asked: list[dict[str, Any]] = []
    for name in args.graphs or vocabulary:
        graph = clew.connect(name, home=args.home)
        for case in cases(name, Facts(graph, vocabulary[name]), wordings, args.each, args.seed):
            result = graph.ask(case.question)
            item = {
                "graph": name,
                "kind": case.kind,
                "question": case.question,
                "right": right(case, result),
                "confidence": round(result.confidence, 3),
                "held_out": "held_out" in vocabulary[name],
                "reading": result.reading,
                "answers": [[x.name, x.detail] for x in result.answers[:20]],
                "gold": sorted(map(str, case.right[0]))[:20],
            }
            asked.append(item)
            if args.show and not item["right"]:
                print(f"{name} {case.kind}: {case.question}\n    {item['confidence']} {result.reading}\n"
                      f"    {item['answers'][:4]} gold {item['gold'][:4]}", flush=True)  # fmt: skip
    _print(asked)
    if args.json:
        args.json.write_text(json.dumps(asked, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _print(asked: list[dict[str, Any]]) -> None:
    for title, part in (
        ("all", asked),
        *((graph, [x for x in asked if x["graph"] == graph]) for graph in dict.fromkeys(x["graph"] for x in asked)),
        *((kind, [x for x in asked if x["kind"] == kind]) for kind in dict.fromkeys(x["kind"] for x in asked)),
    ):
        sure = [x for x in part if x["confidence"] >= ENOUGH and x["answers"]]
        exact = sum(x["right"] for x in part) / max(1, len(part))
        print(f"{title:16} {len(part):4} exact {exact:.3f}  answered {len(sure) / max(1, len(part)):.3f}"
              f"  precision {sum(x['right'] for x in sure) / max(1, len(sure)):.3f}")  # fmt: skip


if __name__ == "__main__":
    main()
