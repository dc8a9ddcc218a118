"""`clew import --replace`, stopped in every way: the old graph answers until the new one is whole."""

from __future__ import annotations

import json
import signal
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import clew
from clew.app.cli import run
from clew.tools.graph.store.bolt import BoltDatabase
from tests.command_processes import CommandProcess

OLD = "Heat|directed_by|Michael Mann\nHeat|starred_actors|Al Pacino\nCasino|directed_by|Martin Scorsese\n"
NEW = "Heat|directed_by|Somebody Else\n" + "".join(f"thing {i}|part_of|thing {i + 1}\n" for i in range(1_200))
SMALL_BATCHES = """
import clew.tools.ingest.batches as b
real_batches = b.batches
b.batches = lambda db, size: real_batches(db, 300)
"""
TELL = """
import sys, time, clew.tools.ingest.writing as w
real = w.Writer.write
def write(self, batch, rows, **how):
    print('writing', batch.number, file=sys.stderr)
    if batch.number == 3:
        time.sleep(20)  # Longer than a question takes.
    real(self, batch, rows, **how)
w.Writer.write = write
"""
REFUSE = """
import clew.tools.ingest.writing as w
from clew.tools.errors import QueryFailed
real = w.Writer.write
def write(self, batch, rows, **how):
    if batch.number == 2:
        raise QueryFailed("The database does not take this name.")
    real(self, batch, rows, **how)
w.Writer.write = write
"""
STOP_AFTER_SWITCHING = """
import sys, time, clew.tools.graph.store.replacement as r
def discard(self):
    if self.begun() is None and len(self._database.ask(lambda c: c.entries.of(self._name))) > 1:
        print('switched', file=sys.stderr)
        time.sleep(60)
r.Replacement.discard = discard
"""


@pytest.fixture
def films(clew_home: Path, tmp_path: Path) -> Iterator[str]:
    """A graph with an index of names; the files `old.txt` and `new.txt` are its content and what replaces it."""
    (tmp_path / "old.txt").write_text(OLD)
    (tmp_path / "new.txt").write_text(NEW)
    name = f"films-{uuid.uuid4().hex[:8]}"
    assert run(["--home", str(clew_home), "import", str(tmp_path / "old.txt"), "--graph", name]) == 0
    yield name
    run(["--home", str(clew_home), "drop", name, "--yes"])


@pytest.fixture
def replacing(clew_home: Path, tmp_path: Path, films: str) -> Callable[[str], CommandProcess]:
    """Starts the replacement in a process that runs some code first."""
    arguments = ("import", str(tmp_path / "new.txt"), "--graph", films, "--replace", "--json")
    return lambda code="": CommandProcess(clew_home, *arguments, code=SMALL_BATCHES + code)


def wait_for_line(process: CommandProcess, text: str) -> None:
    assert any(line.startswith(text) for line in process.stderr)


def director(home: Path, graph: str) -> list[str]:
    with clew.connect(graph, home=home) as opened:
        return [answer.name for answer in opened.ask("who directed Heat?").answers]


def entries(database: BoltDatabase, graph: str) -> list[str]:
    return database.ask(lambda connection: connection.entries.of(graph))


def index_files(home: Path, graph: str) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in (home / "graphs" / graph / "entities").rglob("*")}


def test_a_name_that_the_database_refuses_leaves_the_old_graph(
    clew_home: Path, films: str, replacing: Callable[[str], CommandProcess]
) -> None:
    index = index_files(clew_home, films)
    process = replacing(REFUSE)
    assert "does not take this name" in process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert director(clew_home, films) == ["Michael Mann"]
    assert index_files(clew_home, films) == index != {}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_replacement_leaves_the_old_graph_and_goes_on_when_it_is_run_again(
    clew_home: Path,
    database: BoltDatabase,
    films: str,
    replacing: Callable[[str], CommandProcess],
    number: signal.Signals,
) -> None:
    index = index_files(clew_home, films)
    process = replacing(TELL)
    wait_for_line(process, "writing 3")
    assert director(clew_home, films) == ["Michael Mann"]
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL), said
    assert ("The graph is as it was." in said) is (number == signal.SIGINT)
    assert director(clew_home, films) == ["Michael Mann"]
    assert index_files(clew_home, films) == index != {}
    again = replacing("")
    out, said = again.communicate(timeout=120)
    assert json.loads(out)["status"] == "continued", said
    assert director(clew_home, films) == ["Somebody Else"]
    assert len(entries(database, films)) == 1


def test_what_a_killed_replacement_leaves_goes_with_the_next_import(
    clew_home: Path, database: BoltDatabase, tmp_path: Path, films: str, replacing: Callable[[str], CommandProcess]
) -> None:
    process = replacing(TELL)
    wait_for_line(process, "writing 1")
    process.kill()
    process.wait(30)
    assert len(entries(database, films)) == 2
    assert [graph.name for graph in database.graphs() if graph.name.startswith(films)] == [films]
    (tmp_path / "more.txt").write_text("Heat|directed_by|A Second\n")
    with clew.connect(films, home=clew_home) as graph:
        assert graph.import_files(tmp_path / "more.txt").status == "added"
    assert entries(database, films) == [films]
    assert sorted(director(clew_home, films)) == ["A Second", "Michael Mann"]
    assert not (clew_home / "graphs" / films / "import" / films / "staged.sqlite").exists()


def test_a_replacement_that_is_killed_once_it_is_whole_is_the_graph(
    clew_home: Path,
    database: BoltDatabase,
    films: str,
    replacing: Callable[[str], CommandProcess],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with clew.connect(films, home=clew_home) as open_before:
        version = open_before.version()
        process = replacing(STOP_AFTER_SWITCHING)
        wait_for_line(process, "switched")
        process.kill()
        process.wait(30)
        assert len(entries(database, films)) == 2
        assert director(clew_home, films) == ["Somebody Else"]
        monkeypatch.setattr("clew.tools.graph.store.bolt.FOLLOW_SECONDS", 0)
        assert open_before.version() != version
    assert run(["--home", str(clew_home), "drop", films, "--yes"]) == 0
    assert entries(database, films) == []


def test_a_process_that_has_the_graph_open_goes_over_to_the_new_content(
    clew_home: Path, films: str, replacing: Callable[[str], CommandProcess]
) -> None:
    with clew.connect(films, home=clew_home) as graph:
        assert [answer.name for answer in graph.ask("who directed Heat?").answers] == ["Michael Mann"]
        process = replacing("")
        assert json.loads(process.communicate(timeout=120)[0])["status"] == "imported"
        assert [answer.name for answer in graph.ask("who directed Heat?").answers] == ["Somebody Else"]
        assert graph.query("MATCH (n) RETURN count(n) AS n").rows == ({"n": 1_203},)


def test_two_first_imports_at_once_do_not_harm_each_other(clew_home: Path, tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_text(NEW)
    for _ in range(2):
        graph = f"both-{uuid.uuid4().hex[:8]}"
        arguments = ("import", str(tmp_path / "new.txt"), "--graph", graph)
        both = [CommandProcess(clew_home, *arguments) for _ in range(2)]
        said = [process.communicate(timeout=120)[1] for process in both]
        codes = sorted(process.returncode or 0 for process in both)
        assert codes in ([0, 0], [0, 1]), said
        assert codes == [0, 0] or "Another import" in "".join(said)
        assert director(clew_home, graph) == ["Somebody Else"]
        assert run(["--home", str(clew_home), "drop", graph, "--yes"]) == 0
