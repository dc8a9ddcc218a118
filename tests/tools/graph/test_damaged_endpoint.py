"""Damaged files of the embedded server: noticed, told and written again in moments."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clew.tools.errors import DatabaseUnavailable
from clew.tools.graph.store import daemon, open_database
from clew.tools.graph.store.endpoint import stored_secret
from tests.tools.graph.test_daemon import kill

SOON_S = 4.0
Spoil = Callable[[Path], None]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with a server and one graph."""
    place = tmp_path_factory.mktemp("home")
    with_graph(place)
    yield place
    daemon.stop(place)


def with_graph(home: Path) -> None:
    database = open_database(home)
    database.open("kept", create=True).write("CREATE (:N {name: 'x'})")
    database.close()


def names(home: Path) -> list[str]:
    """What the home's graph holds, read by a new client."""
    database = open_database(home)
    try:
        return [row["name"] for row in database.open("kept").read("MATCH (n:N) RETURN n.name AS name").records]
    finally:
        database.close()


def with_text(text: bytes) -> Spoil:
    return lambda path: path.write_bytes(text) and None


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def with_values(**changed: object) -> Spoil:
    """Replace values of the file, and nothing else."""
    return lambda path: path.write_text(json.dumps({**json.loads(path.read_text()), **changed})) and None


def removed(path: Path) -> None:
    path.unlink()


SPOILT_ENDPOINTS: dict[str, Spoil] = {
    "empty": with_text(b""),
    "cut": cut,
    "random": with_text(os.urandom(200)),
    "list": with_text(b"[]"),
    "unsigned": with_text(b'{"host": 1}'),
    "wrong types": with_values(bolt_port="abc", http_port=None, pid=[1]),
    "another process": with_values(pid=os.getpid()),
}
SPOILT_SECRETS: dict[str, Spoil] = {
    "empty": with_text(b""),
    "cut": cut,
    "random": with_text(os.urandom(43)),
    "another": with_text(b"A" * 43),
}


@pytest.mark.parametrize("spoil", SPOILT_ENDPOINTS.values(), ids=SPOILT_ENDPOINTS)
def test_a_running_server_writes_its_endpoint_again(home: Path, spoil: Spoil, caplog: pytest.LogCaptureFixture) -> None:
    before = daemon.ensure_running(home)
    path = daemon.folder(home) / "endpoint.json"
    spoil(path)
    started = time.monotonic()
    assert daemon.ensure_running(home) == before
    assert time.monotonic() - started < SOON_S
    assert [record.getMessage() for record in caplog.records if record.name == "clew.notice"] == [
        f"{path} was damaged; the running database server has written it again."
    ]
    assert names(home) == ["x"]


@pytest.mark.parametrize("spoil", SPOILT_SECRETS.values(), ids=SPOILT_SECRETS)
def test_a_running_server_writes_its_secret_again(home: Path, spoil: Spoil, caplog: pytest.LogCaptureFixture) -> None:
    before = daemon.ensure_running(home)
    path = daemon.folder(home) / "secret"
    spoil(path)
    started = time.monotonic()
    assert names(home) == ["x"]
    assert time.monotonic() - started < SOON_S
    assert daemon.ensure_running(home) == before
    assert f"{path} was damaged; the running database server" in caplog.text
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_server_of_a_version_that_does_not_sign_is_found(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = daemon.ensure_running(home)
    path = daemon.folder(home) / "endpoint.json"
    unsigned = {key: value for key, value in json.loads(path.read_text()).items() if key != "signature"}
    path.write_text(json.dumps(unsigned))
    assert daemon.ensure_running(home) == before
    assert "damaged" not in caplog.text
    assert json.loads(path.read_text()) == unsigned


@pytest.mark.parametrize("name", ["endpoint.json", "secret"])
def test_a_running_server_writes_a_lost_file_again(home: Path, name: str) -> None:
    before = daemon.ensure_running(home)
    (daemon.folder(home) / name).unlink()
    started = time.monotonic()
    assert daemon.ensure_running(home) == before
    assert time.monotonic() - started < SOON_S


def test_nobody_else_is_shown_the_secret(home: Path) -> None:
    before = daemon.ensure_running(home)
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = stranger.getsockname()[1]
        with_values(bolt_port=port, http_port=port)(daemon.folder(home) / "endpoint.json")
        started = time.monotonic()
        assert daemon.status(home).endpoint == before
        assert time.monotonic() - started < SOON_S
        stranger.setblocking(False)
        with pytest.raises(BlockingIOError):
            stranger.accept()


def test_a_server_that_does_not_write_them_again_is_named_soon(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    daemon.ensure_running(home)
    monkeypatch.setattr(daemon.files, "ask", lambda place: None)  # as one of a release that does not know of it
    monkeypatch.setattr(daemon, "_REPAIR_LIMIT_S", 0.5)
    path = daemon.folder(home) / "endpoint.json"
    path.write_bytes(b"")
    with pytest.raises(DatabaseUnavailable, match=r"endpoint\.json.* is damaged"):
        daemon.ensure_running(home)
    monkeypatch.undo()
    daemon.ensure_running(home)


def test_a_new_server_s_secret_is_a_new_one_where_it_is_damaged(tmp_path: Path) -> None:
    for name, spoil in SPOILT_SECRETS.items():
        before = stored_secret(tmp_path)
        spoil(tmp_path / "secret")
        found = stored_secret(tmp_path)
        assert (found == "A" * 43) == (name == "another")
        assert found != before
        assert found == stored_secret(tmp_path) == (tmp_path / "secret").read_text()


@pytest.mark.parametrize("spoil", [SPOILT_SECRETS["random"], SPOILT_SECRETS["another"], removed])
def test_without_a_server_a_new_secret_serves(home: Path, spoil: Spoil, caplog: pytest.LogCaptureFixture) -> None:
    daemon.stop(home)
    secret = daemon.folder(home) / "secret"
    before = secret.read_text()
    spoil(secret)
    told = secret.exists() and secret.read_bytes() != b"A" * 43
    started = time.monotonic()
    assert names(home) == ["x"]
    assert time.monotonic() - started < 30
    assert secret.read_text() != before
    assert (f"{secret} was damaged; a new database server" in caplog.text) == told


def test_a_damaged_endpoint_of_a_killed_server_is_replaced(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    kill(daemon.ensure_running(home).pid)
    path = daemon.folder(home) / "endpoint.json"
    path.write_bytes(os.urandom(100))
    assert daemon.status(home).endpoint is None
    assert names(home) == ["x"]
    assert f"{path} was damaged; a new database server" in caplog.text
