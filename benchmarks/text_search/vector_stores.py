"""Vector stores: how many of the exact nearest neighbours each finds, and in what time.

    python -m benchmarks.text_search.vector_stores --names ../shared/data/metaqa/kb.txt.gz --json FILE
    python -m benchmarks.text_search.vector_stores --names FILE --neo4j bolt://localhost:7687 --user neo4j --password …

Stores the vectors of the names in a file of triples (the first and last field of each line), asks for the nearest ones
of names that are not stored, and compares them with those of the largest cosines. It starts a Chroma server of its own.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from clew.tools.atomic_files import write_json
from clew.tools.embedding import Vectors, shared_minilm
from clew.tools.embedding.chroma import HOME, ChromaServer
from clew.tools.embedding.vector_store import VectorPlace
from clew.tools.graph.store import open_database
from clew.tools.graph.store.vector_index import Neo4jPlace
from tests.chroma_server import chroma_server

BATCH = 1000
ASKED = 200
DEPTHS = (10, 200)


def names_of(path: Path) -> list[str]:
    """The distinct names, sorted."""
    opened: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        fields = (line.rstrip("\n").split("|" if "|" in line else "\t") for line in lines)
        return sorted({name for each in fields for name in (each[0], each[-1]) if name})


def measured(place: VectorPlace, folder: Path, vectors: Vectors, questions: Vectors) -> dict[str, float]:
    """Store the vectors, ask the questions, and delete the vectors."""
    store = place.store(folder)
    began = time.perf_counter()
    collection = store.create("names", {}, vectors.shape[1])
    for first in range(0, len(vectors), BATCH):
        part = vectors[first : first + BATCH]
        ids = [str(first + number) for number in range(len(part))]
        collection.add(ids, part, ids)
    figures = {"seconds to store": round(time.perf_counter() - began, 1)}
    for k in DEPTHS:
        found, times = 0, []
        for question in questions:
            asked = time.perf_counter()
            near = collection.nearest(question, k)
            times.append(time.perf_counter() - asked)
            found += len({int(each.id) for each in near} & set(np.argsort(-(vectors @ question))[:k].tolist()))
        figures[f"recall@{k}"] = round(found / (k * len(questions)), 4)
        figures[f"p50 ms, {k}"] = round(float(np.median(times)) * 1000, 2)
    store.delete("names")
    return figures


def places(given: argparse.Namespace, folder: Path, stack: ExitStack) -> Iterator[tuple[str, VectorPlace]]:
    yield "Chroma in the home", HOME
    (folder / "server").mkdir()
    yield "Chroma server", ChromaServer(stack.enter_context(chroma_server(folder / "server")), "benchmark")
    if given.neo4j:
        database = open_database(folder, given.neo4j, given.user, given.password)
        stack.callback(database.close)
        yield "Neo4j", Neo4jPlace(database, "benchmark")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--names", type=Path, required=True, help="a file of triples, with | or tabs between the fields"
    )
    parser.add_argument("--limit", type=int, default=10_000, help="names that are stored, a random sample")
    parser.add_argument("--neo4j", help="a Neo4j that is measured too")
    parser.add_argument("--user", default="neo4j")
    parser.add_argument("--password", default="")
    parser.add_argument("--json", type=Path, help="file for the figures")
    given = parser.parse_args()
    names = names_of(given.names)
    random.Random(0).shuffle(names)
    chosen = names[: given.limit + ASKED]
    rows = shared_minilm().embed(chosen)
    vectors, questions = rows[:-ASKED], rows[-ASKED:]
    report: dict[str, Any] = {"names": len(vectors), "dimension": vectors.shape[1], "questions": len(questions)}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, place in places(given, folder, stack):
            report[name] = measured(place, folder / "dense", vectors, questions)
            print(name, json.dumps(report[name]), flush=True)
    if given.json is not None:
        write_json(given.json, report)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
