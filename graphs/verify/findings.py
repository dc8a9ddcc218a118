"""Findings about claims, and their wording."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from clew.agents.verifying.claims import Claim
from clew.agents.verifying.verdicts import UNKNOWN, Finding, Verdict
from clew.tools.graph.entity import AnswerRow
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.ranking.claims import ClaimPath

INSTEAD = 5
_STEEP, _MIDDLE = 8.0, -0.05
"""Confidence is logistic in the score of the reading; no measurement."""


def finding_of(
    claim: Claim, verdict: Verdict, sure: float, reason: str, reading: str = "", keys: Sequence[str] = ()
) -> Finding:
    return {
        "claim": claim.text, "verdict": verdict, "confidence": sure, "reason": reason, "reading": reading,
        "evidence": list(keys),
    }  # fmt: skip


def unread(claim: Claim, reason: str) -> Finding:
    """For a claim that was not looked for."""
    return finding_of(claim, UNKNOWN, 0.0, reason)


def unsaid(claim: Claim) -> Finding:
    return finding_of(claim, UNKNOWN, 0.6, "No relation of the graph says what this says.")


def sureness(score: float) -> float:
    return round(1 / (1 + exp(-_STEEP * (score - _MIDDLE))), 4)


def sentence(triplet: Triplet) -> str:
    return f"{triplet.head.name} \u2014 {triplet.relation} \u2192 {triplet.tail.name}"


def listed(rows: Sequence[AnswerRow]) -> str:
    names = list(dict.fromkeys(row.name for row in rows))
    more = f" and {len(names) - INSTEAD} more" if len(names) > INSTEAD else ""
    return ", ".join(names[:INSTEAD]) + more


def without_article(text: str) -> str:
    return text.removeprefix("the ")


def hop_records(path: ClaimPath) -> list[object]:
    return [*(hop.key() for hop in path.hops), *([path.property_name] if path.property_name else [])]
