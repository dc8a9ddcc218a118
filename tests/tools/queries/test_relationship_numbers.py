"""Questions about the numbers of relationships that a noun names, and their queries in each database."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator
from statistics import fmean

import pytest

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

GALLERY = Schema(
    labels={"Critic": 3, "Show": 4, "Patron": 9},
    relations=(
        Relation("REVIEWED", "Critic", "Show", 9),
        Relation("DONATED_TO", "Patron", "Show", 30),
        Relation("FOLLOWS", "Patron", "Patron", 12),
    ),
    properties=(
        Property("Critic", "name", "STRING", 3, ("Ann Lee", "Bo Moss")),
        Property("Show", "name", "STRING", 4, ("Tides", "Ember")),
        Property("Show", "opened_on", "DATE", 4, ("2019-05-01",)),
        Property("Patron", "name", "STRING", 9, ("Cy Dow",)),
    ),
    version="1",
    relation_properties=(
        Property("REVIEWED", "stars", "INTEGER", 9, (1, 5)),
        Property("REVIEWED", "written_on", "DATE", 9, ("2019-05-01", "2021-06-30")),
        Property("DONATED_TO", "amount", "FLOAT", 30, (10.0, 500.0)),
        Property("DONATED_TO", "year", "INTEGER", 30, (2018, 2023)),
        Property("FOLLOWS", "since", "DATE", 12, ("2019-05-01",)),
    ),
)
NAMES = {
    "Ann Lee": Entity("Ann Lee", "Ann Lee", "Critic"),
    "Bo Moss": Entity("Bo Moss", "Bo Moss", "Critic"),
    "Tides": Entity("Tides", "Tides", "Show"),
    "Ember": Entity("Ember", "Ember", "Show"),
    "Cy Dow": Entity("Cy Dow", "Cy Dow", "Patron"),
}
REVIEWS = [
    ("Ann Lee", "Tides", "2019-05-06", 4), ("Ann Lee", "Tides", "2020-01-02", 2), ("Ann Lee", "Ember", "2020-03-04", 5),
    ("Bo Moss", "Tides", "2020-03-09", 3), ("Bo Moss", "Ember", "2021-11-30", 1),
]  # fmt: skip
"""One critic reviewed a show twice."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(GALLERY, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how many reviews are there?", "Number of times that critics reviewed shows"),
        ("how many reviews did Ann Lee write?", "Number of times that Ann Lee reviewed shows"),
        ("how many reviews did Tides get in 2020?",
         "Number of times that critics reviewed Tides with written on = 2020"),
        ("number of reviews since 2020", "Number of times that critics reviewed shows with written on >= 2020"),
        ("reviews per year", "Number of times that critics reviewed shows, for each year of written on"),
        ("which year had the most reviews?",
         "Number of times that critics reviewed shows, for each year of written on, highest first: 1"),
        ("how have reviews developed over the years?",
         "Number of times that critics reviewed shows, for each year of written on"),
        ("average stars of reviews per year", "Average stars of shows of critics, for each year of written on"),
        ("reviews per critic", "Number of shows for each of critics"),
        ("number of reviews of each show", "Number of critics for each of shows"),
        ("average stars of reviews by show", "Average stars of critics for each of shows"),
        ("donations per year", "Number of times that patrons donated to shows, for each year"),
    ],
)  # fmt: skip
def test_readings(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


@pytest.mark.parametrize(
    "question",
    [
        "how many followers does Cy Dow have?",
        "who reviews Tides?",
        "how many shows were reviewed?",
        "total donations per patron",
        "which patron made the most donations?",
        "number of reviews by critic",
    ],
)
def test_who_does_it_and_verbs_are_no_such_nouns(reader: Reader, question: str) -> None:
    assert "times that" not in words(best_reading(reader, question, NAMES).form)


@pytest.fixture(scope="module")
def graph(any_database: BoltDatabase) -> Iterator[GraphStore]:
    store = any_database.open(f"numbers-{uuid.uuid4().hex[:12]}", create=True)
    scope = f":{quoted(store.scope)}" if store.scope else ""
    for label in ("Critic", "Show"):
        rows = [{"nodeId": name, "name": name} for name, entity in NAMES.items() if entity.label == label]
        store.write(f"UNWIND $rows AS row CREATE (n:{label}{scope}) SET n = row", {"rows": rows})
    for critic, show, day, stars in REVIEWS:
        store.write(
            f"MATCH (a:Critic{scope} {{name: $critic}}), (b:Show{scope} {{name: $show}}) "
            "CREATE (a)-[:REVIEWED {written_on: $day, stars: $stars}]->(b)",
            {"critic": critic, "show": show, "day": day, "stars": stars},
        )
    yield store
    any_database.drop(store.name)


def rows(graph: GraphStore, reader: Reader, question: str) -> list[dict[str, object]]:
    query = render(best_reading(reader, question, NAMES).form, graph.terms, {})
    return [dict(row) for row in graph.read(query.cypher, query.parameters).records]


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("how many reviews are there?", lambda critic, show, day: True),
        ("how many reviews did Ann Lee write?", lambda critic, show, day: critic == "Ann Lee"),
        ("how many reviews did Tides get in 2020?", lambda critic, show, day: show == "Tides" and day[:4] == "2020"),
        ("number of reviews between 2019 and 2020", lambda critic, show, day: day[:4] <= "2020"),
    ],
)
def test_each_relationship_counts(graph: GraphStore, reader: Reader, question: str, kept: object) -> None:
    assert callable(kept)
    expected = sum(bool(kept(critic, show, day)) for critic, show, day, _ in REVIEWS)
    assert [row["value"] for row in rows(graph, reader, question)] == [expected]


def test_numbers_for_each_end(graph: GraphStore, reader: Reader) -> None:
    critics = Counter(critic for critic, _, _, _ in REVIEWS)
    assert {row["name"]: row["value"] for row in rows(graph, reader, "reviews per critic")} == critics
    shows = Counter(show for _, show, _, _ in REVIEWS)
    assert {row["name"]: row["value"] for row in rows(graph, reader, "number of reviews of each show")} == shows


def test_numbers_for_each_period(graph: GraphStore, reader: Reader) -> None:
    years = Counter(day[:4] for _, _, day, _ in REVIEWS)
    assert {row["name"]: row["value"] for row in rows(graph, reader, "reviews per year")} == years
    (best,) = rows(graph, reader, "which year had the most reviews?")
    assert (best["name"], best["value"]) == ("2020", 3)
    means = {year: fmean(stars for _, _, day, stars in REVIEWS if day[:4] == year) for year in years}
    found = {row["name"]: row["value"] for row in rows(graph, reader, "average stars of reviews per year")}
    assert found == pytest.approx(means)
