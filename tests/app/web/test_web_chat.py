"""The chat page in a real browser against a live server: asking, evidence, pictures, choices, sessions, the schema."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import serving, until
from tests.app.web.web_world import DIRECTOR, FILMS, HOSTILE, KISMET, LONG, WORKED, ask, choose
from tests.browser import faults, visiting

DEMO = Path(__file__).parents[3] / "demo" / "graph"
OFFLINE = ["ERR_"]
REFUSED = ["422"]
"""What the console says of a request that the server refuses."""


@pytest.fixture(scope="module")
def no_tokens(tmp_path_factory: pytest.TempPathFactory) -> TokenFile:
    return TokenFile(tmp_path_factory.mktemp("none") / "tokens.json")


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, no_tokens: TokenFile) -> Iterator[str]:
    with serving(clew_home, no_tokens, graphs=(films,)) as url:
        yield url


@pytest.fixture
def page(url: str, films: str, browser: Any) -> Iterator[Any]:
    with visiting(browser, url, expected=REFUSED) as page:
        choose(page, films)
        yield page


@pytest.fixture(scope="module")
def module_page(url: str, browser: Any) -> Iterator[Any]:
    """For tests of the page's modules alone."""
    with visiting(browser, url) as page:
        yield page


# ---- asking and evidence --------------------------------------------------------------------------------------------


def test_an_answer_has_its_reading_steps_picture_and_citations_that_open_their_evidence(page: Any) -> None:
    turn = ask(page, DIRECTOR)
    assert turn.locator(".answer-one").inner_text().startswith("Michael Mann")
    assert "directed Heat." in turn.locator(".answer-one").inner_text()
    assert turn.locator(".answer-name").all_inner_texts() == ["Michael Mann"]
    assert "Sure" in turn.locator(".confidence").inner_text()
    assert "directed" in turn.locator(".reading .reading-words").inner_text()
    assert turn.locator(".doubt").count() == 0
    assert re.match(r"/traces#[0-9a-f]{16}$", turn.get_by_role("link", name="Trace").get_attribute("href"))
    summary = turn.locator(".steps-summary")
    assert re.fullmatch(r"\d+ steps in .+", summary.inner_text())
    summary.click()
    nodes = [step.get_attribute("data-node") for step in turn.locator(".step").all()]
    assert nodes[:3] == ["contextualize", "link", "link_entities"]
    assert nodes[-1] == "reason"
    said = page.locator("#announcer p").all_inner_texts()
    assert "Michael Mann directed Heat." in said
    assert any("Heat" in line for line in said[:-1])
    assert page.locator("#announcer").get_attribute("aria-live") == "polite"
    picture = page.locator(".picture")
    assert picture.locator(".picture-edge.lit .picture-relation").all_text_contents() == ["directed"]
    assert picture.locator(".picture-node.answer").get_attribute("aria-label") == "Michael Mann, Person, answer"
    assert picture.locator(".picture-node.topic").get_attribute("aria-label") == "Heat, Film, topic"
    assert picture.get_by_role("list", name="Labels").inner_text().split() == ["Film", "Person"]
    assert "Michael Mann (Person): directed → Heat" in page.locator("#panel .seen-by-readers li").all_inner_texts()
    turn.get_by_role("button", name="Evidence 1", exact=True).click()
    fact = page.locator("#fact-1")
    assert page.evaluate("document.activeElement.id") == "fact-1"
    assert fact.locator(".triplet").inner_text().split() == ["Michael", "Mann", "—directed→", "Heat"]
    fact.get_by_text("Found by").click()
    assert "MATCH" in fact.locator(".cypher").first.inner_text()
    assert re.search(r"\$[ap]0", page.get_by_role("dialog", name="Evidence").locator(".parameters").last.inner_text())
    page.get_by_role("button", name="Close the evidence").click()
    until(lambda: page.evaluate("document.activeElement.className") == "citation")


def test_a_follow_up_is_understood(page: Any) -> None:
    ask(page, DIRECTOR)
    turn = ask(page, "and who acted in it?")
    assert set(turn.locator(".answer-name").all_inner_texts()) >= {"Al Pacino", "Robert De Niro"}


