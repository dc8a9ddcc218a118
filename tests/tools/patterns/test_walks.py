"""The number of walks to an answer, held against all walks listed."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.patterns import Match, MatchedEdge, Pattern, PatternEdge, PatternNode, walks
from clew.tools.patterns.plan import Distinct

NODES, RELATIONS = 7, ("r", "s")
Triple = tuple[int, int, int]


def snapshot_of(triples: set[Triple], directory: Path) -> Snapshot:
    nodes = [(str(node), f"n{node}", "A" if node % 2 else "B") for node in range(NODES)]
    return Snapshot.build(nodes, [(str(h), RELATIONS[r], str(t)) for h, r, t in sorted(triples)], directory, "1")


def chain(chance: random.Random) -> tuple[Pattern, Match]:
    """A known node and up to three edges in random directions to the asked one, and a match with their relations."""
    length = chance.randint(1, 3)
    ends = [(i, i + 1) if chance.random() < 0.5 else (i + 1, i) for i in range(length)]
    nodes = (PatternNode("start"), *(PatternNode() for _ in range(length)))
    edges = tuple(PatternEdge(head, tail, "x", directed=True) for head, tail in ends)
    found = tuple(MatchedEdge(0, chance.randrange(2), 0, True) for _ in ends)
    bound = (chance.randrange(NODES), *([0] * length))
    return Pattern(nodes, edges, asked=length), Match(0.0, bound, found, 1, True)


def listed(triples: set[Triple], snapshot: Snapshot, pattern: Pattern, match: Match, distinct: Distinct) -> list[int]:
    counts = [0] * NODES
    numbers = {name: number for number, name in enumerate(snapshot.relations)}
    named = {(h, numbers[RELATIONS[r]], t) for h, r, t in triples}
    for rest in itertools.product(range(NODES), repeat=len(pattern.edges)):
        walk = (match.nodes[0], *rest)
        taken = [
            (walk[edge.head], found.relation, walk[edge.tail])
            for edge, found in zip(pattern.edges, match.edges, strict=True)
        ]
        back = distinct != "nothing" and any(one == other for one, other in itertools.pairwise(taken))
        typed = all(node % 2 for node in rest[:1])  # The label A of the first unknown node.
        counts[walk[-1]] += typed and not back and all(triple in named for triple in taken)
    return counts


@pytest.mark.parametrize("distinct", ["edges", "nothing"])
def test_walks_are_those_that_can_be_listed(distinct: Distinct, tmp_path: Path) -> None:
    counted = 0
    for seed in range(50):
        chance = random.Random(seed)
        pairs = [(h, t) for h in range(NODES) for t in range(NODES) if h != t]
        triples = {(h, chance.randrange(2), t) for h, t in chance.sample(pairs, 28)}
        if {r for _, r, _ in triples} != {0, 1}:
            continue
        snapshot = snapshot_of(triples, tmp_path / str(seed))
        pattern, match = chain(chance)
        labels = {1: [snapshot.labels.index("A")]}
        found = walks(snapshot, pattern, match, labels, distinct=distinct)
        wanted = listed(triples, snapshot, pattern, match, distinct)
        places = snapshot.nodes([str(node) for node in range(NODES)]).tolist()
        assert [int(found[place]) for place in places] == wanted
        counted += sum(wanted)
    assert counted > 50


def test_past_the_deadline_nothing_is_counted(tmp_path: Path) -> None:
    snapshot = snapshot_of({(0, 0, 1), (0, 1, 2)}, tmp_path)
    pattern, match = chain(random.Random(0))
    assert not walks(snapshot, pattern, match, {}, deadline=0.0).any()
