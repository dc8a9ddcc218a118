"""What two have in common, two verbs of one thing, exceptions, averages of the greatest, parts of titles."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

FILMS = Schema(
    {"Person": 60, "Film": 40, "Genre": 8, "Role": 30, "Award": 6},
    (
        Relation("ACTED_IN", "Person", "Film", 90), Relation("DIRECTED", "Person", "Film", 42),
        Relation("WROTE", "Person", "Film", 50), Relation("HAS_GENRE", "Film", "Genre", 70),
        Relation("APPEARS_IN", "Role", "Film", 35), Relation("WON", "Film", "Award", 9),
    ),
    (
        Property("Person", "born", "INTEGER", 60, (1930, 1981), 1901, 2001),
        Property("Film", "year", "INTEGER", 40, (1979, 1995), 1950, 2020),
        Property("Film", "runtime", "INTEGER", 40, (95, 170), 80, 210),
        Property("Film", "name", "STRING", 40, ("Nightfall", "The Quarry")),
        Property("Person", "name", "STRING", 60, ("Ada Quist", "Ben Orly")),
    ),
    "1",
)  # fmt: skip
_NAMES = {
    "Ada Quist": Entity("p1", "Ada Quist", "Person"), "Ben Orly": Entity("p2", "Ben Orly", "Person"),
    "Nightfall": Entity("f1", "Nightfall", "Film"), "Daybreak": Entity("f2", "Daybreak", "Film"),
}  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(FILMS, _NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("who wrote and directed Nightfall", "People that wrote Nightfall and that directed Nightfall"),
        ("films written and directed by Ada Quist", "Films that Ada Quist wrote and that Ada Quist directed"),
        ("films that Ada Quist wrote and acted in", "Films that Ada Quist wrote and that Ada Quist acted in"),
        ("which genres do Nightfall and Daybreak share", "genre of Nightfall and that are genre of Daybreak"),
        ("which films do Ada Quist and Ben Orly have in common", "that Ada Quist acted in and that Ben Orly acted in"),
        ("genres of Nightfall and Daybreak", "Genres that are genre of Nightfall or Daybreak"),
        ("did Ada Quist and Ben Orly direct Nightfall", "films that Ada Quist directed and that Ben Orly directed"),
        ("have Nightfall and Daybreak won awards", "Whether all of Nightfall and Daybreak are films that won awards"),
        ("actors in Nightfall other than Ada Quist", "People that acted in Nightfall except Ada Quist"),
        ("which genre has the longest films on average", "Genres, by average runtime of films, highest first: 1"),
        ("how many years passed between Nightfall and Daybreak", "Difference in year of Nightfall or Daybreak"),
        ("how many films were made each year", "Number of films, for each year"),
        ("average length of films by decade", "Average runtime of films, for each decade of year"),
        ("which decade has the most films", "Most common decade of year of films"),
        ("the top 3 genres by average runtime", "Genres, by average runtime of films, highest first: 3"),
        ("the longest film in each genre", "Films, by runtime, highest first: 1 for each genre"),
        ("the longest film of each director", "Films, by runtime, highest first: 1 for each person"),
        ("the oldest actor of each film", "by born, lowest first: 1 for each film"),
        ("how many actors are there", "Number of people that acted in films"),
        ("films of the 1990s that begin with the letter N", "year >= 1990 and with year <= 1999 and whose name starts"),
        ("films with night in the title", "Films whose name contains night"),
        ("films whose name does not end with y", "Films whose name does not end with y"),
    ],
)
def test_films(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, _NAMES).form)


@pytest.mark.parametrize("question", ["films that start with a bang", "films from which century"])
def test_what_is_no_part_of_a_name_and_no_year(reader: Reader, question: str) -> None:
    found = best_reading(reader, question, _NAMES)
    assert "starts with" not in words(found.form)
    assert "year" not in words(found.form)
