"""A Chroma server for tests, as `chroma run` starts it, on a free port of loopback."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.neo4j_server import free_port

START_LIMIT_S = 120.0


@contextmanager
def chroma_server(folder: Path) -> Iterator[str]:
    """The address of a server that keeps its data in a folder; it ends with the block."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(folder), "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen([*command, "--host", "127.0.0.1"], stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(address, server)
        yield address
    finally:
        server.terminate()
        server.wait(30)


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while server.poll() is None and time.monotonic() < deadline:
        try:
            httpx.get(f"{address}/api/v2/heartbeat", timeout=5).raise_for_status()
            return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise RuntimeError("The Chroma server did not start.")
