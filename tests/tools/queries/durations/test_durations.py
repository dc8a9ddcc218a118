"""Questions for how long something took: what they mean, and their answers in each database."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from datetime import date
from statistics import fmean, median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.queries.reading.durations.said import asked_of_time
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.durations.workshop import (
    DELIVERIES,
    LOANS,
    NAMES,
    NODES,
    ORDERS,
    REPAIRS,
    WORKSHOP,
    days,
)
from tests.tools.queries.question_readings import best_reading, mentions_in, reader_of

TOOK = {row["name"]: days(row["reported_on"], row["finished_on"]) for row in REPAIRS}
LATE = {row["name"]: days(row["due_on"], row["finished_on"]) for row in REPAIRS}
ORDERED = {row["name"]: row["ordered_on"] for row in ORDERS}
DELIVERED = {row["order"]: days(ORDERED[row["order"]], row["delivered_on"]) for row in DELIVERIES}


@pytest.fixture(scope="module")
def reader() -> Reader:
    kinds = {"brakes": ["brakes"], "tyres": ["tyres"], "brake": ["brakes"], "tyre": ["tyres"]}
    held = lambda text: {("Repair", "kind", False): kinds[text.lower()]} if text.lower() in kinds else {}  # noqa: E731
    return reader_of(WORKSHOP, NAMES, held)


@pytest.fixture(scope="module")
def graph(any_database: BoltDatabase) -> Iterator[GraphStore]:
    store = any_database.open(f"workshop-{uuid.uuid4().hex[:12]}", create=True)
    scope = f":{quoted(store.scope)}" if store.scope else ""
    for label, nodes in NODES.items():
        store.ensure_index(label, "nodeId")
        kept = [{k: v for k, v in row.items() if k not in ("garage", "order")} for row in nodes]
        stored = [{"nodeId": f"{label}/{row['name']}", **row} for row in kept]
        store.write(f"UNWIND $rows AS row CREATE (n:{label}{scope}) SET n = row", {"rows": stored})
    for source, relation, target, pairs in (
        ("Repair", "DONE_AT", "Garage", [(row["name"], row["garage"], {}) for row in REPAIRS]),
        ("Tool", "LENT_TO", "Mechanic", [(row["tool"], row["mechanic"], _times(row)) for row in LOANS]),
        ("Delivery", "DELIVERS", "Order", [(row["name"], row["order"], {}) for row in DELIVERIES]),
    ):
        store.write(
            f"UNWIND $rows AS row MATCH (a:{source}{scope} {{nodeId: row.a}}), (b:{target}{scope} {{nodeId: row.b}}) "
            f"CREATE (a)-[r:{relation}]->(b) SET r = row.own",
            {"rows": [{"a": f"{source}/{a}", "b": f"{target}/{b}", "own": own} for a, b, own in pairs]},
        )
    yield store
    any_database.drop(store.name)


def _times(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("from_date", "to_date")}


def rows(reader: Reader, graph: GraphStore, question: str) -> list[dict[str, Any]]:
    query = render(best_reading(reader, question, NAMES).form, graph.terms, {})
    return [dict(row) for row in graph.read(query.cypher, query.parameters).records]


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how long did J3 take?", "days from reported on to finished on of J3"),
        ("for how many days did repair J3 drag on?", "days from reported on to finished on of J3"),
        ("how many days went by between the report of J3 and its completion", "days from reported on to finished on"),
        ("how many weeks did J3 last", "÷ 7 of J3"),
        ("how many days after it was due was J3 finished?", "days from due on to finished on of J3"),
        ("how late was J3?", "days from due on to finished on of J3"),
        ("average number of days from report to completion", "average days from reported on to finished on of repairs"),
        ("how long do brake repairs usually take?", "average days from reported on to finished on of repairs"),
        ("what is the median time a repair takes", "median days from reported on to finished on of repairs"),
        ("repairs that took longer than two weeks", "days from reported on to finished on > 14"),
        ("how many repairs took less than 10 days?", "number of repairs with days from reported on to finished"),
        ("did any repair take more than 100 days?", "whether there are repairs with days from reported on"),
        ("which repair took the longest?", "repairs, by days from reported on to finished on, highest first: 1"),
        ("how long did the longest repair take?", "highest days from reported on to finished on of repairs"),
        ("which garage is slowest on average from report to completion?", "garages, by average days from reported"),
        ("average days to finish a repair per garage", "days from reported on to finished on of repairs for each"),
        ("which repairs were finished more than a week after they were due?", "days from due on to finished on > 7"),
        ("for how many days did Ann Lee have the Crane?", "days from from date to to date"),
        ("how long has Ann Lee been with us?", "days from hired on to today of ann lee"),
        ("how many years has Bo Moss worked here", "years from hired on to today of bo moss"),
        ("how many hours does the Early shift last?", "hours from starts at to ends at of early"),
        ("how old was Ann Lee when she was hired?", "hired on of ann lee"),
        ("what age was Bo Moss when he was hired?", "hired on of bo moss"),
        ("deliveries that took more than 10 days from order to delivery", "days from ordered on to delivered on"),
    ],
)  # fmt: skip
def test_what_questions_mean(reader: Reader, question: str, read: str) -> None:
    assert read.lower() in words(best_reading(reader, question, NAMES).form).lower()


@pytest.mark.parametrize(
    "question",
    ["which garage did J3?", "what is the kind of J3?", "how many repairs are there?", "who was born in 1980?"],
)
def test_other_questions_ask_nothing_of_time(question: str) -> None:
    assert asked_of_time(tokens(question)) is None


@pytest.mark.parametrize(
    "question", ["by how many years is Ann Lee older than Bo Moss?", "how many years is Ann older than Bo?"]
)
def test_comparisons_are_no_durations(question: str) -> None:
    assert asked_of_time(tokens(question)) is None


_SAID = re.findall(
    r"\w+",
    "how long many days did it take took to ship shipped within three weeks after before was due be the repairs J3 "
    "average longest per garage in hours or more on time old when she between and 14 a",
)


@given(st.lists(st.sampled_from(_SAID), max_size=14))
def test_what_is_asked_is_said_by_words_of_the_question(said: list[str]) -> None:
    words_said = tokens(" ".join(said))
    asked = asked_of_time(words_said)
    if asked is None:
        return
    assert asked.aim
    assert asked.places <= set(range(len(words_said)))
    assert asked.amount >= 0
    names = {min(asked.places)}
    named = asked_of_time(words_said, names)
    assert named is None or not named.places & names


@settings(deadline=None, max_examples=25)
@given(said=st.lists(st.sampled_from(_SAID), min_size=1, max_size=10))
def test_any_words_can_be_read(reader: Reader, said: list[str]) -> None:
    text = " ".join(said)
    for reading in reader.read(text, mentions_in(text, NAMES), seconds=60):
        assert words(reading.form)
        assert render(reading.form, NodeTerms(), {}).cypher


def test_one_duration(reader: Reader, graph: GraphStore) -> None:
    assert [row["value"] for row in rows(reader, graph, "how long did J3 take?")] == [TOOK["J3"]]
    found = rows(reader, graph, "how many days after it was due was J3 finished?")
    assert [row["value"] for row in found] == [LATE["J3"]]


def test_averages(reader: Reader, graph: GraphStore) -> None:
    found = rows(reader, graph, "average number of days from report to completion")
    assert found[0]["value"] == pytest.approx(fmean(TOOK.values()))
    found = rows(reader, graph, "what is the median time a repair takes")
    assert found[0]["value"] == pytest.approx(median(TOOK.values()))
    found = rows(reader, graph, "average days to finish a repair per garage")
    of = {row["name"]: row["garage"] for row in REPAIRS}
    expected = {place: fmean(took for name, took in TOOK.items() if of[name] == place) for place in set(of.values())}
    assert {row["name"]: row["value"] for row in found} == pytest.approx(expected)


def test_bounds_and_ends(reader: Reader, graph: GraphStore) -> None:
    found = {row["name"] for row in rows(reader, graph, "repairs that took longer than two weeks")}
    assert found == {name for name, took in TOOK.items() if took > 14} != set()
    found = {row["name"] for row in rows(reader, graph, "which repair took the longest?")}
    assert found == {name for name, took in TOOK.items() if took == max(TOOK.values())}
    found = {
        row["name"] for row in rows(reader, graph, "which repairs were finished more than a week after they were due?")
    }
    assert found == {name for name, late in LATE.items() if late > 7} != set()


def test_times_of_relationships_and_of_the_day(reader: Reader, graph: GraphStore) -> None:
    found = rows(reader, graph, "for how many days did Ann Lee have the Crane?")
    assert [row["value"] for row in found] in ([30], [[30]])
    assert [row["value"] for row in rows(reader, graph, "how many hours does the Early shift last?")] == [8.25]
    assert [row["value"] for row in rows(reader, graph, "how many hours does the Night shift last?")] == [7.25]


def test_ages_at_an_event(reader: Reader, graph: GraphStore) -> None:
    found = rows(reader, graph, "how old was Bo Moss when he was hired?")
    born, hired = date(1992, 2, 29), date(2019, 9, 2)
    assert [row["value"] for row in found] == [hired.year - born.year]


def test_from_one_thing_to_another(reader: Reader, graph: GraphStore) -> None:
    found = rows(reader, graph, "deliveries that took more than 10 days from order to delivery")
    of = {row["order"]: row["name"] for row in DELIVERIES}
    assert {row["name"] for row in found} == {of[name] for name, took in DELIVERED.items() if took > 10} != set()
