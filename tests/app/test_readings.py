"""How a question was read, in every front end: the reading beside the answer, the readings that are offered where the
answer is not sure, the choice of one of them, strict answers, and names that the graph does not have."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import clew
from clew.app.answer_text import answer_text
from clew.app.cli import run
from clew.app.serving.authentication import TokenFile
from clew.app.settings import load_settings
from clew.tools.errors import BadInput
from clew.tools.queries.reading.reader import Reader
from tests.app.serving.serving_world import serving
from tests.app.web.web_world import DIRECTOR, KISMET, WORKED, film_club

UNSURE = 0.999
"""A threshold that no answer reaches."""
UNKNOWN = "Who directed Zorblax?"
NO_NODE = "The graph has no node named “Zorblax”."


@pytest.fixture(scope="module")
def name(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with film_club(clew_home, tmp_path_factory.mktemp("films")) as name:
        yield name


@pytest.fixture(scope="module")
def films(clew_home: Path, name: str) -> Iterator[clew.Graph]:
    with clew.connect(name, home=clew_home) as graph:
        yield graph.open()


@pytest.fixture(scope="module")
def unsure(clew_home: Path, name: str) -> Iterator[clew.Graph]:
    """The films where no answer is sure."""
    with clew.connect(name, home=clew_home, sure_from=UNSURE) as graph:
        yield graph.open()


@pytest.fixture(scope="module")
def url(clew_home: Path, name: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    tokens = TokenFile(tmp_path_factory.mktemp("none") / "tokens.json")
    with serving(clew_home, tokens, graphs=(name,), sure_from=UNSURE) as url:
        yield url


# ---- the Python API -------------------------------------------------------------------------------------------------


def test_a_sure_answer_says_how_the_question_was_read(films: clew.Graph) -> None:
    found = films.ask(DIRECTOR)
    assert (found.sure, found.doubt, found.unexplained, found.unmatched) == (True, "", (), ())
    assert "directed Heat" in found.reading
    first, *others = found.readings
    assert (first.reading, first.answers, first.count) == (found.reading, ("Michael Mann",), 1)
    assert first.confidence == found.confidence
    assert all(each.answers is None and not each.chosen for each in others)
    assert f"Read as: {found.reading}" in found.text


def test_a_reading_that_fails_leaves_the_question_to_the_others(
    unsure: clew.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of the reader")

    monkeypatch.setattr(Reader, "read", fail)
    assert [each.name for each in unsure.ask(DIRECTOR).answers] == ["Michael Mann"]


def test_a_value_is_its_own_evidence(films: clew.Graph) -> None:
    found = films.ask("what is the year of Heat?", strategies=["read"])
    assert [answer.name for answer in found] == ["1995"]
    assert (found.evidence[0].relation, found.evidence[0].tail.name) == ("year", "1995")
    assert found.evidence[0].supports == ("1995",)


def test_that_there_is_nothing_is_an_answer(films: clew.Graph) -> None:
    """Where something is taken away, another reading that finds something is no better answer."""
    found = films.ask("which films have no director?")
    assert (found.answers, found.reading) == ((), "Films except those that people directed")


def test_an_unsure_answer_offers_readings_with_different_answers(unsure: clew.Graph) -> None:
    found = unsure.ask(WORKED)
    assert not found.sure
    assert found.doubt == "I am not sure. Did you mean:"
    assert 2 <= len(found.readings) <= 3
    assert set(found.readings[0].answers or ()) <= {answer.name for answer in found}
    assert len({each.says for each in found.readings}) == len({each.reading for each in found.readings})
    assert all(each.count is not None for each in found.readings)
    assert f"  2  {found.readings[1].reading}: {found.readings[1].says}" in found.text


@pytest.mark.parametrize("by", ["number", "words"])
def test_a_reading_is_chosen_by_its_number_or_words(unsure: clew.Graph, by: str) -> None:
    offered = unsure.ask(WORKED).readings[1]
    found = unsure.ask(WORKED, reading=2 if by == "number" else offered.reading.lower())
    assert found.reading == offered.reading
    assert tuple(answer.name for answer in found)[: len(offered.answers or ())] == offered.answers
    assert (found.confidence > 0.9, found.doubt, found.readings[0].chosen) == (True, "", True)
    assert found.readings[0].reading == offered.reading
    assert "You chose this reading" in found.explanation
    assert found.evidence[0].supports
    events = [event for span in unsure.client.traces.show(found.trace_id)["spans"] for event in span["events"]]
    assert [e["data"]["reading"] for e in events if e["kind"] == "chosen reading"] == [offered.reading]
    replayed = unsure.client.replay(found.trace_id)
    assert replayed.outcome == "same"


def test_a_reading_that_there_is_not_is_refused(films: clew.Graph) -> None:
    with pytest.raises(BadInput, match="no reading 'Cats'") as failed:
        films.ask(DIRECTOR, reading="Cats")
    assert "1: " in failed.value.remedy


def test_a_chosen_reading_takes_the_place_of_its_turn(unsure: clew.Graph) -> None:
    session = f"readings-{uuid.uuid4().hex[:8]}"
    unsure.ask(DIRECTOR, session=session)
    offered = unsure.ask(WORKED, session=session).readings[1]
    chosen = unsure.ask(WORKED, session=session, reading=offered.reading)
    *_, last = unsure.stream("what about them?", session=session)
    turns = unsure.client.sessions.turns(session)
    assert [turn["question"] for turn in turns] == [DIRECTOR, WORKED, "what about them?"]
    assert turns[1]["result"]["reading"] == chosen.reading
    assert last.type == "result"


def test_a_chosen_reading_keeps_what_the_user_said_of_a_name(unsure: clew.Graph) -> None:
    session = f"readings-{uuid.uuid4().hex[:8]}"
    *_, asked = unsure.stream(KISMET, session=session, clarify=True)
    assert asked.type == "choice"
    *_, last = unsure.resume(session, "kismet-1955")
    assert last.result is not None
    again = unsure.ask(KISMET, session=session, reading=last.result.reading)
    assert [answer.name for answer in again] == [answer.name for answer in last.result] == ["Vincente Minnelli"]
    assert len(unsure.client.sessions.turns(session)) == 1


def test_strict_answers_only_what_is_sure_and_explained(films: clew.Graph, unsure: clew.Graph) -> None:
    assert [answer.name for answer in films.ask(DIRECTOR, strict=True)] == ["Michael Mann"]
    found = unsure.ask(DIRECTOR, strict=True)
    assert (len(found), found.sure) == (0, False)
    assert "I am not sure how to read the question" in found.explanation
    assert found.readings[0].answers == ("Michael Mann",)
    assert len(unsure.ask(DIRECTOR, strict=True, reading=1)) == 1


def test_strict_names_the_words_that_it_cannot_explain(unsure: clew.Graph) -> None:
    found = unsure.ask("Which films did Michael Mann direct quixotically?", strict=True)
    assert "quixotically" in found.unexplained
    assert "I cannot explain: “quixotically”" in found.explanation


@pytest.mark.parametrize("options", [{}, {"strict": True}])
def test_names_that_exist_nowhere_are_told(films: clew.Graph, options: Any) -> None:
    found = films.ask(UNKNOWN, **options)
    assert (len(found), found.unmatched, found.readings, found.evidence) == (0, ("Zorblax",), (), ())
    assert found.explanation.startswith(NO_NODE)
    assert found.text.startswith(NO_NODE)


def test_near_spellings_are_answered_and_less_near_ones_offered(films: clew.Graph) -> None:
    assert [answer.name for answer in films.ask("Who directed Colateral?")] == ["Michael Mann"]
    far = films.ask("Which films did Mikel Manning direct?")
    assert not far.sure or [answer.name for answer in far] == []


def test_a_name_of_several_nodes_is_read_as_all_of_them(films: clew.Graph) -> None:
    found = films.ask(KISMET)
    assert {answer.name for answer in found} == {"William Dieterle", "Vincente Minnelli"}
    assert "any Kismet" in found.reading
    assert "may also be" not in found.explanation


def test_what_the_schema_lacks_is_told(films: clew.Graph) -> None:
    found = films.ask("what is the phone number of Michael Mann")
    assert (len(found), found.unmatched) == (0, ("phone number",))
    assert found.explanation.startswith("Nothing in the graph's schema matches “phone number”.")
    assert (found.readings, found.doubt) == ((), "")


def test_the_threshold_is_a_setting(clew_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings(home=clew_home).sure_from == 0.6
    monkeypatch.setenv("CLEW_SURE_FROM", "0.9")
    assert load_settings(home=clew_home).sure_from == 0.9
    with pytest.raises(BadInput, match="sure_from"):
        load_settings(home=clew_home, sure_from=2)


def test_a_question_that_cannot_be_read_in_time_says_so(films: clew.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.graphs.strategies.read._SECONDS", 0.0)
    found = films.ask("Who worked on the film Heat?")
    assert "The step read failed: The question could not be read in" in found.explanation
    assert found.unmatched == ()


# ---- the command line -----------------------------------------------------------------------------------------------


def clew_run(clew_home: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["--home", str(clew_home), *arguments]) == 0
    return capsys.readouterr().out


def test_the_command_line_shows_and_takes_readings(
    clew_home: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sure = clew_run(clew_home, capsys, "ask", DIRECTOR, "-g", name)
    assert sure.splitlines()[0].startswith("Michael Mann")
    assert [line.partition("  ")[0] for line in sure.splitlines()[:2]] == [
        "Michael Mann directed Heat.",
        "Michael Mann",
    ]
    assert sure.splitlines()[2].startswith("Read as: ")
    monkeypatch.setenv("CLEW_SURE_FROM", str(UNSURE))
    lines = clew_run(clew_home, capsys, "ask", WORKED, "-g", name).splitlines()
    assert lines[0] == "I am not sure. Did you mean:"
    assert lines[1].startswith("  1  ")
    assert "Choose one with --reading NUMBER." in lines[4] + lines[3]
    reading, says = lines[2].removeprefix("  2  ").rsplit(": ", 1)
    chosen = clew_run(clew_home, capsys, "ask", WORKED, "-g", name, "--reading", "2").splitlines()
    assert f"Read as: {reading}" in chosen
    named = [line.split("  ")[0] for line in chosen if "  (" in line]
    assert named[0] == says.split(",")[0].split(" and ")[0]
    strict = clew_run(clew_home, capsys, "ask", DIRECTOR, "-g", name, "--strict").splitlines()
    assert strict[0] == "No answer found."
    as_json = json.loads(clew_run(clew_home, capsys, "ask", UNKNOWN, "-g", name, "--json"))
    assert as_json["unmatched"] == [{"kind": "name", "text": "Zorblax", "near": []}]


def test_a_chat_takes_the_number_of_a_reading(clew_home: Path, name: str) -> None:
    code = "import sys; from clew.app.cli import run; sys.exit(run(sys.argv[1:]))"
    chat = [sys.executable, "-c", code, "--home", str(clew_home), "chat", "--graph", name]
    asked = f"{WORKED}\n2\n/readings\n/method\n/method rag\n/method graphraft\n/strict\n{DIRECTOR}\n"
    done = subprocess.run(
        chat, input=asked, capture_output=True, text=True, timeout=300, check=True,
        env={"CLEW_SURE_FROM": str(UNSURE), "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(filter(None, sys.path))},
    )  # fmt: skip
    first, second, *others = done.stdout.splitlines()
    assert "(I am not sure. Did you mean: 1 " in first
    offered = first.split(" 2 ", 1)[1].split(" 3 ", 1)[0]
    reading, says = offered.removesuffix(")").rsplit(": ", 1)
    assert second.split(", ")[0] == says.split(",")[0].split(" and ")[0]
    assert others[0] == f"Readings of “{WORKED}”:"
    assert others[1].startswith(f"  1  {reading}: ")
    assert "Usage: /method NAME" in others
    assert any(line.startswith("Error: There is no method 'rag'.") for line in others)
    assert any(line.startswith("Questions are answered by the method graphraft") for line in others)
    assert others[-1].startswith("No answer found. I am not sure how to read the question.")


def test_evaluations_may_be_strict(
    clew_home: Path, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions, report = tmp_path / "questions.jsonl", tmp_path / "report.json"
    lines = [{"question": DIRECTOR, "answers": ["Michael Mann"]}, {"question": UNKNOWN, "answers": []}]
    questions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    clew_run(clew_home, capsys, "eval", str(questions), "-g", name, "--strict", "--json", str(report))
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert (figures["strict"], figures["exact_set"]) == (True, 1.0)


# ---- HTTP -----------------------------------------------------------------------------------------------------------


def test_the_server_offers_and_takes_readings(url: str, name: str) -> None:
    def ask(**body: Any) -> dict[str, Any]:
        answered = httpx.post(f"{url}/api/ask", json={"graph": name, "stream": False, **body}, timeout=60)
        assert answered.status_code == 200, answered.text
        found: dict[str, Any] = answered.json()
        return found

    found = ask(question=WORKED)
    assert (found["sure"], found["doubt"]) == (False, "I am not sure. Did you mean:")
    chosen = ask(question=WORKED, reading=found["readings"][1]["reading"])
    assert chosen["reading"] == found["readings"][1]["reading"]
    assert chosen["readings"][0]["chosen"]
    assert ask(question=DIRECTOR, strict=True)["answers"] == []
    refused = httpx.post(f"{url}/api/ask", json={"graph": name, "question": WORKED, "reading": "", "stream": False})
    assert refused.status_code == 422


def test_a_chat_completion_says_that_it_is_not_sure(url: str, name: str) -> None:
    body = {"model": f"clew:{name}", "messages": [{"role": "user", "content": WORKED}]}
    done = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=60).json()
    text = done["choices"][0]["message"]["content"]
    assert "I am not sure. Did you mean:\n  1  " in text
    assert done["clew"]["readings"][0]["reading"] in text


# ---- words ----------------------------------------------------------------------------------------------------------


def test_results_of_earlier_releases_have_no_reading() -> None:
    result = {"answers": [{"name": "Heat", "id": "h"}], "evidence": [], "confidence": 0.9, "explanation": ""}
    assert answer_text(result).whole == "The answer is Heat."
