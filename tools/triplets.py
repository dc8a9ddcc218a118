"""Triplets: the facts that are shown as evidence, and their scoring against a question (ByoKG-RAG appendix A.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tools.embedding import Embedder
from tools.identifiers import identifier_words
from tools.linking.entity import Entity
from tools.store.graph_store import GraphStore, Limits

FAN_OUT = 500
"""Triplets fetched around one entity before scoring."""


@dataclass(frozen=True, slots=True)
class Triplet:
    """One fact, in the direction in which the graph holds it."""

    head: Entity
    relation: str
    tail: Entity
    properties: dict[str, Any] = field(default_factory=dict, compare=False)

    def words(self) -> str:
        """head → relation → tail, as ByoKG-RAG section 3.5 writes it."""
        return f"{self.head.name} → {self.relation} → {self.tail.name}"


def around(store: GraphStore, entity: Entity, limits: Limits | None = None) -> list[Triplet]:
    """The triplets that have the entity as head or tail, FAN_OUT at most in each direction."""
    terms = store.terms
    columns = (
        f"type(r) AS relation, properties(r) AS properties, {terms.id('other')} AS id, "
        f"{terms.name('other')} AS name, {terms.label('other')} AS label LIMIT {FAN_OUT}"
    )
    anchor = terms.by_id("a", entity.label, "a")
    parameters = {"a": entity.id, **terms.parameters}
    found = []
    for pattern, outgoing in (("(a)-[r]->(other)", True), ("(a)<-[r]-(other)", False)):
        for row in store.read(f"{anchor} MATCH {pattern} RETURN {columns}", parameters, limits).records:
            other = Entity(str(row["id"]), str(row["name"]), str(row["label"]))
            head, tail = (entity, other) if outgoing else (other, entity)
            found.append(Triplet(head, str(row["relation"]), tail, dict(row["properties"] or {})))
    return found


def score_triplets(
    question: str, entities: Sequence[Entity], store: GraphStore, embedder: Embedder, *, hops: int = 1, k: int = 10
) -> list[tuple[Triplet, float]]:
    """The k triplets within `hops` of the entities that score best, best first.

    The score is decomposed, cos(q, h) + cos(q, r) + cos(q, t), so that names and relations are embedded apart and
    may be cached (ByoKG-RAG appendix A.1). From the second hop on only the best triplets' far ends are expanded.
    """
    frontier, seen = list(entities), {entity.id for entity in entities}
    scored: dict[Triplet, float] = {}
    for _ in range(hops):
        fresh = list(dict.fromkeys(t for entity in frontier for t in around(store, entity) if t not in scored))
        scored.update(zip(fresh, _scores(question, fresh, embedder), strict=True))
        best = sorted(fresh, key=lambda t: -scored[t])[:k]
        frontier = [end for t in best for end in (t.head, t.tail) if end.id not in seen]
        seen.update(entity.id for entity in frontier)
    return sorted(scored.items(), key=lambda pair: (-pair[1], pair[0].words()))[:k]


def _scores(question: str, triplets: Sequence[Triplet], embedder: Embedder) -> list[float]:
    if not triplets:
        return []
    relations = {t.relation: " ".join(identifier_words(t.relation)) for t in triplets}
    names = {name: name for t in triplets for name in (t.head.name, t.tail.name)}
    texts = list(dict.fromkeys([*relations.values(), *names]))
    cosines = embedder.embed(texts) @ embedder.embed([question])[0]
    score = dict(zip(texts, np.asarray(cosines, dtype=float), strict=True))
    return [float(score[t.head.name] + score[relations[t.relation]] + score[t.tail.name]) for t in triplets]
