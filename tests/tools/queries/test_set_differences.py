"""Denials that are read as the difference of two sets."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

HALLS = Schema(
    {"Hall": 12, "Concert": 60, "Conductor": 5, "Orchestra": 8},
    (
        Relation("HELD_AT", "Concert", "Hall", 60),
        Relation("CONDUCTED", "Conductor", "Concert", 60),
        Relation("PLAYS_IN", "Orchestra", "Concert", 60),
        Relation("LED", "Conductor", "Orchestra", 9),
    ),
    (
        Property("Hall", "city", "STRING", 12, ("Ghent", "Porto")),
        Property("Concert", "date", "DATE", 60, ("2020-03-01", "2021-05-06")),
        Property("Concert", "title", "STRING", 60, ("Advent", "Echoes")),
    ),
    "1",
)
NAMES = {
    "Vredenhof": Entity("h1", "Vredenhof", "Hall"),
    "Aino Kallio": Entity("c1", "Aino Kallio", "Conductor"),
    "Leeds Sinfonia": Entity("o1", "Leeds Sinfonia", "Orchestra"),
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    cities = {"ghent": ["Ghent"], "porto": ["Porto"]}

    def held(text: str) -> dict[tuple[str, str, bool], list[str]]:
        return {("Hall", "city", False): cities[text.lower()]} if text.lower() in cities else {}

    return reader_of(HALLS, NAMES, held)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("halls in which not a single concert took place during 2021", "Halls except those"),
        ("orchestras that Aino Kallio has never led", "Orchestras except those"),
        ("orchestras Aino Kallio has yet to lead", "Orchestras except those"),
        ("which conductors haven't once conducted a concert at Vredenhof?", "Conductors except those"),
        ("halls in Ghent without a single concert", "Halls with city = Ghent except those"),
        ("apart from Vredenhof, which halls had concerts in 2021?", "except Vredenhof"),
        ("except for Leeds Sinfonia: orchestras that Aino Kallio led", "except Leeds Sinfonia"),
    ],
)
def test_what_is_denied_is_left_out(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, NAMES).form)


@pytest.mark.parametrize(
    "question", ["halls in Ghent", "which orchestras did Aino Kallio lead?", "no more than 3 halls"]
)
def test_other_questions_leave_nothing_out(reader: Reader, question: str) -> None:
    assert "except" not in words(best_reading(reader, question, NAMES).form)
