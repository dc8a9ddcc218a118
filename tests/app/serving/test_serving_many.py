"""Several servers at once: they share conversations, tokens, rates and traces, and any one of them may go away."""

from __future__ import annotations

import signal
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests import nginx_server
from tests.app.serving.serving_world import until
from tests.app.serving.two_servers import Database, Pair, Server, pair
from tests.film_facts import FACTS
from tests.scripted_model import Request, Said, ScriptedModel

LEFT_OUT_SECONDS = 2.5
"""More than nginx leaves out a server that it could not reach: `fail_timeout` of its site."""


class Slow:
    """A model whose replies take `wait` seconds."""

    wait = 0.0

    def __call__(self, request: Request) -> Said:
        return Said("<answers>Michael Mann</answers>", wait=self.wait)


@pytest.fixture(scope="module")
def slow() -> Slow:
    return Slow()


@pytest.fixture(scope="module")
def servers(
    clew_home: Path, tmp_path_factory: pytest.TempPathFactory, make_state: Callable[[], str], slow: Slow
) -> Iterator[Pair]:
    if nginx_server.binary() is None:
        pytest.skip(nginx_server.NO_NGINX)
    with ScriptedModel(slow) as model:
        settings = {
            "CLEW_MODEL": "scripted",
            "CLEW_MODEL_BASE_URL": model.base_url,
            "CLEW_MODEL_API_KEY": "sk-scripted",
        }
        database, folder = Database.of_home(clew_home), tmp_path_factory.mktemp("pair")
        with pair(database, folder, make_state(), {"CLEW_SERVE_DRAINING_SECONDS": "3"}, **settings) as made:
            yield made


@pytest.fixture(autouse=True)
def both_run(servers: Pair, slow: Slow) -> None:
    """A test that failed may have left one of them ended, or the model slow."""
    slow.wait = 0.0
    for server in (servers.one, servers.two):
        if server.process is None or server.process.returncode is not None:
            server.start()


def name() -> str:
    return f"s-{uuid.uuid4().hex[:8]}"


def answers(response: httpx.Response) -> set[str]:
    assert response.status_code == 200, response.text
    return {each["name"] for each in response.json()["answers"]}


def test_a_conversation_goes_on_at_the_other_server(servers: Pair) -> None:
    session, one, two = name(), servers.one, servers.two
    assert answers(servers.ask("who directed Casino?", session, at=one)) == {"Martin Scorsese"}
    assert answers(servers.ask("and who starred in it?", session, at=two)) == {"Robert De Niro", "Sharon Stone"}
    assert answers(servers.ask("when was it released?", session)) == {"1995"}
    said = ["who directed Casino?", "and who starred in it?", "when was it released?"]
    assert servers.questions(session, one) == servers.questions(session, two) == said
    trace = servers.ask("who directed Heat?", at=one).json()["trace_id"]
    with servers.client(two.url) as client:
        assert client.get(f"/api/traces/{trace}").json()["question"] == "who directed Heat?"
        assert client.put(f"/api/traces/{trace}/feedback", json={"rating": "up"}).status_code == 204
        assert client.patch(f"/api/sessions/{session}", json={"name": f"{session}-renamed"}).status_code == 200
    with servers.client(one.url) as client:
        assert "Michael Mann" in client.get("/api/feedback").text
    assert servers.questions(f"{session}-renamed", one) == said