def test_what_cannot_be_answered_says_so(page: Any) -> None:
    turn = ask(page, "zzyzx qwertz?")
    assert turn.get_by_text("No answer found.", exact=True).is_visible()
    turn = ask(page, "Who?")
    turn.get_by_text("I couldn\u2019t match any name in your question to this graph.").wait_for()
    turn.get_by_text("This graph answers questions such as “").wait_for()
    turn = ask(page, "Who directed Zorblax?")
    assert "The graph has no node named “Zorblax”." in turn.locator(".notice").inner_text()
    assert turn.get_by_role("button", name="Evidence").count() == 0


def test_examples_are_offered_and_can_be_asked(page: Any) -> None:
    page.locator(".example").first.click()
    page.locator(".turn-foot").wait_for()
    assert page.locator(".answer-name").count() >= 2


def test_a_server_that_is_away_is_named_with_the_remedy(url: str, films: str, browser: Any) -> None:
    with visiting(browser, url, expected=OFFLINE) as page:
        choose(page, films)
        page.context.set_offline(True)
        turn = ask(page, DIRECTOR)
        assert "The server does not answer." in turn.locator(".notice").inner_text()
        assert "clew serve" in turn.locator(".notice").inner_text()
        page.context.set_offline(False)
        turn.get_by_role("button", name="Ask again").click()
        page.locator(".turn-foot").wait_for()


# ---- the picture ----------------------------------------------------------------------------------------------------


def test_the_picture_is_walked_through_with_the_keyboard(page: Any) -> None:
    ask(page, FILMS)
    nodes = page.locator(".picture-node")
    assert [node.get_attribute("tabindex") for node in nodes.all()].count("0") == 1
    page.locator(".picture-node[tabindex='0']").focus()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Michael Mann, Person, topic"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").endswith("Film, answer")
    page.keyboard.press("Enter")
    assert "← directed Michael Mann" in page.locator(".node-card").inner_text()
    before = page.locator(".picture-drawing").get_attribute("viewBox")
    page.keyboard.press("+")
    assert page.locator(".picture-drawing").get_attribute("viewBox") != before
    page.keyboard.press("0")
    assert page.locator(".picture-drawing").get_attribute("viewBox") == before
    page.get_by_role("button", name="Ask about it").click()
    assert page.evaluate("document.activeElement.id") == "question"
    assert page.get_by_label("Question").input_value() != ""


_LAID_OUT = """async ([nodes, edges]) => {
  const { laidOut } = await import("/web/layout.js");
  const sized = nodes.map(([id, role]) => ({ id, role, width: 90, height: 44 }));
  return [0, 1].map(() => laidOut(sized, edges.map(([from, to]) => ({ from, to, words: "knows" }))));
}"""


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_the_same_graph_lies_the_same_way_and_no_names_overlap(module_page: Any, size: int) -> None:
    nodes = [["n0", "topic"], *([f"n{place}", ""] for place in range(1, size))]
    edges = [[f"n{(place * 7) % place}", f"n{place}"] for place in range(1, size)] + [["n0", "n0"]]
    once, again = module_page.evaluate(_LAID_OUT, [nodes, edges])
    assert once == again
    assert len(once) == size
    overlaps = [
        (a["id"], b["id"])
        for a in once
        for b in once
        if a["id"] < b["id"] and abs(a["x"] - b["x"]) < 90 and abs(a["y"] - b["y"]) < 40
    ]
    assert overlaps == []


def test_numbers_and_times_read_as_in_british_english(module_page: Any) -> None:
    own, intl = module_page.evaluate(_WORDS)
    assert own == intl


_WORDS = """async () => {
  const { number, moment } = await import("/web/words.js");
  const numbers = [0, 7, -1, 999, 1000, 2280, 1234567, -12345, 0.125, 0.12345, 1234.5678, 1e15, NaN];
  const times = Array.from({ length: 400 }, (_, place) => place * 4_321_234);
  const counting = new Intl.NumberFormat("en-GB");
  const telling = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
  return [
    [...numbers.map(number), ...times.map(moment)],
    [...numbers.map((each) => counting.format(each)), ...times.map((each) => telling.format(new Date(each * 1000)))],
  ];
}"""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "just now"), (59, "just now"), (119, "1 min ago"), (7300, "2 hr ago"), (86_400, "yesterday"),
     (3 * 86_400, "3 days ago"), (15 * 86_400, "2 wk ago"), (7e6, "2 mo ago"), (9e7, "2 yr ago")],
)  # fmt: skip
def test_times_past_are_told_in_one_unit(module_page: Any, seconds: float, words: str) -> None:
    told = module_page.evaluate("async (past) => (await import('/web/words.js')).ago(1e9 - past, 1e9)", seconds)
    assert told == words


