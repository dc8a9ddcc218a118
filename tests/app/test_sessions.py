"""Sessions: kept beside the checkpoints, listed, renamed, deleted, and never another user's."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.base import empty_checkpoint

from clew.app.sessions.store import LONGEST_NAME, TURNS_KEPT, Sessions, UnknownSession, checked_name, thread_of
from clew.graphs.conversations import Conversations, open_conversations
from clew.tools.errors import BadInput

RESULT: dict[str, Any] = {"answers": [{"name": "Michael Mann"}], "confidence": 0.9}


@pytest.fixture(params=["sqlite", "postgres"])
def conversations(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Conversations]:
    if request.param == "sqlite":
        opened = open_conversations(tmp_path / "conversations.sqlite")
        yield opened
        opened.close()
        return
    url = request.getfixturevalue("state_url")
    from clew.graphs.shared_conversations import SharedConversations
    from clew.tools.state.postgres import Postgres

    database = Postgres(url)
    yield SharedConversations(database)
    database.close()


@pytest.fixture
def sessions(conversations: Conversations) -> Sessions:
    return Sessions(conversations)


def checkpointed(conversations: Conversations, thread: str) -> None:
    config: Any = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    conversations.put(config, empty_checkpoint(), {}, {})


def has_checkpoint(conversations: Conversations, thread: str) -> bool:
    return conversations.get_tuple({"configurable": {"thread_id": thread}}) is not None


def test_turns_are_kept_in_order_and_the_latest_session_comes_first(sessions: Sessions) -> None:
    sessions.add_turn("a", "films", "Who directed Heat?", RESULT)
    sessions.add_turn("b", "films", "Who starred in Casino?", RESULT)
    sessions.add_turn("a", "films", "And when?", RESULT)
    assert [(s["name"], s["title"], s["turns"]) for s in sessions.overview()] == [
        ("a", "Who directed Heat?", 2),
        ("b", "Who starred in Casino?", 1),
    ]
    assert [(t["number"], t["question"]) for t in sessions.turns("a")] == [(1, "Who directed Heat?"), (2, "And when?")]
    assert sessions.turns("a")[0]["result"] == RESULT
    assert sessions.graph_of("a") == "films"


def test_a_user_sees_their_own_and_the_terminal_its_own(sessions: Sessions) -> None:
    for thread in ("x", thread_of("ann", "x"), thread_of("bob", "y"), thread_of("an", "z")):
        sessions.add_turn(thread, "films", "Who?", RESULT)
    assert [s["name"] for s in sessions.overview("ann")] == ["x"]
    assert [s["name"] for s in sessions.overview("an")] == ["z"]
    assert [s["name"] for s in sessions.overview()] == ["x"]


def test_renaming_takes_the_checkpoints_along(sessions: Sessions, conversations: Conversations) -> None:
    sessions.add_turn("a", "films", "Who?", RESULT)
    checkpointed(conversations, "a")
    sessions.rename("a", "b")
    assert has_checkpoint(conversations, "b")
    assert not has_checkpoint(conversations, "a")
    assert sessions.turns("b")
    with pytest.raises(UnknownSession):
        sessions.turns("a")


def test_a_name_that_is_taken_is_refused_and_nothing_changes(sessions: Sessions, conversations: Conversations) -> None:
    sessions.add_turn("a", "films", "Who?", RESULT)
    sessions.add_turn("b", "films", "When?", RESULT)
    checkpointed(conversations, "only a checkpoint")
    for taken in ("b", "only a checkpoint"):
        with pytest.raises(BadInput, match="of that name"):
            sessions.rename("a", taken)
    sessions.rename("a", "a")
    assert sessions.turns("b")[0]["question"] == "When?"


def test_deleting_leaves_nothing(sessions: Sessions, conversations: Conversations) -> None:
    sessions.add_turn("a", "films", "Who?", RESULT)
    checkpointed(conversations, "a")
    sessions.delete("a")
    assert sessions.overview() == []
    assert not has_checkpoint(conversations, "a")
    for call in (sessions.turns, sessions.delete, lambda thread: sessions.rename(thread, "c")):
        with pytest.raises(UnknownSession):
            call("a")


def test_only_so_many_turns_are_kept(sessions: Sessions) -> None:
    for number in range(TURNS_KEPT + 3):
        sessions.add_turn("a", "films", f"question {number}", RESULT)
    turns = sessions.turns("a")
    assert len(turns) == TURNS_KEPT
    assert turns[0]["question"] == "question 3"
    assert turns[-1]["number"] == TURNS_KEPT + 3


def test_several_threads_may_write(sessions: Sessions) -> None:
    def write() -> None:
        for _ in range(20):
            sessions.add_turn("a", "films", "Who?", RESULT)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [turn["number"] for turn in sessions.turns("a")] == list(range(1, 81))


@given(st.text())
def test_a_name_is_refused_or_can_be_owned_by_one_user_only(name: str) -> None:
    try:
        checked = checked_name(name)
    except BadInput:
        return
    assert 0 < len(checked) <= LONGEST_NAME
    assert thread_of("ann", checked).split("/") == ["ann", checked]
