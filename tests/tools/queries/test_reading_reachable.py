"""Questions about all that can be reached by a relation, taken any number of times."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.lexical import tokens
from clew.tools.queries.reading.english.depth_words import words_of_depth
from clew.tools.queries.reading.forms.depth import leads_up
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

_COUNTS = {
    "Employee": 60, "Region": 40, "Warehouse": 30, "Module": 50, "Edition": 30, "Fungus": 20, "Family": 12, "Stop": 40,
}  # fmt: skip
SCHEMA = Schema(
    _COUNTS,
    (
        Relation("REPORTS_TO", "Employee", "Employee", 59), Relation("MENTORED", "Employee", "Employee", 20),
        Relation("PART_OF", "Region", "Region", 39), Relation("LOCATED_IN", "Warehouse", "Region", 30),
        Relation("REQUIRES", "Module", "Module", 70), Relation("FOLLOWS", "Edition", "Edition", 29),
        Relation("broaderFamily", "Family", "Family", 11), Relation("inFamily", "Fungus", "Family", 20),
        Relation("CONNECTED_TO", "Stop", "Stop", 60),
    ),
    tuple(Property(label, "name", "STRING", n, (label + " one", label + " two")) for label, n in _COUNTS.items()), "1",
)  # fmt: skip
NAMES = {
    "Ines Falk": Entity("e1", "Ines Falk", "Employee"),
    "Osterland": Entity("r1", "Osterland", "Region"),
    "Parser Core": Entity("m1", "Parser Core", "Module"),
    "Third Folio": Entity("d1", "Third Folio", "Edition"),
    "Agaricales": Entity("f1", "Agaricales", "Family"),
    "Mill Lane": Entity("s1", "Mill Lane", "Stop"),
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(SCHEMA, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        (
            "Everyone below Ines Falk in the reporting line",
            "Employees that report to Ines Falk, directly or indirectly",
        ),
        ("Who stands above Ines Falk, all the way up?", "Employees that Ines Falk reports to, directly or indirectly"),
        (
            "all the people that Ines Falk mentored, and whom they mentored, and so on",
            "Employees that Ines Falk mentored, directly",
        ),
        (
            "Who can be traced back to Ines Falk through any number of mentorings?",
            "Employees that Ines Falk mentored, directly",
        ),
        ("Which regions lie in Osterland, at whatever level?", "Regions that are part of Osterland, directly"),
        ("Which modules does Parser Core need, directly or indirectly?", "Modules that Parser Core requires, directly"),
        (
            "Which modules would be affected by a change to Parser Core, however far down?",
            "Modules that require Parser Core, directly",
        ),
        (
            "Trace the whole chain of earlier editions behind the Third Folio",
            "Editions that Third Folio follows, directly",
        ),
        (
            "Which fungi belong to the Agaricales, at any level?",
            "Funguses with in family families Agaricales or that are",
        ),
        (
            "Going from stop to stop, where can I get to from Mill Lane?",
            "Stops connected to Mill Lane, directly or indirectly",
        ),
        (
            "How many people are under Ines Falk in the chain of command?",
            "Number of employees that report to Ines Falk, directly",
        ),
    ],
)
def test_what_can_be_reached(reader: Reader, question: str, read: str) -> None:
    form = best_reading(reader, question, NAMES).form
    assert words(form).startswith(read), words(form)
    assert "directly or indirectly" in words(form)


@pytest.mark.parametrize(
    "question",
    ["Who reports to Ines Falk?", "Which regions are part of Osterland?", "Which stops are connected to Mill Lane?"],
)
def test_one_step_is_meant_where_nothing_says_more(reader: Reader, question: str) -> None:
    assert "indirectly" not in words(best_reading(reader, question, NAMES).form)


@pytest.mark.parametrize(
    ("relation", "up"),
    [
        ("REPORTS_TO", True), ("SEQUEL_OF", True), ("parent", True), ("DEPENDS_ON", True), ("FOLLOWED_BY", False),
        ("FOLLOWS", True), ("hasPart", False), ("MANAGES", False), ("PRECEDED_BY", True), ("broaderClass", True),
        ("SUCCEEDED_BY", False), ("MENTORED_BY", True), ("MENTORED", False), ("LOCATED_IN", True),
    ],
)  # fmt: skip
def test_the_way_that_a_relation_leads(relation: str, up: bool) -> None:
    assert leads_up(relation) is up


@pytest.mark.parametrize(
    "text",
    ["Which of all the lines stops at Mill Lane?", "machines that cost the most to keep going", "levels of the game"],
)
def test_words_that_say_no_depth(text: str) -> None:
    assert not words_of_depth(tokens(text))


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Who reports to Ines Falk?", "Employees with boss Ines Falk"),
        ("Who manages Ines Falk?", "Employees that are boss of Ines Falk"),
        ("everyone under Ines Falk, at any level", "Employees with boss Ines Falk, directly or indirectly"),
    ],
)
def test_a_boss_is_who_somebody_reports_to(question: str, read: str) -> None:
    schema = Schema({"Employee": 60}, (Relation("HAS_BOSS", "Employee", "Employee", 59),), SCHEMA.properties[:1], "1")
    form = best_reading(reader_of(schema, NAMES), question, {"Ines Falk": NAMES["Ines Falk"]}).form
    assert words(form) == read
