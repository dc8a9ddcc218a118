"""Choice of the answers among the nodes that the best queries find, by a language model constrained to their names.

Source: GraphRAFT section 4.3, Figure 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from clew.agents.generating.choosers import Chooser
from clew.agents.generating.written_query import written
from clew.agents.prompting import prompt
from clew.tools.embedding.token_budget import fitting
from clew.tools.errors import QueryFailed
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.learning.generation.examples import Example
from clew.tools.queries.space.query import Query

NODES = 40
"""Number of nodes at which no further query is run."""
TOKENS = 3000
"""Tokens of the nodes in the prompt."""
PATTERNS = 3
"""Patterns shown for one node."""
PROPERTIES = 8
LONGEST_VALUE = 300
"""Characters of a property."""


class Space(Protocol):
    """As clew.tools.queries.space.space.QuerySpace."""

    def execute(self, query: Query, limits: Limits | None = None) -> Any: ...


@dataclass(slots=True)
class FoundNode:
    """A node, and the queries that found it."""

    id: str
    name: str
    label: str
    queries: list[int]
    """Numbers of the queries that found it, best first."""
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Subgraph:
    """The nodes that the best queries found, in the order of discovery."""

    queries: tuple[Query, ...]
    """The queries that ran without error."""
    nodes: tuple[FoundNode, ...]
    failed: int = 0
    """Number of queries that the database refused."""


def found_by(space: Space, queries: Sequence[Query], limits: Limits | None = None, most: int = NODES) -> Subgraph:
    """Run queries, best first, until there are `most` nodes. Values and numbers are left out."""
    run: list[Query] = []
    nodes: dict[str, FoundNode] = {}
    failed = 0
    for query in queries:
        if len(nodes) >= most:
            break
        try:
            rows = space.execute(query, limits).rows
        except QueryFailed:
            failed += 1
            continue
        for row in rows:
            if row.id is None:
                continue
            if row.id in nodes:
                nodes[row.id].queries.append(len(run))
            elif len(nodes) < most:
                nodes[row.id] = FoundNode(row.id, row.name, row.label, [len(run)])
        run.append(query)
    return Subgraph(tuple(run), tuple(nodes.values()), failed)


def with_details(subgraph: Subgraph, store: GraphStore, limits: Limits | None = None) -> Subgraph:
    """The subgraph with its nodes' properties, fetched label by label. Raises what GraphStore.read raises."""
    terms = store.terms
    labels: dict[str, list[FoundNode]] = {}
    for node in subgraph.nodes:
        labels.setdefault(node.label, []).append(node)
    for label, nodes in labels.items():
        by_id = {node.id: node for node in nodes}
        cypher = f"{terms.by_ids('n', label, 'ids')} RETURN {terms.id('n')} AS id, properties(n) AS properties"
        rows = store.read(cypher, {**terms.parameters, "ids": list(by_id)}, limits)
        for row in rows.records:
            if str(row["id"]) in by_id:
                by_id[str(row["id"])].details = dict(row["properties"] or {})
    return subgraph


def nodes_prompt(question: str, subgraph: Subgraph, tokens: int = TOKENS) -> tuple[str, list[FoundNode]]:
    """The prompt, and the nodes that fit into it, best first."""
    entries = [(number, _text(node, subgraph)) for number, node in enumerate(subgraph.nodes)]
    kept = fitting(((str(number), text) for number, text in entries), tokens)
    numbers = [int(number) for number in kept]
    nodes = "\n\n".join(entries[number][1] for number in numbers)
    asked = prompt("select_nodes", question=" ".join(question.split()), nodes=nodes).user
    return asked, [subgraph.nodes[number] for number in numbers]


def _text(node: FoundNode, subgraph: Subgraph) -> str:
    patterns = [written(subgraph.queries[number], node.name) for number in node.queries[:PATTERNS]]
    return "\n".join(
        [*(f"pattern: {pattern}" for pattern in patterns), f"name: {node.name}", f"details: {_details(node.details)}"]
    )


def _details(properties: Mapping[str, Any]) -> str:
    said = []
    for name, value in properties.items():
        if name in ("nodeId", "id", "name", "aliases") or value is None or value == "":
            continue
        text = " ".join(str(value).split())
        said.append(f"{name}: {text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + '…'}")
    return "; ".join(said[:PROPERTIES]) or "none"


def node_examples(question: str, subgraph: Subgraph, answers: Iterable[str]) -> list[Example]:
    """Training examples of L2 from one question: one for every right answer among the nodes."""
    asked, nodes = nodes_prompt(question, subgraph)
    names = tuple(dict.fromkeys(node.name for node in nodes))
    right = {answer.casefold() for answer in answers}
    return [Example(asked, name, names) for name in names if name.casefold() in right and len(names) > 1]


@dataclass(frozen=True, slots=True)
class NodeReasoner:
    """Orders the found nodes by a model that can name only them."""

    chooser: Chooser

    def order(self, question: str, subgraph: Subgraph, *, seconds: float) -> list[tuple[FoundNode, float]]:
        """All nodes with their probabilities, likeliest first. Nodes without room in the prompt come last, with 0.
        Nodes of one name share their probability. Raises ClewError."""
        asked, nodes = nodes_prompt(question, subgraph)
        names = list(dict.fromkeys(node.name for node in nodes))
        if len(names) < 2:
            return [(node, 1.0 if node in nodes else 0.0) for node in subgraph.nodes]
        choice = self.chooser.choose(asked, names, len(names), seconds=seconds)
        probabilities = {names[each.index]: each.probability for each in choice.chosen}
        ranked = [(node, probabilities.get(node.name, 0.0) if node in nodes else 0.0) for node in subgraph.nodes]
        return sorted(ranked, key=lambda pair: -pair[1])
