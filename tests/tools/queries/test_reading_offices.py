"""What offices ask beside measures: who is still there, what is in an order, who came last, what is left aside."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.english.asides import asides
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

SHOP = Schema(
    {"Order": 300, "Product": 50, "Customer": 80, "Staff": 12, "Visit": 200},
    (
        Relation("HAS_PRODUCT", "Order", "Product", 700), Relation("HAS_CUSTOMER", "Order", "Customer", 300),
        Relation("TAKEN_BY", "Order", "Staff", 300), Relation("HAS_THERAPIST", "Visit", "Staff", 200),
    ),
    (
        Property("Order", "name", "STRING", 300, ("SO-1", "SO-2")),
        Property("Order", "order_date", "DATE", 300, ("2022-01-05", "2024-06-02")),
        Property("Product", "name", "STRING", 50, ("Helmet", "Lock")),
        Property("Customer", "name", "STRING", 80, ("Ann Lee", "Bo Day")),
        Property("Customer", "date_of_birth", "DATE", 80, ("1960-01-05", "2001-06-02")),
        Property("Customer", "registered_on", "DATE", 80, ("2020-01-05", "2024-06-02")),
        Property("Staff", "name", "STRING", 12, ("Cy Fox", "Di Roe")),
        Property("Staff", "hired_on", "DATE", 12, ("2015-02-01", "2023-03-01")),
        Property("Staff", "left_on", "DATE", 3, ("2022-02-01", "2023-03-01")),
        Property("Staff", "job_title", "STRING", 12, ("Clerk", "Therapist")),
        Property("Visit", "visit_date", "DATE", 200, ("2022-01-05", "2024-06-02")),
    ),
    "1",
    (
        Property("HAS_PRODUCT", "quantity", "INTEGER", 700, (1, 2), 1, 20),
        Property("HAS_PRODUCT", "unit_price", "FLOAT", 700, (10.0, 99.0), 1.0, 900.0),
        Property("HAS_PRODUCT", "discount_percent", "INTEGER", 700, (0, 10), 0, 25),
    ),
)  # fmt: skip
NAMES = {
    "SO-17": Entity("o17", "SO-17", "Order"), "Cy Fox": Entity("s1", "Cy Fox", "Staff"),
    "Helmet": Entity("p1", "Helmet", "Product"), "Lock": Entity("p2", "Lock", "Product"),
}  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(SHOP, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("what was in order SO-17?", "Products that are product of SO-17"),
        ("does Cy Fox still work here", "Whether Cy Fox is one of the staff whose left on is missing"),
        ("who no longer works for us", "Staff whose left on is present"),
        ("who was the last customer to register", "Customers, by registered on, highest first: 1"),
        ("visits per therapist in 2023", "Number of visits with visit date = 2023 for each of staff"),
        ("orders over 800", "Orders with total revenue"),
        ("average order value in 2023 after discount", "Average total revenue"),
        ("how much discount did we give away in 2023", "Total discount given"),
        ("total number of Helmet sold", "Total quantity of Helmet of orders"),
        (
            "did we sell more pieces of the Helmet or the Lock",
            "Helmet or Lock, by total quantity of orders",
        ),
    ],
)
def test_readings(reader: Reader, question: str, read: str) -> None:
    reading = best_reading(reader, question, NAMES)
    assert read in words(reading.form), words(reading.form)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("rentals in May, cancelled ones not counted", "rentals in may not cancelled"),
        ("rentals without the cancelled ones in May", "rentals not cancelled in may"),
        ("rentals in May, cancelled ones included", "rentals in may"),
        ("from the start of May to the end of June 2023", "from may to june 2023"),
        ("the end of the road", "the end of the road"),
        ("which ones are red", "which ones are red"),
    ],
)
def test_asides(said: str, read: str) -> None:
    assert " ".join(token.text for token in asides(tokens(said))) == read
