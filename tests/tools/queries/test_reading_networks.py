"""Questions about graphs as people draw them: relatives, marriages as nodes, relations to several kinds of things."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import column_words, words
from clew.tools.queries.reading.forms.told_values import told_values
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

_PROPERTIES = (
    Property("Person", "name", "STRING", 80, ("Ada Quist", "Bo Lind")),
    Property("Person", "gender", "STRING", 80, ("female", "male")),
    Property("Person", "birthDate", "DATE", 80, ("1901-02-03",)),
    Property("Person", "reignStart", "DATE", 12, ("1921-02-03",)),
    Property("Person", "reignEnd", "DATE", 12, ("1931-02-03",)),
    Property("User", "name", "STRING", 30, ("moss", "fern")),
    Property("Film", "name", "STRING", 40, ("Nightfall", "Daybreak")),
    Property("Series", "name", "STRING", 20, ("Harbour", "Lanterns")),
    Property("Marriage", "name", "STRING", 20, ("Marriage of Ada and Bo",)),
    Property("Marriage", "marriageDate", "DATE", 20, ("1925-06-01",)),
    Property("Company", "name", "STRING", 10, ("Kestrel", "Heron")),
    Property("Company", "employeeCount", "INTEGER", 10, (12, 900), 12, 900),
    Property("Trial", "name", "STRING", 30, ("BEACON", "AURORA")),
    Property("Trial", "phase", "INTEGER", 30, (1, 2, 3), 1, 4),
    Property("Trial", "status", "STRING", 30, ("open", "closed")),
    Property("Trial", "participants", "INTEGER", 30, (31, 400), 20, 4000),
    Property("Trial", "durationYears", "INTEGER", 20, (1, 5), 1, 9),
    Property("Trial", "prescriptionOnly", "BOOLEAN", 30, (True, False)),
)
NETWORK = Schema(
    {"Person": 80, "User": 30, "Film": 40, "Series": 20, "Marriage": 20, "Company": 10, "Trial": 30, "Disease": 9},
    (
        Relation("hasChild", "Person", "Person", 60), Relation("spouse", "Marriage", "Person", 40),
        Relation("DIRECTED", "Person", "Film", 40), Relation("DIRECTED", "Person", "Series", 20),
        Relation("WROTE", "Person", "Film", 40), Relation("WROTE", "Person", "Series", 20),
        Relation("WATCHED", "User", "Film", 90), Relation("WATCHED", "User", "Series", 40),
        Relation("SUBSIDIARY_OF", "Company", "Company", 6), Relation("DIRECTOR_OF", "Person", "Company", 20),
        Relation("SPONSORED_BY", "Trial", "Company", 30), Relation("INDICATED_FOR", "Trial", "Disease", 30),
    ),
    _PROPERTIES, "1",
)  # fmt: skip
_NAMES = {
    "Ada Quist": Entity("p1", "Ada Quist", "Person"),
    "Bo Lind": Entity("p2", "Bo Lind", "Person"),
    "Nightfall": Entity("f1", "Nightfall", "Film"),
    "Kestrel": Entity("c1", "Kestrel", "Company"),
    "Heron": Entity("c2", "Heron", "Company"),
    "BEACON": Entity("t1", "BEACON", "Trial"),
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(NETWORK, _NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("who was the mother of Ada Quist?", "People with child Ada Quist and with gender = female"),
        ("how many sons does Ada Quist have?", "Number of people that are child of Ada Quist and with gender = male"),
        ("husband of Ada Quist", "People that are spouse of marriages with spouse Ada Quist and with gender = male"),
        ("all descendants of Ada Quist", "People that are child of Ada Quist, directly or indirectly"),
        ("ancestors of Ada Quist", "People with child Ada Quist, directly or indirectly"),
        ("when did Ada Quist marry Bo Lind?", "marriage date of marriages"),
        ("which person reigned the longest?", "by duration (days from reign start to reign end), highest first: 1"),
        ("writers born after 1900", "People that wrote film or series"),
        ("number of people who watched Nightfall", "Number of users that watched Nightfall"),
        ("which company owns Kestrel?", "Companies whose subsidiary is Kestrel"),
        ("which companies does Kestrel own?", "Companies that are subsidiary of Kestrel"),
        ("who is on the board of Kestrel?", "People that are director of Kestrel"),
        (
            "who is a director of Kestrel and also of Heron?",
            "People that are director of Kestrel and that are director of Heron",
        ),
        ("how many people took part in BEACON?", "participants of BEACON"),
        ("what's the headcount of Kestrel?", "employee count of Kestrel"),
        ("how many employees does Kestrel have?", "employee count of Kestrel"),
        ("which companies have more than 100 employees?", "Companies with employee count > 100"),
        ("when did the marriage of Ada and Bo take place?", "marriage date of marriages"),
        ("which marriages took place in June 1925?", "Marriages with marriage date = 1925-06"),
        ("number of trials per phase", "Number of trials, for each phase"),
        ("what is BEACON prescribed for?", "Diseases that BEACON is indicated for"),
        ("trials with no stated duration", "Trials whose duration years is missing"),
        ("trials that will last 5 years", "Trials with duration years = 5"),
        ("trials with 400 participants or more", "Trials with participants >= 400"),
    ],
)
def test_what_is_asked_of_a_network(reader: Reader, question: str, read: str) -> None:
    reading = best_reading(reader, question, _NAMES)
    assert read in words(reading.form), words(reading.form)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("number of trials and average participants per status", "Number and average participants of trials, for each"),
        ("average participants and number of trials per status", "Average participants and number of trials, for each"),
        ("for each phase, the number of trials and the highest participants", "Number and highest participants of"),
        ("minimum, maximum and average participants per status", "Lowest participants and highest participants and"),
        ("how many trials and how many participants by status", "Number and total participants of trials, for each"),
        (
            "number of trials and total participants for each company",
            "Companies, each with its number of trials and total participants of trials",
        ),
    ],
)
def test_several_numbers_of_each_group(reader: Reader, question: str, read: str) -> None:
    reading = best_reading(reader, question, _NAMES)
    assert words(reading.form).startswith(read), words(reading.form)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("trials with more than 100 participants", ["participants"]),
        ("trials with more than 100 participants and a duration below 3", ["duration years", "participants"]),
        ("trials with 400 participants", []),
        ("the 3 trials with the most participants", []),
        ("trials with their phase", ["phase"]),
    ],
)
def test_what_decides_stands_beside_the_answers(reader: Reader, question: str, told: list[str]) -> None:
    form = best_reading(reader, question, _NAMES).form
    assert sorted(map(column_words, told_values(form))) == told, words(form)
