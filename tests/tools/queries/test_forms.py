"""Logical forms as keys, and where their patterns begin."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Path, Step
from clew.tools.queries.reading.forms.form_cypher import render

ANN = Nodes("Person", (Entity("p1", "Ann", "Person"),))
WROTE = Step("WROTE", False, "Person")


def films(path: Path, *others: Link) -> Form:
    return Form("nodes", Nodes("Film", links=(*others, Link(path, ANN))))


def test_equal_forms_have_one_hash() -> None:
    form = films((WROTE,))
    assert hash(form) == hash(films((WROTE,)))
    assert replace(form, limit=3) != form
    assert hash(replace(form, limit=3)) == hash(replace(films((WROTE,)), limit=3)) != hash(form)
    restored = pickle.loads(pickle.dumps(form))
    assert restored == form
    assert {form: 1}[restored] == 1


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ((WROTE,), "MATCH (n1)-[:`WROTE`]->(n2:`Film`)\n"),
        ((Step("SEQUEL_OF", True, "Film"), WROTE),
         "MATCH (n1)-[:`WROTE`]->(e3:`Film`)<-[:`SEQUEL_OF`]-(n2:`Film`)\n"),
        ((Step("MARRIED_TO", True, "Person", either=True),), "MATCH (n1)-[:`MARRIED_TO`]-(n2:`Film`)\n"),
    ],
)  # fmt: skip
def test_a_pattern_begins_at_the_named_node(path: Path, pattern: str) -> None:
    assert pattern in render(films(path), NodeTerms(), {}).cypher


def test_only_the_first_pattern_says_the_label() -> None:
    form = films((WROTE,), Link((Step("IN_GENRE", True, "Genre"),), Nodes("Genre")))
    pattern = "MATCH (n1)-[:`WROTE`]->(n2:`Film`), (n2)-[:`IN_GENRE`]->(e3:`Genre`)"
    assert pattern in render(form, NodeTerms(), {}).cypher


def test_a_relationship_with_a_condition_keeps_its_name() -> None:
    link = Link((WROTE,), ANN, conditions=(Predicate("year", "=", 1999, "number"),))
    cypher = render(Form("nodes", Nodes("Film", links=(link,))), NodeTerms(), {}).cypher
    assert "MATCH (n1)-[r3:`WROTE`]->(n2:`Film`) WHERE r3.`year` = " in cypher
