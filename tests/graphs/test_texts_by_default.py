"""Questions in the words of nodes' texts, asked without a strategy: answered by the texts, unsure, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.graphs.ask import ask
from clew.graphs.question import build_question_graph
from clew.graphs.result import AskResult
from clew.graphs.strategies.texts import left_to_texts
from clew.tools.graph.store.bolt import BoltDatabase
from tests.graphs.test_hybrid import store_shop
from tests.tools.linking.letters import Letters


@pytest.fixture
def container(clew_home: Path, database: BoltDatabase, monkeypatch: pytest.MonkeyPatch) -> Iterator[Container]:
    """On a graph "texted" in the embedded database, its texts indexed, with embeddings that cost nothing."""
    store_shop(database.open("texted", create=True))
    opened = Container(load_settings(home=clew_home), NoProgress())
    monkeypatch.setattr(opened, "embedder", Letters(), raising=False)
    opened.files("texted").text_index()
    yield opened
    opened.drop("texted")
    opened.close()


def by_default(container: Container, question: str) -> AskResult:
    return ask(build_question_graph(), container.context("texted"), question)


@pytest.mark.parametrize(
    ("question", "nowhere"),
    [
        ("Which product attracts pollinators?", ["pollinators"]),
        ("can you suggest a product that keeps its shape", []),
        ("can you recommend something for dough", []),
    ],
)
def test_descriptions_are_answered_by_the_texts(container: Container, question: str, nowhere: list[str]) -> None:
    result = by_default(container, question)
    assert result["answers"]
    assert 0 < result["confidence"] <= 0.5
    assert result["unmatched"] == []
    assert list(result["unexplained"]) == nowhere
    assert "no query vouches for that" in result["explanation"]
    assert result["doubt"].startswith("I am not sure.")
    assert all(f"No name and no text has “{word}”" in result["explanation"] for word in nowhere)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which product of Zorblax beats dough?", "Zorblax"),
        ("Which product thickens Zorblax?", "Zorblax"),
        ("products of zorblax", "zorblax"),
        ("products by zorblax quimby", "zorblax quimby"),
    ],
)
def test_names_that_stand_nowhere_are_refused(container: Container, question: str, name: str) -> None:
    result = by_default(container, question)
    assert result["answers"] == []
    assert f"no node named “{name}”" in result["explanation"]


def test_words_of_the_texts_order_the_answers_of_a_query(container: Container) -> None:
    result = by_default(container, "Which products made by Tarn and Sons have brass?")
    assert [answer["name"] for answer in result["answers"]] == ["Marsh Lamp", "Iron Whisk"]
    assert result["confidence"] <= 0.5
    again = by_default(container, "Which products made by Tarn and Sons are for cream and dough?")
    assert [answer["name"] for answer in again["answers"]] == ["Iron Whisk", "Marsh Lamp"]


def test_what_the_schema_explains_needs_no_texts(container: Container) -> None:
    result = by_default(container, "Which products are made by Tarn and Sons?")
    assert {answer["name"] for answer in result["answers"]} == {"Marsh Lamp", "Iron Whisk"}
    assert result["confidence"] >= 0.6


def test_words_of_the_texts_make_an_answer_doubtful_that_leaves_them_out(container: Container) -> None:
    def left(*words: str, confidence: float = 0.7, **changed: Any) -> list[str]:
        attempt: Any = {"confidence": confidence, "unexplained": list(words)}
        return left_to_texts(attempt, replace(container.context("texted"), **changed))

    assert left("brass", "glucose", "which", "9", "Creams") == ["brass", "Creams"]
    assert left("brass", confidence=0.9) == []  # it is certain
    assert left("brass", strategies=("cypher",)) == []


@pytest.mark.parametrize("question", ["Which products made by Tarn and Sons are for cream and dough?"])
def test_readings_are_chosen_by_the_numbers_that_are_offered(container: Container, question: str) -> None:
    readings = by_default(container, question)["readings"]
    assert readings
    for number, offered in enumerate(readings, start=1):
        context = replace(container.context("texted"), reading=number)
        result = ask(build_question_graph(), context, question)
        assert result["reading"] == offered["reading"]
