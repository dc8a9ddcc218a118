"""Checking one claim in the graph without a model.

Which path of the schema the words mean is settled first (`tools.ranking.claims`), then the graph is asked whether that
path joins the two entities. Where it does not, the claim is refuted if the path leads somewhere else, since then the
graph knows of such things for that entity, and there is not enough evidence if it leads nowhere: what a graph does not
have may still be so. A claim that there is something of a kind ("X has a spouse") is refuted where there is nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import exp

from agents.answering import confidence
from agents.answering.findings import Evidence, MentionRef, entity_of, evidence_of
from agents.kinds import label_words, names_label, noun_kind, singular
from agents.verifying.claims import Claim, Part, Quantity
from agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN, Finding, Verdict
from graphs.context import Context
from graphs.matching import matched, triplets_of
from graphs.recorder import Span
from graphs.state import merge_evidence
from tools.linking.entity import Entity
from tools.query_space.query import Chain, Hop, Query
from tools.query_space.space import AnswerRow
from tools.query_space.words import noun_of, words
from tools.ranking.claims import ClaimReader, Place, SaidPath, read
from tools.ranking.lexicon import meaning
from tools.retrieval.triplets import Triplet

LEAST = -0.12
"""Score of a path below which the words of a claim say something that the schema has no relation for."""
MARGIN = 0.03
"""Paths that score this close to the best are readings of the words too."""
CLOSE = 0.7
"""Graph semantic distance up to which a fact says what a claim says, about a cosine of 0.75."""
READINGS = 4
CANDIDATES = 3
"""Entities tried for one name …"""
CANDIDATE_MARGIN = 0.08
"""… that link nearly as well as the first."""
_LINK_WEIGHT = 0.5
"""How much a poor link takes off a reading, per unit of linking score."""
_HARDLY_MORE, _NOT_MANY_MORE = 1.5, 3.0
"""Times the number of things that one thing leads to."""
_NEARLY_ALL = 0.8
_MOSTLY = 0.5
"""Share of a relation's ends that the labels of two things have."""
_TRIPLETS = 12
_INSTEAD = 5
_STEEP, _MIDDLE = 8.0, -0.05
"""Confidence is logistic in the score of the reading; no measurement."""
_ANYBODY = frozenset({"person", "human", "man", "woman", "guy"})
_TYPE = re.compile(r"\s*(?:is|was)\s+(?:a|an|the)\s+(\w+)\s*", re.I)


@dataclass(frozen=True, slots=True)
class _Pair:
    """One path between two entities that the words of a claim may mean."""

    source: Entity
    target: Entity
    path: SaidPath
    score: float


