"""The first ones of a set: what they are ordered by, said or not, and how many there are."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.reading.schema.property_values import Place
from tests.tools.queries.question_readings import best_reading, reader_of

NURSERY = Schema(
    {"Grower": 20, "Plant": 80, "Family": 8, "Purchase": 600, "Client": 90},
    (
        Relation("GROWS", "Grower", "Plant", 80), Relation("BELONGS_TO", "Plant", "Family", 80),
        Relation("CONTAINS", "Purchase", "Plant", 2000), Relation("PLACED", "Client", "Purchase", 600),
    ),
    (
        Property("Plant", "name", "STRING", 80, ("Aster", "Fern")),
        Property("Plant", "plantName", "STRING", 80, ("Aster", "Fern")),
        Property("Plant", "plantID", "STRING", 80, ("5", "20", "50")),
        Property("Plant", "price", "FLOAT", 80, (4.5, 12.0), 2.0, 90.0),
        Property("Plant", "reorderLevel", "INTEGER", 80, (5, 25), 0, 30),
        Property("Plant", "unitsInStock", "INTEGER", 80, (0, 40), 0, 120),
        Property("Plant", "unitsOnOrder", "INTEGER", 80, (0, 40), 0, 100),
        Property("Plant", "discontinued", "BOOLEAN", 80, (True, False)),
        Property("Family", "name", "STRING", 8, ("Roses", "Ferns")),
        Property("Family", "description", "STRING", 8, ("Thorny shrubs", "Plants of the shade")),
        Property("Grower", "name", "STRING", 20, ("Hill Farm", "Moss & Son")),
        Property("Client", "name", "STRING", 90, ("Ada Mill", "Ben Rook")),
        Property("Client", "country", "STRING", 90, ("Germany", "France")),
        Property("Purchase", "name", "STRING", 600, ("7001", "7002")),
        Property("Purchase", "purchaseDate", "DATE", 600, ("2023-01-02", "2024-12-30")),
        Property("Purchase", "shippedDate", "DATE", 590, ("2023-01-04", "2024-12-31")),
        Property("Purchase", "shipCountry", "STRING", 600, ("Germany", "France")),
        Property("Purchase", "freight", "FLOAT", 600, (3.5, 20.0), 0.5, 300.0),
    ),
    "1",
    (
        Property("CONTAINS", "quantity", "INTEGER", 2000, (1, 12), 1, 130),
        Property("CONTAINS", "discount", "FLOAT", 2000, (0.0, 0.1), 0.0, 0.25),
    ),
)  # fmt: skip
FERNS = Entity("f1", "Ferns", "Family")
NAMES = {
    "Ferns": FERNS, "Aster": Entity("p1", "Aster", "Plant"), "Iris": Entity("p2", "Iris", "Plant"),
    "Ada Mill": Entity("c1", "Ada Mill", "Client"),
}  # fmt: skip
VALUES: dict[str, list[Place]] = {
    "germany": [("Client", "country", False), ("Purchase", "shipCountry", False)],
    "france": [("Client", "country", False), ("Purchase", "shipCountry", False)],
    "50": [("Plant", "plantID", False)], "$50": [("Plant", "plantID", False)],
}  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Reader:
    def held(text: str) -> dict[Place, list[str]]:
        return {place: [text] for place in VALUES.get(text.lower(), ())}

    return reader_of(NURSERY, NAMES, held)


def read(reader: Reader, question: str) -> str:
    reading = best_reading(reader, question, NAMES)
    assert not reading.unexplained, question
    return words(reading.form)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("top 5 plants with a reorder level above 20", "reorder level > 20, by reorder level, highest first: 5"),
        ("first 3 plants with a price under 20", "Plants with price < 20, 3 of them"),
        ("first 3 purchases shipped to France", "with ship country = France, by shipped date, lowest first: 3"),
        ("the first 3 purchases", "Purchases, by purchase date, lowest first: 3"),
        ("top 5 plants in purchases by clients from Germany", "country = Germany placed, highest first: 5"),
        ("the first 3 families and their descriptions", "Families, 3 of them, each with its description"),
        ("what are the three highest freights of purchases", "freight of purchases, by freight, highest first: 3"),
        ("top 3 most common ship countries of purchases", "purchases, for each ship country, highest first: 3"),
    ],
)
def test_the_first_ones_have_an_order(reader: Reader, question: str, expected: str) -> None:
    assert expected in read(reader, question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which 3 growers grow plants with the most units on order", "by total units on order of plants, highest"),
        ("top 5 families with the most expensive plants on average", "by average price of plants, highest first: 5"),
        ("which 3 growers grow the most expensive plants", "Growers, by highest price of plants, highest first: 3"),
        ("which 3 growers grow plants of the most families", "Growers, by number of families, highest first: 3"),
        ("which growers grow the plant with the highest price", "Growers that grow plants, by price, highest first: 1"),
    ],
)
def test_they_are_ordered_by_what_they_are_linked_to(reader: Reader, question: str, expected: str) -> None:
    assert expected in read(reader, question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which family has the longest description", "Families, by length of description, highest first: 1"),
        ("the 5 plants with the shortest names", "Plants, by length of name, lowest first: 5"),
        ("what is the longest plant name", "by length of name, highest first: 1"),
    ],
)
def test_texts_are_long_or_short(reader: Reader, question: str, expected: str) -> None:
    assert expected in read(reader, question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which 3 purchases have the largest quantity of a single plant", "by highest quantity of plants"),
        ("top 5 purchases with the highest quantity of plants", "by total quantity of plants, highest first: 5"),
        ("what is the average discount", "Average discount of plants of purchases"),
        ("the average discount of purchases", "Average discount of plants of purchases"),
    ],
)
def test_amounts_of_relationships(reader: Reader, question: str, expected: str) -> None:
    assert expected in read(reader, question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which families have plants with a price over $50", "plants with price > 50"),
        ("first 3 plants with a price less than $5", "Plants with price < 5, 3 of them"),
        ("growers of plants with a minimum unitsInStock of 50", "units in stock >= 50"),
        ("plants that are discontinued but still in stock", "discontinued = True and with units in stock > 0"),
        ("purchases shipped to Germany", "Purchases with ship country = Germany"),
    ],
)
def test_numbers_are_compared_and_not_counted(reader: Reader, question: str, expected: str) -> None:
    assert expected in read(reader, question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which plants are more expensive than 50 dollars", "Plants with price > 50"),
        ("plants less expensive than average", "Plants with price lower than the average of plants"),
        (
            "plants with a price above the average of their family",
            "with price higher than the average of the same family",
        ),
        ("which plants cost more than the average in their family?", "higher than the average of the same family"),
        ("which growers have all their plants with a price above 20", "grow plants with price > 20 and no others"),
        ("growers whose plants are all discontinued", "plants with discontinued = True and no others"),
        ("the top 3 most common client countries", "Number of clients, for each country, highest first: 3"),
        ("what is the highest discount rate", "Highest discount of plants of purchases"),
    ],
)
def test_comparisons_with_averages_and_with_all(reader: Reader, question: str, expected: str) -> None:
    assert expected in read(reader, question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "clients who purchased Aster but not Iris",
            "Clients that placed purchases that contain Aster except those that placed purchases that contain Iris",
        ),
        (
            "clients who purchased both Aster and Iris",
            "placed purchases that contain Aster and that placed purchases that contain Iris",
        ),
        ("who purchased Aster?", "Clients that placed purchases that contain Aster"),
        (
            "clients who purchased Aster in 2023",
            "Clients that placed purchases that contain Aster and with purchase date = 2023",
        ),
        (
            "which plants has Ada Mill never purchased?",
            "Plants except those that purchases that Ada Mill placed contain",
        ),
        ("growers of plants in at least 2 families", "Growers that grow plants that belong to at least 2 families"),
        ("purchases that have not been shipped yet", "Purchases whose shipped date is missing"),
        ("what is the second most expensive plant", "Plants, by price, highest first: 1 after the first 1"),
        ("average freight per purchase", "Average freight of purchases"),
    ],
)
def test_what_is_done_and_what_is_not(reader: Reader, question: str, expected: str) -> None:
    assert expected in read(reader, question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which plant is more expensive, Aster or Iris?", "Aster or Iris, by price, highest first: 1"),
        ("highest price per family", "Highest price of plants for each of families"),
        ("highest freight per ship country", "Highest freight of purchases, for each ship country"),
        ("the 5 most popular plants", "Plants, by number of purchases, highest first: 5"),
        ("clients who purchased Ferns", "Clients that placed purchases that contain plants that belong to Ferns"),
    ],
)
def test_the_greatest_of_each(reader: Reader, question: str, expected: str) -> None:
    assert expected in read(reader, question)
