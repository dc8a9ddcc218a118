"""Relatives whom the graph has no relation for, spouses in either direction, and what people do."""

from __future__ import annotations

import re

import pytest

from clew.tools.embedding import MiniLM
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.name_anchors import GraphNames
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reader
from tests.tools.queries.question_readings import best_reading, reader_of

_PERSON = (
    Property("Person", "sex", "STRING", 60, ("f", "m")),
    Property("Person", "born", "INTEGER", 60, (1790, 1901), 1760, 1930),
)
FAMILY = Schema(
    {"Person": 60, "Occupation": 9, "Company": 4, "Material": 5, "Order": 30},
    (
        Relation("child_of", "Person", "Person", 80), Relation("married_to", "Person", "Person", 20),
        Relation("profession", "Person", "Occupation", 60), Relation("supplies", "Company", "Material", 8),
        Relation("o_buyer", "Order", "Company", 30), Relation("o_mat", "Order", "Material", 30),
    ),
    _PERSON, "1",
)  # fmt: skip
_NAMES = {"Ada": Entity("p1", "Ada", "Person"), "steel": Entity("m1", "steel", "Material")}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(
        FAMILY, GraphNames(lambda name: [_NAMES[name]] if name in _NAMES else [], lambda text: {}), MiniLM(), Glosses()
    )


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("who are the grandchildren of Ada?", "<-[:`child_of`]-()<-[:`child_of`]-()"),
        ("what is the name of Ada's grandson?", "<-[:`child_of`]-()<-[:`child_of`]-()"),
        ("who was Ada's grandmother?", "-[:`child_of`]->()-[:`child_of`]->()"),
        ("Ada's sisters", "-[:`child_of`]->()<-[:`child_of`]-()"),
        ("who is the uncle of Ada", "-[:`child_of`]->()-[:`child_of`]->()<-[:`child_of`]-()"),
        ("Ada's mother-in-law", "-[:`married_to`]-()-[:`child_of`]->()"),
        ("who is Ada's husband?", "-[:`married_to`]-()"),
        ("what does Ada's husband do?", "-[:`profession`]->()"),
    ],
)
def test_relatives(reader: Reader, question: str, pattern: str) -> None:
    form = best_reading(reader, question, _NAMES).form
    cypher = render(form, NodeTerms(), {}).cypher
    assert pattern in re.sub(r"\(\w+(:`\w+`)?\)", "()", cypher), cypher


PARENTS = Schema(
    {"Person": 60},
    (Relation("FATHER_OF", "Person", "Person", 40), Relation("MOTHER_OF", "Person", "Person", 38)),
    _PERSON, "1",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("who are the parents of Ada?", "<-[:`FATHER_OF`|`MOTHER_OF`]-()"),
        ("how many children did Ada have?", "-[:`FATHER_OF`|`MOTHER_OF`]->()"),
        ("who are the grandchildren of Ada?", "-[:`FATHER_OF`|`MOTHER_OF`]->()-[:`FATHER_OF`|`MOTHER_OF`]->()"),
        ("Ada's sisters", "<-[:`FATHER_OF`|`MOTHER_OF`]-()-[:`FATHER_OF`|`MOTHER_OF`]->()"),
        ("who was the father of Ada?", "<-[:`FATHER_OF`]-()"),
        ("who is descended from Ada, directly or indirectly?", "-[:`FATHER_OF`|`MOTHER_OF`*0..1]->"),
    ],
)
def test_fathers_and_mothers_are_parents(question: str, pattern: str) -> None:
    reader = reader_of(PARENTS, _NAMES, lambda text: {})
    cypher = render(best_reading(reader, question, _NAMES).form, NodeTerms(), {}).cypher
    assert pattern in re.sub(r"\(\w+(:`\w+`)?\)", "()", cypher), cypher


def test_a_sister_is_a_woman_where_the_graph_says_so(reader: Reader) -> None:
    assert "with sex = f" in words(best_reading(reader, "Ada's sisters", _NAMES).form)
    assert "sex" not in words(best_reading(reader, "Ada's siblings", _NAMES).form)


def test_companies_are_asked_for_by_who(reader: Reader) -> None:
    assert words(best_reading(reader, "who supplies steel?", _NAMES).form) == "Companies that supply steel"
