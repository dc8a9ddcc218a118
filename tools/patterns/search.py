"""The k assignments of smallest graph semantic distance: depth-first if few edges are read, else best-first."""

from __future__ import annotations

from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.patterns.best_first import BestFirstSearch, Each
from clew.tools.patterns.depth_first import DepthFirstSearch, TooManyLookups
from clew.tools.patterns.node_sets import Clock
from clew.tools.patterns.pattern import Match, Matches, Pattern
from clew.tools.patterns.plan import MEETING, Distinct, prepare
from clew.tools.patterns.sources import Sources


def match(
    snapshot: Snapshot,
    pattern: Pattern,
    sources: Sources,
    k: int = 3,
    deadline: float | None = None,
    *,
    distinct: Distinct = "nodes",
    each: Each = "assignment",
) -> Matches:
    """The `k` matches of smallest graph semantic distance (GSD), exactly, for the candidates given.

    Args:
        sources: Candidates for the known nodes and edges.
        k: How many matches to return.
        deadline: A value of time.monotonic(); past it the best matches found so far come back, not `proven`.
        distinct: "nodes" maps nodes one to one. "edges" lets two unknown nodes that no edge joins be bound to one
            node, but uses no edge twice. "nothing" lets any two nodes that no edge joins be bound to one node, and
            uses edges as often as need be (a homomorphism): in "the son of X's father", X may be meant twice.
        each: "assignment" returns one subgraph per assignment, with the number of its ties; "subgraph" returns the k
            best subgraphs themselves, as the paper does.

    Raises:
        BadInput: The candidates do not fit the pattern or the graph.

    Source: SimGRAG, Definition 1, Algorithm 1 and section 5.2.
    """
    sources.check(pattern, len(snapshot), len(snapshot.relations), len(snapshot.labels))
    task, k, clock = prepare(snapshot, pattern, sources), max(k, 1), Clock(deadline)
    if task is None:
        return Matches((), True, 0, float("inf"))
    if not clock.late:
        small = DepthFirstSearch(task, k, MEETING[distinct], each == "subgraph")
        try:
            kept = small.best()
            found = [Match.of(pattern, gsd, nodes, edges, small.ties(nodes, edges)) for gsd, _, nodes, edges in kept]
            return Matches(tuple(found), True, small.looked, small.bound)
        except TooManyLookups:
            pass
    return BestFirstSearch(task, k, clock, MEETING[distinct], each).run()
