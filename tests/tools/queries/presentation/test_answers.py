"""The queries of forms that say how their answers are shown, in each database, against the facts themselves."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

import pytest

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.queries.reading.forms.form import Condition, Form, Nodes, Order, Value
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.functions import PeriodUnit

DAYS = [date(1896, 2, 27) + timedelta(days=997 * place) for place in range(60)]
"""Leap days and turns of centuries among them."""
NAMES = ["ash", "Birch", "cedar", "Ébène", "Dogwood"]
HEIGHTS = dict(zip(NAMES, (4.0, 10.0, 25.0, 7.5, 8.0), strict=True))
TREES = Nodes("Tree")
HEIGHT = Value("height")
_OLD = 7.8


@pytest.fixture(scope="module")
def graph(any_database: BoltDatabase) -> Iterator[GraphStore]:
    store = any_database.open(f"shown-{uuid.uuid4().hex[:12]}", create=True)
    trees = [{"nodeId": name, "name": name, "height": HEIGHTS[name], "old": HEIGHTS[name] > _OLD} for name in NAMES]
    visits = [{"nodeId": str(day), "name": str(day), "day": str(day)} for day in DAYS]
    scope = f":{quoted(store.scope)}" if store.scope else ""
    for label, nodes in (("Tree", trees), ("Visit", visits)):
        store.write(f"UNWIND $rows AS row CREATE (n:{label}{scope}) SET n = row", {"rows": nodes})
    yield store
    any_database.drop(store.name)


def rows(graph: GraphStore, form: Form) -> list[dict[str, object]]:
    query = render(form, graph.terms, {})
    return [dict(row) for row in graph.read(query.cypher, query.parameters).records]


@pytest.mark.parametrize(
    ("period", "written"),
    [("weekday", "%A"), ("calendar month", "%B"), ("month", "%Y-%m"), ("year", "%Y"), ("day", "%Y-%m-%d")],
)
def test_periods_are_those_of_the_calendar(graph: GraphStore, period: PeriodUnit, written: str) -> None:
    found = rows(graph, Form("groups", Nodes("Visit"), None, "count", "day", period=period))
    assert {row["name"]: row["value"] for row in found} == Counter(day.strftime(written) for day in DAYS)
    places = {"weekday": date.weekday, "calendar month": lambda day: day.month}.get(period, str)
    expected = sorted({(places(day), day.strftime(written)) for day in DAYS})
    assert [row["name"] for row in found] == [name for _, name in expected]


@pytest.mark.parametrize("descending", [False, True])
def test_names_are_ordered_without_regard_to_case(graph: GraphStore, *, descending: bool) -> None:
    order = Order(Value("name", kind="text"), descending, None, ties=False)
    found = [row["name"] for row in rows(graph, Form("nodes", Nodes("Tree", order=order)))]
    assert found == sorted(NAMES, key=str.lower, reverse=descending)


def test_shares_are_of_all(graph: GraphStore) -> None:
    found = rows(graph, Form("groups", TREES, None, "share", "old"))
    assert {row["name"]: row["value"] for row in found} == {True: 60.0, False: 40.0}


def test_both_ends_of_an_order(graph: GraphStore) -> None:
    ends = [Nodes("Tree", order=Order(HEIGHT, descending)) for descending in (False, True)]
    found = rows(graph, Form("nodes", Nodes("Tree", either=(ends[0], ends[1]))))
    assert [row["name"] for row in found] == ["ash", "cedar"]


def test_differences_and_ratios(graph: GraphStore) -> None:
    first_two = Nodes("Tree", order=Order(HEIGHT, True, 2, ties=False))
    assert [row["value"] for row in rows(graph, Form("number", TREES, HEIGHT, "difference"))] == [21.0]
    assert [row["value"] for row in rows(graph, Form("number", first_two, HEIGHT, "difference"))] == [15.0]
    assert [row["value"] for row in rows(graph, Form("number", TREES, HEIGHT, "ratio"))] == [6.25]


def test_dates_are_apart_by_days_or_full_years(graph: GraphStore) -> None:
    days = Form("number", Nodes("Visit"), Value("day", kind="date"), "difference")
    years = Form("number", Nodes("Visit"), Value("day", kind="date", period="year"), "difference")
    assert [row["value"] for row in rows(graph, days)] == [(DAYS[-1] - DAYS[0]).days]
    assert [row["value"] for row in rows(graph, years)] == [161]


def test_yes_names_some_of_what_there_is(graph: GraphStore) -> None:
    (yes,) = rows(graph, Form("truth", TREES))
    (no,) = rows(graph, Form("truth", Nodes("Tree", conditions=(Condition(test="IS NULL", property="height"),))))
    assert (yes["value"], yes["named"]) == (True, sorted(NAMES))
    assert (no["value"], no["named"]) == (False, [])
