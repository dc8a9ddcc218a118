"""A MariaDB for tests, from the packages of the machine (`mariadb-server-core` and `mariadb-client-core` in Debian)."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.neo4j_server import free_port

NO_MARIADB = "mariadbd is not on this machine (Debian: apt-get install mariadb-server-core mariadb-client-core)"
_START_S = 30
_PROGRAMS = ("mariadbd", "mariadb-install-db", "mariadb")


def binary() -> Path | None:
    """The server, None where MariaDB is not installed."""
    folders = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin"))
    found = [shutil.which(name, path=folders) for name in _PROGRAMS]
    return Path(found[0]) if found[0] and all(found) else None


@contextmanager
def server(script: str) -> Iterator[str]:
    """The URL of the database `shop` that a script fills, on loopback; the server runs as long as the context."""
    where = binary()
    assert where is not None, NO_MARIADB
    folder, port = Path(tempfile.mkdtemp(prefix="clew-maria-")), free_port()
    socket, data = f"--socket={folder}/s", f"--datadir={folder}/data"
    root = ["--user=root"] if os.getuid() == 0 else []
    command = ["mariadb-install-db", "--no-defaults", data, *root, "--auth-root-authentication-method=normal"]
    subprocess.run(command, check=True, capture_output=True)
    options = [f"--port={port}", "--bind-address=127.0.0.1", "--skip-name-resolve", socket, *root]
    running = subprocess.Popen([str(where), "--no-defaults", data, *options], stderr=subprocess.DEVNULL)
    client = ["mariadb", "--no-defaults", "-uroot", socket]
    try:
        deadline = time.monotonic() + _START_S
        while subprocess.run([*client, "-e", "SELECT 1"], capture_output=True).returncode:
            assert time.monotonic() < deadline, "MariaDB did not start"
            time.sleep(0.1)
        user = "CREATE USER 'me'@'127.0.0.1' IDENTIFIED BY 'secret'; GRANT ALL ON shop.* TO 'me'@'127.0.0.1';"
        made = f"CREATE DATABASE shop CHARACTER SET utf8mb4; {user} USE shop; {script}"
        subprocess.run(client, input=made, text=True, check=True)
        yield f"mysql://me:secret@127.0.0.1:{port}/shop"
    finally:
        running.terminate()
        running.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)
