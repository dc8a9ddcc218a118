"""A real Neo4j Community 5.26 for the tests, run from its Maven artifacts. Needs Java 17 or 21, and `mvn` once.

    python tests/neo4j_server.py start --dir D     prints NEO4J_URI=…, NEO4J_USERNAME=…, NEO4J_PASSWORD=…
    python tests/neo4j_server.py stop --dir D

The artifacts come through `mvn` the first time; their class path is kept in D, so that later starts need no
network. The server listens on loopback only, on free ports, and has APOC core.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

VERSION = os.environ.get("NEO4J_VERSION", "5.26.0")
USER = "neo4j"
START_LIMIT_S = 180.0

_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>clew.tests</groupId>
  <artifactId>neo4j</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId>
      <version>{version}</version></dependency>
    <dependency><groupId>org.neo4j.procedure</groupId><artifactId>apoc-core</artifactId>
      <version>{version}</version><classifier>core</classifier>
      <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>
  </dependencies>
</project>
"""
_CONFIGURATION = """\
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.directories.plugins={home}/plugins
dbms.usage_report.enabled=false
dbms.security.procedures.unrestricted=apoc.*
server.memory.pagecache.size=64m
"""
_JAVA = [
    "java",
    "-Xmx512m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",  # It lives for minutes: the second compiler would cost more than it saves.
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
]


def start(folder: Path) -> dict[str, str]:
    """Start the server unless it runs already; returns the environment variables that lead to it."""
    state = folder / "server.json"
    if (running := _running(state)) is not None:
        return running
    folder.mkdir(parents=True, exist_ok=True)
    class_path = _class_path(folder)
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    for name in ("conf", "plugins", "data", "logs"):
        (home / name).mkdir(parents=True)
    for jar in class_path:
        if "/apoc-core/" in jar:
            shutil.copy(jar, home / "plugins")
    port = free_port()
    (home / "conf" / "neo4j.conf").write_text(_CONFIGURATION.format(port=port, home=home), encoding="utf-8")
    jars = os.pathsep.join(class_path)  # plugins stand on it too, as in Neo4j's own start script
    entry = ["org.neo4j.server.CommunityEntryPoint", f"--home-dir={home}", f"--config-dir={home / 'conf'}"]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [*_JAVA, "-cp", jars, *entry], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    uri, password = f"bolt://127.0.0.1:{port}", secrets.token_urlsafe(12)
    try:
        _set_password(uri, password, server, home / "logs" / "neo4j.log")
    except BaseException:
        server.kill()
        raise
    variables = {"NEO4J_URI": uri, "NEO4J_USERNAME": USER, "NEO4J_PASSWORD": password}
    state.write_text(json.dumps({"pid": server.pid, "variables": variables}), encoding="utf-8")
    return variables


def stop(folder: Path) -> None:
    state = folder / "server.json"
    if _running(state) is None:
        return
    pid = json.loads(state.read_text(encoding="utf-8"))["pid"]
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + 30
    while _alive(pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    state.unlink()


def _class_path(folder: Path) -> list[str]:
    """The jars of the server and of APOC, from the local repository where they are there already."""
    kept = folder / f"class-path-{VERSION}.txt"
    if kept.exists():
        jars = kept.read_text(encoding="utf-8").strip().split(os.pathsep)
        if all(map(os.path.exists, jars)):
            return jars
    pom = folder / "pom.xml"
    pom.write_text(_POM.format(version=VERSION), encoding="utf-8")
    command = ["mvn", "-B", "-q", "-f", str(pom), "dependency:build-classpath", f"-Dmdep.outputFile={kept}"]
    if shutil.which("mvn") is None:
        raise SystemExit("mvn is not installed: it fetches Neo4j's artifacts (Debian: apt install maven).")
    subprocess.run(command, check=True, stdout=sys.stderr)
    return kept.read_text(encoding="utf-8").strip().split(os.pathsep)


def _set_password(uri: str, password: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the server answers, and replace the password that every new Neo4j has."""
    from neo4j import GraphDatabase
    from neo4j.exceptions import DriverError, Neo4jError

    deadline = time.monotonic() + START_LIMIT_S
    while server.poll() is None and time.monotonic() < deadline:
        with (
            suppress(DriverError, Neo4jError, OSError),
            GraphDatabase.driver(uri, auth=(USER, "neo4j")) as driver,
            driver.session(database="system") as session,
        ):
            session.run("ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new", new=password).consume()
            return
        time.sleep(0.5)
    raise SystemExit(f"Neo4j did not start; its log ends:\n{log.read_text(errors='replace')[-2000:]}")


def _running(state: Path) -> dict[str, str] | None:
    """The variables of a server that is still there and takes its password."""
    from neo4j import GraphDatabase

    try:
        known = json.loads(state.read_text(encoding="utf-8"))
        variables: dict[str, str] = known["variables"]
        auth = (variables["NEO4J_USERNAME"], variables["NEO4J_PASSWORD"])
        with GraphDatabase.driver(variables["NEO4J_URI"], auth=auth) as driver:
            driver.verify_connectivity()
    except Exception:
        return None
    return variables


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def free_port() -> int:
    """A port of loopback that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(description="A Neo4j Community server for the tests.")
    parser.add_argument("action", choices=("start", "stop"))
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "clew-tests" / "neo4j"
    parser.add_argument("--dir", type=Path, default=default, help=f"the server's folder (default: {default})")
    arguments = parser.parse_args()
    folder = arguments.dir.absolute()
    if arguments.action == "stop":
        stop(folder)
        return
    for name, value in start(folder).items():
        print(f"{name}={value}")


if __name__ == "__main__":
    main()
