"""Two `clew serve` processes with homes of their own, that share a graph's database and a PostgreSQL, behind nginx."""

from __future__ import annotations

import signal
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from clew.tools.graph.store import daemon
from tests import nginx_server
from tests.command_processes import CommandProcess
from tests.film_facts import FACTS
from tests.neo4j_server import free_port


@dataclass
class Server:
    """One process, on an address that stays the same."""

    home: Path
    graph: str
    variables: dict[str, str]
    port: int = field(default_factory=free_port)
    process: CommandProcess | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    def start(self) -> None:
        self.process = CommandProcess(
            self.home, "serve", "--port", str(self.port), "--graph", self.graph, variables=self.variables
        )
        until = time.monotonic() + 400
        while not self.ready:
            assert self.process.returncode is None, self.process.communicate()[1]
            assert time.monotonic() < until
            time.sleep(0.05)

    @property
    def ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/ready", timeout=10).status_code == 200
        except httpx.TransportError:
            return False

    def running(self) -> int:
        return int(httpx.get(f"{self.url}/ready", timeout=10).json()["running"])

    def end(self, number: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(60)
            self.process = None


@dataclass
class Pair:
    """Both servers, and the address in front of them."""

    one: Server
    two: Server
    url: str
    secret: str
    """A token for all graphs."""
    graph: str

    def client(self, url: str = "", secret: str = "") -> httpx.Client:
        headers = {"Authorization": f"Bearer {secret or self.secret}"}
        return httpx.Client(base_url=url or self.url, headers=headers, timeout=120)

    def ask(
        self, question: str, session: str | None = None, *, at: Server | None = None, **more: Any
    ) -> httpx.Response:
        """Ask without a model, unless `without_model=False`."""
        asked = {"question": question, "graph": self.graph, "stream": False, "without_model": True, **more}
        with self.client("" if at is None else at.url) as client:
            return client.post("/api/ask", json=asked | ({"session": session} if session else {}))

    def questions(self, session: str, at: Server) -> list[str]:
        with self.client(at.url) as client:
            return [turn["question"] for turn in client.get(f"/api/sessions/{session}").json()["turns"]]

    def command(self, *arguments: str) -> tuple[int, str]:
        """The status and the output of `clew` with the home and the settings of the first server."""
        process = CommandProcess(self.one.home, *arguments, variables=self.one.variables)
        said, _ = process.communicate(timeout=120)
        return process.wait(), said


@dataclass(frozen=True)
class Database:
    """A database of graphs that both servers use."""

    url: str
    user: str
    password: str
    http_url: str = ""

    @classmethod
    def of_home(cls, home: Path) -> Database:
        """The embedded database of a home, as others reach it."""
        found = daemon.ensure_running(home)
        return cls(found.bolt_url, "root", found.secret, found.http_url)

    @property
    def settings(self) -> dict[str, str]:
        return {
            "CLEW_DATABASE_URL": self.url, "CLEW_DATABASE_USER": self.user, "CLEW_DATABASE_PASSWORD": self.password,
            "CLEW_DATABASE_HTTP_URL": self.http_url,
        }  # fmt: skip


@contextmanager
def pair(
    database: Database, folder: Path, state_url: str, of_two: Mapping[str, str] | None = None, **variables: str
) -> Iterator[Pair]:
    """Two servers on a fresh graph of films. The second one has also the variables `of_two`."""
    graph, facts = f"pair-{uuid.uuid4().hex[:8]}", folder / "films.txt"
    facts.write_text(FACTS, encoding="utf-8")
    settings = {"CLEW_STATE_URL": state_url, **database.settings, **variables}
    one, two = Server(folder / "one", graph, settings), Server(folder / "two", graph, settings | dict(of_two or {}))
    made = Pair(one, two, "", "", graph)
    assert made.command("import", str(facts), "--graph", graph)[0] == 0
    made.secret = made.command("serve", "token", "add", "ann")[1].strip()
    try:
        one.start()
        two.start()
        with nginx_server.in_front_of(one.address, two.address) as made.url:
            yield made
    finally:
        for server in (one, two):
            server.end(signal.SIGTERM)
        made.command("drop", graph, "--yes")
