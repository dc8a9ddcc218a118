"""The demo's generator: its questions can be drawn again, and it chooses the right query for others of their kind."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from clew.agents.generating.cypher_generator import query_prompt
from clew.agents.generating.written_query import written
from clew.tools.graph.entity import Entity
from clew.tools.learning.generation.choosing import TextChooser
from clew.tools.learning.generation.loading import load
from demo.generator.questions import HERE, World, drawn_questions

DEMO = Path(__file__).resolve().parents[2] / "demo"
MOST_BYTES = 4_000_000


def test_questions_are_drawn_the_same_again_and_none_is_one_of_the_demos_own() -> None:
    drawn = list(drawn_questions(2000, 0))
    assert drawn[:300] == list(drawn_questions(300, 0))
    assert drawn[:300] != list(drawn_questions(300, 1))
    lines = (DEMO / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    own = {json.loads(line)["question"].casefold().rstrip("?") for line in lines}
    shared = [question for question, _ in drawn if question.casefold().rstrip("?") in own]
    assert len(shared) < 0.01 * len(drawn), "plain questions may coincide, but hardly any do"
    assert {query.shape for _, query in drawn} == {"path", "property", "intersection", "count", "superlative"}


def test_every_drawn_query_has_an_answer_in_the_graph() -> None:
    world = World()
    for _, query in islice(drawn_questions(400, 3), 400):
        for chain in query.chains:
            ends = {chain.anchor.id} if isinstance(chain.anchor, Entity) else set(world.nodes)
            for hop in chain.hops:
                ends = {
                    step.end
                    for id in ends
                    for step in world.steps[id]
                    if (step.relation, step.forward) == (hop.relation, hop.forward)
                    and (not hop.typed or world.nodes[step.end].label == hop.target)
                }
            assert ends, written(query)


@pytest.fixture(scope="module")
def chooser() -> TextChooser:
    return TextChooser(load(str(HERE), device="cpu"))


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in HERE.iterdir() if path.is_file()) < MOST_BYTES


def test_it_chooses_the_query_of_new_questions_of_its_kind(chooser: TextChooser) -> None:
    """Drawn with a seed that it was not trained with; the candidates are the queries of the same entity's questions."""
    drawn = [(q, query) for q, query in drawn_questions(3000, 99) if query.shape == "path" and query.length == 1]
    by_label: dict[str, list[str]] = {}
    for _, query in drawn:
        text = written(query)
        by_label.setdefault(query.anchors[0].label, []).append(text.partition("})")[2])
    right = 0
    asked = drawn[:40]
    for question, query in asked:
        start = written(query).partition("})")[0] + "})"
        texts = sorted({start + rest for rest in by_label[query.anchors[0].label]})
        found = chooser.choose(query_prompt(question), texts, 3)
        assert found.exact
        right += texts[found.chosen[0].index] == written(query)
    assert right >= 0.9 * len(asked)
