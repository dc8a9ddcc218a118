"""The pages that show a graph node by node, and by Cypher, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.app.cli import run
from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import serving, until
from tests.app.web.web_world import HOSTILE
from tests.browser import faults, visiting

HUB = 1500


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(clew_home, TokenFile(tmp_path_factory.mktemp("none") / "tokens.json"), graphs=(films,)) as url:
        yield url


@pytest.fixture
def page(url: str, films: str, browser: Any) -> Iterator[Any]:
    with visiting(browser, url, f"/explore#graph={films}") as page:
        page.get_by_text(f"The schema of {films}: 2 labels.").wait_for()
        yield page


def find(page: Any, name: str) -> Any:
    """Shows a node that is searched; gives its card."""
    page.get_by_label("Find a node").fill(name)
    page.locator("#found").get_by_role("button", name=name).first.click()
    card = page.get_by_role("region", name="Node", exact=True)
    card.get_by_role("heading", name=name).wait_for()
    return card


def drawn(page: Any) -> set[str]:
    """The names of the nodes in the picture."""
    page.locator("#shown-box").evaluate("box => (box.open = true)")
    return {text.split("\n")[0] for text in page.locator("#shown button").all_inner_texts()}


def test_a_node_is_found_and_its_neighbours_expanded(page: Any) -> None:
    card = find(page, "Heat")
    assert "1995" in card.inner_text()
    page.locator("#note").filter(has_text="5 nodes in the picture").wait_for()
    assert drawn(page) == {"Heat", "Michael Mann", "Al Pacino", "Robert De Niro", 'O"Brien & <b>Sons</b>'}
    page.locator("#shown").get_by_role("button", name="Michael Mann").click()
    card.get_by_role("heading", name="Michael Mann").wait_for()
    card.get_by_role("button", name="Expand directed → Film").click()
    page.locator("#note").filter(has_text="9 nodes in the picture").wait_for()
    assert HOSTILE in drawn(page)
    assert page.locator("main img, main script, main b").count() == 0
    assert faults(page) == []


def test_a_picture_is_filtered_pinned_and_thinned(page: Any) -> None:
    card = find(page, "Heat")
    page.locator("#note").filter(has_text="5 nodes in the picture").wait_for()
    pin = card.get_by_role("button", name="Pin")
    pin.click()
    assert pin.get_attribute("aria-pressed") == "true"
    page.get_by_label("Person 4").uncheck()
    page.get_by_label("Person 4").check()
    card.get_by_role("button", name="Hide").click()
    assert "Heat" not in drawn(page)


def test_a_node_is_asked_about_and_found_again_by_its_address(page: Any, films: str) -> None:
    find(page, "Al Pacino")
    page.reload()
    card = page.get_by_role("region", name="Node", exact=True)
    card.get_by_role("heading", name="Al Pacino").wait_for()
    card.get_by_role("link", name="Ask about this").click()
    page.get_by_placeholder(f"Ask {films}").wait_for()
    until(lambda: page.get_by_label("Question").input_value() == "Al Pacino")


def test_colours_of_labels_are_those_of_the_schema_everywhere(page: Any, films: str) -> None:
    find(page, "Heat")
    colours = {"Film": "label-1", "Person": "label-2"}  # 7 films, 6 people
    for label, colour in colours.items():
        page.locator(f"#labels label:has-text('{label}') .{colour}").wait_for()
    page.goto(page.url.split("/explore")[0] + f"/#graph={films}")
    page.get_by_placeholder(f"Ask {films}").fill("Which people acted in Heat?")
    page.keyboard.press("Enter")
    page.locator(".turn-foot").wait_for()
    for label, colour in colours.items():
        page.locator(f".picture-legend li:has-text('{label}') .{colour}").wait_for()
    page.get_by_role("link", name="Trace", exact=True).click()
    page.locator(".outcome-parts").wait_for()
    for label, colour in colours.items():
        page.locator(f".outcome-parts .picture-legend li:has-text('{label}') .{colour}").wait_for()


def test_the_schema_is_a_picture_whose_labels_are_chosen(page: Any) -> None:
    names = page.locator("#schema .picture-node").evaluate_all("nodes => nodes.map((node) => node.ariaLabel)")
    assert sorted(names) == ["Film 7, Film", "Person 6, Person"]
    page.locator("#schema .picture-node[aria-label^='Film']").click()
    page.locator("#found").get_by_role("button", name="Collateral").click()
    page.locator("#schema").wait_for(state="hidden")
    page.get_by_role("button", name="Show the schema").click()
    page.locator("#schema .picture").wait_for()


def test_a_hub_is_expanded_in_parts(clew_home: Path, url: str, browser: Any, tmp_path: Path) -> None:
    facts = tmp_path / "hub.txt"
    facts.write_text("".join(f"Rome\tmentions\tplace {n:05}\n" for n in range(HUB)))
    assert run(["--home", str(clew_home), "import", str(facts), "--graph", "hub-of-all"]) == 0
    try:
        with visiting(browser, url, "/explore#graph=hub-of-all") as page:
            page.get_by_text("The schema of hub-of-all").wait_for()
            expand = find(page, "Rome").get_by_role("button", name="Expand mentions")
            for shown in (101, 201, 301):
                expand.click()
                page.locator("#note").filter(has_text=f"{shown} nodes in the picture").wait_for()
    finally:
        run(["--home", str(clew_home), "drop", "hub-of-all", "--yes"])


@pytest.mark.parametrize("path", ["/explore", "/query"])
def test_the_pages_fit(url: str, films: str, browser: Any, path: str) -> None:
    with visiting(browser, url, f"{path}#graph={films}", viewport={"width": 360, "height": 800}) as page:
        page.locator(f"#graph option[value='{films}']").wait_for(state="attached")
        if path == "/explore":
            find(page, "Heat")
        for width in (360, 1600):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert faults(page) == []


# ---- queries --------------------------------------------------------------------------------------------------------


def test_a_query_is_completed_and_its_rows_shown(url: str, films: str, browser: Any) -> None:
    with visiting(browser, url, f"/query#graph={films}", expected=["422"]) as page:
        field = page.get_by_label("Cypher that only reads")
        until(lambda: field.input_value().startswith("MATCH"))
        field.fill("MATCH (p:Person)-[r:")
        field.press("End")
        page.keyboard.type("D")
        assert page.locator("#completions li").all_inner_texts() == ["DIRECTED"]
        page.keyboard.press("Enter")
        page.keyboard.type("]->(f:Film) WHERE f.ye")
        assert page.locator("#completions li").all_inner_texts() == ["year"]
        page.keyboard.press("Tab")
        page.keyboard.type(" < 1996 RETURN p, f, f.year AS year ORDER BY year")
        page.keyboard.press("Control+Enter")
        rows = page.get_by_role("region", name="Rows").locator("tbody tr")
        rows.first.wait_for()
        assert [row.locator("td").last.inner_text() for row in rows.all()] == ["1944", "1955", "1995"]
        field.fill("MATCH (p:Person)-[r:DIRECTED]->(f:Film {name: 'Heat'}) RETURN r, p, f")
        page.keyboard.press("Control+Enter")
        page.get_by_role("cell", name="Michael Mann —directed→ Heat").wait_for()
        field.fill("MATCH (p:Person)-[r:DIRECTED]->(f:Film) WHERE f.year < 1996 RETURN p, f")
        page.keyboard.press("Control+Enter")
        page.get_by_role("button", name="Picture").click()
        page.get_by_text("6 nodes and 3 relations among them.").wait_for()
        assert page.locator(".query-picture canvas").first.bounding_box()["height"] > 200
        field.fill("MATCH (n) DETACH DELETE n")
        page.get_by_role("button", name="Run").click()
        page.get_by_role("alert").wait_for()


def test_a_query_is_asked_as_a_question(url: str, films: str, browser: Any) -> None:
    with visiting(browser, url, f"/query#graph={films}") as page:
        field, button = page.get_by_label("Cypher that only reads"), page.get_by_role("button", name="As question")
        until(lambda: field.input_value().startswith("MATCH"))
        said = page.get_by_role("region", name="As question")
        field.fill("MATCH (f:Film) WHERE f.year = 1995 OR f.name = 'Ali' RETURN f")
        button.click()
        said.get_by_text("This query cannot be put in words.").wait_for()
        assert "OR" in said.inner_text()
        field.fill("MATCH (p:Person)-[:DIRECTED]->(f:Film) WHERE p.name = 'Michael Mann' AND f.year > 2000 RETURN f")
        assert said.inner_text() == ""
        button.click()
        question = "What are the films that Michael Mann directed and with year over 2000?"
        said.get_by_text(question, exact=True).wait_for()
        assert faults(page) == []
        page.set_viewport_size({"width": 360, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        said.get_by_role("link", name="Ask in the chat").click()
        page.get_by_placeholder(f"Ask {films}").wait_for()
        until(lambda: page.get_by_label("Question").input_value() == question)
        page.locator("#send").click()
        page.locator(".turn-foot").wait_for()
        assert page.locator(".answer-name").all_inner_texts() == ["Ali", "Collateral"]
