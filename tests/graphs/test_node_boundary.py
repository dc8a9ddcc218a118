"""The boundary of nodes: they read and return typed values, and the state has plain ones."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st
from langgraph.runtime import Runtime

from clew.agents.references import mention_of, mention_ref
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import CONVERSIONS
from clew.graphs.steps import StepResult, as_node
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.linking.index import EntityIndex
from tests.tools.queries.question_world import context, film_index

__all__ = ["film_index"]

ENTITIES = st.builds(Entity, st.text(max_size=5), st.text(max_size=5), st.text(max_size=5))
CANDIDATES = st.builds(
    Candidate, ENTITIES, st.floats(0, 1), st.sampled_from(["exact", "partial", "fuzzy"]), st.text(max_size=5)
)
MENTIONS = st.builds(
    Mention,
    st.integers(0, 9),
    st.integers(0, 9),
    st.text(max_size=5),
    st.lists(CANDIDATES, max_size=3).map(tuple),
    group=st.booleans(),
    said=st.text(max_size=5),
    source=st.sampled_from(["", "question", "model", "draft"]),
)


@given(MENTIONS)
def test_a_mention_is_the_same_after_it_was_stored(mention: Mention) -> None:
    again = mention_of(json.loads(json.dumps(mention_ref(mention))))
    assert again == mention
    assert (again.group, again.said, again.source) == (mention.group, mention.said, mention.source)


def test_a_node_converts_all_mentions_and_nothing_else(film_index: EntityIndex) -> None:
    heat = Mention(13, 17, "Heat", (Candidate(Entity("heat", "Heat", "Film"), 1.0, "exact", "Heat"),))
    stored: dict[str, Any] = {key: [mention_ref(heat)] for key in CONVERSIONS}
    read: dict[str, Any] = {}

    def work(state: Any, live: Context, span: Span) -> StepResult:
        read.update(state)
        return StepResult({key: state[key] for key in (*CONVERSIONS, "tried")}, "")

    node = as_node("work", work, reads=())
    runtime = cast(Runtime[Any], SimpleNamespace(context=context(film_index)))
    update = node({**stored, "tried": ["heat"]}, runtime)
    assert read == {**{key: [heat] for key in CONVERSIONS}, "tried": ["heat"]}
    assert {key: update[key] for key in (*CONVERSIONS, "tried")} == {**stored, "tried": ["heat"]}
    assert len(CONVERSIONS) == 5
