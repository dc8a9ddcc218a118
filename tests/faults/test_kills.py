"""Databases and servers that are killed: no acknowledged row is lost or doubled, and questions go on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

import clew
from clew.tools.errors import ClewError
from clew.tools.graph.store import daemon, open_database
from clew.tools.graph.store.arcadedb import ArcadeDB
from clew.tools.graph.store.bolt import BoltDatabase, BoltStore
from clew.tools.graph.store.bulk_load import ArcadeDBLoad
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest import ImportOptions, load, writing
from tests.command_processes import CommandProcess
from tests.faults.conftest import TIMES, full_suite
from tests.film_facts import FACTS

ROWS = 40
"""Rows of one batch."""
KILLS = max(2, TIMES // 2)
"""Half of them during an import, half during questions."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("killed")
    yield place
    daemon.stop(place)


def kill(home: Path) -> bool:
    """End the home's database server as a crash would; whether there was one."""
    endpoint = daemon.status(home).endpoint
    if endpoint is None:
        return False
    os.kill(endpoint.pid, signal.SIGKILL)
    state = Path(f"/proc/{endpoint.pid}/stat")
    while state.exists() and state.read_text().rpartition(")")[2].split()[0] not in "ZX":
        time.sleep(0.01)
    return True


def facts(folder: Path, count: int) -> Path:
    path = folder / "facts.txt"
    path.write_text("".join(f"film {n}|directed_by|person {n % 97}\n" for n in range(count)))
    return path


def content(store: GraphStore) -> tuple[int, int, int]:
    """Nodes, relationships, and different relationships."""
    nodes = next(iter(store.scan("MATCH (n) RETURN count(n) AS n")))["n"]
    edges = [(row["a"], row["b"]) for row in store.scan("MATCH (a)-[]->(b) RETURN a.name AS a, b.name AS b")]
    return nodes, len(edges), len(set(edges))