def test_only_one_server_answers_in_a_conversation_and_the_other_one_takes_over_when_it_is_killed(
    servers: Pair, slow: Slow
) -> None:
    session = name()
    assert answers(servers.ask("who directed Casino?", session)) == {"Martin Scorsese"}
    slow.wait = 60.0
    with ThreadPoolExecutor(2) as pool:
        asked = pool.submit(servers.ask, "who directed Heat?", session, without_model=False)
        until(lambda: servers.one.running() + servers.two.running() == 1, 60)
        busy, other = (servers.one, servers.two) if servers.one.running() else (servers.two, servers.one)
        assert servers.ask("and who starred in it?", session, at=other).status_code == 409
        direct = pool.submit(servers.ask, "who directed Heat?", direct_session := name(), at=busy, without_model=False)
        until(lambda: busy.running() == 2, 60)
        slow.wait = 0.0
        busy.end(signal.SIGKILL)
        assert answers(asked.result(60)) == {"Michael Mann"}
        assert isinstance(direct.exception(30), httpx.TransportError)
    until(lambda: servers.ask("who directed Casino?", direct_session, at=other).status_code == 200, 60)
    assert servers.questions(direct_session, other) == ["who directed Casino?"]
    for _ in range(4):
        assert answers(servers.ask("who directed Heat?")) == {"Michael Mann"}
    busy.start()
    for server in (other, busy):
        assert servers.questions(session, server) == ["who directed Casino?", "who directed Heat?"]


def test_a_rolling_restart_drops_no_request(servers: Pair) -> None:
    """The second server drains."""
    done, failed, ended = [], [], threading.Event()

    def chat() -> tuple[str, int]:
        session, asked = name(), 0
        while not ended.wait(0.1):
            response = servers.ask(("who directed Heat?", "who starred in Casino?")[asked % 2], session)
            (done if response.status_code == 200 else failed).append(response)
            asked += 1
        return session, asked

    with ThreadPoolExecutor(3) as pool:
        chats = [pool.submit(chat) for _ in range(3)]
        try:
            servers.one.end(signal.SIGTERM)
            servers.one.start()
            time.sleep(LEFT_OUT_SECONDS)
            drained(servers, servers.two)
            servers.two.start()
        finally:
            ended.set()
        asked = dict(each.result(60) for each in chats)
    assert [(each.status_code, each.text) for each in failed] == []
    assert len(done) == sum(asked.values()) > 10
    assert {session: len(servers.questions(session, servers.two)) for session in asked} == asked


def drained(servers: Pair, server: Server) -> None:
    """End a server that goes on for CLEW_SERVE_DRAINING_SECONDS: it says that it is not ready, and answers."""
    assert server.process is not None
    server.process.send_signal(signal.SIGTERM)
    until(lambda: httpx.get(f"{server.url}/ready", timeout=10).status_code == 503)
    assert answers(servers.ask("who directed Heat?", at=server)) == {"Michael Mann"}
    assert server.process.wait(30) in (0, -signal.SIGTERM)


def test_a_token_and_its_rate_are_one_for_all(servers: Pair) -> None:
    from clew.app.serving.shared_access import TOKENS, TokenTable
    from clew.tools.state.postgres import Postgres

    database = Postgres(servers.one.variables["CLEW_STATE_URL"])
    tokens = TokenTable(database.tables(TOKENS))
    (token, secret), (_, without_rate) = tokens.add("bob", per_minute=4), tokens.add("eve")

    def seen(url: str, secret: str = secret) -> int:
        with servers.client(url, secret) as client:
            return client.get("/api/me").status_code

    urls = [servers.one.url, servers.two.url]
    until(lambda: [seen(url, without_rate) for url in urls] == [200, 200])
    assert [seen(url) for url in (*urls, *urls, urls[0])] == [200, 200, 200, 200, 429]
    tokens.revoke(token.id)
    until(lambda: [seen(url) for url in urls] == [401, 401])
    [kept] = database.tables(TOKENS).rows("SELECT tokens FROM token_list")
    assert secret not in kept["tokens"]
    database.close()


def test_an_import_is_seen_by_both(servers: Pair, tmp_path: Path) -> None:
    (tmp_path / "films.txt").write_text(FACTS + "Ronin|directed_by|John Frankenheimer\n", encoding="utf-8")
    assert servers.command("import", str(tmp_path / "films.txt"), "--graph", servers.graph, "--replace")[0] == 0
    for server in (servers.one, servers.two):
        until(lambda at=server: answers(servers.ask("who directed Ronin?", at=at)) == {"John Frankenheimer"}, 60)  # type: ignore[misc]
