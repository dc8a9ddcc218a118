"""Nouns for women where a property tells the gender."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

FILMS = Schema(
    {"Person": 60, "Film": 40, "Heroine": 5},
    (Relation("ACTED_IN", "Person", "Film", 160), Relation("PLAYS", "Person", "Heroine", 5)),
    (
        Property("Person", "gender", "STRING", 60, ("female", "male")),
        Property("Person", "nationality", "STRING", 60, ("French",)),
    ),
    "1",
)
NAMES = {"Heat": Entity("f1", "Heat", "Film")}


def reader(*, told: bool) -> Reader:
    held = {
        "female": {("Person", "gender", False): ["female"]},
        "french": {("Person", "nationality", False): ["French"]},
    }
    return reader_of(FILMS, NAMES, lambda text: held.get(text.lower(), {}) if told or text == "french" else {})


@pytest.mark.parametrize("question", ["French actresses in Heat", "which French actress acted in Heat?"])
def test_actresses_are_female_actors(question: str) -> None:
    said = words(best_reading(reader(told=True), question, NAMES).form)
    assert "gender = female" in said
    assert "nationality = French" in said


def test_a_kind_of_thing_keeps_its_name() -> None:
    assert words(best_reading(reader(told=True), "which heroines are there?", NAMES).form) == "Heroines"


def test_without_a_gender_nothing_is_said_of_it() -> None:
    assert "female" not in words(best_reading(reader(told=False), "French actresses in Heat", NAMES).form)
