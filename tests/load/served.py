"""A real `clew serve` in a process of its own, and what it holds of the machine."""

from __future__ import annotations

import re
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import httpx

from tests.command_processes import CommandProcess


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds."""

    memory: int
    """Megabytes, of files only those that it has changed."""
    files: int
    """Open files, connections among them."""
    threads: int


@dataclass(slots=True)
class Served:
    """A running server."""

    url: str
    process: CommandProcess
    errors: list[str]
    """The lines that it wrote on standard error."""

    def held(self) -> Held:
        proc = Path("/proc", str(self.process.pid))
        status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines())
        memory = int(status["RssAnon"].split()[0]) // 1024
        return Held(memory, len(list((proc / "fd").iterdir())), int(status["Threads"]))

    def cpu(self) -> float:
        """Seconds that it has computed."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def is_busy(self) -> bool:
        """Whether runs are under way or waiting."""
        ready = httpx.get(f"{self.url}/ready", timeout=60).json()
        return bool(ready["running"] or ready["waiting"])

    def idle(self, seconds: float = 120.0) -> Held:
        """What it holds when no run is under way and no client is connected."""
        ends = time.monotonic() + seconds
        while self.is_busy():
            assert time.monotonic() < ends, "it did not become idle"
            time.sleep(0.1)
        time.sleep(0.3)
        return self.held()


@contextmanager
def served(home: Path, graph: str, **variables: str) -> Iterator[Served]:
    """`clew serve` on one graph of `home`; it receives SIGTERM at the end, and must stop."""
    process = CommandProcess(home, "serve", "--port", "0", "--graph", graph, variables=variables)
    errors: list[str] = []
    try:
        url = next(match[1] for line in process.stderr if (match := re.search(r"on (http://\S+)", line)))
        Thread(target=lambda: errors.extend(process.stderr), daemon=True).start()
        ends = time.monotonic() + 900
        while httpx.get(f"{url}/ready", timeout=60).status_code != 200:
            assert time.monotonic() < ends, "the server did not become ready"
            time.sleep(0.05)
        yield Served(url, process, errors)
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == -signal.SIGTERM  # uvicorn raises the signal again when it has shut down.
    finally:
        process.kill()


def stored(home: Path, prefix: str) -> dict[str, int]:
    """Rows of conversations whose name begins so, by table."""
    tables = {"sessions": "thread", "session_origins": "thread", "session_turns": "thread", "checkpoints": "thread_id",
              "writes": "thread_id"}  # fmt: skip
    with closing(sqlite3.connect(home / "conversations.sqlite")) as file:
        counted = {
            table: file.execute(f"SELECT count(*) FROM {table} WHERE {column} LIKE ?", [f"{prefix}-%"]).fetchone()[0]
            for table, column in tables.items()
        }
    return counted
