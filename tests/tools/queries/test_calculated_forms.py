"""Calculated properties, totals of relationships, bounds on totals, and medians: the database against plain Python."""

from __future__ import annotations

import random
import uuid
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from statistics import fmean, median
from typing import Any

import pytest

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.queries.calculated import Calculated, Calculation, Operand
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Path, Step, Value
from clew.tools.queries.reading.forms.form_cypher import render

DRAWN = random.Random(7)
CUSTOMERS = [f"C{n}" for n in range(6)]
PRODUCTS = [{"name": f"P{n}", "stock": DRAWN.randrange(9), "weight": DRAWN.choice([0, 2, 5])} for n in range(8)]
ORDERS = [
    {"name": f"O{n}", "ordered": str(date(2024, 1, 1) + timedelta(days=DRAWN.randrange(400))),
     "freight": DRAWN.randrange(1, 90), "customer": DRAWN.choice(CUSTOMERS), "days": DRAWN.randrange(30)}
    for n in range(30)
]  # fmt: skip
for order in ORDERS:
    order["shipped"] = str(date.fromisoformat(order["ordered"]) + timedelta(days=order["days"]))
    order["picked"], order["packed"] = f"{order['ordered']}T08:30:00", f"{order['shipped']}T10:00:00"
LINES = [
    {"order": order["name"], "product": product["name"], "price": DRAWN.randrange(1, 50),
     "quantity": DRAWN.randrange(1, 9)}
    for order in ORDERS
    for product in DRAWN.sample(PRODUCTS, 3)
]  # fmt: skip
OF_ORDER = {order["name"]: order for order in ORDERS}
REVENUE = Calculated(Calculation("*", Operand("price"), Operand("quantity")), "revenue")
TO_PACK = {
    unit: Calculated(Calculation(unit, Operand("packed"), Operand("picked"))) for unit in ("hours", "minutes")
}  # fmt: skip
TO_SHIP = Calculated(Calculation("days", Operand("shipped"), Operand("ordered")))
PER_WEIGHT = Calculated(Calculation("/", Operand("stock"), Operand("weight")))
PLACED, CONTAINS = Step("PLACED", True, "Order"), Step("CONTAINS", True, "Product")


@pytest.fixture(scope="module")
def shop(any_database: BoltDatabase) -> Iterator[GraphStore]:
    graph = any_database.open(f"shop-{uuid.uuid4().hex[:12]}", create=True)
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    rows: dict[str, list[dict[str, Any]]] = {
        "Customer": [{"name": name} for name in CUSTOMERS], "Product": PRODUCTS, "Order": ORDERS,
    }  # fmt: skip
    for label, nodes in rows.items():
        graph.ensure_index(label, "nodeId")
        stored = [{"nodeId": f"{label}/{node['name']}", **node} for node in nodes]
        graph.write(f"UNWIND $rows AS row CREATE (n:{label}{scope}) SET n = row", {"rows": stored})
    graph.write(
        f"UNWIND $rows AS row MATCH (a:Customer{scope} {{name: row.customer}}), (b:Order{scope} {{name: row.name}}) "
        "CREATE (a)-[:PLACED]->(b)", {"rows": ORDERS},
    )  # fmt: skip
    graph.write(
        f"UNWIND $rows AS row MATCH (a:Order{scope} {{name: row.order}}), (b:Product{scope} {{name: row.product}}) "
        "CREATE (a)-[:CONTAINS {price: row.price, quantity: row.quantity}]->(b)", {"rows": LINES},
    )  # fmt: skip
    graph.set_version("1")
    yield graph
    any_database.drop(graph.name)


def rows(graph: GraphStore, form: Form) -> list[dict[str, Any]]:
    query = render(form, graph.terms, {})
    return [dict(row) for row in graph.read(query.cypher, query.parameters).records]


def revenues() -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for line in LINES:
        found[OF_ORDER[line["order"]]["customer"]] += line["price"] * line["quantity"]
    return dict(found)


def total(path: Path, name: str, function: Any = "sum", edge: str | None = None, other: Nodes | None = None) -> Value:
    return Value(name, function, Link(path, other or Nodes(path[-1].target)), edge)


def test_a_total_is_of_the_nodes_that_are_linked(shop: GraphStore) -> None:
    late = Nodes("Order", conditions=(Condition(Predicate("ordered", ">=", "2024-07-01", "date"), property="ordered"),))
    value = Value(REVENUE, "sum", Link((PLACED,), late), "CONTAINS", step=CONTAINS)
    found = {row["name"]: row["value"] for row in rows(shop, Form("groups", Nodes("Customer"), value))}
    expected: dict[str, float] = defaultdict(float)
    for line in LINES:
        order = OF_ORDER[line["order"]]
        if order["ordered"] >= "2024-07-01":
            expected[order["customer"]] += line["price"] * line["quantity"]
    assert found == pytest.approx(dict(expected))


def test_totals_of_calculated_amounts_of_relationships(shop: GraphStore) -> None:
    value = total((PLACED, CONTAINS), REVENUE, edge="CONTAINS")
    found = {row["name"]: row["value"] for row in rows(shop, Form("groups", Nodes("Customer"), value))}
    assert found == pytest.approx(revenues())
    best = rows(shop, Form("nodes", Nodes("Customer", order=Order(value, True))))
    assert [row["name"] for row in best] == [max(revenues(), key=lambda name: revenues()[name])]


def test_totals_of_relationships_for_each_value_of_what_they_are_linked_to(shop: GraphStore) -> None:
    value = total((CONTAINS,), REVENUE, edge="CONTAINS")
    form = Form("groups", Nodes("Order"), value, "sum", "name", (PLACED.back("Customer"),))
    assert {row["name"]: row["value"] for row in rows(shop, form)} == pytest.approx(revenues())
    (best,) = rows(shop, replace(form, best="highest", limit=1))
    assert best["value"] == pytest.approx(max(revenues().values()))


