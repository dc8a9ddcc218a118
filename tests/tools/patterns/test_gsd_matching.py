"""Matching by graph semantic distance, held against brute force over all mappings."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from clew.tools.arrays.compiled import compiled
from clew.tools.arrays.id_table import IdTable
from clew.tools.arrays.strings import Strings
from clew.tools.errors import BadInput
from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.patterns import (
    Candidates,
    Match,
    Pattern,
    PatternEdge,
    PatternNode,
    Sources,
    complete,
    depth_first,
    match,
)
from clew.tools.patterns.plan import Distinct

ROOT = Path(__file__).resolve().parents[3]
CASES = int(os.environ.get("CLEW_GSD_CASES", "200"))
Triple = tuple[int, int, int]
Reading = tuple[tuple[int, ...], tuple[int, ...]]
"""Bindings of the known nodes and relations of the edges."""


@dataclass(frozen=True)
class Case:
    triples: frozenset[Triple]
    labels: list[int]
    pattern: Pattern
    sources: Sources


@dataclass
class OneByOne:
    """A lazy source, which counts what it was asked for."""

    ranked: Candidates
    given: int = 0

    def next(self) -> tuple[int, float] | None:
        if self.given == len(self.ranked):
            return None
        self.given += 1
        return self.ranked.ids[self.given - 1], self.ranked.distances[self.given - 1]


def snapshot_of(case: Case, directory: Path) -> Snapshot:
    nodes = [(f"n{i}", f"node {i}", f"L{label}") for i, label in enumerate(case.labels)]
    count = max((r for _, r, _ in case.triples), default=0) + 1
    built = Snapshot.build(
        nodes, [(f"n{h}", f"R{r}", f"n{t}") for h, r, t in sorted(case.triples, key=lambda e: e[1])], directory, "1"
    )
    assert list(built.relations) == sorted(built.relations)
    assert len(built.relations) <= count
    return built


def random_case(seed: int) -> Case:
    """A small graph and a pattern with candidates; distances repeat, so that ties are common."""
    source = random.Random(seed)
    nodes, relations, labels = source.randint(2, 7), source.randint(1, 3), source.randint(1, 2)
    triples = {
        (source.randrange(nodes), source.randrange(relations), source.randrange(nodes))
        for _ in range(source.randint(1, 3 * nodes))
    }
    used = sorted({r for _, r, _ in triples})
    triples = {(h, used.index(r), t) for h, r, t in triples}
    node_labels = [source.randrange(labels) for _ in range(nodes)]
    pattern = random_pattern(source)
    choices = (0.0, 0.0, 0.25, 0.5, 0.5, 1.0, 1.25)

    def ranked(count: int) -> Candidates:
        ids = source.sample(range(count), source.randint(min(count, 1 + (source.random() < 0.7)), count))
        return Candidates.of(ids, [source.choice(choices) for _ in ids])

    label_count = max(node_labels) + 1
    numbers = {label: i for i, label in enumerate(dict.fromkeys(node_labels))}
    return Case(
        frozenset(triples),
        [numbers[label] for label in node_labels],
        pattern,
        Sources(
            {i: ranked(nodes) for i, node in enumerate(pattern.nodes) if node.known},
            {i: ranked(len(used)) for i, edge in enumerate(pattern.edges) if edge.known},
            {
                i: source.sample(range(len(numbers)), source.randint(1, min(label_count, len(numbers))))
                for i in range(len(pattern.nodes))
                if source.random() < 0.2
            },
        ),
    )


def random_pattern(source: random.Random) -> Pattern:
    """A tree, and sometimes more edges: cycles, parallel edges, an edge from a node to itself."""
    count = source.randint(1, 4)
    pairs = [(source.randrange(i), i) for i in range(1, count)]
    for _ in range(source.choice((0, 0, 0, 1, 1, 2)) or not pairs):
        pairs.append((source.randrange(count), source.randrange(count)))
    nodes = tuple(PatternNode("x" if source.random() < 0.5 else None) for _ in range(count))
    edges = []
    for pair in pairs:
        head, tail = pair if source.random() < 0.5 else pair[::-1]
        edges.append(PatternEdge(head, tail, "r" if source.random() < 0.7 else None, source.random() < 0.5))
    return Pattern(nodes, tuple(edges))


def brute_force(case: Case, distinct: Distinct) -> dict[Reading, tuple[float, list[tuple[int, ...]]]]:
    """Every reading with its distance and the node mappings of all its subgraphs."""
    pattern, sources = case.pattern, case.sources
    candidates = {
        i: dict(zip(r.ids, r.distances, strict=True)) for i, r in sources.nodes.items() if isinstance(r, Candidates)
    }
    costs = {i: dict(zip(r.ids, r.distances, strict=True)) for i, r in sources.relations.items()}
    readings: dict[Reading, tuple[float, list[tuple[int, ...]]]] = {}
    for mapping in itertools.product(range(len(case.labels)), repeat=len(pattern.nodes)):
        if not mapping_allowed(case, mapping, distinct):
            continue
        known = tuple(node for i, node in enumerate(mapping) if pattern.nodes[i].known)
        distance = sum(candidates[i].get(mapping[i], 99.0) for i in candidates)
        for triples in itertools.product(*(edge_images(case, mapping, edge) for edge in pattern.edges)):
            if len(set(triples)) < len(triples) and distinct != "nothing":
                continue
            total = distance + sum(costs[i].get(triples[i][1], 99.0) for i in costs)
            if total < 99:
                entry = readings.setdefault((known, tuple(r for _, r, _ in triples)), (total, []))
                entry[1].append(mapping)
    return readings


def mapping_allowed(case: Case, mapping: tuple[int, ...], distinct: Distinct) -> bool:
    pattern, labels = case.pattern, case.sources.labels
    if any(case.labels[mapping[i]] not in allowed for i, allowed in labels.items()):
        return False
    joined = {frozenset((edge.head, edge.tail)) for edge in pattern.edges}
    for a, b in itertools.combinations(range(len(mapping)), 2):
        known = pattern.nodes[a].known or pattern.nodes[b].known
        may_meet = frozenset((a, b)) not in joined and (distinct == "nothing" or (distinct == "edges" and not known))
        if mapping[a] == mapping[b] and not may_meet:
            return False
    return True


def edge_images(case: Case, mapping: tuple[int, ...], edge: PatternEdge) -> list[Triple]:
    head, tail = mapping[edge.head], mapping[edge.tail]
    return [
        (h, r, t)
        for h, r, t in case.triples
        if (h, t) == (head, tail) or (not edge.directed and (h, t) == (tail, head))
    ]


def reading_of(case: Case, found: Match) -> Reading:
    known = tuple(node for i, node in enumerate(found.nodes) if case.pattern.nodes[i].known)
    return known, tuple(edge.relation for edge in found.edges)


Cases = list[tuple[int, Distinct, Case, Path]]
"""With the folder of the snapshot: thousands that are open would be too many files."""


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    folder = tmp_path_factory.mktemp("cases")
    made = [random_case(seed) for seed in range(CASES)]
    distinct: tuple[Distinct, ...] = ("nodes", "edges", "nothing")
    return [(i, distinct[i % 3], case, snapshot_of(case, folder / str(i)).directory) for i, case in enumerate(made)]


@pytest.fixture(params=["small", "sets"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Small patterns are searched in a way of their own; "sets" leaves nothing to it."""
    if request.param == "sets":
        monkeypatch.setattr(depth_first, "LOOKUPS", 0)
    return str(request.param)


