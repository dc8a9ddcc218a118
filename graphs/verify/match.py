"""match: look up every claim in the graph, and match the model's pattern, if any, as evidence for a model's verdict."""

from __future__ import annotations

from clew.agents.evidence import Evidence, Failure, evidence_of
from clew.agents.verifying.claims import claims_of
from clew.agents.verifying.verdicts import UNKNOWN, Finding
from clew.graphs.context import Context
from clew.graphs.matching import matched, triplets_of
from clew.graphs.recorder import Span
from clew.graphs.state import merge_evidence
from clew.graphs.steps import StepResult, failure, spoken
from clew.graphs.verify.asked import asked_statement
from clew.graphs.verify.checking import check
from clew.graphs.verify.lookup import ClaimLookup, unchecked
from clew.graphs.verify.state import VerifyState
from clew.tools.errors import QueryFailed

MOST_CLAIMS = 24


def match(state: VerifyState, context: Context, span: Span) -> StepResult:
    """The step that looks for each claim in the graph, while there is time."""
    formula = state["formula"]
    lookup = ClaimLookup(context, state["mentions"], span)
    findings: list[Finding] = []
    errors: dict[str, Failure] = {}
    try:
        asked = asked_statement(lookup, state["text"], state["mentions"]) if formula is not None else None
        formula, findings = (formula, []) if asked is None else asked
    except QueryFailed as error:
        errors |= failure("match", 1, error, "/whole")
    claims = claims_of(formula) if formula is not None and not findings else []
    for number, claim in enumerate(claims):
        if context.run.deadline.passed or number >= MOST_CLAIMS:
            findings.append(unchecked(claim, "There was no time left to look for it."))
            continue
        try:
            findings.append(check(lookup, claim))
        except QueryFailed as error:
            span.event("failed", cypher=error.cypher, message=error.message)
            errors |= failure("match", 1, error, f"/{number}")
            findings.append(unchecked(claim, f"It could not be looked for: {error.message}"))
    similar = _similar(state, context, span)
    evidence = lookup.evidence
    for subgraph in similar:
        evidence = merge_evidence(evidence, subgraph)
    known = sum(finding["verdict"] != UNKNOWN for finding in findings)
    lines = [f"{finding['claim']}: {finding['verdict']}. {finding['reason']}" for finding in findings]
    subgraphs = [list(subgraph) for subgraph in similar]
    update = {"findings": findings, "evidence": evidence, "subgraphs": subgraphs, "errors": errors, "formula": formula}
    return StepResult(update, f"Found out about {known} of {spoken(len(findings), 'claim')}", lines)


def _similar(state: VerifyState, context: Context, span: Span) -> list[dict[str, Evidence]]:
    """The triplets of each of the subgraphs that are most similar to the model's pattern, the nearest first."""
    if state["pattern"] is None or context.tools.patterns is None or context.run.deadline.passed:
        return []
    from clew.agents.patterns.pattern_writer import WrittenPattern
    from clew.tools.patterns import Pattern

    _, found = matched(WrittenPattern(Pattern.from_json(state["pattern"]), by_model=True), context, span)
    subgraphs: list[dict[str, Evidence]] = []
    for one in found.matches:
        evidence: dict[str, Evidence] = {}
        for triplet in triplets_of(one, context.tools.patterns.snapshot):
            evidence |= evidence_of(triplet, round(1 / (1 + one.distance), 4), "pattern", 1)
        subgraphs.append(evidence)
    return subgraphs
