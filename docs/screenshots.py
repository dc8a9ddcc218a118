"""The pictures of the pages in docs/images, from a server that runs on the demo graph.

    make demo && .venv/bin/clew serve
    .venv/bin/python docs/screenshots.py http://127.0.0.1:8000

`--only chat` makes one of them. It needs a Chromium (CLEW_CHROMIUM names one that is not on PATH), and looks best with
Inter and Charis SIL installed. What is asked for the pictures is deleted again.
"""

from __future__ import annotations

import argparse
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from tests.browser import NO_CHROMIUM, chromium_path  # noqa: E402

IMAGES = ROOT / "docs" / "images"
QUESTIONS = (
    "Who wrote the book that The Shawshank Redemption is based on?",
    "Who directed the films based on books by Stephen King?",
)
TRACED = "Which awards did the director of Parasite win?"
SHOP = {
    "customers.csv": "customerID,companyName,country\n"
    + "".join(f"C{n},Customer {n},{'Norway' if n % 2 else 'Peru'}\n" for n in range(40)),
    "orders.csv": "orderID,customerID,orderDate\n"
    + "".join(f"{n},C{n * 7 % 40},2026-01-{n % 28 + 1:02}\n" for n in range(120)),
    "employees.csv": "employeeID,firstName,lastName,reportsTo\n1,Nancy,Davolio,2\n2,Andrew,Fuller,\n3,Janet,Long,2\n",
}
SIZE = {"width": 1440, "height": 900}


def chat(page: Any, url: str, session: str) -> None:
    """A conversation of two questions, with the steps and the evidence of the second."""
    asked = {"question": QUESTIONS[0], "graph": "demo", "session": session, "stream": False}
    httpx.post(f"{url}/api/ask", json=asked, timeout=60).raise_for_status()
    page.goto(f"{url}/#session={quote(session)}")
    page.locator(".turn-foot").wait_for()
    page.get_by_label("Question").fill(QUESTIONS[1])
    page.keyboard.press("Enter")
    page.locator(".turn-foot").nth(1).wait_for()
    page.locator(".steps-summary").click()
    page.locator(".turn").last.scroll_into_view_if_needed()


def inspector(page: Any, url: str, session: str) -> None:
    """A run with the step that gave its answers. It has more to show where the server has a model and a generator."""
    asked = {"question": TRACED, "graph": "demo", "session": session, "stream": False}
    told = httpx.post(f"{url}/api/ask", json=asked, timeout=120).raise_for_status()
    page.goto(f"{url}/traces#{told.json()['trace_id']}")
    page.locator("button.lane", has_text="read").first.click()
    page.locator(".picture").wait_for()


def data(page: Any, url: str, session: str) -> None:
    """The proposed model of three tables of a shop, before they are imported."""
    page.goto(f"{url}/data")
    page.locator(".drop input[type=file]").first.set_input_files(
        [{"name": name, "mimeType": "text/csv", "buffer": text.encode()} for name, text in SHOP.items()]
    )
    page.get_by_label("Name", exact=True).fill("shop")
    page.get_by_role("button", name="Go on").click()
    page.locator(".plan-table").wait_for()
    page.locator(".job").first.evaluate("job => job.scrollIntoView()")
    page.mouse.wheel(0, -70)


def explore(page: Any, url: str, session: str) -> None:
    """A director with the films, and one film with what belongs to it."""
    page.goto(f"{url}/explore#graph=demo")
    for name in ("Steven Spielberg", "Schindler's List"):
        page.get_by_label("Find a node").fill(name)
        page.locator("#found").get_by_role("button", name=name).first.click()
        page.get_by_role("heading", name=name).wait_for()
        page.get_by_role("button", name="Expand").first.click()
        page.wait_for_timeout(1000)
    page.wait_for_timeout(1500)


PICTURES: dict[str, Callable[[Any, str, str], None]] = {
    "chat": chat,
    "inspector": inspector,
    "data": data,
    "explore": explore,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the pictures in docs/images.")
    parser.add_argument("url", help="of a server on the demo graph, without tokens")
    parser.add_argument("--only", choices=sorted(PICTURES))
    parser.add_argument("--dark", action="store_true")
    given = parser.parse_args()
    if (path := chromium_path()) is None:
        raise SystemExit(NO_CHROMIUM)
    url, session = given.url.rstrip("/"), f"chat-{uuid.uuid4().hex[:12]}"
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--disable-dev-shm-usage"])
        scheme: Any = "dark" if given.dark else "light"
        for name in [given.only] if given.only else list(PICTURES):
            page = browser.new_page(viewport=SIZE, device_scale_factor=1, color_scheme=scheme, reduced_motion="reduce")
            try:
                PICTURES[name](page, url, session)
                page.mouse.move(0, 0)
                page.screenshot(path=IMAGES / f"{name}.png")
            finally:
                httpx.delete(f"{url}/api/sessions/{quote(session)}")
            print(IMAGES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
