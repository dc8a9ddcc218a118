"""Questions about what has to be calculated: revenue, units sold, stock value, days to ship, late orders.

They are asked of Northwind by the default command, without a model. The wordings (`analytic_words/shop.json`) were
written without a look at the reader. The right answers are worked out in Python from the orders and their lines.

    python -m benchmarks.queries.calculated --home HOME --graph northwind
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import fmean
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from benchmarks.queries.reading import spelling  # noqa: E402
from clew.agents.answering.confidence import ENOUGH  # noqa: E402

WORDINGS = HERE / "analytic_words" / "shop.json"
_NEAR = 0.0501
"""Numbers are told with a few digits."""
_LINES = """
MATCH (o:Order)-[line:HAS_PRODUCT]->(p:Product)-[:HAS_CATEGORY]->(k:Category),
      (o)-[:HAS_CUSTOMER]->(c:Customer), (o)-[:HAS_EMPLOYEE]->(e:Employee), (o)-[:SHIP_VIA]->(s:Shipper)
RETURN o.name AS order, o.orderDate AS ordered, o.shippedDate AS shipped, o.requiredDate AS required,
       c.name AS customer, e.name AS employee, s.name AS shipper, p.name AS product, k.name AS category,
       line.unitPrice AS price, line.quantity AS units, line.discount AS discount
"""
_STOCK = "MATCH (p:Product) RETURN p.name AS product, p.unitPrice * p.unitsInStock AS value"
Row = dict[str, Any]
Right = str | float | set[str] | dict[str, float]


@dataclass(frozen=True)
class Shop:
    """The lines of all orders, and what is in stock."""

    lines: list[Row]
    stock: dict[str, float]

    @property
    def orders(self) -> dict[str, Row]:
        return {row["order"]: row for row in self.lines}

    def total(self, amount: Callable[[Row], float], by: Callable[[Row], Any]) -> dict[Any, float]:
        """The total of an amount of the lines for each of several."""
        found: dict[Any, float] = defaultdict(float)
        for row in self.lines:
            found[by(row)] += amount(row)
        return dict(found)

    def days(self) -> dict[str, int]:
        """The days from order to shipping of every order that was shipped."""
        return {name: _days(o["ordered"], o["shipped"]) for name, o in self.orders.items() if o["shipped"]}

    def late(self) -> set[str]:
        return {n for n, o in self.orders.items() if o["shipped"] and _days(o["required"], o["shipped"]) > 0}


def _days(since: Any, until: Any) -> int:
    return (date.fromisoformat(str(until)[:10]) - date.fromisoformat(str(since)[:10])).days


def _revenue(row: Row) -> float:
    return float(row["price"] * row["units"] * (1 - row["discount"]))


def _units(row: Row) -> float:
    return float(row["units"])


def _first(numbers: dict[str, float], n: int = 1) -> set[str]:
    return set(sorted(numbers, key=lambda key: -numbers[key])[:n])


def cases(shop: Shop, draws: random.Random) -> Iterator[tuple[str, Row, Right]]:
    """Each kind of question with what its slots hold and the right answer."""
    of = {
        key: shop.total(_revenue, lambda row, key=key: row[key])
        for key in ("customer", "category", "product", "employee")
    }
    per_year = shop.total(_revenue, lambda row: str(row["ordered"])[:4])
    units = shop.total(_units, lambda row: row["product"])
    days = shop.days()
    customer, product = draws.choice(sorted(of["customer"])), draws.choice(sorted(units))
    order, year, n = draws.choice(sorted(days)), draws.choice(sorted(per_year)), draws.choice((10, 15, 20))
    slow, bound = {name for name, taken in days.items() if taken > n}, draws.choice((20_000, 50_000))
    yield "total_revenue", {}, sum(of["category"].values())
    yield "revenue_year", {"year": year}, per_year[year]
    yield "revenue_customer", {"customer": customer}, of["customer"][customer]
    yield "revenue_category_each", {}, of["category"]
    yield "revenue_best_customer", {}, _first(of["customer"])
    yield "revenue_top_products", {"n": 5}, _first(of["product"], 5)
    yield "revenue_per_year", {}, per_year
    yield "revenue_best_employee", {}, _first(of["employee"])
    yield "units_category_each", {}, shop.total(_units, lambda row: row["category"])
    yield "best_seller", {}, _first(units)
    yield "units_product", {"product": product}, units[product]
    yield "days_order", {"order": order}, float(days[order])
    yield "days_average", {}, fmean(days.values())
    shippers = {row["shipper"] for row in shop.lines}
    of_shipper = {s: fmean(d for name, d in days.items() if shop.orders[name]["shipper"] == s) for s in shippers}
    yield "days_average_shipper", {}, of_shipper
    yield "days_slow", {"n": n}, slow
    yield "days_slow_count", {"n": n}, float(len(slow))
    yield "late_count", {}, float(len(shop.late()))
    yield "late_share", {}, 100 * len(shop.late()) / len(shop.orders)
    yield "stock_best", {}, _first(shop.stock)
    yield "stock_product", {"product": product}, shop.stock[product]
    yield "revenue_customers_above", {"n": bound}, {c for c, revenue in of["customer"].items() if revenue > bound}


def is_right(right: Right, result: clew.Result) -> bool:
    """Whether the answers are exactly the right ones; numbers may be rounded."""
    names = [each.name for each in result.answers]
    if isinstance(right, set):
        return {spelling(name) for name in names} == {spelling(name) for name in right}
    if isinstance(right, dict):
        told = {spelling(each.name): _number(each.detail or "") for each in result.answers}
        return told.keys() == {spelling(name) for name in right} and all(
            _near(told[spelling(name)], number) for name, number in right.items()
        )
    return len(names) == 1 and _near(_number(names[0]), float(right))


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= max(_NEAR, abs(other) * 1e-6)


def _number(text: str) -> float:
    try:
        return float(text.replace(",", "").rstrip("% "))
    except ValueError:
        return float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True, help="CLEW_HOME that has the graph")
    parser.add_argument("--graph", default="northwind")
    parser.add_argument("--wordings", type=Path, default=WORDINGS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print what is wrong")
    args = parser.parse_args()
    wordings = json.loads(args.wordings.read_text(encoding="utf-8"))
    with clew.connect(args.graph, home=args.home) as graph:
        stock = {row["product"]: float(row["value"]) for row in graph.query(_STOCK, limit=10_000).rows}
        shop = Shop(list(graph.query(_LINES, limit=100_000).rows), stock)
        marks: dict[str, list[tuple[bool, bool]]] = {}
        for kind, slots, right in cases(shop, random.Random(args.seed)):
            for wording in wordings[kind]:
                result = graph.ask(wording.format_map(slots))
                sure, correct = bool(result.answers) and result.confidence >= ENOUGH, is_right(right, result)
                marks.setdefault(kind, []).append((sure, correct))
                if args.show and not correct:
                    print(f"{kind}: {wording.format_map(slots)}\n    {result.confidence} {result.reading}")
                    print("   ", [each.name for each in result.answers][:4])
        for kind, of_kind in {"all": [mark for each in marks.values() for mark in each], **marks}.items():
            sure_ones = [correct for sure, correct in of_kind if sure]
            share, precision = fmean(c for _, c in of_kind), fmean(sure_ones) if sure_ones else float("nan")
            told = f"exact {share:.3f}  answered {len(sure_ones) / len(of_kind):.3f}  precision {precision:.3f}"
            print(f"{kind:24} {len(of_kind):4} {told}")


if __name__ == "__main__":
    main()
