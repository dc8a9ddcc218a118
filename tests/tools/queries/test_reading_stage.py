"""Questions about concerts, votes and researchers: roles of past verbs, votes for, kinds, and one of several places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.ranking.lexicon import meaning
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

STAGE = Schema(
    labels={"Person": 40, "Concert": 30, "Venue": 14, "City": 10, "Work": 36, "Bill": 20, "Line": 9, "Station": 30,
            "Illness": 12, "Operator": 3, "Vehicle": 20},
    relations=(
        Relation("CONDUCTED", "Person", "Concert", 30),
        Relation("SOLOIST_IN", "Person", "Concert", 50),
        Relation("HELD_AT", "Concert", "Venue", 30),
        Relation("LOCATED_IN", "Venue", "City", 14),
        Relation("BORN_IN", "Person", "City", 40),
        Relation("INCLUDES", "Concert", "Work", 90),
        Relation("VOTED_ON", "Person", "Bill", 200),
        Relation("STOPS_AT", "Line", "Station", 60),
        Relation("OPERATED_BY", "Line", "Operator", 9),
        Relation("RUNS_ON", "Vehicle", "Line", 20),
        Relation("SUBTYPE_OF", "Illness", "Illness", 8),
        Relation("MENTORED_BY", "Person", "Person", 20),
    ),
    properties=(
        Property("Person", "name", "STRING", 40, ("Ann Lee", "Bo Moss")),
        Property("Person", "born", "INTEGER", 40, (1950, 1990)),
        Property("Concert", "title", "STRING", 30, ("Spring Gala",)),
        Property("Illness", "name", "STRING", 12, ("Leukemia",)),
        Property("Illness", "pricePerDose", "FLOAT", 12, (2.5, 9.0)),
    ),
    version="1",
)  # fmt: skip
NAMES = {
    "Ann Lee": Entity("p1", "Ann Lee", "Person"),
    "Bo Moss": Entity("p2", "Bo Moss", "Person"),
    "Leeds": Entity("c1", "Leeds", "City"),
    "Bristol": Entity("c2", "Bristol", "City"),
    "Spring Gala": Entity("k1", "Spring Gala", "Concert"),
    "Leukemia": Entity("i1", "Leukemia", "Illness"),
    "Coast Tram": Entity("l1", "Coast Tram", "Line"),
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(STAGE, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("who was the conductor of Spring Gala", "people that conducted Spring Gala"),
        ("which soloists were born in Leeds", "people soloist in concerts and born in Leeds"),
        ("list the venues in Leeds and Bristol", "venues located in Leeds or Bristol"),
        ("which station do the most lines stop at", "stations, by number of lines, highest first: 1"),
        ("who runs the Coast Tram", "operators that Coast Tram is operated by"),
        ("which kinds of Leukemia are there", "illnesses that are subtype of Leukemia"),
        ("mentor of Ann Lee's mentor", "people that people that Ann Lee is mentored by are mentored by"),
        ("which is the cheapest illness per dose", "illnesses, by price per dose, lowest first: 1"),
    ],
)
def test_the_best_reading(question: str, read: str, reader: Reader) -> None:
    assert words(best_reading(reader, question, NAMES).form).lower() == read.lower()


def test_whoever_mentored_is_the_mentor_of_mentored_by() -> None:
    by, active = meaning("MENTORED_BY"), meaning("MENTORED")
    assert by is not None
    assert active is not None
    assert by.concept == active.concept
    assert by.end != active.end


def test_for_is_a_vote_beside_against() -> None:
    place = ("VOTED_ON", "vote", True)
    vote = Property("VOTED_ON", "vote", "STRING", 200, ("for", "against"))
    schema = replace(STAGE, relation_properties=(vote,))
    voting = reader_of(schema, NAMES, lambda text: {place: [text]} if text in ("for", "against") else {})
    read = words(best_reading(voting, "which bills did Ann Lee and Bo Moss both vote for", NAMES).form)
    assert read.lower().count("with vote = for") == 2
