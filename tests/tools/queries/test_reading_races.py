"""Questions about races and those who take part: places, roles, what has ended, and what is said by another form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.tools.embedding import MiniLM
from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.follow_ups.double_questions import DoubleQuestions
from clew.tools.queries.follow_ups.follow_up_reader import FollowUpReader
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.name_anchors import GraphNames
from clew.tools.queries.reading.forms.form import Link, Nodes, Step, Value
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.told_values import told_words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, mentions_in, reader_of

RACES = Schema(
    {"Driver": 30, "Race": 40, "Team": 10, "Country": 8, "Site": 12, "Mission": 30, "Drug": 20},
    (
        Relation("RACED_IN", "Driver", "Race", 300), Relation("DROVE_FOR", "Driver", "Team", 60),
        Relation("CITIZEN_OF", "Driver", "Country", 30), Relation("MENTORED", "Driver", "Driver", 20),
        Relation("LAUNCHED_FROM", "Mission", "Site", 30), Relation("FLEW_ON", "Driver", "Mission", 60),
        Relation("USES", "Team", "Drug", 20), Relation("MADE_BY", "Drug", "Team", 20),
    ),
    (
        Property("Driver", "name", "STRING", 30, ("Ada Quist", "Bo Lind")),
        Property("Driver", "birthDate", "DATE", 30, ("1991-02-03",)),
        Property("Race", "name", "STRING", 40, ("Moor Prize", "Lake Prize")),
        Property("Race", "raceDate", "DATE", 40, ("2021-02-03",)),
        Property("Team", "name", "STRING", 10, ("Kestrel", "Heron")),
        Property("Team", "headquarters", "STRING", 10, ("Oslo", "Bergen")),
        Property("Team", "foundedYear", "INTEGER", 10, (1951, 1987), 1940, 2010),
        Property("Team", "staffCount", "INTEGER", 10, (120, 900), 20, 4000),
        Property("Country", "name", "STRING", 8, ("Norway", "Chile")),
        Property("Site", "name", "STRING", 12, ("Cape North",)),
        Property("Site", "country", "STRING", 12, ("Norway",)),
        Property("Mission", "name", "STRING", 30, ("Silk Comet",)),
        Property("Mission", "completionDate", "DATE", 30, ("2021-02-03",)),
        Property("Mission", "status", "STRING", 30, ("completed", "planned")),
        Property("Drug", "name", "STRING", 20, ("Veltra",)),
        Property("Drug", "route", "STRING", 20, ("intravenous", "oral")),
        Property("Drug", "numberOfPages", "INTEGER", 20, (12, 90), 2, 400),
    ),
    "1",
    relation_properties=(
        Property("RACED_IN", "finishPos", "INTEGER", 300, (1, 2, 12), 1, 20),
        Property("RACED_IN", "gridPos", "INTEGER", 300, (1, 2, 12), 1, 20),
        Property("DROVE_FOR", "sinceYear", "INTEGER", 60, (2012, 2020), 2001, 2023),
        Property("DROVE_FOR", "untilYear", "INTEGER", 40, (2015, 2021), 2002, 2023),
        Property("FLEW_ON", "role", "STRING", 60, ("commander", "pilot")),
    ),
)  # fmt: skip
NAMES = {
    "Ada Quist": Entity("d1", "Ada Quist", "Driver"),
    "Moor Prize": Entity("r1", "Moor Prize", "Race"),
    "Kestrel": Entity("t1", "Kestrel", "Team"),
    "Silk Comet": Entity("m1", "Silk Comet", "Mission"),
}
_VALUES = {
    "commander": {("FLEW_ON", "role", True): ["commander"]},
    "intravenous": {("Drug", "route", False): ["intravenous"]},
    "completed": {("Mission", "status", False): ["completed"]},
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(RACES, NAMES, lambda text: _VALUES.get(text, {}))


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Who won the Moor Prize?", "Drivers raced in Moor Prize with finish position = 1"),
        ("winner of the Moor Prize", "Drivers raced in Moor Prize with finish position = 1"),
        ("Who was on the podium of the Moor Prize?", "Drivers raced in Moor Prize with finish position <= 3"),
        ("Who finished in the top five in the Moor Prize?", "Drivers raced in Moor Prize with finish position <= 5"),
        ("How many wins does Ada Quist have?", "Number of races that Ada Quist is raced in with finish position = 1"),
        ("Which drivers have never won a race?", "Drivers except those raced in races with finish position = 1"),
    ],
)
def test_the_place_in_which_one_finished_is_a_property_of_taking_part(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


def test_who_won_most_is_not_who_took_part_most(reader: Reader) -> None:
    order = best_reading(reader, "Who won the most races?", NAMES).form.nodes.order
    assert order is not None
    assert order.by.link is not None
    assert [(each.property, each.value) for each in order.by.link.conditions] == [("finishPos", 1)]


@pytest.mark.parametrize(
    ("question", "read", "cypher"),
    [
        ("Who currently drives for Kestrel?", "with no until year", "`untilYear` IS NULL"),
        ("Who used to drive for Kestrel?", "with until year", "`untilYear` IS NOT NULL"),
    ],
)
def test_relationships_of_now_have_no_end(reader: Reader, question: str, read: str, cypher: str) -> None:
    form = best_reading(reader, question, NAMES).form
    assert words(form) == f"Drivers that drove for Kestrel {read}"
    assert cypher.replace("`", "") in render(form, NodeTerms(), {}).cypher.replace("`", "")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Which missions has Ada Quist commanded?", "Missions that Ada Quist is flew on with role = commander"),
        ("Who commanded Silk Comet?", "Drivers flew on Silk Comet with role = commander"),
        ("drugs that are given intravenously", "Drugs with route = intravenous"),
        ("Where is Kestrel based?", "headquarters of Kestrel"),
        ("From where was Silk Comet launched?", "Sites that Silk Comet is launched from"),
        ("When was Silk Comet completed?", "completion date of Silk Comet"),
        ("Ada Quist's year of birth", "birth date of Ada Quist"),
        ("Which team has the most staff?", "Teams, by staff count, highest first: 1"),
        ("three longest drugs by number of pages", "Drugs, by number of pages, highest first: 3"),
        ("oldest team by founding year", "Teams, by founded year, lowest first: 1"),
        ("routes of the drugs Kestrel uses", "route of drugs that Kestrel uses"),
        ("routes of everything Kestrel uses", "route of drugs that Kestrel uses"),
    ],
)
def test_words_in_another_form_say_values_and_properties(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("When and where was Kestrel founded?", None),
        ("Where is Kestrel based and when was it founded?", "headquarters and founded year of Kestrel"),
        ("What is the headquarters and founding year of Kestrel?", None),  # One reading gives both.
        ("For whom does Ada Quist drive, and since when?", "Ada Quist"),
        ("Which races did Ada Quist win, and when?", "Races that Ada Quist is raced in with finish position = 1"),
        ("date and winner of the Moor Prize", "Moor Prize"),
        ("Which teams are based in Oslo?", None),
        ("Who drives for Kestrel and who mentored Ada Quist?", None),
    ],
)
def test_two_questions_in_one_are_both_answered(reader: Reader, question: str, read: str | None) -> None:
    def find(text: str) -> list[Mention]:
        return mentions_in(text, NAMES)

    found = DoubleQuestions(reader, FollowUpReader(reader, find), find).read(question, (), 60)
    assert [words(each.reading.form).split(", each")[0] for each in found] == ([] if read is None else [read])
    assert all(each.whole and not each.turn for each in found)
    if read is not None:
        form = found[0].reading.form
        assert len(form.columns) + (form.asks == "value") >= 1 + (form.asks == "value")


@pytest.mark.parametrize(
    "question",
    [
        "Everyone Ada Quist mentored, those they mentored, and so on",
        "Who was mentored by Ada Quist, however many steps down?",
        "Who did Ada Quist mentor, directly or indirectly?",
    ],
)
def test_what_is_said_of_all_levels_is_taken_any_number_of_times(reader: Reader, question: str) -> None:
    form = best_reading(reader, question, NAMES).form
    assert words(form) == "Drivers that Ada Quist mentored, directly or indirectly"


@pytest.mark.parametrize(("sites", "read"), [(12, "Sites"), (40, "Clinic 0 or Clinic 1 or Clinic 2 …")])
def test_a_noun_in_the_names_of_a_label_means_its_nodes(sites: int, read: str) -> None:
    clinics = [Entity(f"s{i}", f"Clinic {i}", "Site") for i in range(6)]
    schema = replace(RACES, labels={**RACES.labels, "Site": sites})
    names = GraphNames(lambda name: [], partly=lambda word: clinics if word == "clinic" else [])
    reader = Reader(schema, names, MiniLM(), Glosses())
    assert words(best_reading(reader, "list all clinics", {}).form).startswith(read)


def test_values_of_one_kind_are_told_apart() -> None:
    drove, flew = (Link((Step(each, True, "Team"),), Nodes("Team")) for each in ("DROVE_FOR", "FLEW_FOR"))
    values = [Value("name", None, link, kind="text") for link in (drove, flew)]
    assert told_words([*values, Value("year")]) == ["team (drove for)", "team (flew for)", "year"]
    assert told_words(values[:1]) == ["team"]


def test_another_topic_may_begin_a_conversation(reader: Reader) -> None:
    found = FollowUpReader(reader, lambda text: mentions_in(text, NAMES)).read(
        "Different question: who won it?", (), 60
    )
    assert found == []
