"""Looking up a claim in the graph: entities, queries, evidence, and the findings with their wording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import exp

from clew.agents.evidence import Evidence, evidence_of
from clew.agents.verifying.claims import Claim, Part
from clew.agents.verifying.verdicts import UNKNOWN, Finding, Verdict
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import merge_evidence
from clew.tools.graph.entity import AnswerRow, Entity, Mention
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.ranking.claims import ClaimPath
from clew.tools.queries.ranking.lexicon import meaning
from clew.tools.queries.ranking.reading import TextSpan, read_claim
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.words import words

MOST_NAMED = 5
_STEEP, _MIDDLE = 8.0, -0.05
"""Confidence is a logistic function of the reading's score; the parameters are not measured."""


def make_finding(
    claim: Claim, verdict: Verdict, sure: float, reason: str, reading: str = "", keys: Sequence[str] = ()
) -> Finding:
    """A finding about a claim; `keys` are those of its evidence."""
    return {
        "claim": claim.text, "verdict": verdict, "confidence": sure, "reason": reason, "reading": reading,
        "evidence": list(keys),
    }  # fmt: skip


def unchecked(claim: Claim, reason: str) -> Finding:
    """The finding for a claim that was not checked."""
    return make_finding(claim, UNKNOWN, 0.0, reason)


def no_relation(claim: Claim) -> Finding:
    """The finding that nothing in the graph is what a claim says."""
    return make_finding(claim, UNKNOWN, 0.6, "No relation in the graph expresses this statement.")


def reading_confidence(score: float) -> float:
    """The confidence, 0 to 1, that a path of this score is what a claim says."""
    return round(1 / (1 + exp(-_STEEP * (score - _MIDDLE))), 4)


def sentence(triplet: Triplet) -> str:
    """A triplet in one line."""
    return f"{triplet.head.name} \u2014 {triplet.relation} \u2192 {triplet.tail.name}"


def name_list(rows: Sequence[AnswerRow]) -> str:
    """The distinct names of rows, the first `MOST_NAMED` of them."""
    names = list(dict.fromkeys(row.name for row in rows))
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def without_article(text: str) -> str:
    """A text without "the" before it."""
    return text.removeprefix("the ")


def hop_records(path: ClaimPath) -> list[object]:
    """The hops of a path, and its property, for the trace."""
    return [*(hop.key() for hop in path.hops), *([path.property_name] if path.property_name else [])]


MIN_SCORE = -0.12
"""Minimum score of a path. Below it, the schema has no relation for the words of the claim."""
MARGIN = 0.03
"""Paths whose score is this close to the best also count as readings."""
READINGS = 4
CANDIDATES = 3
"""Maximum number of entities tried for one name."""
CANDIDATE_MARGIN = 0.08
"""Candidates are tried if their link score is this close to the best."""
LINK_WEIGHT = 0.5
"""Penalty of a reading per unit of link score below 1."""
TRIPLETS = 12


@dataclass(slots=True)
class ClaimLookup:
    """Looks up the claims of one statement, and collects the evidence."""

    context: Context
    mentions: Sequence[Mention]
    span: Span
    evidence: dict[str, Evidence] = field(default_factory=dict)
    asked: dict[str, Finding | None] = field(default_factory=dict)
    """What was found of texts that were read as questions."""

    def entities(self, part: Part) -> list[tuple[Entity, float]]:
        assert part.mention is not None
        candidates = self.mentions[part.mention].candidates
        best = candidates[0].score - CANDIDATE_MARGIN if candidates else 0.0
        return [(c.entity, c.score) for c in candidates[:CANDIDATES] if c.score >= best]

    def answers(self, queries: Iterable[Query]) -> list[AnswerRow]:
        return [
            row for query in queries for row in self.context.tools.space.execute(query, self.context.limits(50)).rows
        ]

    def add_evidence(self, triplets: Iterable[Triplet], query: Query | None) -> list[str]:
        keys: list[str] = []
        for triplet in triplets:
            item = evidence_of(triplet, 1.0, "verify", 1, words(query) if query is not None else "")
            self.evidence = merge_evidence(self.evidence, item)
            keys += item
        return list(dict.fromkeys(keys))


def names_of(lookup: ClaimLookup, claim: Claim) -> list[Mention]:
    """The names of a claim, with their places in its text."""
    named = ((lookup.mentions[part.mention], part) for part in claim.parts if part.mention is not None)
    return [replace(mention, start=part.start, end=part.end) for mention, part in named]


def span_of(part: Part) -> TextSpan:
    """The place of a part of a claim in its text."""
    return TextSpan(part.start, part.end)


def is_wordless(claim: Claim) -> bool:
    """Whether the claim has no words beside its entities, so that any relation between them fits."""
    masked = span_of(claim.parts[1]) if len(claim.parts) > 1 else None
    claim_reading = read_claim(claim.text, span_of(claim.parts[0]), masked)
    return not claim_reading.left and not claim_reading.right


def query_variants(source: Entity, hops: tuple[Hop, ...]) -> Iterator[Query]:
    """The chain in every direction of its symmetric relations, such as marriage, which graphs often store once."""
    ways = [(hop, replace(hop, forward=not hop.forward)) if is_symmetric(hop.relation) else (hop,) for hop in hops]
    for chosen in product(*ways):
        yield Query((Chain(source, tuple(chosen)),))


def is_symmetric(relation: str) -> bool:
    """Whether a relation says the same in both directions, as marriage does."""
    sense = meaning(relation)
    return sense is not None and set(sense.phrases) == set(sense.reversed().phrases)