@dataclass(slots=True)
class Checker:
    """Checks the claims of one statement; gathers what it finds as evidence."""

    context: Context
    mentions: Sequence[MentionRef]
    span: Span
    evidence: dict[str, Evidence] = field(default_factory=dict)

    def check(self, claim: Claim) -> Finding:
        if self.context.patterns is None:
            return _finding(claim, UNKNOWN, 0.0, "This graph was opened without what claims are read with.")
        reader = self.context.patterns.claims
        if claim.shared is not None:
            finding = self._meeting(claim, reader)
        elif len(claim.parts) == 2 and claim.parts[1].mention is None and claim.parts[0].mention is not None:
            finding = self._valued(claim, reader)
        elif len(claim.parts) == 2 and all(part.mention is not None for part in claim.parts):
            finding = self._related(claim, reader)
        elif len(claim.parts) == 1 and claim.parts[0].mention is not None:
            finding = self._typed(claim) or self._existing(claim, reader)
        else:
            finding = _finding(claim, UNKNOWN, 0.5, "No name in it is one of the graph.")
        self.span.event("claim", **finding)
        return finding

    # ---- two entities -----------------------------------------------------------------------------------------------

    def _related(self, claim: Claim, reader: ClaimReader) -> Finding:
        if _wordless(claim):
            return self._joined(claim, reader)
        pairs = self._pairs(claim, reader)
        if not pairs or pairs[0].score < LEAST:
            return self._similar(claim)
        near = [pair for pair in pairs if pair.score >= pairs[0].score - MARGIN]
        return self._held(claim, near[:READINGS]) or self._refuted(claim, pairs[0])

    def _similar(self, claim: Claim) -> Finding:
        """Where no relation says what the words say: the place in the graph that looks most like the claim, by graph
        semantic distance. Only one that is close to it speaks for it, and none speaks against it."""
        from agents.patterns.pattern_writer import Written  # most claims are read
        from tools.gsd import Pattern, PatternEdge, PatternNode

        first, second = claim.parts
        seen = read(claim.text, _place(first), _place(second))
        names = [self._entities(part)[0][0].name for part in claim.parts]
        said = " ".join((*seen.left, *seen.right))
        pattern = Pattern((PatternNode(names[0]), PatternNode(names[1])), (PatternEdge(0, 1, said),))
        _, found = matched(Written(pattern), self.context, self.span)
        if not found.matches:
            return _unsaid(claim)
        best = found.matches[0]
        assert self.context.patterns is not None
        triplets = triplets_of(best, self.context.patterns.snapshot)
        meant = {triplets[0].head.id, triplets[0].tail.id}
        linked = {entity.id for part in claim.parts for entity, _ in self._entities(part)}
        if not meant <= linked:
            return _unsaid(claim)
        keys = self._keep(triplets, None)
        told = _sentence(triplets[0])
        if best.distance > CLOSE:
            reason = f"No relation of the graph says what this says; the nearest fact is {told}."
            return _finding(claim, UNKNOWN, 0.6, reason, "", keys)
        sure = confidence.of_pattern(best.distance, 3, 0, False)
        return _finding(claim, SUPPORTED, sure, f"The graph has {told}, which is close to it.", "", keys)

    def _joined(self, claim: Claim, reader: ClaimReader) -> Finding:
        """ "A in B": any relation will do; if none is there, the only one mostly between such things is meant."""
        first, second = claim.parts
        pairs = [
            _Pair(source, target, path, 0.0)
            for (source, _), (target, _) in product(self._entities(first), self._entities(second))
            for path in reader.wordless(source, target)
            if source.id != target.id
        ]
        if (held := self._held(claim, pairs)) is not None:
            return held
        mostly = [pair for pair in pairs if pair.path.score >= _MOSTLY]
        if len({hop.relation for pair in mostly for hop in pair.path.hops}) == 1:
            return self._refuted(claim, mostly[0])
        return _finding(claim, UNKNOWN, 0.5, "The graph does not join the two, and no word says how they would be.")

    def _held(self, claim: Claim, pairs: Sequence[_Pair]) -> Finding | None:
        """The first of the readings that the graph has; None where it has none."""
        for pair in pairs:
            for query in _either_way(pair.source, pair.path.hops):
                found = self.context.space.evidence(query, [pair.target.id], _TRIPLETS)
                if found:
                    return self._supported(claim, query, pair, found)
        return None

    def _pairs(self, claim: Claim, reader: ClaimReader) -> list[_Pair]:
        """Every path between every choice of entities, the best reading first."""
        first, second = claim.parts
        found = []
        for source, target in product(self._entities(first), self._entities(second)):
            if source[0].id == target[0].id:
                continue
            link = _LINK_WEIGHT * (source[1] + target[1] - 2)
            paths = reader.between(claim.text, _place(first), source[0], _place(second), target[0])
            found += [_Pair(source[0], target[0], path, path.score + link) for path in paths]
        found.sort(key=lambda pair: -pair.score)
        self.span.event("readings", claim=claim.text, paths=[_told(pair) for pair in found[:5]])
        return found

    def _supported(self, claim: Claim, query: Query, pair: _Pair, triplets: Sequence[Triplet]) -> Finding:
        keys = self._keep(triplets, query)
        path = "; ".join(_sentence(t) for t in triplets[: max(len(pair.path.hops), 1)])
        sure = _confidence(pair.score)
        return _finding(claim, SUPPORTED, sure, f"The graph has {path}.", words(query), keys)

    def _refuted(self, claim: Claim, pair: _Pair) -> Finding:
        """What the path leads to instead, from the first entity or, where few things have more than one, from the
        second."""
        sure = _confidence(pair.score)
        path, source, target = pair.path.hops, pair.source, pair.target
        query = Query((Chain(source, path),))
        if len(path) == 1 and source.label == target.label and not _mutual(path[0].relation):
            turned = self.context.space.evidence(Query((Chain(source, (path[0].back(target.label),)),)), [target.id], 1)
            if turned:
                keys = self._keep(turned, query)
                reason = f"It is the other way round: {_sentence(turned[0])}."
                return _finding(claim, REFUTED, sure, reason, words(query), keys)
        others = self._answers(_either_way(source, path))
        if others:
            keys = self._keep(
                self.context.space.evidence(query, [r.id for r in others if r.id][:_INSTEAD], _TRIPLETS), query
            )
            reason = f"The {_plain(words(query))} in the graph: {_listed(others)}; {target.name} is not among them."
            return _finding(claim, REFUTED, sure, reason, words(query), keys)
        starts = _labels_along(source.label, path)[:-1]
        back = tuple(hop.back(label) for hop, label in zip(reversed(path), reversed(starts), strict=True))
        backwards = Query((Chain(target, back),))
        others = self._answers(_either_way(target, back)) if self._settles(path, target.label) else []
        if others:
            keys = self._keep(
                self.context.space.evidence(backwards, [r.id for r in others if r.id][:_INSTEAD], _TRIPLETS), backwards
            )
            reason = f"The {_plain(words(backwards))} in the graph: {_listed(others)}; {source.name} is not among them."
            return _finding(claim, REFUTED, sure, reason, words(backwards), keys)
        reason = f"The graph has nothing as {_plain(words(query))}, which proves nothing."
        return _finding(claim, UNKNOWN, sure, reason, words(query))

    def _settles(self, path: Sequence[Hop], end: str) -> bool:
        """Whether what the graph has of the far end of a path, a node labelled `end`, is likely to be all: few things
        lead there, as a film has few directors, or not very many and to nearly every node of that kind, as a film has a
        cast; but a city has natives that nobody lists."""
        assert self.context.patterns is not None
        snapshot = self.context.patterns.snapshot
        numbers = {name: number for number, name in enumerate(snapshot.relations)}
        ahead = back = 1.0
        for hop in path:
            number, mask = numbers[hop.relation], 1 if hop.forward else 2
            ahead, back = ahead * snapshot.fan(number, mask), back * snapshot.fan(number, 3 - mask)
        last = path[-1]
        owners = int(snapshot.fans[2 * numbers[last.relation] + int(last.forward), 1])
        covered = owners / max(self.context.schema.labels.get(end, 1), 1)
        return back <= (_NOT_MANY_MORE if covered >= _NEARLY_ALL else _HARDLY_MORE) * ahead

    def _answers(self, queries: Iterable[Query]) -> list[AnswerRow]:
        return [row for query in queries for row in self.context.space.execute(query, self.context.limits(50)).rows]

    # ---- one thing without a name in which several meet -----------------------------------------------------------

    def _meeting(self, claim: Claim, reader: ClaimReader) -> Finding:
        """ "A acted in a film by B and written by C": a path between the first two over the nameless thing, and one
        step from it to each of the others."""
        assert claim.shared is not None
        two = replace(claim, text=claim.text[: claim.shared].rstrip(), parts=claim.parts[:2], shared=None)
        pairs = [pair for pair in self._pairs(two, reader) if len(pair.path.hops) == 2]
        last = claim.parts[-1]
        for pair in pairs[:1] if pairs and pairs[0].score >= LEAST else []:
            middle = pair.path.hops[0].target
            for entity, _ in self._entities(last):
                text = f"{noun_of(middle)} {claim.text[claim.shared :].strip()}"
                place = Place(len(text) - (last.end - last.start), len(text))
                thing = Entity("", "", middle)
                steps = reader.between(text, Place(0, 0), thing, place, entity)
                single = [path for path in steps if len(path.hops) == 1]
                if not single or single[0].score < LEAST:
                    continue
                near, far = pair.path.hops
                chains = (
                    Chain(pair.source, (near,)),
                    Chain(pair.target, (far.back(middle),)),
                    Chain(entity, (single[0].hops[0].back(middle),)),
                )
                return self._met(claim, Query(chains), pair)
        return _unsaid(claim)

    def _met(self, claim: Claim, query: Query, pair: _Pair) -> Finding:
        rows = self.context.space.execute(query, self.context.limits(_INSTEAD)).rows
        sure = _confidence(pair.score)
        if rows:
            keys = self._keep(self.context.space.evidence(query, [r.id for r in rows if r.id][:1], _TRIPLETS), query)
            return _finding(claim, SUPPORTED, sure, f"{_listed(rows)}: {words(query)}.", words(query), keys)
        known = [self._answers([Query((chain,))]) for chain in query.chains]
        if all(known):
            reason = f"Nothing in the graph is at once {words(query)}."
            return _finding(claim, REFUTED, sure, reason, words(query))
        return _finding(claim, UNKNOWN, sure, "The graph does not know enough of its parts.", words(query))

    # ---- an entity and a value --------------------------------------------------------------------------------------

    def _valued(self, claim: Claim, reader: ClaimReader) -> Finding:
        first, second = claim.parts
        value = claim.text[second.start : second.end]
        found: list[tuple[float, Entity, SaidPath]] = []
        for entity, link in self._entities(first):
            paths = reader.valued(claim.text, _place(first), entity, _place(second))
            found += [(path.score + _LINK_WEIGHT * (link - 1), entity, path) for path in paths]
        found.sort(key=lambda each: -each[0])
        if not found or found[0][0] < LEAST:
            return _unsaid(claim)
        for score, entity, path in found[:1]:
            query = Query((Chain(entity, path.hops),), returns="property", property_name=path.property_name)
            rows = self.context.space.execute(query, self.context.limits(50)).rows
            sure = _confidence(score)
            if not rows:
                reason = f"The graph has no {_plain(words(query))}."
                return _finding(claim, UNKNOWN, sure, reason, words(query))
            keys = self._keep(
                [Triplet(entity, path.property_name or "", Entity(r.name, r.name, "value")) for r in rows], query
            )
            verdict = SUPPORTED if any(_same_value(row.name, value) for row in rows) else REFUTED
            reason = f"The {_plain(words(query))} in the graph: {_listed(rows)}."
            return _finding(claim, verdict, sure, reason, words(query), keys)
        return _unsaid(claim)

    # ---- one entity -------------------------------------------------------------------------------------------------

    def _typed(self, claim: Claim) -> Finding | None:
        """ "X is a film": by the label; None where the noun names none."""
        part = claim.parts[0]
        said = _TYPE.fullmatch(claim.text[part.end :])
        if said is None or claim.text[: part.start].strip() or claim.quantity:
            return None
        noun = said.group(1)
        labels = {entity.label for entity, _ in self._entities(part)}
        if not any(_names(noun, label) for label in self.context.schema.labels):
            return None
        holds = any(_names(noun, label) for label in labels)
        label = " or ".join(sorted(noun_of(label) for label in labels))
        name = self._entities(part)[0][0].name
        reason = f"In the graph {name} is a {label}."
        return _finding(claim, SUPPORTED if holds else REFUTED, 0.9, reason, f"{name} is a {label}")

    def _existing(self, claim: Claim, reader: ClaimReader) -> Finding:
        part = claim.parts[0]
        found: list[tuple[float, Entity, SaidPath]] = []
        for entity, link in self._entities(part):
            paths = reader.beyond(claim.text, _place(part), entity)
            found += [(path.score + _LINK_WEIGHT * (link - 1), entity, path) for path in paths]
        found.sort(key=lambda each: -each[0])
        if not found or found[0][0] < LEAST or _wordless(claim):
            return _unsaid(claim)
        self.span.event("readings", claim=claim.text, paths=[[*_hops_told(p), round(s, 3)] for s, _, p in found[:5]])
        near = [each for each in found if each[0] >= found[0][0] - MARGIN][:READINGS]
        findings = [self._counted(claim, entity, path, _confidence(score)) for score, entity, path in near]
        return next((finding for finding in findings if finding["verdict"] == SUPPORTED), findings[0])

    def _counted(self, claim: Claim, entity: Entity, path: SaidPath, sure: float) -> Finding:
        """Whether there are as many as is said: one at least, where no number is."""
        query = Query((Chain(entity, path.hops),))
        if path.property_name is not None:
            query = replace(query, returns="property", property_name=path.property_name)
            queries: list[Query] = [query]
        else:
            queries = list(_either_way(entity, path.hops))
        rows = list({(row.id, row.name): row for row in self._answers(queries)}.values())
        keys: list[str] = []
        if rows and path.property_name is None:
            for each in queries:
                keys += self._keep(self.context.space.evidence(each, [], _TRIPLETS), each)
        quantity = claim.quantity or Quantity("at least", 1)
        verdict = SUPPORTED if _fits(len(rows), quantity) else REFUTED
        said = _plain(words(query))
        reason = f"The {said} in the graph: {_listed(rows)}." if rows else f"The graph has no {said}."
        if claim.quantity is not None:
            reason = f"The graph has {len(rows)} as {said}; said is {quantity.bound} {quantity.number}."
        return _finding(claim, verdict, sure, reason, words(query), list(dict.fromkeys(keys)))

    # ---- entities and evidence --------------------------------------------------------------------------------------

    def _entities(self, part: Part) -> list[tuple[Entity, float]]:
        assert part.mention is not None
        candidates = self.mentions[part.mention]["candidates"]
        best = candidates[0]["score"] - CANDIDATE_MARGIN if candidates else 0.0
        return [(entity_of(c), c["score"]) for c in candidates[:CANDIDATES] if c["score"] >= best]

    def _keep(self, triplets: Iterable[Triplet], query: Query | None) -> list[str]:
        keys: list[str] = []
        for triplet in triplets:
            item = evidence_of(triplet, 1.0, "verify", 1, words(query) if query is not None else "")
            self.evidence = merge_evidence(self.evidence, item)
            keys += item
        return list(dict.fromkeys(keys))


