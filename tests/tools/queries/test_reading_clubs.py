"""Questions about the tables of a club: keys that are no ids, different values, days of one month, tickets, stock."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.reading.schema.property_values import Place, PropertyValues
from tests.tools.queries.question_readings import best_reading, reader_of

CLUB = Schema(
    {
        "Member": 40,
        "Film": 22,
        "TicketSale": 90,
        "Harvest": 52,
        "Supply": 30,
        "Venue": 8,
        "Sighting": 60,
        "Gala": 9,
        "Stay": 52,
        "Extra": 58,
        "Writer": 14,
        "Coach": 8,
        "Article": 37,
        "Game": 57,
    },
    (
        Relation("HAS_FILM", "TicketSale", "Film", 90),
        Relation("SOLD_BY", "TicketSale", "Member", 61),
        Relation("PICKED_BY", "Harvest", "Member", 52),
        Relation("HAS_MEMBER", "Sighting", "Member", 60),
        Relation("HAS_BOOKING", "Extra", "Stay", 58),
        Relation("CREDITS", "Writer", "Article", 57),
    ),
    (
        Property("Member", "hasKey", "BOOLEAN", 40, (True, False)),
        Property("Member", "name", "STRING", 40, ("Ann Lee", "Bo Moss")),
        Property("Member", "town", "STRING", 40, ("Hull", "York")),
        Property("Member", "joinedOn", "DATE", 40, ("2015-03-01", "2021-05-06")),
        Property("Film", "title", "STRING", 22, ("Salt", "Heat")),
        Property("Film", "language", "STRING", 22, ("French", "English")),
        Property("Film", "startsAt", "STRING", 22, ("19:30", "20:00")),
        Property("Film", "lengthMin", "INTEGER", 22, (90, 120), 70, 190),
        Property("TicketSale", "qty", "INTEGER", 90, (1, 4), 1, 12),
        Property("TicketSale", "ticketType", "STRING", 90, ("child", "adult")),
        Property("Harvest", "crop", "STRING", 52, ("beans", "leeks")),
        Property("Harvest", "weightKg", "FLOAT", 52, (2.5, 7.0), 0.5, 20.0),
        Property("Harvest", "pickedOn", "DATE", 52, ("2024-05-01", "2024-09-06")),
        Property("Supply", "name", "STRING", 30, ("Chickpeas", "Rice")),
        Property("Supply", "format", "STRING", 30, ("tin", "bag")),
        Property("Supply", "inStock", "INTEGER", 30, (71, 180), 0, 400),
        Property("Sighting", "seenOn", "DATE", 60, ("2023-01-02", "2024-05-06")),
        Property("Sighting", "seenAt", "STRING", 60, ("08:30", "17:45")),
        Property("Coach", "born", "DATE", 8, ("1975-03-02", "1990-11-06")),
        Property("Gala", "galaDate", "DATE", 9, ("2024-01-20", "2024-04-27")),
        Property("Gala", "warmUp", "STRING", 9, ("13:30", "09:15")),
        Property("Gala", "poolLengthM", "INTEGER", 9, (25, 50), 25, 50),
        Property("Stay", "name", "STRING", 52, ("B2301", "B2302")),
        Property("Stay", "bookingRef", "STRING", 52, ("B2301", "B2302")),
        Property("Stay", "arrival", "DATE", 52, ("2024-08-01", "2024-09-06")),
        Property("Writer", "surname", "STRING", 14, ("Moss", "Lee")),
        Property("Article", "headline", "STRING", 37, ("Blue Veins", "Old Roads")),
        Property("Game", "moves", "INTEGER", 57, (26, 67), 12, 90),
        Property("Game", "playedOn", "DATE", 57, ("2023-10-07", "2024-02-11")),
        Property("Venue", "name", "STRING", 8, ("Old Chapel", "Town Hall")),
        Property("Venue", "seats", "INTEGER", 8, (64, 110), 30, 200),
    ),
    "1",
)
NAMES = {
    "Ann Lee": Entity("m1", "Ann Lee", "Member"),
    "Salt": Entity("f1", "Salt", "Film"),
    "Old Chapel": Entity("v1", "Old Chapel", "Venue"),
    "Bo Moss": Entity("c1", "Bo Moss", "Coach"),
    "Jo Cole": Entity("c2", "Jo Cole", "Coach"),
    "Rose Trophy": Entity("g1", "Rose Trophy", "Gala"),
    "Pennine Sprints": Entity("g2", "Pennine Sprints", "Gala"),
    "Blue Veins": Entity("a1", "Blue Veins", "Article"),
}
VALUES: dict[str, dict[Place, list[str]]] = {
    "child": {("TicketSale", "ticketType", False): ["child"]},
    "chickpeas": {("Supply", "name", False): ["Chickpeas"]},
    "tins": {("Supply", "format", False): ["tin"]},
    "hull": {("Member", "town", False): ["Hull"]},
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(CLUB, NAMES, lambda text: VALUES.get(text.lower(), {}))


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("How many different languages are our films in?", "Number of different languages of films"),
        ("number of different crops in the harvest list", "Number of different crops of harvests"),
        ("in how many different towns do our members live?", "Number of different towns of members"),
        ("how many ticket types are there?", "Number of different ticket types of ticket sales"),
        ("how many members are there?", "Number of members"),
        ("how many members are there in each town?", "Number of members, for each town"),
        ("how many films are there?", "Number of films"),
    ],
)
def test_different_values_are_counted(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how many tickets did Ann Lee sell?", "Total qty of ticket sales sold by Ann Lee"),
        ("how many child tickets were sold?", "Total qty of ticket sales with ticket type = child"),
        ("how many tickets were sold for Salt?", "Total qty of ticket sales with film Salt"),
        ("how many ticket sales did Ann Lee make?", "Number of ticket sales sold by Ann Lee"),
        ("how many chickpeas do we have?", "Total in stock of supplies with name = Chickpeas"),
        ("how many tins do we have?", "Number of supplies with format = tin"),
        ("kg harvested per crop", "Total weight kg of harvests, for each crop"),
    ],
)
def test_quantities_are_added_up(reader: Reader, question: str, read: str) -> None:
    said = words(best_reading(reader, question, NAMES).form).replace("quantity", "qty")
    assert said.replace("weightKg", "weight kg") == read


@pytest.mark.parametrize(
    ("question", "low", "high"),
    [
        ("harvests picked from 9 to 20 May 2024", "2024-05-09", "2024-05-20"),
        ("harvests picked between the 2nd and the 7th of June 2024", "2024-06-02", "2024-06-07"),
        ("harvests picked May 9-20, 2024", "2024-05-09", "2024-05-20"),
        ("harvests picked 28 to 30 Sept 2024", "2024-09-28", "2024-09-30"),
    ],
)
def test_days_of_a_month_are_a_range(reader: Reader, question: str, low: str, high: str) -> None:
    said = words(best_reading(reader, question, NAMES).form)
    assert said == f"Harvests with picked on >= {low} and with picked on <= {high}"


def test_days_that_no_month_has_are_no_range(reader: Reader) -> None:
    for question in ("harvests picked from 20 to 9 May 2024", "harvests picked from 30 to 31 June 2024"):
        assert ">=" not in words(best_reading(reader, question, NAMES).form)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Which members in Hull have a key?", "Members with town = Hull and with has key = True"),
        ("which members have no key?", "Members with has key not = True"),
        ("Which venues seat more people than Old Chapel?", "Venues with seats higher than that of Old Chapel"),
        ("Who joined the club before anyone else?", "Members, by joined on, lowest first: 1"),
        ("What time does Salt start?", "starts at of Salt"),
        ("Ann Lee's first sighting", "Sightings with member Ann Lee, by seen on, lowest first: 1"),
        ("people in Hull", "Members with town = Hull"),
        ("bookings with an arrival in August 2024", "Stays with arrival = 2024-08"),
        ("who wrote Blue Veins?", "Writers with credits Blue Veins"),
        ("members in Hull - number please", "Number of members with town = Hull"),
        ("greatest number of moves of a game", "Highest moves of games"),
    ],
)
def test_what_is_asked_for_has_the_right_kind(reader: Reader, question: str, read: str) -> None:
    assert words(best_reading(reader, question, NAMES).form) == read


@pytest.mark.parametrize(
    "question",
    [
        "how many days between Pennine Sprints and the Rose Trophy?",
        "days between Pennine Sprints and the Rose Trophy",
        "how many days after Pennine Sprints was the Rose Trophy?",
    ],
)
def test_days_between_two_things_are_those_between_their_dates(reader: Reader, question: str) -> None:
    said = words(best_reading(reader, question, NAMES).form)
    assert said == "Days from gala date of Pennine Sprints to gala date of Rose Trophy"


def test_what_lasts_is_not_the_last(reader: Reader) -> None:
    form = best_reading(reader, "how many moves does a game last on average?", NAMES).form
    assert (form.nodes.order, form.function) == (None, "avg")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how old is Bo Moss?", "years from born to today of Bo Moss"),
        ("how old is Ann Lee?", None),
        ("when did Ann Lee join?", "joined on of Ann Lee"),
    ],
)
def test_an_age_is_counted_from_a_birth_and_from_nothing_else(reader: Reader, question: str, read: str | None) -> None:
    reading = best_reading(reader, question, NAMES)
    assert words(reading.form) == read if read else reading.cost > 2


def test_first_and_last_names_in_a_text_are_short_for_the_person() -> None:
    people = [("Roast", "roasted_by", False, name) for name in ("Priya Nair", "Marta Lindqvist", "Marta Cole")]
    firms = [("Ship", "owner", False, name) for name in ("Aegean Tankers", "Blue Line")]
    kinds = [("Roast", "kind", False, name) for name in ("Espresso Dolce", "Filtro Nuovo")]
    values = PropertyValues([*people, *firms, *kinds])
    place = ("Roast", "roasted_by", False)
    assert values.find("priya") == values.find("Nair") == {place: ["Priya Nair"]}
    assert values.find("Lindqvist") == {place: ["Marta Lindqvist"]}
    for word in ("Marta", "tankers", "line", "dolce"):  # Of two people, of firms, and of kinds of things.
        assert not values.find(word)


def test_ages_are_compared_by_the_day_of_birth(reader: Reader) -> None:
    form = best_reading(reader, "who is older, Bo Moss or Jo Cole?", NAMES).form
    assert words(form) == "Bo Moss or Jo Cole, by born, lowest first: 1"
