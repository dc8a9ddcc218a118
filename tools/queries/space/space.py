"""Executing candidate queries, and asking the database which of them can have an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

from clew.tools.graph.entity import AnswerRow, Entity
from clew.tools.graph.schema import Schema
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.graph.temporal import period_of
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.space import render, times
from clew.tools.queries.space.entity_steps import EntitySteps
from clew.tools.queries.space.moves import Moves
from clew.tools.queries.space.query import ANSWER, Hop, Query, ReferenceFact, anchor_clause

PathSemantics = Literal["trail", "walk"]
Semantics = Literal["trail", "walk", "either"]
"""Trails, walks, or a walk only where no trail leads anywhere."""
_WAYS: dict[Semantics, tuple[PathSemantics, ...]] = {
    "trail": ("trail",), "walk": ("walk",), "either": ("trail", "walk")
}  # fmt: skip
_REMEMBERED = 10_000
"""Answers of the database that are remembered, of each kind."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What a query gave, best supported first."""

    rows: list[AnswerRow]
    cypher: str
    parameters: dict[str, Any]
    truncated: bool
    """True where there may be more answers than the row limit let through."""
    ms: float


class QuerySpace:
    """The candidate queries of one graph, checked and executed in its database. Thread-safe."""

    def __init__(self, store: GraphStore, schema: Schema, semantics: Semantics = "either") -> None:
        self.store = store
        self._terms = store.terms
        self.schema = schema
        self.moves = Moves(schema.within(self._terms.labels), self._terms.names)
        self.relation_times = times.time_properties(schema.relation_properties)
        """By relationship type the properties that hold its times; types without times are absent."""
        self.label_times = times.time_properties(schema.properties)
        """The same by label."""
        self._semantics = semantics
        self.steps = EntitySteps(store, schema, self.moves.properties)
        self.matches = lru_cache(maxsize=_REMEMBERED)(self._matches)

    def first_steps(self, entity: Entity) -> tuple[int, ...]:
        """The steps (indices into `moves`) that the entity really has."""
        owned, hops = self.steps.of([entity])[entity], self.moves.hops
        ends = {(relation, forward) for relation, forward, _ in owned.steps}

        def has(step: int) -> bool:
            if step >= len(hops):
                return self.moves.properties[step - len(hops)].name in owned.properties
            hop = hops[step]
            key = (hop.relation, hop.forward)
            return (*key, hop.target) in owned.steps if hop.typed else key in ends

        return tuple(step for step in self.moves.starting_at(entity.label) if has(step))

    def supported(self, entity: Entity, paths: Sequence[tuple[Hop, ...]]) -> list[PathSemantics | None]:
        """For each path how it leads anywhere from the entity, None where it does not."""
        first, *others = _WAYS[self._semantics]
        # What a path of one step has is known from `first_steps`.
        found: list[PathSemantics | None] = [first if len(path) <= 1 else None for path in paths]
        asked: list[tuple[int, PathSemantics]] = []
        for i, path in enumerate(paths):
            if len(path) > 1:
                asked += [(i, first), *((i, way) for way in others if _can_return(path))]
        alive = self._exist(entity, [(paths[i], way) for i, way in asked])
        for (i, way), alive_ in zip(asked, alive, strict=True):
            found[i] = found[i] or (way if alive_ else None)
        return found

    def _exist(self, entity: Entity, paths: Sequence[tuple[tuple[Hop, ...], PathSemantics]]) -> list[bool]:
        """Whether there is any such path: one query of EXISTS expressions, or one query each for Neo4j, which compiles
        a text once. Compiling another choice of paths for each entity takes it ten times as long as the queries."""
        exist = [render.exists(path, "a", walk=way == "walk") for path, way in paths]
        most = 1 if self.store.engine == "neo4j" else max(1, len(exist))
        found: list[bool] = []
        for at in range(0, len(exist), most):
            columns = [f"{each} AS p{i}" for i, each in enumerate(exist[at : at + most])]
            rows = self._ask(f"{anchor_clause('a', entity, 'a0', self._terms)}\nRETURN {', '.join(columns)}", entity)
            found += [bool(rows and rows[0][f"p{i}"]) for i in range(len(columns))]
        return found

    def totals(self, entity: Entity, answers: Sequence[str], hops: int) -> list[tuple[tuple[Hop, ...], int, int]]:
        """Every path of exactly `hops` hops (1 or 2) around the entity with its hits among the answers' ids and its
        number of results, counted inside the database in one query a direction (GraphRAFT Figure 1, appendix B.2)."""
        found = []
        for directions in ([True], [False]) if hops == 1 else ([a, b] for a in (True, False) for b in (True, False)):
            found += self._totals(entity, answers, directions)
        return found

    def _totals(
        self, entity: Entity, answers: Sequence[str], directions: Sequence[bool]
    ) -> list[tuple[tuple[Hop, ...], int, int]]:
        pattern, keys = "(a)", []
        for i, forward in enumerate(directions):
            pattern += f"-[r{i}]->(n{i})" if forward else f"<-[r{i}]-(n{i})"
            keys += [f"type(r{i}) AS t{i}", f"{self._terms.label(f'n{i}')} AS l{i}"]
        last = f"n{len(directions) - 1}"
        own = " AND ".join(self._terms.own(f"n{i}") for i in range(len(directions)))
        cypher = (
            f"{anchor_clause('a', entity, 'a0', self._terms)}\nMATCH {pattern}\nWHERE {own}\n"
            f"WITH DISTINCT {', '.join(keys)}, {last} AS tgt\n"
            f"RETURN {', '.join(key.split(' AS ')[1] for key in keys)}, count(tgt) AS total, "
            f"sum(CASE WHEN {self._terms.id('tgt')} IN $answers THEN 1 ELSE 0 END) AS hits"
        )
        rows = self._ask(cypher, entity, {"answers": list(answers)})
        return [
            (
                tuple(Hop(row[f"t{i}"], forward, row[f"l{i}"], typed=True) for i, forward in enumerate(directions)),
                int(row["hits"]),
                int(row["total"]),
            )
            for row in rows
        ]

    def _matches(self, query: Query) -> bool:
        """Whether a query has an answer; one that counts, whether there is anything to count."""
        matched = render.match_clauses(query, self._terms, also=render.needed(query))
        counted = query.order.by if query.order is not None else None
        neighbour = f"\nMATCH ({ANSWER}){counted.pattern('')}" if isinstance(counted, Hop) else ""
        cypher = f"{matched.cypher}{neighbour}\nRETURN 1 AS one LIMIT 1"
        return bool(self.store.read(cypher, matched.parameters, Limits(max_rows=1)).records)

    def execute(self, query: Query, limits: Limits | None = None) -> Answers:
        """Run a query. Raises what GraphStore.read raises."""
        statement = render.cypher(query, self._terms)
        rows = self.store.read(statement.cypher, statement.parameters, limits)
        found = [_answer(row) for row in rows.records]
        extreme = query.order is not None or query.time_order is not None
        if extreme and rows.records:
            best = rows.records[0]["value"]
            found = [row for row, record in zip(found, rows.records, strict=True) if record["value"] == best]
        truncated = rows.truncated and (not extreme or len(found) == len(rows.records))
        if not extreme and query.returns == "nodes":
            found = _others(found, {anchor.id for anchor in query.anchors})
        return Answers(found, statement.cypher, statement.parameters, truncated, rows.ms)

    def evidence(self, query: Query, ids: Sequence[str], limit: int = 50) -> list[Triplet]:
        """The triplets on the matched paths that end in these answers (all answers where `ids` is empty), and the
        facts that their times are compared with."""
        paths: list[tuple[Sequence[Hop], list[str], list[str]]] = []
        for n, condition in enumerate(query.time_filters):
            if isinstance(condition.than, ReferenceFact) and condition.than.hop is not None:
                paths.append(((condition.than.hop,), [f"t{n}", f"u{n}"], [f"s{n}"]))
        for number, chain in enumerate(query.chains):
            inner = [f"n{number}_{i}" for i in range(len(chain.hops) - 1)]
            relationships = [f"r{number}_{i}" for i in range(len(chain.hops))]
            if relationships:
                paths.append((chain.hops, [f"a{number}", *inner, ANSWER], relationships))
        triplets: dict[Triplet, None] = {}
        for hops, nodes, relationships in paths:
            for row in self._matched_rows(query, nodes, relationships, ids, limit):
                triplets.update(dict.fromkeys(_triplets(hops, nodes, relationships, row)))
        return list(triplets)[:limit]

    def _matched_rows(
        self, query: Query, nodes: Sequence[str], relationships: Sequence[str], ids: Sequence[str], limit: int
    ) -> list[dict[str, Any]]:
        """These variables of the matches that end in `ids`: nodes as [id, name, label], relationships as maps."""
        terms = self._terms
        columns = [f"[{terms.id(name)}, {terms.name(name)}, {terms.label(name)}] AS {name}" for name in nodes]
        columns += [f"properties({name}) AS {name}" for name in relationships]
        matched = render.match_clauses(query, terms, named=True, also=render.needed(query), ids="ids" if ids else "")
        cypher = f"{matched.cypher}\nRETURN {', '.join(columns)}\nLIMIT {int(limit)}"
        return self.store.read(cypher, {**matched.parameters, "ids": list(ids)}).records

    def _ask(self, cypher: str, entity: Entity, extra: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        return self.store.read(cypher, {"a0": entity.id, **self._terms.parameters, **(extra or {})}).records


def _can_return(path: tuple[Hop, ...]) -> bool:
    """Whether a walk along the path could take one relationship twice, and not just by turning back on its heel
    ("the city of X's city"), which nobody means."""
    turns = any(a.relation == b.relation and a.forward != b.forward for a, b in pairwise(path))
    return not turns and len({hop.relation for hop in path}) < len(path)


def _answer(row: dict[str, Any]) -> AnswerRow:
    if "began" in row:
        period = period_of({"start": row["began"], "end": row["ended"]})
        told = period.words() if period is not None else str(row["began"] or row["ended"])
        return AnswerRow(None, told, "value", int(row["support"]))
    if "id" not in row:
        return AnswerRow(None, str(row["value"]), "value", int(row.get("support", 1)))
    return AnswerRow(str(row["id"]), str(row["name"]), str(row["label"]), int(row["support"]))


def _others(rows: list[AnswerRow], anchors: set[str]) -> list[AnswerRow]:
    """Answers other than the entities asked about, unless there are no others."""
    return [row for row in rows if row.id not in anchors] or rows


def _triplets(
    hops: Sequence[Hop], nodes: Sequence[str], relationships: Sequence[str], row: dict[str, Any]
) -> Iterator[Triplet]:
    ends = pairwise(Entity(*(str(value) for value in row[name])) for name in nodes)
    for hop, (start, end), name in zip(hops, ends, relationships, strict=True):
        head, tail = (start, end) if hop.forward else (end, start)
        yield Triplet(head, hop.relation, tail, dict(row[name] or {}))
