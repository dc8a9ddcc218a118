"""The classes of the embedded database, loaded and linked in advance: its JVM starts and answers a first query in half
the time. Run as `python -m tests.java_classes FILE`, in a session of its own, this makes the file that the JVM maps.

Tests start some sixty databases; a JVM without the file does the same, later.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import arcadedb_embedded
import jpype
import neo4j  # noqa: F401  (Two threads import it otherwise.)

from clew.tools.graph.store import daemon, embedded, open_database
from clew.tools.ingest import ImportOptions, load
from tests.film_facts import FACTS

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+IgnoreUnrecognizedVMOptions"
"""What the JVM is told besides: to compile quickly rather than well, and to work in few threads."""
FOLDER = ROOT / ".pytest_cache" / "java"
QUERIES = [
    "MATCH (a)-[r]->(b) WHERE b.name STARTS WITH 'M' RETURN DISTINCT a.name AS name, type(r) AS type ORDER BY name",
    "MATCH (a)-[*1..2]-(b) WHERE a.name IN ['Heat', 'Casino'] AND a <> b RETURN a.name AS name, count(DISTINCT b) AS n",
    "MATCH (a) OPTIONAL MATCH (a)-[r]->(b) WITH a, collect(b.name) AS names RETURN a.name AS name, size(names) AS n",
]


def place() -> Path:
    """Where the file is, or is made: another one for each installation of the database, and for other options."""
    package = Path(arcadedb_embedded.__file__).parent
    found = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(package.glob("jars/*.jar"))]
    return FOLDER / f"{hashlib.sha256(repr((OPTIONS, sys.prefix, found)).encode()).hexdigest()[:16]}.aot"


def begin(path: Path) -> None:
    """Make the file in a process of its own, unless it is there. Databases that start before it is there go without."""
    if path.exists():
        return
    command = [sys.executable, "-m", "tests.java_classes", str(path)]
    quiet = subprocess.DEVNULL
    subprocess.Popen(command, cwd=ROOT, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def use(home: Path) -> None:
    """Once what most tests do with a database; then end the server, which is this process."""
    try:
        while not daemon.status(home).endpoint:
            time.sleep(0.05)
        database = open_database(home)
        (home / "films.txt").write_text(FACTS, encoding="utf-8")
        store = database.open("films", create=True)
        load(store, [home / "films.txt"], ImportOptions(home / "state"))
        for query in QUERIES:
            store.read(query)
            list(store.scan(query))
        store.write("MATCH (n) SET n.seen = true")
        database.drop("films")
        database.close()
    finally:
        os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    path = Path(sys.argv[1])
    made = path.with_suffix(f".{os.getpid()}")
    os.environ["JAVA_TOOL_OPTIONS"] = f"{OPTIONS} '-XX:AOTCacheOutput={made}'"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            threading.Thread(target=use, args=(home,), daemon=True).start()
            embedded.serve(daemon.folder(home), idle_minutes=0, heap="1g")
            jpype.shutdownJVM()
        for old in path.parent.glob("*.aot"):
            old.unlink()
        made.replace(path)
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
