"""LangServe's playground in a real browser: its Content-Security-Policy lets it work, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import serving
from tests.app.web.web_world import film_club
from tests.browser import visiting


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with film_club(clew_home, tmp_path_factory.mktemp("films")) as name:
        yield name


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(clew_home, TokenFile(tmp_path_factory.mktemp("none") / "tokens.json"), graphs=(films,)) as url:
        yield url


def policy(url: str, path: str) -> dict[str, list[str]]:
    """The Content-Security-Policy of a path, by directive."""
    header = httpx.get(url + path).headers["content-security-policy"]
    return {name: sources for name, *sources in (part.split() for part in header.split(";"))}


@pytest.mark.parametrize("path", ["/ask/playground/", "/verify/playground/", "/ask/playground/favicon.ico"])
def test_its_files_have_a_policy(url: str, path: str) -> None:
    rules = policy(url, path)
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == ["'none'"]
    assert rules["connect-src"] == ["'self'"]
    assert "'unsafe-inline'" not in rules["script-src"]
    assert len([source for source in rules["script-src"] if source.startswith("'sha256-")]) == path.endswith("/")
    assert httpx.get(url + path).headers["x-frame-options"] == "DENY"


def field(page: Any, name: str) -> Any:
    return page.locator(f'[id="#/properties/{name}-input"]')


@pytest.mark.parametrize(
    ("path", "name", "text", "shown"),
    [
        ("/ask/playground/", "question", "Who directed Heat?", '"name": "Michael Mann"'),
        ("/verify/playground/", "statement", "Michael Mann directed Heat.", '"verdict": "supported"'),
    ],
)
def test_it_asks_and_verifies(url: str, films: str, browser: Any, path: str, name: str, text: str, shown: str) -> None:
    with visiting(browser, url, path) as page:
        with page.expect_response(lambda response: response.url.endswith("/input_schema")):
            field(page, "graph").fill(films)
        field(page, name).fill(text)
        page.get_by_role("button", name="Start").click()
        page.get_by_text(shown).first.wait_for()


@pytest.mark.parametrize(
    "attack",
    [
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.hit = 1'}))",
        "document.body.insertAdjacentHTML('beforeend', '<img src=/no onerror=\"window.hit = 1\">')",
    ],
)
def test_scripts_of_others_do_not_run_there(url: str, browser: Any, attack: str) -> None:
    with visiting(browser, url, "/ask/playground/", expected=["Content Security Policy", "404"]) as page:
        page.get_by_role("button", name="Start").wait_for()
        page.evaluate(f"() => {{ {attack} }}")
        page.wait_for_timeout(300)
        assert page.evaluate("() => window.hit") is None
