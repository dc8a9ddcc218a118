"""Defined words with a language model: it is told what they mean, and the reader takes part in the answer."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew
from clew.graphs.defined import with_definitions
from tests.scripted_model import Request, ScriptedModel

SHOPS = ":ID(Shop),name,staff:int,opened:int,:LABEL\n1,Corner,3,1990,Shop\n2,Market,40,2015,Shop\n3,Hall,70,1950,Shop\n"
TOLD = "“flagship”: a Shop with staff > 10"


@pytest.fixture(scope="module")
def shops(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("shops") / "shops.csv"
    path.write_text(SHOPS, encoding="utf-8")
    with clew.connect(f"defined-{uuid.uuid4().hex[:8]}", home=clew_home) as graph:
        graph.import_files(path)
        graph.define("flagship", "a Shop with staff > 10")
        graph.define("old flagship", "a flagship with opened < 2000")
        yield graph.name
        graph.client.drop(graph.name)


def asked(shops: str, home: Path, server: ScriptedModel, question: str) -> tuple[set[str], set[str]]:
    """The names of the answers, and the strategies that ran."""
    given = {"model": "scripted", "model_base_url": server.base_url, "model_api_key": "sk-scripted"}
    with clew.connect(shops, home=home, **given) as graph:
        steps = {event.data["node"] for event in graph.stream(question) if event.type == "step"}
        return {answer.name for answer in graph.ask(question).answers}, steps


def obeys(request: Request) -> str:
    """A model that takes a defined word for what it is told."""
    if "<names>" not in request.user:
        return "<answers>Market [Q1]\nHall [Q1]</answers>"
    meant = "WHERE s.staff > 10 " if TOLD in request.user else ""
    return f"<opencypher>MATCH (s:Shop) {meant}RETURN s.name</opencypher>"


def test_the_model_is_told_what_a_defined_word_means(shops: str, clew_home: Path) -> None:
    with ScriptedModel(obeys) as server:
        answers, steps = asked(shops, clew_home, server, "Which flagships are there?")
        told = next(request.user for request in server.requests if "<names>" in request.user)
    assert answers == {"Market", "Hall"}
    assert {"cypher", "read"} <= steps
    schema = told[told.index("<schema>") : told.index("</schema>")]
    assert TOLD in schema
    assert "old flagship" not in schema


def test_a_question_without_defined_words_is_asked_as_before(shops: str, clew_home: Path) -> None:
    with ScriptedModel(obeys) as server:
        _, steps = asked(shops, clew_home, server, "Which shops are there?")
        assert not any("flagship" in request.user for request in server.requests)
    assert "read" not in steps


def test_the_reader_answers_where_the_model_does_not(shops: str, clew_home: Path) -> None:
    with ScriptedModel("<answers></answers>") as server:
        answers, _ = asked(shops, clew_home, server, "Which old flagships are there?")
    assert answers == {"Hall"}


def test_definitions_that_a_definition_uses_are_shown_with_it(shops: str, clew_home: Path) -> None:
    with clew.connect(shops, home=clew_home) as graph:
        tools = graph.client.context(shops).tools
        text = with_definitions("Shop", "Name the OLD Flagships.", tools)
        assert text.splitlines()[0] == "Shop"
        assert text.splitlines()[-2:] == [
            "“flagship”: a Shop with staff > 10",
            "“old flagship”: a flagship with opened < 2000",
        ]
        assert with_definitions("Shop", "Name the flags.", tools) == "Shop"
