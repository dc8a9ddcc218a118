"""Evidence for what no path ends in: properties and superlatives."""

from __future__ import annotations

from typing import Any

from clew.agents.evidence import Attempt
from clew.graphs.form_support import support
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.queries import supporting
from clew.tools.graph.entity import AnswerRow
from clew.tools.linking.index import EntityIndex
from clew.tools.queries.reading.forms.form import Link, Nodes, Step
from clew.tools.queries.space.query import Chain, Hop, Order, Query
from clew.tools.queries.space.space import Answers
from tests.tools.queries.question_world import Space, context, entity, film_index

__all__ = ["film_index"]

ALIEN, WEAVER = entity("Alien", "Film"), entity("Sigourney Weaver", "Person")
STATE: StrategyInput = {"question": "", "mentions": [], "alternatives": [], "iteration": 1}


def attempt(id: str | None, name: str, label: str) -> Attempt:
    return {
        "strategy": "cypher", "iteration": 1, "rank": 0, "words": "", "cypher": "MATCH", "parameters": {},
        "confidence": 0.9, "anchors": [], "answers": [{"id": id, "name": name, "label": label, "support": 1}],
        "truncated": False, "ms": 1.0,
    }  # fmt: skip


def told(query: Query, given: Attempt, live: Any) -> set[tuple[str, str, str]]:
    return {(t.head.name, t.relation, t.tail.name) for t in supporting(query, given, STATE, live)}


def test_an_entity_s_own_property_is_its_evidence(film_index: EntityIndex) -> None:
    query = Query((Chain(ALIEN, ()),), returns="property", property_name="minutes")
    assert told(query, attempt(None, "117", "value"), context(film_index, space=Bare())) == {
        ("Alien", "minutes", "117")
    }


def test_what_a_superlative_counted_is_evidence(film_index: EntityIndex) -> None:
    query = Query((Chain("Person", ()),), order=Order(Hop("starring", False, "Film"), True))
    assert told(query, attempt(WEAVER.id, WEAVER.name, "Person"), context(film_index, space=Bare())) == {
        ("Alien", "starring", "Sigourney Weaver"),
        ("Aliens", "starring", "Sigourney Weaver"),
    }


def test_what_a_superlative_compared_is_evidence(film_index: EntityIndex) -> None:
    query = Query((Chain("Film", ()),), order=Order("minutes", True))
    assert told(query, attempt(ALIEN.id, "Alien", "Film"), context(film_index, space=Bare())) == {
        ("Alien", "minutes", "117")
    }


def test_the_ways_of_a_form_begin_at_its_names(film_index: EntityIndex) -> None:
    blade = Nodes("Film", entities=(entity("Blade Runner", "Film"),))
    director = Nodes("Person", links=(Link((Step("directed_by", False, "Film"),), blade),))
    born = Nodes("City", links=(Link((Step("born_in", False, "Person"),), director),))
    found = support(born, ["City:South Shields", "City:Chicago"], context(film_index))
    assert {(t.head.name, t.relation, t.tail.name) for t in found} == {
        ("Blade Runner", "directed_by", "Ridley Scott"),
        ("Ridley Scott", "born_in", "South Shields"),
    }


class Bare(Space):
    """As the database: chains without hops have no paths, a property has a value, no ids ask for all."""

    def execute(self, query: Query, limits: Any = None) -> Answers:
        assert query.property_name == "minutes"
        return Answers([AnswerRow(None, "117", "value", 1)], "MATCH", {}, False, 0.1)

    def evidence(self, query: Query, row_ids: list[str], limit: int) -> Any:
        chains = [chain for chain in query.chains if chain.hops]
        return [t for chain in chains for way in self._ways(chain) for t, _ in way]
