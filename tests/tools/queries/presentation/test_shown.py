"""How questions are read that say how their answers are shown."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

MARINA = Schema(
    labels={"Boat": 60, "Berth": 40, "Visit": 300, "Worker": 12, "Town": 9},
    relations=(
        Relation("LIES_AT", "Boat", "Berth", 60),
        Relation("OF_BOAT", "Visit", "Boat", 300),
        Relation("LIVES_IN", "Worker", "Town", 12),
    ),
    properties=(
        Property("Boat", "name", "STRING", 60, ("Heron", "Swift")),
        Property("Boat", "length_m", "FLOAT", 60, (5.5, 21.0), 5.5, 21.0),
        Property("Boat", "price", "FLOAT", 60, (900.0, 41000.0), 900.0, 41000.0),
        Property("Boat", "built_on", "DATE", 55, ("1999-05-01", "2020-06-30")),
        Property("Boat", "rig", "STRING", 60, ("sloop", "ketch", "yawl")),
        Property("Boat", "insured", "BOOLEAN", 60, (True, False)),
        Property("Visit", "arrived_on", "DATE", 300, ("2023-05-01", "2024-06-30")),
        Property("Worker", "name", "STRING", 12, ("Ann Lee", "Bo Moss")),
        Property("Worker", "hired_on", "DATE", 12, ("2011-05-01", "2020-06-30")),
        Property("Town", "name", "STRING", 9, ("Fowey", "Truro")),
    ),
    version="1",
)
NAMES = {"Heron": Entity("b1", "Heron", "Boat"), "Swift": Entity("b2", "Swift", "Boat")}
KINDS = {"sloop", "ketch", "yawl"}


@pytest.fixture(scope="module")
def reader() -> Reader:
    def values(text: str) -> dict[tuple[str, str, bool], list[str]]:
        kind = text.lower().removesuffix("s").removesuffix("he")
        return {("Boat", "rig", False): [kind]} if kind in KINDS else {}

    return reader_of(MARINA, NAMES, values)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("boats, longest first", "Boats, by length m, highest first"),
        ("the boats from cheapest to dearest", "Boats, by price, lowest first"),
        ("boats by price, lowest at the top", "Boats, by price, lowest first"),
        ("list the boats by length, shortest to longest", "Boats, by length m, lowest first"),
        ("boats, newest last", "Boats, by built on, lowest first"),
        ("workers, newest first", "Workers, by hired on, highest first"),
        ("visits, most recent first", "Visits, by arrived on, highest first"),
        ("workers, longest-serving first", "Workers, by hired on, lowest first"),
        ("list the workers in the order they were hired", "Workers, by hired on, lowest first"),
        ("visits in chronological order", "Visits, by arrived on, lowest first"),
        ("boats in reverse alphabetical order", "Boats, by name, Z to A"),
        ("three boats, A to Z", "Boats, by name, lowest first: 3"),
        ("give me an example of a boat", "Boats, 1 of them"),
        ("pick three boats at random", "Boats, 3 of them"),
        ("show me a few workers", "Workers, 5 of them"),
        ("boats by rig, in percent", "Percentage of boats, for each rig"),
        ("what percentage of boats is insured?", "Percentage of boats that are boats with insured = True"),
        ("visits per weekday", "Number of visits, for each weekday of arrived on"),
        ("which day of the week had the most visits?", "Most common weekday of arrived on of visits"),
        ("visits per month, all years together", "Number of visits, for each calendar month of arrived on"),
        ("how have visits developed over the years?", "Number of visits, for each year of arrived on"),
        ("boats whose date of building is not recorded", "Boats whose built on is missing"),
        ("which boats have a missing built on?", "Boats whose built on is missing"),
        ("the shortest and the longest boat",
         "Boats by length m, lowest first: 1 or by length m, highest first: 1"),
        ("price gap between the dearest and the cheapest boat", "Difference in price of boats"),
        ("difference in price between the dearest boat and the runner-up",
         "Difference in price of boats, by price, highest first: 2"),
        ("how much longer is Heron than Swift", "Difference in length m of Heron or Swift"),
        ("how many times longer is Heron than Swift", "Ratio of the length m of Heron or Swift"),
        ("are there boats without a berth? Which ones?", "Boats except those that lie at berths"),
    ],
)  # fmt: skip
def test_readings(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


def test_an_order_that_nothing_gives_is_not_explained(reader: Reader) -> None:
    reading = best_reading(reader, "towns, tastiest first", NAMES)
    assert reading.form.nodes.order is None
    assert reading.unexplained
