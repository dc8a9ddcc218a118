"""The graph reranker: the triplets within two hops of linked entities that matter to a question (ByoKG-RAG A.2).

The paper fetches all triplets within L hops (Equation 11), then drops those of irrelevant relations (Equation 12). Here
the relations come first: which ones the entities have is asked of the database, the best are kept, and only their
triplets are fetched, a bounded number per entity, relation and direction. What is left out is the same, and hubs cost
no more than other nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from clew.tools.graph.entity import Entity
from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.neighbourhood import Neighbourhood, Step
from clew.tools.graph.store.graph_store import Limits
from clew.tools.graph.triplets import Triplet, fairly
from clew.tools.queries.paths.cross_encoder import Reranker, rerank, top_relations

RELATIONS = 20
"""k_r."""
TRIPLETS = 100
"""k_t."""
ENTITIES = 10
"""Linked entities that are looked around."""
EACH = 40
"""Triplets per entity, relation and direction on the first hop; on the second hop EACH_BEYOND."""
EACH_BEYOND = 8
EXPANDED = 40
"""Ends of first-hop triplets from which the second hop starts."""
SCORED = 160
"""Triplets that the first reranker reads."""
_NEIGHBOURS = 100
_RELATIONSHIPS = 2000


@dataclass(frozen=True, slots=True)
class Reranked:
    """What was chosen, and of how many."""

    triplets: tuple[tuple[Triplet, float], ...]
    """Best first."""
    relations: tuple[str, ...]
    """Those that were kept."""
    offered: int
    """Relations there were."""
    collected: int
    """Triplets that were fetched."""


class GraphReranker:
    """Reranks the surroundings of entities in one graph."""

    def __init__(self, around: Neighbourhood, first: Reranker, second: Reranker | None = None) -> None:
        """`first` drops relations and triplets, `second`, where there is one, orders what is left."""
        self._around, self._first, self._second = around, first, second

    def best(
        self,
        question: str,
        entities: Sequence[Entity],
        limits: Callable[[], Limits],
        out_of_time: Callable[[], bool],
        *,
        hops: int = 2,
        k: int = 10,
    ) -> Reranked:
        """The k best triplets within `hops` (1 or 2) of the entities. Raises what GraphStore.read raises."""
        linked = list(dict.fromkeys(entities))[:ENTITIES]
        near = self._around.steps(linked, limits())
        names = self._names(linked, near, hops, limits)
        texts = [" ".join(identifier_words(name)) or name for name in names]
        kept = top_relations(question, names, texts, self._first, RELATIONS)
        found = dict.fromkeys(self._around.expand(linked, _along(near, kept), EACH, limits()).triplets)
        if hops > 1 and not out_of_time():
            ends = [end for end in _ends(fairly(list(found), EXPANDED)) if end not in linked][:EXPANDED]
            steps = _along(self._around.possible(end.label for end in ends), kept)
            found |= dict.fromkeys(self._around.expand(ends, steps, EACH_BEYOND, limits()).triplets)
        ids = {entity.id for entity in linked}
        joining = [t for t in found if t.head.id in ids and t.tail.id in ids]
        order = {name: place for place, name in enumerate(kept)}
        others = sorted((t for t in found if t not in set(joining)), key=lambda t: order.get(t.relation, len(order)))
        read = [*joining, *fairly(others, SCORED)][:SCORED]
        best = rerank(question, read, self._first, self._second, kept=TRIPLETS, k=k, out_of_time=out_of_time)
        return Reranked(tuple(best), tuple(kept), len(names), len(found))

    def _names(
        self, linked: Sequence[Entity], near: Sequence[Step], hops: int, limits: Callable[[], Limits]
    ) -> list[str]:
        """The relations within `hops`. Those of a further hop are asked of the database only where the schema has too
        many for all to be kept."""
        names = dict.fromkeys(step.relation for step in near)
        if hops > 1:
            labels = self._around.beyond_labels(entity.label for entity in linked)
            possible = dict.fromkeys(step.relation for step in self._around.possible(labels))
            if len(names | possible) > RELATIONS:
                present = self._around.beyond(linked, _NEIGHBOURS, _RELATIONSHIPS, limits())
                possible = dict.fromkeys(name for name in possible if name in present)
            names |= possible
        return list(names)


def _along(steps: Iterable[Step], relations: Sequence[str]) -> list[Step]:
    """The steps along these relations, in the relations' order."""
    order = {relation: place for place, relation in enumerate(relations)}
    return sorted((step for step in steps if step.relation in order), key=lambda step: order[step.relation])


def _ends(triplets: Iterable[Triplet]) -> list[Entity]:
    return list(dict.fromkeys(end for triplet in triplets for end in (triplet.head, triplet.tail)))
