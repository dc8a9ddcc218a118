"""The kinds of analytic questions: what is drawn for the slots of one, and its right answers."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from operator import eq, ge, gt, lt
from statistics import fmean, median
from typing import Any

import clew

ID = "\x1f"
"""Between a name that several nodes have and the id of one."""
_DIGITS = 6
_MONTH = 7
"""Characters of a date that say its month."""


class Facts:
    """The nodes of a graph, and whose ends each way of speaking of a relationship has."""

    def __init__(self, graph: clew.Graph, words: dict[str, Any]) -> None:
        self.words = words
        self.nodes: dict[str, dict[str, dict[str, Any]]] = {}
        """By kind and key: the name, and the id behind it where several nodes have the name."""
        for kind in words["kinds"]:
            rows = graph.query(f"MATCH (n:{kind}) RETURN n.name AS name, properties(n) AS p", limit=5000).rows
            times = Counter(row["name"] for row in rows)
            keys = (row["name"] if times[row["name"]] == 1 else row["name"] + ID + row["p"]["nodeId"] for row in rows)
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


OF_ONE = (
    "either", "not_of", "both", "count_of", "percentage", "best_in", "average_in", "sum_in", "sorted", "any_of",
    "list_of", "top_in", "lowest_in", "above_in", "count_above_in", "latest_in", "earliest_in",
)  # fmt: skip
"""The kinds that name one end and say how it is related."""
OF_AMOUNTS = (
    "average_each", "best_average", "sum_each", "best_sum", "best_in", "average_in", "sum_in", "first_each", "sorted",
    "average_above", "total_above", "median_each", "total_top", "top_each", "worst_average", "worst_sum", "top_in",
    "lowest_in", "above_in", "count_above_in",
)  # fmt: skip
"""Those about the amounts of the members of groups."""
OF_VALUES = (
    "by_value", "most_common", "with_value", "count_with_value", "percentage_with_value", "average_by_value",
    "sum_by_value", "same_as", "not_value", "best_average_by_value", "average_with_value", "sum_with_value",
)  # fmt: skip
OF_YEARS = (
    "per_year", "best_year", "in_year", "between_years", "latest", "earliest", "after_year", "before_year",
    "average_per_year", "sum_per_year", "latest_n", "earliest_n", "per_month", "count_after_year", "count_before_year",
)  # fmt: skip
OF_ALL_AMOUNTS = (
    "top", "lowest", "second", "above_average", "more_than_one", "difference", "range", "average_all", "sum_all",
    "count_all", "highest_value", "lowest_value", "above", "below", "count_above", "bottom", "highest", "higher_of",
    "amount_of", "with_amounts", "sorted_all", "lower_of", "list_all",
)  # fmt: skip
WORKED_OUT: dict[str, Callable[[Any], float]] = {
    "average_each": fmean, "best_average": fmean, "average_above": fmean, "median_each": median,
    "sum_each": sum, "best_sum": sum, "total_above": sum, "total_top": sum, "worst_average": fmean, "worst_sum": sum,
}  # fmt: skip
"""How the amounts of a group become one number."""
COMPARED: dict[str, Callable[[float, float], bool]] = {
    "more_than": gt, "at_least": ge, "fewer_than": lt, "exactly": eq, "above": gt, "below": lt, "count_above": gt,
    "count_more_than": gt,
}  # fmt: skip
"""How numbers are compared with the one that a question names."""
_MOST_GROUPS = 15
Drawn = tuple[dict[str, Any], list[frozenset[Any]], tuple[str, ...]]


def drawn(facts: Facts, kind: str, draws: random.Random) -> Drawn | None:
    """The slots of one question of a kind and its right answers, or None: what was drawn fits no question."""
    words = facts.words
    if kind in OF_VALUES:
        return _of_values(facts, kind, draws) if words["values"] else None
    if kind in OF_YEARS:
        return _of_years(facts, kind, draws) if words["dates"] else None
    if kind in OF_ALL_AMOUNTS:
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
        amounts = _amount_of(facts, a, slots, draws, added=added)
        return None if amounts is None else _of_amounts_in_groups(kind, draws, slots, ends, amounts)
    return _of_groups(facts, kind, draws, slots, ends, a, set() if has_role else facts.nodes[b].keys() - ends.keys())


def _of_groups(
    facts: Facts,
    kind: str,
    draws: random.Random,
    slots: dict[str, Any],
    ends: dict[str, set[str]],
    a: str,
    none: Any,
) -> Drawn | None:
    every = set(facts.nodes[a])
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
    if kind == "count_none":
        return slots, [_number_of(none)] if none else [], ()
    if kind in ("more_than", "at_least", "fewer_than", "exactly", "count_more_than"):
        with_none = counts | dict.fromkeys(none, 0)
        slots["n"] = draws.choice(sorted(counts.values()))
        found = frozenset(x for x, n in with_none.items() if COMPARED[kind](n, slots["n"]))
        return slots, [_number_of(found) if kind == "count_more_than" else found], ()
    if kind == "bottom_groups":
        slots["n"] = draws.choice((2, 3, 4))
        fewest = {x: -n for x, n in (counts | dict.fromkeys(none, 0)).items()}
        return slots, [frozenset(last)] if (last := _first(fewest, slots["n"])) else [], ()
    if kind == "none":
        return slots, [frozenset(none)], ()
    if kind == "more_than_average":
        averages = fmean(counts.values()), sum(counts.values()) / (len(counts) + len(none))
        return slots, [frozenset(x for x, n in counts.items() if n > average) for average in averages], ()
    slots["x"], slots["y"] = draws.sample(_unique(ends), 2)
    x, y = ends[slots["x"]], ends[slots["y"]]
    if kind == "percentage":
        return slots, [frozenset({str(100 * len(x) / len(every))})], ()
    if kind in ("which_more", "which_fewer"):
        first = (len(x) > len(y)) == (kind == "which_more")
        return slots, [frozenset({slots["x"] if first else slots["y"]})] if len(x) != len(y) else [], ()
    if kind == "list_of":
        return slots, [frozenset(x)], ()
    if kind in ("latest_in", "earliest_in"):
        dated = [each for each in facts.words["dates"] if each[0] == a]
        if not dated:
            return None
        _, name, slots["verb"] = draws.choice(dated)
        dates = {each: str(facts.nodes[a][each][name]) for each in x if facts.nodes[a][each].get(name) is not None}
        return slots, [_at_the_end(dates, latest=kind == "latest_in")] if len(dates) > 1 else [], ()
    if kind == "count_of":
        return slots, [_number_of(x)], ()
    if kind == "any_of":
        return slots, [frozenset({"yes"})], ()
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
        if kind.startswith("worst"):
            worked_out = {x: -n for x, n in worked_out.items()}
        return slots, [frozenset({best})] if (best := _only_first(worked_out)) else [], ()
    if kind == "top_each":
        slots["n"] = 2
        firsts = [having if len(having) <= 2 else dict.fromkeys(_first(having, 2)) for having in of_each.values()]
        clear = all(firsts) and len(of_each) <= _MOST_GROUPS
        return slots, [frozenset(a for each in firsts for a in each)] if clear else [], ()
    if kind == "first_each":
        firsts = {_only_first(having) for having in of_each.values()}
        return slots, [] if None in firsts else [frozenset(firsts)], ()
    several = _unique(x for x, having in of_each.items() if len(having) > 1)
    if not several:
        return None
    slots["x"] = draws.choice(several)
    having = of_each[slots["x"]]
    if kind == "top_in":
        slots["n"] = 2
        return slots, [frozenset(top)] if (top := _first(having, 2)) else [], ()
    if kind in ("above_in", "count_above_in"):
        slots["n"] = round(draws.choice(sorted(having.values())[:-1]))
        found = frozenset(a for a, n in having.items() if n > slots["n"])
        return slots, [_number_of(found) if kind == "count_above_in" else found] if found else [], ()
    if kind == "lowest_in":
        having = {a: -n for a, n in having.items()}
    if kind in ("best_in", "lowest_in"):
        return slots, [frozenset({best})] if (best := _only_first(having)) else [], ()
    if kind == "sorted":
        order = sorted(having, key=lambda a: -having[a])
        unclear = len(set(having.values())) < len(having) or having.keys() != ends[slots["x"]]
        return slots, [] if unclear else [frozenset(order)], tuple(order)
    return slots, [frozenset({str((fmean if kind == "average_in" else sum)(having.values()))})], ()


def _of_amounts(facts: Facts, kind: str, draws: random.Random) -> Drawn | None:
    a, name, p, added = draws.choice(facts.words["amounts"])
    slots: dict[str, Any] = {"a": facts.words["kinds"][a][0], "as": facts.words["kinds"][a][1], "p": p}
    amounts = facts.amounts(a, name)
    one = _one_number(kind, amounts, len(facts.nodes[a]), added=added)
    if one is not None:
        return slots, [frozenset({str(one)})] if one else [], ()
    if kind in ("top", "bottom"):
        slots["n"] = draws.choice((3, 4, 5))
        order = amounts if kind == "top" else {a: -n for a, n in amounts.items()}
        return slots, [frozenset(top)] if (top := _first(order, slots["n"])) else [], ()
    if kind in ("lowest", "highest"):
        order = amounts if kind == "highest" else {a: -n for a, n in amounts.items()}
        return slots, [frozenset({best})] if (best := _only_first(order)) else [], ()
    if kind == "second":
        two, three = _first(amounts, 2), _first(amounts, 3)
        first = _only_first(amounts)
        return slots, [frozenset(set(two) - {first})] if first and two and three else [], ()
    if kind == "above_average":
        return slots, [frozenset(x for x, n in amounts.items() if n > fmean(amounts.values()))], ()
    if kind == "list_all":
        return slots, [frozenset(facts.nodes[a])], ()
    if kind == "sorted_all":
        listed = sorted(amounts, key=lambda a: -amounts[a])
        clear = len(set(amounts.values())) == len(amounts) == len(facts.nodes[a])
        return slots, [frozenset(listed)] if clear else [], tuple(listed)
    if kind == "with_amounts":
        return slots, [_pairs(amounts)] if len(amounts) == len(facts.nodes[a]) else [], ()
    if kind == "range":
        slots["n"], slots["m"] = sorted(round(n) for n in draws.sample(sorted(amounts.values()), 2))
        return slots, [frozenset(x for x, n in amounts.items() if slots["n"] <= n <= slots["m"])], ()
    if kind in ("above", "below", "count_above"):
        slots["n"] = round(draws.choice(sorted(amounts.values())[1:-1]))
        found = frozenset(x for x, n in amounts.items() if COMPARED[kind](n, slots["n"]))
        return slots, [_number_of(found) if kind == "count_above" else found] if found else [], ()
    slots["s"], slots["t"] = draws.sample(_unique(amounts), 2)
    s, t = amounts[slots["s"]], amounts[slots["t"]]
    if any(letter.isdigit() for letter in slots["s"] + slots["t"]):
        return None
    if kind == "amount_of":
        return slots, [frozenset({str(s)})], ()
    if kind in ("higher_of", "lower_of"):
        return slots, [frozenset({slots["s" if (s > t) == (kind == "higher_of") else "t"]})] if s != t else [], ()
    if kind == "difference":
        return slots, [frozenset({str(s - t)}), frozenset({str(t - s)})] if s > t else [], ()
    return slots, [frozenset(x for x, n in amounts.items() if n > s)], ()


def _one_number(kind: str, amounts: dict[str, float], number: int, *, added: bool) -> float | None:
    """The number that a kind asks of all things; 0 where it makes no sense, None where it asks for no number."""
    if kind == "sum_all":
        return sum(amounts.values()) if added else 0
    if kind == "count_all":
        return number
    one: Callable[[Any], float] | None = {"average_all": fmean, "highest_value": max, "lowest_value": min}.get(kind)
    return None if one is None else one(amounts.values())


def _of_years(facts: Facts, kind: str, draws: random.Random) -> Drawn | None:
    a, name, verb = draws.choice(facts.words["dates"])
    slots: dict[str, Any] = {"a": facts.words["kinds"][a][0], "as": facts.words["kinds"][a][1], "verb": verb}
    years = facts.years(a, name)
    counts = Counter(years.values())
    if kind == "per_year":
        return slots, [_pairs({str(year): n for year, n in counts.items()})], ()
    if kind == "best_year":
        return slots, [frozenset({str(best)})] if (best := _only_first(counts)) else [], ()
    dates = {x: str(p[name]) for x, p in facts.nodes[a].items() if p.get(name) is not None}
    if kind in ("latest", "earliest"):
        return slots, [_at_the_end(dates, latest=kind == "latest")], ()
    if kind in ("latest_n", "earliest_n"):
        slots["n"] = draws.choice((2, 3, 4))
        order = sorted(dates, key=lambda x: dates[x], reverse=kind == "latest_n")
        clear = len(order) > slots["n"] and dates[order[slots["n"] - 1]] != dates[order[slots["n"]]]
        return slots, [frozenset(order[: slots["n"]])] if clear else [], ()
    if kind == "per_month":
        whole = all(len(date) > _MONTH for date in dates.values())
        return slots, [_pairs(Counter(date[:_MONTH] for date in dates.values()))] if whole else [], ()
    if kind in ("average_per_year", "sum_per_year"):
        added = kind == "sum_per_year"
        by_year = _grouped(_amount_of(facts, a, slots, draws, added=added), {x: str(year) for x, year in years.items()})
        if by_year is None:
            return None
        return slots, [_pairs({year: (sum if added else fmean)(ns) for year, ns in by_year.items()})], ()
    slots["year"] = draws.choice(sorted(counts))
    if kind == "in_year":
        return slots, [frozenset({str(counts[slots["year"]])})], ()
    if kind.endswith(("after_year", "before_year")):
        compared = gt if kind.endswith("after_year") else lt
        found = frozenset(x for x, year in years.items() if compared(year, slots["year"]))
        return slots, [_number_of(found) if kind.startswith("count") else found] if found else [], ()
    slots["year2"] = slots["year"] + draws.choice((1, 2, 3))
    return slots, [frozenset(x for x, year in years.items() if slots["year"] <= year <= slots["year2"])], ()


def _of_values(facts: Facts, kind: str, draws: random.Random) -> Drawn | None:
    a, name, v = draws.choice(facts.words["values"])
    valued = {x: str(p[name]) for x, p in facts.nodes[a].items() if p.get(name) is not None}
    counts = Counter(valued.values())
    slots = {"a": facts.words["kinds"][a][0], "as": facts.words["kinds"][a][1], "v": v}
    if kind == "by_value":
        return slots, [_pairs(counts)], ()
    if kind == "most_common":
        return slots, [frozenset({best})] if (best := _only_first(counts)) else [], ()
    if kind in ("average_by_value", "sum_by_value", "best_average_by_value", "average_with_value", "sum_with_value"):
        added = kind.startswith("sum")
        by_value = _grouped(_amount_of(facts, a, slots, draws, added=added), valued)
        if by_value is None:
            return None
        if kind == "best_average_by_value":
            best = _only_first({value: fmean(ns) for value, ns in by_value.items()})
            return slots, [frozenset({best})] if best else [], ()
        if kind.endswith("with_value"):
            slots["w"] = draws.choice(sorted(counts))
            return slots, [frozenset({str((sum if added else fmean)(by_value[slots["w"]]))})], ()
        return slots, [_pairs({value: (sum if added else fmean)(ns) for value, ns in by_value.items()})], ()
    if kind == "same_as":
        slots["s"] = draws.choice(_unique(valued))
        same = {x for x, value in valued.items() if value == valued[slots["s"]]}
        return slots, [frozenset(same - {slots["s"]}), frozenset(same)] if len(same) > 1 else [], ()
    slots["w"] = draws.choice(sorted(counts))
    if kind == "not_value":
        return slots, [frozenset(x for x, value in valued.items() if value != slots["w"])], ()
    if kind == "with_value":
        return slots, [frozenset(x for x, value in valued.items() if value == slots["w"])], ()
    share = 100 * counts[slots["w"]] / len(facts.nodes[a])
    number = counts[slots["w"]] if kind == "count_with_value" else share
    return slots, [frozenset({str(number)})], ()


def _amount_of(
    facts: Facts, a: str, slots: dict[str, Any], draws: random.Random, *, added: bool
) -> dict[str, float] | None:
    """An amount of a kind of thing, which can be added up where it has to be, and its name in the slots."""
    amounts = [each for each in facts.words["amounts"] if each[0] == a and (each[3] or not added)]
    if not amounts:
        return None
    _, name, slots["p"], _ = draws.choice(amounts)
    return facts.amounts(a, name)


def _grouped(amounts: dict[str, float] | None, groups: dict[str, str]) -> dict[str, list[float]] | None:
    """The amounts by group; None where a group has none."""
    found: dict[str, list[float]] = defaultdict(list)
    for x, n in (amounts or {}).items():
        if x in groups:
            found[groups[x]].append(n)
    return found if found.keys() == set(groups.values()) else None


def _number_of(found: Any) -> frozenset[Any]:
    return frozenset({str(len(found))})


def _at_the_end(dates: dict[str, str], *, latest: bool) -> frozenset[Any]:
    """The one with the last date, or the first; nothing where there are several."""
    end = (max if latest else min)(dates.values())
    found = [x for x, date in dates.items() if date == end]
    return frozenset(found if len(found) == 1 else ())


def _unique(keys: Iterable[str]) -> list[str]:
    """The keys that are names of one node."""
    return sorted(key for key in keys if ID not in key)


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
