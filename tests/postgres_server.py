"""A PostgreSQL for tests, from the machine's packages (Debian: `apt-get install postgresql`)."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.neo4j_server import free_port

NO_POSTGRES = "PostgreSQL's initdb is not on this machine (Debian: apt-get install postgresql)"


def binaries() -> Path | None:
    """The folder of initdb and pg_ctl, None where PostgreSQL is not installed."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = next((folder for folder in folders if (folder / "initdb").exists()), None)
    on_path = shutil.which("initdb")
    return found or (Path(on_path).parent if on_path else None)


@contextmanager
def server() -> Iterator[str]:
    """The URL of an empty database on loopback; the server runs as long as the context."""
    where = binaries()
    assert where is not None, NO_POSTGRES
    folder = Path(tempfile.mkdtemp(prefix="clew-postgres-"))
    owner = _owner()
    if owner is not None:
        shutil.chown(folder, owner)
    port = free_port()

    def run(*command: str) -> None:
        subprocess.run([str(where / command[0]), *command[1:]], check=True, user=owner, cwd=folder, capture_output=True)

    data = str(folder / "data")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    try:
        run("initdb", "-D", data, "-U", "me", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8")
        run("pg_ctl", "-D", data, "-l", str(folder / "log"), "-o", options, "-w", "start")
        try:
            yield f"postgresql://me:secret@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _owner() -> str | None:
    """PostgreSQL does not run as root."""
    if os.getuid():
        return None
    names = {each.pw_name for each in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
