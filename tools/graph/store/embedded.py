"""The embedded database's server process: ArcadeDB with Bolt and HTTP on loopback, one per home.

Run as `python -m clew.tools.graph.store.embedded --home DIR`; `daemon` starts and finds it. While it lives it holds a
lock on `server.lock` and so owns DIR:

    secret            password of the administrator, created once (mode 0600)
    endpoint.json     the server's addresses, only while it is ready (mode 0600)
    asked             a client that cannot use them asks for both again
    activity          its modification time is when a client last used the server
    databases/        the graphs
    damaged/          graphs whose files are damaged, if there were any
    server-*.log      the engine's log, bounded; startup.log has the output of the last start
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import socket
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import filelock

from clew.tools.graph.store.arcadedb import READER, ArcadeDB, reader_password
from clew.tools.graph.store.endpoint import ENDPOINT, Endpoint, is_asked, private_file, publish, stored_secret
from clew.tools.graph.store.torn_pages import rewind
from clew.tools.graph.store.watchdog import ENDED, Watchdog

HOST = "127.0.0.1"
EXIT_IN_USE = 3
"""Exit status where another server owns the home."""
DAMAGED = "damaged"
"""The folder of databases that could not be opened."""
LOCK_SECONDS = 5.0
"""A client that checks whether a server lives holds the lock for a moment."""

_NOT_DAMAGE = re.compile(r"lock|already|in use|no space|quota|denied|permission", re.IGNORECASE)
"""What the engine says where it cannot open a database whose files may be sound."""
_PORT_ATTEMPTS = 5
_CHECK_S = 0.2
_STOP_LIMIT_S = 20.0
_END_LIMIT_S = 2.0
"""The same where a query does not end."""
_LOGGING = """\
handlers = java.util.logging.FileHandler
.level = INFO
io.undertow.level = WARNING
org.xnio.level = WARNING
org.jboss.level = WARNING
java.util.logging.FileHandler.pattern = server-%g.log
java.util.logging.FileHandler.limit = 1000000
java.util.logging.FileHandler.count = 2
java.util.logging.FileHandler.append = true
java.util.logging.FileHandler.formatter = com.arcadedb.log.LogFormatter
"""
_ENGINE_SETTINGS = {
    "arcadedb.opencypher.loadCsv.allowFileUrls": "false",
    "arcadedb.opencypher.loadCsv.allowRemoteUrls": "false",
    # A stream that is read slowly counts as running, so with a limit four open scans would stop everything else.
    "arcadedb.queryMaxConcurrent": "0",
    # A batch of 5,000 rows with texts is longer than the default of 16 MiB.
    "arcadedb.bolt.maxMessageSize": str(256 * 1024 * 1024),
}


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind((HOST, 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def _rewind_all(home: Path) -> None:
    """Mend the pages that were being written when the server was killed. A log that cannot be read keeps no other graph
    from being served."""
    import jpype

    for database in (home / "databases").glob("*"):
        try:
            pages = rewind(database)
        except (OSError, jpype.JException) as error:
            print(f"{database}: the log cannot be read: {error}", file=sys.stderr, flush=True)
        else:
            if pages:
                print(f"{database}: the log is applied to {pages} pages from the start", file=sys.stderr, flush=True)


def _start_engine(home: Path, secret: str, heap: str) -> tuple[Any, int, int]:
    """Start the JVM and the server in it; returns the server, its Bolt port and its HTTP port."""
    import jpype
    from arcadedb_embedded.jvm import start_jvm

    # -Xrs leaves SIGTERM and SIGINT to Python. The log's path is relative, so the home may have any name.
    jvm: dict[str, Any] = {
        "heap_size": heap,
        "jvm_args": ["-Xrs", "-XX:+ExitOnOutOfMemoryError", "-Djava.util.logging.config.file=logging.properties"],
    }
    start_jvm(**jvm)
    configuration = jpype.JClass("com.arcadedb.GlobalConfiguration")
    for key, value in _ENGINE_SETTINGS.items():
        configuration.findByKey(key).setValue(value)
    _rewind_all(home)

    from arcadedb_embedded.exceptions import ArcadeDBError
    from arcadedb_embedded.server import ArcadeDBServer

    for attempt in range(_PORT_ATTEMPTS):
        bolt_port, http_port = _free_ports(2)
        server = ArcadeDBServer(
            str(home),
            root_password=secret,
            config={
                "host": HOST,
                "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
                "bolt_port": bolt_port,
                "http_port": http_port,
            },
            jvm_kwargs=jvm,
        )
        try:
            server.start()
        except ArcadeDBError:
            # Another process may have taken a port since it was seen to be free, or a graph's files may be damaged.
            if attempt + 1 == _PORT_ATTEMPTS:
                raise
            with suppress(ArcadeDBError):
                server.stop()
            set_aside_damaged(home)
        else:
            return server, bolt_port, http_port
    raise AssertionError("unreachable")


def set_aside_damaged(home: Path) -> None:
    """Move the databases that cannot be opened to `damaged/`, so that they do not keep the others from being served."""
    from arcadedb_embedded import DatabaseFactory
    from arcadedb_embedded.exceptions import ArcadeDBError

    for place in sorted(path for path in (home / "databases").iterdir() if path.is_dir()):
        try:
            DatabaseFactory(str(place)).open().close()
        except ArcadeDBError as error:
            if _NOT_DAMAGE.search(str(error)):
                continue
            print(f"{place} cannot be opened and is set aside: {error}", file=sys.stderr, flush=True)
            (home / DAMAGED).mkdir(mode=0o700, exist_ok=True)
            place.rename(home / DAMAGED / f"{place.name}-{time.strftime('%Y%m%d-%H%M%S')}")


def _accept(server: Any, secret: str) -> None:
    """Have the engine accept the secret, also where the users that it has stored belong to another one."""
    import jpype

    security = server._java_server.getSecurity()
    try:
        security.authenticate("root", secret, None)
    except jpype.JException:
        security.setUserPassword("root", secret)
        security.dropUser(READER)


def _wait(home: Path, server: Any, endpoint: Endpoint, stop: threading.Event, idle_s: float) -> list[str]:
    """Serve until `stop` is set, or until no client has used the server for `idle_s` (0: never): enforce the time limit
    of queries, and tell clients where the server is.

    Returns the queries that do not end, so that the process must.
    """
    running = server._java_server.getRunningQueries()
    watchdog = Watchdog(running)
    activity = home / "activity"
    activity.touch()
    while not stop.wait(_CHECK_S):
        if is_asked(home):
            with suppress(OSError):  # The disk may be full.
                publish(home, endpoint)
        if not running.size():
            with suppress(FileNotFoundError):
                if idle_s and time.time() - activity.stat().st_mtime > idle_s:
                    return []
            continue
        if hung := watchdog.hung():
            print(f"These queries do not end, so the server does: {hung}", file=sys.stderr, flush=True)
            return hung
    return []


def _warm_up(bolt_port: int, secret: str, names: list[str]) -> None:
    """Run a first query of each kind before the first question, since it loads classes for seconds."""
    from neo4j import GraphDatabase

    with (
        suppress(Exception),
        GraphDatabase.driver(f"bolt://{HOST}:{bolt_port}", auth=("root", secret)) as driver,
    ):
        for name in names[:4]:
            with driver.session(database=name) as session:
                session.run("MATCH (a)-[r]->(b) WITH a, r, b LIMIT 5 RETURN labels(a), type(r), b.name").consume()


def serve(home: Path, idle_minutes: float, heap: str) -> int:
    """Own `home` and serve it until a signal or idleness stops it; returns the exit status."""
    home.mkdir(parents=True, exist_ok=True)
    os.chdir(home)
    lock = filelock.FileLock(home / "server.lock")
    try:
        lock.acquire(timeout=LOCK_SECONDS)
    except filelock.Timeout:
        print("another server owns this home", file=sys.stderr)
        return EXIT_IN_USE
    (home / ENDPOINT).unlink(missing_ok=True)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())

    secret = stored_secret(home)
    (home / "logging.properties").write_text(_LOGGING, encoding="ascii")
    os.environ["ARCADEDB_JVM_ERROR_FILE"] = "jvm-error.log"
    server, bolt_port, http_port = _start_engine(home, secret, heap)
    names = [str(name) for name in server._java_server.getDatabaseNames()]
    # Before a client can find the server: it may connect as the reader at once.
    _accept(server, secret)
    ArcadeDB(f"http://{HOST}:{http_port}", "root", secret).ensure_reader(reader_password(secret))
    endpoint = Endpoint(HOST, bolt_port, http_port, os.getpid(), time.time(), secret)
    publish(home, endpoint)
    threading.Thread(target=_warm_up, args=(bolt_port, secret, names), daemon=True).start()
    hung: list[str] = []
    try:
        hung = _wait(home, server, endpoint, stop, idle_minutes * 60)
    finally:
        private_file(home / ENDED, json.dumps({"pid": os.getpid(), "queries": hung}))
        (home / ENDPOINT).unlink(missing_ok=True)
        overdue = threading.Timer(_END_LIMIT_S if hung else _STOP_LIMIT_S, os._exit, args=(1,))
        overdue.daemon = True
        overdue.start()
        server.stop()
    lock.release()
    return 0


def main() -> None:
    """Run the server of the embedded database."""
    parser = argparse.ArgumentParser(description="Clew's embedded database server (started by Clew itself).")
    parser.add_argument("--home", type=Path, required=True, help="folder of the databases")
    parser.add_argument("--idle-minutes", type=float, default=30.0, help="stop after so long without use; 0: never")
    parser.add_argument("--heap", default="1g", help="most memory of the engine, such as 1g or 512m")
    arguments = parser.parse_args()
    status = 1
    try:
        status = serve(arguments.home.absolute(), arguments.idle_minutes, arguments.heap)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        # The JVM's threads are not waited for: the databases are closed, or the server has not become ready.
        os._exit(status)


if __name__ == "__main__":
    main()
