"""How many questions a second `clew serve` answers, and how long each waits: a load test by wrk over loopback.

    python benchmarks/serving.py --home HOME --graph NAME --questions FILE... [--workers 1 2] [--connections 8]
    python benchmarks/serving.py --quick                                        # the bundled graph and its questions

HOME holds an imported graph, FILE questions about it ({"question": …} a line, gzip or not). Every question is asked
once (again from the first where they do not last), in an order drawn by --seed; those that warm the server up are not
counted. wrk asks in closed loops: each connection sends its
next question when it has the answer to the last one. CPU is of all the server's processes and of the database's.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DEMO = Path(__file__).resolve().parent.parent / "demo"
WARM = 1500
_TICKS = os.sysconf("SC_CLK_TCK")
_SCRIPT = """
local bodies, at = {}, 0
for line in io.lines(os.getenv("BODIES")) do bodies[#bodies + 1] = line end
request = function()
  at = at + 1
  if at > #bodies then at = 1 end
  return wrk.format("POST", "/api/ask", {["Content-Type"] = "application/json"}, bodies[at])
end
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('RESULT {"requests": %d, "seconds": %f, "failed": %d, "p50": %f, "p95": %f, "p99": %f}\\n',
    summary.requests, summary.duration / 1e6, e.status + e.timeout + e.read + e.write + e.connect,
    latency:percentile(50) / 1e3, latency:percentile(95) / 1e3, latency:percentile(99) / 1e3))
end
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--home", type=Path, help="default: a fresh one with the bundled graph")
    parser.add_argument("--graph", default="demo")
    parser.add_argument("--questions", type=Path, nargs="+", default=[DEMO / "questions.jsonl"])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--connections", type=int, nargs="+", default=[8])
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--quick", action="store_true", help="five seconds with one worker")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args(arguments)
    if shutil.which("wrk") is None:
        print("wrk is not installed (on Debian: apt-get install wrk).")
        return 0 if given.quick else 2
    if given.quick:
        given.workers, given.seconds = [1], 5
    if given.home is not None:
        return _run(given)
    with tempfile.TemporaryDirectory() as folder:
        given.home = Path(folder)
        graph = [str(path) for path in sorted((DEMO / "graph").glob("*.csv"))]
        _clew(given.home, "import", *graph, "--graph", given.graph).wait()
        try:
            return _run(given)
        finally:
            _clew(given.home, "database", "stop").wait()


def _run(given: argparse.Namespace) -> int:
    questions = _shuffled(given.questions, given.seed)
    warm = min(WARM, len(questions) // 2)
    rows = []
    for workers in given.workers:
        with _served(given.home, given.graph, workers) as (url, server):
            _ask_all(url, given.graph, questions[:warm])
            for connections in given.connections:
                row = _measured(url, given, questions[warm:], connections, server)
                rows.append({"workers": workers, "connections": connections, **row})
                print(_line(rows[-1]), flush=True)
    told = {"cores": os.cpu_count(), "graph": given.graph, "questions": len(questions), "runs": rows}
    if given.json:
        given.json.write_text(json.dumps(told, indent=2) + "\n")
    return 0


def _line(row: dict[str, Any]) -> str:
    return (
        f"{row['workers']} worker(s), {row['connections']} connections: {row['rate']:.1f} questions/s, "
        f"p50 {row['p50_ms']:.0f} ms, p95 {row['p95_ms']:.0f} ms, {row['failed']} failed; "
        f"CPU a question: server {row['server_cpu_ms']:.0f} ms, database {row['database_cpu_ms']:.0f} ms"
    )


def _shuffled(files: Sequence[Path], seed: int) -> list[str]:
    found = []
    for file in files:
        text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        found += [json.loads(line)["question"] for line in text.splitlines()]
    random.Random(seed).shuffle(found)
    return found


def _clew(home: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from clew.app.cli import main; main()", *arguments]
    return subprocess.Popen(command, env={**os.environ, "CLEW_HOME": str(home)})


@contextmanager
def _served(home: Path, graph: str, workers: int) -> Iterator[tuple[str, int]]:
    """A server of its own; gives its address and process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = _clew(home, "serve", "--port", str(port), "--graph", graph, "--workers", str(workers))
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_ready(url)
        yield url, process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def _wait_until_ready(url: str, seconds: float = 300.0) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"{url}/ready", timeout=5) as answer:
                if answer.status == 200:
                    return
        except OSError:
            pass
        time.sleep(0.2)
    raise SystemExit("The server did not become ready.")


def _ask_all(url: str, graph: str, questions: Sequence[str]) -> None:
    """Through four connections, which reach every worker."""
    from concurrent.futures import ThreadPoolExecutor

    def ask(question: str) -> None:
        request = urllib.request.Request(f"{url}/api/ask", _body(graph, question).encode())
        request.add_header("Content-Type", "application/json")
        urllib.request.urlopen(request, timeout=60).read()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, questions))


def _body(graph: str, question: str) -> str:
    return json.dumps({"graph": graph, "question": question, "stream": False})


def _measured(
    url: str, given: argparse.Namespace, questions: Sequence[str], connections: int, server: int
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        bodies, script = Path(folder, "bodies"), Path(folder, "ask.lua")
        bodies.write_text("\n".join(_body(given.graph, question) for question in questions))
        script.write_text(_SCRIPT)
        processes = {"server": _family(server), "database": _databases(given.home)}
        before = {name: sum(map(_cpu, ids)) for name, ids in processes.items()}
        command = ["wrk", "-t1", f"-c{connections}", f"-d{given.seconds}s", "--timeout", "60s", "-s", str(script), url]
        told = subprocess.run(command, env={**os.environ, "BODIES": str(bodies)}, capture_output=True, text=True)
        spent = {name: sum(map(_cpu, ids)) - before[name] for name, ids in processes.items()}
    match = re.search(r"RESULT (\{.*\})", told.stdout)
    if match is None:
        raise SystemExit(f"wrk failed: {told.stdout}{told.stderr}")
    found = json.loads(match[1])
    return {
        "rate": round(found["requests"] / found["seconds"], 2),
        "requests": found["requests"],
        "failed": found["failed"],
        **{f"{name}_ms": round(found[name], 1) for name in ("p50", "p95", "p99")},
        **{f"{name}_cpu_ms": round(spent[name] * 1000 / max(found["requests"], 1), 1) for name in spent},
    }


# ---- processes ------------------------------------------------------------------------------------------------------


def _cpu(process: int) -> float:
    """Seconds that a process has taken, its threads' included."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _family(process: int) -> list[int]:
    """A process and all that it began, and so on."""
    found = [process]
    for each in found:
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            found += [int(child) for child in children.read_text().split()]
    return found


def _databases(home: Path) -> list[int]:
    """The embedded database's processes: those whose command line names the home."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(home.resolve()) in command and "clew.tools.graph.store.embedded" in command:
            found.append(int(path.parent.name))
    return found


if __name__ == "__main__":
    sys.exit(main())
