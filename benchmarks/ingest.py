"""Import measured: time and memory against size, on made-up triples, and MetaQA's triples where they are.

Every size is imported by a process of its own into a fresh graph of the embedded database, so that its peak memory is
its own. Linear time shows as a steady rate, flat memory as a steady peak. The peer writes the same triples the
way graph libraries do (`MERGE` of nodes and edges by UNWIND, `SET n += row`), over the same connection.

With --engines, 200,000 made-up triples and MetaQA's are imported into the embedded database and into the Neo4j of
NEO4J_URI (`tests/neo4j_server.py`) in turn, two times each; the faster time counts, as other work disturbs both.

    python -m benchmarks.ingest --json importing.json
    python -m benchmarks.ingest --engines --json importing-engines.json
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import os
import platform
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from clew.tools.graph.store import daemon, open_database
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.ingest import ImportOptions, load

_BATCH = 5000


def main() -> None:
    arguments = _arguments()
    if arguments.engines:
        _written(_engines(arguments.data, arguments.seed), arguments.json)
        return
    sizes = [20_000, 40_000, 80_000] if arguments.quick else [100_000, 250_000, 500_000, 1_000_000]
    report: dict[str, Any] = {
        "command": " ".join(["python", "-m", "benchmarks.ingest", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "seed": arguments.seed,
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("arcadedb-embedded", "neo4j")},
        "memory": "peak resident MiB of the importing process",
        "synthetic": [],
    }
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "home"
        try:
            warm = Path(scratch) / "warm.tsv"
            _write_triples(warm, 5000, arguments.seed)
            _apart(_import, home, "warm-up", warm)
            for size in sizes:
                path = Path(scratch) / f"{size}.tsv"
                _write_triples(path, size, arguments.seed)
                report["synthetic"].append({"triples": size, **_apart(_import, home, f"made-{size}", path)})
                print(report["synthetic"][-1], file=sys.stderr)
            peer = sizes[-1] if arguments.quick else sizes[1]
            report["peer"] = {"triples": peer, **_apart(_peer, home, "peer", Path(scratch) / f"{peer}.tsv")}
            knowledge = arguments.data / "metaqa" / "kb.txt.gz"
            if knowledge.exists():
                report["metaqa"] = _apart(_import, home, "metaqa", knowledge)
            else:
                report["left_out"] = f"MetaQA is not in {arguments.data}"
        finally:
            daemon.stop(home)
    rates = [each["triples"] / each["seconds"] for each in report["synthetic"]]
    report["rate_of_largest_to_smallest"] = round(rates[-1] / rates[0], 2)
    _written(report, arguments.json)


def _written(report: dict[str, Any], path: Path | None) -> None:
    text = json.dumps(report, indent=2)
    print(text)
    if path:
        path.write_text(text + "\n", encoding="utf-8")


def _engines(data: Path, seed: int) -> dict[str, Any]:
    """The best of two imports of each file into each engine, and how fast Neo4j is beside the embedded database."""
    if "NEO4J_URI" not in os.environ:
        raise SystemExit("NEO4J_URI is not set; `python tests/neo4j_server.py start` runs a Neo4j and prints it.")
    report: dict[str, Any] = {"command": "python -m benchmarks.ingest --engines", "date": time.strftime("%Y-%m-%d")}
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "home"
        made = Path(scratch) / "made.tsv"
        _write_triples(made, 200_000, seed)
        try:
            for name, path in (("made", made), ("metaqa", data / "metaqa" / "kb.txt.gz")):
                found: dict[str, Any] = {}
                for number, engine in product(range(2), ("embedded", "neo4j")):
                    way = _import if engine == "embedded" else _import_to_neo4j
                    measured = _apart(way, home, f"bench-{name}-{engine}-{number}", path)
                    print(name, engine, measured, os.getloadavg()[0], file=sys.stderr)
                    if engine not in found or measured["seconds"] < found[engine]["seconds"]:
                        found[engine] = measured
                found["neo4j_to_embedded"] = round(found["neo4j"]["per_second"] / found["embedded"]["per_second"], 2)
                report[name] = found
        finally:
            daemon.stop(home)
    return report


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="under a minute: up to 80,000 triples")
    parser.add_argument("--engines", action="store_true", help="the embedded database and Neo4j side by side")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="default: %(default)s")
    return parser.parse_args()


def _write_triples(path: Path, size: int, seed: int) -> None:
    """Works with makers, years and subjects: a third as many nodes as triples, some of them hubs."""
    drawn = random.Random(seed)
    makers, works = max(10, size // 10), max(10, size // 5)
    with path.open("w", encoding="utf-8") as file:
        for number in range(size):
            work = f"Work {number * works // size}"
            kind = number % 5
            if kind < 2:
                tail = f"Maker {drawn.randrange(makers)}"
                file.write(f"{work}\t{('written_by', 'edited_by')[kind]}\t{tail}\n")
            elif kind == 2:
                file.write(f"{work}\tpublished_in_year\t{1900 + drawn.randrange(120)}\n")
            elif kind == 3:
                file.write(f"{work}\thas_subject\tSubject {int(drawn.paretovariate(0.7)) % (size // 30 + 5)}\n")
            else:
                file.write(f"{work}\tcites\tWork {drawn.randrange(works)}\n")


def _apart(measure: Any, home: Path, graph: str, path: Path) -> dict[str, Any]:
    """Run in a fresh process, and give back what it measured."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=_report, args=(queue, measure, home, graph, path))
    process.start()
    found: dict[str, Any] = queue.get()
    process.join()
    return found


