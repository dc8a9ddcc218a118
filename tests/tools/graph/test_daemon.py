"""The embedded server's life: started once, found again, restarted after a crash, stopped."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.tools.errors import DatabaseUnavailable, QueryFailed, QueryTimeout
from clew.tools.graph.store import daemon, embedded, open_database, watchdog
from clew.tools.graph.store.arcadedb import ArcadeDB
from clew.tools.graph.store.graph_store import GraphStore, Limits

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home of the test's own, with an awkward name; whatever runs there in the end is stopped."""
    place = tmp_path / "Ariadne's höme 糸"
    yield place
    daemon.stop(place)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with a server, for tests that leave it as it is or kill it."""
    place = tmp_path_factory.mktemp("running")
    daemon.ensure_running(place)
    yield place
    daemon.stop(place)


@pytest.fixture
def graph(running: Path) -> Iterator[GraphStore]:
    """A fresh graph in the home that tests share."""
    daemon.ensure_running(running)
    database = open_database(running)
    yield database.open(f"g-{uuid.uuid4().hex[:8]}", create=True)
    database.close()


def kill(pid: int) -> None:
    """End a server as a crash would, and wait until the system has let go of its locks."""
    os.kill(pid, signal.SIGKILL)
    state = Path(f"/proc/{pid}/stat")
    while state.exists() and state.read_text().rpartition(")")[2].split()[0] not in "ZX":
        time.sleep(0.01)


def test_a_server_is_started_found_stopped_and_stops_when_nobody_uses_it(home: Path) -> None:
    assert daemon.status(home).endpoint is None
    assert not daemon.stop(home)
    endpoint = daemon.ensure_running(home)
    assert daemon.ensure_running(home) == endpoint
    assert daemon.status(home).endpoint == endpoint
    place = daemon.folder(home)
    assert (place / "secret").stat().st_mode & 0o777 == 0o600
    assert (place / "endpoint.json").stat().st_mode & 0o777 == 0o600
    assert endpoint.secret not in (place / "endpoint.json").read_text()
    assert endpoint.secret not in repr(endpoint)
    assert daemon.stop(home)
    assert daemon.status(home).endpoint is None
    assert not (place / "endpoint.json").exists()
    again = daemon.ensure_running(home, idle_minutes=0.03)
    assert again.secret == endpoint.secret
    assert again.pid != endpoint.pid
    deadline = time.monotonic() + 30
    while daemon.status(home).endpoint and time.monotonic() < deadline:
        time.sleep(0.1)
    assert daemon.status(home).endpoint is None, "nobody uses it"


def test_it_listens_on_loopback_only(running: Path) -> None:
    endpoint = daemon.ensure_running(running)
    rows = "".join(Path(f"/proc/{endpoint.pid}/net/{kind}").read_text() for kind in ("tcp", "tcp6"))
    ports = {f"{port:04X}" for port in (endpoint.bolt_port, endpoint.http_port)}
    listening = [row.split()[1].split(":") for row in rows.splitlines() if " 0A " in row]
    addresses = {address for address, port in listening if port in ports}
    assert addresses <= {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}
    assert addresses


def test_nothing_acknowledged_is_lost_when_it_is_killed(running: Path, graph: GraphStore) -> None:
    graph.ensure_index("N", "nodeId")
    for start in range(0, 3000, 500):
        graph.write("UNWIND range($a, $b) AS i CREATE (:N {nodeId: toString(i)})", {"a": start, "b": start + 499})
    graph.set_version("1")
    endpoint = daemon.status(running).endpoint
    assert endpoint
    kill(endpoint.pid)
    assert daemon.status(running).endpoint is None
    # The store finds the server that takes the dead one's place by itself.
    assert graph.read("MATCH (n:N) RETURN count(n) AS n").records == [{"n": 3000}]
    assert graph.read("MATCH (n:N {nodeId: '2999'}) RETURN count(n) AS n").records == [{"n": 1}]
    assert graph.version() == "1"
    assert graph.write("CREATE (:N {nodeId: 'new'})")["nodes_created"] == 1


def test_an_endpoint_file_that_is_stale_or_another_s_is_not_believed(running: Path, home: Path) -> None:
    place = daemon.folder(home)
    place.mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = stranger.getsockname()[1]
        stale = {"host": "127.0.0.1", "bolt_port": port, "http_port": port, "pid": os.getpid(), "started": 0.0}
        (place / "endpoint.json").write_text(json.dumps(stale))
        (place / "secret").write_text("left by the server before")
        assert daemon.status(home).endpoint is None
        endpoint = daemon.ensure_running(home)
        assert endpoint.bolt_port != port
        assert endpoint.pid != os.getpid()
        stranger.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody has shown it the secret
            stranger.accept()
    other = daemon.ensure_running(running)
    assert other.secret != endpoint.secret
    assert {other.bolt_port, other.http_port}.isdisjoint({endpoint.bolt_port, endpoint.http_port})
    shutil.copy(daemon.folder(running) / "endpoint.json", daemon.folder(home) / "endpoint.json")
    assert daemon.status(home).endpoint == endpoint


@pytest.mark.parametrize("text", ["", "{", "[]", '{"host": 1}'])
def test_a_spoilt_endpoint_file_is_replaced(home: Path, text: str) -> None:
    place = daemon.folder(home)
    place.mkdir(parents=True)
    (place / "endpoint.json").write_text(text)
    assert daemon.status(home).endpoint is None
    assert not daemon.stop(home)


def test_of_processes_that_ask_at_once_one_starts_it(home: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from clew.tools.graph.store import daemon\n"
        "print(daemon.ensure_running(Path(sys.argv[1])).pid)"
    )
    asking = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(home)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(3)
    ]
    outputs = [each.communicate(timeout=90) for each in asking]
    assert [each.returncode for each in asking] == [0, 0, 0], outputs
    assert len({output for output, _ in outputs}) == 1
    assert {errors for _, errors in outputs} == {b""}


def test_ports_that_are_taken_are_tried_again(home: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code = (
            "import sys, itertools; from pathlib import Path; from clew.tools.graph.store import embedded\n"
            f"free = embedded._free_ports; "
            f"answers = itertools.chain([[{port}, {port}]], iter(lambda: free(2), None))\n"
            "embedded._free_ports = lambda count: next(answers)\n"
            "sys.argv[1:] = ['--home', sys.argv[1]]; embedded.main()"
        )
        place = daemon.folder(home)
        place.mkdir(parents=True)
        with (tmp_path / "output").open("wb") as output:
            environment = {**os.environ, "LC_ALL": "C.UTF-8"}
            server = subprocess.Popen(
                [sys.executable, "-c", code, str(place)], cwd=ROOT, stdout=output, stderr=output, env=environment
            )
        try:
            while daemon._is_free(place):
                time.sleep(0.01)
            endpoint = daemon.ensure_running(home)
            assert endpoint.pid == server.pid
            assert port not in {endpoint.bolt_port, endpoint.http_port}
        finally:
            server.terminate()
            assert server.wait(30) == 0


def test_a_second_server_leaves_the_home_alone(running: Path) -> None:
    endpoint = daemon.ensure_running(running)
    code = "from clew.tools.graph.store import embedded; embedded.LOCK_SECONDS = 0.5; embedded.main()"
    command = [sys.executable, "-c", code, "--home", str(daemon.folder(running))]
    second = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert second.returncode == embedded.EXIT_IN_USE
    assert daemon.status(running).endpoint == endpoint


def test_a_server_that_cannot_start_says_why(home: Path) -> None:
    place = daemon.folder(home)
    place.mkdir(parents=True)
    (place / "config").write_text("a file where a folder must be")
    with pytest.raises(DatabaseUnavailable) as caught:
        daemon.ensure_running(home)
    assert "did not start" in caught.value.message
    assert len(caught.value.message.splitlines()) > 1
    assert str(place) in caught.value.remedy
    assert daemon.status(home).endpoint is None


def test_a_home_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseUnavailable, match="cannot be made"):
        daemon.ensure_running(tmp_path / "file" / "home")


def test_the_server_keeps_the_time_limit_when_the_client_dies(running: Path, graph: GraphStore) -> None:
    code = (
        "import sys; from pathlib import Path; from clew.tools.graph.store import open_database\n"
        "open_database(Path(sys.argv[1])).open(sys.argv[2]).read('UNWIND range(1, $n) AS a "
        "UNWIND range(1, $n) AS b UNWIND range(1, $n) AS c RETURN count(*) AS n', {'n': 100000})"
    )
    command = [sys.executable, "-c", code, str(running), graph.name]
    client = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    endpoint = daemon.ensure_running(running)
    admin = ArcadeDB(endpoint.http_url, "root", endpoint.secret)

    def running() -> int:
        return sum("range" in each["text"] for each in admin._server("list queries"))

    while not running():
        time.sleep(0.05)
    client.kill()
    client.wait()
    assert running() == 1
    deadline = time.monotonic() + watchdog.QUERY_LIMIT_S + 3
    while running():
        assert time.monotonic() < deadline
        time.sleep(0.1)


ENDLESS = "RETURN all(x IN range(1, $n) WHERE all(y IN range(1, $n) WHERE x + y > 0)) AS r"


@pytest.mark.parametrize("seconds", [0.3, 1.5])
def test_a_query_whose_server_ended_is_not_sent_again(running: Path, graph: GraphStore, seconds: float) -> None:
    graph.read("RETURN 1 AS one")
    endpoint = daemon.ensure_running(running)
    ending = threading.Timer(seconds, kill, args=(endpoint.pid,))
    ending.start()
    with pytest.raises(QueryFailed, match="not run again"):
        graph.read(ENDLESS, {"n": 100_000}, Limits(timeout_s=60))
    ending.join()
    assert daemon.status(running).endpoint is None
    assert graph.read("RETURN 2 AS two").records == [{"two": 2}]


MANY = "UNWIND range(1, 500) AS a UNWIND range(1, 500) AS b RETURN count(*) AS n"


def test_queries_that_are_not_to_blame_are_sent_again(running: Path, graph: GraphStore) -> None:
    """One query does not end, and so the server does; those that others ask meanwhile are answered."""
    graph.write("CREATE (:Kept {name: 'x'})")
    first = daemon.ensure_running(running).pid
    ended, failed = threading.Event(), []

    def others() -> None:
        while not ended.is_set():
            try:
                assert graph.read(MANY, limits=Limits(timeout_s=60)).records == [{"n": 250_000}]
            except Exception as error:
                failed.append(error)

    thread = threading.Thread(target=others)
    thread.start()
    try:
        with pytest.raises(QueryTimeout):
            graph.read(ENDLESS, {"n": 100_000}, Limits(timeout_s=0.5))
        deadline = time.monotonic() + watchdog.GRACE_S + 15
        while (status := daemon.status(running).endpoint) is None or status.pid == first:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    finally:
        ended.set()
        thread.join()
    assert not failed
    assert graph.read("MATCH (n:Kept) RETURN n.name AS name").records == [{"name": "x"}]


def test_a_frozen_server_does_not_hold_its_client(running: Path, graph: GraphStore) -> None:
    graph.read("RETURN 1 AS one")
    endpoint = daemon.ensure_running(running)
    os.kill(endpoint.pid, signal.SIGSTOP)
    try:
        started = time.monotonic()
        with pytest.raises(Exception, match="stopped after"):
            graph.read("RETURN 2 AS two", limits=Limits(timeout_s=0.3))
        assert time.monotonic() - started < 15
    finally:
        os.kill(endpoint.pid, signal.SIGCONT)
    assert graph.read("RETURN 3 AS three").records == [{"three": 3}]


def test_it_runs_in_the_foreground_until_told_to_stop(home: Path) -> None:
    """Ctrl-C is tested with the command."""
    code = (
        "import sys; from pathlib import Path; from clew.tools.graph.store import daemon\n"
        "sys.exit(daemon.run_foreground(Path(sys.argv[1]), lambda endpoint: print(endpoint.pid, flush=True)))"
    )
    shell = subprocess.Popen([sys.executable, "-c", code, str(home)], cwd=ROOT, stdout=subprocess.PIPE)
    assert shell.stdout
    pid = int(shell.stdout.readline())
    endpoint = daemon.status(home).endpoint
    assert endpoint
    assert endpoint.pid == pid
    with pytest.raises(DatabaseUnavailable, match="already running"):
        daemon.run_foreground(home, lambda endpoint: None)
    shell.send_signal(signal.SIGTERM)
    assert shell.wait(30) == 0
    assert daemon.status(home).endpoint is None
