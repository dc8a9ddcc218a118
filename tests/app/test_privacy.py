"""What a home keeps is for its user alone, and secrets that a user types are not in it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from clew.agents.models.cache import ReplyCache
from clew.app.api.client import Client
from clew.app.cli import run
from clew.app.files import make_private
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.app.traces.recording import TraceRecorder
from clew.app.traces.redaction import redacted
from clew.app.traces.store import TraceStore
from clew.graphs.conversations import open_conversations
from clew.tools.documents.adding import AddReport
from clew.tools.documents.sources import find_sources
from clew.tools.errors import BadInput
from clew.tools.graph.store import daemon

KEY = "sk-proj-abcdefghijklmnop1234567890"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def _open_umask() -> object:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_open_umask")
def test_a_home_is_private(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    client = Client(load_settings(home=home), NoProgress())
    client.sessions.overview()
    traces = TraceStore(home / "traces.sqlite")
    traces.forget("nothing")
    cache = ReplyCache(home / "replies.sqlite")
    cache.put("k", "reply", "stop")
    assert mode(home) == 0o700
    files = list(home.glob("*.sqlite*"))
    assert {"conversations.sqlite", "traces.sqlite", "replies.sqlite"} <= {path.name for path in files}
    assert {path.name: oct(mode(path)) for path in files if mode(path) != 0o600} == {}
    traces.close()
    client.close()


@pytest.mark.usefixtures("_open_umask")
@pytest.mark.parametrize("exists", [False, True])
def test_the_first_import_makes_a_private_home(tmp_path: Path, exists: bool) -> None:
    home, triples = tmp_path / "home", tmp_path / "films.txt"
    triples.write_text("Heat|directed_by|Michael Mann\n")
    if exists:
        home.mkdir()
        (home / "mine.txt").touch()  # The folder serves other purposes, too, and stays open.
    try:
        assert run(["--home", str(home), "import", str(triples), "--graph", "films"]) == 0
    finally:
        daemon.stop(home)
    assert mode(home) == (0o755 if exists else 0o700)
    assert {path.name for path in home.iterdir() if path.name != "mine.txt" and mode(path) & 0o077} == set()


@pytest.mark.usefixtures("_open_umask")
def test_a_home_of_an_earlier_version_becomes_private(tmp_path: Path) -> None:
    for name in ("database", "graphs", "mine"):
        (tmp_path / name).mkdir()
    for name in ("traces.sqlite", "conversations.sqlite-wal", "chat-history", "notes.txt"):
        (tmp_path / name).touch()
    make_private(tmp_path)
    assert [mode(tmp_path / name) for name in ("database", "graphs")] == [0o700] * 2
    assert [mode(tmp_path / name) for name in ("traces.sqlite", "conversations.sqlite-wal", "chat-history")] == [
        0o600
    ] * 3
    assert (mode(tmp_path / "mine"), mode(tmp_path / "notes.txt")) == (0o755, 0o644), "they are not Clew's"


def test_keys_are_not_kept_in_conversations(tmp_path: Path) -> None:
    client = Client(load_settings(home=tmp_path), NoProgress())
    question = f"Who directed Heat? My key is {KEY}"
    client.sessions.add_turn("s", "g", question, {"answers": [], "explanation": f"I do not know {KEY}."})
    client.sessions.set_waiting("s", "g", question, {"mention": KEY, "candidates": []})
    saver = client.conversations
    config = {"configurable": {"thread_id": "s", "checkpoint_ns": ""}}
    state = {"question": question, "turns": [("a", {"said": question})], "number": 3}
    saver.put(config, {"id": "1", "channel_values": state}, {}, {})
    saver.put_writes({"configurable": {**config["configurable"], "checkpoint_id": "1"}}, [("question", question)], "t")
    kept = saver.get_tuple(config).checkpoint["channel_values"]
    assert kept["question"] == "Who directed Heat? My key is (not kept)"
    assert kept["number"] == 3
    assert client.sessions.turns("s")[0]["question"].startswith("Who directed Heat?")
    client.close()
    assert not [path.name for path in tmp_path.glob("*.sqlite*") if KEY.encode() in path.read_bytes()]


PASSWORD = "Tr0ub4dour"
ASKED = f"Who directed Heat? password={PASSWORD}"
READ = {"answers": [], "unexplained": ["password", PASSWORD, PASSWORD.lower()], "explanation": f"What is {PASSWORD}?"}


def test_words_of_a_password_are_kept_nowhere(tmp_path: Path) -> None:
    client = Client(load_settings(home=tmp_path), NoProgress())
    client.sessions.add_turn("s", "g", ASKED, READ)
    client.sessions.set_waiting("s", "g", ASKED, {"mention": PASSWORD, "candidates": []})
    config = {"configurable": {"thread_id": "s", "checkpoint_ns": ""}}
    client.conversations.put(config, {"id": "1", "channel_values": {"question": ASKED, "findings": [READ]}}, {}, {})
    traces = TraceStore(tmp_path / "traces.sqlite")
    with TraceRecorder(traces).begin(graph="g", question=ASKED, thread_id=None) as trace:
        with trace.span("read", 0, READ) as span:
            span.event("reading", **READ, user=f"Words: {PASSWORD}")
            span.output(**READ)
        trace.wrote(0, "read", READ)
        trace.outcome(READ)
    shown = traces.show(trace.id)
    assert shown["outcome"]["unexplained"] == ["password", "(not kept)", "(not kept)"]
    kept = repr((shown, traces.writes(trace.id)))
    client.close()
    traces.close()
    stored = [path.read_bytes().lower() for path in tmp_path.glob("*.sqlite*")]
    assert not [text for text in [*stored, kept.lower().encode()] if PASSWORD.lower().encode() in text]


def test_other_states_are_kept_as_they_are(tmp_path: Path) -> None:
    saver = open_conversations(tmp_path / "c.sqlite", redacted)
    value = {"question": "Who directed Heat?", "rows": [1, 2.5, None, "x"], "pair": ["a", {"b": "c"}]}
    assert saver.serde.loads_typed(saver.serde.dumps_typed(value)) == value
    saver.close()


def test_replies_with_a_key_are_not_cached(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.sqlite", redact=redacted)
    cache.put("a", f"Your key {KEY} is safe.", "stop")
    cache.put("b", "Michael Mann", "stop")
    assert cache.get("a") is None
    assert cache.get("b") == ("Michael Mann", "stop")


@pytest.mark.parametrize(
    "url",
    [
        "http://ann:hunter2@host:7687", "ann:hunter2@host", "bolt//ann:hunter2@host", "ann:hun/ter2@host:7687",
        "http://ann:p@ss/hunter2@host/x", "http://host?password=hunter2", "bolt:/ann:#hunter2@host",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["database_url", "model_base_url"])
def test_no_error_shows_the_password_of_a_url(name: str, url: str) -> None:
    url = url.replace("http:", "ftp:") if name == "model_base_url" else url
    with pytest.raises(BadInput) as failed:
        load_settings(**{name: url})
    assert "ter2" not in str(failed.value)
    assert name in str(failed.value)


def test_a_user_in_the_address_of_the_database_is_refused_without_the_password() -> None:
    with pytest.raises(BadInput) as failed:
        load_settings(database_url="bolt://ann:hunter2@host:7687")
    assert "ter2" not in str(failed.value)
    assert "CLEW_DATABASE_PASSWORD" in str(failed.value)


@pytest.mark.parametrize(
    ("name", "url"),
    [("database_url", "bolt://h:99999"), ("model_base_url", "http://h:0x1/v1"), ("vectors", "http://h:-1")],
)
def test_a_port_that_is_none_is_refused(name: str, url: str) -> None:
    with pytest.raises(BadInput, match=name):
        load_settings(**{name: url})


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    secret, notes = tmp_path / "secret", tmp_path / "notes"
    for folder in (secret, notes / "deep"):
        folder.mkdir(parents=True)
    (secret / "keys.md").write_text("key")
    (notes / "deep" / "one.md").write_text("one")
    (notes / "out.md").symlink_to(secret / "keys.md")
    (notes / "deep" / "out").symlink_to(secret)
    (notes / "within.md").symlink_to(notes / "deep" / "one.md")
    found = find_sources([notes])
    assert ([path.name for path in found.files], found.outside) == (["one.md"], 2)
    assert "--follow-links" in AddReport(outside=2).summary_lines()[0]
    followed = find_sources([notes], follow_links=True)
    assert ({path.name for path in followed.files}, followed.outside) == ({"one.md", "keys.md"}, 0)
    assert [path.name for path in find_sources([notes / "out.md"]).files] == ["keys.md"], "it was named itself"