def _report(queue: Any, measure: Any, home: Path, graph: str, path: Path) -> None:
    try:
        found = measure(home, graph, path)
    except Exception as error:  # the parent waits for an answer
        found = {"error": str(error)}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    queue.put({**found, "peak_mib": round(peak / ((1 << 20) if sys.platform == "darwin" else (1 << 10)))})


def _import_to_neo4j(home: Path, graph: str, path: Path) -> dict[str, Any]:
    user, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD")
    database = open_database(home, os.environ["NEO4J_URI"], user, password)
    try:
        return _measured(database, home, graph, path)
    finally:
        database.drop(graph)


def _import(home: Path, graph: str, path: Path) -> dict[str, Any]:
    return _measured(open_database(home), home, graph, path)


def _measured(database: BoltDatabase, home: Path, graph: str, path: Path) -> dict[str, Any]:
    store = database.open(graph, create=True)
    began = time.perf_counter()
    found = load(store, [path], ImportOptions(home / "import"))
    seconds = time.perf_counter() - began
    again = time.perf_counter()
    load(store, [path], ImportOptions(home / "import"))
    return {
        "nodes": found.nodes,
        "relationships": found.edges,
        "seconds": round(seconds, 2),
        "per_second": round((found.nodes + found.edges) / seconds),
        "second_import_seconds": round(time.perf_counter() - again, 2),
    }


def _peer(home: Path, graph: str, path: Path) -> dict[str, Any]:
    store = open_database(home).open(graph, create=True)
    store.ensure_index("Entity", "nodeId")
    began = time.perf_counter()
    by_relation: dict[str, list[list[str]]] = {}
    for head, relation, tail in _triples(path):
        by_relation.setdefault(relation, []).append([head, tail])
    keys = list(dict.fromkeys(key for rows in by_relation.values() for row in rows for key in row))
    for start in range(0, len(keys), _BATCH):
        rows = [{"nodeId": key, "name": key} for key in keys[start : start + _BATCH]]
        store.write("UNWIND $rows AS row MERGE (n:Entity {nodeId: row.nodeId}) SET n += row", {"rows": rows})
    for relation, pairs in by_relation.items():
        cypher = (
            "UNWIND $rows AS row MATCH (a:Entity {nodeId: row[0]}) MATCH (b:Entity {nodeId: row[1]}) "
            f"MERGE (a)-[:{relation}]->(b)"
        )
        for start in range(0, len(pairs), _BATCH):
            store.write(cypher, {"rows": pairs[start : start + _BATCH]})
    return {"way": "MERGE by UNWIND", "seconds": round(time.perf_counter() - began, 2)}


def _triples(path: Path) -> Iterator[list[str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


if __name__ == "__main__":
    main()
