"""The table of strategies: what derives from it, and a strategy that is added at run time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from clew.app.cli.ask import ask as ask_command
from clew.graphs.ask import RunRequest, ask, stream
from clew.graphs.question import build_question_graph
from clew.graphs.strategies import STRATEGIES
from clew.graphs.strategies.registry import REGISTRY
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.graphs.strategies.triplets import triplets
from clew.tools.linking.index import EntityIndex
from tests.tools.queries.question_world import Ranker, context, film_index, names, stand_ins

__all__ = ["film_index", "stand_ins"]
DOCS = Path(__file__).parents[2] / "docs" / "strategies.md"
QUESTION = "Who directed Alien?"


def markdown_table() -> str:
    """The table of docs/strategies.md."""
    head = "| name | what it does | needs | without a model | with a model | source |\n|---|---|---|---|---|---|\n"
    return head + "".join(
        f"| `{each.name}` | {each.does} | {each.needs} | {each.without_model.value} | {each.with_model.value} "
        f"| {each.source} |\n"
        for each in REGISTRY.values()
    )


def test_the_table_of_the_docs_is_the_registry_s() -> None:
    assert markdown_table() in DOCS.read_text(encoding="utf-8")


def test_names_are_those_of_the_modules_and_of_the_graph_s_nodes() -> None:
    assert list(REGISTRY) == [each.name for each in REGISTRY.values()] == list(STRATEGIES)
    assert set(STRATEGIES) < build_question_graph().get_graph().nodes.keys()


def test_the_help_names_every_strategy() -> None:
    shown = CliRunner().invoke(ask_command, ["--help"]).output
    assert all(name in shown for name in STRATEGIES)


@pytest.fixture
def nearest(monkeypatch: pytest.MonkeyPatch) -> Strategy:
    """A strategy of somebody else's, in the table."""

    def run(state: Any, live: Any, span: Any) -> Any:
        return triplets(state, live, span)

    strategy = Strategy(
        name="nearest", run=run, does="As triplets", source="none", needs="a linked entity",
        without_model=Turn.UNSURE, by_meaning=True,
    )  # fmt: skip
    monkeypatch.setitem(REGISTRY, "nearest", strategy)
    return strategy


def test_a_strategy_added_at_run_time_answers_by_name(film_index: EntityIndex, nearest: Strategy) -> None:
    result = ask(build_question_graph(), context(film_index, strategies=("nearest",)), QUESTION)
    assert names(result) == ["Ridley Scott"]
    assert markdown_table().endswith(
        "| `nearest` | As triplets | a linked entity | when the first are not sure | only by name | none |\n"
    )


def test_and_takes_its_turn(film_index: EntityIndex, nearest: Strategy) -> None:
    events = list(stream(build_question_graph(), context(film_index, ranker=Ranker(silent=True)), RunRequest(QUESTION)))
    sent = [event["node"] for event in events if event["type"] == "step"]
    assert sent.index("cypher") < sent.index("nearest")