def _names(noun: str, label: str) -> bool:
    """Whether a noun says that a node has this label, and no more: every director is a person, but a person need be
    no director."""
    return names_label(noun, label) and (
        noun_kind(noun) != "person" or singular(noun.lower()) in _ANYBODY | {*label_words(label)}
    )


def _place(part: Part) -> Place:
    return Place(part.start, part.end)


def _wordless(claim: Claim) -> bool:
    """Whether nothing is said but that the two have to do with each other."""
    masked = _place(claim.parts[1]) if len(claim.parts) > 1 else None
    seen = read(claim.text, _place(claim.parts[0]), masked)
    return not seen.left and not seen.right


def _either_way(source: Entity, hops: tuple[Hop, ...]) -> Iterator[Query]:
    """The chain, and with hops along relations that mean the same both ways, such as marriage, turned round: such a
    fact is often kept once for two."""
    ways = [(hop, replace(hop, forward=not hop.forward)) if _mutual(hop.relation) else (hop,) for hop in hops]
    for chosen in product(*ways):
        yield Query((Chain(source, tuple(chosen)),))


def _mutual(relation: str) -> bool:
    sense = meaning(relation)
    return sense is not None and set(sense.phrases) == set(sense.reversed().phrases)


def _labels_along(source: str, hops: Sequence[Hop]) -> list[str]:
    return [source, *(hop.target for hop in hops)]