@pytest.mark.usefixtures("way")
def test_the_best_readings_are_those_of_brute_force(cases: Cases) -> None:
    matched = 0
    for seed, distinct, case, built in cases:
        snapshot = Snapshot.open(built)
        readings = brute_force(case, distinct)
        for k in (1, 3, 50):
            sources = case.sources if seed % 4 else lazily(case.sources)
            result = match(snapshot, case.pattern, sources, k, distinct=distinct)
            check_matches(case, readings, result.matches, k, seed)
            assert result.proven
            left = sorted(distance for distance, _ in readings.values())[len(result.matches) :]
            assert not left or result.bound <= left[0] + 1e-9, seed
        matched += bool(readings)
    assert matched > CASES // 4


def lazily(sources: Sources) -> Sources:
    nodes = {i: OneByOne(ranked) for i, ranked in sources.nodes.items() if isinstance(ranked, Candidates)}
    return Sources(nodes, sources.relations, sources.labels)


def check_matches(
    case: Case,
    readings: dict[Reading, tuple[float, list[tuple[int, ...]]]],
    matches: tuple[Match, ...],
    k: int,
    seed: int,
) -> None:
    expected = sorted(distance for distance, _ in readings.values())[:k]
    assert [found.distance for found in matches] == pytest.approx(expected), seed
    assert len({reading_of(case, found) for found in matches}) == len(matches), seed
    for found in matches:
        distance, mappings = readings[reading_of(case, found)]
        assert found.distance == pytest.approx(distance), seed
        assert found.nodes in mappings, seed
        assert (found.ties, found.ties_exact) == (len(mappings), True), seed
        for edge, pattern_edge in zip(found.edges, case.pattern.edges, strict=True):
            assert (edge.head, edge.relation, edge.tail) in edge_images(case, found.nodes, pattern_edge), seed
            assert edge.forward == (edge.head == found.nodes[pattern_edge.head]), seed


