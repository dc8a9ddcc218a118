"""Analytic questions by construction: groups, first of each, periods, sets, totals, comparisons, over eight graphs.

Each of 40 kinds of question (`analytic_words/wordings.json`) is filled in from the words of a graph
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
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from benchmarks.queries.reading import spelling  # noqa: E402
from clew.agents.answering.confidence import ENOUGH  # noqa: E402

FOLDER = HERE / "analytic_words"
_ID = "\x1f"
_ROUNDED = 0.051
_DIGITS = 6
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


class Facts:
    """The nodes of a graph, and whose ends each way of speaking of a relationship has."""

    def __init__(self, graph: clew.Graph, words: dict[str, Any]) -> None:
        self.words = words
        self.nodes: dict[str, dict[str, dict[str, Any]]] = {}
        """By kind and key: the name, and the id behind it where several nodes have the name."""
        for kind in words["kinds"]:
            rows = graph.query(f"MATCH (n:{kind}) RETURN n.name AS name, properties(n) AS p", limit=5000).rows
            times = Counter(row["name"] for row in rows)
            keys = (row["name"] if times[row["name"]] == 1 else row["name"] + _ID + row["p"]["nodeId"] for row in rows)
            self.nodes[kind] = {key: row["p"] for key, row in zip(keys, rows, strict=True)}
        self.ends: list[dict[str, set[str]]] = []
        self.alone: list[bool] = []
        """Whether nothing else relates the two kinds, so that "players per city" has one meaning."""
        for a, path, b, *_ in words["links"]:
            query = f"MATCH (a:{a}){path}(b:{b}) RETURN a.nodeId AS a, b.nodeId AS b"
            rows = graph.query(query, limit=100_000).rows
            between = {r.type for r in graph.schema().relations if {r.source, r.target} == {a, b}}
            self.alone.append(len(between) == 1)
            ends: dict[str, set[str]] = defaultdict(set)
            of_a, of_b = ({p["nodeId"]: key for key, p in self.nodes[kind].items()} for kind in (a, b))
            for row in rows:
                ends[of_b[row["b"]]].add(of_a[row["a"]])
            self.ends.append(ends)

    def amounts(self, kind: str, name: str) -> dict[str, float]:
        """The amount of every node that has one."""
        return {node: float(p[name]) for node, p in self.nodes[kind].items() if isinstance(p.get(name), int | float)}

    def years(self, kind: str, name: str) -> dict[str, int]:
        """The year of every node that has one."""
        return {node: int(str(p[name])[:4]) for node, p in self.nodes[kind].items() if p.get(name) is not None}

    def said(self, link: int) -> dict[str, str]:
        """The words of both ends of a way of speaking."""
        a, _, b, of, *role = self.words["links"][link]
        one, many = role or self.words["kinds"][b]
        return {"a": self.words["kinds"][a][0], "as": self.words["kinds"][a][1], "b": one, "bs": many, "of": of}


OF_ONE = ("either", "not_of", "both", "count_of", "percentage", "best_in", "average_in", "sum_in", "sorted")
"""The kinds that name one end and say how it is related."""
OF_AMOUNTS = (
    "average_each", "best_average", "sum_each", "best_sum", "best_in", "average_in", "sum_in", "first_each", "sorted",
    "average_above", "total_above", "median_each", "total_top",
)  # fmt: skip
"""Those about the amounts of the members of groups …"""
WORKED_OUT: dict[str, Callable[[Any], float]] = {
    "average_each": fmean, "best_average": fmean, "average_above": fmean, "median_each": median,
    "sum_each": sum, "best_sum": sum, "total_above": sum, "total_top": sum,
}  # fmt: skip
"""… and how those of a group become one."""
Drawn = tuple[dict[str, Any], list[frozenset[Any]], tuple[str, ...]]


def drawn(facts: Facts, kind: str, draws: random.Random) -> Drawn | None:
    """The slots of one question of a kind and its right answers, or None: what was drawn fits no question."""
    words = facts.words
    if kind in ("by_value", "most_common"):
        return _of_values(facts, kind, draws) if words["values"] else None
    if kind in ("per_year", "best_year", "in_year", "between_years", "latest"):
        return _of_years(facts, kind, draws) if words["dates"] else None
    if kind in ("top", "lowest", "second", "above_average", "more_than_one", "difference", "range"):
        return _of_amounts(facts, kind, draws)
    link = draws.randrange(len(words["links"]))
    has_role = len(words["links"][link]) > 4
    if not (has_role or facts.alone[link] or kind in OF_ONE):
        return None
    a, b = words["links"][link][0], words["links"][link][2]
    ends = {x: members & facts.nodes[a].keys() for x, members in facts.ends[link].items() if x in facts.nodes[b]}
    ends = {x: members for x, members in ends.items() if members}
    if len(ends) < 3:
        return None
    slots: dict[str, Any] = facts.said(link)
    if kind in OF_AMOUNTS:
        added = "sum" in kind or "total" in kind
        of_a = [each for each in words["amounts"] if each[0] == a and (each[3] or not added)]
        if not of_a:
            return None
        _, name, slots["p"], _ = draws.choice(of_a)
        return _of_amounts_in_groups(kind, draws, slots, ends, facts.amounts(a, name))
    return _of_groups(
        facts, kind, draws, slots, ends, set(facts.nodes[a]), set() if has_role else facts.nodes[b].keys() - ends.keys()
    )


def _of_groups(
    facts: Facts,
    kind: str,
    draws: random.Random,
    slots: dict[str, Any],
    ends: dict[str, set[str]],
    every: set[str],
    none: Any,
) -> Drawn | None:
    counts = {x: len(members) for x, members in ends.items()}
    if kind == "count_each":
        with_none = counts | dict.fromkeys(none, 0)
        return slots, [_pairs(counts), _pairs(with_none)], ()
    if kind == "most":
        return slots, [frozenset({best})] if (best := _only_first(counts)) else [], ()
    if kind == "top_groups":
        slots["n"] = draws.choice((2, 3, 4))
        return slots, [frozenset(top)] if (top := _first(counts, slots["n"])) else [], ()
    if kind == "fewest":
        least = min(counts.values())
        return slots, [frozenset(none or [x for x, n in counts.items() if n == least])], ()
    if kind == "more_than":
        slots["n"] = draws.choice(sorted(counts.values()))
        return slots, [frozenset(x for x, n in counts.items() if n > slots["n"])], ()
    if kind == "none":
        return slots, [frozenset(none)], ()
    if kind == "more_than_average":
        averages = fmean(counts.values()), sum(counts.values()) / (len(counts) + len(none))
        return slots, [frozenset(x for x, n in counts.items() if n > average) for average in averages], ()
    slots["x"], slots["y"] = draws.sample(_unique(ends), 2)
    x, y = ends[slots["x"]], ends[slots["y"]]
    if kind == "percentage":
        return slots, [frozenset({str(100 * len(x) / len(every))})], ()
    if kind == "which_more":
        return slots, [frozenset({slots["x"] if len(x) > len(y) else slots["y"]})] if len(x) != len(y) else [], ()
    if kind == "count_of":
        return slots, [frozenset({str(len(x))})], ()
    return slots, [frozenset({"either": x | y, "not_of": every - x, "both": x & y}[kind])], ()


def _of_amounts_in_groups(
    kind: str, draws: random.Random, slots: dict[str, Any], ends: dict[str, set[str]], amounts: dict[str, float]
) -> Drawn | None:
    of_each = {x: {a: amounts[a] for a in members if a in amounts} for x, members in ends.items()}
    of_each = {x: having for x, having in of_each.items() if having}
    if kind in WORKED_OUT:
        work_out: Callable[[Any], float] = WORKED_OUT[kind]
        worked_out = {x: work_out(having.values()) for x, having in of_each.items()}
        if kind.endswith("each"):
            return slots, [_pairs(worked_out)], ()
        if kind.endswith("above"):
            if len(worked_out) < 2:
                return None
            slots["n"] = round(draws.choice(sorted(worked_out.values())[:-1]))
            return slots, [frozenset(x for x, n in worked_out.items() if n > slots["n"])], ()
        if kind == "total_top":
            slots["n"] = draws.choice((2, 3, 4))
            return slots, [frozenset(top)] if (top := _first(worked_out, slots["n"])) else [], ()
        return slots, [frozenset({best})] if (best := _only_first(worked_out)) else [], ()
    if kind == "first_each":
        firsts = {_only_first(having) for having in of_each.values()}
        return slots, [] if None in firsts else [frozenset(firsts)], ()
    several = _unique(x for x, having in of_each.items() if len(having) > 1)
    if not several:
        return None
    slots["x"] = draws.choice(several)
    having = of_each[slots["x"]]
    if kind == "best_in":
        return slots, [frozenset({best})] if (best := _only_first(having)) else [], ()
    if kind == "sorted":
        order = sorted(having, key=lambda a: -having[a])
        unclear = len(set(having.values())) < len(having) or having.keys() != ends[slots["x"]]
        return slots, [] if unclear else [frozenset(order)], tuple(order)
    return slots, [frozenset({str((fmean if kind == "average_in" else sum)(having.values()))})], ()


def _of_amounts(facts: Facts, kind: str, draws: random.Random) -> Drawn | None:
    a, name, p, _ = draws.choice(facts.words["amounts"])
    slots: dict[str, Any] = {"a": facts.words["kinds"][a][0], "as": facts.words["kinds"][a][1], "p": p}
    amounts = facts.amounts(a, name)
    if kind == "top":
        slots["n"] = draws.choice((3, 4, 5))
        return slots, [frozenset(top)] if (top := _first(amounts, slots["n"])) else [], ()
    if kind == "lowest":
        return slots, [frozenset({low})] if (low := _only_first({a: -n for a, n in amounts.items()})) else [], ()
    if kind == "second":
        two, three = _first(amounts, 2), _first(amounts, 3)
        first = _only_first(amounts)
        return slots, [frozenset(set(two) - {first})] if first and two and three else [], ()
    if kind == "above_average":
        return slots, [frozenset(x for x, n in amounts.items() if n > fmean(amounts.values()))], ()
    if kind == "range":
        slots["n"], slots["m"] = sorted(round(n) for n in draws.sample(sorted(amounts.values()), 2))
        return slots, [frozenset(x for x, n in amounts.items() if slots["n"] <= n <= slots["m"])], ()
    slots["s"], slots["t"] = draws.sample(_unique(amounts), 2)
    if any(letter.isdigit() for letter in slots["s"] + slots["t"]):
        return None
    gap = amounts[slots["s"]] - amounts[slots["t"]]
    if kind == "difference":
        return slots, [frozenset({str(gap)}), frozenset({str(-gap)})] if gap > 0 else [], ()
    return slots, [frozenset(x for x, n in amounts.items() if n > amounts[slots["s"]])], ()


def _of_years(facts: Facts, kind: str, draws: random.Random) -> Drawn | None:
    a, name, verb = draws.choice(facts.words["dates"])
    slots: dict[str, Any] = {"a": facts.words["kinds"][a][0], "as": facts.words["kinds"][a][1], "verb": verb}
    years = facts.years(a, name)
    counts = Counter(years.values())
    if kind == "per_year":
        return slots, [_pairs({str(year): n for year, n in counts.items()})], ()
    if kind == "best_year":
        return slots, [frozenset({str(best)})] if (best := _only_first(counts)) else [], ()
    if kind == "latest":
        dates = {x: str(p[name]) for x, p in facts.nodes[a].items() if p.get(name) is not None}
        last = [x for x, date in dates.items() if date == max(dates.values())]
        return slots, [frozenset(last)] if len(last) == 1 else [], ()
    slots["year"] = draws.choice(sorted(counts))
    if kind == "in_year":
        return slots, [frozenset({str(counts[slots["year"]])})], ()
    slots["year2"] = slots["year"] + draws.choice((1, 2, 3))
    return slots, [frozenset(x for x, year in years.items() if slots["year"] <= year <= slots["year2"])], ()


def _of_values(facts: Facts, kind: str, draws: random.Random) -> Drawn | None:
    a, name, v = draws.choice(facts.words["values"])
    counts = Counter(str(p[name]) for p in facts.nodes[a].values() if p.get(name) is not None)
    slots = {"a": facts.words["kinds"][a][0], "as": facts.words["kinds"][a][1], "v": v}
    if kind == "by_value":
        return slots, [_pairs(counts)], ()
    return slots, [frozenset({best})] if (best := _only_first(counts)) else [], ()


def _unique(keys: Iterable[str]) -> list[str]:
    """The keys that are names of one node."""
    return sorted(key for key in keys if _ID not in key)


def _pairs(numbers: Any) -> frozenset[tuple[str, str]]:
    return frozenset((str(name), str(round(number, _DIGITS))) for name, number in numbers.items())


def _first(numbers: Any, n: int) -> list[Any]:
    """The n with the highest numbers, or none if the n-th is no higher than the next one."""
    order = sorted(numbers, key=lambda x: -numbers[x])
    return order[:n] if len(order) > n and numbers[order[n - 1]] > numbers[order[n]] else []


def _only_first(numbers: Any) -> Any:
    order = sorted(numbers, key=lambda x: -numbers[x])
    alone = len(order) == 1 or (order and numbers[order[0]] > numbers[order[1]])
    return order[0] if alone else None


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
    return tuple(map(_spelt, value)) if isinstance(value, tuple) else spelling(str(value).partition(_ID)[0])


def _number(text: str) -> float:
    try:
        return float(text.rstrip("% "))
    except ValueError:
        return -1.0


def right(case: Case, result: clew.Result) -> bool:
    """Whether the answers are one of the right sets, in the order that was asked for."""
    given = [(each.name, each.detail or "") for each in result.answers]
    paired = any(isinstance(value, tuple) for value in case.right[0])
    found = {_spelt(pair) if paired else _spelt(pair[0]) for pair in given}
    if case.kind == "percentage":
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
