"""Amounts on relationships, averages and two properties compared, parts of years, and labels in short forms."""

from __future__ import annotations

import pytest

from clew.tools.embedding import MiniLM
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.name_anchors import GraphNames
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading

GOODS = Schema(
    {"Cust": 20, "Part": 30, "Invoice": 40, "Depot": 3, "Fair": 6, "Show": 9},
    (
        Relation("ORDERED", "Cust", "Part", 90), Relation("SENT_TO", "Invoice", "Cust", 40),
        Relation("HELD_AT", "Show", "Depot", 9), Relation("PART_OF", "Show", "Fair", 9),
    ),
    (
        Property("Cust", "town", "STRING", 20, ("Leeds", "York")),
        Property("Cust", "active", "BOOLEAN", 20, (True, False)),
        Property("Part", "stockQty", "INTEGER", 30, (3, 400)),
        Property("Part", "minStock", "INTEGER", 30, (5, 50)),
        Property("Part", "price", "FLOAT", 30, (0.5, 90.0)),
        Property("Part", "material", "STRING", 30, ("steel", "brass")),
        Property("Invoice", "totalAmount", "FLOAT", 40, (12.5, 900.0)),
        Property("Invoice", "dueOn", "DATE", 40, ("2025-01-05", "2025-08-30")),
        Property("Show", "opensAt", "STRING", 9, ("09:00", "10:30")),
    ),
    "1",
    (
        Property("ORDERED", "qty", "INTEGER", 90, (1, 500)),
        Property("ORDERED", "orderedOn", "DATE", 90, ("2025-01-05", "2025-08-30")),
    ),
)  # fmt: skip
_NAMES = {
    "Ann": Entity("c1", "Ann", "Cust"), "Bolt": Entity("p1", "Bolt", "Part"), "Tyne": Entity("f1", "Tyne", "Fair"),
}  # fmt: skip
_VALUES = {
    "leeds": {("Cust", "town", False): ["Leeds"]},
    "steel": {("Part", "material", False): ["steel"]},
    "brass": {("Part", "material", False): ["brass"]},
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    names = GraphNames(
        lambda name: [_NAMES[name]] if name in _NAMES else [],
        lambda text: dict(_VALUES.get(text.lower(), {})),
        lambda word: [each for name, each in _NAMES.items() if word == "never" or word == name.lower()],
    )
    return Reader(GOODS, names, MiniLM(), Glosses())


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("parts whose stock is below their minimum stock", "Parts with stock quantity lower than minimum stock"),
        ("which parts are more expensive than the average part?", "Parts with price higher than the average of parts"),
        ("which customers never ordered anything?", "Customers except those that ordered parts"),
        ("customers that are no longer active", "Customers with active not = True"),
        ("no. of customers in Leeds", "Number of customers with town = Leeds"),
        ("which customer spent the most money?", "Customers, by total total amount of invoices, highest first: 1"),
        ("who spent the most?", "Customers, by total total amount of invoices, highest first: 1"),
        ("how many Bolt did Ann order?", "total quantity of Ann of Bolt that Ann ordered"),
        ("average quantity per customer", "Average quantity of parts for each of customers"),
        ("for each customer, the total quantity", "Total quantity of parts for each of customers"),
        ("average price by material", "Average price of parts, for each material"),
        ("which parts are out of stock?", "Parts with stock quantity = 0"),
        ("steel parts that are still in stock", "with stock quantity > 0"),
        ("which customers ordered more than once?", "Customers that ordered more than 1 parts"),
        ("customers that ordered more than 5 different parts", "Customers that ordered more than 5 parts"),
        ("the dearest part of each material", "Parts, by price, highest first: 1 for each material"),
        ("invoices per month", "Number of invoices, for each month of due on"),
        ("total amount of invoices by year", "Total total amount of invoices, for each year of due on"),
        ("the steel and brass parts", "Parts with material = "),
        ("parts ordered between March and June 2025", "with ordered on >= 2025-03 with ordered on <= 2025-06"),
        ("invoices due in the second quarter of 2025", "with due on >= 2025-04 and with due on <= 2025-06"),
        ("invoices due in summer 2025", "with due on >= 2025-06 and with due on <= 2025-08"),
        ("invoices over 2 grand", "Invoices with total amount > 2000"),
        ("invoices of 2 thousand or more", "Invoices with total amount >= 2000"),
        ("invoices under a tenner", "Invoices with total amount < 10"),
        ("parts that nobody has ever zapped", "Parts except those that customers ordered"),
        ("number of shows by fair", "Number of shows for each of fairs"),
        ("Where was Tyne?", "Depots that shows that are part of Tyne held at"),
        ("how many shows were there in 2025?", "Number of shows"),
    ],
)
def test_goods(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, _NAMES).form)


def test_two_properties_of_one_node_are_compared_in_the_database(reader: Reader) -> None:
    form = best_reading(reader, "parts whose stock is below their minimum stock", _NAMES).form
    assert "n1.`stockQty` < n1.`minStock`" in render(form, NodeTerms(), {}).cypher


def test_the_average_is_worked_out_first(reader: Reader) -> None:
    form = best_reading(reader, "which parts are more expensive than the average part?", _NAMES).form
    assert "avg(n1.`price`)" in render(form, NodeTerms(), {}).cypher