# ---- how a question was read ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unsure_url(clew_home: Path, films: str, no_tokens: TokenFile) -> Iterator[str]:
    """A server where no answer is sure."""
    with serving(clew_home, no_tokens, graphs=(films,), sure_from=0.999) as url:
        yield url


@pytest.fixture
def unsure(unsure_url: str, films: str, browser: Any) -> Iterator[Any]:
    with visiting(browser, unsure_url) as page:
        choose(page, films)
        yield page


def test_an_unsure_answer_offers_readings_to_choose(unsure: Any) -> None:
    turn = ask(unsure, WORKED)
    doubt = turn.get_by_role("region", name="Other readings")
    assert doubt.locator(".doubt-says").inner_text() == "I am not sure. Did you mean:"
    assert "Low certainty" in turn.locator(".confidence").inner_text()
    assert "directed" in doubt.locator(".current").inner_text()
    other = doubt.get_by_role("button").first
    reading = other.locator(".reading-words").inner_text()
    assert "Al Pacino" in other.locator(".reading-says").inner_text()
    assert faults(unsure) == []
    other.click()
    turn.locator(".answers, .answer-one").get_by_text("Al Pacino").wait_for()
    assert turn.locator(".reading .reading-words").inner_text() == reading
    assert turn.locator(".doubt").count() == 0
    assert unsure.locator(".turn").count() == 1
    unsure.reload()
    unsure.locator(".turn-foot").wait_for()
    assert unsure.locator(".turn").count() == 1
    assert unsure.locator(".answer-name").first.inner_text() == "Al Pacino"


def test_a_reading_of_an_earlier_turn_is_asked_anew(unsure: Any) -> None:
    ask(unsure, WORKED)
    ask(unsure, DIRECTOR)
    unsure.locator(".turn").first.locator(".doubt").get_by_role("button").first.click()
    unsure.locator(".turn").nth(2).locator(".turn-foot").wait_for()
    assert unsure.locator(".turn").last.locator(".answer-name").first.inner_text() == "Al Pacino"


def test_only_sure_answers_are_a_setting_of_the_page(unsure: Any) -> None:
    unsure.get_by_label("Only sure answers").check()
    turn = ask(unsure, DIRECTOR)
    assert turn.get_by_text("No answer found.", exact=True).is_visible()
    assert "Michael Mann" in turn.locator(".doubt .reading-says").first.inner_text()
    unsure.reload()
    assert unsure.get_by_label("Only sure answers").is_checked()
    unsure.locator(".doubt").get_by_role("button").first.click()
    unsure.locator(".answer-name").first.wait_for()
    assert unsure.locator(".answer-name").all_inner_texts() == ["Michael Mann"]


# ---- which one is meant ---------------------------------------------------------------------------------------------


def test_a_choice_is_offered_and_the_run_goes_on_with_it_or_with_the_other_one(page: Any) -> None:
    turn = ask(page, KISMET)
    choice = turn.get_by_role("group", name="Which “Kismet” do you mean?")
    assert choice.get_by_role("radio").count() == 3
    assert page.evaluate("document.activeElement.type") == "radio"
    choice.get_by_text("1955").click()
    turn.get_by_role("button", name="Go on").click()
    turn.locator(".turn-foot").wait_for()
    assert turn.locator(".answer-name").all_inner_texts() == ["Vincente Minnelli"]
    turn.get_by_role("link", name="Trace").click()
    page.locator("button.lane").filter(has_text="clarify").click()
    page.get_by_role("button", name="Fork…").click()
    page.get_by_label("“Kismet” means").select_option("kismet-1944")
    page.get_by_role("button", name="Rerun from here").click()
    page.get_by_text("Forked: the answers have changed.").wait_for()
    assert page.locator(".gone").inner_text() == "Vincente Minnelli"
    assert page.locator(".come").inner_text() == "William Dieterle"


