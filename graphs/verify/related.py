"""Claims about two entities: which path of the schema the words mean, and whether the graph has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from clew.agents.answering import confidence
from clew.agents.verifying.claims import Claim
from clew.agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN, Finding
from clew.graphs.matching import matched, triplets_of
from clew.graphs.verify.findings import (
    INSTEAD,
    finding_of,
    hop_records,
    listed,
    sentence,
    sureness,
    unsaid,
    without_article,
)
from clew.graphs.verify.look import (
    LEAST,
    LINK_WEIGHT,
    MARGIN,
    READINGS,
    TRIPLETS,
    Look,
    either_way,
    mutual,
    place_of,
    wordless,
)
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.ranking.claims import ClaimPath, ClaimReader
from clew.tools.queries.ranking.reading import read_claim
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.words import words

CLOSE = 0.7
"""Graph semantic distance up to which a fact says what a claim says, about a cosine of 0.75."""
_HARDLY_MORE, _NOT_MANY_MORE = 1.5, 3.0
"""Times the number of things that one thing leads to."""
_NEARLY_ALL = 0.8
_MOSTLY = 0.5
"""Share of a relation's ends that the labels of two things have."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One path between two entities that the words of a claim may mean."""

    source: Entity
    target: Entity
    path: ClaimPath
    score: float


def related(look: Look, claim: Claim, reader: ClaimReader) -> Finding:
    if wordless(claim):
        return _joined(look, claim, reader)
    pairs = pairs_of(look, claim, reader)
    if not pairs or pairs[0].score < LEAST:
        return _similar(look, claim)
    near = [pair for pair in pairs if pair.score >= pairs[0].score - MARGIN]
    return _held(look, claim, near[:READINGS]) or _refuted(look, claim, pairs[0])


def _similar(look: Look, claim: Claim) -> Finding:
    """Where no relation says what the words say: the place in the graph that looks most like the claim, by graph
    semantic distance. Only one that is close to it speaks for it, and none speaks against it."""
    from clew.agents.patterns.pattern_writer import Written  # most claims are read
    from clew.tools.patterns import Pattern, PatternEdge, PatternNode

    first, second = claim.parts
    seen = read_claim(claim.text, place_of(first), place_of(second))
    names = [look.entities(part)[0][0].name for part in claim.parts]
    said = " ".join((*seen.left, *seen.right))
    pattern = Pattern((PatternNode(names[0]), PatternNode(names[1])), (PatternEdge(0, 1, said),))
    _, found = matched(Written(pattern), look.context, look.span)
    if not found.matches:
        return unsaid(claim)
    best = found.matches[0]
    assert look.context.tools.patterns is not None
    triplets = triplets_of(best, look.context.tools.patterns.snapshot)
    meant = {triplets[0].head.id, triplets[0].tail.id}
    linked = {entity.id for part in claim.parts for entity, _ in look.entities(part)}
    if not meant <= linked:
        return unsaid(claim)
    keys = look.keep(triplets, None)
    told = sentence(triplets[0])
    if best.distance > CLOSE:
        reason = f"No relation of the graph says what this says; the nearest fact is {told}."
        return finding_of(claim, UNKNOWN, 0.6, reason, "", keys)
    sure = confidence.of_pattern(best.distance, 3, 0, False)
    return finding_of(claim, SUPPORTED, sure, f"The graph has {told}, which is close to it.", "", keys)


def _joined(look: Look, claim: Claim, reader: ClaimReader) -> Finding:
    """ "A in B": any relation will do; if none is there, the only one mostly between such things is meant."""
    first, second = claim.parts
    pairs = [
        Pair(source, target, path, 0.0)
        for (source, _), (target, _) in product(look.entities(first), look.entities(second))
        for path in reader.wordless(source, target)
        if source.id != target.id
    ]
    if (held := _held(look, claim, pairs)) is not None:
        return held
    mostly = [pair for pair in pairs if pair.path.score >= _MOSTLY]
    if len({hop.relation for pair in mostly for hop in pair.path.hops}) == 1:
        return _refuted(look, claim, mostly[0])
    return finding_of(claim, UNKNOWN, 0.5, "The graph does not join the two, and no word says how they would be.")


def _held(look: Look, claim: Claim, pairs: Sequence[Pair]) -> Finding | None:
    """The first of the readings that the graph has; None where it has none."""
    for pair in pairs:
        for query in either_way(pair.source, pair.path.hops):
            found = look.context.tools.space.evidence(query, [pair.target.id], TRIPLETS)
            if found:
                return _supported(look, claim, query, pair, found)
    return None


