"""The state of the verification graph as small plain values, and the conversion of claim formulas to them and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from clew.agents.evidence import Evidence, Failure
from clew.agents.verifying.claims import Claim, Conjunction, Disjunction, Formula, Negation, Part
from clew.agents.verifying.verdicts import Finding, Verdict
from clew.graphs.state import CONVERSIONS, Conversion, Step, merge_by_key, merge_evidence
from clew.tools.graph.entity import Mention


def as_plain(formula: Formula | None) -> dict[str, Any] | None:
    """A formula as a plain value of the state."""
    if formula is None:
        return None
    if isinstance(formula, Claim):
        return {
            "claim": formula.text,
            "parts": [[part.start, part.end, part.mention] for part in formula.parts],
        }
    if isinstance(formula, Negation):
        return {"not": as_plain(formula.of)}
    return {"all" if isinstance(formula, Conjunction) else "any": [as_plain(part) for part in formula.of]}


def from_plain(value: Mapping[str, Any] | None) -> Formula | None:
    """The formula of a plain value."""
    return None if value is None else _formula(value)


def _formula(value: Mapping[str, Any]) -> Formula:
    if "claim" in value:
        parts = tuple(Part(*part) for part in value["parts"])
        return Claim(value["claim"], parts)
    if "not" in value:
        return Negation(_formula(value["not"]))
    if "all" in value:
        return Conjunction(tuple(map(_formula, value["all"])))
    return Disjunction(tuple(map(_formula, value["any"])))


CONVERSIONS_OF_STATEMENTS = {**CONVERSIONS, "formula": Conversion(from_plain, as_plain)}


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
    """The state as nodes read it; LangGraph stores plain values."""

    statement: str
    text: str
    """The statement without words about its truth, contractions expanded."""
    turned: bool
    """Whether the removed words negate it ("it is not true that …")."""
    mentions: list[Mention]
    formula: Formula | None
    """The claims, combined by "not", "all" and "any"; None if no name was found."""
    pattern: dict[str, Any] | None
    """The model's pattern of the statement; None without a model."""
    findings: list[Finding]
    """One for each claim of the formula, in order."""
    evidence: Annotated[dict[str, Evidence], merge_evidence]
    subgraphs: list[list[str]]
    """Of each subgraph that is most similar to the pattern, the keys of its evidence, the nearest first."""
    errors: Annotated[dict[str, Failure], merge_by_key]
    steps: Annotated[dict[str, Step], merge_by_key]
    verdict: Verdict
    confidence: float
    reason: str
    cited: list[str]
