"""Questions about data in any format: roles said by "as", qualities, species, wines of bottles, days between events."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.reading.schema.property_values import Place
from tests.tools.queries.question_readings import best_reading, reader_of

WORKS = Schema(
    {
        "Job": 41, "Staff": 12, "Animal": 44, "Species": 5, "Bottle": 54, "Producer": 15, "Ride": 42, "Rider": 13,
        "Game": 40, "Band": 14, "Album": 35, "Event": 24, "Performer": 22, "Order": 95, "Ringer": 32, "Tower": 14,
        "Site": 5,
    },
    (
        Relation("HAS_FOREMAN", "Job", "Staff", 41),
        Relation("HOURS", "Job", "Staff", 122),
        Relation("HAS_SPECIES", "Animal", "Species", 44),
        Relation("HAS_PRODUCER", "Bottle", "Producer", 54),
        Relation("joinedBy", "Ride", "Rider", 174),
        Relation("recorded_by", "Album", "Band", 35),
        Relation("HAS_PERFORMER", "Event", "Performer", 52),
        Relation("HAS_HOME_TOWER", "Ringer", "Tower", 31),
    ),
    (
        Property("Job", "started", "DATE", 41, ("2022-02-17", "2023-05-06")),
        Property("Animal", "weightKg", "FLOAT", 44, (3.5, 30.0), 0.3, 44.0),
        Property("Bottle", "wine", "STRING", 54, ("Alte Reben", "Mas Fosc")),
        Property("Bottle", "name", "STRING", 54, ("Alte Reben", "Mas Fosc")),
        Property("Bottle", "organic", "BOOLEAN", 54, (True, False)),
        Property("Ride", "movingTimeMinutes", "INTEGER", 42, (216, 318), 60, 494),
        Property("Ride", "riddenOn", "DATE", 42, ("2022-08-17", "2024-01-20")),
        Property("Rider", "birthYear", "INTEGER", 13, (1950, 1991), 1945, 2001),
        Property("Rider", "joinedClubOn", "DATE", 13, ("2011-02-24", "2020-03-01")),
        Property("Game", "complexity", "FLOAT", 40, (3.88, 2.5), 1.0, 5.0),
        Property("Game", "pricePaid", "FLOAT", 40, (40.0, 19.5), 5.0, 90.0),
        Property("Album", "copiesSold", "INTEGER", 35, (48200, 906300), 1000, 1000000),
        Property("Event", "startsAt", "LOCALDATETIME", 24, ("2024-09-20T21:00:00", "2024-06-22T18:00:00")),
        Property("Event", "durationMinutes", "INTEGER", 24, (120, 180), 60, 300),
        Property("Order", "paymentMethod", "STRING", 95, ("paypal", "card")),
        Property("Ringer", "pealsRung", "INTEGER", 32, (405, 3), 0, 600),
        Property("Site", "areaSqm", "FLOAT", 5, (1260.0, 460.0), 400.0, 1300.0),
        Property("Site", "floor", "INTEGER", 5, (0, 1), 0, 4),
    ),
    "1",
)  # fmt: skip
NAMES = {
    "Mick Davies": Entity("s1", "Mick Davies", "Staff"),
    "Saint Elmo": Entity("b1", "Saint Elmo", "Band"),
    "Atoll": Entity("g1", "Atoll", "Game"),
    "Iron Orchard": Entity("g2", "Iron Orchard", "Game"),
    "Club Spin": Entity("r1", "Club Spin", "Ride"),
    "Soul Kitchen": Entity("e1", "Soul Kitchen", "Event"),
    "Jazz Night": Entity("e2", "Jazz Night", "Event"),
    "Ada Gadd": Entity("p1", "Ada Gadd", "Ringer"),
}
VALUES: dict[str, dict[Place, list[str]]] = {"paypal": {("Order", "paymentMethod", False): ["paypal"]}}


@pytest.fixture(scope="module")
def reader() -> Reader:
    # As the graph's own values do, words of two capitals are not folded: "PayPal" is "pay pal".
    return reader_of(WORKS, NAMES, lambda text: VALUES.get(text, {}))


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how many jobs had Mick Davies as foreman?", "Number of jobs with foreman Mick Davies"),
        ("jobs with Mick Davies as their foreman", "Jobs with foreman Mick Davies"),
        ("jobs that have Mick Davies as a foreman", "Jobs with foreman Mick Davies"),
        ("number of animals by species", "Number of animals for each of species that are species of animals"),
        ("how many wines are organic?", "Number of bottles with organic = True"),
        ("rides later than Club Spin", "Rides with ridden on higher than that of Club Spin"),
        ("who has been with the club the longest?", "Riders, by joined club on, lowest first: 1"),
        ("the most complex game", "Games, by complexity, highest first: 1"),
        ("the three least complex games", "Games, by complexity, lowest first: 3"),
        ("games more complex than Atoll", "Games with complexity higher than that of Atoll"),
        ("what's more complex, Atoll or Iron Orchard?", "Atoll or Iron Orchard, by complexity, highest first: 1"),
        ("number of albums Saint Elmo made", "Number of albums recorded by Saint Elmo"),
        ("How many PayPal orders are there?", "Number of orders with payment method = paypal"),
        ("how many pets are there?", "Number of animals"),
        ("Of the bottles, how many are organic?", "Number of bottles with organic = True"),
        ("break our animals down by species with a head count for each", "Number of animals for each of species"),
        ("break down the number of jobs by foreman", "Number of jobs for each of staff that are foreman of jobs"),
        ("our biggest site by floor area", "Sites, by area sqm, highest first: 1"),
        (
            "how many days are there from Jazz Night to Soul Kitchen?",
            "Days from starts at of Jazz Night to starts at of Soul Kitchen",
        ),
        (
            "By how many minutes does Jazz Night outlast Soul Kitchen?",
            "Difference in duration minutes of Jazz Night or Soul Kitchen",
        ),
    ],
)
def test_what_is_meant(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


@pytest.mark.parametrize("question", ["what is Ada Gadd's phone number?", "Ada Gadd's email address"])
def test_what_the_data_lacks_is_nothing_near(reader: Reader, question: str) -> None:
    assert best_reading(reader, question, NAMES).unexplained
