"""Commands on a real graph in the embedded database, run in this process."""

from __future__ import annotations

import gzip
import io
import json
import socket
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.app.cli import run
from tests.conftest import Said
from tests.film_facts import FACTS

pytestmark = pytest.mark.usefixtures("at_home")


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("facts") / "films.txt"
    path.write_text(FACTS, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def films(clew_home: Path, facts: Path) -> Iterator[str]:
    name = f"films-{uuid.uuid4().hex[:8]}"
    where = ["--home", str(clew_home)]
    assert run([*where, "import", str(facts), "--graph", name]) == 0
    yield name
    assert run([*where, "drop", name, "--yes"]) == 0


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    rows = [
        {"question": "who directed Heat?", "answers": ["Michael Mann"], "topics": ["Heat"], "path": ["directed_by"]},
        {"question": "who starred in Casino?", "answers": ["Robert De Niro", "Sharon Stone"], "path": ["starred"]},
        {"question": "who directed Collateral?", "answers": ["Michael Mann"], "path": ["directed_by"]},
    ]
    path = tmp_path / "questions.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(["{", *map(json.dumps, rows)]).encode()))
    return path


def names(answer: dict[str, list[dict[str, str]]]) -> list[str]:
    return [item["name"] for item in answer["answers"]]


def test_importing_again_changes_nothing(said: Said, films: str, facts: Path) -> None:
    def listed() -> list[object]:
        return [graph for graph in json.loads(said("graphs", "--json")[0]) if graph["name"] == films]

    before = listed()
    assert "nothing changed" in said("import", facts, "--graph", films)[0]
    assert json.loads(said("import", facts, "--graph", films, "--json")[0])["status"] == "unchanged"
    assert listed() == before


def test_graphs_are_listed_with_their_size(said: Said, films: str) -> None:
    (row,) = [g for g in json.loads(said("graphs", "--json")[0]) if g["name"] == films]
    assert (row["nodes"], row["relationships"]) == (14, 15)
    assert films in said("graphs")[0]


def test_the_schema_as_text_and_as_json(said: Said, films: str) -> None:
    text = said("schema", "--graph", films)[0]
    assert "-[:directed_by]->" in text
    schema = json.loads(said("schema", "--graph", films, "--json")[0])
    assert {r["type"] for r in schema["relations"]} == {"directed_by", "starred_actors", "written_by", "release_year"}


def test_an_answer_with_its_evidence(said: Said, films: str) -> None:
    out = said("ask", "who directed Heat?", "--graph", films)[0]
    assert out.splitlines()[:2] == ["Heat is directed by Michael Mann.", "Michael Mann  (Person)"]
    assert "Heat —directed_by→ Michael Mann" in out
    assert "MATCH" in out


def test_an_answer_as_json_and_its_trace(said: Said, films: str) -> None:
    answer = json.loads(said("ask", "who starred in Casino?", "--graph", films, "--json")[0])
    assert set(names(answer)) == {"Robert De Niro", "Sharon Stone"}
    assert {"question", "evidence", "cypher", "confidence", "trace_id", "ms"} <= answer.keys()
    assert answer["answers"][0].keys() == {"name", "id", "label", "score"}
    trace = json.loads(said("trace", "show", answer["trace_id"], "--json")[0])
    assert trace["question"] == "who starred in Casino?"
    text = said("trace", "show", answer["trace_id"][:12])[0]
    assert "cypher" in text
    assert answer["trace_id"] in said("trace", "list", "--graph", films)[0]
    assert json.loads(said("trace", "list", "--json", "--graph", films, "--limit", 1)[0])[0]["id"] == answer["trace_id"]


def test_strategies_can_be_chosen(said: Said, films: str) -> None:
    answer = json.loads(said("ask", "who directed Heat?", "-g", films, "--strategies", "triplets", "--json")[0])
    assert {f["strategy"] for item in answer["evidence"] for f in item["found_by"]} == {"triplets"}


def test_no_answer_is_no_error_and_says_why(said: Said, films: str) -> None:
    out, _ = said("ask", "qqqq zzzz xxxx?", "--graph", films)
    assert out.startswith("No answer found.\n  ")
    assert json.loads(said("ask", "qqqq zzzz xxxx?", "--graph", films, "--json")[0])["answers"] == []


def test_an_evaluation_reports_on_the_screen_and_in_a_file(
    said: Said, films: str, questions: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    out, err = said("eval", questions, "--graph", films, "--json", report)
    assert f"{questions}:1: not JSON" in err
    assert "hits_at_1      1.000" in out
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert (figures["n"], figures["exact_set"], figures["errors"], figures["linking_at_1"]) == (3, 1, 0, 1)
    assert list(figures["by_path"]) == ["directed_by", "starred"]
    assert (figures["graph"], figures["bad_lines"], figures["interrupted"]) == (films, 1, False)
    assert {"command", "date", "versions"} <= figures.keys()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    said("eval", questions, "--graph", films, "--limit", 1, "--seed", 4, "--json", report)
    assert json.loads(report.read_text(encoding="utf-8"))["n"] == 1
    said("eval", questions, "--graph", films, "--workers", 2, "--json", report)
    several = json.loads(report.read_text(encoding="utf-8"))
    assert several["workers"] == 2
    assert without_times(several) == without_times(figures)


def without_times(value: Any) -> Any:
    """A report without what differs from run to run."""
    if not isinstance(value, dict):
        return value
    differs = ("latency_ms", "command", "date", "workers")
    return {key: without_times(each) for key, each in value.items() if key not in differs}


def test_the_index_of_names_can_be_built_again(said: Said, films: str) -> None:
    assert "14 nodes" in said("index", "--graph", films)[1]
    said("index", "--graph", films, "--dense")
    assert "Michael Mann" in said("ask", "who directed Heat?", "--graph", films)[0]


def test_dropping_asks_first_and_takes_everything_derived(
    said: Said, facts: Path, clew_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"gone-{uuid.uuid4().hex[:8]}"
    said("import", facts, "--graph", name)
    said("ask", "who directed Heat?", "--graph", name)
    assert (clew_home / "graphs" / name).is_dir()
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert f"{name} was not removed" in said("drop", name, status=1)[1]
    assert name in said("graphs")[0]
    said("drop", name, "--yes")
    assert name not in said("graphs")[0]
    assert not (clew_home / "graphs" / name).exists()
    assert "imported already" not in said("import", facts, "--graph", name)[0]
    said("drop", name, "--yes")


def test_a_gloss_file_is_read_and_its_faults_are_named(said: Said, films: str, clew_home: Path) -> None:
    path = clew_home / "graphs" / films / "glosses.toml"
    path.write_text('[directed_by]\nforward = "helmed by"\n', encoding="utf-8")
    try:
        assert "glosses.toml" in said("ask", "who helmed Heat?", "--graph", films, status=1)[1]
    finally:
        path.unlink()


def test_an_unknown_graph_is_named_with_those_there_are(said: Said, films: str) -> None:
    for arguments in (["ask", "x"], ["schema"], ["index"]):
        err = said(*arguments, "--graph", "no-such-graph", status=1)[1]
        assert "no-such-graph" in err
        assert films in err
    assert "no-such-graph" in said("drop", "no-such-graph", "--yes", status=1)[1]


def test_an_unknown_trace(said: Said) -> None:
    assert "ffff" in said("trace", "show", "ffff", status=1)[1]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "no such file"),
        (b"", "is empty"),
        (b"\x00\x01\x02binary\x00", "binary"),
        (b"a|b|c\n" * 50 + b"a|b\n" * 20, ":51: "),
    ],
)
def test_files_that_cannot_be_imported_leave_no_graph(
    said: Said, tmp_path: Path, content: bytes | None, says: str
) -> None:
    path = tmp_path / "bad.txt"
    if content is not None:
        path.write_bytes(content)
    name = f"bad-{uuid.uuid4().hex[:8]}"
    out, err = said("import", path, "--graph", name, status=1)
    assert out == ""
    assert says in err
    assert str(path) in err
    assert name not in said("graphs")[0]


def test_import_options_are_checked(said: Said, films: str, facts: Path) -> None:
    assert "LABEL=PROPERTY" in said("import", facts, "-g", films, "--name-property", "x", status=2)[1]
    said("import", facts, "-g", films, "--max-bad-share", "2", status=2)


def test_a_database_that_does_not_answer(said: Said) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{closed.getsockname()[1]}"
        assert address in said("--database-url", f"bolt://{address}", "graphs", status=1)[1]


def test_a_port_where_something_else_answers(said: Said) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"

        def hang_up() -> None:
            while True:
                try:
                    connection, _ = other.accept()
                except OSError:
                    return
                with connection:
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=hang_up, daemon=True).start()
        err = said("--database-url", f"bolt://{address}", "graphs", status=1)[1]
        assert address in err
        assert "unexpected" not in err


def test_the_embedded_database_says_where_it_is(said: Said, films: str, clew_home: Path, tmp_path: Path) -> None:
    out = said("database", "status")[0]
    assert out.startswith("running")
    assert str(clew_home / "database") in out
    assert said("--home", tmp_path, "database", "status")[0].startswith("not running")
    assert said("--home", tmp_path, "database", "stop")[0] == "was not running\n"
