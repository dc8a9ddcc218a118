"""Claims about two or more entities: which path of the schema the words mean, and whether the graph has it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from clew.agents.answering import confidence
from clew.agents.verifying.claims import Claim
from clew.agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN, Finding
from clew.graphs.matching import matched, triplets_of
from clew.graphs.verify.lookup import (
    LINK_WEIGHT,
    MARGIN,
    MIN_SCORE,
    MOST_NAMED,
    READINGS,
    TRIPLETS,
    ClaimLookup,
    hop_records,
    is_symmetric,
    is_wordless,
    make_finding,
    name_list,
    no_relation,
    query_variants,
    reading_confidence,
    sentence,
    span_of,
    without_article,
)
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.ranking.claims import ClaimPath, ClaimReader
from clew.tools.queries.ranking.reading import TextSpan, read_claim
from clew.tools.queries.reading.english.gap import gap
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.forms.form import Step
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.words import noun_of, words

CLOSE = 0.7
"""Largest graph semantic distance at which a fact supports a claim; about a cosine of 0.75."""
_FEW, _SEVERAL = 1.5, 3.0
"""Ratios of the fan-in of a path to its fan-out."""
_NEARLY_ALL = 0.8
_MOST_HOPS = 2
"""A longer path is too far for a claim about two names."""
_MOSTLY = 0.5
"""Minimum share of a relation's ends that have the labels of the two entities."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A path between two entities, as a possible reading of a claim."""

    source: Entity
    target: Entity
    path: ClaimPath
    score: float


def check_relation(lookup: ClaimLookup, claim: Claim, reader: ClaimReader) -> Finding:
    """Check that the two entities of a claim are related as it says."""
    if is_wordless(claim):
        return _check_any_relation(lookup, claim, reader)
    pairs = paths_between(lookup, claim, reader)
    if not pairs or pairs[0].score < MIN_SCORE:
        return _similar(lookup, claim)
    near = [pair for pair in pairs if pair.score >= pairs[0].score - MARGIN]
    return _first_supported(lookup, claim, near[:READINGS]) or _refuted(lookup, claim, pairs[0])


def _similar(lookup: ClaimLookup, claim: Claim) -> Finding:
    """Compare the claim with the most similar subgraph, by graph semantic distance, if no relation fits its words.

    A close subgraph supports the claim. No subgraph refutes it.
    """
    from clew.agents.patterns.pattern_writer import WrittenPattern  # most claims are read
    from clew.tools.patterns import Pattern, PatternEdge, PatternNode

    first, second = claim.parts
    claim_reading = read_claim(claim.text, span_of(first), span_of(second))
    names = [lookup.entities(part)[0][0].name for part in claim.parts]
    relation_words = " ".join((*claim_reading.left, *claim_reading.right))
    pattern = Pattern((PatternNode(names[0]), PatternNode(names[1])), (PatternEdge(0, 1, relation_words),))
    _, found = matched(WrittenPattern(pattern), lookup.context, lookup.span)
    if not found.matches:
        return no_relation(claim)
    best = found.matches[0]
    assert lookup.context.tools.patterns is not None
    triplets = triplets_of(best, lookup.context.tools.patterns.snapshot)
    matched_ids = {triplets[0].head.id, triplets[0].tail.id}
    linked = {entity.id for part in claim.parts for entity, _ in lookup.entities(part)}
    if not matched_ids <= linked:
        return no_relation(claim)
    keys = lookup.add_evidence(triplets, None)
    fact = sentence(triplets[0])
    if best.distance > CLOSE:
        reason = f"No relation in the graph expresses this statement; the nearest fact is {fact}."
        return make_finding(claim, UNKNOWN, 0.6, reason, "", keys)
    sure = confidence.of_pattern(best.distance, 3, 0, False)
    return make_finding(claim, SUPPORTED, sure, f"The graph has {fact}, which is close to it.", "", keys)


def _check_any_relation(lookup: ClaimLookup, claim: Claim, reader: ClaimReader) -> Finding:
    """ "A in B": any relation supports the claim. If there is none, use the only relation that mostly connects such
    entities."""
    first, second = claim.parts
    pairs = [
        Pair(source, target, path, 0.0)
        for (source, _), (target, _) in product(lookup.entities(first), lookup.entities(second))
        for path in reader.wordless(source, target)
        if source.id != target.id
    ]
    pairs = [pair for pair in pairs if not _is_turned(lookup, claim, pair)]
    if (supported := _first_supported(lookup, claim, pairs)) is not None:
        return supported
    mostly = [pair for pair in pairs if pair.path.score >= _MOSTLY]
    if len({hop.relation for pair in mostly for hop in pair.path.hops}) == 1:
        return _refuted(lookup, claim, mostly[0])
    return make_finding(claim, UNKNOWN, 0.5, "The graph does not join the two, and no word says how they would be.")


