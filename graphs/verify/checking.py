"""Checking one claim in the graph without a model.

Which path of the schema the words mean is settled first (`claims`), then the graph is asked whether that
path joins the two entities. Where it does not, the claim is refuted if the path leads somewhere else, since then the
graph knows of such things for that entity, and there is not enough evidence if it leads nowhere: what a graph does not
have may still be so. A claim that there is something of a kind ("X has a spouse") is refuted where there is nothing.
"""

from __future__ import annotations

from clew.agents.verifying.claims import Claim
from clew.agents.verifying.verdicts import UNKNOWN, Finding
from clew.graphs.verify.findings import finding_of
from clew.graphs.verify.look import Look
from clew.graphs.verify.meeting import meeting
from clew.graphs.verify.of_one import existing, typed, valued
from clew.graphs.verify.related import related


def check(look: Look, claim: Claim) -> Finding:
    """What the graph has to say about the claim; `look` keeps the evidence."""
    if look.context.tools.patterns is None:
        return finding_of(claim, UNKNOWN, 0.0, "This graph was opened without what claims are read with.")
    reader = look.context.tools.patterns.claims
    if claim.shared is not None:
        finding = meeting(look, claim, reader)
    elif len(claim.parts) == 2 and claim.parts[1].mention is None and claim.parts[0].mention is not None:
        finding = valued(look, claim, reader)
    elif len(claim.parts) == 2 and all(part.mention is not None for part in claim.parts):
        finding = related(look, claim, reader)
    elif len(claim.parts) == 1 and claim.parts[0].mention is not None:
        finding = typed(look, claim) or existing(look, claim, reader)
    else:
        finding = finding_of(claim, UNKNOWN, 0.5, "No name in it is one of the graph.")
    look.span.event("claim", **finding)
    return finding
