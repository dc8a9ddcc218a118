"""How Cypher speaks of nodes: of graphs that Clew imported, alone or beside others, and of graphs that were there."""

from __future__ import annotations

from clew.tools.cypher import guard
from clew.tools.graph.node_terms import NodeTerms

ALONE = NodeTerms()
SHARED = NodeTerms("Clew_films")
FOREIGN = NodeTerms(imported=False, names={"Film": ("title",), "Person": ("first", "last"), "Odd`": ()})


def test_imported_nodes_are_told_apart_by_their_own_id() -> None:
    assert ALONE.by_id("a", "Film", "a0") == "MATCH (a:`Film` {nodeId: $a0})"
    assert (ALONE.id("a"), ALONE.name("a"), ALONE.label("a")) == ("a.nodeId", "a.name", "labels(a)[0]")
    assert ALONE.parameters == {}


def test_a_shared_database_is_asked_within_the_scope_only() -> None:
    assert SHARED.by_id("a", "Film", "a0") == "MATCH (a:`Film`:`Clew_films` {nodeId: $a0})"
    assert SHARED.node("n") == "(n:`Clew_films`)"
    assert "$scope" in SHARED.label("a")
    assert SHARED.parameters == {"scope": "Clew_films"}


def test_other_graphs_are_told_apart_by_element_id_and_named_by_label() -> None:
    assert FOREIGN.by_id("a", "Film", "a0") == "MATCH (a:`Film`) WHERE elementId(a) = $a0"
    assert FOREIGN.id("a") == "elementId(a)"
    name = FOREIGN.name("a")
    assert "WHEN a:`Film` THEN toString(a.`title`)" in name
    assert "toString(a.`first`) + ' ' + toString(a.`last`)" in name
    assert "Odd" not in name  # a label without a naming property is named by its id
    assert name.endswith("labels(a)[0] + ' ' + last(split(elementId(a), ':')))")
    guard.check(f"MATCH (a) RETURN {name} AS name, {FOREIGN.label('a')} AS label")


def test_labels_that_are_named_alike_share_a_case_and_the_first_that_counts_is_a_nodes_label() -> None:
    names = {"Film": ("title",), "Person": ("name",), "City": ("name",), "Star": ("x",)}
    people = NodeTerms(imported=False, names=names, labels=("Person", "City", "Film"))
    assert people.name("a").count("WHEN") == 2
    assert "WHEN a:`Person` OR a:`City` THEN toString(a.`name`)" in people.name("a")
    assert "Star" not in people.name("a")
    assert people.label("a") == "[label IN $label_order WHERE label IN labels(a)][0]"
    assert people.parameters == {"label_order": ["Person", "City", "Film"]}


def test_nodes_that_clew_keeps_beside_another_graph_are_none_of_it() -> None:
    other = NodeTerms(imported=False, beside=("Clew_films",))
    assert other.node("n", "Film") == "(n:`Film`&!`Clew_films`)"
    assert other.node("n") == "(n:!`ClewGraph`&!`Clew_films`)"
    assert other.within("n", "(`Film`|`Book`)") == "(n:(`Film`|`Book`)&!`Clew_films`)"
    assert SHARED.within("n", "(`Film`|`Book`)") == "(n:(`Film`|`Book`)&`Clew_films`)"
