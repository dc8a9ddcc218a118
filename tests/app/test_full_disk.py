"""A full disk: the error names the folder and says what to do, and nothing is lost once there is space again."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from clew.agents.models.cache import ReplyCache
from clew.app.serving.errors import add_error_handlers
from clew.app.sessions.store import Sessions
from clew.app.traces.store import TraceStore
from clew.graphs.conversations import open_conversations
from clew.tools.documents.store.store import DocumentStore
from clew.tools.errors import BadInput, DiskFull, QueryFailed
from clew.tools.full_disk import full_disk, writing_in
from clew.tools.graph.store import daemon, open_database
from tests.app.test_sessions import RESULT
from tests.app.traces.test_traces import record
from tests.command_processes import CommandProcess
from tests.tools.documents.test_documents_store import put as put_document


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 60 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", str(place)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"no small disk can be mounted here: {error}")
    if done.returncode:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    try:
        yield place
    finally:
        daemon.stop(place)
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path) -> Path:
    """Fill the disk; removing the returned file frees it."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 4096):
            pass
    return ballast


def keep_on(write: Callable[[int], None]) -> None:
    for number in range(1000):
        write(number)


def test_the_database_on_a_full_disk_says_so_and_recovers(small_disk: Path, tmp_path: Path) -> None:
    database = open_database(small_disk)
    store = database.open("kept", create=True)
    store.write("CREATE (:N {name: 'x'})")
    ballast = fill(small_disk)
    place = str(daemon.folder(small_disk))
    with pytest.raises(DiskFull, match=place) as caught:
        store.write("UNWIND range(1, 20000) AS i CREATE (:N {name: 'n ' + i, text: $text})", {"text": "x" * 1000})
    assert "Free some space there" in caught.value.remedy
    with pytest.raises(DiskFull, match=place):
        store.ensure_index("M", "nodeId")
    with pytest.raises(DiskFull, match=place):
        database.open("another", create=True)
    with pytest.raises(QueryFailed, match="rejected"):
        store.write("no query")
    assert store.read("MATCH (n:N) RETURN n.name AS name").records == [{"name": "x"}]
    path = tmp_path / "kb.tsv"
    path.write_text("".join(f"film {n}\tdirected_by\tdirector {n}\n" for n in range(1000)), encoding="utf-8")
    variables = {"JAVA_TOOL_OPTIONS": os.environ["JAVA_TOOL_OPTIONS"]}
    command = ("import", str(path), "--graph", "kept")
    _, err = CommandProcess(small_disk, *command, variables=variables).communicate()
    assert "Error: The disk is full: there is no space left to write" in err
    ballast.unlink()
    process = CommandProcess(small_disk, *command, variables=variables)
    _, err = process.communicate()
    assert process.returncode == 0, err
    assert store.read("MATCH (n) RETURN count(n) AS n").records == [{"n": 2001}]
    database.close()


def test_a_database_that_cannot_start_on_a_full_disk_says_so(small_disk: Path) -> None:
    ballast = fill(small_disk)
    database = open_database(small_disk)
    with pytest.raises(DiskFull, match=str(daemon.folder(small_disk))):
        database.names()
    ballast.unlink()
    assert database.names() == []
    database.close()


def test_the_files_of_a_full_home_say_so(small_disk: Path) -> None:
    kept = open_conversations(small_disk / "conversations.sqlite")
    sessions, traces = Sessions(kept), TraceStore(small_disk / "traces.sqlite")
    documents = DocumentStore(small_disk / "documents")
    run = record(traces)
    fill(small_disk)
    with pytest.raises(DiskFull, match=str(small_disk)):
        keep_on(lambda number: sessions.add_turn(f"{number}", "films", "Who? " * 1000, RESULT))
    with pytest.raises(DiskFull, match=str(small_disk / "documents")):
        put_document(documents, "a", 3000)
    with pytest.raises(DiskFull, match=str(small_disk)):
        keep_on(lambda number: traces.feedback.set(run.id, None, rating="up", note="x" * number * 1000))
    cache = ReplyCache(small_disk / "replies.sqlite")
    cache.put("k", "reply " * 1000, "stop")
    assert cache.get("k") is None
    kept.close()
    traces.close()


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        OSError(errno.EFBIG, "File too large"),
        sqlite3.OperationalError("database or disk is full"),
        QueryFailed("ArcadeDB refused: Error on writing to WAL file -> No space left on device"),
    ],
)
def test_errors_of_a_full_disk_are_recognised(error: Exception, tmp_path: Path) -> None:
    with pytest.raises(DiskFull, match=str(tmp_path)), writing_in(tmp_path):
        raise error


def test_a_file_limit_is_told_with_its_file(tmp_path: Path) -> None:
    full = full_disk(OSError(errno.EFBIG, "File too large", "/x/y"), tmp_path)
    assert full is not None
    assert "/x/y" in full.message


@pytest.mark.parametrize(
    "error",
    [
        QueryFailed("The database rejected the query: Transaction error on commit"),
        OSError("80 requested and 0 written"),
        sqlite3.OperationalError("disk I/O error"),
        OSError(errno.EACCES, "Permission denied"),
        BadInput("It did not start."),
    ],
)
def test_with_space_left_other_errors_stay_what_they_are(error: Exception, tmp_path: Path) -> None:
    assert full_disk(error, tmp_path / "to" / "be" / "made") is None


def test_the_server_says_it_with_a_status_of_its_own() -> None:
    app = FastAPI()
    add_error_handlers(app)

    @app.get("/{number}")
    def fail(number: int) -> None:
        raise OSError(number, os.strerror(number), "/x/y")

    client = TestClient(app, raise_server_exceptions=False)
    full = client.get(f"/{errno.ENOSPC}")
    assert (full.status_code, full.json()["detail"]) == (507, "The disk is full: there is no space left to write /x/y.")
    assert "Free some space" in full.json()["remedy"]
    assert client.get(f"/{errno.EIO}").status_code == 500
