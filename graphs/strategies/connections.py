"""How two named nodes are connected: the shortest paths between them, in either direction of every relationship."""

from __future__ import annotations

from itertools import product

from clew.agents.evidence import AnswerRef, Attempt
from clew.graphs.context import Context
from clew.graphs.steps import spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.tools.errors import QueryTimeout
from clew.tools.graph.entity import Entity
from clew.tools.queries.paths.paths import Path, path_query, shortest_paths
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.surroundings.asked import Asked

MAX_HOPS = 6
"""The longest path that is looked for."""
_NEAR = 3
"""The longest path that is looked for where the time does not suffice."""
_MOST = 10
"""Paths that are shown."""


def ways(asked: Asked, found: StrategyFindings, context: Context) -> Attempt:
    """The shortest paths; where a kind of node is asked for, the nodes of that kind on them."""
    paths = _paths(asked, context)
    between = dict.fromkeys(node for path in paths for node in path.nodes[1:-1] if node.label in asked.labels)
    answers: list[AnswerRef] = [
        {"id": each.id, "name": each.name, "label": each.label, "support": 1} for each in between
    ] or [_value(way_words(path), "path", spoken(len(path.triplets), "step")) for path in paths]
    source, target = _ends(asked, paths)
    return _attempt(f"Shortest paths from {source.name} to {target.name}", answers, paths, asked, found, context)


def whether_connected(asked: Asked, found: StrategyFindings, context: Context) -> Attempt:
    """Whether there is a path of MAX_HOPS at most; the first one stands beside the answer."""
    paths = _paths(asked, context)
    source, target = _ends(asked, paths)
    said = way_words(paths[0]) if paths else f"no path of up to {MAX_HOPS} steps"
    answers = [_value("yes" if paths else "no", "value", said)]
    return _attempt(f"Whether {source.name} is connected to {target.name}", answers, paths, asked, found, context)


def number_of_steps(asked: Asked, found: StrategyFindings, context: Context) -> Attempt:
    """The length of the shortest path; the first one stands beside the answer."""
    paths = _paths(asked, context)
    source, target = _ends(asked, paths)
    answers = [_value(str(len(paths[0].triplets)), "value", way_words(paths[0]))] if paths else []
    return _attempt(f"Number of steps from {source.name} to {target.name}", answers, paths, asked, found, context)


def way_words(path: Path) -> str:
    """A path in words: "Ann —knows→ Bob ←reports to— Eve"."""
    nodes = path.nodes
    text = nodes[0].name
    for start, triplet, end in zip(nodes, path.triplets, nodes[1:], strict=False):
        said = " ".join(relation_words(triplet.relation))
        text += f" —{said}→ {end.name}" if triplet.head == start else f" ←{said}— {end.name}"
    return text


def _paths(asked: Asked, context: Context) -> list[Path]:
    """The shortest paths between the nodes of two names; where several have a name, between those that are nearest."""
    store, relations = context.tools.store, list(dict.fromkeys(each.type for each in context.tools.schema.relations))
    found: list[Path] = []
    for source, target in product(*asked.named):
        if context.run.deadline.passed:
            break
        most = len(found[0].triplets) if found else MAX_HOPS
        try:
            paths = shortest_paths(store, source, target, most, context.limits(), most=_MOST, relations=relations)
        except QueryTimeout:  # Between hubs, only short ones are found in time.
            paths = shortest_paths(store, source, target, _NEAR, context.limits(), relations=relations)
        if paths and len(paths[0].triplets) < most:
            found = []
        found += paths
    distinct = {(path.nodes, tuple(each.relation for each in path.triplets)): path for path in found}
    return list(distinct.values())[:_MOST]


def _ends(asked: Asked, paths: list[Path]) -> tuple[Entity, Entity]:
    return (paths[0].nodes[0], paths[0].nodes[-1]) if paths else (asked.named[0][0], asked.named[1][0])


def _attempt(
    words: str, answers: list[AnswerRef], paths: list[Path], asked: Asked, found: StrategyFindings, context: Context
) -> Attempt:
    source, target = _ends(asked, paths)
    terms = context.tools.store.terms
    cypher, parameters = path_query(terms, source, target, f"allShortestPaths((a)-[*..{MAX_HOPS}]-(b))")
    attempt = found.attempt(
        words,
        answers,
        1.0,
        cypher=cypher,
        parameters=parameters,
        anchors=[source, target],
        truncated=len(paths) >= _MOST,
    )
    if not answers:
        attempt["none"] = True
    found.support(attempt, (triplet for path in paths for triplet in path.triplets))
    return attempt


def _value(name: str, label: str, detail: str) -> AnswerRef:
    return {"id": None, "name": name, "label": label, "support": 1, "detail": detail}
