"""A headless Chromium for the tests of the web pages: the one that is on the machine, driven by Playwright."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest

NO_CHROMIUM = "there is no Chromium on PATH; install one, or name it in CLEW_CHROMIUM"
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
_ARGUMENTS = ("--disable-dev-shm-usage", "--disable-gpu", "--force-color-profile=srgb", "--hide-scrollbars")
GRAVE = frozenset({"serious", "critical"})
"""Impacts of axe's findings that no page may have."""


def chromium_path() -> str | None:
    """The browser's executable; None where there is none."""
    named = os.environ.get("CLEW_CHROMIUM")
    return named or next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def chromium() -> Iterator[Any]:
    """A running browser; skips the test where there is none. While it runs, this thread has Playwright's event loop, so
    nothing else in it may start one."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if (path := chromium_path()) is None:
        pytest.skip(NO_CHROMIUM)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=[*_ARGUMENTS])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def visiting(browser: Any, url: str, path: str = "/", *, expected: Sequence[str] = (), **given: Any) -> Iterator[Any]:
    """A page of the server at `url`, in a context of its own (`given`: of `Browser.new_context`). When it is left,
    nothing may have gone wrong in its console but what an `expected` pattern matches, and it may have asked nobody but
    its own server."""
    options: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **given}
    context = browser.new_context(**options)
    context.set_default_timeout(60_000)
    page, wrong, foreign = context.new_page(), list[str](), list[str]()
    page.on("console", lambda said: wrong.append(_told(said)) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: foreign.append(request.url) if not _of(url, request.url) else None)
    try:
        page.goto(f"{url}{path}")
        yield page
    except Exception as error:
        with suppress(Exception):  # The page may be gone.
            shown = page.locator("body").inner_text(timeout=5_000)
            error.add_note(f"The page showed: {shown[:1500]}\nIts console: {wrong}")
        raise
    finally:
        context.close()
    unexpected = [said for said in wrong if not any(re.search(pattern, said) for pattern in expected)]
    assert not unexpected, unexpected
    assert foreign == []


_STILL = """() => document.getAnimations()
  .filter((each) => each.effect.getComputedTiming().iterations !== Infinity)
  .forEach((each) => each.finish())"""
"""What fades in has too little contrast until it has. It is brought to its end instead of being waited for: a browser
that draws no frames, as on a busy machine, ends no animation, and a script in a page has no time limit."""

_VIOLATIONS = """async (within) =>
  (await axe.run(within ?? document, { resultTypes: ["violations"] })).violations"""
"""The result as a whole, with all that passed, is large."""


def faults(page: Any, within: str | None = None) -> list[str]:
    """What axe finds in the page, or in what a selector matches, that keeps people from using it."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(_STILL)
    page.evaluate(Axe().axe_script)
    found = page.evaluate(_VIOLATIONS, within)
    return [
        f"{fault['id']}: {node['html'][:200]} {node.get('failureSummary', '')}"
        for fault in found
        if fault["impact"] in GRAVE
        for node in fault["nodes"]
    ]


def _told(said: Any) -> str:
    return f"{said.text} ({said.location.get('url', '')})"


def _of(url: str, asked: str) -> bool:
    return urlsplit(asked).scheme in ("blob", "data") or urlsplit(asked).netloc == urlsplit(url).netloc
