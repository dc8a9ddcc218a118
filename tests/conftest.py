"""Fixtures that several test files share: the two databases, a fresh graph in them, commands, and a browser."""

from __future__ import annotations

import gc
import os
import signal
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import filelock
import hypothesis
import pytest

from clew.app.cli import run
from clew.tools.graph.store import daemon, open_database
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from tests import java_classes, postgres_server
from tests.browser import chromium

NO_NEO4J = "NEO4J_URI is not set; `python tests/neo4j_server.py start` runs a Neo4j and prints it"

os.environ.setdefault("OMP_NUM_THREADS", "1")
"""Threads of numpy and torch, which load after this: tests run in several processes, and their arrays are small."""
os.environ["CLEW_WARM"] = "0"
"""Commands run in processes of their own, except where the warm process is tested."""
CLASSES = java_classes.place()
os.environ.setdefault("JAVA_TOOL_OPTIONS", f"{java_classes.OPTIONS} '-XX:AOTCache={CLASSES}'")
"""Databases of tests are small, and many live for moments."""

FULL = bool(os.environ.get("CLEW_FULL"))
"""`make test-full`: more examples, and on Neo4j all that is checked on the embedded database."""

hypothesis.settings.register_profile(
    "busy", deadline=None, max_examples=100 if FULL else 40, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("busy")
"""On a machine that does other work too, the time of an example says nothing."""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # shells start jobs in the background so; tests send Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)


gc.disable()
"""Until all tests are collected: what is imported stays, and looking through it would take a third of the time."""


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        java_classes.begin(CLASSES)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


LONG_FILES = Path(__file__).with_name("long_files.txt")
"""Test files that take more than some seconds, longest first: what `--durations=0` says, summed by file."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files run first, so that no core is left with one of them when the others are done."""
    order = {name: place for place, name in enumerate(LONG_FILES.read_text(encoding="utf-8").split())}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(order)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    if config.getoption("dist") != "loadfile":
        return None
    from tests.scheduling import FileScheduling

    return FileScheduling(config, log)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What made a test fail that was then run again."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.write_sep("_", f"failed at first: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)


@pytest.fixture(scope="session")
def clew_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home whose embedded server all workers of this test run share; the last one stops it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    home, users = shared / "clew home ä", shared / "users"
    lock = filelock.FileLock(shared / "users.lock")
    with lock:
        users.write_text(users.read_text() + "x" if users.exists() else "x")
    yield home
    with lock:
        users.write_text(left := users.read_text()[1:])
        if not left:
            daemon.stop(home)


@pytest.fixture(scope="session")
def database(clew_home: Path) -> Iterator[BoltDatabase]:
    """The embedded database."""
    opened = open_database(clew_home)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def neo4j_database(clew_home: Path) -> Iterator[BoltDatabase]:
    """The Neo4j of NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD."""
    url = os.environ.get("NEO4J_URI")
    if not url:
        pytest.skip(NO_NEO4J)
    opened = open_database(clew_home, url, os.environ.get("NEO4J_USERNAME"), os.environ.get("NEO4J_PASSWORD"))
    yield opened
    opened.close()


@pytest.fixture(scope="session", params=["arcadedb", "neo4j"])
def any_database(request: pytest.FixtureRequest) -> BoltDatabase:
    """Each of the two databases in turn."""
    opened: BoltDatabase = request.getfixturevalue("database" if request.param == "arcadedb" else "neo4j_database")
    return opened


@pytest.fixture
def make_graph(any_database: BoltDatabase) -> Iterator[Callable[[], GraphStore]]:
    """Makes fresh graphs, and drops them after the test."""
    made: list[GraphStore] = []

    def make() -> GraphStore:
        made.append(any_database.open(f"test-{uuid.uuid4().hex[:12]}", create=True))
        return made[-1]

    yield make
    for graph in made:
        if any_database.exists(graph.name):
            any_database.drop(graph.name)


@pytest.fixture
def graph(make_graph: Callable[[], GraphStore]) -> GraphStore:
    """A fresh, empty graph."""
    return make_graph()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL."""
    pytest.importorskip("psycopg", reason="the driver psycopg is not installed: pip install 'clew[postgres]'")
    if postgres_server.binaries() is None:
        pytest.skip(postgres_server.NO_POSTGRES)
    with postgres_server.server() as url:
        yield url


@pytest.fixture(scope="session")
def make_state(postgres: str) -> Callable[[], str]:
    """Makes empty databases for what servers share; gives their URLs."""
    import psycopg

    def make() -> str:
        name = f"state_{uuid.uuid4().hex[:12]}"
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return postgres.rpartition("/")[0] + f"/{name}"

    return make


@pytest.fixture
def state_url(make_state: Callable[[], str]) -> str:
    """The URL of an empty database for what servers share."""
    return make_state()


Said = Callable[..., tuple[str, str]]


@pytest.fixture
def at_home(clew_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands of this process use the home of all tests."""
    monkeypatch.setenv("CLEW_HOME", str(clew_home))
    monkeypatch.delenv("CLEW_DATABASE_URL", raising=False)


@pytest.fixture
def said(at_home: None, capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs a command, checks its status, and gives what it wrote on standard output and standard error."""

    def say(*arguments: object, status: int = 0) -> tuple[str, str]:
        capsys.readouterr()
        found = run([str(a) for a in arguments])
        out, err = capsys.readouterr()
        assert found == status, err
        assert "Traceback" not in out + err
        return out, err

    return say


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium. Ask for servers and graphs first: while it runs, its thread has an event loop."""
    with chromium() as running:
        yield running
