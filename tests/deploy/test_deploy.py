"""The files of `deploy/`: their settings exist, their times agree, and their components answer a conversation."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from clew.app.settings import Settings
from tests import nginx_server
from tests.app.serving.two_servers import Database, pair
from tests.conftest import NO_NEO4J

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
KUBERNETES = {each["kind"]: each for each in yaml.safe_load_all((DEPLOY / "kubernetes" / "clew.yaml").read_text())}
OF_NGINX = {"CLEW_ONE", "CLEW_TWO", "CLEW_LISTEN", "CLEW_SITE"}


def named(value: Any) -> Iterator[str]:
    """The variables of Clew in a value."""
    yield from re.findall(r"CLEW_[A-Z_]+", str(value))


def test_every_setting_exists() -> None:
    texts = [path.read_text() for path in DEPLOY.rglob("*") if path.is_file()]
    known = {f"CLEW_{name.upper()}" for name in Settings.model_fields} | OF_NGINX
    found = {name for text in texts for name in named(text)}
    assert found - known == set()
    assert {"CLEW_STATE_URL", "CLEW_DATABASE_URL", "CLEW_SERVE_DRAINING_SECONDS"} <= found


def test_what_compose_needs_is_in_the_template_of_its_environment() -> None:
    needed = set(re.findall(r"(?<!\$)\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    given = dict(
        line.split("=", 1) for line in (DEPLOY / "env.template").read_text().splitlines() if re.match(r"\w", line)
    )
    assert needed == set(given)
    assert {name for name, value in given.items() if value} == {"CLEW_SITE"}, "a secret in the template"
    assert set(COMPOSE["services"]) == {"one", "two", "nginx", "neo4j", "postgres"}
    assert all(port.startswith("127.0.0.1:") for port in COMPOSE["services"]["nginx"]["ports"])


def test_nobody_is_stopped_before_running_questions_may_end() -> None:
    deployment = KUBERNETES["Deployment"]["spec"]["template"]["spec"]
    settings = {name.lower().removeprefix("clew_"): value for name, value in KUBERNETES["ConfigMap"]["data"].items()}
    told = Settings(**settings)
    assert told.serve_draining_seconds + told.serve_closing_seconds + 10 < deployment["terminationGracePeriodSeconds"]
    [container] = deployment["containers"]
    probe = container["readinessProbe"]
    assert probe["httpGet"]["path"] == "/ready"
    assert told.serve_draining_seconds > 2 * probe["periodSeconds"]
    grace = float(COMPOSE["services"]["one"]["stop_grace_period"].removesuffix("s"))
    assert Settings().serve_closing_seconds + 10 < grace


def test_the_components_answer_a_conversation(
    tmp_path: Path, clew_home: Path, make_state: Callable[[], str], request: pytest.FixtureRequest
) -> None:
    if nginx_server.binary() is None:
        pytest.skip(nginx_server.NO_NGINX)
    if not (url := os.environ.get("NEO4J_URI")):
        pytest.skip(NO_NEO4J)
    database = Database(url, os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"])
    with pair(database, tmp_path, make_state()) as servers:
        for question, answer in (("who directed Heat?", {"Michael Mann"}), ("when was it released?", {"1995"})) * 2:
            asked = servers.ask(question, "films")
            assert {each["name"] for each in asked.json()["answers"]} == answer
        assert len(servers.questions("films", servers.one)) == len(servers.questions("films", servers.two)) == 4
