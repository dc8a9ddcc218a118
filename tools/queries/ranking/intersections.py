"""Queries whose chains from two or three mentions meet in one answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise, product

from clew.tools.graph.entity import Entity, Mention
from clew.tools.linking.mentions import Linking
from clew.tools.queries.lexical import Span, overlaps, tokens
from clew.tools.queries.ranking.chains import CHECKED, Chains, ScoredChain
from clew.tools.queries.ranking.similarity import SchemaPhrases
from clew.tools.queries.ranking.weights import Weights
from clew.tools.queries.space.query import Chain, Query, RankedQuery
from clew.tools.queries.space.space import QuerySpace

_OR = re.compile(r"\bor\b", re.IGNORECASE)
OPTIONAL = 2
"""Ordinary words tried as names beside the mentions."""
MARGIN = 0.3
"""Intersections that score this much below the best query of one chain are not tried."""
BRANCHES = 8
"""Best paths of each of two entities that are combined."""
KEPT = 3
"""Intersections kept of each group of mentions."""


class Intersections:
    """Combines the chains of several mentions."""

    def __init__(self, space: QuerySpace, chains: Chains, phrases: SchemaPhrases, weights: Weights) -> None:
        self._space = space
        self._chains = chains
        self._phrases = phrases
        self._weights = weights

    def queries(
        self,
        question: str,
        mentions: Sequence[Mention],
        optional: Sequence[Mention],
        masked: Sequence[Span],
        best: float,
    ) -> list[RankedQuery]:
        """Those of every two or three mentions that score within MARGIN of `best`, each with at least one match; not of
        mentions between which "or" stands."""
        found: list[RankedQuery] = []
        for size in (2, 3):
            for group in combinations(sorted([*mentions, *optional], key=lambda m: m.start), size):
                left_out = sum(mention not in group for mention in mentions)
                either = any(_OR.search(question, a.end, b.start) for a, b in pairwise(group))
                if len(mentions) > left_out and not either:
                    found += self._meeting(question, group, optional, left_out, masked, best - MARGIN)
        return found

    def optional(self, linking: Linking, used: Sequence[Mention], masked: Sequence[Span]) -> list[Mention]:
        """Ordinary words that are also names ("which comedy …"): a query may use them, and loses nothing if not.

        Words that speak of the schema itself ("movies", "directed") are no names, though a film may be called so.
        """
        taken = [*((m.start, m.end) for m in used), *masked]
        free = [
            mention
            for mention in linking.alternatives
            if mention.candidates
            and mention.candidates[0].score >= self._weights.sure_link
            and [token.content for token in tokens(mention.text)] == [True]
            and not overlaps(mention.start, mention.end, taken)
        ]
        if not free:
            return []
        spoken = self._phrases.compare([mention.text.lower() for mention in free]).nearest
        return [m for m, near in zip(free, spoken, strict=True) if near < self._weights.schema_word][:OPTIONAL]

    def _meeting(
        self,
        question: str,
        group: Sequence[Mention],
        optional: Sequence[Mention],
        unused: int,
        masked: Sequence[Span],
        floor: float,
    ) -> list[RankedQuery]:
        branches = []
        for mention in group:
            longest = 1 if mention in optional or len(group) > 2 else 2
            paths = self._branch(question, mention, group, masked, longest)
            branches.append(self._chains.supported(paths[: 2 * BRANCHES])[:BRANCHES])
        w = self._weights
        named = w.name_bonus * sum(mention in optional for mention in group)
        combined = []
        for parts in product(*branches):
            ends = {self._space.moves.ending(part.path.steps[-1]) for part in parts}
            if len(ends) > 1 or len({part.entity for part in parts}) < len(parts):
                continue
            score = sum(self._chains.total(part, 0) for part in parts) / len(parts)
            total = score + w.meeting_bonus + named - w.unused_cost * unused
            if total >= floor:
                combined.append((total, parts))
        combined.sort(key=lambda pair: -pair[0])
        found = []
        for score, parts in combined[:CHECKED]:
            query = Query(tuple(Chain(part.entity, self._chains.hops(part.path)) for part in parts))
            if self._space.matches(query):
                found.append(RankedQuery(query, score, {"meeting": w.meeting_bonus, "unused": float(unused)}))
            if len(found) >= KEPT:
                break
        return found

    def _branch(
        self, question: str, mention: Mention, group: Sequence[Mention], masked: Sequence[Span], longest: int
    ) -> list[ScoredChain]:
        """The chains from one of several mentions, best first; the words between it and its neighbours may be its own
        or theirs, whichever suits it better."""
        others = [*_other_words(mention, group), *masked]
        found: dict[tuple[Entity, tuple[int, ...]], ScoredChain] = {}
        for spans in (others, others + _gaps(mention, group)):
            for s in self._chains.paths(question, mention, spans, top=60, longest=longest):
                key = (s.entity, s.path.steps)
                if s.path.steps[-1] < len(self._space.moves.hops) and (
                    key not in found or self._chains.total(s, 0) > self._chains.total(found[key], 0)
                ):
                    found[key] = s
        return sorted(found.values(), key=lambda s: -self._chains.total(s, 0))


def _other_words(mention: Mention, group: Sequence[Mention]) -> list[Span]:
    """What a chain need not explain: the other mentions and the words beyond them, except those before the first
    and after the last mention, which all chains share."""
    place = list(group).index(mention)
    spans = [(m.start, m.end) for m in group if m is not mention]
    if place > 1:
        spans.append((group[0].end, group[place - 1].start))
    if place < len(group) - 2:
        spans.append((group[place + 1].end, group[-1].start))
    return spans


def _gaps(mention: Mention, group: Sequence[Mention]) -> list[Span]:
    """What stands between a mention and its neighbours in the group."""
    place = list(group).index(mention)
    before = [(group[place - 1].end, mention.start)] if place else []
    after = [(mention.end, group[place + 1].start)] if place + 1 < len(group) else []
    return before + after
