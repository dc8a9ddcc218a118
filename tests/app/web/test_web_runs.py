"""The chat page with a token and a slow model: signing in, watching steps, stopping, coming back after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import serving, until
from tests.app.web.web_world import DIRECTOR, ask, choose
from tests.browser import faults, visiting
from tests.scripted_model import Request, Said, ScriptedModel

REFUSED = ["401", "ERR_"]
QUIET = """() => performance.now() -
  Math.max(0, ...performance.getEntriesByType("resource").map((each) => each.responseEnd)) > 1000"""
"""The page has asked for nothing in the last second: what it asks for by itself would be refused before a question."""


class Patient:
    """A model that says its answer after a while."""

    def __init__(self) -> None:
        self.wait = 0.0

    def __call__(self, request: Request) -> Said:
        return Said("<answers>Michael Mann</answers>", wait=self.wait)


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> TokenFile:
    return TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")


@pytest.fixture(scope="module")
def secret(tokens: TokenFile, films: str) -> str:
    return tokens.add("ann", (films,))[1]


@pytest.fixture(scope="module")
def patient() -> Patient:
    return Patient()


@pytest.fixture(scope="module")
def model(patient: Patient) -> Iterator[ScriptedModel]:
    with ScriptedModel(patient) as server:
        yield server


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, model: ScriptedModel, tokens: TokenFile, secret: str) -> Iterator[str]:
    given = {"model": "scripted", "model_base_url": model.base_url, "model_api_key": "sk-scripted"}
    given["model_choices"] = "larger"
    with serving(clew_home, tokens, graphs=(films,), **given) as url:
        yield url


@pytest.fixture
def page(url: str, films: str, secret: str, browser: Any) -> Iterator[Any]:
    """Signed in."""
    with visiting(browser, url, expected=REFUSED) as page:
        sign_in(page, secret)
        choose(page, films)
        yield page


def sign_in(page: Any, secret: str) -> None:
    page.get_by_label("Token").fill(secret)
    page.get_by_role("button", name="Sign in").click()


def running(url: str) -> int:
    return int(httpx.get(f"{url}/ready", timeout=20).json()["running"])


def test_a_token_is_asked_for_and_kept_for_this_tab_only(url: str, films: str, secret: str, browser: Any) -> None:
    with visiting(browser, url, expected=REFUSED) as page:
        page.get_by_label("Token").wait_for()
        assert page.evaluate("document.activeElement.id") == "token"
        assert faults(page) == []
        page.keyboard.press("Escape")
        sign_in(page, "clew_wrong")
        page.get_by_role("alert").get_by_text("This token was refused.").wait_for()
        sign_in(page, secret)
        choose(page, films)
        assert ask(page, DIRECTOR).locator(".answer-name").all_inner_texts() == ["Michael Mann"]
        assert secret not in page.url
        assert page.evaluate("JSON.stringify(localStorage)").find(secret) < 0
        page.reload()
        page.locator(".turn-foot").wait_for()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_label("Token").wait_for()
        assert page.evaluate("sessionStorage.length") == 0


def test_a_token_that_is_revoked_is_asked_for_anew(url: str, films: str, tokens: TokenFile, browser: Any) -> None:
    (token, secret), (_, another) = tokens.add("bob", (films,)), tokens.add("bob", (films,))

    def answers(secret: str) -> int:
        return httpx.get(f"{url}/api/me", headers={"Authorization": f"Bearer {secret}"}).status_code

    until(lambda: answers(another) == 200)
    with visiting(browser, url, expected=REFUSED) as page:
        sign_in(page, secret)
        choose(page, films)
        page.locator(".example").first.wait_for()
        page.wait_for_function(QUIET)
        tokens.revoke(token.id)
        until(lambda: answers(secret) == 401)
        page.get_by_label("Question").fill(DIRECTOR)
        page.keyboard.press("Enter")
        page.get_by_role("alert").get_by_text("This token was refused.").wait_for()
        sign_in(page, another)
        page.locator(".turn-foot").wait_for()


def test_steps_are_shown_while_the_model_still_thinks_and_escape_stops_it(
    page: Any, url: str, model: ScriptedModel, patient: Patient
) -> None:
    patient.wait, left = 60.0, model.left
    try:
        page.get_by_label("Question").fill(DIRECTOR)
        page.keyboard.press("Enter")
        page.locator(".step[data-node='contextualize']").wait_for()
        page.locator(".step.pending").wait_for()
        assert page.get_by_role("button", name="Stop").is_visible()
        assert not page.get_by_role("button", name="Ask", exact=True).is_visible()
        assert faults(page) == []
        assert running(url) == 1
        page.keyboard.press("Escape")
        page.get_by_text("You stopped this question.").wait_for()
        until(lambda: running(url) == 0)
        assert model.wait_until(lambda m: m.left > left, 5)
    finally:
        patient.wait = 0.0
    page.get_by_role("button", name="Ask again").click()
    page.locator(".turn-foot").wait_for()


def test_the_stop_button_stops_it_too_and_the_focus_is_not_lost(page: Any, url: str, patient: Patient) -> None:
    patient.wait = 60.0
    try:
        page.get_by_label("Question").fill(DIRECTOR)
        page.get_by_role("button", name="Ask", exact=True).click()
        page.get_by_role("button", name="Stop").click()
        page.get_by_text("You stopped this question.").wait_for()
        assert page.evaluate("document.activeElement.id") == "question"
        until(lambda: running(url) == 0)
    finally:
        patient.wait = 0.0


def test_a_session_is_resumed_after_the_server_was_restarted(
    clew_home: Path, films: str, tmp_path: Path, browser: Any
) -> None:
    none = TokenFile(tmp_path / "tokens.json")
    with serving(clew_home, none, graphs=(films,)) as url, visiting(browser, url) as page:
        choose(page, films)
        ask(page, DIRECTOR)
        opened = page.url.removeprefix(url)
    with serving(clew_home, none, graphs=(films,)) as url, visiting(browser, url, opened) as page:
        page.locator(".turn-foot").wait_for()
        assert page.locator(".turn-question").all_inner_texts() == [DIRECTOR]
        turn = ask(page, "and who acted in it?")
        assert set(turn.locator(".answer-name").all_inner_texts()) >= {"Al Pacino", "Robert De Niro"}


def test_a_conversation_may_be_answered_by_another_model_or_by_none(page: Any, model: ScriptedModel) -> None:
    def asked_again(choice: str) -> list[str]:
        page.get_by_role("button", name="Settings").click()
        page.get_by_label("Language model").select_option(label=choice)
        assert faults(page) == []
        page.get_by_role("button", name="Save").click()
        before, turns = len(model.requests), page.locator(".turn-foot").count()
        page.get_by_role("button", name="Ask again").last.click()
        page.locator(".turn-foot").nth(turns).wait_for()
        return sorted({request.model for request in model.requests[before:]})

    ask(page, DIRECTOR)
    assert asked_again("larger") == ["larger"]
    assert asked_again("None") == []
    assert asked_again("As set up (scripted)") == ["scripted"]