def test_a_choice_is_there_when_the_page_is_loaded_anew_and_left_open_by_a_new_question(page: Any) -> None:
    ask(page, KISMET)
    page.reload()
    choice = page.get_by_role("group", name="Which “Kismet” do you mean?")
    choice.wait_for()
    turn = ask(page, DIRECTOR)
    assert turn.locator(".answer-name").all_inner_texts() == ["Michael Mann"]
    assert page.locator(".choice").count() == 0
    left = page.locator(".turn").first
    assert "Left open" in left.inner_text()
    left.get_by_role("button", name="Ask again").click()
    choice.get_by_label("Any of them").check()
    page.get_by_role("button", name="Go on").click()
    turn = page.locator(".turn").last
    turn.locator(".turn-foot").wait_for()
    assert turn.locator(".answer-name").first.inner_text() in ("William Dieterle", "Vincente Minnelli")


# ---- names that would be markup -------------------------------------------------------------------------------------


def test_hostile_names_stay_text(page: Any) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a name ran: {dialog.message}"))
    turn = ask(page, FILMS)
    assert {HOSTILE, LONG} <= set(turn.locator(".answer-name").all_inner_texts())
    ask(page, "who acted in Heat?")
    page.get_by_text("<script>alert(2)</script>").first.wait_for()
    assert page.locator("main img, main script, main b").count() == 0
    page.get_by_role("button", name="What is in this graph").click()
    page.locator("#schema .table").first.wait_for()
    assert page.locator("main img, dialog img, dialog script").count() == 0


def test_the_policy_keeps_scripts_and_markup_out(url: str, browser: Any) -> None:
    with visiting(browser, url, expected=["Content Security Policy", "Trusted"]) as page:
        assert page.evaluate("try { document.body.innerHTML = '<b>x</b>'; 'set' } catch { 'refused' }") == "refused"
        page.evaluate("const script = document.createElement('style'); script.textContent = 'body { display: none }';"
                      "document.head.append(script)")  # fmt: skip
        assert page.locator("#question").is_visible()
        assert page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'asked', () => 'refused')") == "refused"


_EVIDENCE = """async ([place, text, said, span]) => {
  const { evidenceOf } = await import("/web/evidence.js");
  const end = (id, name, label) => ({ id, name, label });
  const item = { head: end("d", "Takings", "document"), relation: place, tail: end("c", text, "passage"),
    properties: {}, supports: ["c"], found_by: [] };
  const answers = [{ id: "c", name: said, label: "passage", ...(span && { passage: { id: "c", ...span } }) }];
  const result = { question: "?", answers, evidence: [item], linked: [], cypher: null };
  const box = document.createElement("div");
  box.append(...evidenceOf(result, [{ item, number: 1, place: 0 }], () => {}));
  const cells = (row) => [...row.children].map((cell) => cell.textContent);
  return [[...box.querySelectorAll("tr")].map(cells), [...box.querySelectorAll("mark")].map((each) => each.textContent),
    box.querySelectorAll("img").length];
}"""


def test_rows_of_a_table_are_shown_as_a_table(module_page: Any) -> None:
    rows = f"Takings\nfilm: Jaws; weekend: 7 million\nfilm: {HOSTILE}; year: 1979"
    shown, _, images = module_page.evaluate(_EVIDENCE, ["page 2, rows 3-4", rows, "7 million"])
    assert shown == [["film", "weekend", "year"], ["Jaws", "7 million", ""], [HOSTILE, "", "1979"]]
    assert images == 0
    assert module_page.evaluate(_EVIDENCE, ["rows 1-2", "Takings\nJaws | 7 million", "7"])[0] == []


_ANSWERS = """async (answers) => {
  const { answerBlock } = await import("/web/answer.js");
  const block = answerBlock({ question: "?", graph: "g", answers, evidence: [], linked: [] }, new Map(), () => {});
  const rows = [...block.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.textContent));
  return [rows, block.querySelectorAll("li").length, block.querySelectorAll("img").length];
}"""


def test_answers_with_several_values_are_a_table(module_page: Any) -> None:
    def answer(name: str, **values: Any) -> dict[str, Any]:
        return {"id": name, "name": name, "label": "Genre", "score": 1, "values": values}

    drama, hostile = answer("Drama", films=12, mean=1.23456, seen=True), answer(HOSTILE, films=None, mean=2, seen=False)
    assert module_page.evaluate(_ANSWERS, [drama, hostile]) == [
        [["Genre", "films", "mean", "seen"], ["Drama", "12", "1.2346", "yes"], [HOSTILE, "", "2", "no"]], 0, 0,
    ]  # fmt: skip
    one = [answer("Drama", films=12), answer("Comedy", films=3)]
    assert module_page.evaluate(_ANSWERS, one)[:2] == [[], 2]


