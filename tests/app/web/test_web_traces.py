"""The traces page in a real browser: the list, a run with its steps, comparison, the exported file without a server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from clew.app.container import Container
from clew.app.serving.authentication import TokenFile
from clew.app.traces.page import trace_page
from clew.app.traces.recording import TraceRecorder
from clew.graphs.strategies import STRATEGIES
from tests.app.serving.serving_world import serving
from tests.app.traces.traced_films import THREE_READINGS, filmed, traced, with_model
from tests.browser import faults, visiting

HOSTILE = "<img src=x onerror=alert(1)></script><!--\u2028 \"'` 🧵 ${1}"
MANY = "many-runs"


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    with filmed(clew_home, tmp_path_factory.mktemp("films")) as container:
        yield container


@pytest.fixture(scope="module")
def runs(films: Container) -> dict[str, dict[str, Any]]:
    """Traces by what they show."""
    context = films.context(films.names[0])  # type: ignore[attr-defined]
    every = tuple(strategy for strategy in STRATEGIES if strategy != "traversal")
    return {
        "plain": traced(context, films.traces),
        "every": traced(context, films.traces, "How did Michael Mann shoot Collateral?", strategies=every),
        "pattern": traced(context, films.traces, strategies=("pattern",)),
        "count": traced(context, films.traces, "how many films are there?"),
        "none": traced(context, films.traces, "zzyzx qwertz?", strategies=("cypher",)),
        "readings": traced(context, films.traces, "What about Heat?", **with_model(3, linker=THREE_READINGS)),
        "walk": traced(context, films.traces, strategies=("traversal",), **with_model()),
        "hostile": hostile(films),
    }


@pytest.fixture(scope="module")
def url(
    clew_home: Path, films: Container, runs: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    tokens = TokenFile(tmp_path_factory.mktemp("none") / "tokens.json")
    with serving(clew_home, tokens, graphs=(films.names[0],)) as url:  # type: ignore[attr-defined]
        yield url


def hostile(films: Container) -> dict[str, Any]:
    """A run in which every text is one that a careless page would take for its own, and every list was cut."""
    with TraceRecorder(films.traces).begin(graph=HOSTILE, question=HOSTILE, thread_id=None) as run:
        with run.span(HOSTILE, 1, {"resolved": HOSTILE}) as span:
            triplets = [[HOSTILE, HOSTILE, HOSTILE, 0.5, [HOSTILE]]] * 90
            span.event("selected", kept=90, dropped=0, budget_tokens=1, triplets=triplets)
            span.event("query", words=HOSTILE, cypher=HOSTILE, parameters={HOSTILE: HOSTILE}, rows=1, answers=[])
            span.event("queries", candidates=HOSTILE)
            span.event("matches", mapping=3)
            span.event(HOSTILE, what=HOSTILE)
            span.output(title=HOSTILE, details=[HOSTILE])
        end = {"id": "1", "name": HOSTILE, "label": HOSTILE}
        support = {"head": end, "tail": {**end, "id": "2"}, "relation": HOSTILE, "score": 1.0, "supports": ["1"]}
        run.outcome(
            {"answers": [{**end, "score": 1.0}], "evidence": [support], "explanation": HOSTILE, "confidence": 1}
        )
    return films.traces.show(run.id)


@contextmanager
def seeing(browser: Any, url: str, run: dict[str, Any] | None = None, **given: Any) -> Iterator[Any]:
    with visiting(browser, url, f"/traces#{run['id']}" if run else "/traces", **given) as page:
        page.locator("h1").wait_for()
        yield page


def lane(page: Any, node: str, place: int = 0) -> Any:
    return (
        page.locator("button.lane").filter(has=page.locator(".lane-name", has_text=re.compile(f"^{node}"))).nth(place)
    )


def panel(page: Any) -> Any:
    return page.get_by_role("region", name="Step", exact=True)


# ---- the list -------------------------------------------------------------------------------------------------------


def test_runs_are_listed_and_filtered_and_the_address_says_how(url: str, runs: Any, films: Any, browser: Any) -> None:
    with seeing(browser, url) as page:
        page.get_by_label("Graph").select_option(films.names[0])
        page.get_by_label("Without an answer").check()
        page.locator(".list-state", has_text=re.compile(r"^1 run$")).wait_for()
        assert page.locator(".run-question").all_inner_texts() == ["zzyzx qwertz?"]
        assert "empty=true" in page.url
        page.get_by_label("Search", exact=True).fill("nobody asked this")
        page.get_by_text("No run matches.").wait_for()
        page.get_by_label("Search", exact=True).fill("QWERTZ")
        page.locator(".list-state", has_text=re.compile(r"^1 run$")).wait_for()
        assert "search=QWERTZ" in page.url
        page.get_by_label("Search", exact=True).fill("")
        page.get_by_label("Without an answer").uncheck()
        page.get_by_label("Strategy that ran").select_option("hybrid")
        page.locator(".list-state", has_text=re.compile(r"^1 run$")).wait_for()
        assert page.locator(".run-question").all_inner_texts() == [runs["every"]["question"]]
        page.reload()
        page.locator(".list-state", has_text=re.compile(r"^1 run$")).wait_for()
        assert page.get_by_label("Strategy that ran").input_value() == "hybrid"
        page.get_by_label("Slower than, in ms").fill("9999999")
        page.get_by_label("Slower than, in ms").blur()
        page.get_by_text("No run matches.").wait_for()
        page.get_by_role("button", name="Clear").click()
        page.locator(".run-question").first.wait_for()  # whose is not said: other tests leave traces in this home
        assert page.get_by_label("Graph").input_value() == ""
        assert "slower_ms" not in page.url


def test_older_runs_follow_on_demand(url: str, films: Container, browser: Any) -> None:
    for number in range(60):
        with TraceRecorder(films.traces).begin(graph=MANY, question=f"q{number}", thread_id=None) as run:
            run.outcome({"answers": []})
    with visiting(browser, url, f"/traces?graph={MANY}") as page:
        page.get_by_text("50 runs, and older ones").wait_for()
        assert page.locator(".run-question").first.inner_text() == "q59"
        page.get_by_role("button", name="Show older runs").click()
        page.get_by_text(re.compile("^60 runs$")).wait_for()
        assert page.evaluate("document.activeElement.textContent") == "q9"
        assert page.locator(".run-question").last.inner_text() == "q0"


# ---- one run --------------------------------------------------------------------------------------------------------


def test_a_run_is_a_timeline_with_readings_parallel_steps_and_calls(url: str, runs: Any, browser: Any) -> None:
    run = runs["readings"]
    with seeing(browser, url, run) as page:
        assert page.get_by_role("heading", level=1).inner_text() == "What about Heat?"
        assert page.locator(".round").all_inner_texts() == ["Reading 1", "Reading 2", "Reading 3"]
        assert page.locator("button.lane").count() == len(run["spans"])
        first = page.locator(".parallel").first.locator(".lane-name").all_inner_texts()
        assert {"cypher", "paths"} <= {name.split(",")[0] for name in first}
        calls = run["outcome"]["model"]["calls"]
        assert calls >= 4
        assert page.locator(".call").count() == calls
        assert "100 + 10 tokens · $0.001000" in page.locator(".call").first.inner_text()
        head = page.locator(".run-head").inner_text()
        assert f"{calls} calls" in head
        assert f"{calls * 100} in, {calls * 10} out" in head


def test_steps_are_gone_through_by_keyboard_and_stand_in_the_address(url: str, runs: Any, browser: Any) -> None:
    with seeing(browser, url, runs["plain"]) as page:
        lane(page, "link").click()
        assert page.url.endswith(f"#{runs['plain']['id']}/1")
        page.keyboard.press("ArrowDown")
        assert panel(page).get_by_role("heading", level=3).inner_text() == "link_entities"
        assert page.evaluate("document.activeElement.querySelector('.lane-name').textContent") == "link_entities"
        page.keyboard.press("End")
        assert panel(page).get_by_role("heading", level=3).inner_text() == "reason"
        assert page.locator("button.lane[aria-current=step]").count() == 1
        assert page.locator("button.lane[tabindex='0']").count() == 1
        page.reload()
        assert panel(page).get_by_role("heading", level=3).inner_text() == "reason"


@pytest.mark.parametrize("kind", ["plain", "every", "pattern", "count", "none", "readings", "walk", "hostile"])
def test_every_step_has_a_form_of_its_own_and_fits(url: str, runs: Any, browser: Any, kind: str) -> None:
    """Of the hostile run, whose records have no form, only the width counts."""
    nodes = sorted(span["node"] for span in runs[kind]["spans"])
    with seeing(browser, url, runs[kind], viewport={"width": 360, "height": 800}) as page:
        raw: list[str] = []
        page.on("console", lambda said: raw.append(said.text))
        for width in (360, 768, 1600) if kind in ("every", "readings", "hostile") else (360,):
            page.set_viewport_size({"width": width, "height": 800})
            steps = opened(page, f"[{_HEADING}, ({_TOO_WIDE})(), {_SAID}.includes('undefined')]")
            assert [wide for _, wide, _ in steps] == [[]] * len(nodes)
            assert kind == "hostile" or sorted(name for name, _, _ in steps) == nodes
            assert not any(undefined for _, _, undefined in steps)
        assert kind == "hostile" or raw == []


@pytest.mark.parametrize("kind", ["plain", "every", "count", "readings", "walk"])
def test_no_column_of_a_table_is_cut_off(url: str, runs: Any, browser: Any, kind: str) -> None:
    with seeing(browser, url, runs[kind], viewport={"width": 1280, "height": 800}) as page:
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        assert [cut for cut in [page.evaluate(f"({_CUT})()"), *opened(page, f"({_CUT})()")] if cut] == []


_CUT = """() => [...document.querySelectorAll("details")].map((each) => (each.open = true)) &&
  [...document.querySelectorAll(".scroll:has(table)")].filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => `${box.ariaLabel}: ${box.scrollWidth} > ${box.clientWidth}`)"""


_HEADING = "document.querySelector('section[aria-label=Step] h3').textContent.split(' ')[0]"

_SAID = "document.querySelector('section[aria-label=Step]').textContent"


def opened(page: Any, what: str) -> list[Any]:
    """Opens each step in turn; gives the value of `what`, an expression of JavaScript, for each."""
    found: list[Any] = page.evaluate(
        f"""async () => {{
          const found = [];
          for (const lane of document.querySelectorAll("button.lane")) {{
            lane.click();
            await new Promise((drawn) => setTimeout(drawn));
            found.push({what});
          }}
          return found;
        }}"""
    )
    return found


def test_a_models_query_is_shown_generated_corrected_and_executed(url: str, runs: Any, browser: Any) -> None:
    with seeing(browser, url, runs["walk"]) as page:
        lane(page, "link").click()
        said = panel(page).inner_text()
        for part in (
            "Call of speaker as linker",
            "Hash",
            "100 in, 10 out",
            "As the model wrote".lower(),
            "no_such_relation",
        ):
            assert part.lower() in said.lower()
        panel(page).get_by_text("System prompt").click()
        assert panel(page).get_by_role("region", name="System prompt").inner_text()
        lane(page, "link_entities").click()
        assert panel(page).get_by_role("region", name="Entities near “Michael Man”").inner_text().count("kept") == 1
        lane(page, "traversal").click()
        assert panel(page).get_by_text("Why the walk ended").is_visible()
    with seeing(browser, url, runs["readings"]) as page:
        lane(page, "cypher").click()
        said = panel(page).inner_text()
        assert said.index("Generated") < said.index("Corrected by the schema") < said.index("Executed")
        assert panel(page).locator(".parameters").first.inner_text() == '$v0\n"Heat"'
        panel(page).get_by_text("How the database runs it").first.click()
        assert panel(page).get_by_role("region", name="Plan").first.inner_text()
        lane(page, "assess", 1).click()
        assert "The run goes on: the answers are not certain: the model reads again" in panel(page).inner_text()


def test_a_pattern_shows_its_mapping_and_bound(url: str, runs: Any, browser: Any) -> None:
    with seeing(browser, url, runs["pattern"]) as page:
        lane(page, "pattern").click()
        table = panel(page).get_by_role("region", name="Mapping").first
        assert "Graph semantic distance" in table.inner_text()
        assert "Bound" in panel(page).inner_text()


def test_the_evidence_is_a_picture_and_words(url: str, runs: Any, browser: Any) -> None:
    with seeing(browser, url, runs["plain"]) as page:
        result = page.get_by_role("region", name="Result")
        result.locator(".picture").wait_for()
        assert result.locator(".picture-node").count() == 2
        result.get_by_role("button", name="Michael Mann, Person, answer").click()
        assert "Michael Mann" in result.locator(".node-card").inner_text()


def test_two_runs_are_compared(url: str, runs: Any, films: Any, browser: Any) -> None:
    with visiting(browser, url, f"/traces?graph={films.names[0]}") as page:
        page.get_by_label(f"Compare “{runs['none']['question']}”").check()
        page.get_by_text("Choose another one to compare it with.").wait_for()
        page.get_by_label(f"Compare “{runs['count']['question']}”").check()
        page.get_by_role("button", name="Compare them").click()
        page.get_by_role("heading", level=1, name="Two runs that differ").wait_for()
        assert ".." in page.url
        assert page.locator(".gone, .come").inner_text().split() == ["4"]
        assert page.get_by_role("region", name="Steps of both runs").locator("tbody tr").count() > 5
        assert faults(page) == []
    with seeing(browser, url, runs["plain"]) as page:
        page.get_by_role("button", name="Compare").click()
        page.get_by_text("One run is chosen.").wait_for()


def test_compared_runs_say_what_their_traces_do_not_keep(url: str, films: Any, browser: Any) -> None:
    def kept(answers: list[str]) -> str:
        with TraceRecorder(films.traces).begin(graph=films.names[0], question="Which?", thread_id=None) as run:
            given = [{"id": each, "name": each, "label": "Film", "score": 1.0} for each in answers]
            run.outcome({"answers": given, "evidence": [], "explanation": "", "confidence": 1})
        return str(run.id)

    many, few = kept([f"Film {n:03}" for n in range(173)]), kept([f"Film {n:03}" for n in range(40, 60)])
    with visiting(browser, url, f"/traces#{many}..{few}") as page:
        page.get_by_role("heading", name="Only in A: at least 40").wait_for()
        page.get_by_role("heading", name="Only in B: not known").wait_for()
        page.get_by_text("10 answers of B may be among those that the other trace does not keep.").wait_for()
        page.get_by_text("The trace of A keeps the first 50 of 173 answers.").wait_for()


def test_a_run_is_replayed_and_compared(url: str, runs: Any, browser: Any) -> None:
    with seeing(browser, url, runs["plain"]) as page:
        page.get_by_role("button", name="Replay").click()
        page.get_by_text("Replayed: the same answers").wait_for()
        page.locator(".compare").wait_for()
        assert page.locator(".card.side").count() == 2
        assert runs["plain"]["id"] in page.url


def test_a_run_goes_on_from_a_step_with_something_else(url: str, runs: Any, films: Container, browser: Any) -> None:
    with seeing(browser, url, runs["plain"]) as page:
        lane(page, "reason").click()
        assert panel(page).get_by_role("button", name="Fork…").count() == 0
        lane(page, "link_entities").click()
        panel(page).get_by_role("button", name="Fork…").click()
        box = page.get_by_role("dialog", name="Fork after link_entities")
        box.get_by_label("paths", exact=True).check()
        box.get_by_label("Seconds").fill("30")
        assert faults(page) == []
        box.get_by_role("button", name="Rerun from here").click()
        page.get_by_text(re.compile("^Forked: ")).wait_for()
        page.locator(".compare").wait_for()
        forked = films.traces.show(page.url.rpartition("..")[2])
    assert forked["replay_of"] == runs["plain"]["id"]
    assert forked["given"]["fork"] == {"from": "link_entities#1", "set": {"strategies": ["paths"], "seconds": 30.0}}
    assert "read" in {span["node"] for span in runs["plain"]["spans"]}
    assert "read" not in {span["node"] for span in forked["spans"]}


def test_showing_a_run_of_three_readings_is_little_work(url: str, runs: Any, browser: Any) -> None:
    """The page's own time on the processor, its picture included: the clock would tell of other work beside it."""
    with visiting(browser, url, "/traces?slower_ms=99999999") as page:
        page.get_by_text("No run matches.").wait_for()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})

        def worked() -> float:
            told = session.send("Performance.getMetrics")["metrics"]
            return next(float(each["value"]) for each in told if each["name"] == "TaskDuration")

        before = worked()
        page.goto(f"{url}/traces#{runs['readings']['id']}")
        page.locator(".picture").wait_for()
        assert worked() - before < 0.3