def pairs_of(look: Look, claim: Claim, reader: ClaimReader) -> list[Pair]:
    """Every path between every choice of entities, the best reading first."""
    first, second = claim.parts
    found = []
    for source, target in product(look.entities(first), look.entities(second)):
        if source[0].id == target[0].id:
            continue
        link = LINK_WEIGHT * (source[1] + target[1] - 2)
        paths = reader.between(claim.text, place_of(first), source[0], place_of(second), target[0])
        found += [Pair(source[0], target[0], path, path.score + link) for path in paths]
    found.sort(key=lambda pair: -pair.score)
    look.span.event("readings", claim=claim.text, paths=[pair_record(pair) for pair in found[:5]])
    return found


def _supported(look: Look, claim: Claim, query: Query, pair: Pair, triplets: Sequence[Triplet]) -> Finding:
    keys = look.keep(triplets, query)
    path = "; ".join(sentence(t) for t in triplets[: max(len(pair.path.hops), 1)])
    sure = sureness(pair.score)
    return finding_of(claim, SUPPORTED, sure, f"The graph has {path}.", words(query), keys)


def _refuted(look: Look, claim: Claim, pair: Pair) -> Finding:
    """What the path leads to instead, from the first entity or, where few things have more than one, from the
    second."""
    sure = sureness(pair.score)
    path, source, target = pair.path.hops, pair.source, pair.target
    query = Query((Chain(source, path),))
    if (turned := _turned_round(look, pair)) is not None:
        keys = look.keep([turned], query)
        return finding_of(claim, REFUTED, sure, f"It is the other way round: {sentence(turned)}.", words(query), keys)
    starts = [source.label, *(hop.target for hop in path)][:-1]
    back = tuple(hop.back(label) for hop, label in zip(reversed(path), reversed(starts), strict=True))
    return (
        _instead(look, claim, sure, source, path, target)
        or (_instead(look, claim, sure, target, back, source) if _settles(look, path, target.label) else None)
        or finding_of(
            claim, UNKNOWN, sure, f"The graph has nothing as {without_article(words(query))}, which proves nothing.",
            words(query),
        )
    )  # fmt: skip


def _turned_round(look: Look, pair: Pair) -> Triplet | None:
    """The fact the other way round, of things of one kind ("B is the sequel of A")."""
    path, source, target = pair.path.hops, pair.source, pair.target
    if len(path) != 1 or source.label != target.label or mutual(path[0].relation):
        return None
    query = Query((Chain(source, (path[0].back(target.label),)),))
    return next(iter(look.context.tools.space.evidence(query, [target.id], 1)), None)


def _instead(
    look: Look, claim: Claim, sure: float, source: Entity, path: tuple[Hop, ...], missing: Entity
) -> Finding | None:
    """A refutation by what the path leads to from `source`, which is not `missing`; None where it leads nowhere."""
    others = look.answers(either_way(source, path))
    if not others:
        return None
    query = Query((Chain(source, path),))
    shown = look.context.tools.space.evidence(query, [r.id for r in others if r.id][:INSTEAD], TRIPLETS)
    said = without_article(words(query))
    reason = f"The {said} in the graph: {listed(others)}; {missing.name} is not among them."
    return finding_of(claim, REFUTED, sure, reason, words(query), look.keep(shown, query))


def _settles(look: Look, path: Sequence[Hop], end: str) -> bool:
    """Whether what the graph has of the far end of a path, a node labelled `end`, is likely to be all: few things
    lead there, as a film has few directors, or not very many and to nearly every node of that kind, as a film has a
    cast; but a city has natives that nobody lists."""
    assert look.context.tools.patterns is not None
    snapshot = look.context.tools.patterns.snapshot
    numbers = {name: number for number, name in enumerate(snapshot.relations)}
    ahead = back = 1.0
    for hop in path:
        number, mask = numbers[hop.relation], 1 if hop.forward else 2
        ahead, back = ahead * snapshot.fan(number, mask), back * snapshot.fan(number, 3 - mask)
    last = path[-1]
    owners = int(snapshot.fans[2 * numbers[last.relation] + int(last.forward), 1])
    covered = owners / max(look.context.tools.schema.labels.get(end, 1), 1)
    return back <= (_NOT_MANY_MORE if covered >= _NEARLY_ALL else _HARDLY_MORE) * ahead


def pair_record(pair: Pair) -> list[object]:
    return [pair.source.name, *hop_records(pair.path), pair.target.name, round(pair.score, 3)]
