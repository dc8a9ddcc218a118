"""The table of methods: what derives from it, what each runs, and every method on a graph with texts and documents."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import clew.graphs.strategies.rerank as rerank_module
import clew.graphs.strategies.traversal as traversal_module
from clew.app.api.graph import Graph
from clew.app.api.requests import AskRequest
from clew.app.cli import run as command
from clew.app.cli.ask import ask as ask_command
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.graphs.ask import RunRequest, ask, stream
from clew.graphs.context import Context
from clew.graphs.methods import METHODS, NEEDS, Method, checked_method
from clew.graphs.question import QuestionGraph
from clew.graphs.run import Budget
from clew.graphs.strategies import STRATEGIES
from clew.tools.errors import BadInput
from clew.tools.linking.index import EntityIndex
from tests.tools.queries.question_world import (
    Around,
    Ranker,
    Speakers,
    context,
    film_index,
    graph,
    linker,
    names,
    stand_ins,
)

__all__ = ["film_index", "graph", "stand_ins"]
DOCS = Path(__file__).parents[2] / "docs" / "methods.md"
QUESTION = "Who directed Alien?"
DIRECTED = linker("Alien", "directed_by", answers="Ridley Scott")
SCOTT = "<answers>\nRidley Scott [F1]\n</answers>"
FINISH = "<entities>\nFINISH\n</entities>"
NEVER = "<selected>\n</selected><next-entities>\nFINISH\n</next-entities>"
FILMS = """\
id:ID,name,plot,:LABEL
f1,Heat,"A detective and a careful thief in Los Angeles circle each other until one last robbery goes wrong.",Film
f2,Collateral,"A taxi driver is forced to take a killer from one victim to the next through a single night.",Film
"""
PEOPLE = "id:ID,name,:LABEL\np1,Michael Mann,Person\np2,Al Pacino,Person\np3,Tom Cruise,Person\n"
EDGES = ":START_ID,:END_ID,:TYPE\np1,f1,DIRECTED\np1,f2,DIRECTED\np2,f1,ACTED_IN\np3,f2,ACTED_IN\n"
NOTES = "# Shooting\n\nHeat was directed by Michael Mann, who shot it in Los Angeles with two cameras.\n"


def steps(graph: QuestionGraph, live: Context) -> list[str]:
    return [event["node"] for event in stream(graph, live, RunRequest(QUESTION)) if event["type"] == "step"]


@pytest.fixture
def walks(stand_ins: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rerank_module, "Neighbourhood", Around)
    monkeypatch.setattr(traversal_module, "Neighbourhood", Around)


SETTING = "2, or `CLEW_MODEL_ITERATIONS`"


def markdown_table() -> str:
    """The table of docs/methods.md."""
    head = (
        "| name | what it does | strategies of every reading | readings | needs | source |\n|---|---|---|---|---|---|\n"
    )
    return head + "".join(
        f"| `{each.name}` | {each.does} | {strategies_of(each)} | {each.readings or SETTING} "
        f"| {' or '.join(NEEDS[need][0] for need in each.needs) or 'nothing'} | {each.source} |\n"
        for each in METHODS.values()
    )


def strategies_of(method: Method) -> str:
    if not method.strategies:
        return "by turns ([strategies.md](strategies.md))"
    named = ", ".join(f"`{name}`" for name in method.strategies)
    if method.without_model is None:
        return named
    return f"{named}; without a model {', '.join(f'`{name}`' for name in method.without_model)}"


class TestTheTable:
    def test_it_is_that_of_the_docs(self) -> None:
        told = DOCS.read_text(encoding="utf-8")
        assert markdown_table() in told
        assert all(f"## `{name}`" in told for name in METHODS)

    def test_it_names_strategies_and_needs_that_there_are(self) -> None:
        assert list(METHODS) == [method.name for method in METHODS.values()]
        assert not METHODS["default"].strategies
        for method in METHODS.values():
            assert {*method.strategies, *(method.without_model or ())} <= set(STRATEGIES)
            assert set(method.needs) <= set(NEEDS)

    def test_the_help_names_every_method(self) -> None:
        shown = CliRunner().invoke(ask_command, ["--help"]).output
        assert all(name in shown for name in METHODS)


class TestTheRun:
    @pytest.mark.parametrize("name", ["graphraft", "byokg"])
    def test_a_method_sends_out_its_strategies_at_once(
        self, graph: QuestionGraph, film_index: EntityIndex, walks: None, name: str
    ) -> None:
        method = METHODS[name]
        ran = steps(graph, context(film_index, ranker=Ranker(silent=True)).by(method))
        sent = method.strategies_with(model=False)
        first = ran.index("link_entities") + 1
        assert set(ran[first : first + len(sent)]) == set(sent)
        assert "traversal" not in ran

    def test_a_method_reads_as_often_as_it_says(
        self, graph: QuestionGraph, film_index: EntityIndex, walks: None
    ) -> None:
        once = context(film_index, ranker=Ranker(silent=True), budget=Budget(max_iterations=3))
        assert once.by(METHODS["graphraft"]).budget.max_iterations == 1
        assert once.by(METHODS["default"]).budget.max_iterations == 3
        assert steps(graph, once.by(METHODS["graphraft"])).count("link") == 1

    def test_byokg_explores_in_every_reading_though_attempts_agree(
        self, graph: QuestionGraph, film_index: EntityIndex, walks: None
    ) -> None:
        models = Speakers({
            "linker": [DIRECTED, linker("Alien", "starring")], "traversal": [NEVER], "reasoner": [SCOTT],
        })  # fmt: skip
        live = context(film_index, models=models).by(METHODS["byokg"])
        ran = steps(graph, live)
        assert ran.count("link") == ran.count("traversal") == ran.count("triplets") == 2
        assert "rerank" not in ran
        assert models.roles()[-1] == "reasoner"

    def test_byokg_ends_where_the_model_has_what_it_needs(
        self, graph: QuestionGraph, film_index: EntityIndex, walks: None
    ) -> None:
        models = Speakers({"linker": [DIRECTED, FINISH], "traversal": [NEVER], "reasoner": [SCOTT]})
        result = ask(graph, context(film_index, models=models).by(METHODS["byokg"]), QUESTION)
        assert names(result) == ["Ridley Scott"]
        assert models.roles().count("linker") == 2

    def test_the_default_changes_nothing(self, film_index: EntityIndex) -> None:
        live = context(film_index, budget=Budget(max_iterations=4))
        assert live.by(METHODS["default"]) == live

    def test_an_expansion_of_its_own(self, film_index: EntityIndex) -> None:
        live = context(film_index)
        always = Method(name="always", does="", source="", strategies=("plan",), expansion="edge")
        assert (live.by(always).expansion, live.expansion) == ("edge", "no-edge")


class TestWhatCannotBeUsed:
    def test_an_unknown_method(self) -> None:
        with pytest.raises(BadInput, match="no method 'rag'") as caught:
            checked_method("rag")
        assert "byokg" in caught.value.remedy

    def test_a_method_beside_strategies(self, film_index: EntityIndex) -> None:
        with pytest.raises(BadInput, match="strategies of its own"):
            AskRequest(QUESTION, method="byokg", strategies=("read",)).configured(context(film_index))

    @pytest.mark.parametrize(("name", "lacking"), [("spark", "texts"), ("ket", "documents"), ("sage", "texts")])
    def test_a_graph_without_what_it_needs(self, film_index: EntityIndex, name: str, lacking: str) -> None:
        with pytest.raises(BadInput, match=f"{name} needs .*{lacking}"):
            AskRequest(QUESTION, method=name).configured(context(film_index))


@pytest.fixture(scope="module")
def described(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """Two films with plots, and a note beside them."""
    folder, name = tmp_path_factory.mktemp("described"), f"described-{uuid.uuid4().hex[:8]}"
    written = {"films.csv": FILMS, "people.csv": PEOPLE, "edges.csv": EDGES, "note.md": NOTES}
    for file, text in written.items():
        (folder / file).write_text(text, encoding="utf-8")
    where = ["--home", str(clew_home)]
    tables = [str(folder / file) for file in written if file.endswith(".csv")]
    assert command([*where, "import", *tables, "--graph", name]) == 0
    assert command([*where, "documents", "add", str(folder / "note.md"), "--graph", name]) == 0
    opened = Container(load_settings(home=clew_home), NoProgress())
    yield Graph(opened, name)
    opened.drop(name)
    opened.close()


@pytest.mark.parametrize("name", METHODS)
def test_every_method_answers(described: Graph, name: str) -> None:
    question, answer = ("Who directed Heat?", "Michael Mann")
    if name == "spark":  # It searches texts.
        question, answer = ("Which film has a taxi driver who takes a killer from victim to victim?", "Collateral")
    result = described.ask(question, method=name)
    assert result[0].name == answer
    run: dict[str, Any] = described.client.traces.show(result.trace_id)
    assert run["given"]["method"] == name
    ran = {span["node"] for span in run["spans"]} & set(STRATEGIES)
    assert ran == set(METHODS[name].strategies_with(model=False)) or name == "default"


@pytest.mark.parametrize("name", ["default", "simgrag"])
def test_methods_that_read_forms_follow_up(described: Graph, name: str) -> None:
    session = f"{name} {uuid.uuid4().hex[:8]}"
    first = described.ask("Which films did Michael Mann direct?", method=name, session=session)
    assert {answer.name for answer in first} == {"Heat", "Collateral"}
    assert described.ask("How many?", method=name, session=session)[0].name == "2"


def test_a_replay_keeps_the_method(described: Graph) -> None:
    first = described.ask("Who acted in Heat?", method="byokg")
    replayed = described.client.replay(first.trace_id)
    assert described.client.traces.show(replayed.trace_id)["given"]["method"] == "byokg"
    assert replayed.outcome == "same"


def test_methods_compared_in_one_table(
    described: Graph, clew_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    files[0].write_text('{"question": "Who directed Heat?", "answers": ["Michael Mann"]}\n', encoding="utf-8")
    files[1].write_text('{"question": "Who acted in Collateral?", "answers": ["Tom Cruise"]}\n', encoding="utf-8")
    report = tmp_path / "report.json"
    given = ["--graph", described.name, "--methods", "default,byokg", "--json", str(report)]
    assert command(["--home", str(clew_home), "eval", *map(str, files), *given]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[:4] for row in rows[-4:]] == [
        [file, method, "1", "1.000"] for file in ("one", "two") for method in ("default", "byokg")
    ]
    assert all(row[-2:] == ["0.00", "0"] for row in rows[-4:])  # no calls, no prompt tokens
    kept = json.loads(report.read_text(encoding="utf-8"))
    assert [row["exact_set"] for row in kept["rows"]] == [1.0] * 4


@pytest.mark.parametrize(
    "given",
    [
        ["one.jsonl", "two.jsonl"],
        ["one.jsonl", "--methods", "rag"],
        ["one.jsonl", "--methods", "all", "--method", "byokg"],
        ["one.jsonl", "--method", "byokg", "--strategies", "read"],
    ],
)
def test_wrong_uses_of_eval(described: Graph, clew_home: Path, tmp_path: Path, given: list[str]) -> None:
    (tmp_path / "one.jsonl").write_text('{"question": "Who?", "answers": ["x"]}\n', encoding="utf-8")
    words = [str(tmp_path / word) if word.endswith(".jsonl") else word for word in given]
    assert command(["--home", str(clew_home), "eval", *words, "--graph", described.name]) in (1, 2)
