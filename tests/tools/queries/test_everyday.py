"""Everyday ways to ask for what something has."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

MUSEUM = Schema(
    {"Employee": 20, "Gallery": 6, "Exhibit": 90, "Store": 3},
    (
        Relation("HAS_MANAGER", "Employee", "Employee", 19),
        Relation("HAS_CURATOR", "Gallery", "Employee", 6),
        Relation("HAS_STORE", "Exhibit", "Store", 90),
        Relation("HAS_DONOR", "Exhibit", "Employee", 30),
    ),
    (
        Property("Employee", "first_name", "STRING", 20, ("Ann", "Bo")),
        Property("Employee", "occupation", "STRING", 20, ("guard", "guide")),
        Property("Exhibit", "weight_kg", "FLOAT", 90, (3.5, 12.0)),
    ),
    "1",
)
NAMES = {
    "Ann Lee": Entity("e1", "Ann Lee", "Employee"),
    "East Wing": Entity("g1", "East Wing", "Gallery"),
    "Bronze Owl": Entity("x1", "Bronze Owl", "Exhibit"),
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(MUSEUM, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("who does Ann Lee answer to?", "Employees that are manager of Ann Lee"),
        ("Ann Lee answers to whom?", "Employees that are manager of Ann Lee"),
        ("who is in charge of the East Wing", "Employees that are curator of East Wing"),
        ("where do we keep the Bronze Owl", "Stores that are store of Bronze Owl"),
        ("Ann Lee, what does she do for a living?", "occupation of Ann Lee"),
    ],
)
def test_the_noun_that_the_graph_has(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


def test_a_further_name_is_not_passed_over(reader: Reader) -> None:
    said = words(best_reading(reader, "apart from the East Wing, who does Ann Lee answer to?", NAMES).form)
    assert said != "Employees that are manager of Ann Lee"
