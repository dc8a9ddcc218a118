"""Totals and averages of numbers that stand on relationships, and who spends, pays or raises the most."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

SCHEMA = Schema(
    {"Brand": 20, "Rider": 60, "Race": 30},
    (
        Relation("BACKS", "Brand", "Rider", 70), Relation("RODE_IN", "Rider", "Race", 200),
        Relation("RATED", "Rider", "Race", 80),
    ),
    (
        Property("Brand", "name", "STRING", 20, ("Koru", "Vanta")),
        Property("Rider", "name", "STRING", 60, ("Lea Brandt", "Tim Oduya")),
        Property("Race", "name", "STRING", 30, ("Hill Classic",)),
    ),
    "1",
    relation_properties=(
        Property("BACKS", "eurPerYear", "INTEGER", 70, (12000, 90000), 5000, 250000),
        Property("RATED", "stars", "INTEGER", 80, (1, 5), 1, 5),
    ),
)  # fmt: skip
NAMES = {
    "Lea Brandt": Entity("r1", "Lea Brandt", "Rider"),
    "Hill Classic": Entity("c1", "Hill Classic", "Race"),
    "Koru": Entity("b1", "Koru", "Brand"),
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(SCHEMA, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        (
            "Which brand pays its riders the most per year in total?",
            "by total eur per year of riders, highest first: 1",
        ),
        ("Which brand spends the most overall on riders?", "by total eur per year of riders, highest first: 1"),
        ("Which brand backs the most riders?", "by number of riders, highest first: 1"),
        ("How many stars does the Hill Classic get on average from the riders who rated it?", "Average stars"),
    ],
)
def test_what_is_added_up(reader: Reader, question: str, read: str) -> None:
    form = best_reading(reader, question, NAMES).form
    assert read in words(form), words(form)


def test_one_total_is_told_of_amounts_that_are_given_for_a_year(reader: Reader) -> None:
    form = best_reading(
        reader, "How much money does Lea Brandt get from brands per year, all put together?", NAMES
    ).form
    assert "sum" in (form.function, form.value.function if form.value is not None else None), words(form)
