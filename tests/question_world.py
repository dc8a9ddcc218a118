"""A small world for the question graph's tests: a graph in memory, and stand-ins for the tools that need a database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphs.context import Budget, Context
from tools.embedding import Vectors
from tools.errors import QueryFailed
from tools.linking.entity import Entity
from tools.linking.index import EntityIndex, IndexedNode
from tools.linking.mentions import Linking
from tools.query_space.query import Chain, Hop, Query, RankedQuery
from tools.query_space.space import AnswerRow, Answers
from tools.schema import Relation, Schema
from tools.store.graph_store import Limits, Rows
from tools.triplets import Triplet

FACTS = """
Alien|directed_by|Ridley Scott
Alien|written_by|Dan O'Bannon
Alien|released_in|1979
Alien|starring|Sigourney Weaver
Aliens|directed_by|James Cameron
Aliens|starring|Sigourney Weaver
Aliens|written_by|James Cameron
Blade Runner|directed_by|Ridley Scott
Blade Runner|starring|Harrison Ford
Blade Runner|released_in|1982
Ridley Scott|born_in|South Shields
James Cameron|born_in|Kapuskasing
Harrison Ford|born_in|Chicago
Sigourney Weaver|born_in|New York
"""
LABELS = {
    "directed_by": ("Film", "Person"),
    "written_by": ("Film", "Person"),
    "starring": ("Film", "Person"),
    "released_in": ("Film", "Year"),
    "born_in": ("Person", "City"),
}
CUES = {
    "directed": "directed_by",
    "wrote": "written_by",
    "starred": "starring",
    "born": "born_in",
    "when": "released_in",
}


def facts() -> list[Triplet]:
    found = []
    for line in FACTS.split("\n"):
        if line:
            head, relation, tail = line.split("|")
            source, target = LABELS[relation]
            found.append(Triplet(entity(head, source), relation, entity(tail, target)))
    return found


def entity(name: str, label: str) -> Entity:
    return Entity(f"{label}:{name}", name, label)


class Store:
    """Answers EXPLAIN alone: all else goes through the stand-ins."""

    name = "films"
    engine = "arcadedb"
    scope = None

    def read(self, cypher: str, parameters: Mapping[str, Any] | None = None, limits: Limits | None = None) -> Rows:
        raise AssertionError("no test of the graph reads the store directly")

    def plan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> str:
        return "+ NodeByLabelScan"


@dataclass
class Space:
    """Runs queries over the facts; keys of `broken` queries fail, and the limits it was given are kept."""

    triplets: list[Triplet] = field(default_factory=facts)
    broken: set[str] = field(default_factory=set)
    executed: list[str] = field(default_factory=list)
    limits: list[Limits | None] = field(default_factory=list)

    def execute(self, query: Query, limits: Limits | None = None) -> Answers:
        self.executed.append(query.key())
        self.limits.append(limits)
        if query.key() in self.broken:
            raise QueryFailed("the database rejected it", cypher="MATCH …")
        ends = [set(self._ends(chain)) for chain in query.chains]
        common = set.intersection(*ends)
        rows = [AnswerRow(e.id, e.name, e.label, 1) for e in sorted(common, key=lambda e: e.name)]
        return Answers(rows, f"MATCH {query.key()}", {"a0": 1}, False, 0.1)

    def evidence(self, query: Query, row_ids: list[str], limit: int) -> list[Triplet]:
        return [t for chain in query.chains for way in self._ways(chain) if way[-1][1].id in row_ids for t, _ in way]

    def _ends(self, chain: Chain) -> Iterator[Entity]:
        for way in self._ways(chain):
            yield way[-1][1]

    def _ways(self, chain: Chain) -> list[list[tuple[Triplet, Entity]]]:
        assert isinstance(chain.anchor, Entity)
        ways: list[list[tuple[Triplet, Entity]]] = [[]]
        for hop in chain.hops:
            ways = [
                [*way, (t, other)] for way in ways for t, other in self._steps(way[-1][1] if way else chain.anchor, hop)
            ]
        return ways

    def _steps(self, node: Entity, hop: Hop) -> list[tuple[Triplet, Entity]]:
        near = [(t, t.tail if hop.forward else t.head, t.head if hop.forward else t.tail) for t in self.triplets]
        return [(t, other) for t, other, start in near if t.relation == hop.relation and start == node]


@dataclass
class Ranker:
    """One hop from every linked entity whose relation a word of the question hints at; `top` is the first's score,
    `lead` its lead over the next."""

    lead: float = 0.5
    top: float = 1.0
    asked: list[tuple[str, Linking]] = field(default_factory=list)
    silent: bool = False

    def rank(self, question: str, linking: Linking, limit: int = 20) -> list[RankedQuery]:
        self.asked.append((question, linking))
        if self.silent:
            return []
        hinted = [relation for cue, relation in CUES.items() if cue in question.lower()]
        queries = []
        for candidate in (c for mention in linking.mentions for c in mention.candidates):
            for relation in hinted:
                source, target = LABELS[relation]
                if candidate.entity.label == source:
                    queries.append(Query((Chain(candidate.entity, (Hop(relation, True, target),)),)))
                elif candidate.entity.label == target:
                    queries.append(Query((Chain(candidate.entity, (Hop(relation, False, source),)),)))
        scores = [self.top - self.lead * i for i in range(len(queries))]
        return [RankedQuery(q, s, {"alignment": s}) for q, s in zip(queries, scores, strict=True)]


class Embedder:
    dimension = 4

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 4), np.float32) / 2


def triplets_around(question: str, entities: Sequence[Entity], *_: Any, **__: Any) -> list[tuple[Triplet, float]]:
    """Stands in for score_triplets: words of the question in the relation decide."""
    near = [t for t in facts() if t.head in entities or t.tail in entities]
    scored = [(t, 2.0 if any(w in question.lower() for w in t.relation.split("_")) else 1.0) for t in near]
    return sorted(scored, key=lambda pair: -pair[1])[:10]


@dataclass(frozen=True)
class Path_:
    triplets: tuple[Triplet, ...]


def direct_paths(store: Any, source: Entity, target: Entity, *_: Any, **__: Any) -> list[Path_]:
    """Stands in for shortest_paths: paths of one triplet."""
    return [Path_((t,)) for t in facts() if {t.head, t.tail} == {source, target}]


@pytest.fixture(scope="session")
def film_index(tmp_path_factory: pytest.TempPathFactory) -> EntityIndex:
    return build_index(tmp_path_factory.mktemp("index"))


def build_index(directory: Path) -> EntityIndex:
    entities = dict.fromkeys(end for t in facts() for end in (t.head, t.tail))
    return EntityIndex.build([IndexedNode(e.id, e.name, e.label) for e in entities], directory, "1")


def context(index: EntityIndex, **changed: Any) -> Context:
    relations = tuple(Relation(t, s, o, 1) for t, (s, o) in LABELS.items())
    schema = Schema({"Film": 3, "Person": 5, "City": 4, "Year": 2}, relations, (), "1")
    parts: dict[str, Any] = {
        "store": Store(), "schema": schema, "index": index, "space": Space(), "ranker": Ranker(),
        "embedder": Embedder(), "budget": Budget(),
    }  # fmt: skip
    return Context(**{**parts, **changed})
