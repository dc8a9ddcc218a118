"""Pattern matching measured: questions over films beside the paper's own algorithm, and synthetic graphs by size.

`--metaqa DIR`: ideal patterns of MetaQA's development questions (topic known, the rest UNKNOWN, gold relations,
directions free), k = 3, k(n) = k(r) = 16. Node candidates come from Clew's entity index, distance √(2 - 2 · score);
relation candidates from the bundled MiniLM over the relations' words. Beside it Algorithm 1 of SimGRAG, plain and with
the bound of section 5.2, written here from the paper.

`--scale N`: a graph of N nodes and 4.3 N edges with power-law degrees and 500 relations, patterns of the paper's six
shapes sampled from it with misspelt names, name vectors of hashed trigrams (int8, 64 dimensions) in an inverted file.

    python -m benchmarks.patterns.gsd --metaqa ../shared/data/metaqa --scale 10000 --scale 1000000 --json gsd.json
"""

from __future__ import annotations

import argparse
import gc
import gzip
import heapq
import json
import multiprocessing
import os
import platform
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.linking.misspelling import misspell
from clew.tools.embedding import MiniLM
from clew.tools.graph.identifiers import bare_words
from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.linking.index import EntityIndex, IndexedNode
from clew.tools.patterns import (
    Candidates,
    Match,
    Matches,
    Pattern,
    PatternEdge,
    PatternNode,
    Sources,
    complete,
    match,
)
from clew.tools.patterns.plan import Distinct

_K = 3
_FILM_CANDIDATES = 16
_PEER_LIMIT_S = 0.5
_HOP_RELATIONS = {
    "director": "directed_by", "writer": "written_by", "actor": "starred_actors", "genre": "has_genre",
    "language": "in_language", "year": "release_year", "tags": "has_tags", "tag": "has_tags",
    "imdbrating": "has_imdb_rating", "imdbvotes": "has_imdb_votes",
}  # fmt: skip
Adjacency = Mapping[int, Sequence[tuple[int, int]]]


