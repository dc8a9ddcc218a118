"""Conversations on the chat page: feedback, editing, settings and search."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.app.cli import run
from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import serving, until
from tests.app.web.web_world import DIRECTOR, FILMS, ask, choose, film_club
from tests.browser import faults, visiting


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with film_club(clew_home, tmp_path_factory.mktemp("films")) as name:
        yield name


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(clew_home, TokenFile(tmp_path_factory.mktemp("none") / "tokens.json"), graphs=(films,)) as url:
        yield url


@pytest.fixture
def page(url: str, films: str, browser: Any) -> Iterator[Any]:
    with visiting(browser, url) as page:
        choose(page, films)
        yield page


def test_feedback_is_kept_and_exported(page: Any, films: str, clew_home: Path, tmp_path: Path) -> None:
    right = ask(page, DIRECTOR)
    right.get_by_role("button", name="This answer is right").click()
    right.locator(".thumb[aria-pressed=true]").wait_for()
    wrong = ask(page, FILMS)
    assert wrong.locator(".answer-sentence").inner_text().startswith("Michael Mann directed ")
    wrong.get_by_role("button", name="This answer is wrong").click()
    page.get_by_label("Note").fill("Only one is missing.")
    page.get_by_label("Right answers, if you know them").fill("Heat\nThief")
    assert faults(page) == []
    page.get_by_role("button", name="Save").click()
    wrong.locator(".thumb[aria-pressed=true]").wait_for()
    page.reload()
    page.locator(".thumb[aria-pressed=true]").nth(1).wait_for()
    out = tmp_path / "rated.jsonl"
    assert run(["--home", str(clew_home), "trace", "feedback", "--graph", films, "--out", str(out)]) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert {line["question"]: line["answers"] for line in lines} == {
        DIRECTOR: ["Michael Mann"],
        FILMS: ["Heat", "Thief"],
    }


def test_a_question_is_edited_and_asked_again(page: Any) -> None:
    turn = ask(page, "Who directed Haet?")
    turn.hover()
    turn.get_by_role("button", name="Edit").click()
    assert page.get_by_label("Question").input_value() == "Who directed Haet?"
    assert ask(page, DIRECTOR).locator(".answer-name").inner_text() == "Michael Mann"


def test_settings_belong_to_their_conversation(page: Any) -> None:
    turn = ask(page, DIRECTOR)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("paths").check()
    page.get_by_label("Time limit (seconds)").fill("7")
    assert faults(page) == []
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Settings · changed").wait_for()
    page.reload()
    page.get_by_text("Settings · changed").wait_for()
    with page.expect_request("**/api/ask") as sent:
        turn = page.locator(".turn").last
        turn.get_by_role("button", name="Ask again").click()
    asked = sent.value.post_data_json
    assert (asked["strategies"], asked["seconds"], asked["question"]) == (["paths"], 7, DIRECTOR)
    page.locator(".turn-foot").nth(1).wait_for()
    page.get_by_role("button", name="New conversation").click()
    page.get_by_text("Settings", exact=True).wait_for()


def test_a_method_takes_the_place_of_strategies(page: Any) -> None:
    turn = ask(page, DIRECTOR)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("paths").check()
    page.get_by_label("Method").select_option("simgrag")
    assert not page.get_by_label("paths").is_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Settings · changed").wait_for()
    with page.expect_request("**/api/ask") as sent:
        turn.get_by_role("button", name="Ask again").click()
    asked = sent.value.post_data_json
    assert (asked["method"], asked.get("strategies")) == ("simgrag", None)
    page.locator(".turn-foot").nth(1).wait_for()


def test_conversations_are_found_by_their_words_and_by_their_origin(page: Any, url: str, films: str) -> None:
    ask(page, "Who directed Collateral?")
    body = {"question": "Who directed Ali?", "graph": films, "session": "of a script", "stream": False}
    assert page.request.post(f"{url}/api/ask", data=body).ok
    ask(page, DIRECTOR)
    rows = page.locator(".session").filter(has_text=films)
    rows.filter(has_text="API").wait_for()
    page.get_by_label("Search conversations").fill("collateral")
    rows.filter(has_text="API").wait_for(state="detached")
    assert "Who directed Collateral?" in rows.first.inner_text()
    page.get_by_label("Search conversations").fill("")
    rows.filter(has_text="API").wait_for()
    page.get_by_label("Only those of this page").check()
    rows.filter(has_text="API").wait_for(state="detached")
    assert rows.count() > 0


def test_the_evidence_is_that_of_the_question_in_view(page: Any) -> None:
    for question in (DIRECTOR, FILMS, "Who acted in Heat?"):
        ask(page, question)
    shown = page.locator(".panel-question")
    assert shown.inner_text() == "Who acted in Heat?"
    page.locator("#scroll").hover()
    page.mouse.wheel(0, -5000)
    until(lambda: shown.inner_text() == DIRECTOR)
