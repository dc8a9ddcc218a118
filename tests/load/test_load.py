"""Many clients at a real server over loopback: nobody is cut off or left out, and the server keeps nothing of them."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.load.clients import Load, chats, soak
from tests.load.served import Held, Served, served, stored

SECONDS = float(os.environ.get("CLEW_LOAD", "1"))
"""Of chats; `make test-load` asks for 300."""
FULL = SECONDS >= 60
CLIENTS = 200 if FULL else 30
QUESTIONS = int(os.environ.get("CLEW_SOAK", "20000")) if FULL else 40
PLACES = 68 if FULL else 10
pytestmark = pytest.mark.timeout(7200 if FULL else 1800)


@pytest.fixture(scope="module")
def server(clew_home: Path, films: str) -> Iterator[Served]:
    """With room for a third of the clients, so that most are refused at first; warmed up."""
    with served(clew_home, films, CLEW_SERVE_WAITING=str(PLACES - 4)) as running:
        asyncio.run(soak(running.url, films, 2000 if FULL else 30))
        yield running
        assert not any("rror" in line or "Traceback" in line for line in running.errors), running.errors


def without_leaks(load: Load, before: Held, after: Held) -> None:
    print(f"{load}, memory {before.memory} → {after.memory} MB, files {before.files} → {after.files}, "
          f"threads {before.threads} → {after.threads}")  # fmt: skip
    assert after.memory <= before.memory * 1.1
    assert after.files <= before.files + 4  # The pool of connections to the database may grow to its size.
    assert after.threads <= before.threads + 4


def test_chats_are_whole_fair_and_leave_nothing_behind(server: Served, clew_home: Path, films: str) -> None:
    before, cpu, own = server.idle(), server.cpu(), f"chat{uuid.uuid4().hex[:8]}"
    load = asyncio.run(chats(server.url, films, [f"{own}-{n}" for n in range(CLIENTS)], SECONDS, 3 * CLIENTS))
    least, most = load.shares()
    spent = (server.cpu() - cpu) * 1000 / len(load.seconds)
    print(f"{CLIENTS} chats for {SECONDS:g} s: {least} to {most} answers a user, {spent:.1f} ms of CPU an answer")
    without_leaks(load, before, server.idle())
    assert load.faults == []
    assert load.refused, "the load was too small to say anything"
    assert most <= 2 * least + (0 if FULL else 2)
    rows = stored(clew_home, own)
    assert rows["sessions"] == rows["session_origins"] == rows["checkpoints"] == CLIENTS
    assert rows["writes"] == 0


def test_a_soak_leaves_nothing_behind(server: Served, clew_home: Path, films: str) -> None:
    before, cpu = server.idle(), server.cpu()
    load = asyncio.run(soak(server.url, films, QUESTIONS))
    print(f"{QUESTIONS} questions: {(server.cpu() - cpu) * 1000 / QUESTIONS:.1f} ms of CPU a question")
    without_leaks(load, before, server.idle())
    assert (load.faults, len(load.seconds)) == ([], QUESTIONS)
    rows = stored(clew_home, "soak")
    assert rows["checkpoints"] == rows["sessions"]
