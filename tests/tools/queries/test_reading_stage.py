"""Questions about concerts, votes and researchers: roles of past verbs, votes for, kinds, and one of several places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.tools.graph.entity import Candidate, Entity, Mention
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
        Relation("SUSPECT_IN", "Person", "Concert", 5),
        Relation("SUPERIOR_TO", "Operator", "Operator", 2),
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
        Property("Concert", "length", "INTEGER", 30, (60, 120)),
        Property("Illness", "monthlyPrice", "FLOAT", 12, (2.5, 9.0)),
        Property("Illness", "approvedOn", "DATE", 12, ("1990-01-01", "2020-01-01")),
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
    "Metro Board": Entity("o1", "Metro Board", "Operator"),
    "Tram Company": Entity("o2", "Tram Company", "Operator"),
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
        ("the suspects in the longest concert", "people suspect in concerts, by length, highest first: 1"),
        ("what has Ann Lee conducted", "concerts that Ann Lee conducted"),
        ("which is the most expensive illness per month", "illnesses, by monthly price, highest first: 1"),
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


def test_an_article_of_a_name_makes_no_noun_of_an_adjective(reader: Reader) -> None:
    """ "Superior to the X" is no "superior of X"."""
    said = "the Metro Board is superior to the Tram Company"
    found = [
        Mention(said.index(name), said.index(name) + len(name), name, (Candidate(NAMES[name], 1.0, "exact", name),))
        for name in ("Metro Board", "Tram Company")
    ]
    form = reader.read(said, found, seconds=60, statement=True)[0].form
    assert words(form) == "Whether Metro Board is one of the operators superior to Tram Company"


def test_for_is_a_vote_beside_against() -> None:
    place = ("VOTED_ON", "vote", True)
    vote = Property("VOTED_ON", "vote", "STRING", 200, ("for", "against"))
    schema = replace(STAGE, relation_properties=(vote,))
    voting = reader_of(schema, NAMES, lambda text: {place: [text]} if text in ("for", "against") else {})
    read = words(best_reading(voting, "which bills did Ann Lee and Bo Moss both vote for", NAMES).form)
    assert read.lower().count("with vote = for") == 2