def _first_supported(lookup: ClaimLookup, claim: Claim, pairs: Sequence[Pair]) -> Finding | None:
    """The finding for the first reading that the graph contains; None if it contains none."""
    for pair in pairs:
        named = len(pair.path.hops) > 1 and pair.source.label != pair.target.label and _noun(claim) is not None
        if len(pair.path.hops) > _MOST_HOPS or named:
            continue  # A noun, as in "the capital of A is B", names one relation.
        for query in query_variants(pair.source, pair.path.hops):
            found = lookup.context.tools.space.evidence(query, [pair.target.id], TRIPLETS)
            if found:
                return _supported(lookup, claim, query, pair, found)
    return None


def paths_between(lookup: ClaimLookup, claim: Claim, reader: ClaimReader) -> list[Pair]:
    """Every path between the candidate entities, best reading first."""
    first, second = claim.parts
    found = []
    for source, target in product(lookup.entities(first), lookup.entities(second)):
        if source[0].id == target[0].id:
            continue
        link = LINK_WEIGHT * (source[1] + target[1] - 2)
        paths = reader.between(claim.text, span_of(first), source[0], span_of(second), target[0])
        pairs = [Pair(source[0], target[0], path, path.score + link) for path in paths]
        found += [pair for pair in pairs if not _is_turned(lookup, claim, pair)]
    found.sort(key=lambda pair: -pair.score)
    lookup.span.event("readings", claim=claim.text, paths=[pair_record(pair) for pair in found[:5]])
    return found


_THE_OF = re.compile(r"^(?:.* )?(?:the|an?) (.+?) (?:of|to|for)(?: the)?$", re.I)
_POSSESSIVE = re.compile(r"^['\u2019]s (.+?) (?:is|was|are|were)$", re.I)


def _noun(claim: Claim) -> str | None:
    """N, in "the N of A is B" and "A's N is B"."""
    first, second = sorted(claim.parts[:2], key=lambda part: part.start)
    before, between = claim.text[: first.start].strip(), claim.text[first.end : second.start].strip()
    found = _THE_OF.match(before) if between in ("is", "was", "are", "were") else _POSSESSIVE.match(between)
    return found[1] if found is not None else None


def _is_turned(lookup: ClaimLookup, claim: Claim, pair: Pair) -> bool:
    """Whether the claim states the relation the other way: "Heat directed Michael Mann"."""
    reader, hops = lookup.context.tools.reader, pair.path.hops
    if reader is None or len(hops) != 1:
        return False
    first, second = sorted(claim.parts[:2], key=lambda part: part.start)
    forward, source_left = hops[0].forward, first is claim.parts[0]
    if (noun := _noun(claim)) is not None:  # N is B
        led = reader.joins.voices.leads_to(hops[0].relation, noun)
        return led is not None and led != (forward == source_left)
    said = tokens(claim.text)
    inside = [i for i, token in enumerate(said) if first.end <= token.start and token.end <= second.start]
    if not inside:
        return False
    step = Step(hops[0].relation, forward, hops[0].target)
    starts_left = reader.joins.voices.starts_left(step, gap(said, inside[0], inside[-1] + 1))
    return starts_left is not None and forward != (starts_left == source_left)


def _supported(lookup: ClaimLookup, claim: Claim, query: Query, pair: Pair, triplets: Sequence[Triplet]) -> Finding:
    keys = lookup.add_evidence(triplets, query)
    path = "; ".join(sentence(t) for t in triplets[: max(len(pair.path.hops), 1)])
    sure = reading_confidence(pair.score)
    return make_finding(claim, SUPPORTED, sure, f"The graph has {path}.", words(query), keys)


def _refuted(lookup: ClaimLookup, claim: Claim, pair: Pair) -> Finding:
    """Refute by what the path leads to instead: from the first entity, or from the second if the path is nearly
    complete there."""
    sure = reading_confidence(pair.score)
    path, source, target = pair.path.hops, pair.source, pair.target
    query = Query((Chain(source, path),))
    if (turned := _reversed_fact(lookup, pair)) is not None:
        keys = lookup.add_evidence([turned], query)
        return make_finding(claim, REFUTED, sure, f"It is the other way round: {sentence(turned)}.", words(query), keys)
    starts = [source.label, *(hop.target for hop in path)][:-1]
    back = tuple(hop.back(label) for hop, label in zip(reversed(path), reversed(starts), strict=True))
    refuted = _refuted_by_others(lookup, claim, sure, source, path, target)
    if refuted is None and _is_complete(lookup, path, target.label):
        refuted = _refuted_by_others(lookup, claim, sure, target, back, source)
    reason = f"The graph has no {without_article(words(query))}, which proves nothing either way."
    return refuted or make_finding(claim, UNKNOWN, sure, reason, words(query))


