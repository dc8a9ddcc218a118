"""The verification graph's state: small plain values."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from clew.agents.evidence import Evidence, Failure, MentionRef
from clew.agents.verifying.verdicts import Finding, Verdict
from clew.graphs.state import Step, merge_by_key, merge_evidence
from clew.graphs.verify.formulas import FormulaRef


class VerifyInput(TypedDict):
    """What the graph takes."""

    statement: str


class VerifyOutput(TypedDict):
    """What the graph gives."""

    statement: str
    verdict: Verdict
    confidence: float
    """0 to 1: how sure the reading of the words is. It does not speak of how complete the graph is."""
    reason: str
    findings: list[Finding]
    evidence: dict[str, Evidence]
    cited: list[str]
    """Keys of the evidence that a model's verdict rests on."""
    errors: dict[str, Failure]
    """What was done without a model, and why."""


class VerifyState(TypedDict, total=False):
    statement: str
    text: str
    """The statement without what is said about its truth, contractions written out."""
    turned: bool
    """Whether what was left out turns it round ("it is not true that …")."""
    mentions: list[MentionRef]
    formula: FormulaRef | None
    """The claims, joined by "not", "all" and "any"; None where no name was found."""
    pattern: dict[str, Any] | None
    """The statement as a pattern, as a model wrote it; None without one."""
    findings: list[Finding]
    """One for each claim of the formula, in order."""
    evidence: Annotated[dict[str, Evidence], merge_evidence]
    errors: Annotated[dict[str, Failure], merge_by_key]
    steps: Annotated[dict[str, Step], merge_by_key]
    verdict: Verdict
    confidence: float
    reason: str
    cited: list[str]
