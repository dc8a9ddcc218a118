"""Looking up a claim in the graph: entities, queries, evidence, and the findings with their wording."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from clew.agents.evidence import Evidence, evidence_of
from clew.agents.verifying.claims import Claim, Part
from clew.agents.verifying.verdicts import UNKNOWN, Finding, Verdict
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import merge_evidence
from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.triplets import Triplet

MOST_NAMED = 5


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


CANDIDATES = 3
"""Maximum number of entities tried for one name."""
CANDIDATE_MARGIN = 0.08
"""Candidates are tried if their link score is this close to the best."""


@dataclass(slots=True)
class ClaimLookup:
    """Looks up the claims of one statement, and collects the evidence."""

    context: Context
    mentions: Sequence[Mention]
    span: Span
    evidence: dict[str, Evidence] = field(default_factory=dict)
    asked: dict[str, Finding | None] = field(default_factory=dict)
    """What was found of texts that were read as questions."""

    def entities(self, part: Part) -> list[Entity]:
        assert part.mention is not None
        candidates = self.mentions[part.mention].candidates
        best = candidates[0].score - CANDIDATE_MARGIN if candidates else 0.0
        return [c.entity for c in candidates[:CANDIDATES] if c.score >= best]

    def add_evidence(self, triplets: Iterable[Triplet]) -> list[str]:
        keys: list[str] = []
        for triplet in triplets:
            item = evidence_of(triplet, 1.0, "verify", 1, "")
            self.evidence = merge_evidence(self.evidence, item)
            keys += item
        return list(dict.fromkeys(keys))


def names_of(lookup: ClaimLookup, claim: Claim) -> list[Mention]:
    """The names of a claim, with their places in its text."""
    named = ((lookup.mentions[part.mention], part) for part in claim.parts if part.mention is not None)
    return [replace(mention, start=part.start, end=part.end) for mention, part in named]