def _reversed_fact(lookup: ClaimLookup, pair: Pair) -> Triplet | None:
    """The reversed fact between two nodes of the same label ("B is the sequel of A")."""
    path, source, target = pair.path.hops, pair.source, pair.target
    if len(path) != 1 or source.label != target.label or is_symmetric(path[0].relation):
        return None
    query = Query((Chain(source, (path[0].back(target.label),)),))
    return next(iter(lookup.context.tools.space.evidence(query, [target.id], 1)), None)


def _refuted_by_others(
    lookup: ClaimLookup, claim: Claim, sure: float, source: Entity, path: tuple[Hop, ...], missing: Entity
) -> Finding | None:
    """A refutation if the path leads from `source` to nodes other than `missing`; None if it leads nowhere."""
    others = lookup.answers(query_variants(source, path))
    if not others:
        return None
    query = Query((Chain(source, path),))
    shown = lookup.context.tools.space.evidence(query, [r.id for r in others if r.id][:MOST_NAMED], TRIPLETS)
    relation_words = without_article(words(query))
    reason = f"The {relation_words} in the graph: {name_list(others)}; {missing.name} is not among them."
    return make_finding(claim, REFUTED, sure, reason, words(query), lookup.add_evidence(shown, query))


def _is_complete(lookup: ClaimLookup, path: Sequence[Hop], end: str) -> bool:
    """Whether the graph probably has all facts at the far end of a path, a node labelled `end`.

    This is so if few nodes lead there (a film has few directors), or several do and nearly every node of that label has
    some (the cast of a film). The natives of a city, in contrast, are never complete.
    """
    assert lookup.context.tools.patterns is not None
    snapshot = lookup.context.tools.patterns.snapshot
    numbers = {name: number for number, name in enumerate(snapshot.relations)}
    ahead = back = 1.0
    for hop in path:
        number, mask = numbers[hop.relation], 1 if hop.forward else 2
        ahead, back = ahead * snapshot.fan(number, mask), back * snapshot.fan(number, 3 - mask)
    last = path[-1]
    owners = int(snapshot.fans[2 * numbers[last.relation] + int(last.forward), 1])
    covered = owners / max(lookup.context.tools.schema.labels.get(end, 1), 1)
    return back <= (_SEVERAL if covered >= _NEARLY_ALL else _FEW) * ahead


def pair_record(pair: Pair) -> list[object]:
    """A pair of entities with the path between them, for the trace."""
    return [pair.source.name, *hop_records(pair.path), pair.target.name, round(pair.score, 3)]


def check_shared(lookup: ClaimLookup, claim: Claim, reader: ClaimReader) -> Finding:
    """Check "A acted in a film by B and written by C": a path from A to B through an unnamed node, and one hop from it
    to C."""
    assert claim.shared is not None
    two = replace(claim, text=claim.text[: claim.shared].rstrip(), parts=claim.parts[:2], shared=None)
    pairs = [pair for pair in paths_between(lookup, two, reader) if len(pair.path.hops) == 2]
    last = claim.parts[-1]
    for pair in pairs[:1] if pairs and pairs[0].score >= MIN_SCORE else []:
        middle = pair.path.hops[0].target
        for entity, _ in lookup.entities(last):
            text = f"{noun_of(middle)} {claim.text[claim.shared :].strip()}"
            place = TextSpan(len(text) - (last.end - last.start), len(text))
            thing = Entity("", "", middle)
            steps = reader.between(text, TextSpan(0, 0), thing, place, entity)
            single = [path for path in steps if len(path.hops) == 1]
            if not single or single[0].score < MIN_SCORE:
                continue
            near, far = pair.path.hops
            chains = (
                Chain(pair.source, (near,)),
                Chain(pair.target, (far.back(middle),)),
                Chain(entity, (single[0].hops[0].back(middle),)),
            )
            return _check_common_node(lookup, claim, Query(chains), pair)
    return no_relation(claim)


def _check_common_node(lookup: ClaimLookup, claim: Claim, query: Query, pair: Pair) -> Finding:
    rows = lookup.context.tools.space.execute(query, lookup.context.limits(MOST_NAMED)).rows
    sure = reading_confidence(pair.score)
    if rows:
        keys = lookup.add_evidence(
            lookup.context.tools.space.evidence(query, [r.id for r in rows if r.id][:1], TRIPLETS), query
        )
        return make_finding(claim, SUPPORTED, sure, f"{name_list(rows)}: {words(query)}.", words(query), keys)
    known = [lookup.answers([Query((chain,))]) for chain in query.chains]
    if all(known):
        reason = f"Nothing in the graph is at once {words(query)}."
        return make_finding(claim, REFUTED, sure, reason, words(query))
    return make_finding(claim, UNKNOWN, sure, "The graph does not know enough of its parts.", words(query))
