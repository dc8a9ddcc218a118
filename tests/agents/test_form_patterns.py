"""Logical forms as pattern graphs: paths, stars, cycles, and what a pattern cannot say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.agents.patterns.form_patterns import FormPattern, of_form
from clew.tools.graph.entity import Entity
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Order, Step, Value

HEAT, CASINO = Entity("h", "Heat", "Film"), Entity("c", "Casino", "Film")
MANN, NIRO = Entity("m", "Michael Mann", "Person"), Entity("n", "Robert De Niro", "Person")
DIRECTED, ACTED = Step("DIRECTED", False, "Person"), Step("ACTED_IN", False, "Person")


def one(entity: Entity) -> Nodes:
    return Nodes(entity.label, (entity,))


def films(*links: Link) -> Nodes:
    return Nodes("Film", links=links)


def drawn(formed: FormPattern | None) -> set[tuple[str, str, str]]:
    """The edges as head, relation, tail; a node by its name, or by its place and type."""
    assert formed is not None
    pattern = formed.written.pattern
    names = [node.text or f"{place}:{node.type}" for place, node in enumerate(pattern.nodes)]
    return {(names[edge.head], str(edge.relation), names[edge.tail]) for edge in pattern.edges}


def test_a_path_has_a_node_for_each_step() -> None:
    actors = Nodes("Person", links=(Link((Step("ACTED_IN", True, "Film"), DIRECTED), one(MANN)),))
    formed = of_form(Form("nodes", actors))
    assert drawn(formed) == {("0:person", "ACTED_IN", "1:film"), ("Michael Mann", "DIRECTED", "1:film")}
    assert formed is not None
    assert formed.whole
    assert formed.entities == {2: (MANN,)}
    assert formed.labels == {0: "Person", 1: "Film", 2: "Person"}
    assert formed.written.pattern.asked == 0


def test_conditions_on_one_set_are_a_star() -> None:
    both = films(Link((DIRECTED,), one(MANN)), Link((ACTED,), one(NIRO)))
    assert drawn(of_form(Form("nodes", both))) == {
        ("Michael Mann", "DIRECTED", "0:film"),
        ("Robert De Niro", "ACTED_IN", "0:film"),
    }


def test_an_intersection_is_one_node() -> None:
    both = replace(films(Link((DIRECTED,), one(MANN))), within=(films(Link((ACTED,), one(NIRO))),))
    formed = of_form(Form("nodes", both))
    assert len(drawn(formed)) == 2
    assert formed is not None
    assert len(formed.written.pattern.nodes) == 3


def test_one_entity_in_two_places_closes_a_cycle() -> None:
    own = films(Link((DIRECTED,), one(NIRO)), Link((ACTED,), one(NIRO)))
    formed = of_form(Form("nodes", own))
    assert formed is not None
    assert (len(formed.written.pattern.nodes), len(formed.written.pattern.edges)) == (2, 2)


def test_a_step_without_a_direction_matches_both() -> None:
    beside = Nodes("State", links=(Link((Step("BORDERS", True, "State", either=True),), one(HEAT)),))
    formed = of_form(Form("nodes", beside))
    assert formed is not None
    assert not formed.written.pattern.edges[0].directed


def test_several_entities_stay_one_node() -> None:
    formed = of_form(Form("nodes", films(Link((DIRECTED,), Nodes("Person", (MANN, NIRO))))))
    assert formed is not None
    assert list(formed.entities.values()) == [(MANN, NIRO)]


@pytest.mark.parametrize(
    "form",
    [
        Form("number", films(Link((DIRECTED,), one(MANN))), None, "count"),
        Form("nodes", replace(films(Link((DIRECTED,), one(MANN))), order=Order(Value("year"), True))),
        Form("nodes", films(Link((DIRECTED,), one(MANN)), Link((ACTED,), one(NIRO), negated=True))),
        Form("nodes", films(Link((DIRECTED,), one(MANN)), Link((ACTED,), Nodes("Person"), count=(">", 3)))),
        Form("nodes", replace(films(Link((DIRECTED,), one(MANN))), without=(one(HEAT),))),
        Form("nodes", films(Link((DIRECTED,), one(MANN)), Link((ACTED,), one(NIRO), deep=True))),
    ],
)
def test_numbers_order_and_absence_are_left_to_the_form(form: Form) -> None:
    formed = of_form(form)
    assert drawn(formed) == {("Michael Mann", "DIRECTED", "0:film")}
    assert formed is not None
    assert not formed.whole


@pytest.mark.parametrize("nodes", [films(), one(CASINO), films(Link((DIRECTED,), Nodes("Person")))])
def test_without_a_relation_or_a_name_there_is_no_pattern(nodes: Nodes) -> None:
    assert of_form(Form("nodes", nodes)) is None


def test_nor_where_it_is_too_large() -> None:
    many = tuple(Link((DIRECTED, ACTED), one(Entity(str(i), f"Film {i}", "Film"))) for i in range(20))
    assert of_form(Form("nodes", films(*many))) is None
