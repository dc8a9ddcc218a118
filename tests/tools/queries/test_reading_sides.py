"""Questions about events with two sides: matches at home and away, letters from one to another, flights."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.wider_relations import any_of, with_wider_relations
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.relation_names import in_common
from clew.tools.queries.sided import Sided
from tests.tools.queries.question_readings import best_reading, reader_of

LEAGUE = Schema(
    {"Fixture": 90, "Team": 10, "Letter": 300, "Person": 40, "Flight": 200, "Airport": 12},
    (
        Relation("HAS_HOME_TEAM", "Fixture", "Team", 90), Relation("HAS_AWAY_TEAM", "Fixture", "Team", 90),
        Relation("HAS_SENDER", "Letter", "Person", 300), Relation("HAS_ADDRESSEE", "Letter", "Person", 290),
        Relation("REPLY_TO", "Letter", "Letter", 120),
        Relation("HAS_ORIG", "Flight", "Airport", 200), Relation("HAS_DEST", "Flight", "Airport", 200),
    ),
    (
        Property("Fixture", "name", "STRING", 90, ("1", "2")),
        Property("Fixture", "match_no", "INTEGER", 90, (1, 2), 1, 90),
        Property("Fixture", "date", "DATE", 90, ("2025-08-30",)),
        Property("Fixture", "HG", "INTEGER", 90, (3, 1), 0, 6), Property("Fixture", "AG", "INTEGER", 90, (0, 1), 0, 5),
        Property("Fixture", "attendance", "INTEGER", 90, (99, 50), 20, 400),
        Property("Team", "name", "STRING", 10, ("Hull", "Leeds")),
        Property("Person", "name", "STRING", 40, ("Ada Quist", "Bo Lind")),
        Property("Person", "born", "INTEGER", 40, (1790,), 1740, 1810),
        Property("Letter", "name", "STRING", 300, ("Ep. 1", "Ep. 2")),
        Property("Letter", "receivedOn", "DATE", 200, ("1790-02-03",)),
        Property("Letter", "leaves", "INTEGER", 300, (2, 3), 1, 12),
        Property("Flight", "name", "STRING", 200, ("NL1", "NL2")),
        Property("Flight", "pax", "INTEGER", 200, (20, 30), 0, 70),
        Property("Airport", "name", "STRING", 12, ("Barra", "Wick")),
    ),
    "1",
)  # fmt: skip
NAMES = {
    "Hull": Entity("t1", "Hull", "Team"), "Leeds": Entity("t2", "Leeds", "Team"),
    "Ada Quist": Entity("p1", "Ada Quist", "Person"), "Bo Lind": Entity("p2", "Bo Lind", "Person"),
    "Barra": Entity("a1", "Barra", "Airport"), "Wick": Entity("a2", "Wick", "Airport"),
}  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(LEAGUE, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how many matches did Hull play?", "Number of fixtures with team Hull"),
        ("how many home games has Hull played?", "Number of fixtures with home team Hull"),
        ("what teams have Hull played?", "Teams that are team of fixtures with team Hull"),
        ("how many goals did Hull score?", "total goals of fixtures of Hull"),
        ("which team scored the most goals?", "Teams, by total goals of fixtures, highest first: 1"),
        ("how many games did Hull win?", "Number of fixtures with team Hull with result = win"),
        ("number of away wins", "Number of fixtures with away team teams with result = win"),
        ("who beat Hull?", "Teams that are team of fixtures with team Hull with result = win except Hull"),
        ("who lost to Hull?", "Teams that are team of fixtures with team Hull with result = loss except Hull"),
        (
            "which teams never beat Hull?",
            "Teams except those that are team of fixtures with team Hull with result = win except Hull",
        ),
        (
            "how many times have Hull beaten Leeds?",
            "Number of fixtures with team Leeds and with team Hull with result = win",
        ),
        ("date of Hull at home to Leeds", "date of fixtures with home team Hull and with away team Leeds"),
        ("attendance of Hull away at Leeds", "attendance of fixtures with away team Hull and with home team Leeds"),
        ("matches between Hull and Leeds", "Fixtures with team Hull and with team Leeds"),
        ("who has the most wins?", "Teams, by number of fixtures with result = win, highest first: 1"),
        ("how many letters did Ada Quist receive?", "Number of letters with addressee Ada Quist"),
        ("how many letters did Ada Quist write?", "Number of letters with sender Ada Quist"),
        (
            "who wrote to Ada Quist most often?",
            "People, by number of letters with addressee Ada Quist, highest first: 1",
        ),
        ("letters from Ada Quist to Bo Lind", "Letters with sender Ada Quist and with addressee Bo Lind"),
        ("flights from Barra to Wick", "Flights with origin Barra and with destination Wick"),
        ("flights from Barra to Wick or back", "Flights with end Barra and with end Wick"),
        ("flights to Wick", "Flights with destination Wick"),
    ],
)  # fmt: skip
def test_reads_sides(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


def test_the_sides_are_told_apart_in_cypher(reader: Reader) -> None:
    cypher = render(best_reading(reader, "how many goals did Hull score?", NAMES).form, NodeTerms(), {}).cypher
    assert "CASE WHEN type(r" in cypher
    assert "'HAS_HOME_TEAM' THEN startNode(r" in cypher


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("FATHER_OF", "MOTHER_OF", ("parent", "of")),
        ("HAS_HOME_TEAM", "HAS_AWAY_TEAM", ("team",)),
        ("HAS_HOME", "HAS_AWAY", ("side",)),
        ("player_1", "player_2", ("player",)),
        ("HAS_BUYER", "HAS_SELLER", ("party",)),
        ("DIRECTED", "ACTED_IN", ()),
        ("HAS_HOME_TEAM", "HAS_REFEREE", ()),
    ],
)
def test_what_two_relations_have_in_common(one: str, other: str, both: tuple[str, ...]) -> None:
    assert in_common(one, other) == in_common(other, one) == both


def test_types_with_a_bar_in_their_names_stay_whole() -> None:
    assert any_of("READ|WRITE") == "`READ|WRITE`"
    assert any_of("HAS_SIRE|HAS_DAM") == "`HAS_SIRE`|`HAS_DAM`"


def test_only_what_each_event_has_once_has_sides() -> None:
    several = Schema({"Film": 10, "Person": 9}, (Relation("HAS_PLAYER_1", "Film", "Person", 30),
                                               Relation("HAS_PLAYER_2", "Film", "Person", 30)), (), "1")  # fmt: skip
    assert with_wider_relations(several) == several


def test_a_score_written_as_text_has_two_parts() -> None:
    games = Schema({"Game": 50, "Player": 9}, (Relation("HAS_WHITE", "Game", "Player", 50),
                                             Relation("HAS_BLACK", "Game", "Player", 50)),
                   (Property("Game", "result", "STRING", 50, ("1-0", "1/2-1/2", "0-1")),), "1")  # fmt: skip
    told = {str(each.name): each.name for each in with_wider_relations(games).relation_properties}
    assert set(told) == {"score", "score conceded", "result"}
    result = told["result"]
    assert isinstance(result, Sided)
    assert result.sides.first_type == "HAS_WHITE"
    assert "split(replace(startNode(r).`result`" in result.cypher("r")
