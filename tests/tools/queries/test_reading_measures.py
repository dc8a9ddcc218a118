"""What an office asks of its tables: measures of facts, which facts, for each of what, and the best of these."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

OFFICE = Schema(
    {"Rental": 900, "Job": 400, "Emp": 40, "Car": 60, "Branch": 5, "Contract": 90},
    (
        Relation("HAS_CAR", "Rental", "Car", 900), Relation("TAKEN_BY", "Rental", "Emp", 880),
        Relation("HAS_BRANCH", "Emp", "Branch", 40), Relation("HAS_CAR", "Job", "Car", 400),
        Relation("HAS_EMP", "Job", "Emp", 400), Relation("HAS_EMP", "Contract", "Emp", 90),
        Relation("HAS_MANAGER", "Emp", "Emp", 39),
    ),
    (
        Property("Rental", "name", "STRING", 900, ("R1", "R2")),
        Property("Rental", "rented_on", "DATE", 900, ("2022-01-05", "2024-06-02")),
        Property("Rental", "total_charge", "FLOAT", 900, (80.5, 120.0), 20.0, 2100.0),
        Property("Rental", "deposit", "FLOAT", 900, (50.0, 100.0), 0.0, 300.0),
        Property("Rental", "channel", "STRING", 900, ("web", "counter")),
        Property("Rental", "status", "STRING", 900, ("returned", "cancelled")),
        Property("Job", "worked_on", "DATE", 400, ("2022-01-05", "2024-06-02")),
        Property("Job", "ot_hrs", "FLOAT", 300, (1.5, 2.0), 0.0, 9.0),
        Property("Job", "kind", "STRING", 400, ("tyres", "brakes")),
        Property("Job", "passed", "BOOLEAN", 400, (True, False)),
        Property("Contract", "annual_pay", "FLOAT", 90, (21000.0, 34000.0), 18000.0, 90000.0),
        Property("Contract", "from_date", "DATE", 90, ("2019-01-01", "2024-01-01")),
        Property("Contract", "to_date", "DATE", 50, ("2020-01-01", "2023-12-31")),
        Property("Emp", "name", "STRING", 40, ("Ann Lee", "Bo Day")),
        Property("Emp", "hired_on", "DATE", 40, ("2015-02-01", "2023-03-01")),
        Property("Emp", "full_time", "BOOLEAN", 40, (True, False)),
        Property("Emp", "grade", "STRING", 40, ("S1", "S2")),
        Property("Branch", "name", "STRING", 5, ("Leeds", "York")),
        Property("Branch", "region", "STRING", 5, ("north", "south")),
        Property("Car", "name", "STRING", 60, ("Kia 1", "Kia 2")),
    ),
    "1",
)  # fmt: skip
NAMES = {
    "Leeds": Entity("b1", "Leeds", "Branch"), "York": Entity("b2", "York", "Branch"),
    "Bo Day": Entity("e2", "Bo Day", "Emp"), "Ann Lee": Entity("e1", "Ann Lee", "Emp"),
}  # fmt: skip
TEXTS = {
    "web": "channel", "counter": "channel", "cancelled": "status", "returned": "status", "tyres": "kind",
    "brakes": "kind",
}  # fmt: skip
OWNERS = {"channel": "Rental", "status": "Rental", "kind": "Job"}


def values(text: str) -> dict[tuple[str, str, bool], list[str]]:
    name = TEXTS.get(text.lower())
    return {} if name is None else {(OWNERS[name], name, False): [text.lower()]}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(OFFICE, NAMES, values)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        # Numbers for each of several: a property of what the facts refer to, nodes, periods.
        (
            "total charge december 2023 by region",
            "Total total charge of rentals with rented on = 2023-12, for each region",
        ),
        (
            "Please break the 2023 overtime hours down by month.",
            "of jobs with worked on = 2023, for each month of worked on",
        ),
        ("avg annual pay per grade", "Average annual pay of contracts, for each grade"),
        ("headcount by branch", "Number of employees for each of branches"),
        # The best: of what the facts refer to, also over two steps.
        (
            "three branches with most overtime hours in 2023",
            "Branches, by total overtime hours of jobs with worked on = 2023",
        ),
        ("who had the most overtime hours in Leeds", "Employees with branch Leeds, by total overtime hours of jobs"),
        (
            "Who's on the highest annual pay in Leeds?",
            "Employees with branch Leeds, by highest annual pay of contracts",
        ),
        (
            "Top 5 overtime earners of 2023 please",
            "by total overtime hours of jobs with worked on = 2023, highest first: 5",
        ),
        ("who did tyres most often in 2022", "by number of jobs with kind = tyres and with worked on = 2022"),
        # Who has such facts, and who has none.
        ("who failed brakes", "Employees that jobs with kind = brakes and with passed = False"),
        ("everybody with no job in 2023", "Employees except those that jobs with worked on = 2023"),
        # One of two.
        (
            "Did Leeds work more overtime hours than York in 2023?",
            "Whether Leeds is one of the branches with total overtime",
        ),
        ("who did more overtime hours, Bo Day or Ann Lee?", "by total overtime hours of jobs, highest first: 1"),
        (
            "do more rentals come by web or by counter",
            "with channel = web or counter, for each channel",
        ),
        # Those above or below an amount.
        ("rentals over 1500", "Rentals with total charge > 1500"),
        ("which employees brought in more than 20000", "Employees with total total charge of rentals > 20000"),
        # Parts of years, and what is left aside.
        ("rentals July to September 2023", "rented on >= 2023-07 and with rented on <= 2023-09"),
        ("how many new employees were hired from March to May 2022", "Number of employees with hired on >= 2022-03"),
        (
            "total charge in the first three months of 2023, cancelled ones not counted",
            "with rented on >= 2023-01 and with rented on <= 2023-03 and with status not = cancelled",
        ),
        # What has not ended.
        (
            "average current annual pay per grade",
            "Average annual pay of contracts whose to date is missing, for each grade",
        ),
    ],
)
def test_measures(reader: Reader, question: str, read: str) -> None:
    reading = best_reading(reader, question, NAMES)
    assert read in words(reading.form), words(reading.form)
    assert not reading.unexplained


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("what is Bo Day paid per year", "annual pay"),  # It is told for a year already.
        ("who is in Leeds", "Employees with branch Leeds"),
    ],
)
def test_what_is_no_measure(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, NAMES).form)
