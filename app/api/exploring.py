"""Looking at a graph node by node: search, properties, neighbours. Every query is bounded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.app.api.graph import Graph

MOST = 500
"""Nodes of one answer."""
_SCANNED = 300
"""Matches from which the best are chosen."""
_COUNTED = 100_000
"""Relationships of one node that are counted."""
_SECONDS = 10.0
_INTERNAL = ("nodeId",)


@dataclass(frozen=True, slots=True)
class Direction:
    """Which relationships of a node are followed."""

    relation: str | None = None
    """None for all types."""
    outgoing: bool | None = None
    """None for both directions."""
    label: str | None = None
    """Of the nodes at the other end; None for all."""


def find_nodes(graph: Graph, text: str, *, label: str | None = None, limit: int = 20) -> list[dict[str, Any]]:
    """The nodes whose name has this text, whatever its case; the shortest names first. If there are none, those whose
    names are spelled like it. Each has `id`, `name` and `label`."""
    store = graph.files.store
    terms = store.terms
    name = terms.name("n")
    cypher = (
        f"MATCH {terms.node('n', label)} WHERE toLower(toString({name})) CONTAINS $text "
        f"RETURN {_columns(graph, 'n')} ORDER BY size(toString({name})), name LIMIT {_SCANNED}"
    )
    rows = _read(graph, cypher, {"text": text.strip().lower()})
    if not rows and text.strip():
        near = [each for mention in graph.link(text, limit) for each in mention.candidates]
        rows = [{"id": each.id, "name": each.name, "label": each.label} for each in near]
        rows = [row for row in rows if label in (None, row["label"])]
    return rows[: min(limit, MOST)]


def node_details(graph: Graph, id: str, label: str) -> dict[str, Any]:
    """A node: `id`, `name`, `label`, `labels`, `properties`, and its `relations` with the label at their other end and
    their number.

    Raises:
        BadInput: There is no such node.
    """
    terms = graph.files.store.terms
    anchor = terms.by_id("n", label, "id")
    found = _read(
        graph, f"{anchor} RETURN {_columns(graph, 'n')}, labels(n) AS labels, properties(n) AS properties", {"id": id}
    )
    if not found:
        raise BadInput(f"There is no {label} with the id {id!r}.", "The graph may have changed; search again.")
    relations = []
    for outgoing, pattern in ((True, "(n)-[r]->(other)"), (False, "(n)<-[r]-(other)")):
        rows = _read(
            graph,
            f"{anchor} MATCH {pattern} WHERE {terms.own('other')} WITH r, other LIMIT {_COUNTED} "
            f"RETURN type(r) AS relation, {terms.label('other')} AS label, count(*) AS count "
            "ORDER BY count DESC, relation",
            {"id": id},
        )
        relations += [{**row, "outgoing": outgoing} for row in rows]
    [node] = found
    kept = {key: value for key, value in node["properties"].items() if key not in _INTERNAL}
    own = [each for each in node["labels"] if each != terms.scope]
    return {**node, "labels": own, "properties": kept, "relations": relations}


def neighbours(
    graph: Graph, id: str, label: str, direction: Direction, *, skip: int = 0, limit: int = 100
) -> dict[str, Any]:
    """The neighbours of a node: `nodes` (`id`, `name`, `label`), `edges` (`source`, `target`, `relation`,
    `properties`), and whether there are `more`."""
    from clew.tools.cypher.quoting import quoted

    terms = graph.files.store.terms
    most = min(limit, MOST)
    kind = f":{quoted(direction.relation)}" if direction.relation else ""
    other = terms.node("other", direction.label)
    nodes: dict[str, dict[str, Any]] = {}
    edges: list[dict[str, Any]] = []
    more = False
    for outgoing in (True, False) if direction.outgoing is None else (direction.outgoing,):
        pattern = f"(n)-[r{kind}]->{other}" if outgoing else f"(n)<-[r{kind}]-{other}"
        rows = _read(
            graph,
            f"{terms.by_id('n', label, 'id')} MATCH {pattern} WHERE {terms.own('other')} "
            f"RETURN {_columns(graph, 'other')}, type(r) AS relation, properties(r) AS properties "
            f"ORDER BY name SKIP {int(skip)} LIMIT {most + 1}",
            {"id": id},
        )
        more = more or len(rows) > most
        for row in rows[:most]:
            nodes[row["id"]] = {key: row[key] for key in ("id", "name", "label")}
            ends = (id, row["id"]) if outgoing else (row["id"], id)
            edges.append(_edge(ends, row))
    return {"nodes": list(nodes.values()), "edges": edges, "more": more}


def subgraph(graph: Graph, ids: Sequence[str]) -> dict[str, Any]:
    """The nodes with these ids, and the relationships among them, as `neighbours` has both."""
    terms = graph.files.store.terms
    known = list(dict.fromkeys(ids))[:MOST]
    where = f"WHERE {terms.id('n')} IN $known"
    nodes = _read(graph, f"MATCH {terms.node('n')} {where} RETURN {_columns(graph, 'n')}", {"known": known})
    edges = []
    for label in dict.fromkeys(node["label"] for node in nodes):
        rows = _read(
            graph,
            f"{terms.by_ids('n', label, 'ids')} MATCH (n)-[r]->{terms.node('other')} "
            f"WHERE {terms.id('other')} IN $known RETURN {terms.id('n')} AS source, {terms.id('other')} AS id, "
            f"type(r) AS relation, properties(r) AS properties LIMIT {MOST * 4}",
            {"ids": [node["id"] for node in nodes if node["label"] == label], "known": known},
        )
        edges += [_edge((row["source"], row["id"]), row) for row in rows]
    return {"nodes": nodes, "edges": edges}


def _edge(ends: tuple[str, str], row: Mapping[str, Any]) -> dict[str, Any]:
    properties = dict(row["properties"] or {})
    return {"source": ends[0], "target": ends[1], "relation": row["relation"], "properties": properties}


def _columns(graph: Graph, variable: str) -> str:
    terms = graph.files.store.terms
    name = f"coalesce(toString({terms.name(variable)}), {terms.id(variable)})"
    return f"{terms.id(variable)} AS id, {name} AS name, {terms.label(variable)} AS label"


def _read(graph: Graph, cypher: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    from clew.tools.graph.store.graph_store import Limits

    store = graph.files.store
    return store.read(cypher, {**parameters, **store.terms.parameters}, Limits(_SECONDS, 5000)).records
