"""SQLite files of a home that something has overwritten: they are named and set aside, and Clew goes on."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.agents.models.cache import ReplyCache
from clew.app.sessions.store import Sessions
from clew.app.traces.store import TraceStore
from clew.graphs.conversations import open_conversations
from clew.tools.documents.store.store import DocumentStore
from clew.tools.embedding.chroma import embedded
from clew.tools.errors import DamagedFile
from clew.tools.ingest import ImportInterrupted, ImportOptions, load
from clew.tools.ingest.journal import Journal
from clew.tools.sqlite_files import in_use, opened
from tests.app.test_sessions import RESULT, checkpointed, has_checkpoint
from tests.app.traces.test_traces import record
from tests.command_processes import CommandProcess
from tests.tools.documents.test_documents_store import put as put_document
from tests.tools.ingest.ingest_fake import FakeGraph

Notes = Callable[[], list[str]]


@pytest.fixture
def notes(caplog: pytest.LogCaptureFixture) -> Notes:
    """What the user has been told."""
    return lambda: [record.getMessage() for record in caplog.records if record.name == "clew.notice"]


def overwrite(path: Path) -> bytes:
    """Overwrite a whole file with random bytes."""
    path.write_bytes(text := os.urandom(max(8192, path.stat().st_size)))
    return text


def spoil_pages(path: Path) -> None:
    """Overwrite all of a file but its first page, so that it still looks like a database."""
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    size = int.from_bytes(whole[16:18], "big")
    assert len(whole) > size
    path.write_bytes(whole[:size] + os.urandom(len(whole) - size))


def assert_set_aside(path: Path, notes: list[str], content: bytes | None = None) -> None:
    """The file was set aside once, and the user was told its name."""
    asides = [each for each in path.parent.iterdir() if re.fullmatch(rf"{path.name}\.damaged-[\d-]+", each.name)]
    assert len(asides) == 1
    assert content is None or asides[0].read_bytes() == content
    assert notes == [f"{path} was damaged: it is now {asides[0].name}, and Clew goes on with a new one."]


def use_traces(path: Path) -> None:
    traces = TraceStore(path)
    run = record(traces)
    assert run.id in [each["id"] for each in traces.list()]
    traces.close()


def use_conversations(path: Path) -> None:
    kept = open_conversations(path)
    checkpointed(kept, "a")
    assert has_checkpoint(kept, "a")
    Sessions(kept).add_turn("a", "films", "Who?", RESULT)
    kept.close()


def use_replies(path: Path) -> None:
    ReplyCache(path).put("k", "reply", "stop")
    assert ReplyCache(path).get("k") == ("reply", "stop")


def use_documents(path: Path) -> None:
    store = DocumentStore(path.parent)
    put_document(store, "a", 3)
    assert store.totals().chunks == 3


def use_journal(path: Path) -> None:
    with Journal(path.parent.parent, path.parent.name) as journal:
        journal.finish("d", "v", {}, fresh=True)
        assert journal.finished("d", "v") == {}


def use_dense(path: Path) -> None:
    store = embedded(path.parent)
    if store.find("names") is None:
        store.create("names", {}, 3)
    assert store.find("names") is not None


USES: dict[str, Callable[[Path], None]] = {
    "traces.sqlite": use_traces,
    "conversations.sqlite": use_conversations,
    "replies.sqlite": use_replies,
    "documents.sqlite": use_documents,
    "journal.sqlite": use_journal,
    "chroma.sqlite3": use_dense,
}


@pytest.mark.parametrize("name", USES)
def test_a_file_of_random_bytes_is_set_aside(name: str, tmp_path: Path, notes: Notes) -> None:
    path = tmp_path / "folder" / name
    if name != "chroma.sqlite3":  # Chroma keeps its file open as long as the process lives.
        path.parent.mkdir()
        USES[name](path)
        content = overwrite(path)
    else:
        path.parent.mkdir()
        path.touch()
        content = overwrite(path)
    USES[name](path)
    assert_set_aside(path, notes(), content)
    USES[name](path)
    assert len(notes()) == 1


@pytest.mark.parametrize("name", ["traces.sqlite", "conversations.sqlite", "documents.sqlite"])
def test_a_file_with_broken_pages_fails_once(name: str, tmp_path: Path, notes: Notes) -> None:
    path = tmp_path / "folder" / name
    path.parent.mkdir()
    USES[name](path)
    spoil_pages(path)
    if name != "traces.sqlite":  # A trace is written again.
        with pytest.raises(DamagedFile, match=re.escape(f"{path} was damaged")):
            USES[name](path)
    USES[name](path)
    assert_set_aside(path, notes())


def test_a_cache_with_broken_pages_answers_no_less(tmp_path: Path, notes: Notes) -> None:
    cache = ReplyCache(path := tmp_path / "replies.sqlite")
    for number in range(200):
        cache.put(str(number), "reply " * 50, "stop")
    spoil_pages(path)
    assert [cache.get(str(number)) for number in range(200)].count(None) > 0
    cache.put("k", "reply", "stop")
    assert cache.get("k") == ("reply", "stop")
    assert_set_aside(path, notes())


def test_an_open_file_is_replaced_while_it_is_used(tmp_path: Path, notes: Notes) -> None:
    kept = open_conversations(path := tmp_path / "conversations.sqlite")
    sessions = Sessions(kept)
    for number in range(50):
        sessions.add_turn(f"{number}", "films", "Who? " * 200, RESULT)
    kept.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    spoil_pages(path)
    with pytest.raises(DamagedFile, match=r"conversations\.sqlite was damaged"):
        sessions.overview()
    sessions.add_turn("a", "films", "Who?", RESULT)
    checkpointed(kept, "a")
    assert [session["name"] for session in sessions.overview()] == ["a"]
    kept.close()
    assert_set_aside(path, notes())


def test_a_file_that_another_process_has_replaced_is_left_alone(tmp_path: Path, notes: Notes) -> None:
    path = tmp_path / "x.sqlite"
    opened(path, lambda db: db.execute("CREATE TABLE t (x)")).close()
    told_late = sqlite3.DatabaseError("file is not a database")
    told_late.sqlite_errorcode = sqlite3.SQLITE_NOTADB
    with pytest.raises(DamagedFile), in_use(path):
        raise told_late
    assert [each.name for each in tmp_path.iterdir()] == ["x.sqlite"]
    assert notes() == []


def test_other_faults_set_nothing_aside(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    with pytest.raises(sqlite3.OperationalError, match="malformed JSON"):
        opened(path, lambda db: db.execute("SELECT json('{')").fetchone())
    assert [each.name for each in tmp_path.iterdir()] == ["x.sqlite"]


@pytest.mark.parametrize("spoil", [overwrite, spoil_pages])
def test_an_import_whose_records_are_lost_begins_anew(
    tmp_path: Path, notes: Notes, spoil: Callable[[Path], Any]
) -> None:
    graph, options = FakeGraph(), ImportOptions(tmp_path / "state", batch_size=10)
    path = tmp_path / "kb.tsv"
    path.write_text("".join(f"film {n}\tdirected_by\tdirector {n}\n" for n in range(100)), encoding="utf-8")

    def stop(number: int) -> None:
        if number == 5:
            raise KeyboardInterrupt

    graph.after_write = stop
    with pytest.raises(ImportInterrupted):
        load(graph, [path], options)
    graph.after_write = lambda _number: None
    staged = next((tmp_path / "state").rglob("staged.sqlite"))
    spoil(staged)
    with pytest.raises(DamagedFile, match=r"staged\.sqlite was damaged"):
        load(graph, [path], options)
    assert_set_aside(staged, notes())
    assert (load(graph, [path], options).nodes, len(graph.nodes)) == (200, 200)


def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "conversations.sqlite").write_bytes(os.urandom(20_000))
    out, err = CommandProcess(tmp_path, "sessions", "list").communicate()
    assert re.match(
        r"Note: \S+/conversations\.sqlite was damaged: it is now \S+, and Clew goes on with a new one\.\nThere is no ",
        err,
    ), (out, err)
