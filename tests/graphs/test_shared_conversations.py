"""Conversations in PostgreSQL: what is stored has no secrets, and any text can be stored."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint

pytest.importorskip("psycopg_pool", reason="psycopg-pool is not installed: pip install 'clew[postgres]'")

import psycopg

from clew.app.sessions.store import Sessions
from clew.app.traces.redaction import redacted
from clew.graphs.shared_conversations import SharedConversations
from clew.tools.state.postgres import Postgres

SECRET = "sk-hunter2hunter2hunter2"


def test_no_secret_and_every_text_is_stored(state_url: str) -> None:
    database = Postgres(state_url)
    kept = SharedConversations(database, redacted)
    config: Any = {"configurable": {"thread_id": "a", "checkpoint_ns": ""}}
    values = {"question": f"is {SECRET} a key\x00\ud800?", "turns": [{"said": SECRET}], "count": 3}
    versions: Any = dict.fromkeys(values, "1")
    checkpoint: Any = {**empty_checkpoint(), "channel_values": values, "channel_versions": versions}
    kept.put(config, checkpoint, {"source": "input", "step": -1, "parents": {}}, versions)
    kept.put_writes(
        {"configurable": {**config["configurable"], "checkpoint_id": checkpoint["id"]}}, [("x", SECRET)], "t"
    )
    Sessions(kept).add_turn("a", "films", f"is {SECRET} a key?", {"answers": [], "sentence": f"a\x00b {SECRET}"})
    found = kept.get_tuple(config)
    assert found is not None
    assert found.checkpoint["channel_values"]["question"].endswith(
        "a key\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}?"
    )
    assert found.checkpoint["channel_values"]["count"] == 3
    with psycopg.connect(state_url) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'clew'").fetchall()
        assert {"checkpoints", "checkpoint_blobs", "checkpoint_writes", "session_turns"} <= {name for (name,) in tables}
        for (name,) in tables:
            for row in connection.execute(f"SELECT * FROM clew.{name}").fetchall():
                assert "hunter2" not in str(row), name
    database.close()
