"""Questions about a graph as a whole, and what its schema answers."""

from __future__ import annotations

import pytest

from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.queries.overviews import OverviewAsked, labels_told, overview_asked, properties_told, relations_told
from clew.tools.queries.surroundings.asked import GraphWords

LABELS = {
    word: [(label, 0.0)]
    for label, words in {"Person": ("person", "people"), "Film": ("film", "films", "movies")}.items()
    for word in words
}
WORDS = GraphWords(LABELS, schema=lambda: ["acted", "in", "likes", "release", "year", "born", "person", "film"])
SCHEMA = Schema(
    {"Film": 2, "Person": 30},
    (
        Relation("ACTED_IN", "Person", "Film", 5),
        Relation("LIKES", "Person", "Film", 4),
        Relation("LIKES", "Person", "Person", 3),
    ),
    (Property("Film", "releaseYear", "INTEGER", 2, (1995, 2001, 2004)), Property("Person", "born", "DATE", 9, ())),
    "1",
)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What's in this graph?", "labels"),
        ("what can I ask you?", "labels"),
        ("What kind of questions can you answer?", "labels"),
        ("what do you know", "labels"),
        ("which kinds of things are there?", "labels"),
        ("list all the node types", "labels"),
        ("Give me an overview of the data, please", "labels"),
        ("help", "labels"),
        ("what types of relationships are there?", "relations"),
        ("list the relations", "relations"),
        ("how many nodes are there in total?", "nodes"),
        ("how big is the knowledge graph?", "nodes"),
        ("how many edges does it have", "relationships"),
    ],
)
def test_the_graph_as_a_whole_is_asked_for(question: str, kind: str) -> None:
    assert overview_asked(question, WORDS) == OverviewAsked(kind)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("what properties does a person have?", "Person"),
        ("which attributes are there for films?", "Film"),
        ("what do you know about movies", "Film"),
        ("what is a film?", "Film"),
    ],
)
def test_a_kind_of_node_is_asked_for(question: str, label: str) -> None:
    assert overview_asked(question, WORDS) == OverviewAsked("label", label)


@pytest.mark.parametrize(
    "question",
    [
        "how many films are there?",
        "what is the longest film?",
        "how many items were sold in 2024?",
        "which things did people buy?",
        "what data did the sensors send?",
        "list all films",
        "what information was leaked?",
        "which relationships ended in 2020?",
        "who can I ask about films?",
    ],
)
def test_a_question_about_what_the_graph_has_is_none(question: str) -> None:
    assert overview_asked(question, WORDS) is None


def test_the_schema_tells_what_there_is() -> None:
    assert list(labels_told(SCHEMA)) == [
        ("Person", 30, "born; ACTED_IN → Film, LIKES → Film, LIKES → Person"),
        ("Film", 2, "release year"),
    ]
    assert list(relations_told(SCHEMA)) == [
        ("ACTED_IN", 5, "Person → Film"),
        ("LIKES", 7, "Person → Film, Person → Person"),
    ]
    assert list(properties_told(SCHEMA, "Film")) == [
        ("releaseYear", "integer, such as 1995, 2001"),
        ("ACTED_IN", "from Person"),
        ("LIKES", "from Person"),
    ]
