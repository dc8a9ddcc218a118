"""Statements checked, and patterns matched, on a graph in the embedded database, with and without a model."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.app.api.graph import Graph
from clew.app.cli import run
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.graphs.strategies import pattern_forms
from clew.tools.errors import BadInput
from clew.tools.patterns import Pattern, PatternEdge, PatternNode
from clew.tools.patterns.pattern_sources import NamedNodes, distance_of
from tests.film_facts import FACTS as FILMS
from tests.scripted_model import ScriptedModel, by_text

FACTS = f"""\
{FILMS}The Insider|starred_actors|Russell Crowe
Heat|sequel_of|Collateral
Robert De Niro|spouse|Grace Hightower
"""
PATTERN = json.dumps({"triples": [["Heat", "directed by", "Michael Mann"]], "asked": None})


@pytest.fixture(autouse=True)
def at_home(clew_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_HOME", str(clew_home))
    monkeypatch.delenv("CLEW_DATABASE_URL", raising=False)


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    name = f"films-{uuid.uuid4().hex[:8]}"
    facts = tmp_path_factory.mktemp("facts") / "films.txt"
    facts.write_text(FACTS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLEW_HOME", str(clew_home))
        assert run(["import", str(facts), "--graph", name]) == 0
        yield name
        assert run(["drop", name, "--yes"]) == 0


@pytest.fixture(scope="module")
def container(clew_home: Path, films: str) -> Iterator[Container]:
    opened = Container(load_settings(home=clew_home), NoProgress())
    yield opened
    opened.close()


Check = Callable[[str], dict[str, Any]]


@pytest.fixture
def check(container: Container, films: str) -> Check:
    return lambda statement: Graph(container, films).run_verification(statement)


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("Michael Mann directed Heat.", "supported"),
        ("Heat was directed by Martin Scorsese", "refuted"),
        ("Tom Cruise directed Heat", "refuted"),
        ("Heat was not directed by Michael Mann", "refuted"),
        ("Heat wasn't directed by Martin Scorsese", "supported"),
        ("It is not true that Michael Mann did not direct Heat", "supported"),
        ("Michael Mann directed Heat and Collateral", "supported"),
        ("Michael Mann directed Heat and Casino", "refuted"),
        ("Heat stars Al Pacino and was released in 1995", "supported"),
        ("Heat stars Al Pacino and was released in 2004", "refuted"),
        ("Heat has a director", "supported"),
        ("Heat has no director", "refuted"),
        ("The Insider has a director", "refuted"),
        ("The Insider was directed by Michael Mann", "not enough evidence"),
        ("Robert De Niro acted in a film directed by Martin Scorsese", "supported"),
        ("Tom Cruise acted in a film directed by Martin Scorsese", "refuted"),
        ("Robert De Niro acted in a film directed by Martin Scorsese and written by Paul Schrader", "supported"),
        ("Heat and Casino were released in the same year", "supported"),
        ("Grace Hightower is the spouse of Robert De Niro", "supported"),
        ("Heat is a film", "supported"),
        ("Michael Mann is a film", "refuted"),
        ("Michael Mann directed two films", "supported"),
        ("Michael Mann directed at least three films", "refuted"),
        ("Heat was directed by Michael Mann or Martin Scorsese", "supported"),
        ("Gorbulak Zyx directed Vrrn", "not enough evidence"),
    ],
)
def test_verdicts(check: Check, statement: str, verdict: str) -> None:
    result = check(statement)
    assert (result["verdict"], result["claims"] if result["verdict"] != verdict else []) == (verdict, [])


def test_the_other_way_round(check: Check) -> None:
    assert check("Heat is the sequel of Collateral")["verdict"] == "supported"
    result = check("Collateral is the sequel of Heat")
    assert result["verdict"] == "refuted"
    assert "other way round" in result["reason"]


def test_reasons_and_triples(check: Check) -> None:
    result = check("Heat was directed by Martin Scorsese")
    assert "Michael Mann" in result["reason"]
    assert [(e["head"]["name"], e["relation"], e["tail"]["name"]) for e in result["evidence"]] == [
        ("Heat", "directed_by", "Michael Mann")
    ]
    assert result["model"] is None
    assert 0 < result["confidence"] < 1


def test_a_statement_leaves_a_trace(check: Check, container: Container) -> None:
    result = check("Heat does not star Al Pacino")
    run_ = container.traces.show(result["trace_id"])
    assert [span["node"] for span in run_["spans"]] == ["parse", "link", "match", "judge"]
    assert {event["kind"] for span in run_["spans"] for event in span["events"]} >= {"plain", "claim", "verdict"}


def test_what_cannot_be_checked(check: Check) -> None:
    with pytest.raises(BadInput, match="empty"):
        check("  ")
    with pytest.raises(BadInput, match="characters"):
        check("x" * 5000)


def test_the_command(films: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "Michael Mann directed Heat", "--graph", films]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Supported\n")
    assert "Heat —directed_by→ Michael Mann" in out
    assert run(["verify", "Heat stars Tom Cruise", "-g", films, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said.keys() >= {
        "statement", "verdict", "confidence", "reason", "claims", "evidence", "trace_id", "ms", "model"
    }  # fmt: skip
    assert said["verdict"] == "refuted"


def test_statements_are_evaluated(films: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"statement": "Michael Mann directed Heat", "label": "supported", "type": "one-hop"},
        {"statement": "Michael Mann directed Casino", "label": False, "type": "one-hop"},
        {"statement": "Casino has a director", "label": "refuted", "type": "existence"},
        {"statement": "no label"},
    ]
    path, report = tmp_path / "statements.jsonl", tmp_path / "report.json"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert run(["eval", str(path), "--graph", films, "--json", str(report)]) == 0
    out, err = capsys.readouterr()
    assert "accuracy       0.667" in out
    assert "statements.jsonl:4" in err
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert figures["by_type"]["one-hop"] == {"n": 2, "accuracy": 1.0}
    assert figures["confusion"] == {"refuted": {"refuted": 1, "supported": 1}, "supported": {"supported": 1}}
    assert figures["interrupted"] is False


# ---- with a model ---------------------------------------------------------------------------------------------------


def with_model(script: Any, films: str, statement: str, capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    with ScriptedModel(script) as server, pytest.MonkeyPatch.context() as patch:
        for name, value in server.environment().items():
            patch.setenv(name, value)
        assert run([*more, statement, "--graph", films, "--json"]) == 0
        return json.loads(capsys.readouterr().out), server.requests


def test_a_model_writes_the_pattern_and_judges(films: str, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = json.dumps({"verdict": "supported", "facts": ["S1"], "reason": "Mann directed it."})
    script = by_text({"You judge a statement": verdict}, PATTERN)
    said, requests = with_model(script, films, "Heat is the work of Michael Mann", capsys, "verify")
    assert (said["verdict"], said["reason"]) == ("supported", "Mann directed it.")
    assert {e["relation"] for e in said["evidence"]} >= {"directed_by"}
    assert said["model"]["by_role"].keys() == {"pattern", "verifier"}
    assert len(requests) == 2
    assert "[S1] Heat → directed_by → Michael Mann" in requests[1].user


def test_without_a_usable_reply_the_verdict_without_a_model_stands(
    films: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said, requests = with_model("I would rather not say.", films, "Michael Mann directed Heat", capsys, "verify")
    assert said["verdict"] == "supported"
    assert "directed_by" in said["reason"]
    assert len(said["notes"]) == 2
    assert len(requests) == 3


def test_the_pattern_strategy_with_a_model(films: str, capsys: pytest.CaptureFixture[str]) -> None:
    written = json.dumps({
        "triples": [["Haet", "director", "UNKNOWN person 1"], ["UNKNOWN film 1", "director", "UNKNOWN person 1"]],
        "asked": "UNKNOWN film 1",
    })  # fmt: skip
    script = by_text({"You write down what a text": written}, "<entities>\nHeat\n</entities>")
    question = "What else was made by the one behind Heat?"
    said, _ = with_model(script, films, question, capsys, "ask", "--strategies", "pattern")
    assert "Collateral" in {answer["name"] for answer in said["answers"]}


# ---- patterns without a model ---------------------------------------------------------------------------------------


def test_the_pattern_strategy(films: str, container: Container, capsys: pytest.CaptureFixture[str]) -> None:
    question = "who starred in films directed by Michael Mann?"
    assert run(["ask", question, "--graph", films, "--strategies", "pattern", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert {answer["name"] for answer in said["answers"]} == {"Al Pacino", "Robert De Niro", "Tom Cruise"}
    rows = container.store(films).read(said["cypher"], said["evidence"][0]["found_by"][0]["parameters"]).records
    assert {row["name"] for row in rows} == {answer["name"] for answer in said["answers"]}
    events = [e for span in container.traces.show(said["trace_id"])["spans"] for e in span["events"]]
    matches = next(event["data"] for event in events if event["kind"] == "matches")
    assert matches["gsd"][0] == 0
    assert matches["proven"] is True
    assert matches["mapping"]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("which films by Martin Scorsese star Robert De Niro?", {"Casino", "Taxi Driver"}),
        ("how many films did Martin Scorsese direct?", {"2"}),
        ("did Michael Mann direct Heat?", {"yes"}),
        ("did Michael Mann direct Casino?", {"no"}),
        ("who directed the most films?", {"Martin Scorsese", "Michael Mann"}),
    ],
)
def test_patterns_of_logical_forms(container: Container, films: str, question: str, answers: set[str]) -> None:
    """Stars by the pattern alone; numbers, truth and order over the nodes that it binds."""
    result = Graph(container, films).ask(question, method="simgrag")
    assert {answer.name for answer in result} == answers
    assert {found.strategy for item in result.evidence for found in item.found_by} <= {"pattern"}


def test_a_set_of_too_many_nodes_is_no_pattern(
    container: Container, films: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern_forms, "MOST_ASSIGNMENTS", 0)
    result = Graph(container, films).ask("who starred in films directed by Martin Scorsese?", method="simgrag")
    assert {answer.name for answer in result} == {"Robert De Niro", "Sharon Stone"}


def test_each_answer_has_its_subgraph(container: Container, films: str) -> None:
    result = Graph(container, films).ask("who starred in films directed by Martin Scorsese?", method="simgrag")
    stone = next(answer for answer in result if answer.name == "Sharon Stone")
    assert {str(item) for item in stone.evidence} >= {"Casino —starred_actors→ Sharon Stone"}


def test_a_type_stands_for_so_many_labels(container: Container, films: str) -> None:
    """By count, as in the paper (k(t)); without a count, for those about as near as the nearest."""
    patterns = container.context(films).tools.patterns
    assert patterns is not None
    labels = patterns.snapshot.labels
    typed = Pattern((PatternNode(None, "person"), PatternNode("Heat")), (PatternEdge(0, 1, "director"),), 0)
    one, every = patterns.sources(typed, 1).labels, patterns.sources(typed, 16).labels
    assert [labels[number] for number in one[0]] == ["Person"]
    assert sorted(every[0]) == list(range(len(labels)))
    assert patterns.sources(typed).labels == one


def test_the_snapshot_is_kept_with_the_graph(container: Container, films: str) -> None:
    snapshot = container.files(films).snapshot()
    assert snapshot.version == container.store(films).version()
    assert snapshot.edges == len(FACTS.splitlines())
    assert container.files(films).snapshot().directory == snapshot.directory == container.folder(films) / "snapshot"


def test_sources(container: Container, films: str) -> None:
    patterns = container.context(films).tools.patterns
    assert patterns is not None
    pattern = Pattern(
        (PatternNode("Heat"), PatternNode(None, "movie"), PatternNode(None, "zzz")),
        (PatternEdge(0, 1, "directed_by"), PatternEdge(1, 2, "director")),
    )
    sources = patterns.sources(pattern)
    snapshot = patterns.snapshot
    exact, said = sources.relations[0], sources.relations[1]
    assert (snapshot.relations[exact.ids[0]], exact.distances[0]) == ("directed_by", 0.0)
    assert snapshot.relations[said.ids[0]] == "directed_by"
    assert [snapshot.labels[i] for i in sources.labels[1]] == ["Film"]
    assert 2 not in sources.labels


def test_named_nodes_come_nearest_first(container: Container, films: str) -> None:
    context = container.context(films)
    assert context.tools.patterns is not None
    snapshot = context.tools.patterns.snapshot
    nodes = NamedNodes("Robert de Nero", context.tools.index, snapshot)
    given = []
    while (found := nodes.next()) is not None:
        given.append(found)
    assert snapshot.name(given[0][0]) == "Robert De Niro"
    assert [distance for _, distance in given] == sorted(distance for _, distance in given)
    assert len({node for node, _ in given}) == len(given)
    heat = snapshot.node(context.tools.index.by_name("Heat")[0].id)
    assert NamedNodes("Heat", context.tools.index, snapshot).next() == (heat, 0.0)
    assert distance_of(1.0) == 0.0