@pytest.mark.usefixtures("way")
def test_the_best_subgraphs_are_those_of_brute_force(cases: Cases) -> None:
    for seed, distinct, case, built in cases:
        snapshot = Snapshot.open(built)
        everything = sorted(d for d, mappings in brute_force(case, distinct).values() for _ in mappings)
        for k in (1, 3, 10):
            result = match(snapshot, case.pattern, case.sources, k, distinct=distinct, each="subgraph")
            assert [found.distance for found in result.matches] == pytest.approx(everything[:k]), seed
            assert len({(found.nodes, found.edges) for found in result.matches}) == len(result.matches), seed


def test_complete_answers_are_those_of_brute_force(cases: Cases) -> None:
    for seed, distinct, case, built in cases:
        snapshot = Snapshot.open(built)
        readings = brute_force(case, distinct)
        for found in match(snapshot, case.pattern, case.sources, 2, distinct=distinct).matches:
            mappings = readings[reading_of(case, found)][1]
            for asked in range(len(case.pattern.nodes)):
                expected = sorted({mapping[asked] for mapping in mappings})
                pattern = replace(case.pattern, asked=asked)
                bindings = complete(snapshot, pattern, found, labels=case.sources.labels, distinct=distinct)
                assert bindings.nodes.tolist() == expected, (seed, asked)
                assert not bindings.truncated
                some = complete(snapshot, pattern, found, 1, labels=case.sources.labels, distinct=distinct)
                assert (some.nodes.tolist(), some.truncated) == (expected[:1], len(expected) > 1), (seed, asked)


PATH = Pattern((PatternNode("s"), PatternNode()), (PatternEdge(0, 1, "r"),), asked=1)


def star(directory: Path, leaves: int) -> Snapshot:
    nodes = [("hub", "Hub", "Hub"), *((f"n{i}", f"Leaf {i}", "Leaf") for i in range(leaves))]
    return Snapshot.build(nodes, (("hub", f"R{i % 2}", f"n{i}") for i in range(leaves)), directory, "1")


