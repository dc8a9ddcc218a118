"""Looking into the graph for a claim: which entities its names mean, what a query gives, what is kept as evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from clew.agents.evidence import Evidence, MentionRef, entity_of, evidence_of
from clew.agents.verifying.claims import Claim, Part
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import merge_evidence
from clew.tools.graph.entity import AnswerRow, Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.ranking.lexicon import meaning
from clew.tools.queries.ranking.reading import TextSpan, read_claim
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.words import words

LEAST = -0.12
"""Score of a path below which the words of a claim say something that the schema has no relation for."""
MARGIN = 0.03
"""Paths that score this close to the best are readings of the words too."""
READINGS = 4
CANDIDATES = 3
"""Entities tried for one name …"""
CANDIDATE_MARGIN = 0.08
"""… that link nearly as well as the first."""
LINK_WEIGHT = 0.5
"""How much a poor link takes off a reading, per unit of linking score."""
TRIPLETS = 12


@dataclass(slots=True)
class Look:
    """What the claims of one statement are checked in; gathers what is found as evidence."""

    context: Context
    mentions: Sequence[MentionRef]
    span: Span
    evidence: dict[str, Evidence] = field(default_factory=dict)

    def entities(self, part: Part) -> list[tuple[Entity, float]]:
        assert part.mention is not None
        candidates = self.mentions[part.mention]["candidates"]
        best = candidates[0]["score"] - CANDIDATE_MARGIN if candidates else 0.0
        return [(entity_of(c), c["score"]) for c in candidates[:CANDIDATES] if c["score"] >= best]

    def answers(self, queries: Iterable[Query]) -> list[AnswerRow]:
        return [
            row for query in queries for row in self.context.tools.space.execute(query, self.context.limits(50)).rows
        ]

    def keep(self, triplets: Iterable[Triplet], query: Query | None) -> list[str]:
        keys: list[str] = []
        for triplet in triplets:
            item = evidence_of(triplet, 1.0, "verify", 1, words(query) if query is not None else "")
            self.evidence = merge_evidence(self.evidence, item)
            keys += item
        return list(dict.fromkeys(keys))


def place_of(part: Part) -> TextSpan:
    return TextSpan(part.start, part.end)


def wordless(claim: Claim) -> bool:
    """Whether nothing is said but that the two have to do with each other."""
    masked = place_of(claim.parts[1]) if len(claim.parts) > 1 else None
    seen = read_claim(claim.text, place_of(claim.parts[0]), masked)
    return not seen.left and not seen.right


def either_way(source: Entity, hops: tuple[Hop, ...]) -> Iterator[Query]:
    """The chain, and with hops along relations that mean the same both ways, such as marriage, turned round: such a
    fact is often kept once for two."""
    ways = [(hop, replace(hop, forward=not hop.forward)) if mutual(hop.relation) else (hop,) for hop in hops]
    for chosen in product(*ways):
        yield Query((Chain(source, tuple(chosen)),))


def mutual(relation: str) -> bool:
    sense = meaning(relation)
    return sense is not None and set(sense.phrases) == set(sense.reversed().phrases)