def main() -> None:
    arguments = _arguments()
    report: dict[str, Any] = {
        "command": " ".join(["python", "-m", "benchmarks.patterns.gsd", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
        "seed": arguments.seed,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load_at_start": round(os.getloadavg()[0], 1),
        "times": "milliseconds, by the clock and of the processor; garbage is not collected meanwhile",
    }
    sizes = arguments.scale or ([10_000] if arguments.quick or not arguments.metaqa else [])
    if arguments.metaqa and (arguments.metaqa / "kb.txt.gz").exists():
        report["metaqa"] = films(arguments.metaqa, 50 if arguments.quick else 300, arguments.seed)
    elif arguments.metaqa:
        report["left_out"] = f"MetaQA is not in {arguments.metaqa}"
    for size in sizes:
        patterns = 60 if arguments.quick else 500
        report[f"nodes_{size}"] = scale(size, patterns, arguments)
    text = json.dumps(report, indent=2, ensure_ascii=False)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="under a minute: 10,000 nodes, 60 patterns, 50 questions")
    parser.add_argument("--metaqa", type=Path, metavar="DIR", help="folder with kb.txt.gz and dev_*hop.jsonl.gz")
    parser.add_argument("--scale", type=int, action="append", metavar="N", help="nodes; may be given several times")
    parser.add_argument("--node-candidates", type=int, default=128, metavar="K", help="default: %(default)s")
    parser.add_argument("--relation-candidates", type=int, default=32, metavar="K", help="default: %(default)s")
    parser.add_argument("--folder", type=Path, help="keep the synthetic graphs here instead of in a temporary folder")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result there")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


# ---------------------------------------------------------------------------------------------- questions over films


def films(folder: Path, count: int, seed: int) -> dict[str, Any]:
    with gzip.open(folder / "kb.txt.gz", "rt", encoding="utf-8") as lines:
        triples = [tuple(line.rstrip("\n").split("|")) for line in lines]
    names = sorted({name for head, _, tail in triples for name in (head, tail)})
    with tempfile.TemporaryDirectory() as scratch:
        started = time.perf_counter()
        rows = ((name, name, "Entity") for name in names)
        snapshot = Snapshot.build(rows, ((h, r, t) for h, r, t in triples), Path(scratch) / "graph", "1")
        built = time.perf_counter() - started
        index = EntityIndex.build((IndexedNode(name, name, "Entity") for name in names), Path(scratch) / "index", "1")
        world = _Films(snapshot, index, _relation_candidates(snapshot.relations), _adjacency(snapshot))
        report: dict[str, Any] = {"nodes": len(snapshot), "edges": snapshot.edges, "build_s": round(built, 2)}
        started = time.perf_counter()
        world.warm_up(names[0])
        report["first_use_s"] = round(time.perf_counter() - started, 2)
        everything: Times = {}
        gc.freeze()
        for hops in (1, 2, 3):
            with gzip.open(folder / f"dev_{hops}hop.jsonl.gz", "rt", encoding="utf-8") as lines:
                usable = [q for q in map(json.loads, lines) if snapshot.node(q["topics"][0]) is not None]
            questions = random.Random(seed).sample(usable, count)
            report[f"{hops}_hop"] = _hop(world, questions, everything)
            report[f"{hops}_hop_misspelt"] = _misspelt_hop(world, questions, seed)
        report["all_hops"] = {name: _quantiles(times) for name, times in everything.items()}
    return report


@dataclass(frozen=True)
class _Films:
    snapshot: Snapshot
    index: EntityIndex
    relations: Mapping[str, Candidates]
    """Per relation name its candidates."""
    adjacency: Adjacency

    def topic(self, text: str) -> Candidates:
        found = self.index.search(text, m=_FILM_CANDIDATES)
        ids = self.snapshot.nodes([candidate.entity.id for candidate in found]).tolist()
        return Candidates.of(ids, [max(2 - 2 * candidate.score, 0.0) ** 0.5 for candidate in found])

    def sources(self, topic: str, relations: Sequence[str]) -> Sources:
        return Sources({0: self.topic(topic)}, {i: self.relations[name] for i, name in enumerate(relations)})

    def warm_up(self, name: str) -> None:
        """Compile, or read what was compiled before."""
        relations = [self.snapshot.relations[0]] * 3
        for each in ("reading", "subgraph"):
            for found in match(self.snapshot, _chain(relations), self.sources(name, relations), each=each).matches:
                complete(self.snapshot, _chain(relations), found)

    def gold(self, topic: str, relations: Sequence[str]) -> set[int]:
        """What the graph answers: the path followed without taking an edge twice or coming back to the topic."""
        start = self.snapshot.node(topic)
        assert start is not None
        numbers = [self.snapshot.relations.index(name) for name in relations]
        trails: list[tuple[int, frozenset[tuple[int, int, int]]]] = [(start, frozenset())]
        for number in numbers:
            following = []
            for node, taken in trails:
                for relation, other in self.adjacency[node]:
                    edge = (min(node, other), relation, max(node, other))
                    if relation == number and other != start and other != node and edge not in taken:
                        following.append((other, taken | {edge}))
            trails = list(dict.fromkeys(following))
        return {node for node, _ in trails}


def _relation_candidates(names: Sequence[str]) -> dict[str, Candidates]:
    vectors = MiniLM().embed([" ".join(bare_words(name)) for name in names])
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    distances = np.linalg.norm(vectors[:, None] - vectors[None], axis=2)
    return {
        name: Candidates.of(np.argsort(row)[:_FILM_CANDIDATES].tolist(), np.sort(row)[:_FILM_CANDIDATES].tolist())
        for name, row in zip(names, distances, strict=True)
    }


def _adjacency(snapshot: Snapshot) -> Adjacency:
    starts = snapshot.starts.tolist()
    pairs = list(zip((snapshot.reldirs >> 1).tolist(), snapshot.neighbours.tolist(), strict=True))
    return {node: pairs[starts[node] : starts[node + 1]] for node in range(len(snapshot))}


def _chain(relations: Sequence[str]) -> Pattern:
    nodes = (PatternNode("topic"), *(PatternNode() for _ in relations))
    edges = tuple(PatternEdge(i, i + 1, name) for i, name in enumerate(relations))
    return Pattern(nodes, edges, len(relations))


def _gold_relations(question: Mapping[str, Any]) -> list[str]:
    kinds = question["path"].split("_to_")
    return [_HOP_RELATIONS[b if b != "movie" else a] for a, b in pairwise(kinds)]


def _hop(world: _Films, questions: Sequence[dict[str, Any]], everything: Times) -> dict[str, Any]:
    times: Times = {}
    recalls: dict[str, list[float]] = {"nodes": [], "edges": []}
    precisions: dict[str, list[float]] = {"nodes": [], "edges": []}
    listed, first, proven, differing, unfinished = [], 0, 0, 0, {"paper": 0, "paper_pruned": 0}
    for question in questions:
        relations, topic = _gold_relations(question), question["topics"][0]
        pattern = _chain(relations)
        sources = _timed(times, "candidates", world.sources, topic, relations)
        gold = world.gold(topic, relations)
        for distinct in ("nodes", "edges"):
            answers, matches = _answers(world, pattern, sources, distinct, times)
            recalls[distinct].append(len(answers & gold) / len(gold) if gold else 1.0)
            precisions[distinct].append(len(answers & gold) / len(answers) if answers else 1.0)
            proven += matches.proven
        wanted = {world.snapshot.node(name) for name in question["answers"]}
        listed.append(len(answers & wanted) / len(wanted))
        first += bool(matches.matches and matches.matches[0].nodes[-1] in wanted)
        best = _timed(times, "match_subgraphs", match, world.snapshot, pattern, sources, _K, each="subgraph").matches
        for name, pruned in (("paper", False), ("paper_pruned", True)):
            found, finished = _timed(times, name, paper_top_k, world.adjacency, pattern, sources, _K, pruned)
            unfinished[name] += not finished
            differing += finished and not np.allclose(found, [m.distance for m in best])
    for name, values in times.items():
        everything.setdefault(name, []).extend(values)
    return {
        "questions": len(questions),
        **{name: _quantiles(values) for name, values in times.items()},
        "paper_past_its_limit": unfinished | {"limit_s": _PEER_LIMIT_S},
        "distances_unlike_the_paper's": differing,
        "proven": proven == 2 * len(questions),
        "answers_of_the_graph": {
            distinct: {"recall": _mean(recalls[distinct]), "precision": _mean(precisions[distinct])}
            for distinct in recalls
        },
        "listed_answers_recall": _mean(listed),
        "first_match_is_an_answer": round(first / len(questions), 4),
    }


def _answers(
    world: _Films, pattern: Pattern, sources: Sources, distinct: Distinct, times: Times
) -> tuple[set[int], Matches]:
    """The complete answers of the best match."""
    matches = _timed(times, f"match_{distinct}", match, world.snapshot, pattern, sources, _K, distinct=distinct)
    if not matches.matches:
        return set(), matches
    bindings = _timed(
        times, f"complete_{distinct}", complete, world.snapshot, pattern, matches.matches[0],
        distinct=distinct,
    )  # fmt: skip
    return set(bindings.nodes.tolist()), matches


def _misspelt_hop(world: _Films, questions: Sequence[dict[str, Any]], seed: int) -> dict[str, Any]:
    """One or two edits in topics of six or more characters; is an answer among the three matches'?"""
    source = random.Random(seed)
    bound, completed, asked = 0, 0, 0
    times: Times = {}
    for question in questions:
        topic = question["topics"][0]
        if len(topic) < 6:
            continue
        asked += 1
        relations = _gold_relations(question)
        pattern = _chain(relations)
        sources = world.sources(misspell(topic, source.choice((1, 2)), source), relations)
        matches = _timed(times, "match", match, world.snapshot, pattern, sources, _K, distinct="edges")
        wanted = {world.snapshot.node(name) for name in question["answers"]}
        bound += any(found.nodes[-1] in wanted for found in matches.matches)
        completed += any(_any_bound(world, pattern, found, wanted) for found in matches.matches)
    return {
        "questions": asked,
        "answer_bound_in_any_of_3": round(bound / asked, 4),
        "answer_in_complete_answers_of_any_of_3": round(completed / asked, 4),
        "match": _quantiles(times["match"]),
    }


def _any_bound(world: _Films, pattern: Pattern, found: Match, wanted: set[int | None]) -> bool:
    bindings = complete(world.snapshot, pattern, found, distinct="edges")
    return not wanted.isdisjoint(bindings.nodes.tolist())


def paper_top_k(
    adjacency: Adjacency, pattern: Pattern, sources: Sources, k: int, pruned: bool
) -> tuple[list[float], bool]:
    """Algorithm 1 (plain), or with the bound and the greedy order of section 5.2: (distances, whether it finished).

    Directions are ignored, the node mapping is one to one, candidates are top-k lists, all subgraphs are listed.
    """
    nodes = {
        i: dict(zip(r.ids, r.distances, strict=True)) for i, r in sources.nodes.items() if isinstance(r, Candidates)
    }
    relations = {i: dict(zip(r.ids, r.distances, strict=True)) for i, r in sources.relations.items()}
    start = min(nodes, key=lambda i: len(nodes[i]))
    order = _depth_first(pattern, start)
    least = [0.0]
    opened = {start}
    for edge, _, target in order:
        opens = min(nodes[target].values()) if target in nodes and target not in opened else 0.0
        least.append((min(relations[edge].values()) if edge in relations else 0.0) + opens)
        opened.add(target)
    remaining = [sum(least[i + 1 :]) for i in range(len(least))]
    best: list[tuple[float, int, dict[int, int]]] = []
    found = 0
    stop = time.perf_counter() + _PEER_LIMIT_S

    def expand(depth: int, mapping: dict[int, int], distance: float) -> bool:
        nonlocal found
        if pruned and len(best) == k and distance + remaining[depth] > -best[0][0]:
            return True
        if depth == len(order):
            found += 1
            heapq.heappush(best, (-distance, found, mapping))
            if len(best) > k:
                heapq.heappop(best)
            return time.perf_counter() < stop
        edge, source, target = order[depth]
        steps = []
        for relation, other in adjacency[mapping[source]]:
            if edge in relations and relation not in relations[edge]:
                continue
            if target in mapping:
                if mapping[target] != other:
                    continue
            elif (target in nodes and other not in nodes[target]) or other in mapping.values():
                continue
            cost = relations[edge][relation] if edge in relations else 0.0
            if target in nodes and target not in mapping:
                cost += nodes[target][other]
            steps.append((cost, other))
        if pruned:
            steps.sort()
        return all(expand(depth + 1, mapping | {target: other}, distance + cost) for cost, other in steps)

    starts = sorted(nodes[start].items(), key=lambda item: item[1])
    finished = all(expand(0, {start: node}, distance) for node, distance in starts)
    return sorted(-d for d, _, _ in best), finished


def _depth_first(pattern: Pattern, start: int) -> list[tuple[int, int, int]]:
    order: list[tuple[int, int, int]] = []
    taken: set[int] = set()

    def visit(node: int) -> None:
        for i, edge in enumerate(pattern.edges):
            if i not in taken and node in (edge.head, edge.tail):
                taken.add(i)
                other = edge.tail if edge.head == node else edge.head
                order.append((i, node, other))
                visit(other)

    visit(start)
    return order


# ------------------------------------------------------------------------------------------------- synthetic graphs

_EDGES_PER_NODE = 4.3
_RELATIONS = 500
_LABELS = 50
_CHUNK = 1_000_000
_DIMENSIONS = 64
_SYLLABLES = [
    a + b + c
    for a in ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "ch", "st")
    for b in "aeiou"
    for c in ("", "n", "r")
]


