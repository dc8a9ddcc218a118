"""Values of relationships, nouns of verbs, denials, short forms of relations, numbers out of range, any depth."""

from __future__ import annotations

import pytest

from clew.tools.embedding import MiniLM
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.name_anchors import GraphNames
from clew.tools.queries.reading.forms.form import DEEPEST, Condition, Form, Nodes
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.plausible import implausible
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.relation_names import relation_words
from tests.tools.queries.question_readings import best_reading

COUNCIL = Schema(
    {"Councillor": 30, "Ballot": 12, "Motion": 20, "Board": 6, "Clerk": 9, "Donor": 8, "Pty": 4, "Tool": 15, "Bill": 9},
    (
        Relation("VOTE", "Councillor", "Ballot", 200), Relation("ABOUT", "Ballot", "Motion", 12),
        Relation("SEAT_ON", "Councillor", "Board", 40), Relation("EMPLOYMENT", "Clerk", "Councillor", 9),
        Relation("DONATION", "Donor", "Pty", 30), Relation("DEP_ON", "Tool", "Tool", 14),
        Relation("SUP_BY", "Tool", "Clerk", 15), Relation("PROPOSED", "Councillor", "Motion", 20),
    ),
    (
        Property("Councillor", "surname", "STRING", 30, ("Moss",)),
        Property("Motion", "title", "STRING", 20, ("Bus Lanes",)),
        Property("Motion", "pages", "INTEGER", 20, (4, 90), 4.0, 90.0),
        Property("Board", "budget", "INTEGER", 6, (100, 900), 100.0, 900.0),
        Property("Bill", "amount", "INTEGER", 9, (20, 400), 20.0, 400.0),
        Property("Bill", "paid_on", "DATE", 6, ("2025-03-01",)),
        Property("Bill", "size", "STRING", 9, ("large", "small")),
        Property("Clerk", "country", "STRING", 9, ("Ireland",)),
    ),
    "1",
    (
        Property("VOTE", "choice", "STRING", 200, ("yes", "no")), Property("SEAT_ON", "post", "STRING", 40, ("chair",)),
        Property("DONATION", "amount", "INTEGER", 30, (5, 900), 5.0, 900.0),
        Property("SEAT_ON", "share_pct", "INTEGER", 40, (10, 61), 10.0, 61.0),
    ),
)  # fmt: skip
_NAMES = {
    "Ann Moss": Entity("c1", "Ann Moss", "Councillor"), "Bus Lanes": Entity("m1", "Bus Lanes", "Motion"),
    "Bike Lanes": Entity("m2", "Bike Lanes", "Motion"),
    "Parks": Entity("b1", "Parks", "Board"), "Roads": Entity("b2", "Roads", "Board"),
    "Mailer": Entity("t1", "Mailer", "Tool"), "Greens": Entity("p1", "Greens", "Pty"),
}  # fmt: skip
_VALUES = {
    "no": {("VOTE", "choice", True): ["no"]},
    "chair": {("SEAT_ON", "post", True): ["chair"]},
    "large": {("Bill", "size", False): ["large"]},
    "small": {("Bill", "size", False): ["small"]},
    "ireland": {("Clerk", "country", False): ["Ireland"]},
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    names = GraphNames(
        lambda name: [_NAMES[name]] if name in _NAMES else [], lambda text: dict(_VALUES.get(text.lower(), {}))
    )
    return Reader(COUNCIL, names, MiniLM(), Glosses())


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("who voted no on Bus Lanes?", "Councillors with vote ballots with about Bus Lanes with choice = no"),
        ("who chairs Parks?", "Councillors seat on Parks with post = chair"),
        ("which board has no chair?", "Boards except those that councillors are seat on with post = chair"),
        ("How did Ann Moss vote on Bus Lanes?", "choice of ballots with about Bus Lanes of Ann Moss"),
        ("who works for Ann Moss?", "Clerks with employment Ann Moss"),
        ("total donations per party", "Total amount of donors for each of"),
        ("which boards have an above average budget?", "Boards with budget higher than the average of boards"),
        ("motions longer than the average one", "Motions with pages higher than the average of motions"),
        ("whose budget is bigger, Parks's or Roads's?", "Parks or Roads, by budget, highest first: 1"),
        ("is Bus Lanes longer or Bike Lanes?", "Bus Lanes or Bike Lanes, by pages, highest first: 1"),
        ("Bus Lanes: how many pages?", "pages of Bus Lanes"),
        ("total of all unpaid bills", "Total amount of bills whose paid on is missing"),
        ("bills that have been paid", "Bills whose paid on is present"),
        ("clerks outside of Ireland", "Clerks with country not = Ireland"),
        ("tools without a clerk or a tool", "Tools except those supported by clerks or that depend on tools"),
        ("who supports Mailer?", "Clerks that Mailer is supported by"),
        ("which tools depend on Mailer, directly or indirectly?", "that depend on Mailer, directly or indirectly"),
        ("Which board has the most people on it?", "Boards, by number of councillors, highest first: 1"),
    ],
)
def test_council(reader: Reader, question: str, read: str) -> None:
    assert read in words(best_reading(reader, question, _NAMES).form)


def test_several_steps_of_one_relation_are_bounded(reader: Reader) -> None:
    form = best_reading(reader, "which tools depend on Mailer, directly or indirectly?", _NAMES).form
    cypher = render(form, NodeTerms(), {}).cypher
    assert cypher.count("<-[:`DEP_ON`]-") == 1
    assert cypher.count("<-[:`DEP_ON`*0..1]-") == DEEPEST - 1


@pytest.mark.parametrize(("number", "far"), [(300, False), (3000, True)])
def test_a_number_far_above_all_values_is_no_number_of_a_property(number: int, far: bool) -> None:
    over = Condition(Predicate("amount", ">", number, "number"), property="amount")
    form = Form("nodes", Nodes("Bill", conditions=(over,)))
    owned = {each.name: each for each in COUNCIL.properties if each.label == "Bill"}
    assert bool(list(implausible(form, lambda label, name: owned[name], (), COUNCIL))) == far


def test_short_forms_in_the_names_of_relations() -> None:
    assert relation_words("RPTS_TO") == ("reports", "to")
    assert relation_words("LIVES_IN") == ("lives", "in")
