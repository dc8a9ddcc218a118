"""A live server in a thread, over real sockets, for the tests of `clew serve`."""

from __future__ import annotations

import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from sse_starlette.sse import AppStatus

from clew.app.api.client import Client
from clew.app.cli import run
from clew.app.serving.application import Serving, serving_app
from clew.app.serving.authentication import Tokens
from clew.app.serving.hosts import hosts_of
from clew.app.serving.server import uvicorn_server
from clew.app.settings import load_settings
from tests.film_facts import FACTS


@contextmanager
def imported(home: Path, folder: Path, facts: str = FACTS) -> Iterator[str]:
    """A fresh graph of films in the database of `home`."""
    path, name = folder / "films.txt", f"films-{uuid.uuid4().hex[:8]}"
    path.write_text(facts, encoding="utf-8")
    assert run(["--home", str(home), "import", str(path), "--graph", name]) == 0
    yield name
    run(["--home", str(home), "drop", name, "--yes"])


@contextmanager
def namesakes(home: Path, folder: Path) -> Iterator[str]:
    """A fresh graph with two films called Kismet, `kismet-1944` and `kismet-1955`."""
    (folder / "nodes.csv").write_text(
        "id:ID,name,:LABEL,year:int\nkismet-1944,Kismet,Film,1944\nkismet-1955,Kismet,Film,1955\n"
        "dieterle,William Dieterle,Person,\nminnelli,Vincente Minnelli,Person,\n"
    )
    edges = "dieterle,kismet-1944,directed\nminnelli,kismet-1955,directed\n"
    (folder / "edges.csv").write_text(":START_ID,:END_ID,:TYPE\n" + edges)
    files, name = [str(folder / "nodes.csv"), str(folder / "edges.csv")], f"namesakes-{uuid.uuid4().hex[:8]}"
    assert run(["--home", str(home), "import", *files, "--graph", name]) == 0
    yield name
    run(["--home", str(home), "drop", name, "--yes"])


@contextmanager
def listening(app: Any, closing_seconds: float = 5.0) -> Iterator[str]:
    """`app` behind a uvicorn of its own; gives its address."""
    AppStatus.should_exit_event = None  # sse-starlette keeps the first server's loop for the whole process
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    bound.listen(256)
    server = uvicorn_server(app, closing_seconds)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        until(lambda: server.started, 120)
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        bound.close()
        assert not thread.is_alive()


@contextmanager
def serving(home: Path, tokens: Tokens, **given: Any) -> Iterator[str]:
    """`clew serve` on the graphs of `home`, with its settings, ready to be asked."""
    runs, waiting, graphs = given.pop("runs", 4), given.pop("waiting", 64), given.pop("graphs", None)
    closing, workers = given.pop("closing", 10.0), given.pop("workers", 1)
    client = Client(load_settings(home=home, **given))
    app = serving_app(
        client,
        Serving(hosts_of("127.0.0.1", ()), tokens, not tokens.there, (), graphs, runs, waiting, workers),
    )
    try:
        with listening(app, closing) as url:
            until(lambda: httpx.get(f"{url}/ready", timeout=30).status_code == 200, 120)
            yield url
    finally:
        client.close()


def until(holds: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)


def sse(text: str) -> list[tuple[str, str]]:
    """The events of a stream as (event, data)."""
    found = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        lines = [line.partition(": ") for line in block.split("\n") if line and not line.startswith(":")]
        fields = {name: value for name, _, value in lines}
        if fields:
            found.append((fields.get("event", ""), fields.get("data", "")))
    return found
