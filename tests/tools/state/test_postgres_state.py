"""State in PostgreSQL: what it keeps, who holds what, and what it says when it is away."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.errors import BadInput, DatabaseUnavailable
from clew.tools.state.tables import among, having
from tests.app.serving.serving_world import until

psycopg = pytest.importorskip("psycopg", reason="the driver psycopg is not installed: pip install 'clew[postgres]'")
pytest.importorskip("psycopg_pool", reason="psycopg-pool is not installed: pip install 'clew[postgres]'")

from clew.tools.state.claims import Claims  # noqa: E402
from clew.tools.state.postgres import Postgres, PostgresTables, place_of, storable  # noqa: E402

SCRIPT = """
CREATE TABLE IF NOT EXISTS things (name TEXT PRIMARY KEY, at REAL NOT NULL, data BLOB, said TEXT) WITHOUT ROWID;
"""


@pytest.fixture
def database(state_url: str) -> Iterator[Postgres]:
    opened = Postgres(state_url)
    yield opened
    opened.close()


@pytest.fixture
def things(database: Postgres) -> PostgresTables:
    return database.tables(SCRIPT)


def test_what_is_written_is_read(things: PostgresTables) -> None:
    at = 1_764_000_000.123456
    rows: list[dict[str, Any]] = [
        {"name": "50% of “it”:x", "at": at, "data": b"\x00\xff", "said": None},
        {"name": "'; DROP TABLE things; --", "at": 0.0, "data": None, "said": '{"key": "a\\u0000b"}'},
    ]
    with things.changes() as change:
        change.insert("things", rows)
        change.insert("things", [])
    found = things.rows("SELECT * FROM things WHERE name LIKE '%it%'")
    assert [dict(row) for row in found] == rows[:1]
    condition, values = among("name", [rows[1]["name"], "other"])
    [row] = things.rows(f"SELECT {things.text_in('said', 'key')} AS said FROM things WHERE {condition}", values)
    assert row["said"] == "a\N{REPLACEMENT CHARACTER}b"
    assert things.rows(f"SELECT name FROM things WHERE {among('name', [])[0]}") == []


def test_what_raises_is_undone(things: PostgresTables) -> None:
    row = {"name": "x", "at": 1.0, "data": None, "said": None}

    def write() -> None:
        with things.changes() as change:
            change.insert("things", [row])
            raise ValueError("undone")

    with pytest.raises(ValueError, match="undone"):
        write()
    assert things.rows("SELECT * FROM things") == []


@given(st.text(alphabet=st.characters(codec=None)))
def test_every_text_can_be_stored(text: str) -> None:
    assert "\x00" not in storable(text)
    storable(text).encode()
    if text.isascii() and "\x00" not in text and "\\" not in text:
        assert storable(text) == text
    assert "\x00" not in json.loads(storable(json.dumps(text, ensure_ascii=False)))


@given(st.text("ab%_!"), st.text("ab%_!"))
def test_a_search_finds_what_has_the_text(text: str, wanted: str) -> None:
    import sqlite3

    query = "SELECT lower(:text) LIKE :search ESCAPE '!'"
    found = sqlite3.connect(":memory:").execute(query, {"text": text, "search": having(wanted)}).fetchone()
    assert bool(found[0]) == (wanted.lower() in text.lower())


def test_one_at_a_time_holds_a_name_and_the_death_of_its_process_frees_it(database: Postgres, state_url: str) -> None:
    other = Postgres(state_url)
    ours, theirs = Claims(database), Claims(other)
    assert (ours.take("ann/x"), ours.take("ann/x"), theirs.take("ann/x"), theirs.take("ann/y")) == (
        True, False, False, True,
    )  # fmt: skip
    ours.give("ann/x")
    assert theirs.take("ann/x")
    assert theirs._connection is not None
    theirs._connection.close()  # As of a process that is killed.
    until(lambda: ours.take("ann/x"))
    assert theirs.take("ann/z")
    assert not ours.take("ann/y")  # The new connection holds what the lost one held.
    ours.close()
    theirs.close()
    other.close()


def test_a_database_that_is_away_is_named_without_its_password() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"postgresql://me:hunter2@127.0.0.1:{free.getsockname()[1]}/state"
        with pytest.raises(DatabaseUnavailable) as raised:
            Postgres(url).tables(SCRIPT).rows("SELECT * FROM things")
    assert "The PostgreSQL 127.0.0.1/state does not answer" in str(raised.value)
    assert "hunter2" not in str(raised.value)
    assert "hunter2" not in place_of(url)
    with pytest.raises(BadInput) as wrong:
        Postgres("postgresql://me:hunter2%zz@x/state").connected()
    assert "hunter2" not in str(wrong.value)


def test_a_later_format_is_refused(database: Postgres, state_url: str, things: PostgresTables) -> None:
    assert things.rows("SELECT * FROM things") == []
    with psycopg.connect(state_url, autocommit=True) as connection:
        connection.execute("UPDATE clew.format SET number = 99")
    with pytest.raises(BadInput, match="format 99"):
        Postgres(state_url).tables(SCRIPT).rows("SELECT * FROM things")


def test_the_connections_open_again(database: Postgres, things: PostgresTables) -> None:
    assert things.rows("SELECT * FROM things") == []
    database.close()
    assert things.rows("SELECT * FROM things") == []