def test_a_page_that_is_opened_again_asks_only_for_what_may_have_changed(url: str, runs: Any, browser: Any) -> None:
    def asked(page: Any) -> list[str]:
        found: list[str] = page.evaluate(_FROM_THE_SERVER)
        return [address for address in found if "/web/" in address]

    with seeing(browser, url, runs["plain"]) as page:
        assert len(asked(page)) > 4
        again = page.context.new_page()
        again.goto(page.url)
        again.locator(".outcome-parts").wait_for()
        assert asked(again) == []


_FROM_THE_SERVER = """() => performance.getEntriesByType("resource")
  .filter((each) => each.transferSize > 0).map((each) => each.name)"""
"""What came over the network, not out of the browser's cache."""


def test_a_run_that_is_not_there_is_told(url: str, browser: Any) -> None:
    with seeing(browser, url, {"id": "nosuch"}, expected=["404"]) as page:
        assert "There is no trace 'nosuch'" in page.locator(".notice").inner_text()
        page.get_by_role("link", name="All traces").click()
        page.get_by_role("heading", name="Traces", exact=True).wait_for()


def test_hostile_texts_stay_texts(url: str, runs: Any, browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "hostile.html"
    file.write_text(trace_page(runs["hostile"]), encoding="utf-8")
    for where, path in ((url, f"/traces#{runs['hostile']['id']}"), (f"file://{file}", "")):
        with visiting(browser, where, path) as page:
            page.get_by_role("heading", level=1).wait_for()
            assert page.get_by_role("heading", level=1).inner_text() == HOSTILE.replace("\u2028", "\u2028")
            assert page.locator("img").count() == 0
            assert page.locator(".lane-name").inner_text() == HOSTILE
            assert "The trace keeps the first of 90 items." not in page.locator(".run-head").inner_text()


# ---- the exported file ----------------------------------------------------------------------------------------------


def test_an_exported_file_shows_the_same_and_asks_nobody(url: str, runs: Any, browser: Any, tmp_path: Path) -> None:
    with seeing(browser, url, runs["readings"]) as page:
        with page.expect_download() as saved:
            page.get_by_role("button", name="HTML").click()
        file = tmp_path / saved.value.suggested_filename
        saved.value.save_as(file)
        lane(page, "cypher", 1).click()
        page.locator(".outcome-parts").wait_for()
        here = [
            page.locator(".run-steps").inner_text(),
            panel(page).inner_text().replace("Fork…\n", ""),  # which takes a server
            page.locator(".run-outcome").inner_text(),
        ]
    assert file.name == f"trace-{runs['readings']['id']}.html"
    asked: list[str] = []
    context = browser.new_context(offline=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"file://{file}")
    lane(page, "cypher", 1).click()
    page.locator(".outcome-parts").wait_for()
    assert [
        page.locator(".run-steps").inner_text(), panel(page).inner_text(), page.locator(".run-outcome").inner_text()
    ] == here  # fmt: skip
    assert asked == [f"file://{file}"]
    assert wrong == []
    assert faults(page) == []
    context.close()


# ---- everybody, everywhere ------------------------------------------------------------------------------------------


def test_the_list_fits_and_keeps_nobody_out(url: str, runs: Any, browser: Any) -> None:
    with seeing(browser, url, viewport={"width": 360, "height": 800}) as page:
        page.locator(".runs tbody tr").first.wait_for()
        for width in (360, 768, 1600):
            page.set_viewport_size({"width": width, "height": 800})
            assert too_wide(page) == []
        for theme in ("light", "dark"):
            in_theme(page, theme)
            assert faults(page) == []


@pytest.mark.parametrize("kind", ["readings", "every"])
def test_axe_finds_no_serious_fault_in_a_run(url: str, runs: Any, browser: Any, kind: str) -> None:
    with seeing(browser, url, runs[kind]) as page:
        for theme in ("light", "dark"):
            in_theme(page, theme)
            for node in ("link", "cypher", "assess"):
                lane(page, node).click()
                assert faults(page, **({} if node == "link" else {"within": "section[aria-label=Step]"})) == []


def in_theme(page: Any, theme: str) -> None:
    page.emulate_media(color_scheme=theme)
    page.locator(f"html[data-theme={theme}]").wait_for()


_AXIS = """async () => {
  const { Timeline } = await import("/web/trace_timeline.js");
  document.querySelector("#view").replaceChildren(new Timeline({ ms: 1010, spans: [] }, () => {}).element);
}"""


def test_a_time_at_the_very_end_of_the_axis_has_room(url: str, runs: Any, browser: Any) -> None:
    with seeing(browser, url, runs["plain"], viewport={"width": 360, "height": 800}) as page:
        page.locator(".outcome-parts").wait_for()
        page.evaluate(_AXIS)
        assert page.locator(".tick").all_inner_texts()[-1] == "1.0 s"
        assert too_wide(page) == []


def too_wide(page: Any) -> list[str]:
    """What makes the page scroll sideways."""
    found: list[str] = page.evaluate(_TOO_WIDE)
    return found


_TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth && !each.closest(".scroll, pre, svg"))
  .map((each) => each.outerHTML.slice(0, 200))"""