def scale(size: int, patterns: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Build and search in processes of their own, so that each peak memory is its own."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = (arguments.folder or Path(scratch)) / f"nodes-{size}"
        report: dict[str, Any] = {}
        options = (arguments.node_candidates, arguments.relation_candidates, patterns, arguments.seed)
        for part, work in (("graph", _build_graph), ("vectors", _build_vectors), ("search", _search_graph)):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                report[part] = pool.apply(work, (size, folder, *options))
    return report


def _build_graph(size: int, folder: Path, *_: int) -> dict[str, Any]:
    started = time.perf_counter()
    edges = int(size * _EDGES_PER_NODE)
    snapshot = Snapshot.build(_synthetic_nodes(size), _synthetic_edges(size, edges), folder / "graph", "1")
    degrees = np.diff(snapshot.starts)
    return {
        "nodes": len(snapshot),
        "edges": snapshot.edges,
        "largest_degree": int(degrees.max()),
        "build_s": round(time.perf_counter() - started, 1),
        "peak_mb": _peak_mb(),
        "on_disk_mb": round(sum(f.stat().st_size for f in (folder / "graph").rglob("*") if f.is_file()) / 2**20),
    }


def _synthetic_nodes(size: int) -> Iterator[tuple[str, str, str]]:
    for i in range(size):
        yield str(i), synthetic_name(i), f"Label{i % _LABELS}"


def synthetic_name(i: int) -> str:
    """A name of two words, another for each number below 240⁴: the digits of a scrambled number to the base 240."""
    base = len(_SYLLABLES)
    mixed = (i * 1_000_003 + 12_345) % base**4
    a, mixed = divmod(mixed, base**3)
    b, mixed = divmod(mixed, base**2)
    c, d = divmod(mixed, base)
    return f"{_SYLLABLES[d]}{_SYLLABLES[b]} {_SYLLABLES[c]}{_SYLLABLES[a]}".title()


def relation_name(relation: int) -> str:
    return "".join(_SYLLABLES[(relation * 7 + i * 31 + relation * i) % len(_SYLLABLES)] for i in range(4))


def _synthetic_edges(size: int, count: int) -> Iterator[tuple[str, str, str]]:
    """Relations by Zipf's law, each from one label to another; ends by rank with density 1/2 and 3/4: in-degrees fall
    with exponent 7/3, out-degrees with 3."""
    source = np.random.default_rng(7)
    weights = 1 / np.arange(1, _RELATIONS + 1)
    per_label = size // _LABELS
    names = [relation_name(r) for r in range(_RELATIONS)]
    for first in range(0, count, _CHUNK):
        many = min(_CHUNK, count - first)
        relations = source.choice(_RELATIONS, many, p=weights / weights.sum())
        heads = (source.random(many) ** 2 * per_label).astype(np.int64) * _LABELS + relations * 3 % _LABELS
        tails = (source.random(many) ** 4 * per_label).astype(np.int64) * _LABELS + (relations * 7 + 1) % _LABELS
        for head, relation, tail in zip(heads.tolist(), relations.tolist(), tails.tolist(), strict=True):
            yield str(head), names[relation], str(tail)


def _build_vectors(size: int, folder: Path, *_: int) -> dict[str, Any]:
    started = time.perf_counter()
    snapshot = Snapshot.open(folder / "graph")
    Vectors.build(snapshot, folder / "vectors")
    return {"build_s": round(time.perf_counter() - started, 1), "peak_mb": _peak_mb()}


@dataclass(frozen=True)
class Vectors:
    """An inverted file: vectors (int8) grouped by their nearest centre; a search looks into the nearest groups."""

    centres: npt.NDArray[np.float32]
    starts: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int32]
    vectors: npt.NDArray[np.int8]

    @classmethod
    def build(cls, snapshot: Snapshot, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        size = len(snapshot)
        groups = max(1, min(4096, size // 1000))
        source = np.random.default_rng(1)
        sample = np.sort(source.choice(size, min(size, 32 * groups), replace=False))
        centres = _encoded(snapshot, sample)[source.choice(len(sample), groups, replace=False)]
        group_of = np.empty(size, np.int32)
        step = max(1, 16_777_216 // groups)
        for first in range(0, size, step):
            part = np.arange(first, min(first + step, size))
            group_of[part] = np.argmax(_encoded(snapshot, part) @ centres.T, axis=1)
        order = np.argsort(group_of, kind="stable").astype(np.int32)
        starts = np.zeros(groups + 1, np.int64)
        np.cumsum(np.bincount(group_of, minlength=groups), out=starts[1:])
        stored = np.lib.format.open_memmap(folder / "vectors.npy", "w+", np.int8, (size, _DIMENSIONS))
        for first in range(0, size, 100_000):
            rows = order[first : first + 100_000]
            stored[first : first + len(rows)] = np.rint(_encoded(snapshot, rows) * 127)
        stored.flush()
        np.save(folder / "centres.npy", centres)
        np.save(folder / "starts.npy", starts)
        np.save(folder / "nodes.npy", order)

    @classmethod
    def open(cls, folder: Path) -> Vectors:
        names = ("centres", "starts", "nodes", "vectors")
        return cls(*(np.asarray(np.load(folder / f"{name}.npy", mmap_mode="c")) for name in names))

    def nearest(self, text: str, k: int, probes: int = 48) -> Candidates:
        vector = encode([text])[0]
        near = self.centres @ vector
        groups = np.argpartition(-near, min(probes, len(near)) - 1)[:probes]
        positions, products = _probe(self.starts, self.vectors, groups, np.rint(vector * 127).astype(np.int8))
        best = np.argpartition(-products, min(k, len(products)) - 1)[:k]
        cosines = np.minimum(products[best] / 127.0**2, 1.0)
        return Candidates.of(self.nodes[positions[best]].tolist(), np.sqrt(2 - 2 * cosines).tolist())


def _encoded(snapshot: Snapshot, nodes: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    return encode([snapshot.name(node) for node in nodes.tolist()])


def encode(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Hashed character trigrams with signs, of unit length: shape (n, 64)."""
    parts = [f"  {text.lower()}  ".encode() for text in texts]
    ends = np.zeros(len(parts) + 1, np.int64)
    np.cumsum([len(part) for part in parts], out=ends[1:])
    vectors: npt.NDArray[np.float32] = _trigrams(np.frombuffer(bytearray(b"".join(parts)), np.uint8), ends)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    return vectors


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _trigrams(text: Any, ends: Any) -> Any:
    vectors = np.zeros((len(ends) - 1, 64), np.float32)
    for i in range(len(ends) - 1):
        for j in range(ends[i], ends[i + 1] - 2):
            value = np.uint32(text[j]) * np.uint32(65_599 * 65_599 & 0xFFFFFFFF)
            value = np.uint32(value + np.uint32(text[j + 1]) * np.uint32(65_599) + np.uint32(text[j + 2]))
            value = np.uint32((value ^ (value >> np.uint32(15))) * np.uint32(2_246_822_519))
            value ^= value >> np.uint32(13)
            vectors[i, value & np.uint32(63)] += 1.0 if value & np.uint32(64) else -1.0
    return vectors


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _probe(starts: Any, vectors: Any, groups: Any, vector: Any) -> Any:
    total = 0
    for group in groups:
        total += starts[group + 1] - starts[group]
    positions, products = np.empty(total, np.int64), np.empty(total, np.int32)
    count = 0
    for group in groups:
        for i in range(starts[group], starts[group + 1]):
            product = np.int32(0)
            for j in range(64):
                product += np.int32(vectors[i, j]) * np.int32(vector[j])
            positions[count], products[count] = i, product
            count += 1
    return positions, products


_SHAPES: dict[str, tuple[tuple[int, int], ...]] = {
    "path_1": ((0, 1),),
    "path_2": ((0, 1), (1, 2)),
    "path_3": ((0, 1), (1, 2), (2, 3)),
    "conjunction_2": ((0, 1), (1, 2)),
    "conjunction_3": ((0, 1), (1, 2), (2, 3)),
    "star_3": ((0, 1), (0, 2), (0, 3)),
}
"""Appendix F, as pairs of node positions."""


def _known_nodes(shape: str, source: random.Random) -> set[int]:
    if shape.startswith("path"):
        last = int(shape[-1])
        return {0, last} if last > 1 and source.random() < 0.5 else {0}
    if shape == "star_3":
        return {1, 2, 3} | ({0} if source.random() < 0.5 else set())
    return {0, int(shape[-1])}


def _sampled(snapshot: Snapshot, shape: str, source: random.Random) -> tuple[Pattern, list[int]] | None:
    """A pattern that the graph holds, from a random walk of its shape, and the walk; None where the walk got stuck."""
    nodes = [source.randrange(len(snapshot))] if source.random() < 0.5 else [_random_end(snapshot, source)]
    edges: list[PatternEdge] = []
    for head, tail in _SHAPES[shape]:
        first, last = int(snapshot.starts[nodes[head]]), int(snapshot.starts[nodes[head] + 1])
        if first == last:
            return None
        entry = source.randrange(first, last)
        nodes.append(int(snapshot.neighbours[entry]))
        name = snapshot.relations[int(snapshot.reldirs[entry]) >> 1]
        edges.append(PatternEdge(head, tail, misspell(name, 1, source) if source.random() < 0.5 else name))
    if len(set(nodes)) < len(nodes):
        return None
    known = _known_nodes(shape, source)
    texts = [snapshot.name(node) for node in nodes]
    parts = [
        PatternNode(misspell(text, 1, source) if source.random() < 0.5 else text) if i in known else PatternNode()
        for i, text in enumerate(texts)
    ]
    unknown = [i for i in range(len(nodes)) if i not in known]
    return Pattern(tuple(parts), tuple(edges), unknown[-1] if unknown else None), nodes


def _random_end(snapshot: Snapshot, source: random.Random) -> int:
    return int(snapshot.neighbours[source.randrange(len(snapshot.neighbours))])


def _search_graph(
    size: int, folder: Path, node_candidates: int, relation_candidates: int, patterns: int, seed: int
) -> dict[str, Any]:
    started = time.perf_counter()
    snapshot, vectors = Snapshot.open(folder / "graph"), Vectors.open(folder / "vectors")
    opened = time.perf_counter() - started
    relation_vectors = encode(snapshot.relations)
    source = random.Random(seed)
    times: Times = {}
    by_shape: dict[str, list[tuple[float, float]]] = {}
    counts = {"patterns": 0, "all_proven": 0, "walk_in_candidates": 0}
    expanded = []

    def candidates(pattern: Pattern) -> Sources:
        nodes = {i: vectors.nearest(n.text, node_candidates) for i, n in enumerate(pattern.nodes) if n.text}
        relations = {
            i: _nearest_relations(relation_vectors, e.relation, relation_candidates)
            for i, e in enumerate(pattern.edges)
            if e.relation
        }
        return Sources(nodes, relations)

    warm = -6
    gc.freeze()
    for i in range(warm, patterns):
        shape = list(_SHAPES)[i % len(_SHAPES)]
        sampled = None
        while sampled is None:
            sampled = _sampled(snapshot, shape, source)
        pattern, walk = sampled
        record = times if i >= 0 else {}
        sources = _timed(record, "vector_search", candidates, pattern)
        deadline = time.monotonic() + 10
        matches = _timed(record, "match", match, snapshot, pattern, sources, _K, deadline)
        if pattern.asked is not None and matches.matches:
            _timed(record, "complete", complete, snapshot, pattern, matches.matches[0], pattern.asked)
        if i < 0:
            continue
        by_shape.setdefault(shape, []).append(record["match"][-1])
        counts["patterns"] += 1
        counts["all_proven"] += matches.proven
        expanded.append(matches.expanded)
        among = all(walk[n] in ranked.ids for n, ranked in sources.nodes.items() if isinstance(ranked, Candidates))
        counts["walk_in_candidates"] += among
    return {
        "open_ms": round(opened * 1000, 1),
        "node_candidates": node_candidates,
        "relation_candidates": relation_candidates,
        **counts,
        **{name: _quantiles(values) for name, values in times.items()},
        "match_by_shape": {shape: _quantiles(values) for shape, values in by_shape.items()},
        "expanded_mean": round(statistics.mean(expanded), 1),
        "peak_mb": _peak_mb(),
    }


def _nearest_relations(vectors: npt.NDArray[np.float32], text: str, k: int) -> Candidates:
    distances = np.sqrt(np.maximum(2 - 2 * (vectors @ encode([text])[0]), 0.0))
    best = np.argsort(distances)[:k]
    return Candidates.of(best.tolist(), distances[best].tolist())


# ---------------------------------------------------------------------------------------------------------- figures


Times = dict[str, list[tuple[float, float]]]
"""Per kind of work its wall and CPU seconds."""


def _timed(times: Times, name: str, work: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    started, cpu = time.perf_counter(), time.process_time()
    result = work(*arguments, **options)
    times.setdefault(name, []).append((time.perf_counter() - started, time.process_time() - cpu))
    return result


def _quantiles(times: Sequence[tuple[float, float]]) -> dict[str, dict[str, float]]:
    return {kind: _spread([each[i] for each in times]) for i, kind in enumerate(("wall", "cpu"))}


def _spread(seconds: Sequence[float]) -> dict[str, float]:
    ordered = [round(value * 1000, 3) for value in sorted(seconds)]
    at = {f"p{share}": ordered[int(len(ordered) * share / 100)] for share in (50, 95)}
    return at | {"p99.9": ordered[int(len(ordered) * 0.999)], "max": ordered[-1]}


def _mean(values: Sequence[float]) -> float:
    return round(statistics.mean(values), 4)


def _peak_mb() -> int:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    main()