def test_ten_thousand_bindings_of_an_unknown_leaf_are_one_match(tmp_path: Path) -> None:
    snapshot = star(tmp_path, 20_000)
    sources = Sources({0: Candidates.of([0], [0.0])}, {0: Candidates.of([0, 1], [0.0, 0.5])})
    result = match(snapshot, PATH, sources, 3)
    assert [(m.distance, m.ties, m.ties_exact) for m in result.matches] == [(0.0, 10_000, True), (0.5, 10_000, True)]
    assert result.expanded < 10
    bindings = complete(snapshot, PATH, result.matches[0])
    assert len(bindings.nodes) == 10_000
    assert complete(snapshot, PATH, result.matches[0], 10).truncated


def test_more_ties_than_are_worth_counting_are_said_to_be_more(tmp_path: Path) -> None:
    snapshot = star(tmp_path, 20_000)
    pattern = Pattern(
        (PatternNode("s"), PatternNode(), PatternNode()), (PatternEdge(0, 1, "r"), PatternEdge(0, 2, "q"))
    )
    relations = {0: Candidates.of([0], [0.0]), 1: Candidates.of([1], [0.0])}
    found = match(snapshot, pattern, Sources({0: Candidates.of([0], [0.0])}, relations), 1).matches[0]
    assert not found.ties_exact
    assert 1_000 < found.ties < 10_000**2


def test_a_lazy_source_is_asked_only_as_far_as_the_bound_needs(tmp_path: Path) -> None:
    snapshot = star(tmp_path, 2_000)
    lazy = OneByOne(Candidates.of(range(2_000), [i / 100 for i in range(2_000)]))
    sources = Sources({0: lazy}, {0: Candidates.of([0, 1], [0.0, 0.05])})
    result = match(snapshot, PATH, sources, 2)
    assert result.proven
    assert [found.distance for found in result.matches] == pytest.approx([0.0, 0.01])
    assert lazy.given <= 4


def test_candidates_out_of_order_are_refused(tmp_path: Path) -> None:
    class Unordered:
        distances = iter((0.5, 0.1, 0.0))

        def next(self) -> tuple[int, float] | None:
            return 1, next(self.distances)

    with pytest.raises(BadInput, match=r"0\.1 after 0\.5"):
        match(star(tmp_path, 5), PATH, Sources({0: Unordered()}, {0: Candidates.of([0], [0.0])}), 3)