def test_what_was_taken_from_a_passage_is_marked(module_page: Any) -> None:
    text = f"Jaws took 7 million. {HOSTILE} It had cost 9."
    assert module_page.evaluate(_EVIDENCE, ["text", text, HOSTILE]) == [[], [HOSTILE], 0]


def test_a_span_is_marked_at_its_place(module_page: Any) -> None:
    """Offsets count characters, of which some are two units of JavaScript's texts; the first "7" is not the answer."""
    text = "\U0001f988 In 7 weeks Jaws took 7 million."
    span = {"start": 23, "end": 32}
    assert text[span["start"] : span["end"]] == "7 million"
    assert module_page.evaluate(_EVIDENCE, ["text", text, "7", span]) == [[], ["7 million"], 0]


# ---- sessions and the schema ----------------------------------------------------------------------------------------


def test_a_question_asked_before_the_conversations_are_listed_is_answered(url: str, films: str, browser: Any) -> None:
    """What the page loads meanwhile may not take the question's place."""
    with visiting(browser, url, "/traces") as page:
        held: list[Any] = []
        page.route("**/api/sessions", lambda route: held.append(route), times=1)
        page.goto(url)
        choose(page, films)
        page.get_by_label("Question").fill(DIRECTOR)
        page.keyboard.press("Enter")
        page.locator(".turn").wait_for()
        held[0].continue_()
        page.locator(".turn-foot").wait_for()
        page.locator(".session").first.wait_for()
        assert page.locator(".answer-name").all_inner_texts() == ["Michael Mann"]


def test_sessions_are_renamed_exported_and_deleted(page: Any, url: str) -> None:
    ask(page, DIRECTOR)
    row = page.locator(".session").filter(has=page.locator("[aria-current]"))
    row.get_by_role("button", name="More for").click()
    page.get_by_role("menuitem", name="Rename…").click()
    page.get_by_role("textbox", name="Name").fill("a/b")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog", name="Rename").get_by_role("alert").get_by_text("cannot be the name").wait_for()
    page.get_by_role("textbox", name="Name").fill("films & night ä")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog", name="Rename").wait_for(state="detached")
    assert row.locator(".session-title").inner_text() == "films & night ä"
    assert [turn["question"] for turn in httpx.get(f"{url}/api/sessions/films & night ä").json()["turns"]] == [DIRECTOR]
    row.get_by_role("button", name="More for").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Export as Markdown").click()
    assert "Michael Mann [1] directed Heat." in download.value.path().read_text("utf-8")
    row.get_by_role("button", name="More for").click()
    page.get_by_role("menuitem", name="Delete…").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.locator(".session-title").get_by_text("films & night ä").wait_for(state="detached")
    assert page.locator(".turn").count() == 0
    assert httpx.get(f"{url}/api/sessions/films & night ä").status_code == 404


def test_a_session_of_the_terminal_is_opened(page: Any, url: str, films: str) -> None:
    asked = {"question": DIRECTOR, "graph": films, "session": "from the terminal", "stream": False}
    assert httpx.post(f"{url}/api/ask", json=asked, timeout=60).status_code == 200
    page.reload()
    page.get_by_role("button", name="from the terminal").first.click()
    page.locator(".turn-foot").wait_for()
    assert page.locator(".answer-name").all_inner_texts() == ["Michael Mann"]
    assert "session=from+the+terminal" in page.url


def test_a_conversation_that_is_gone_is_not_an_error(url: str, films: str, browser: Any) -> None:
    with visiting(browser, url, "/#session=never%20kept", expected=["404"]) as page:
        page.get_by_text("There is no such conversation any more.").wait_for()
        choose(page, films)
        assert ask(page, DIRECTOR).locator(".answer-name").all_inner_texts() == ["Michael Mann"]


def test_the_schema_is_shown_as_lists_and_a_picture(page: Any, films: str) -> None:
    page.get_by_role("button", name="What is in this graph").click()
    schema = page.get_by_role("dialog", name=f"What is in {films}")
    schema.locator(".table").first.wait_for()
    labels, relations = schema.get_by_role("table").all()
    assert labels.get_by_role("row", name="Film").inner_text().split()[:2] == ["Film", "7"]
    assert "DIRECTED" in relations.inner_text()
    assert schema.locator(".picture-relation").count() >= 1
    assert faults(page) == []
    page.keyboard.press("Escape")
    assert schema.count() == 0
    assert page.evaluate("document.activeElement.id") == "open-schema"


