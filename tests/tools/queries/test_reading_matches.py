"""Questions about matches, pupils and lines: events with a winner and a loser, grades, kinds, and what two have in
common."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.lexical import Token
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Condition, Link, Nodes, Step
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.union_rules import of_both
from tests.tools.queries.question_readings import best_reading, reader_of

CLUB = Schema(
    {"Player": 40, "Match": 200, "Edition": 20, "Pupil": 60, "Exam": 9, "Teacher": 12, "Subject": 9,
     "TrainClass": 9, "Depot": 6, "Line": 8, "Station": 30, "Vaccine": 20, "Maker": 6, "Scientist": 12, "Approval": 40,
     "Trip": 6},
    (
        Relation("HAS_WINNER", "Match", "Player", 200), Relation("HAS_LOSER", "Match", "Player", 200),
        Relation("PART_OF", "Match", "Edition", 200), Relation("PARTNERED_WITH", "Player", "Player", 20),
        Relation("SAT", "Pupil", "Exam", 300), Relation("TEACHES", "Teacher", "Subject", 20),
        Relation("REPORTS_TO", "Teacher", "Teacher", 10), Relation("WENT_ON", "Pupil", "Trip", 60),
        Relation("STABLED_AT", "TrainClass", "Depot", 12), Relation("CALLS_AT", "Line", "Station", 90),
        Relation("MADE_BY", "Vaccine", "Maker", 20), Relation("DEVELOPED_BY", "Vaccine", "Scientist", 40),
        Relation("APPROVES", "Approval", "Vaccine", 40),
    ),
    (
        Property("Player", "name", "STRING", 40, ("Ada Quist", "Bo Lind")),
        Property("Player", "born", "INTEGER", 40, (1991, 1999), 1985, 2004),
        Property("Match", "matchNo", "STRING", 200, ("M1", "M2")),
        Property("Match", "round", "STRING", 200, ("Final", "Semifinal")),
        Property("Match", "playedOn", "DATE", 200, ("2021-02-03",)),
        Property("Edition", "name", "STRING", 20, ("Moor Open 2021",)),
        Property("Pupil", "name", "STRING", 60, ("Hugo Okafor",)),
        Property("Exam", "name", "STRING", 9, ("Biology Mock",)),
        Property("Exam", "heldOn", "DATE", 9, ("2025-06-08",)),
        Property("Teacher", "name", "STRING", 12, ("Claire Dubois",)),
        Property("Subject", "name", "STRING", 9, ("French",)),
        Property("TrainClass", "name", "STRING", 9, ("Class 45",)),
        Property("TrainClass", "builder", "STRING", 9, ("Vossberg", "Brush")),
        Property("Depot", "name", "STRING", 6, ("Holloway",)),
        Property("Line", "name", "STRING", 8, ("Harbour Loop", "Coast Line")),
        Property("Station", "name", "STRING", 30, ("Cold Harbour",)),
        Property("Vaccine", "name", "STRING", 20, ("Menicor",)),
        Property("Vaccine", "pricePerDoseUsd", "FLOAT", 20, (12.5, 90.0), 2.0, 200.0),
        Property("Vaccine", "doses", "INTEGER", 20, (1, 2), 1, 4),
        Property("Maker", "name", "STRING", 6, ("Golden Reed",)),
        Property("Scientist", "name", "STRING", 12, ("Dorothy Vance",)),
        Property("Approval", "name", "STRING", 40, ("Approval of Menicor in India",)),
        Property("Approval", "country", "STRING", 40, ("Japan", "Chile")),
        Property("Approval", "date", "DATE", 40, ("2024-03-10",)),
        Property("Trip", "name", "STRING", 6, ("Snow Hike",)),
        Property("Trip", "destination", "STRING", 6, ("Seville",)),
    ),
    "1",
    relation_properties=(
        Property("SAT", "grade", "STRING", 300, ("A", "A*", "B")),
        Property("SAT", "mark", "INTEGER", 300, (39, 85), 10, 100),
    ),
)  # fmt: skip
NAMES = {
    "Ada Quist": Entity("p1", "Ada Quist", "Player"),
    "Bo Lind": Entity("p2", "Bo Lind", "Player"),
    "Moor Open 2021": Entity("e1", "Moor Open 2021", "Edition"),
    "Biology Mock": Entity("x1", "Biology Mock", "Exam"),
    "Claire Dubois": Entity("t1", "Claire Dubois", "Teacher"),
    "Class 45": Entity("c1", "Class 45", "TrainClass"),
    "Holloway": Entity("d1", "Holloway", "Depot"),
    "Harbour Loop": Entity("l1", "Harbour Loop", "Line"),
    "Coast Line": Entity("l2", "Coast Line", "Line"),
    "Menicor": Entity("v1", "Menicor", "Vaccine"),
    "Snow Hike": Entity("h1", "Snow Hike", "Trip"),
}
_VALUES = {
    "final": {("Match", "round", False): ["Final"]},
    "a": {("SAT", "grade", True): ["A", "A*"]},
    "a*": {("SAT", "grade", True): ["A", "A*"]},
    "japan": {("Approval", "country", False): ["Japan"]},
    "chile": {("Approval", "country", False): ["Chile"]},
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(CLUB, NAMES, lambda text: _VALUES.get(text.lower(), {}))


@pytest.mark.parametrize(
    ("question", "read"),
    [
        # An event with two ends: which one a verb's subject is.
        ("Who beat Ada Quist?", "Players that are winner of matches with loser Ada Quist"),
        ("Whom did Ada Quist beat?", "Players that are loser of matches with winner Ada Quist"),
        ("Who was beaten by Ada Quist?", "Players that are loser of matches with winner Ada Quist"),
        ("Who lost to Ada Quist?", "Players that are loser of matches with winner Ada Quist"),
        (
            "Whom did Ada Quist beat in the final?",
            "Players that are loser of matches with winner Ada Quist and with round = Final",
        ),
        (
            "Who lost to Ada Quist at the Moor Open 2021?",
            "Players that are loser of matches with winner Ada Quist and that are part of Moor Open 2021",
        ),
        ("When did Ada Quist beat Bo Lind?", "played on of matches with winner Ada Quist and with loser Bo Lind"),
        # One letter is a value where it is written so.
        ("Who got an A in the Biology Mock?", "Pupils with sat Biology Mock with grade = A"),
        ("Who got an A* in the Biology Mock?", "Pupils with sat Biology Mock with grade = A*"),
        (
            "Top 3 pupils by mark in the Biology Mock",
            "Pupils with sat Biology Mock, by highest mark of Biology Mock, highest first: 3",
        ),
        # People of a clause are not asked for.
        (
            "subjects taught by the people who report to Claire Dubois",
            "Subjects that teachers that report to Claire Dubois teach",
        ),
        # The relation that a verb names comes before its synonyms; an agent may be a property.
        ("Who makes Menicor?", "Makers that Menicor is made by"),
        ("Who developed Menicor?", "Scientists that Menicor is developed by"),
        ("Who built the Class 45?", "builder of Class 45"),
        # Kinds, and what two have in common.
        ("What kinds of train are kept at Holloway?", "Train classes stabled at Holloway"),
        (
            "Where do the Harbour Loop and the Coast Line meet?",
            "Stations that Harbour Loop calls at and that Coast Line calls at",
        ),
        (
            "Which other lines share a station with the Harbour Loop?",
            "Lines that call at stations that Harbour Loop calls at except Harbour Loop",
        ),
        ("most expensive vaccine per dose", "Vaccines, by price per dose usd, highest first: 1"),
        ("Which vaccine costs the least per dose?", "Vaccines, by price per dose usd, lowest first: 1"),
        ("Where did the Snow Hike go?", "destination of Snow Hike"),
        ("exam date of the Biology Mock", "held on of Biology Mock"),
    ],
)  # fmt: skip
def test_reads_events_grades_and_kinds(reader: Reader, question: str, read: str) -> None:
    reading = best_reading(reader, question, NAMES)

    assert words(reading.form) == read
    assert render(reading.form, NodeTerms(), {}).cypher


def test_partners_are_partners_of_each_other(reader: Reader) -> None:
    form = best_reading(reader, "Who is Ada Quist partnered with?", NAMES).form

    assert form.nodes.links[0].path[0].either


def test_both_values_are_each_of_one_of_their_own() -> None:
    either = (Predicate("country", "=", "Japan", "text"), Predicate("country", "=", "Chile", "text"))
    approvals = Nodes("Approval", conditions=(Condition(either[0], property="country", alternatives=either[1:]),))
    vaccines = Nodes("Vaccine", links=(Link((Step("APPROVES", False, "Approval"),), approvals),))
    tokens = (Token("both", 0, 4),)

    split = of_both(vaccines, cast(Grammar, SimpleNamespace(tokens=tokens)))

    assert [[c.predicate for c in link.other.conditions] for link in split.links] == [[either[0]], [either[1]]]
    assert of_both(vaccines, cast(Grammar, SimpleNamespace(tokens=()))) == vaccines
