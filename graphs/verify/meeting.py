"""Claims about one thing without a name in which several entities meet."""

from __future__ import annotations

from dataclasses import replace

from clew.agents.verifying.claims import Claim
from clew.agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN, Finding
from clew.graphs.verify.findings import INSTEAD, finding_of, listed, sureness, unsaid
from clew.graphs.verify.look import LEAST, TRIPLETS, Look
from clew.graphs.verify.related import Pair, pairs_of
from clew.tools.graph.entity import Entity
from clew.tools.queries.ranking.claims import ClaimReader
from clew.tools.queries.ranking.reading import TextSpan
from clew.tools.queries.space.query import Chain, Query
from clew.tools.queries.space.words import noun_of, words


def meeting(look: Look, claim: Claim, reader: ClaimReader) -> Finding:
    """ "A acted in a film by B and written by C": a path between the first two over the nameless thing, and one
    step from it to each of the others."""
    assert claim.shared is not None
    two = replace(claim, text=claim.text[: claim.shared].rstrip(), parts=claim.parts[:2], shared=None)
    pairs = [pair for pair in pairs_of(look, two, reader) if len(pair.path.hops) == 2]
    last = claim.parts[-1]
    for pair in pairs[:1] if pairs and pairs[0].score >= LEAST else []:
        middle = pair.path.hops[0].target
        for entity, _ in look.entities(last):
            text = f"{noun_of(middle)} {claim.text[claim.shared :].strip()}"
            place = TextSpan(len(text) - (last.end - last.start), len(text))
            thing = Entity("", "", middle)
            steps = reader.between(text, TextSpan(0, 0), thing, place, entity)
            single = [path for path in steps if len(path.hops) == 1]
            if not single or single[0].score < LEAST:
                continue
            near, far = pair.path.hops
            chains = (
                Chain(pair.source, (near,)),
                Chain(pair.target, (far.back(middle),)),
                Chain(entity, (single[0].hops[0].back(middle),)),
            )
            return _met(look, claim, Query(chains), pair)
    return unsaid(claim)


def _met(look: Look, claim: Claim, query: Query, pair: Pair) -> Finding:
    rows = look.context.tools.space.execute(query, look.context.limits(INSTEAD)).rows
    sure = sureness(pair.score)
    if rows:
        keys = look.keep(look.context.tools.space.evidence(query, [r.id for r in rows if r.id][:1], TRIPLETS), query)
        return finding_of(claim, SUPPORTED, sure, f"{listed(rows)}: {words(query)}.", words(query), keys)
    known = [look.answers([Query((chain,))]) for chain in query.chains]
    if all(known):
        reason = f"Nothing in the graph is at once {words(query)}."
        return finding_of(claim, REFUTED, sure, reason, words(query))
    return finding_of(claim, UNKNOWN, sure, "The graph does not know enough of its parts.", words(query))