@pytest.mark.parametrize("bound", [0, 500, 1500, 10**6])
def test_a_bound_on_a_total_keeps_what_passes_it(shop: GraphStore, bound: int) -> None:
    value = total((PLACED, CONTAINS), REVENUE, edge="CONTAINS")
    above = Condition(Predicate(REVENUE, ">", bound, "number"), comparison=">", value=value)
    found = rows(shop, Form("nodes", Nodes("Customer", conditions=(above,))))
    assert {row["name"] for row in found} == {name for name, revenue in revenues().items() if revenue > bound}
    inner = Nodes("Order", links=(Link((PLACED.back("Customer"),), Nodes("Customer", conditions=(above,))),))
    orders = {order["name"] for order in ORDERS if revenues().get(order["customer"], 0) > bound}
    assert {row["name"] for row in rows(shop, Form("nodes", inner))} == orders


def test_days_are_those_between_two_dates(shop: GraphStore) -> None:
    slow = Condition(Predicate(TO_SHIP, ">=", 20, "number"), property=TO_SHIP)
    found = rows(shop, Form("nodes", Nodes("Order", conditions=(slow,))))
    assert {row["name"] for row in found} == {order["name"] for order in ORDERS if order["days"] >= 20}
    (average,) = rows(shop, Form("number", Nodes("Order"), Value(TO_SHIP), "avg"))
    assert average["value"] == pytest.approx(fmean(order["days"] for order in ORDERS))


def test_nothing_is_divided_by_zero(shop: GraphStore) -> None:
    found = {row["of"]: row["value"] for row in rows(shop, Form("value", Nodes("Product"), Value(PER_WEIGHT)))}
    assert found == pytest.approx({p["name"]: p["stock"] / p["weight"] for p in PRODUCTS if p["weight"]})


def test_medians_and_quarters(shop: GraphStore) -> None:
    of_each: dict[str, list[float]] = defaultdict(list)
    quarters: dict[str, int] = defaultdict(int)
    for order in ORDERS:
        of_each[order["customer"]].append(order["freight"])
        quarters[f"{order['ordered'][:4]}-Q{(int(order['ordered'][5:7]) + 2) // 3}"] += 1
    found = rows(shop, Form("groups", Nodes("Customer"), total((PLACED,), "freight", "median")))
    assert {row["name"]: row["value"] for row in found} == pytest.approx({c: median(f) for c, f in of_each.items()})
    counted = rows(shop, Form("groups", Nodes("Order"), None, "count", "ordered", period="quarter"))
    assert {row["name"]: row["value"] for row in counted} == dict(quarters)


def test_a_total_over_a_set_that_is_compared_with_an_average(shop: GraphStore) -> None:
    average = fmean(order["freight"] for order in ORDERS)
    dear = Nodes(
        "Order", conditions=(Condition(property="freight", comparison=">", than=Nodes("Order"), average=True),)
    )
    counts: dict[str, int] = defaultdict(int)
    for order in ORDERS:
        counts[order["customer"]] += order["freight"] > average
    form = Form("groups", Nodes("Customer"), Value(None, "count", Link((PLACED,), dear)))
    assert {row["name"]: row["value"] for row in rows(shop, form)} == {c: n for c, n in counts.items() if n}
    best = Form("nodes", Nodes("Customer", order=Order(total((PLACED,), "freight", other=dear), True)))
    totals = {c: sum(o["freight"] for o in ORDERS if o["customer"] == c and o["freight"] > average) for c in CUSTOMERS}
    assert [row["name"] for row in rows(shop, best)] == [c for c in CUSTOMERS if totals[c] == max(totals.values())]


def test_only_leaves_those_that_are_related_to_nothing_else(shop: GraphStore) -> None:
    light = Nodes("Product", conditions=(Condition(Predicate("weight", "<", 5, "number"), property="weight"),))
    others = Link((CONTAINS,), Nodes("Product", without=(light,)), negated=True)
    found = rows(shop, Form("nodes", Nodes("Order", links=(Link((CONTAINS,), light), others))))
    weights = {product["name"]: product["weight"] for product in PRODUCTS}
    held: dict[str, set[int]] = defaultdict(set)
    for line in LINES:
        held[line["order"]].add(weights[line["product"]])
    assert {row["name"] for row in found} == {name for name, each in held.items() if max(each) < 5}


@pytest.mark.parametrize("unit", ["hours", "minutes"])
def test_times_of_day_are_hours_and_minutes_apart(shop: GraphStore, unit: str) -> None:
    form = Form("number", Nodes("Order"), Value(TO_PACK[unit], kind="number"), "avg")
    hours = fmean(24 * order["days"] + 1.5 for order in ORDERS)
    (row,) = rows(shop, form)
    assert row["value"] == pytest.approx(hours if unit == "hours" else 60 * hours)


def test_nothing_taken_off_is_a_missing_value_or_zero(shop: GraphStore) -> None:
    scope = f":{quoted(shop.scope)}" if shop.scope else ""
    shop.write(f"MATCH (n:Product{scope}) WHERE n.name IN ['P0', 'P1'] SET n.discount = 0")
    shop.write(f"MATCH (n:Product{scope}) WHERE n.name IN ['P2', 'P3'] SET n.discount = 5")
    own = Calculated(Operand("discount", absent=True))
    form = Form("nodes", Nodes("Product").where(Condition(Predicate(own, "=", 0, "number"), property="discount")))
    assert {row["name"] for row in rows(shop, form)} == {each["name"] for each in PRODUCTS} - {"P2", "P3"}
