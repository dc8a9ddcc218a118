"""Which model is used: from settings and the command line to what the server receives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from clew.agents.models.calls import ROLES, ModelFailed
from clew.agents.models.endpoint import MAX_TOKENS, OPENAI
from clew.agents.prompting import Prompt
from clew.app.api.graph import Graph
from clew.app.cli import run
from clew.app.container import Container
from clew.app.graph_context import budget_of
from clew.app.models import models_of, spec_of
from clew.app.progress import NoProgress
from clew.app.settings import Settings, load_settings
from clew.tools.errors import BadInput
from tests.scripted_model import ScriptedModel

PROMPT = Prompt("test", "0", "", "Who directed Heat?")
HERE = "http://127.0.0.1:1/v1"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith(("CLEW_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CLEW_HOME", str(tmp_path))


def container(settings: Settings) -> Container:
    return Container(settings, NoProgress())


def test_nothing_but_a_name_switches_a_model_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("OPENAI_BASE_URL", "no address")
    monkeypatch.setenv("CLEW_MODEL_API_KEY", "sk-y")
    monkeypatch.setenv("CLEW_MODEL_BASE_URL", HERE)
    monkeypatch.setenv("CLEW_MODELS__LINKER__TEMPERATURE", "1")
    assert models_of(load_settings()) is None
    assert container(load_settings()).models is None
    monkeypatch.setenv("CLEW_MODEL", "m")
    models = models_of(load_settings())
    assert models is not None
    assert models.names == dict.fromkeys(ROLES, "m")


def test_a_model_alone_is_openais_with_openais_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    spec = spec_of("reasoner", load_settings(model="m"))
    assert spec is not None
    assert (spec.endpoint.base_url, spec.temperature, spec.max_tokens) == (OPENAI, 0.0, MAX_TOKENS["reasoner"])
    assert spec.endpoint.api_key is not None
    assert spec.endpoint.api_key.get_secret_value() == "sk-x"
    monkeypatch.setenv("OPENAI_BASE_URL", HERE)
    spec = spec_of("reasoner", load_settings(model="m"))
    assert spec is not None
    assert spec.endpoint.base_url == HERE


def test_an_address_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="model_base_url") as caught:
        load_settings(model_base_url="localhost:8000")
    assert "--base-url" in caught.value.remedy
    assert "CLEW_MODEL_BASE_URL" in caught.value.remedy
    monkeypatch.setenv("OPENAI_BASE_URL", "localhost")
    with pytest.raises(BadInput, match="OPENAI_BASE_URL"):
        models_of(load_settings(model="m"))


def test_a_role_may_differ_in_any_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_MODEL", "m")
    monkeypatch.setenv("CLEW_MODEL_API_KEY", "default-key")
    monkeypatch.setenv("CLEW_MODEL_MAX_TOKENS", "500")
    monkeypatch.setenv("CLEW_MODEL_TEMPERATURE", "0.5")
    monkeypatch.setenv("CLEW_MODELS__LINKER__NAME", "linking")
    monkeypatch.setenv("CLEW_MODELS__LINKER__TEMPERATURE", "0")
    monkeypatch.setenv("CLEW_MODELS__REASONER__BASE_URL", HERE)
    monkeypatch.setenv("CLEW_MODELS__TRAVERSAL__BASE_URL", HERE)
    monkeypatch.setenv("CLEW_MODELS__TRAVERSAL__API_KEY", "own-key")
    monkeypatch.setenv("CLEW_MODELS__TRAVERSAL__MAX_TOKENS", "7")
    seen = {}
    for role in ROLES:
        spec = spec_of(role, load_settings())
        assert spec is not None
        key = spec.endpoint.api_key.get_secret_value() if spec.endpoint.api_key else None
        seen[role] = (spec.endpoint.name, spec.endpoint.base_url, key, spec.temperature, spec.max_tokens)
    assert seen == {
        "linker": ("linking", OPENAI, "default-key", 0.0, 500),
        "reasoner": ("m", HERE, None, 0.5, 500),  # the key was given for another server
        "traversal": ("m", HERE, "own-key", 0.5, 7),
        "glosser": ("m", OPENAI, "default-key", 0.5, 500),
        "pattern": ("m", OPENAI, "default-key", 0.5, 500),
        "verifier": ("m", OPENAI, "default-key", 0.5, 500),
        "plan": ("m", OPENAI, "default-key", 0.5, 500),
        "extractor": ("m", OPENAI, "default-key", 0.5, 500),
    }


def test_one_role_alone_may_have_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_MODELS__REASONER__NAME", "m")
    models = models_of(load_settings())
    assert models is not None
    assert models.names == {"reasoner": "m"}


def test_a_question_may_name_a_model_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_MODEL", "m")
    monkeypatch.setenv("CLEW_MODEL_BASE_URL", HERE)
    monkeypatch.setenv("CLEW_MODEL_API_KEY", "sk-m")
    monkeypatch.setenv("CLEW_MODELS__LINKER__NAME", "linking")
    monkeypatch.setenv("CLEW_MODELS__LINKER__MAX_TOKENS", "7")
    monkeypatch.setenv("CLEW_MODEL_CHOICES", "large, m, ,large")
    models = models_of(load_settings())
    assert models is not None
    assert list(models.choices) == ["m", "large"]
    assert models.names["linker"] == "linking"
    assert models.chosen("m").names == dict.fromkeys(ROLES, "m")
    large = models.chosen("large")
    assert large.names == dict.fromkeys(ROLES, "large")
    spec = models.choices["large"]["linker"]
    assert (spec.max_tokens, spec.endpoint.base_url) == (7, HERE)
    with pytest.raises(BadInput, match="m, large") as caught:
        models.chosen("linking")
    assert "CLEW_MODEL_CHOICES" in caught.value.remedy


def test_the_key_of_a_model_stays_with_its_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.agents.models.endpoint.find_spec", lambda name: name)
    given = {"model": "m", "model_api_key": "sk-m", "model_base_url": HERE, "model_choices": "ollama:llama3.1"}
    models = models_of(load_settings(**given))
    assert models is not None
    endpoint = models.choices["ollama:llama3.1"]["reasoner"].endpoint
    assert (endpoint.api_key, endpoint.base_url) == (None, "")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CLEW_MODELS__LINKRE__NAME", "m"),
        ("CLEW_MODELS__LINKER__NAEM", "m"),
        ("CLEW_MODELS__LINKER__BASE_URL", "ftp://x"),
        ("CLEW_MODELS__LINKER__MAX_TOKENS", "0"),
        ("CLEW_MODEL_OWN_ANSWERS", "hide"),
        ("CLEW_MODEL_TEMPERATURE", "3"),
    ],
)
def test_mistakes_name_the_variable(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(BadInput) as caught:
        load_settings()
    assert variable.removesuffix("__NAME") in str(caught.value)


def test_json_that_is_none_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_MODELS", "{linker")
    with pytest.raises(BadInput, match="models"):
        load_settings()


def test_a_budget_is_of_the_model_only_where_there_is_one() -> None:
    given = {"model_seconds": 50, "model_calls": 5, "model_iterations": 3, "question_seconds": 9, "question_rows": 7}
    without = budget_of(load_settings(**given), with_model=False)
    assert (without.seconds, without.max_rows, without.max_iterations, without.max_model_calls) == (9, 7, 2, 12)
    budget = budget_of(load_settings(**given, model="m"), with_model=True)
    assert (budget.seconds, budget.max_rows, budget.max_iterations, budget.max_model_calls) == (50, 7, 3, 5)


@pytest.mark.parametrize(("value", "trusted"), [("mark", True), ("drop", False)])
def test_answers_of_the_models_own_are_shown_or_dropped(value: str, trusted: bool) -> None:
    models = container(load_settings(model="m", model_own_answers=value)).models
    assert models is not None
    assert models.trusted_alone is trusted


def test_settings_reach_the_server(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text("[m]\ninput = 1000\noutput = 0\n")
    with ScriptedModel(["one", "two"]) as server:
        settings = load_settings(
            model="m",
            model_base_url=server.base_url,
            model_api_key="sk-secret",
            model_max_tokens=77,
            model_cache=True,
            model_prices=tmp_path / "prices.toml",
        )
        used = container(settings)
        assert used.models is not None
        model = used.models.of("linker", seconds=20, cancelled=Event())
        assert model is not None
        first, again = model.ask(PROMPT), model.ask(PROMPT)
        used.close()
    assert (first.text, again.text, len(server.requests)) == ("one", "one", 1)
    assert first.usage.price == pytest.approx(0.1)
    (request,) = server.requests
    assert (request.model, request["max_tokens"], request.system) == ("m", 77, "")
    assert request.headers["authorization"] == "Bearer sk-secret"
    assert "sk-secret" not in repr(settings)


def test_a_question_that_takes_too_long_leaves_room_for_a_second_request() -> None:
    with ScriptedModel(["", ""]) as server:
        models = models_of(load_settings(model="m", model_base_url=server.base_url, model_seconds=0.001))
        assert models is not None
        model = models.of("linker", seconds=0.001, cancelled=Event())
        assert model is not None
        with pytest.raises(ModelFailed):
            model.ask(PROMPT)
        models.close()


# The command line


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """The settings of every question that a command asks."""
    seen: list[Settings] = []

    def ask(graph: Graph, *_: Any, **__: Any) -> Any:
        seen.append(graph.client.settings)
        return SimpleNamespace(to_dict=dict)

    monkeypatch.setattr(Graph, "ask", ask)
    return seen


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["ask", "q", "-g", "g", "--json"], (None, None)),
        (["--model", "a", "ask", "q", "-g", "g", "--json"], ("a", None)),
        (["ask", "q", "-g", "g", "--json", "--model", "a", "--base-url", HERE], ("a", HERE)),
        (["--model", "a", "--base-url", HERE, "ask", "q", "-g", "g", "--json", "--model", "b"], ("b", HERE)),
    ],
)
def test_options_name_a_model(
    arguments: list[str], expected: tuple[str | None, str | None], asked: list[Settings]
) -> None:
    assert run(arguments) == 0
    assert [(settings.model, settings.model_base_url) for settings in asked] == [expected]


def test_an_option_comes_before_the_environment(asked: list[Settings], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_MODEL", "from the environment")
    assert run(["ask", "q", "-g", "g", "--json"]) == 0
    assert run(["ask", "q", "-g", "g", "--json", "--model", "given"]) == 0
    assert [settings.model for settings in asked] == ["from the environment", "given"]


def test_an_address_without_a_model_is_a_mistake(asked: list[Settings], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "q", "-g", "g", "--base-url", HERE]) == 1
    assert "--model" in capsys.readouterr().err
    assert asked == []


@pytest.mark.parametrize("command", ["ask", "chat", "eval"])
def test_commands_that_use_a_model_say_so(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    said = capsys.readouterr().out
    assert "--model NAME" in said
    assert "--base-url URL" in said


def test_no_client_is_loaded_until_a_model_is_asked(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from clew.app.container import Container\nfrom clew.app.models import models_of\n"
        "from clew.app.progress import NoProgress\n"
        "from clew.app.settings import load_settings\nimport clew.graphs.question\n"
        "assert Container(load_settings(), NoProgress()).models is None\n"
        "assert models_of(load_settings(model='m')) is not None\n"
        "print([name for name in ('openai', 'langchain_openai', 'langchain', 'tiktoken') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
