"""The measurements of one size, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.linking.misspelling import misspell
from benchmarks.scale.graph import Made, make
from clew import Client
from clew.app.api.graph import Graph
from clew.app.evaluation.evaluation import percentiles
from clew.tools.graph.store import daemon

GRAPH = "scale"
COUNT = "MATCH (:Person {name: $name})-[:KNOWS]->()-[:KNOWS]->(found) RETURN count(DISTINCT found) AS found"
_PAGE = resource.getpagesize()
_TICKS = os.sysconf("SC_CLK_TCK")

Figures = dict[str, Any]


def import_graph(client: Client, made: Made) -> Figures:
    graph = client.graph(GRAPH)
    report = graph.import_files(*made.paths, index=False, replace=GRAPH in [each.name for each in client.graphs()])
    return {"nodes": report.nodes, "relationships": report.edges}


def index_names(client: Client, made: Made) -> Figures:
    return {"nodes": client.graph(GRAPH).index(rebuild=True)}


def link(client: Client, made: Made) -> Figures:
    """Linking alone of whole questions, whose names are as in the graph or have one typing error: times, and the share
    whose name comes first."""
    graph = client.graph(GRAPH)
    client.keep_open(3600)
    (first, _), *asked = made.questions
    graph.link(first)
    drawn = random.Random(0)
    misspelt = [(text.replace(name, misspell(name, 1, drawn)), name) for text, name in asked]
    return {**_linked(graph, asked), **{f"misspelt_{name}": value for name, value in _linked(graph, misspelt).items()}}


def _linked(graph: Graph, asked: list[tuple[str, str]]) -> Figures:
    times, cpu, right = [], [], 0
    for text, name in asked:
        began, own = time.perf_counter(), time.process_time()
        found = graph.link(text)
        cpu.append(round(1000 * (time.process_time() - own), 2))
        times.append(1000 * (time.perf_counter() - began))
        right += any(mention.candidates[0].name == name for mention in found if mention.candidates)
    taken = {f"cpu_{at}": value for at, value in _rounded(cpu).items()}
    return {**_rounded(times), **taken, "right": round(right / len(asked), 3), "each_cpu_ms": cpu}


def ask(client: Client, made: Made) -> Figures:
    return _asked(client, made, len(made.questions), {})


def match_patterns(client: Client, made: Made) -> Figures:
    """The same questions as patterns. The first builds the snapshot of the graph."""
    return _asked(client, made, 31, {"method": "simgrag"})


def hubs(client: Client, made: Made) -> Figures:
    """Questions through the node with the most relationships."""
    graph = client.graph(GRAPH)
    client.keep_open(3600)
    graph.ask(made.questions[0][0])
    found: Figures = {}
    for name, text in (
        ("list", f"who lives in {made.hub}?"),
        ("count", f"how many persons live in {made.hub}?"),
        ("two_hops", f"which works are written by a person who lives in {made.hub}?"),
    ):
        began = time.perf_counter()
        result = graph.ask(text)
        answers = [answer.name for answer in result.answers]
        found[name] = {"ms": round(1000 * (time.perf_counter() - began)), "answers": len(answers)}
        if name == "count":
            found[name]["first"] = answers[:1]
    return {**found, "count_times_ms": _counting_times(client, made)}


def _counting_times(client: Client, made: Made) -> list[float]:
    """Milliseconds of single counts in the database, of the two-hop neighbours of persons."""
    graph, times = client.graph(GRAPH), []
    for name in made.persons:
        began = time.perf_counter()
        graph.query(COUNT, {"name": name})
        times.append(round(1000 * (time.perf_counter() - began), 2))
    return times


STAGES: dict[str, Callable[[Client, Made], Figures]] = {
    "import": import_graph,
    "index": index_names,
    "link": link,
    "ask": ask,
    "patterns": match_patterns,
    "hubs": hubs,
}


def _asked(client: Client, made: Made, count: int, options: Mapping[str, Any]) -> Figures:
    graph = client.graph(GRAPH)
    (opening, _), *asked = made.questions[:count]
    client.keep_open(3600)
    began = time.perf_counter()
    graph.ask(opening, **options)  # type: ignore[arg-type]
    first = time.perf_counter() - began
    times, answered, own = [], 0, time.process_time()
    for text, _ in asked:
        began = time.perf_counter()
        answered += bool(graph.ask(text, **options).answers)  # type: ignore[arg-type]
        times.append(1000 * (time.perf_counter() - began))
    figures = {"cpu_ms": _mean_cpu(own, len(asked)), "answered": round(answered / len(asked), 3)}
    return {"first_s": round(first, 2), **_rounded(times), **figures}


def _mean_cpu(since: float, count: int) -> float:
    """Milliseconds of the processor that this process has taken for each of `count` questions."""
    return round(1000 * (time.process_time() - since) / count, 1)


def _rounded(times: list[float]) -> Figures:
    return {f"{at}_ms": value and round(value, 1) for at, value in percentiles(times).items()}


def measured(stage: str, size: int, folder: Path, seed: int) -> Figures:
    """Run a stage in a fresh process: its figures, seconds by the clock and of the processor, and memory."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(theirs, stage, size, folder, seed))
    process.start()
    theirs.close()
    try:
        found: Figures = ours.recv()
    except EOFError:
        found = {"failed": "the process ended"}
    process.join()
    return found


def _run(connection: Any, stage: str, size: int, folder: Path, seed: int) -> None:
    made = make(size, folder / "files", seed)
    home = folder / "home"
    pid = daemon.ensure_running(home).pid
    before, began = _cpu_of(pid), time.perf_counter()
    own = time.process_time()
    try:
        with Client(home=home) as client:
            found = STAGES[stage](client, made)
    except Exception as error:  # the parent waits for an answer
        found = {"failed": f"{type(error).__name__}: {error}"}
    alive = Path(f"/proc/{pid}").exists()  # A database ends itself when a query takes all of its memory.
    connection.send({
        **found,
        "seconds": round(time.perf_counter() - began, 2),
        "cpu_s": round(time.process_time() - own, 2),
        "database_cpu_s": round(_cpu_of(pid) - before, 2) if alive else None,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        "database_mib": _resident(pid) >> 20 if alive else None,
        "load": round(os.getloadavg()[0], 1),
    })  # fmt: skip


def _cpu_of(pid: int) -> float:
    """Seconds of the processor that a process of Linux has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
