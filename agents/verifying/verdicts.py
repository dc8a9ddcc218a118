"""Verdicts on statements: three values, and how "not", "and" and "or" combine them.

This is Kleene's strong three-valued logic, with "not enough evidence" between the other two: one refuted part refutes a
conjunction, one supported part supports a disjunction, and a negation swaps the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from clew.agents.verifying.claims import Claim, Conjunction, Formula, Negation

Verdict = Literal["supported", "refuted", "not enough evidence"]
SUPPORTED: Verdict = "supported"
REFUTED: Verdict = "refuted"
UNKNOWN: Verdict = "not enough evidence"


class Finding(TypedDict):
    """The result of checking one claim in the graph."""

    claim: str
    verdict: Verdict
    confidence: float
    reason: str
    """One sentence."""
    reading: str
    """The meaning taken, in terms of the graph; "" if nothing fits."""
    evidence: list[str]
    """Keys of the triplets that speak for or against it."""
    negated: NotRequired[bool]
    """Whether the statement denies the claim."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict on a whole statement, or on a part of it."""

    verdict: Verdict
    confidence: float
    decisive: tuple[int, ...]
    """Numbers of the deciding findings, in order."""


def negation(verdict: Verdict) -> Verdict:
    """Swaps "supported" and "refuted"."""
    return {SUPPORTED: REFUTED, REFUTED: SUPPORTED, UNKNOWN: UNKNOWN}[verdict]


def conjunction(verdicts: Iterable[Verdict]) -> Verdict:
    """Of nothing: supported."""
    every = set(verdicts)
    return REFUTED if REFUTED in every else UNKNOWN if UNKNOWN in every else SUPPORTED


def disjunction(verdicts: Iterable[Verdict]) -> Verdict:
    """Of nothing: refuted."""
    return negation(conjunction(negation(verdict) for verdict in verdicts))


def judged(formula: Formula, findings: Sequence[Finding]) -> Judged:
    """The verdict on a formula whose claims, in order, have these findings.

    Its confidence is that of the least sure part if all parts decide it, of the surest if one does.
    """
    return _judged(formula, iter(enumerate(findings)))


def _judged(formula: Formula, findings: Iterable[tuple[int, Finding]]) -> Judged:
    if isinstance(formula, Claim):
        number, finding = next(iter(findings))
        return Judged(finding["verdict"], finding["confidence"], (number,))
    if isinstance(formula, Negation):
        inner = _judged(formula.of, findings)
        return Judged(negation(inner.verdict), inner.confidence, inner.decisive)
    parts = [_judged(part, findings) for part in formula.of]
    every = isinstance(formula, Conjunction)
    verdict = (conjunction if every else disjunction)(part.verdict for part in parts)
    deciding = [part for part in parts if part.verdict == verdict]
    by_all = verdict == (SUPPORTED if every else REFUTED)
    sure = (min if by_all else max)((part.confidence for part in deciding), default=1.0)
    return Judged(verdict, sure, tuple(n for part in deciding for n in part.decisive))


def denied(formula: Formula, turned: bool = False) -> list[bool]:
    """For each claim of a formula, whether the statement denies it."""
    if isinstance(formula, Claim):
        return [turned]
    if isinstance(formula, Negation):
        return denied(formula.of, not turned)
    return [each for part in formula.of for each in denied(part, turned)]
