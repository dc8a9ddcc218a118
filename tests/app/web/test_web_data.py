"""The page of data in a real browser: files that are dropped, the model that is edited, errors, stopping, documents."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.app.cli import run
from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import serving, until
from tests.browser import faults, visiting
from tests.scripted_model import ScriptedModel

PRODUCTS = "productID,productName,categoryID,country\n" + "".join(
    f"{n},{name},{n % 2 + 1},{'France' if n % 3 else 'Peru'}\n"
    for n, name in enumerate(["Chai", "Chang", "Aniseed Syrup", "Ikura", "Tofu", "Pavlova", "Konbu", "Geitost"] * 5)
)
CATEGORIES = "categoryID,categoryName\n1,Beverages\n2,Condiments\n"


@pytest.fixture(scope="module")
def url(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(clew_home, TokenFile(tmp_path_factory.mktemp("none") / "tokens.json"), graphs=()) as url:
        yield url


@pytest.fixture
def graph(clew_home: Path) -> Iterator[str]:
    name = f"shop-{uuid.uuid4().hex[:8]}"
    yield name
    run(["--home", str(clew_home), "drop", name, "--yes"])


@pytest.fixture
def page(url: str, browser: Any) -> Iterator[Any]:
    with visiting(browser, url, "/data") as page:
        page.locator(".drop").wait_for()
        yield page


def drop(page: Any, files: dict[str, str]) -> None:
    """Drops files onto the page, as a person does."""
    page.locator(".drop").wait_for()
    page.evaluate(
        """(files) => {
          const given = new DataTransfer();
          for (const [name, text] of Object.entries(files)) given.items.add(new File([text], name));
          const drop = new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true });
          document.querySelector(".drop").dispatchEvent(drop);
        }""",
        files,
    )


def named(page: Any, graph: str) -> Any:
    """Says how the graph is to be called; gives the card of its import."""
    page.get_by_label("Name", exact=True).fill(graph)
    page.get_by_role("button", name="Go on").click()
    return card(page, graph)


def card(page: Any, graph: str) -> Any:
    return page.get_by_role("article", name=f"Import into {graph}").first


def test_dropped_tables_become_a_graph_by_an_edited_model(page: Any, graph: str) -> None:
    drop(page, {"products.csv": PRODUCTS, "categories.csv": CATEGORIES})
    job = named(page, graph)
    job.get_by_label("Label of products").wait_for()
    assert "2 tables become 42 nodes and 40 relations." in job.inner_text()
    assert "Product" in job.get_by_role("region", name="Picture of the model").inner_text()
    job.get_by_label("Label of products").fill("Article")
    job.get_by_role("checkbox", name=re.compile("^products.country")).check()
    assert job.get_by_role("button", name="Suggest names").count() == 0, "the server has no model"
    job.get_by_role("button", name="Show the changes").click()
    job.locator(".picture-node[aria-label^='Country']").wait_for()
    assert job.get_by_label("Label of products").input_value() == "Article"
    job.get_by_role("row", name="products").get_by_role("button", name="columns").click()
    assert faults(page) == []
    job.get_by_role("button", name="Import", exact=True).click()
    job.get_by_text("Imported", exact=True).wait_for()
    page.reload()
    card(page, graph).get_by_role("link", name="Ask it").click()
    page.get_by_placeholder(f"Ask {graph}").fill("Which articles are in Beverages?")
    page.keyboard.press("Enter")
    page.locator(".answer-name").first.wait_for()
    assert page.get_by_label("Graph", exact=True).input_value() == graph


def test_a_model_suggests_names_on_the_page(clew_home: Path, tmp_path: Path, graph: str, browser: Any) -> None:
    no_tokens = TokenFile(tmp_path / "tokens.json")
    with (
        ScriptedModel('{"1": ["Category", "Group"], "3": ["HAS_CATEGORY", "IN"]}') as server,
        serving(clew_home, no_tokens, graphs=(), model="scripted", model_base_url=server.base_url) as url,
        visiting(browser, url, "/data") as page,
    ):
        drop(page, {"products.csv": PRODUCTS, "categories.csv": CATEGORIES})
        job = named(page, graph)
        job.get_by_label("Label of products").fill("Article")
        job.get_by_role("button", name="Suggest names").click()
        job.get_by_text("1 name by the language model").wait_for()
        assert job.get_by_label("Label of categories").input_value() == "Group"
        assert job.get_by_label("Label of products").input_value() == "Article", "an edit stays"
        assert "label Article" in server.requests[0].user
        job.get_by_role("button", name="Import", exact=True).click()
        job.get_by_text("Imported", exact=True).wait_for()


def test_errors_stand_at_the_import_with_file_and_line(page: Any, graph: str) -> None:
    drop(page, {"products.csv": PRODUCTS + "99,Tea\n" * 20})
    job = named(page, graph)
    job.get_by_text("Skipped: 20 rows of products, the first is products.csv:42: 2 columns instead of 4.").wait_for()
    job.get_by_role("button", name="Import", exact=True).click()
    said = job.get_by_role("alert")
    said.wait_for()
    assert "products.csv:42: 2 columns instead of 4" in said.inner_text()
    assert "--max-bad-share" not in said.inner_text()
    job.get_by_role("button", name="Remove from the list").click()
    job.wait_for(state="detached")


@pytest.mark.parametrize(
    ("files", "lost", "outcome", "why"),
    [
        ({"products.csv": PRODUCTS + "99,Tea\n" * 20}, "20 bad lines (33 % is lost)", "40 nodes", "2 columns"),
        (
            {"knows.txt": "Ann\tknows\tBob\n" * 30 + "Ann\t\tBob\n" * 10},
            "10 bad lines (25 % is lost)",
            "2 nodes",
            "the relation is empty",
        ),
    ],
)
def test_a_refused_import_goes_on_without_its_bad_lines(
    page: Any, graph: str, files: dict[str, str], lost: str, outcome: str, why: str
) -> None:
    drop(page, files)
    job = named(page, graph)
    job.get_by_role("button", name="Import", exact=True).click()
    job.get_by_role("alert").wait_for()
    assert faults(page) == []
    job.get_by_role("button", name=f"Import without {lost}").click()
    job.get_by_text("Imported", exact=True).wait_for()
    assert outcome in job.locator(".job-outcome").inner_text()
    assert why in job.locator(".job-lines").inner_text()


def test_a_model_that_cannot_be_used_can_be_edited_on(page: Any, graph: str) -> None:
    drop(page, {"products.csv": PRODUCTS, "categories.csv": CATEGORIES})
    job = named(page, graph)
    job.get_by_label("Label of products").fill("No label")
    job.get_by_role("button", name="Show the changes").click()
    job.get_by_role("alert").wait_for()
    assert "must be a letter" in job.get_by_role("alert").inner_text()
    job.get_by_label("Label of products").fill("Good")
    job.get_by_label("What categories becomes").select_option("left out")
    job.get_by_role("button", name="Import", exact=True).click()
    job.get_by_text("Imported", exact=True).wait_for()
    assert "40 nodes and 0 relations" in job.inner_text()


def test_an_import_is_stopped_after_the_page_was_loaded_anew(page: Any, graph: str) -> None:
    rows = "".join(f"node {n}\tknows\tnode {n * 7 % 90_000}\n" for n in range(90_000))
    drop(page, {"many.txt": rows})
    job = named(page, graph)
    job.get_by_role("button", name="Import", exact=True).click()
    job.get_by_text("Importing", exact=True).wait_for()
    page.reload()
    card(page, graph).get_by_role("button", name="Stop").click()
    card(page, graph).get_by_text("Stopped", exact=True).wait_for()
    assert page.locator(f"[data-graph='{graph}']").count() == 0


def test_documents_are_added_and_removed_and_the_graph_deleted(page: Any, graph: str, tmp_path: Path) -> None:
    page.get_by_role("button", name="Import demo").wait_for()
    drop(page, {"knows.txt": "Ann\tknows\tBob\n"})
    job = named(page, graph)
    job.get_by_role("button", name="Import", exact=True).click()
    row = page.locator(f"[data-graph='{graph}']")
    row.get_by_role("button", name="Documents").click()
    notes = tmp_path / "notes.md"
    notes.write_text("# Ann and Bob\n\nAnn met Bob in Oslo.\n\n" + "They walked along the fjord and talked. " * 40)
    page.locator("input[aria-label='Add documents']").set_input_files(notes)
    page.get_by_text("1 document added").first.wait_for()
    row.get_by_role("button", name="Documents").click()
    page.get_by_label("Chunks of Ann and Bob").click()
    page.get_by_role("list", name="Edges of chunk 0").get_by_role("link", name="chunk 1").click()
    until(lambda: page.evaluate("document.activeElement.matches('.chunk:target')"))
    assert "next in the document" in page.get_by_role("list", name="Edges of chunk 1").inner_text()
    assert faults(page) == []
    page.get_by_role("button", name="Remove Ann and Bob").click()
    page.get_by_text("No documents yet.").wait_for()
    row.get_by_role("button", name="Delete…").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    row.wait_for(state="detached")


def test_a_sample_is_imported_in_one_click(page: Any, clew_home: Path) -> None:
    page.get_by_role("button", name="Import demo").click()
    job = card(page, "demo")
    try:
        job.get_by_text("Imported", exact=True).wait_for(timeout=180_000)
        job.get_by_text("Report", exact=True).click()
        assert re.search(r"(?<!/)edges\.csv", job.inner_text())
        assert "/edges.csv" not in job.inner_text()
    finally:
        run(["--home", str(clew_home), "drop", "demo", "--yes"])


def test_the_page_fits(page: Any, graph: str) -> None:
    drop(page, {"products.csv": PRODUCTS, "categories.csv": CATEGORIES})
    job = named(page, graph)
    job.get_by_label("Label of products").wait_for()
    for width in (360, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".nav").evaluate("nav => nav.scrollWidth <= nav.clientWidth")
        table = job.get_by_role("region", name="Model of the tables")
        assert table.evaluate("box => box.scrollWidth <= box.clientWidth")
        assert faults(page) == []
    job.get_by_role("button", name="Discard").click()
    job.wait_for(state="detached")


def test_who_may_not_import_is_told(clew_home: Path, browser: Any, tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    secret = tokens.add("bob", ())[1]
    with serving(clew_home, tokens, graphs=()) as url, visiting(browser, url, "/data", expected=["401"]) as page:
        page.get_by_label("Token").fill(secret)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_text("Your token may not import.").wait_for()
        assert page.locator(".drop").count() == 0
        page.locator("#graphs").get_by_text("There is no graph yet").wait_for()