_OVERLAPS = """() => {
  const corners = (text) => {
    const [{ x, y, width, height }, to] = [text.getBBox(), text.getScreenCTM()];
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
      .map(([left, top]) => [to.a * left + to.c * top + to.e, to.b * left + to.d * top + to.f]);
  };
  const parted = (box, other, side) => {
    const [across, down] = [box[side + 1][0] - box[side][0], box[side + 1][1] - box[side][1]];
    const [own, its] = [box, other].map((each) => each.map(([x, y]) => x * across + y * down));
    return Math.max(...own) <= Math.min(...its) || Math.max(...its) <= Math.min(...own);
  };
  const texts = [...document.querySelectorAll(".picture-drawing text")];
  const boxes = texts.map((text) => [text.textContent, corners(text)]);
  return boxes.flatMap(([name, box], place) => boxes.slice(place + 1)
    .filter(([, other]) => ![0, 1].some((side) => parted(box, other, side) || parted(other, box, side)))
    .map(([other]) => [name, other]));
}"""
"""Pairs of texts in the picture whose boxes, turned as the texts are, overlap: no side of either parts them."""

_CROSSED = """() => {
  const nodes = [...document.querySelectorAll(".picture-node")].map((node) => {
    const { e, f } = node.transform.baseVal.consolidate().matrix;
    return [node.ariaLabel, [".picture-dot", ".picture-name"].map((part) => {
      const { x, y, width, height } = node.querySelector(part).getBBox();
      return [x + e, y + f, x + e + width, y + f + height];
    })];
  });
  return [...document.querySelectorAll(".picture-line")].flatMap((line) => {
    const length = line.getTotalLength();
    const points = Array.from({ length: 201 }, (_, place) => line.getPointAtLength((length * place) / 200));
    return nodes.filter(([, boxes]) => boxes.some(([left, top, right, bottom]) =>
      points.some(({ x, y }) => x > left && x < right && y > top && y < bottom))).map(([name]) => name);
  });
}"""
"""The nodes whose mark or name the line of an edge runs through."""


def demo_schema() -> dict[str, Any]:
    """The schema of the graph in `demo/`."""
    tables = [list(csv.DictReader(path.open(encoding="utf-8"))) for path in sorted(DEMO.glob("*.csv"))]
    labels = {row["id:ID"]: row[":LABEL"] for rows in tables for row in rows if "id:ID" in row}
    edges = [row for rows in tables for row in rows if ":TYPE" in row]
    counts = Counter((row[":TYPE"], labels[row[":START_ID"]], labels[row[":END_ID"]]) for row in edges)
    return _schema(Counter(labels.values()), counts)


def wide_schema() -> dict[str, Any]:
    """20 labels: two that most others are linked with, by long names, in both directions, and with themselves."""
    labels = [f"{word}{number}" for number in range(5) for word in ("Person", "OrderDetail", "Organisation", "Item")]
    hubs = [(f"IS_RESPONSIBLE_FOR_{place}", labels[place], labels[place % 2]) for place in range(14)]
    back = [("WORKS_FOR", labels[place % 2], labels[place]) for place in range(2, 20, 2)]
    return _schema(dict.fromkeys(labels, 12_345), dict.fromkeys([*hubs, *back], 1))


def northwind_schema() -> dict[str, Any]:
    """The schema of the graph that Northwind's tables become."""
    counts = {
        ("ORDERED", "Order", "Product"): 2155, ("HAS_CUSTOMER", "Order", "Customer"): 830,
        ("HAS_EMPLOYEE", "Order", "Employee"): 830, ("SHIP_VIA", "Order", "Shipper"): 830,
        ("HAS_CATEGORY", "Product", "Category"): 77, ("HAS_SUPPLIER", "Product", "Supplier"): 77,
        ("HAS_REGION", "Territory", "Region"): 53, ("REPORTS_TO", "Employee", "Employee"): 8,
        ("EMPLOYEE_TERRITORY", "Employee", "Territory"): 49,
    }  # fmt: skip
    return _schema({label: 100 for _type, *ends in counts for label in ends}, counts)


def _schema(labels: Mapping[str, int], counts: Mapping[tuple[str, str, str], int]) -> dict[str, Any]:
    ordered = sorted(counts.items(), key=lambda each: -each[1])
    relations = [{"type": each[0], "source": each[1], "target": each[2], "count": count} for each, count in ordered]
    return {"labels": labels, "relations": relations, "properties": []}


