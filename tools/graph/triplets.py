"""Triplets: facts as evidence, and their scores for a question (ByoKG-RAG appendix A.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clew.tools.embedding import Embedder, cosines_with
from clew.tools.graph.entity import Entity
from clew.tools.graph.identifiers import spoken
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.graph.temporal import period_of, split_relation

FAN_OUT = 500
"""Triplets fetched around one entity before scoring."""


@dataclass(frozen=True, slots=True)
class Triplet:
    """One fact, in the direction in which the graph holds it."""

    head: Entity
    relation: str
    tail: Entity
    properties: dict[str, Any] = field(default_factory=dict, compare=False)

    @classmethod
    def of_row(cls, entity: Entity, relation: str, row: Mapping[str, Any], *, outgoing: bool) -> Triplet:
        """The triplet of an entity with the node of a row (id, name, label), and the relationship's properties."""
        other = Entity(str(row["id"]), str(row["name"]), str(row["label"]))
        head, tail = (entity, other) if outgoing else (other, entity)
        return cls(head, relation, tail, dict(row["properties"] or {}))

    @classmethod
    def of_value(cls, entity: Entity, name: str, value: str) -> Triplet:
        """A property's value as a triplet; the value serves as its own id."""
        return cls(entity, name, Entity(value, value, "value"))

    def words(self) -> str:
        """head → relation → tail, as ByoKG-RAG section 3.5 writes it; a fact of a time has it with its relation,
        head → relation (since 1990) → tail."""
        return f"{self.head.name} → {self.relation_words()} → {self.tail.name}"

    def relation_words(self) -> str:
        """The relation as the graph names it, with the fact's time where it has one."""
        period = period_of(self.properties, self.relation)
        return self.relation if period is None else f"{split_relation(self.relation)[0]} ({period.words()})"

    def sentence(self) -> str:
        """The fact in plain words, as a model that knows no graphs reads it: "Alien released in 1979"."""
        period = period_of(self.properties, self.relation)
        name = self.relation if period is None else split_relation(self.relation)[0]
        fact = f"{self.head.name} {spoken(name)} {self.tail.name}"
        return fact if period is None else f"{fact} ({period.words()})"


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
        for row in store.read(
            f"{anchor} MATCH {pattern} WHERE {terms.own('other')} RETURN {columns}", parameters, limits
        ).records:
            found.append(Triplet.of_row(entity, str(row["relation"]), row, outgoing=outgoing))
    return found


def score_triplets(
    question: str,
    entities: Sequence[Entity],
    store: GraphStore,
    embedder: Embedder,
    *,
    hops: int = 1,
    k: int = 10,
    most: int | None = None,
) -> list[tuple[Triplet, float]]:
    """The k best triplets within `hops` of the entities, best first.

    The score is the sum cos(q, h) + cos(q, r) + cos(q, t), so that names and relations are embedded separately and can
    be cached (ByoKG-RAG appendix A.1). From the second hop on only the far ends of the best triplets are expanded.

    Args:
        question: the text to compare with.
        entities: where to start.
        store: the graph.
        embedder: embeds names and relations.
        hops: the largest distance.
        k: the number of triplets, and of those that are expanded on each hop.
        most: the largest number of triplets to score on a hop, a fair share of every relation. A hub has many names,
            and embedding them takes most of the time.

    Returns:
        Triplets with their scores, -3 to 3.
    """
    frontier, seen = list(entities), {entity.id for entity in entities}
    scored: dict[Triplet, float] = {}
    for _ in range(hops):
        fresh = list(dict.fromkeys(t for entity in frontier for t in around(store, entity) if t not in scored))
        fresh = fresh if most is None else fairly(fresh, most)
        scored.update(zip(fresh, scores(question, fresh, embedder), strict=True))
        best = sorted(fresh, key=lambda t: -scored[t])[:k]
        frontier = [end for t in best for end in (t.head, t.tail) if end.id not in seen]
        seen.update(entity.id for entity in frontier)
    return sorted(scored.items(), key=lambda pair: (-pair[1], pair[0].words()))[:k]


def scores(question: str, triplets: Sequence[Triplet], embedder: Embedder) -> list[float]:
    """cos(question, head) + cos(question, relation) + cos(question, tail) of each (ByoKG-RAG appendix A.1).

    A fact's time counts as a part of its relation, as in the paper's section 4.1, where the question has a number to
    compare it with.
    """
    if not triplets:
        return []
    timed = any(letter.isdigit() for letter in question)
    relations = [spoken(triplet.relation_words() if timed else triplet.relation) for triplet in triplets]
    texts = list(dict.fromkeys([*relations, *(name for t in triplets for name in (t.head.name, t.tail.name))]))
    score = dict(zip(texts, cosines_with(embedder, question, texts).astype(float), strict=True))
    return [
        float(score[t.head.name] + score[relation] + score[t.tail.name])
        for t, relation in zip(triplets, relations, strict=True)
    ]


def fairly(triplets: Sequence[Triplet], most: int) -> list[Triplet]:
    """At most `most` triplets, one of every relation and end in turn, so that no frequent relation takes all places.

    The order within a group, and among groups, does not change.
    """
    if len(triplets) <= most:
        return list(triplets)
    groups: dict[tuple[str, str, bool], list[Triplet]] = {}
    counts: dict[tuple[str, str, bool], int] = {}
    for triplet in triplets:
        for side in ((triplet.relation, triplet.head.id, True), (triplet.relation, triplet.tail.id, False)):
            counts[side] = counts.get(side, 0) + 1
    for triplet in triplets:
        sides = ((triplet.relation, triplet.head.id, True), (triplet.relation, triplet.tail.id, False))
        groups.setdefault(max(sides, key=lambda side: counts[side]), []).append(triplet)
    taken: list[Triplet] = []
    for place in range(max(map(len, groups.values()))):
        for group in groups.values():
            if place < len(group):
                taken.append(group[place])
            if len(taken) == most:
                return taken
    return taken


def grouped(triplets: Sequence[Triplet], most: int = 20) -> list[str]:
    """Triplets as lines "head → relation → tail | tail", or "head | head → relation → tail" for a relation whose lines
    are fewer that way; `most` names on a side, then "… and 3 more". Order is that of the first triplet of a line."""
    sides = {True: Counter[tuple[str, str]](), False: Counter[tuple[str, str]]()}
    for triplet in dict.fromkeys(triplets):
        for by_head in sides:
            sides[by_head][_line(triplet, by_head)] += 1
    relations = {t.relation_words() for t in triplets}
    lines_of = {by_head: Counter(relation for relation, _ in counts) for by_head, counts in sides.items()}
    by_head_of = {relation: lines_of[True][relation] <= lines_of[False][relation] for relation in relations}
    lines: dict[tuple[str, str], list[Triplet]] = {}
    for triplet in dict.fromkeys(triplets):
        lines.setdefault(_line(triplet, by_head_of[triplet.relation_words()]), []).append(triplet)
    return [_line_text(group, by_head_of[relation], most) for (relation, _), group in lines.items()]


def _line(triplet: Triplet, by_head: bool) -> tuple[str, str]:
    return triplet.relation_words(), triplet.head.id if by_head else triplet.tail.id


def _line_text(group: Sequence[Triplet], by_head: bool, most: int) -> str:
    names = [(triplet.tail if by_head else triplet.head).name for triplet in group]
    more = [f"… and {len(names) - most} more"] if len(names) > most else []
    many = " | ".join([*names[:most], *more])
    one = (group[0].head if by_head else group[0].tail).name
    relation = group[0].relation_words()
    return f"{one} → {relation} → {many}" if by_head else f"{many} → {relation} → {one}"
