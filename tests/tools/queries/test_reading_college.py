"""What a college and an agency ask: terms, kinds of a kind, who has left, what has no names, what went over budget."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.reading.schema.property_values import PropertyValues
from tests.tools.queries.question_readings import best_reading, reader_of

COLLEGE = Schema(
    {"Staff": 24, "Student": 110, "Enrolment": 390, "Course": 30, "Instrument": 50, "Loan": 90, "Trip": 50, "Show": 20,
     "Contact": 70, "Client": 30, "Timesheet": 300},
    (
        Relation("HAS_STUDENT", "Enrolment", "Student", 390), Relation("HAS_COURSE", "Enrolment", "Course", 390),
        Relation("HAS_INSTRUMENT", "Loan", "Instrument", 90), Relation("HAS_HOST", "Trip", "Staff", 50),
        Relation("HAS_CLIENT", "Contact", "Client", 70), Relation("APPROVED_BY", "Timesheet", "Contact", 300),
    ),
    (
        Property("Staff", "first_name", "STRING", 24, ("Ann", "Bo")),
        Property("Staff", "last_name", "STRING", 24, ("Lee", "Day")),
        Property("Staff", "termination_date", "DATE", 4, ("2023-01-03", "2024-05-06")),
        Property("Student", "first_name", "STRING", 110, ("Cy", "Di")),
        Property("Student", "last_name", "STRING", 110, ("Fox", "Ray")),
        Property("Student", "registration_date", "DATE", 110, ("2022-01-03", "2024-05-06")),
        Property("Student", "withdrawn_date", "DATE", 12, ("2023-01-03", "2024-05-06")),
        Property("Enrolment", "name", "STRING", 390, ("3001", "3002")),
        Property("Enrolment", "term", "STRING", 390, ("F23", "S24")),
        Property("Enrolment", "enrolment_date", "DATE", 390, ("2023-01-03", "2024-05-06")),
        Property("Enrolment", "fee", "FLOAT", 390, (20.0, 90.0)),
        Property("Enrolment", "round", "INTEGER", 390, (1, 3)),
        Property("Course", "name", "STRING", 30, ("Piano Starters", "Choir")),
        Property("Instrument", "kind", "STRING", 50, ("cello", "flute")),
        Property("Trip", "guests", "INTEGER", 50, (2, 40)),
        Property("Trip", "held_on", "DATE", 50, ("2023-01-03", "2024-05-06")),
        Property("Show", "actual_cost", "FLOAT", 20, (100.0, 9000.0)),
        Property("Show", "budget", "FLOAT", 20, (100.0, 9000.0)),
        Property("Show", "opens", "DATE", 20, ("2023-01-03", "2024-05-06")),
        Property("Show", "name", "STRING", 20, ("Faces of Harrow", "Time and Tide")),
    ),
    "1",
)  # fmt: skip
NAMES = {"Ann Lee": Entity("a1", "Ann Lee", "Staff"), "Di Ray": Entity("d1", "Di Ray", "Student")}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(COLLEGE, NAMES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("number of loans per kind of instrument", "Number of loans, for each kind"),
        ("guests per host of the trips", "Total guests of trips for each of staff that are host of trips"),
        ("How many students left us in 2024?", "Number of students with withdrawn date = 2024"),
        ("which staff have left the company", "Staff whose termination date is present"),
        ("is Ann Lee still with us?", "Whether Ann Lee is one of the staff whose termination date is missing"),
        ("enrolments in March 2024?", "Number of enrolments with enrolment date = 2024-03"),
        ("enrolments in March 2024", "Enrolments with enrolment date = 2024-03"),
        ("list the enrolments in March 2024?", "Enrolments with enrolment date = 2024-03"),
        ("shows that opened in March 2024?", "Shows with opens = 2024-03"),
        ("fees of the enrolments in March 2024", "Total fee of enrolments with enrolment date = 2024-03"),
        ("which shows went over budget", "Shows with actual cost higher than budget"),
        ("shows over budget", "Shows with actual cost higher than budget"),
        ("average fee of second round enrolments", "Average fee of enrolments with round = 2"),
        (
            "which client contact has approved the most timesheets",
            "Contacts with client clients, by number of timesheets, highest first: 1",
        ),
    ],
)
def test_questions(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


def test_the_usual_name_of_a_property_that_is_missing_is_no_other_property(reader: Reader) -> None:
    """The date of birth is not the day on which somebody was registered."""
    readings = reader.read("date of birth of Di Ray", [], [])
    assert all("registration" not in words(each.form) for each in readings)


def test_terms_are_called_by_their_seasons() -> None:
    values = PropertyValues([("Enrolment", "term", False, each) for each in ("F23", "S24", "SU24")])
    place = ("Enrolment", "term", False)
    found = {
        said: values.find(said).get(place) for said in ("fall 2023", "Autumn 23", "spring 2024", "summer 24", "f23")
    }
    assert found == {
        "fall 2023": ["F23"], "Autumn 23": ["F23"], "spring 2024": ["S24"], "summer 24": ["SU24"], "f23": ["F23"],
    }  # fmt: skip
    codes = PropertyValues([("Room", "code", False, each) for each in ("F23", "S24", "Annex")])
    assert not codes.find("fall 2023")


def test_values_are_found_in_any_case() -> None:
    values = PropertyValues([("Team", "division", False, "WorldTour")])
    said = ("WorldTour", "worldtour", "World Tour", "WORLDTOUR")
    assert [values.find(each) for each in said] == [{("Team", "division", False): ["WorldTour"]}] * 4