def test_no_names_of_a_schema_overlap_and_no_edge_runs_through_one(page: Any) -> None:
    for schema in (demo_schema(), northwind_schema(), wide_schema()):
        page.route("**/schema", lambda route, _, told=schema: route.fulfill(json=told))
        page.get_by_role("button", name="What is in this graph").click()
        picture = page.locator("#schema .picture")
        picture.wait_for()
        for width in (360, 1600):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(_OVERLAPS) == []
            assert page.evaluate(_CROSSED) == []
        named, lines = picture.locator(".picture-relation").count(), picture.locator(".picture-line").count()
        hidden = sum(int(text.split()[0]) for text in picture.locator(".picture-unnamed").all_inner_texts())
        assert lines == len({(each["source"], each["target"]) for each in schema["relations"][:24]})
        assert named == lines - hidden
        assert hidden <= lines // 4
        page.get_by_role("button", name="Close", exact=True).click()
        picture.wait_for(state="detached")


def test_a_graph_that_is_being_opened_says_how_far_it_is(url: str, films: str, browser: Any) -> None:
    state = {"name": films, "nodes": 13, "relationships": 10, "version": "1", "open": False, "failed": None}
    opening = {"label": "Indexing names", "unit": "nodes", "done": 6, "total": 12}
    now = {**state, "opening": opening}
    with visiting(browser, url, "/traces", expected=OFFLINE) as page:
        page.route("**/api/graphs", lambda route: route.fulfill(json=[now]))
        page.goto(url)
        page.locator("#graph-state").get_by_text("Indexing names 50 %").wait_for()
        now.update(opening=None, failed="An import is under way.")
        page.locator("#graph-state").get_by_text("An import is under way.").wait_for()


# ---- keys -----------------------------------------------------------------------------------------------------------


def test_keys(page: Any) -> None:
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.type("a / b")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("c")
    assert page.get_by_label("Question").input_value() == "a / b\nc"
    assert page.locator(".turn").count() == 0


def test_the_theme_is_remembered(url: str, browser: Any) -> None:
    with visiting(browser, url, color_scheme="dark") as page:
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        page.get_by_role("button", name="Use the light theme").click()
        page.reload()
        assert page.evaluate("document.documentElement.dataset.theme") == "light"


# ---- for everybody --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [360, 1600])
def test_nothing_keeps_people_from_using_it(url: str, films: str, browser: Any, width: int) -> None:
    with visiting(browser, url, viewport={"width": width, "height": 800}) as page:
        if width < 400:
            page.get_by_role("button", name="Conversations").click()
        choose(page, films)
        page.locator(".example").first.wait_for(state="attached")
        assert faults(page) == []
        page.keyboard.press("Escape")
        ask(page, KISMET)
        assert faults(page) == []
        page.get_by_role("button", name="Go on").click()
        turn = page.locator(".turn").last
        turn.locator(".steps-summary").click()
        turn.locator(".citation").first.click()
        page.locator(".found-by summary").first.click()
        assert faults(page) == []
        page.emulate_media(color_scheme="dark")
        page.locator("html[data-theme=dark]").wait_for()
        assert faults(page) == []
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width
        page.get_by_role("button", name="Close the evidence").click()
        if width < 400:
            assert faults(page) == []


# ---- reading what the server streams --------------------------------------------------------------------------------

_READ = """async (pieces) => {
  const { EventReader } = await import("/web/event_reader.js");
  const reader = new EventReader();
  return pieces.map((piece) => [...reader.read(piece)]);
}"""


def test_events_are_read_wherever_the_stream_is_cut(module_page: Any) -> None:
    text = (
        'event: step\r\ndata: {"title": "ä: b"}\r\n\r\n: still at it\n\nevent: result\ndata: 1\ndata: 2\n\ndata: x\n\n'
    )
    whole = [
        {"event": "step", "data": json.dumps({"title": "ä: b"}, ensure_ascii=False)},
        {"event": "result", "data": "1\n2"},
        {"event": "message", "data": "x"},
    ]
    cuts = [[text[:place], text[place:]] for place in range(len(text))] + [list(text)]
    for pieces in cuts:
        found = [event for part in module_page.evaluate(_READ, pieces) for event in part]
        assert found == whole, pieces