def _confidence(score: float) -> float:
    return round(1 / (1 + exp(-_STEEP * (score - _MIDDLE))), 4)


def _fits(count: int, quantity: Quantity) -> bool:
    number = quantity.number
    return {
        "at least": count >= number,
        "at most": count <= number,
        "more than": count > number,
        "fewer than": count < number,
        "exactly": count == number,
    }[quantity.bound]


def _same_value(known: str, said: str) -> bool:
    if known.strip().casefold() == said.strip().casefold():
        return True
    try:
        return float(known) == float(said.replace(",", ""))
    except ValueError:
        return known.startswith(f"{said}-")  # the year of a date


def _sentence(triplet: Triplet) -> str:
    return f"{triplet.head.name} \u2014 {triplet.relation} \u2192 {triplet.tail.name}"


def _listed(rows: Sequence[AnswerRow]) -> str:
    names = list(dict.fromkeys(row.name for row in rows))
    more = f" and {len(names) - _INSTEAD} more" if len(names) > _INSTEAD else ""
    return ", ".join(names[:_INSTEAD]) + more


def _plain(text: str) -> str:
    return text.removeprefix("the ")


def unread(claim: Claim, reason: str) -> Finding:
    """For a claim that was not looked for."""
    return _finding(claim, UNKNOWN, 0.0, reason)


def _unsaid(claim: Claim) -> Finding:
    return _finding(claim, UNKNOWN, 0.6, "No relation of the graph says what this says.")


def _told(pair: _Pair) -> list[object]:
    return [pair.source.name, *_hops_told(pair.path), pair.target.name, round(pair.score, 3)]


def _hops_told(path: SaidPath) -> list[object]:
    return [*(hop.key() for hop in path.hops), *([path.property_name] if path.property_name else [])]


def _finding(
    claim: Claim, verdict: Verdict, sure: float, reason: str, reading: str = "", keys: Sequence[str] = ()
) -> Finding:
    return {
        "claim": claim.text, "verdict": verdict, "confidence": sure, "reason": reason, "reading": reading,
        "evidence": list(keys),
    }  # fmt: skip