def test_past_the_deadline_the_best_found_comes_back_unproven(tmp_path: Path) -> None:
    snapshot = star(tmp_path, 2_000)
    sources = Sources({0: Candidates.of(range(2_000), [0.0] * 2_000)}, {0: Candidates.of([0, 1], [0.0, 0.5])})
    result = match(snapshot, PATH, sources, 2_000, time.monotonic() - 1)
    assert not result.proven
    assert result.matches
    assert result.bound == 0.0


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """Node 0 has a million neighbours, joined with it both ways, and each of these with one of a thousand others."""
    many, few = 1_000_000, 1_000
    leaves = np.arange(1, many + 1, dtype=np.int32)
    of_leaf = np.column_stack((np.zeros(many), np.zeros(many), many + 1 + leaves % few)).astype(np.int32)
    back = leaves[np.argsort(leaves % few, kind="stable")]
    degrees = np.concatenate([[2 * many], np.full(many, 3), np.full(few, many // few)])
    return Snapshot(
        directory=tmp_path_factory.mktemp("hub"), version="1", relations=("R0", "R1", "R2"), labels=("L",),
        starts=np.concatenate([[0], np.cumsum(degrees)]),
        reldirs=np.concatenate([np.repeat([0, 3], many), np.tile([1, 2, 4], many), np.full(many, 5)]).astype(np.int32),
        neighbours=np.concatenate([leaves, leaves, of_leaf.ravel(), back]),
        node_labels=np.zeros(many + few + 1, np.int32),
        fans=np.array([[many, 1], [many, many], [many, many], [many, 1], [many, many], [many, few]]),
        id_table=IdTable(Strings.of([]), np.empty(0, np.int32)), name_texts=Strings.of([]),
    )  # fmt: skip


HUB_PATTERNS = {
    "a triangle": ("x??", ((0, 1), (1, 2), (2, 0))),
    "two ways round": ("x???", ((0, 1), (1, 2), (0, 3), (3, 2))),
    "out and back and out": ("x???", ((0, 1), (1, 2), (2, 3))),
    "nothing known": ("????", ((0, 1), (1, 2), (2, 3), (3, 0))),
}


@pytest.mark.parametrize("known_relations", [False, True])
@pytest.mark.parametrize("shape", HUB_PATTERNS)
def test_no_step_over_a_hub_takes_much_longer_than_the_deadline(
    hub: Snapshot, shape: str, known_relations: bool
) -> None:
    texts, pairs = HUB_PATTERNS[shape]
    nodes = tuple(PatternNode(None if text == "?" else text) for text in texts)
    edges = tuple(PatternEdge(head, tail, "r" if known_relations else None) for head, tail in pairs)
    pattern = Pattern(nodes, edges)
    sources = Sources(
        {i: Candidates.of([0], [0.0]) for i, node in enumerate(nodes) if node.known},
        {i: Candidates.of([0, 1, 2], [0.0, 0.5, 0.5]) for i in range(len(edges)) if known_relations},
    )
    match(hub, pattern, sources, 20, time.monotonic() + 0.001, distinct="edges")  # compiles where need be
    took = []
    for _ in range(3):
        started = time.process_time()  # where others keep the machine busy, the clock would count their work
        match(hub, pattern, sources, 20, time.monotonic() + 0.05, distinct="edges")
        took.append(time.process_time() - started)
    assert min(took) < 0.15, took


def test_small_patterns_need_nothing_compiled(tmp_path: Path) -> None:
    star(tmp_path, 5)
    script = (
        "import sys; from pathlib import Path; from clew.tools.patterns import *\n"
        f"snapshot = Snapshot.open(Path({str(tmp_path)!r}))\n"
        "pattern = Pattern((PatternNode('s'), PatternNode()), (PatternEdge(0, 1, 'r'),), asked=1)\n"
        "sources = Sources({0: Candidates.of([0], [0.0])}, {0: Candidates.of([0], [0.0])})\n"
        "found = match(snapshot, pattern, sources).matches[0]\n"
        "print(len(complete(snapshot, pattern, found).nodes), 'numba' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.split() == ["3", "False"]


def test_without_a_place_to_keep_what_is_compiled_it_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    caching = pytest.importorskip("numba.core.caching")
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])

    @compiled
    def doubled(number: int) -> int:
        return 2 * number

    assert doubled(21) == 42


def test_without_candidates_there_is_no_match(tmp_path: Path) -> None:
    result = match(star(tmp_path, 4), PATH, Sources({0: Candidates((), ())}, {0: Candidates.of([0], [0.0])}))
    assert (result.matches, result.proven) == ((), True)


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (Sources({}, {0: Candidates.of([0], [0.0])}), "node 0 of the pattern is known but has no candidates"),
        (Sources({0: Candidates.of([0], [0.0])}, {}), "edge 0 of the pattern is known but has no candidates"),
        (
            Sources({i: Candidates.of([0], [0.0]) for i in (0, 1)}, {0: Candidates.of([0], [0.0])}),
            "node 1 .* has candidates",
        ),
        (
            Sources({0: Candidates.of([99], [0.0])}, {0: Candidates.of([0], [0.0])}),
            "node is not in the graph snapshot",
        ),
        (
            Sources({0: Candidates.of([0], [0.0])}, {0: Candidates.of([0], [0.0])}, {1: [7]}),
            "label is not in the graph",
        ),
    ],
)
def test_candidates_that_do_not_fit_are_refused(tmp_path: Path, sources: Sources, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        match(star(tmp_path, 4), PATH, sources)


def test_a_distance_below_zero_is_refused() -> None:
    with pytest.raises(BadInput, match=r"distance -0\.5"):
        Candidates.of([1], [-0.5])