@pytest.mark.timeout(3600)
def test_an_import_whose_database_is_killed_at_its_batches_loses_and_doubles_nothing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every second kill comes before a batch is sent, every other one when it was acknowledged but not yet noted."""
    monkeypatch.setattr(BoltStore, "bulk_load", lambda self: None)
    count, killed = ROWS * (KILLS + 2), 0
    database = open_database(home)
    store = database.open(f"killed-{uuid.uuid4().hex[:8]}", create=True)
    real_write = writing.Writer.write

    def write(self: Any, batch: Any, rows: Any, **how: Any) -> None:
        nonlocal killed
        before = batch.number % 2 == 0
        if before and killed < KILLS:
            killed += kill(home)
        real_write(self, batch, rows, **how)
        if not before and killed < KILLS:
            killed += kill(home)

    monkeypatch.setattr(writing.Writer, "write", write)
    path, options = facts(tmp_path, count), ImportOptions(tmp_path / "state", batch_size=ROWS)
    refused: list[ClewError] = []
    while True:
        try:
            load(store, [path], options)
            break
        except ClewError as error:
            refused.append(error)
            if len(refused) > KILLS:
                raise
    print(f"{killed} kills, {len(refused)} of them ended the import, which was run again")
    assert killed == KILLS
    assert all(error.remedy for error in refused), refused
    assert content(store) == (count + 97 if count >= 97 else 2 * count, count, count)
    database.close()


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("share", [number / KILLS for number in range(KILLS)])
def test_an_import_whose_database_is_killed_during_a_bulk_load_loses_and_doubles_nothing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    """Each kill comes a little later after the start of a request, the first one before it arrives."""
    count, name = 30_000, f"killed-{uuid.uuid4().hex[:8]}"
    database = open_database(home)
    store = database.open(name, create=True)
    real_load, real_recreate, done = ArcadeDBLoad.load, ArcadeDBLoad.recreate, list[str]()
    killer = threading.Timer(share * 2, kill, [home])

    def load_and_die(self: ArcadeDBLoad, lines: bytes, count: int) -> None:
        if "killed" not in done and count:
            done.append("killed")
            killer.start()
        real_load(self, lines, count)

    def recreate(self: ArcadeDBLoad) -> None:
        done.append("began anew")
        real_recreate(self)

    monkeypatch.setattr(ArcadeDBLoad, "load", load_and_die)
    monkeypatch.setattr(ArcadeDBLoad, "recreate", recreate)
    path, options = facts(tmp_path, count), ImportOptions(tmp_path / "state", batch_size=2_000)
    refused: list[ClewError] = []
    for _attempt in range(3):
        try:
            load(store, [path], options)
            break
        except ClewError as error:
            refused.append(error)
            done.append("refused")
    print(f"{2 * share:.1f} s after the start of a request: {', '.join(done)}")
    assert "killed" in done
    assert all(error.remedy for error in refused), refused
    killer.join()
    assert content(store) == (count + 97, count, count)
    endpoint = daemon.ensure_running(home)
    assert not ArcadeDB(endpoint.http_url, "root", endpoint.secret, timeout_s=300).damage(name)
    database.drop(name)
    database.close()


@full_suite
@pytest.mark.timeout(3600)
def test_questions_whose_database_is_killed_are_answered_or_refused_with_a_remedy(home: Path, tmp_path: Path) -> None:
    (tmp_path / "films.txt").write_text(FACTS)
    right, refused = 0, list[ClewError]()
    with clew.connect("films", home=home) as films:
        films.import_files(tmp_path / "films.txt")
        for number in range(KILLS):
            delay = threading.Timer(0.02 * (number % 6), kill, [home])  # At another step of the question each time.
            delay.start()
            try:
                answers = [answer.name for answer in films.ask("who directed Heat?").answers]
                assert answers == ["Michael Mann"]
                right += 1
            except ClewError as error:
                refused.append(error)
            delay.join()
        assert [answer.name for answer in films.ask("who directed Heat?").answers] == ["Michael Mann"]
    print(f"{KILLS} kills: {right} questions answered, {len(refused)} refused")
    assert all(error.remedy for error in refused), refused


@pytest.mark.timeout(3600)
def test_a_neo4j_import_that_is_killed_at_its_batches_goes_on(
    neo4j_database: BoltDatabase, clew_home: Path, tmp_path: Path
) -> None:
    """The database is not ours to kill: the import is, between a batch and the note of it."""
    count, name = ROWS * (TIMES // 10 + 2), f"killed-{uuid.uuid4().hex[:8]}"
    code = (
        "import os, signal, clew.tools.ingest.batches as b, clew.tools.ingest.writing as w\n"
        "real_batches, real_write = b.batches, w.Writer.write\n"
        f"b.batches = lambda db, size: real_batches(db, {ROWS})\n"
        "written = []\n"
        "def write(self, batch, rows, **how):\n"
        "    real_write(self, batch, rows, **how)\n"
        "    written.append(batch)\n"
        "    if len(written) == 2:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "w.Writer.write = write\n"
    )
    variables = {f"CLEW_DATABASE_{key}": os.environ[f"NEO4J_{was}"] for key, was in
                 (("URL", "URI"), ("USER", "USERNAME"), ("PASSWORD", "PASSWORD"))}  # fmt: skip
    arguments = ("import", str(facts(tmp_path, count)), "--graph", name, "--json")
    try:
        for _ in range(TIMES // 10 + 1):
            process = CommandProcess(clew_home, *arguments, code=code, variables=variables)
            _, err = process.communicate(timeout=120)
            assert process.returncode == -signal.SIGKILL, err
        out, err = CommandProcess(clew_home, *arguments, variables=variables).communicate(timeout=120)
        assert json.loads(out)["status"] == "continued", err
        store = neo4j_database.open(name)
        scope = f":`{store.scope}`"
        edges = next(iter(store.scan(f"MATCH ({scope})-[r]->({scope}) RETURN count(r) AS n")))["n"]
        nodes = next(iter(store.scan(f"MATCH (n{scope}) RETURN count(n) AS n")))["n"]
        assert (nodes, edges) == (count + min(count, 97), count)
    finally:
        neo4j_database.drop(name)


@pytest.mark.timeout(600)
def test_a_client_whose_server_is_killed_in_mid_stream_reconnects_and_has_its_conversation(
    home: Path, tmp_path: Path
) -> None:
    (tmp_path / "films.txt").write_text(FACTS)
    with clew.connect("films", home=home) as films:
        films.import_files(tmp_path / "films.txt")
    for _ in range(max(1, TIMES // 10)):
        session = f"s-{uuid.uuid4().hex[:6]}"
        with served(home) as (server, url):
            asked = {"question": "who directed Heat?", "graph": "films", "session": session}
            casino = {**asked, "question": "who directed Casino?"}
            done = httpx.post(f"{url}/api/ask", json={**asked, "stream": False}, timeout=60)
            assert done.status_code == 200, done.text
            events = cut_stream(server, url, casino)
            assert "event: start" in events
            assert "event: result" not in events
        with served(home) as (_, url):
            turns = httpx.get(f"{url}/api/sessions/{session}", timeout=60).json()
            assert "Michael Mann" in json.dumps(turns)
            again = httpx.post(f"{url}/api/ask", json={**casino, "stream": False}, timeout=60)
            assert [each["name"] for each in again.json()["answers"]] == ["Martin Scorsese"]


def cut_stream(server: CommandProcess, url: str, asked: dict[str, str]) -> str:
    """What a client receives of a stream whose server is killed at its first event."""
    received = ""
    with suppress(httpx.HTTPError), httpx.stream("POST", f"{url}/api/ask", json=asked, timeout=60) as stream:
        for text in stream.iter_text():
            received += text
            server.kill()
    return received


class served:
    """`clew serve` in a process of its own."""

    def __init__(self, home: Path) -> None:
        self._process = CommandProcess(home, "serve", "--port", "0")

    def __enter__(self) -> tuple[CommandProcess, str]:
        for line in self._process.stderr:
            if "http://" in line:
                url = "http://" + line.partition("http://")[2].split()[0].rstrip("/.,;")
                until = time.monotonic() + 60
                while time.monotonic() < until:
                    try:
                        if httpx.get(f"{url}/ready", timeout=10).status_code == 200:
                            return self._process, url
                    except httpx.HTTPError:
                        pass
                    time.sleep(0.1)
        raise AssertionError("it did not start")

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
