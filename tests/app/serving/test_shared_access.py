"""Tokens, rates and busy conversations that servers share in PostgreSQL, each seen from two servers."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("psycopg_pool", reason="psycopg-pool is not installed: pip install 'clew[postgres]'")

from clew.app.serving.authentication import Caller
from clew.app.serving.busy_sessions import BusySessions
from clew.app.serving.errors import Busy
from clew.app.serving.hosts import hosts_of
from clew.app.serving.middleware import RequestMiddleware
from clew.app.serving.shared_access import LIMITS, TOKENS, SharedRateLimits, TokenTable
from clew.tools.errors import BadInput
from clew.tools.state.claims import Claims
from clew.tools.state.postgres import Postgres
from tests.app.serving.serving_world import until


@pytest.fixture
def servers(state_url: str) -> Iterator[tuple[Postgres, Postgres]]:
    one, two = Postgres(state_url), Postgres(state_url)
    yield one, two
    one.close()
    two.close()


def test_a_token_is_one_for_all_and_only_its_hash_is_kept(servers: tuple[Postgres, Postgres]) -> None:
    one, two = (TokenTable(each.tables(TOKENS)) for each in servers)
    assert (one.there, two.there, one.all()) == (False, False, ())
    token, secret = one.add("ann", ("films",), per_minute=3)
    until(lambda: two.caller(secret) == Caller("ann", frozenset({"films"}), 3, token.id))
    [row] = servers[0].tables(TOKENS).rows("SELECT tokens FROM token_list")
    assert secret not in row["tokens"]
    with pytest.raises(BadInput, match="no token"):
        two.revoke("other")
    two.revoke(token.id)
    until(lambda: one.caller(secret) is None)
    assert one.there


def test_a_minute_s_requests_are_counted_together(servers: tuple[Postgres, Postgres]) -> None:
    one, two = (SharedRateLimits(tables=each.tables(LIMITS)) for each in servers)
    ann = Caller("ann", None, 4, "t")
    assert [each.wait(ann) for each in (one, two, one, two)] == [0, 0, 0, 0]
    assert 1 <= one.wait(ann) <= 15
    assert two.wait(Caller("ann", None, 4, "other")) == two.wait(Caller()) == 0


async def test_one_server_at_a_time_answers_in_a_conversation(servers: tuple[Postgres, Postgres]) -> None:
    one, two = (BusySessions(Claims(each)) for each in servers)

    async def refused(sessions: BusySessions) -> bool:
        try:
            async with sessions.alone("ann/x"):
                return False
        except Busy:
            return True

    async with one.alone("ann/x"), two.alone("ann/y"), one.alone(None):
        assert (await refused(one), await refused(two)) == (True, True)
    assert (await refused(two), await refused(one)) == (False, False)
    one.close()
    two.close()


async def test_without_the_database_requests_are_asked_to_come_back() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        away = Postgres(f"postgresql://me:hunter2@127.0.0.1:{free.getsockname()[1]}/state")

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("let in")

    guarded: Any = RequestMiddleware(app, hosts_of("127.0.0.1", ()), TokenTable(away.tables(TOKENS)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(guarded), base_url="http://127.0.0.1") as client:
        answer = await client.get("/api/me", headers={"Authorization": "Bearer clew_x"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert "does not answer" in answer.json()["detail"]
    assert "hunter2" not in answer.text
