"""Which end of a relation between people does what its verb says, what is denied, and values that one word says."""

from __future__ import annotations

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.reading.english.times import in_times
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.forms.form import Form, Link
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

CLUB = Schema(
    {"Clerk": 30, "Boat": 12, "Insurer": 4, "EngineModel": 6, "Cup": 5, "Prize": 3},
    (
        Relation("SUPERVISED_BY", "Clerk", "Clerk", 25), Relation("FOLLOWS", "Clerk", "Clerk", 60),
        Relation("INSURED_BY", "Boat", "Insurer", 9), Relation("KEPT_BY", "Boat", "Clerk", 12),
        Relation("USES_ENGINE", "Boat", "EngineModel", 10), Relation("WON", "Boat", "Cup", 8),
        Relation("PART_OF", "Boat", "Prize", 8),
    ),
    (
        Property("Clerk", "sex", "STRING", 30, ("F", "M")), Property("Clerk", "hired_on", "DATE", 30, ("2011-02-01",)),
        Property("Clerk", "nationality", "STRING", 30, ("British",)),
        Property("Cup", "country", "STRING", 5, ("United Kingdom", "France")),
        Property("Boat", "has_xray", "BOOLEAN", 12, (True, False)), Property("Boat", "area_m2", "FLOAT", 12, (20.0,)),
        Property("Boat", "built", "DATE", 12, ("1999-04-05",)), Property("Boat", "price_gbp", "FLOAT", 12, (900.0,)),
        Property("EngineModel", "weightKg", "FLOAT", 6, (90.0, 120.0)),
    ),
    "1",
    (
        Property("USES_ENGINE", "quantity", "INTEGER", 10, (1, 2)), Property("WON", "year", "INTEGER", 8, (2020, 2021)),
        Property("PART_OF", "number", "INTEGER", 8, (1, 2, 3)), Property("KEPT_BY", "stars", "INTEGER", 12, (4, 5)),
    ),
)  # fmt: skip
_NAMES = {
    "Ann Moss": Entity("a1", "Ann Moss", "Clerk"), "Ben Reed": Entity("a2", "Ben Reed", "Clerk"),
    "Solent": Entity("c1", "Solent", "Cup"), "Grand Prize": Entity("p1", "Grand Prize", "Prize"),
}  # fmt: skip
_VALUES = {
    "f": {("Clerk", "sex", False): ["F"]},
    "british": {("Clerk", "nationality", False): ["British"]},
    "united kingdom": {("Cup", "country", False): ["United Kingdom"]},
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of(CLUB, _NAMES, lambda text: _VALUES.get(text.lower(), {}))


def _form(reader: Reader, question: str) -> Form:
    return best_reading(reader, question, _NAMES).form


def _link(reader: Reader, question: str) -> Link:
    return _form(reader, question).nodes.links[0]


@pytest.mark.parametrize(
    ("question", "relation", "forward"),
    [
        ("clerks nobody supervises", "SUPERVISED_BY", True),
        ("clerks that nobody supervises", "SUPERVISED_BY", True),
        ("clerks that are not supervised", "SUPERVISED_BY", True),
        ("unsupervised clerks", "SUPERVISED_BY", True),
        ("clerks who have not supervised anybody", "SUPERVISED_BY", False),
        ("clerks that follow nobody", "FOLLOWS", True),
        ("clerks that nobody follows", "FOLLOWS", False),
        ("clerks not following anybody", "FOLLOWS", True),
        ("uninsured boats", "INSURED_BY", True),
        ("which boats are uninsured", "INSURED_BY", True),
    ],
)
def test_who_is_the_subject_of_a_denied_verb(reader: Reader, question: str, relation: str, forward: bool) -> None:
    link = _link(reader, question)
    assert (link.negated, link.path[0].relation, link.path[0].forward) == (True, relation, forward)


@pytest.mark.parametrize(
    ("question", "forward"),
    [
        ("who reports to Ann Moss", True), ("clerks who answer to Ann Moss", True), ("who supervises Ann Moss", False),
        ("who does Ann Moss supervise", True), ("who is supervised by Ann Moss", True),
    ],
)  # fmt: skip
def test_verbs_that_say_a_relation_the_same_way_or_the_other(reader: Reader, question: str, forward: bool) -> None:
    assert _link(reader, question).path[0].forward is forward


@pytest.mark.parametrize(
    ("question", "relation", "forward"),
    [
        ("which clerk has the most followers", "FOLLOWS", False),
        ("who has the most followers", "FOLLOWS", False),
        ("who follows the most clerks", "FOLLOWS", True),
        ("which clerk has supervised the biggest number of others", "SUPERVISED_BY", False),
        ("who keeps the most boats", "KEPT_BY", False),
        ("the most followed clerk", "FOLLOWS", False),
        ("the most frequently supervised clerk", "SUPERVISED_BY", True),
        ("which clerk is followed most", "FOLLOWS", False),
        ("Has Ann Moss or Ben Reed got more followers?", "FOLLOWS", False),
    ],
)
def test_which_end_is_counted(reader: Reader, question: str, relation: str, forward: bool) -> None:
    order = _form(reader, question).nodes.order
    assert order is not None
    assert order.by.link is not None
    assert [(step.relation, step.forward) for step in order.by.link.path] == [(relation, forward)]
    assert order.by.link.other.bare


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("boats built from the 5th of April 1999 onwards", "Boats with built >= 1999-04-05"),
        ("boats built since the first of March 2001", "Boats with built >= 2001-03-01"),
        ("boats with an x-ray machine", "Boats with has xray = True"),
        ("boats over 20 square metres", "Boats with area m2 > 20"),
        ("boats above 1000 quid", "Boats with price gbp > 1000"),
        ("female clerks", "Clerks with sex = F"),
        ("how many of our clerks are women?", "Number of clerks with sex = F"),
        ("clerks who are British", "Clerks with nationality = British"),
        ("British cups", "Cups with country = United Kingdom"),
        ("heaviest engine", "Engine models, by weight kg, highest first: 1"),
        ("what won the Solent in 2021", "Boats that won Solent with year = 2021"),
        ("the third boat of the Grand Prize", "Boats that are part of Grand Prize with number = 3"),
        ("boats kept by either Ann Moss or Ben Reed", "Boats kept by Ann Moss or Ben Reed"),
        ("which insurer has the fewest insured boats", "Insurers, by number of boats, lowest first: 1"),
        ("do you know which boats Ann Moss keeps?", "Boats kept by Ann Moss"),
        ("everything Ann Moss keeps", "Boats kept by Ann Moss"),
    ],
)  # fmt: skip
def test_values_and_requests(reader: Reader, question: str, read: str) -> None:
    assert words(_form(reader, question)) == read


def test_the_best_rated_is_so_on_average(reader: Reader) -> None:
    order = _form(reader, "best rated boat").nodes.order
    assert order is not None
    assert (order.by.function, order.by.edge) == ("avg", "KEPT_BY")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("orders from 2001 on", "orders since 2001"),
        ("what was on display from May 2001 onwards", "what was on display since may 2001"),
        ("trains from platform 4 on Friday", "trains from platform 4 on friday"),
        ("parcels shipped in or after July 2024", "parcels shipped since july 2024"),
        ("parcels sent on or before 5 May", "parcels sent until 5 may"),
        ("holes in 2019 or later", "holes since 2019"),
        ("holes found from May 2024 or earlier", "holes found until may 2024"),
        ("suppliers who deliver within 5 days", "suppliers who deliver up to 5 days"),
        ("returned within 5 days of the order", "returned within 5 days of the order"),
    ],
)
def test_from_some_time_on(question: str, read: str) -> None:
    assert " ".join(token.text for token in in_times(tokens(question))) == read
