"""Questions that want one number: totals, greatest values, and quantities that are added up."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

SHOP = Schema(
    {"Race": 60, "Circuit": 12, "Warehouse": 6, "Product": 40, "Usage": 300, "Agent": 9, "Policy": 80, "Permit": 30},
    (
        Relation("HELD_AT", "Race", "Circuit", 60),
        Relation("STOCKS", "Warehouse", "Product", 120),
        Relation("HAS_PRODUCT", "Usage", "Product", 300),
        Relation("SOLD", "Agent", "Policy", 80),
        Relation("AUTHORISES", "Permit", "Circuit", 30),
    ),
    (
        Property("Race", "attendance", "INTEGER", 60, (41000, 72000), 1200, 90000),
        Property("Race", "date", "DATE", 60, ("2020-03-01", "2021-05-06")),
        Property("Circuit", "length_km", "FLOAT", 12, (4.2, 5.9), 2.0, 8.0),
        Property("Usage", "quantity", "INTEGER", 300, (1, 6), 1, 19),
        Property("Usage", "used_on", "DATE", 300, ("2022-01-06", "2022-04-24")),
        Property("Permit", "fee_pounds", "INTEGER", 30, (750, 9200), 250, 15050),
    ),
    "1",
    relation_properties=(Property("STOCKS", "units_in_stock", "INTEGER", 120, (102, 77), 0, 400),),
)
NAMES = {
    "Harrow Moor": Entity("c1", "Harrow Moor", "Circuit"),
    "Falcon Summit": Entity("p1", "Falcon Summit", "Product"),
    "LED tube": Entity("p2", "LED tube", "Product"),
    "Lucy Berg": Entity("a1", "Lucy Berg", "Agent"),
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(SHOP, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("biggest attendance ever for a race at Harrow Moor?", "Highest attendance of races"),
        ("What was the lowest attendance a race at Harrow Moor had?", "Lowest attendance of races"),
        ("which race had the biggest attendance?", "Races, by attendance, highest first: 1"),
        ("the race with the biggest attendance", "Races, by attendance, highest first: 1"),
        ("longest circuit", "Circuits, by length km, highest first: 1"),
    ],
)
def test_the_greatest_value_is_told_where_it_is_asked_for(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, NAMES).form)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how many Falcon Summit are in our warehouses?", "Total units in stock of Falcon Summit"),
        ("how many boxes of LED tube have we used?", "Total quantity of usages"),
        ("how many LED tubes have been used?", "quantity"),
        ("how many races were held at Harrow Moor?", "Number of races"),
        ("how many warehouses stock Falcon Summit?", "Number of warehouses"),
        ("how many products are there?", "Number of products"),
    ],
)
def test_a_named_thing_is_added_up_and_not_counted(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, NAMES).form)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Lucy Berg has sold how many policies so far?", "Number of policies"),
        ("add up the fees of every permit for Harrow Moor", "Total fee pounds of permits"),
        ("permit fees for Harrow Moor, added together", "Total fee pounds of permits"),
        ("which policies has Lucy Berg sold?", "Policies that Lucy Berg sold"),
    ],
)
def test_numbers_are_asked_for_in_other_places(reader: Reader, question: str, read: str) -> None:
    assert read.lower() in words(best_reading(reader, question, NAMES).form).lower()
