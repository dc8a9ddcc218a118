"""Groups with a bound on their number, ends of ranges, columns, ratios, and numbers of two parts of one thing."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import meaning, words
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.reading.schema.property_values import Place
from tests.tools.queries.question_readings import best_reading, reader_of

AGENCY = Schema(
    {"Vacancy": 60, "Firm": 20, "Town": 12, "Applicant": 90, "CheckIn": 200, "TvSeries": 15, "Actor": 40},
    (
        Relation("HAS_FIRM", "Vacancy", "Firm", 60), Relation("HAS_TOWN", "Vacancy", "Town", 60),
        Relation("HAS_TOWN", "Applicant", "Town", 90), Relation("APPLIED_FOR", "Applicant", "Vacancy", 180),
        Relation("HAS_TOWN", "CheckIn", "Town", 200), Relation("CAST", "TvSeries", "Actor", 90),
    ),
    (
        Property("Vacancy", "name", "STRING", 60, ("Java Developer", "Clerk")),
        Property("Vacancy", "title", "STRING", 60, ("Java Developer", "Clerk")),
        Property("Vacancy", "salary_from", "INTEGER", 60, (40000, 90000), 30000, 160000),
        Property("Vacancy", "salary_to", "INTEGER", 60, (45000, 99000), 32000, 220000),
        Property("Vacancy", "remote", "BOOLEAN", 60, (True, False)),
        Property("Vacancy", "posted_date", "DATE", 60, ("2023-01-02", "2024-12-30")),
        Property("Vacancy", "closing_date", "DATE", 60, ("2023-02-02", "2025-01-30")),
        Property("Firm", "name", "STRING", 20, ("Nimbus", "Stratus")),
        Property("Firm", "industry", "STRING", 20, ("software", "health")),
        Property("Firm", "founded_year", "INTEGER", 20, (1990, 2005), 1950, 2020),
        Property("Town", "name", "STRING", 12, ("Boston", "Austin")),
        Property("Town", "state", "STRING", 12, ("Texas", "Ohio")),
        Property("Applicant", "name", "STRING", 90, ("Ada Mill", "Ben Rook")),
        Property("Applicant", "degree", "STRING", 90, ("Master", "PhD")),
        Property("CheckIn", "name", "STRING", 200, ("1", "2")),
        Property("CheckIn", "weekday", "STRING", 200, ("Sunday", "Monday")),
        Property("TvSeries", "name", "STRING", 15, ("Orbiters", "Fjord")),
        Property("TvSeries", "episodes", "INTEGER", 15, (10, 80), 6, 160),
        Property("TvSeries", "seasons", "INTEGER", 15, (1, 8), 1, 15),
        Property("TvSeries", "start_year", "INTEGER", 15, (1999, 2015), 1990, 2022),
        Property("TvSeries", "running_time", "INTEGER", 15, (25, 50), 20, 90),
        Property("Actor", "name", "STRING", 40, ("Eva Lund", "Kim Roy")),
    ),
    "1",
    (Property("CAST", "billing_position", "INTEGER", 90, (1, 2), 1, 9),),
)  # fmt: skip
NAMES = {
    "Boston": Entity("t1", "Boston", "Town"), "Austin": Entity("t2", "Austin", "Town"),
    "Java Developer": Entity("v1", "Java Developer", "Vacancy"), "Orbiters": Entity("s1", "Orbiters", "TvSeries"),
    "Fjord": Entity("s2", "Fjord", "TvSeries"), "Ada Mill": Entity("a1", "Ada Mill", "Applicant"),
}  # fmt: skip
VALUES: dict[str, list[Place]] = {
    "sunday": [("CheckIn", "weekday", False)], "monday": [("CheckIn", "weekday", False)],
}  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Reader:
    def held(text: str) -> dict[Place, list[str]]:
        return {place: [text.title()] for place in VALUES.get(text.lower(), ())}

    return reader_of(AGENCY, NAMES, held)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("industries with more than 3 firms", "Industries with more than 3 firms"),
        ("how many industries have at least two firms", "Number of industries with at least 2 firms"),
        ("states with only one town", "States with exactly 1 towns"),
        ("states where we have fewer than 5 vacancies", "States with fewer than 5 vacancies"),
        ("firms with a single vacancy", "Firms that are firm of exactly 1 vacancies"),
        ("years with more than 10 vacancies", "Year of posted dates with more than 10 vacancies"),
        ("salary range of Java Developer", "salary from and salary to of Java Developer"),
        ("the maximum salary of the remote vacancies", "Highest salary to of vacancies with remote = True"),
        ("vacancies with a starting salary above 80000", "Vacancies with salary from > 80000"),
        (
            "vacancy with the widest gap between its lowest and highest salary",
            "by salary to \u2212 salary from",
        ),
        ("average days between posted date and closing date", "Average days from posted date to closing date of"),
        ("title, firm and town of remote vacancies", "Vacancies with remote = True, each with its title, firm"),
        ("vacancies with their firm", "Vacancies, each with its firm"),
        ("firms and their vacancies", "Firms, each with its vacancy"),
        ("the salary and town of Java Developer", "salary from"),
        ("applicants with more vacancies in Boston than in Austin", "number of vacancies with town Austin"),
        ("towns with check-ins on Sunday but not on Monday", "except those that are town of check ins"),
        ("vacancies in Boston with no applicants", "Vacancies with town Boston except those that applicants"),
        ("the vacancy with the lowest salary in each state", "lowest first: 1 for each state"),
        ("2024 vacancies", "Vacancies with posted date = 2024"),
        ("vacancies I can do from home", "Vacancies with remote = True"),
        ("which show has the most episodes", "Tv series, by episodes, highest first: 1"),
        ("the longest show", "Tv series, by running time, highest first: 1"),
        ("is Orbiters longer than Fjord", "with running time higher than that of Fjord"),
        ("episodes per season of Orbiters", "episodes ÷ seasons of Orbiters"),
        ("vacancies posted each month from 2023 to 2024", "for each month of posted date"),
    ],
)
def test_the_best_reading(reader: Reader, question: str, read: str) -> None:
    assert read.lower() in words(best_reading(reader, question, NAMES).form).lower()


COLLEGE = Schema(
    {"Student": 60, "Enrolment": 250, "Section": 70, "Course": 45, "Parcel": 90, "Customer": 40},
    (
        Relation("HAS_STUDENT", "Enrolment", "Student", 250), Relation("HAS_SECTION", "Enrolment", "Section", 250),
        Relation("HAS_COURSE", "Section", "Course", 70), Relation("HAS_SENDER", "Parcel", "Customer", 90),
        Relation("HAS_RECIPIENT", "Parcel", "Customer", 90),
    ),
    (
        Property("Student", "name", "STRING", 60, ("Una Fell", "Ira Quist")),
        Property("Enrolment", "name", "STRING", 250, ("1", "2")),
        Property("Section", "name", "STRING", 70, ("2001", "2002")),
        Property("Course", "name", "STRING", 45, ("Algebra", "Surveying")),
        Property("Course", "credits", "INTEGER", 45, (5, 10), 5, 20),
        Property("Parcel", "name", "STRING", 90, ("5001", "5002")),
        Property("Parcel", "shipped_date", "DATE", 90, ("2024-01-02", "2024-12-30")),
        Property("Parcel", "delivered_date", "DATE", 80, ("2024-01-05", "2025-01-03")),
        Property("Course", "duration_seconds", "INTEGER", 45, (300, 900), 60, 9000),
        Property("Customer", "name", "STRING", 40, ("Lantern Toys", "Ada Mill")),
    ),
    "1",
)  # fmt: skip
COLLEGE_NAMES = {
    "Algebra": Entity("c1", "Algebra", "Course"), "Surveying": Entity("c2", "Surveying", "Course"),
    "Una Fell": Entity("s1", "Una Fell", "Student"), "5001": Entity("p1", "5001", "Parcel"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("students enrolled in Algebra", "that are student of enrolments with section sections with course Algebra"),
        ("how many students take Algebra", "Number of students that are student of enrolments with section sections"),
        ("courses that Una Fell is enrolled in", "Courses that are course of sections that are section of enrolments"),
        ("students enrolled in both Algebra and Surveying", "with course Algebra and that are student of enrolments"),
        ("which customer has sent the most parcels", "Customers, by number of parcels, highest first: 1"),
        ("customers who never sent a parcel", "Customers except those that are sender of parcels"),
        ("when was parcel 5001 delivered", "delivered date of 5001"),
        ("when was parcel 5001 shipped", "shipped date of 5001"),
        ("how many minutes does Algebra last", "minutes (duration seconds \u00f7 60) of Algebra"),
        ("the second most enrolled student", "highest first: 1 after the first 1"),
    ],
)
def test_facts_between_two_sets(question: str, read: str) -> None:
    form = best_reading(reader_of(COLLEGE, COLLEGE_NAMES), question, COLLEGE_NAMES).form
    assert read.lower() in words(form).lower()


@pytest.mark.parametrize("question", ["most prolific actor", "total title of Orbiters", "which series cost the most"])
def test_no_place_in_an_order_is_an_amount(reader: Reader, question: str) -> None:
    assert "billing position" not in words(best_reading(reader, question, NAMES).form)


def test_forms_whose_parts_stand_in_another_order_mean_the_same(reader: Reader) -> None:
    one = best_reading(reader, "remote vacancies in Boston", NAMES).form
    other = best_reading(reader, "vacancies in Boston that are remote", NAMES).form
    assert meaning(one) == meaning(other)
