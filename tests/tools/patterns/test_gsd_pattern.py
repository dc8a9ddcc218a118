"""Pattern graphs: what is accepted, what is refused, JSON both ways."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.errors import BadInput
from clew.tools.patterns import Pattern, PatternEdge, PatternNode

texts = st.none() | st.text(min_size=1).filter(str.strip)


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    count = draw(st.integers(1, 6))
    nodes = tuple(PatternNode(draw(texts), draw(texts)) for _ in range(count))
    pairs = [(draw(st.integers(0, i - 1)), i) for i in range(1, count)]
    ends = st.integers(0, count - 1)
    pairs += draw(st.lists(st.tuples(ends, ends), min_size=count == 1, max_size=3))
    edges = tuple(PatternEdge(head, tail, draw(texts), draw(st.booleans())) for head, tail in pairs)
    return Pattern(nodes, edges, draw(st.none() | ends))


@given(patterns())
def test_a_pattern_survives_json(pattern: Pattern) -> None:
    assert Pattern.from_json(json.loads(json.dumps(pattern.to_json()))) == pattern


def test_left_out_fields_are_unknown_and_free() -> None:
    pattern = Pattern.from_json({"nodes": [{"text": "Her"}, {}], "edges": [{"head": 0, "tail": 1}]})
    assert not pattern.nodes[1].known
    assert not pattern.edges[0].known
    assert not pattern.edges[0].directed
    assert pattern.asked is None


NODES = [{"text": "Her"}, {}]
EDGES = [{"head": 0, "tail": 1, "relation": "director"}]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "pattern is not a JSON object"),
        ({"nodes": NODES}, "`edges` of the pattern is not a list"),
        ({"nodes": [], "edges": []}, "at least one node and one edge"),
        ({"nodes": NODES, "edges": EDGES, "answer": 1}, "field 'answer'"),
        ({"nodes": ["Her"], "edges": EDGES}, "Node 0 is not a JSON object"),
        ({"nodes": [{"text": " "}, {}], "edges": EDGES}, "text of node 0"),
        ({"nodes": [{"text": 7}, {}], "edges": EDGES}, "text of node 0"),
        ({"nodes": [{"type": ""}, {}], "edges": EDGES}, "type of node 0"),
        ({"nodes": NODES, "edges": [{"head": 0, "tail": 2}]}, "names node 2"),
        ({"nodes": NODES, "edges": [{"head": 0}]}, "names node -1"),
        ({"nodes": NODES, "edges": [{"head": True, "tail": 0}]}, "names node True"),
        ({"nodes": NODES, "edges": [{"head": 0, "tail": 1, "directed": "yes"}]}, "`directed` of edge 0"),
        ({"nodes": NODES, "edges": EDGES, "asked": 2}, "asked node of the pattern names node 2"),
        ({"nodes": [*NODES, {}], "edges": EDGES}, "Node 2 of the pattern is not connected"),
        ({"nodes": [{}] * 17, "edges": [{"head": i, "tail": i + 1} for i in range(16)]}, "too large"),
    ],
)
def test_what_is_no_pattern_is_refused(value: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message) as refused:
        Pattern.from_json(value)
    assert refused.value.remedy
