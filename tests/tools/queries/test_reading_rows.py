"""Rows without names, values that must not get lost, kinds of things, ends of relations: graphs of well-kept tables."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

PRESS = Schema(
    {"Book": 58, "Edition": 144, "Author": 40, "Review": 135, "Editor": 12, "Printer": 8, "PrintRun": 175},
    (
        Relation("HAS_BOOK", "Edition", "Book", 144), Relation("HAS_BOOK", "Review", "Book", 135),
        Relation("HAS_EDITOR", "Book", "Editor", 57), Relation("HAS_AUTHOR", "Book", "Author", 88),
        Relation("HAS_PRINTER", "PrintRun", "Printer", 175), Relation("HAS_EDITION", "PrintRun", "Edition", 175),
    ),
    (
        Property("Book", "name", "STRING", 58, ("Salt", "Pip Goes to Sea")),
        Property("Edition", "name", "STRING", 144, ("501", "502", "503")),
        Property("Edition", "isbn", "STRING", 144, ("978-1-84162-629-9",)),
        Property("Edition", "format", "STRING", 144, ("hardcover", "paperback")),
        Property("Edition", "published_on", "DATE", 144, ("2019-03-01",)),
        Property("Review", "name", "STRING", 135, ("1", "2")),
        Property("Review", "publication", "STRING", 135, ("The Courier",)),
        Property("Author", "name", "STRING", 40, ("Nadia Haddad",)),
        Property("Editor", "name", "STRING", 12, ("Helen Prior",)),
        Property("Printer", "name", "STRING", 8, ("Clays",)),
        Property("PrintRun", "name", "STRING", 175, ("1", "2")),
        Property("PrintRun", "copies", "INTEGER", 175, (500, 9000), 500.0, 9000.0),
    ),
    "1",
)  # fmt: skip
_BOOKS = {
    "Salt": Entity("b1", "Salt", "Book"), "Pip Goes to Sea": Entity("b2", "Pip Goes to Sea", "Book"),
    "Nadia Haddad": Entity("a1", "Nadia Haddad", "Author"),
}  # fmt: skip
_FORMATS = {
    "hardcover": {("Edition", "format", False): ["hardcover"]},
    "the courier": {("Review", "publication", False): ["The Courier"]},
}

SHELTER = Schema(
    {"Animal": 80, "Breed": 14, "Councillor": 24, "Motion": 30, "Meeting": 33, "Telescope": 8, "Instrument": 13,
     "Object": 28, "Observation": 197, "Ticket": 90, "Station": 27},
    (
        Relation("HAS_BREED", "Animal", "Breed", 80), Relation("VOTES", "Councillor", "Motion", 323),
        Relation("ATTENDANCE", "Councillor", "Meeting", 314), Relation("HAS_PROPOSER", "Motion", "Councillor", 30),
        Relation("HAS_SECONDER", "Motion", "Councillor", 29), Relation("HAS_TELESCOPE", "Instrument", "Telescope", 13),
        Relation("HAS_OBJECT", "Observation", "Object", 197), Relation("HAS_FROM_STATION", "Ticket", "Station", 90),
        Relation("HAS_TO_STATION", "Ticket", "Station", 90),
    ),
    (
        Property("Animal", "name", "STRING", 80, ("Buster",)),
        Property("Animal", "status", "STRING", 80, ("available", "adopted")),
        Property("Animal", "weight_kg", "FLOAT", 80, (2.5, 41.0), 2.5, 41.0),
        Property("Breed", "name", "STRING", 14, ("Siamese",)),
        Property("Breed", "species", "STRING", 14, ("cat", "dog")),
        Property("Councillor", "name", "STRING", 24, ("Imran Khan",)),
        Property("Councillor", "first_name", "STRING", 24, ("Imran",)),
        Property("Motion", "name", "STRING", 30, ("Dredge the Harbour",)),
        Property("Meeting", "name", "STRING", 33, ("1", "2", "3")),
        Property("Meeting", "meeting_date", "DATE", 33, ("2024-01-15",)),
        Property("Meeting", "start_time", "STRING", 33, ("18:30", "17:30")),
        Property("Meeting", "end_time", "STRING", 33, ("21:15", "20:00")),
        Property("Meeting", "venue", "STRING", 33, ("Guildhall",)),
        Property("Meeting", "open_to_public", "BOOLEAN", 33, (True, False)),
        Property("Telescope", "name", "STRING", 8, ("Leavitt",)),
        Property("Telescope", "mount_type", "STRING", 8, ("fork",)),
        Property("Instrument", "name", "STRING", 13, ("Frostbite",)),
        Property("Object", "name", "STRING", 28, ("Wolf 359",)),
        Property("Object", "distance_ly", "FLOAT", 28, (7.9, 2.5e6), 7.9, 2.5e6),
        Property("Observation", "name", "STRING", 197, ("1", "2")),
        Property("Ticket", "name", "STRING", 90, ("70001", "70002")),
        Property("Station", "name", "STRING", 27, ("Porthaven",)),
    ),
    "1",
    (
        Property("VOTES", "vote", "STRING", 323, ("for", "against")),
        Property("ATTENDANCE", "status", "STRING", 314, ("present", "absent")),
    ),
)  # fmt: skip
_NAMES = {
    "Dredge the Harbour": Entity("m1", "Dredge the Harbour", "Motion"),
    "Imran Khan": Entity("c1", "Imran Khan", "Councillor"), "Frostbite": Entity("i1", "Frostbite", "Instrument"),
    "Porthaven": Entity("s1", "Porthaven", "Station"),
    "Wolf 359": Entity("o1", "Wolf 359", "Object"), "Tau Ceti": Entity("o2", "Tau Ceti", "Object"),
}  # fmt: skip
_VALUES = {
    "against": {("VOTES", "vote", True): ["against"]}, "absent": {("ATTENDANCE", "status", True): ["absent"]},
    "present": {("ATTENDANCE", "status", True): ["present"]}, "available": {("Animal", "status", False): ["available"]},
    "cat": {("Breed", "species", False): ["cat"]},
}  # fmt: skip


@pytest.fixture(scope="module")
def press() -> Reader:
    return reader_of(PRESS, _BOOKS, lambda text: _FORMATS.get(text.lower(), {}))


@pytest.fixture(scope="module")
def shelter() -> Reader:
    return reader_of(SHELTER, _NAMES, lambda text: _VALUES.get(text.lower(), {}))


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("isbn Salt hardcover", "isbn of editions with book Salt and with format = hardcover"),
        ("isbn of the hardcover of Salt", "isbn of editions with book Salt and with format = hardcover"),
        ("Pip Goes to Sea: who's the editor?", "Editors that are editor of Pip Goes to Sea"),
        ("Which printer has printed the most copies?", "by total copies of print runs, highest first: 1"),
        ("books with reviews from The Courier", "with publication = The Courier"),
    ],
)
def test_press(press: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(press, question, _BOOKS).form)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("who voted against Dredge the Harbour", "Councillors with votes Dredge the Harbour with vote = against"),
        ("who proposed more than two motions", "Councillors that are proposer of more than 2 motions"),
        ("which councilor seconded Dredge the Harbour", "Councillors that are seconder of Dredge the Harbour"),
        ("how many times was Imran Khan absent", "Number of meetings that are attendance of Imran Khan with status"),
        ("which councillor was absent most often", "Councillors, by number of meetings with status = absent, highest"),
        ("which motion has the most votes against", "by number of councillors"),
        ("is there a motion nobody seconded, and which one?", "Motions except those with seconder councillors"),
        ("which telescope is Frostbite mounted on", "Telescopes that are telescope of Frostbite"),
        ("which object has been observed most often", "by number of observations, highest first: 1"),
        ("is Wolf 359 further away than Tau Ceti", "with distance ly higher than that of Tau Ceti"),
        ("how many cats do we have", "Number of animals with breed breeds with species = cat"),
        ("which cats are still available", "species = cat and with status = available"),
        ("the heaviest cat", "Animals with breed breeds with species = cat, by weight kg, highest first: 1"),
        ("how many tickets from Porthaven", "Number of tickets with from station Porthaven"),
        ("how many tickets to Porthaven", "Number of tickets with to station Porthaven"),
        ("dates of the 2024 meetings", "meeting date of meetings with meeting date = 2024"),
        ("dates of the meetings closed to the public", "meeting date of meetings with open to public = False"),
        ("what time did the meeting on 2024-01-15 start", "start time of meetings with meeting date = 2024-01-15"),
        ("where was the meeting on 2024-01-15", "venue of meetings with meeting date = 2024-01-15"),
    ],
)
def test_shelter(shelter: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(shelter, question, _NAMES).form)


def test_rows_without_names_are_no_people(press: Reader) -> None:
    assert press.words.nameless == {"Edition", "Review", "PrintRun"}
    assert not press.words.nameless & press.words.persons


RACES = Schema(
    {"Rider": 70, "Result": 600, "Race": 12, "Berth": 14, "Staff": 9, "Invoice": 60, "Book": 40, "Reader": 30},
    (
        Relation("HAS_RIDER", "Result", "Rider", 600), Relation("HAS_RACE", "Result", "Race", 600),
        Relation("READS", "Reader", "Book", 90),
    ),
    (
        Property("Rider", "name", "STRING", 70, ("Wilmar Tovar",)),
        Property("Rider", "last_name", "STRING", 70, ("Tovar",)),
        Property("Result", "name", "STRING", 600, ("1", "2")),
        Property("Result", "position", "INTEGER", 600, (1, 2), 1.0, 120.0),
        Property("Result", "uci_points", "INTEGER", 600, (0, 100), 0.0, 100.0),
        Property("Race", "name", "STRING", 12, ("Ardennes Classic",)),
        Property("Race", "prize_money", "INTEGER", 12, (1000, 90000), 1000.0, 90000.0),
        Property("Berth", "name", "STRING", 14, ("North Quay 1",)),
        Property("Berth", "has_crane", "BOOLEAN", 14, (True, False)),
        Property("Berth", "shore_power", "BOOLEAN", 14, (True, False)),
        Property("Staff", "name", "STRING", 9, ("Sophie O'Neill",)),
        Property("Staff", "weekly_hours", "INTEGER", 9, (20, 40), 20.0, 40.0),
        Property("Staff", "hired_on", "DATE", 9, ("2015-03-01",)),
        Property("Invoice", "name", "STRING", 60, ("INV-1", "INV-2")),
        Property("Invoice", "amount", "FLOAT", 60, (12.5, 900.0), 12.5, 900.0),
        Property("Book", "name", "STRING", 40, ("Salt",)),
        Property("Book", "pages", "INTEGER", 40, (90, 700), 90.0, 700.0),
        Property("Reader", "name", "STRING", 30, ("Mei Hughes",)),
    ),
    "1",
    (Property("READS", "page", "INTEGER", 90, (1, 300), 1.0, 300.0),),
)  # fmt: skip
_RACES = {
    "Ardennes Classic": Entity("r1", "Ardennes Classic", "Race"), "Giro Verde": Entity("r2", "Giro Verde", "Race"),
    "Salt": Entity("b1", "Salt", "Book"),
}  # fmt: skip


@pytest.fixture(scope="module")
def races() -> Reader:
    return reader_of(RACES, _RACES)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("who won the Ardennes Classic", "and with position = 1"),
        ("which rider has the most uci points", "Riders, by total uci points of results, highest first: 1"),
        ("how much more prize money does Ardennes Classic pay than Giro Verde", "Difference in prize money of"),
        ("berths with a crane and shore power", "Berths with has crane = True and with shore power = True"),
        ("which member of staff has been with us the longest", "Staff, by hired on, lowest first: 1"),
        ("total of all invoices", "Total amount of invoices"),
        ("how many invoices are there in total", "Number of invoices"),
        ("how many pages has Salt", "pages of Salt"),
    ],
)
def test_races(races: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(races, question, _RACES).form)
