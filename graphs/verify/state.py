"""The verification graph's state: small plain values."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from clew.agents.evidence import Evidence, Failure, MentionRef
from clew.agents.verifying.verdicts import Finding, Verdict
from clew.graphs.state import Step, merge_by_key, merge_evidence
from clew.graphs.verify.formulas import FormulaRef


class VerifyInput(TypedDict):
    """The input of the graph."""

    statement: str


class VerifyOutput(TypedDict):
    """The output of the graph."""

    statement: str
    verdict: Verdict
    confidence: float
    """0 to 1: confidence in the reading of the words; does not account for missing facts in the graph."""
    reason: str
    findings: list[Finding]
    evidence: dict[str, Evidence]
    cited: list[str]
    """Keys of the evidence that a model cited."""
    errors: dict[str, Failure]
    """Failures after which a step continued without a model."""


class VerifyState(TypedDict, total=False):
    statement: str
    text: str
    """The statement without words about its truth, contractions expanded."""
    turned: bool
    """Whether the removed words negate it ("it is not true that …")."""
    mentions: list[MentionRef]
    formula: FormulaRef | None
    """The claims, combined by "not", "all" and "any"; None if no name was found."""
    pattern: dict[str, Any] | None
    """The model's pattern of the statement; None without a model."""
    findings: list[Finding]
    """One for each claim of the formula, in order."""
    evidence: Annotated[dict[str, Evidence], merge_evidence]
    errors: Annotated[dict[str, Failure], merge_by_key]
    steps: Annotated[dict[str, Step], merge_by_key]
    verdict: Verdict
    confidence: float
    reason: str
    cited: list[str]
