"""What a home depends on fails: models, the clock, permissions, and files of other versions of Clew."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.app.cli import run
from clew.app.traces.store import TraceStore
from clew.graphs.conversations import open_conversations
from clew.tools.errors import BadInput, ClewError
from clew.tools.ingest.journal import Journal
from tests.app.traces.test_traces import record
from tests.command_processes import PRELOADED, CommandProcess
from tests.faults.conftest import full_suite
from tests.film_facts import FACTS
from tests.scripted_model import Said, ScriptedModel, failing, html, malformed, no_choices, null_content, rate_limited

LIMIT_S = 6.0
"""Seconds of a question that is answered with a model."""
GRACE_S = 10.0
"""On a busy machine."""
FAULTS: dict[str, Any] = {
    "500": failing(500),
    "401": failing(401),
    "always busy": rate_limited(0),
    "broken JSON": malformed(),
    "a page": html(),
    "no choices": no_choices(),
    "no content": null_content(),
    "nonsense": "}{ <answers>Nobody</answers> [F99] \x1b]52;c;AAAA\x07",
    "cut before": Said(cut="before"),
    "cut within": Said("<answers>Heat</answers>" * 50, cut="within"),
    "slow": Said("<answers>Heat</answers>", wait=60),
    "endless": Said("never " * 5000, drip=2),
}
SOME_FAULTS = ("500", "broken JSON", "nonsense", "endless")


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    name, path = f"films-{uuid.uuid4().hex[:8]}", tmp_path_factory.mktemp("facts") / "films.txt"
    path.write_text(FACTS)
    assert run(["--home", str(clew_home), "import", str(path), "--graph", name]) == 0
    yield name
    run(["--home", str(clew_home), "drop", name, "--yes"])


def answers(home: Path, graph: str, **settings: Any) -> tuple[list[str], str]:
    """The answers to a question, and what was said of them."""
    with clew.connect(graph, home=home, **settings) as opened:
        found = opened.ask("who directed Heat?")
        return [each.name for each in found.answers], found.explanation


@pytest.mark.parametrize(
    "fault", [each if each in SOME_FAULTS else pytest.param(each, marks=full_suite) for each in FAULTS]
)
def test_a_model_that_fails_does_not_keep_the_graph_from_answering(clew_home: Path, films: str, fault: str) -> None:
    """A model that lies in proper form is believed, but what it says without evidence is marked as its own."""
    with ScriptedModel(FAULTS[fault]) as server:
        given: dict[str, Any] = {"model": "scripted", "base_url": server.base_url, "api_key": "k"}
        with clew.connect(films, home=clew_home, model_seconds=LIMIT_S, **given) as graph:
            graph.open()
            started = time.monotonic()
            found = graph.ask("who directed Heat?")
            seconds = time.monotonic() - started
    assert [each.name for each in found if not each.own] == ["Michael Mann"] or fault == "nonsense", found
    assert seconds < LIMIT_S + GRACE_S
    assert "Traceback" not in found.explanation
    assert "\x1b" not in found.explanation + "".join(each.name for each in found)


@pytest.mark.parametrize("setting", ["model", "generator", "node_reasoner"])
def test_a_service_that_is_gone_is_told(
    clew_home: Path, films: str, setting: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as gone:
        url = f"http://127.0.0.1:{gone.getsockname()[1]}"
    given = {"CLEW_MODEL": "m", "CLEW_MODEL_BASE_URL": f"{url}/v1", "CLEW_MODEL_API_KEY": "k"}
    for name, value in (given if setting == "model" else {f"CLEW_{setting.upper()}": url}).items():
        monkeypatch.setenv(name, value)
    assert run(["--home", str(clew_home), "ask", "who directed Heat?", "-g", films, "--json"]) == 0
    out, err = capsys.readouterr()
    assert [each["name"] for each in json.loads(out)["answers"]] == ["Michael Mann"]
    assert "Traceback" not in err
    if setting != "node_reasoner":  # This question does not need it.
        assert "reached" in json.loads(out)["explanation"] + err


@pytest.mark.parametrize("jump", [-3600.0, -10 * 365 * 86400.0, 3600.0, 10 * 365 * 86400.0])
def test_a_clock_that_jumps_changes_no_answer_and_loses_no_conversation(
    clew_home: Path, films: str, jump: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time
    with clew.connect(films, home=clew_home) as graph:
        session = f"clock-{uuid.uuid4().hex[:6]}"
        first = graph.ask("who directed Heat?", session=session)
        monkeypatch.setattr(time, "time", lambda: real() + jump)
        second = graph.ask("who directed Casino?", session=session)
        third = graph.ask("who directed Heat?", session=session)
        monkeypatch.undo()
        fourth = graph.ask("who directed Casino?", session=session)
        found = [[each.name for each in result.answers] for result in (first, second, third, fourth)]
        assert found == [["Michael Mann"], ["Martin Scorsese"]] * 2
        assert len(graph.client.sessions.turns(session)) == 4
        graph.client.delete_session(session)


def as_nobody() -> None:
    for name in PRELOADED[:4]:
        import_module(name)  # Python's library may lie in a home that nobody else reads.
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("mode", [0o755, 0o700])
@pytest.mark.parametrize("command", [("graphs",), ("ask", "who?"), ("sessions", "list"), ("doctor",)])
def test_a_home_of_another_user_is_refused_with_a_remedy(tmp_path: Path, mode: int, command: tuple[str, ...]) -> None:
    home = tmp_path / "home"
    for folder in (home, home / "database", home / "graphs"):
        folder.mkdir()
        folder.chmod(mode)
    for parent in tmp_path.parents:
        if parent.stat().st_mode & 0o005 != 0o005 and parent != Path("/"):
            parent.chmod(0o755)
    tmp_path.chmod(0o755)
    (home / "conversations.sqlite").touch(mode=0o600)
    process = CommandProcess(home, *command, prepare=as_nobody)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 1, err
    assert "unexpected" not in err
    assert "Traceback" not in err
    assert str(home) in err
    assert err.count("\n") >= 2, "an error, and what to do"


def later(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")


def earlier(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 0")


def use_traces(path: Path) -> int:
    store = TraceStore(path)
    try:
        record(store)
        return len(store.list(100))
    finally:
        store.close()


def use_conversations(path: Path) -> int:
    kept = open_conversations(path)
    try:
        kept.conn.execute("CREATE TABLE IF NOT EXISTS kept (x)")
        with kept.conn:
            kept.conn.execute("INSERT INTO kept VALUES (1)")
        return int(kept.conn.execute("SELECT count(*) FROM kept").fetchone()[0])
    finally:
        kept.close()


def use_journal(path: Path) -> int:
    with Journal(path.parent.parent, path.parent.name) as journal:
        journal.finish(str(time.monotonic()), "v", {}, fresh=False)
        return int(journal._db.execute("SELECT count(*) FROM imports").fetchone()[0])


USES: dict[str, Callable[[Path], int]] = {
    "traces.sqlite": use_traces, "conversations.sqlite": use_conversations, "journal.sqlite": use_journal,
}  # fmt: skip


@pytest.mark.parametrize("name", USES)
def test_files_of_earlier_versions_are_taken_on_and_those_of_later_ones_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "graph" / name
    path.parent.mkdir()
    assert USES[name](path) == 1
    earlier(path)
    assert USES[name](path) == 2
    later(path)
    before = path.read_bytes()
    with pytest.raises(BadInput, match="A later version of Clew wrote it"):
        USES[name](path)
    assert path.read_bytes() == before
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 1")
    assert USES[name](path) == 3


@pytest.mark.parametrize("part", ["entities/index", "snapshot/snapshot"])
@pytest.mark.parametrize("form", ["older", "newer", "without checksums"])
def test_indexes_of_other_versions_are_made_again_and_questions_go_on(
    clew_home: Path, films: str, part: str, form: str
) -> None:
    folder = clew_home / "graphs" / films
    ask = ["--home", str(clew_home), "ask", "which films did Michael Mann direct?", "-g", films]
    assert run([*ask, "--strategies", "pattern"]) == 0
    path = folder / f"{part}.json"
    fields = json.loads(path.read_text())
    fields.pop("checksum")
    if form == "without checksums":  # As earlier versions of Clew wrote it: it is used as it is.
        fields.pop("files")
    else:
        fields["format"] += 1 if form == "newer" else -1
        fields |= {"unheard_of": 1} if form == "newer" else {}
    path.write_text(json.dumps(fields))
    assert run([*ask, "--strategies", "pattern"]) == 0
    again = json.loads(path.read_text())
    assert ("checksum" in again) is (form != "without checksums")
    with clew.connect(films, home=clew_home) as graph:
        assert {each.name for each in graph.ask("which films did Michael Mann direct?")} == {"Heat", "Collateral"}
    if form == "without checksums":
        path.unlink()


@full_suite
def test_an_import_on_a_disk_with_a_limit_is_refused_and_goes_on_without(clew_home: Path, tmp_path: Path) -> None:
    path, name = tmp_path / "facts.txt", f"limited-{uuid.uuid4().hex[:8]}"
    path.write_text("".join(f"film {n}|directed_by|person {n}\n" for n in range(4000)))
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))"
    arguments = ("import", str(path), "--graph", name)
    refused = CommandProcess(clew_home, *arguments, code=limit, prepare=_ignore_the_signal)
    _, err = refused.communicate(timeout=120)
    assert refused.returncode == 1, err
    assert "space" in err, "it says what to do"
    assert "unexpected" not in err
    try:
        process = CommandProcess(clew_home, *arguments)
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        with clew.connect(name, home=clew_home) as graph:
            assert graph.query("MATCH (n) RETURN count(n) AS n").rows == ({"n": 8000},)
    finally:
        run(["--home", str(clew_home), "drop", name, "--yes"])


def _ignore_the_signal() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"[models", b"models = 3"])
def test_a_price_list_that_is_damaged_is_named(clew_home: Path, films: str, tmp_path: Path, content: bytes) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_bytes(content)
    with ScriptedModel("") as server, pytest.raises(ClewError) as failed:
        answers(clew_home, films, model="m", base_url=server.base_url, api_key="k", model_prices=prices)
    assert str(prices) in failed.value.message
