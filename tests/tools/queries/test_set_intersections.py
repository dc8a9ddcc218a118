"""Several conditions that are read one by one."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Condition, Form, Nodes
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.intersection import in_common
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

SURVEYS = Schema(
    {"Survey": 70, "Park": 20, "Researcher": 24, "Animal": 90},
    (
        Relation("SURVEY_IN", "Survey", "Park", 70),
        Relation("LED_BY", "Survey", "Researcher", 70),
        Relation("SURVEY_OF", "Survey", "Animal", 70),
        Relation("FOUND_IN", "Animal", "Park", 160),
    ),
    (
        Property("Survey", "method", "STRING", 70, ("camera trap", "line transect")),
        Property("Survey", "survey_date", "DATE", 70, ("2012-09-01", "2019-01-28", "2022-03-04")),
        Property("Survey", "paid", "BOOLEAN", 70, (True, False)),
        Property("Survey", "individuals_counted", "INTEGER", 70, (135, 288), 20, 4804),
        Property("Researcher", "nationality", "STRING", 24, ("Kenyan", "British")),
        Property("Animal", "name", "STRING", 90, ("lion", "zebra")),
    ),
    "1",
)
NAMES = {
    "Serengeti": Entity("p1", "Serengeti", "Park"),
    "Tobias Grant": Entity("r1", "Tobias Grant", "Researcher"),
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    held = {
        "camera trap": {("Survey", "method", False): ["camera trap"]},
        "line transect": {("Survey", "method", False): ["line transect"]},
        "kenyan": {("Researcher", "nationality", False): ["Kenyan"]},
    }
    return reader_of(SURVEYS, NAMES, lambda text: held.get(text.lower().removesuffix("s"), {}))


@pytest.mark.parametrize(
    ("question", "read"),
    [
        (
            "Need all Serengeti surveys that used camera traps, from 2019 onwards",
            ("Serengeti", "method = camera trap", "survey date >= 2019"),
        ),
        (
            "every survey Tobias Grant was in charge of that used line transects, after 2020",
            ("Tobias Grant", "method = line transect", "survey date > 2020"),
        ),
        (
            "paid surveys that made use of camera traps and were led by Tobias Grant",
            ("paid = True", "method = camera trap", "led by Tobias Grant"),
        ),
    ],
)
def test_every_condition_is_kept(reader: Reader, question: str, read: tuple[str, ...]) -> None:
    said = words(best_reading(reader, question, NAMES).form)
    assert [each for each in read if each not in said] == [], said
    assert said.startswith("Surveys")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("which animals were found in Serengeti?", "Animals that found in Serengeti"),
        ("what method does the survey in Serengeti led by Tobias Grant use?", "method"),
        ("surveys since 2012", "survey date >= 2012"),
    ],
)
def test_other_questions_are_read_as_a_whole(reader: Reader, question: str, read: str) -> None:
    assert read.lower() in words(best_reading(reader, question, NAMES).form).lower()


def test_two_values_for_one_text_have_nothing_in_common(reader: Reader) -> None:
    said = words(best_reading(reader, "surveys that used camera traps with line transects", NAMES).form)
    assert "camera trap and with method = line transect" not in said


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how many animals were counted in the surveys Tobias Grant led?", "Total individuals counted"),
        ("how many individuals did the surveys led by Tobias Grant count?", "individuals counted"),
        ("how many surveys did Tobias Grant lead?", "Number of surveys"),
        ("how many animals are found in Serengeti?", "Number of animals"),
    ],
)
def test_a_quantity_that_is_said_is_added_up(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, NAMES).form)


ROWS = [{"id": f"n{a}{b}{text}", "a": a, "b": b, "text": text} for a in range(3) for b in range(2) for text in "xyz"]
TESTS = st.one_of(
    st.builds(Predicate, st.sampled_from("ab"), st.sampled_from(("=", "<", ">")), st.integers(0, 2), st.just("number")),
    st.builds(Predicate, st.just("text"), st.just("="), st.sampled_from("xyz"), st.just("text")),
)
CONDITIONS = st.builds(lambda test: Condition(test, property=test.property), TESTS)
ENTITIES = st.sampled_from(ROWS).map(lambda row: Entity(str(row["id"]), str(row["id"]), "Row"))


PLAIN = st.lists(CONDITIONS, min_size=1, max_size=2).map(lambda conditions: Nodes("Row").where(*conditions))
PARTS = st.just(()) | PLAIN.map(lambda nodes: (nodes,))
SETS = PLAIN | st.builds(
    lambda nodes, entities, without, within, either: replace(
        nodes, entities=entities, without=without, within=within, either=either
    ),
    PLAIN,
    st.just(()) | st.lists(ENTITIES, min_size=6, max_size=12, unique=True).map(tuple),
    PARTS,
    PARTS,
    PARTS,
)


def belongs(row: dict[str, Any], nodes: Nodes) -> bool:
    """Whether a row is in a set, by plain Python."""
    compare = {"=": operator.eq, "<": operator.lt, ">": operator.gt}
    tests = [(each.predicate, *each.alternatives) for each in nodes.conditions if each.predicate is not None]
    return (
        (not nodes.entities or any(row["id"] == each.id for each in nodes.entities))
        and all(any(compare[one.comparison](row[one.property], one.value) for one in several) for several in tests)
        and not any(belongs(row, each) for each in nodes.without)
        and all(belongs(row, each) for each in nodes.within)
        and (not nodes.either or any(belongs(row, each) for each in nodes.either))
    )


@settings(max_examples=1_500)
@given(SETS, st.lists(SETS, min_size=1, max_size=1))
def test_what_sets_have_in_common(nodes: Nodes, others: list[Nodes]) -> None:
    found = in_common(Form("nodes", nodes), others)
    if found is not None:
        wanted = [row["id"] for row in ROWS if all(belongs(row, each) for each in (nodes, *others))]
        assert [row["id"] for row in ROWS if belongs(row, found.nodes)] == wanted
