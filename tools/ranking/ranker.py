"""From a question and its linked entities to a ranked list of queries, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from pathlib import Path

from tools.embedding import Embedder
from tools.identifiers import identifier_words
from tools.linking.entity import Candidate, Entity, Mention
from tools.linking.mentions import Linking
from tools.query_space.moves import NUMERIC_TYPES
from tools.query_space.query import Chain, Filter, Hop, Order, Query, RankedQuery
from tools.query_space.space import QuerySpace
from tools.ranking.constraints import Constraints, NumberCondition, Superlative, find_constraints
from tools.ranking.glosses import Glosses
from tools.ranking.path_scores import PathScorer, ScoredPath
from tools.ranking.reading import read, tokens
from tools.ranking.similarity import SchemaPhrases
from tools.ranking.weights import WEIGHTS, Weights
from tools.schema import Property

CANDIDATES = 3
"""Entities tried for one mention."""
MENTIONS = 4
"""Mentions used at most; the best linked ones."""
OPTIONAL = 2
"""Ordinary words tried as names beside the mentions."""
CHECKED = 12
"""Paths whose support is asked of the database in one query."""
YEARS_FIT = 0.6
"""How well a property of years fits "oldest" or "before 1950" whatever it is called."""
MARGIN = 0.3
"""Intersections that score this much below the best query of one chain are not tried."""
BRANCHES = 8
"""Best paths of each of two entities that are combined."""


@dataclass(frozen=True, slots=True)
class _Scored:
    """A chain from one mention, before it is known to have answers."""

    mention: Mention
    candidate: Candidate
    path: ScoredPath
    walk: bool = False
    """True where only a walk leads anywhere: the path takes one relationship twice (see Query.walk)."""

    @property
    def entity(self) -> Entity:
        return self.candidate.entity


class Ranker:
    """Ranks the queries of one graph; thread-safe. `cache` is a folder for the schema's phrase vectors."""

    def __init__(
        self,
        space: QuerySpace,
        embedder: Embedder,
        glosses: Glosses | None = None,
        *,
        cache: Path | None = None,
        weights: Weights = WEIGHTS,
    ) -> None:
        self._space = space
        self._weights = weights
        self._phrases = SchemaPhrases(space.moves, glosses or Glosses(), embedder, cache)
        self._scorer = PathScorer(space.moves, self._phrases, weights)

    def rank(self, question: str, linking: Linking, limit: int = 20) -> list[RankedQuery]:
        """The queries that explain the question best, best first; each has at least one match in the graph.

        Raises what GraphStore.read raises.
        """
        used = sorted(linking.mentions, key=lambda m: -m.candidates[0].score if m.candidates else 0.0)[:MENTIONS]
        used = [mention for mention in used if mention.candidates]
        sure = [(m.start, m.end) for m in used if m.candidates[0].score >= self._weights.sure_link]
        constraints = find_constraints(question, sure)
        used = [m for m in used if not any(m.start < end and m.end > start for start, end in constraints.spans)]
        optional = self._optional(linking, used, constraints)
        ranked = self._single(question, used, constraints, limit)
        floor = max((r.score for r in ranked), default=-10.0) - MARGIN
        ranked += self._joint(question, used, optional, constraints, floor)
        if constraints.superlative or constraints.numbers or constraints.count:
            ranked = self._constrained(question, ranked, constraints, len(used), bool(sure))
        ranked.sort(key=lambda r: (-r.score, r.query.length, r.query.key()))
        return list({r.query.key(): r for r in reversed(ranked)}.values())[::-1][:limit] if ranked else []

    # ---- one entity ----------------------------------------------------------------------------------------------

    def _single(
        self, question: str, mentions: Sequence[Mention], constraints: Constraints, limit: int
    ) -> list[RankedQuery]:
        """Queries of one chain, from each mention in turn."""
        scored: list[_Scored] = []
        for mention in mentions:
            masked = [(m.start, m.end) for m in mentions if m is not mention] + constraints.spans
            scored += self._paths(question, mention, masked, top=200)
        unused = len(mentions) - 1
        scored.sort(key=lambda s: -self._total(s, unused))
        found: list[RankedQuery] = []
        for start in range(0, len(scored), CHECKED):
            checked = [self._query(s, unused) for s in self._supported(scored[start : start + CHECKED])]
            found += [r for r in checked if r.query.returns != "property" or self._space.matches(r.query)]
            if len(found) >= min(limit, 6):
                break
        return found

    def _paths(
        self, question: str, mention: Mention, masked: Sequence[tuple[int, int]], *, top: int, longest: int = 3
    ) -> list[_Scored]:
        reading = read(question, mention.start, mention.end, masked)
        best = mention.candidates[0].score
        found: list[_Scored] = []
        for candidate in mention.candidates[:CANDIDATES]:
            if candidate.score < best - self._weights.candidate_margin:
                continue
            first = self._space.first_steps(candidate.entity)
            paths = self._scorer.score(reading, candidate.entity.label, first, longest)
            found += [_Scored(mention, candidate, path) for path in paths[:top]]
        return found

    def _total(self, scored: _Scored, unused: int) -> float:
        w = self._weights
        return scored.path.score + w.link_weight * (scored.candidate.score - 1) - w.unused_cost * unused

    def _supported(self, scored: Sequence[_Scored]) -> list[_Scored]:
        """Those whose path leads somewhere in the graph; as a trail if it can, else as a walk."""
        by_entity: dict[Entity, list[_Scored]] = {}
        for s in scored:
            by_entity.setdefault(s.entity, []).append(s)
        walks: dict[int, bool] = {}
        for entity, group in by_entity.items():
            ways = self._space.supported(entity, [self._hops(s.path) for s in group])
            walks |= {id(s): way == "walk" for s, way in zip(group, ways, strict=True) if way is not None}
        return [replace(s, walk=walks[id(s)]) for s in scored if id(s) in walks]

    def _hops(self, path: ScoredPath) -> tuple[Hop, ...]:
        hops = self._space.moves.hops
        return tuple(hops[step] for step in path.steps if step < len(hops))

    def _query(self, scored: _Scored, unused: int) -> RankedQuery:
        moves, path = self._space.moves, scored.path
        query = Query((Chain(scored.entity, self._hops(path)),), walk=scored.walk)
        if path.steps[-1] >= len(moves.hops):
            name = moves.properties[path.steps[-1] - len(moves.hops)].name
            query = replace(query, returns="property", property_name=name)
        return RankedQuery(query, self._total(scored, unused), _reasons(scored.path, scored.candidate, unused))

    # ---- several entities ----------------------------------------------------------------------------------------

    def _joint(
        self,
        question: str,
        mentions: Sequence[Mention],
        optional: Sequence[Mention],
        constraints: Constraints,
        floor: float,
    ) -> list[RankedQuery]:
        """Queries whose chains from two or three mentions meet in one answer, if they score above the floor."""
        found: list[RankedQuery] = []
        for size in (2, 3):
            for group in combinations(sorted([*mentions, *optional], key=lambda m: m.start), size):
                left_out = sum(mention not in group for mention in mentions)
                if len(mentions) > left_out:
                    found += self._meeting(question, group, optional, left_out, constraints, floor)
        return found

    def _optional(self, linking: Linking, used: Sequence[Mention], constraints: Constraints) -> list[Mention]:
        """Ordinary words that are also names ("which comedy …"): a query may use them, and loses nothing if not.

        Words that speak of the schema itself ("movies", "directed") are no names, though a film may be called so.
        """
        taken = [*((m.start, m.end) for m in used), *constraints.spans]
        free = [
            mention
            for mention in linking.alternatives
            if mention.candidates
            and mention.candidates[0].score >= self._weights.sure_link
            and [token.content for token in tokens(mention.text)] == [True]
            and not any(mention.start < end and mention.end > start for start, end in taken)
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
        constraints: Constraints,
        floor: float,
    ) -> list[RankedQuery]:
        branches = []
        for mention in group:
            longest = 1 if mention in optional or len(group) > 2 else 2
            paths = self._branch(question, mention, group, constraints, longest)
            branches.append(self._supported(paths[: 2 * BRANCHES])[:BRANCHES])
        w = self._weights
        named = w.name_bonus * sum(mention in optional for mention in group)
        combined = []
        for parts in product(*branches):
            ends = {self._space.moves.ending(part.path.steps[-1]) for part in parts}
            if len(ends) > 1 or len({part.entity for part in parts}) < len(parts):
                continue
            score = sum(self._total(part, 0) for part in parts) / len(parts)
            total = score + w.meeting_bonus + named - w.unused_cost * unused
            if total >= floor:
                combined.append((total, parts))
        combined.sort(key=lambda pair: -pair[0])
        found = []
        for score, parts in combined[:CHECKED]:
            query = Query(tuple(Chain(part.entity, self._hops(part.path)) for part in parts))
            if self._space.matches(query):
                found.append(RankedQuery(query, score, {"meeting": w.meeting_bonus, "unused": float(unused)}))
            if len(found) >= 3:
                break
        return found

    def _branch(
        self, question: str, mention: Mention, group: Sequence[Mention], constraints: Constraints, longest: int
    ) -> list[_Scored]:
        """The chains from one of several mentions, best first; the words between it and its neighbours may be its own
        or theirs, whichever suits it better."""
        masked = _other_words(question, mention, group) + constraints.spans
        found: dict[tuple[Entity, tuple[int, ...]], _Scored] = {}
        for spans in (masked, masked + _gaps(mention, group)):
            for s in self._paths(question, mention, spans, top=60, longest=longest):
                key = (s.entity, s.path.steps)
                if s.path.steps[-1] < len(self._space.moves.hops) and (
                    key not in found or self._total(s, 0) > self._total(found[key], 0)
                ):
                    found[key] = s
        return sorted(found.values(), key=lambda s: -self._total(s, 0))

    # ---- counts, superlatives, comparisons -----------------------------------------------------------------------

    def _constrained(
        self, question: str, ranked: Sequence[RankedQuery], constraints: Constraints, mentions: int, sure: bool
    ) -> list[RankedQuery]:
        """The same queries with what is to be counted, ranked or compared; over all nodes of a label where the
        question names no entity for sure."""
        found: list[RankedQuery] = []
        for item in [*ranked, *([] if sure else self._over_labels(question, constraints, mentions))]:
            query, score, reasons = item.query, item.score, dict(item.reasons)
            if query.returns == "property":
                if not constraints.numbers:  # "came out before 1950" asks for no year
                    found.append(item)
                continue
            label = self._answer_label(query)
            for number in constraints.numbers:
                condition = self._filter(label, number)
                if condition is not None:
                    query = replace(query, filters=(*query.filters, condition))
                    score += self._weights.constraint_bonus
            if constraints.superlative is not None:
                order, fit = self._order(label, constraints.superlative)
                if order is not None:
                    query, score = replace(query, order=order), score + self._weights.constraint_bonus * fit
                    reasons["order"] = fit
            elif constraints.count is not None:
                query = replace(query, returns="count")
            found.append(RankedQuery(query, score, reasons))
        return [item for item in found if item.query.returns == "count" or self._space.matches(item.query)]

    def _over_labels(self, question: str, constraints: Constraints, unused: int) -> list[RankedQuery]:
        """Queries that start from all nodes of the label that the question's nouns name best."""
        reading = read(question, 0, 0, constraints.spans)
        words = list(dict.fromkeys(reading.right))
        if not words:
            return []
        w = self._weights
        fits = self._phrases.compare(words).labels.max(axis=0, initial=-1.0)
        labels = sorted(zip(fits.tolist(), self._space.moves.labels, strict=True), reverse=True)[:CANDIDATES]
        return [
            RankedQuery(Query((Chain(label, ()),)), w.over_label * fit - w.unused_cost * unused, {"label": fit})
            for fit, label in labels
            if fit >= w.label_threshold
        ]

    def _answer_label(self, query: Query) -> str:
        chain = query.chains[0]
        if chain.hops:
            return chain.hops[-1].target
        return chain.anchor if isinstance(chain.anchor, str) else chain.anchor.label

    def _filter(self, label: str, number: NumberCondition) -> Filter | None:
        name = self._property(
            label, ("year", "date") if number.is_year else (number.unit or "number",), number.is_year
        )[0]
        if name is None:
            return None
        whole = int(number.value) if number.value.is_integer() else number.value
        return Filter(name, number.comparison, whole)

    def _order(self, label: str, superlative: Superlative) -> tuple[Order | None, float]:
        """What to order by: a numeric property of the label, or for "the most N" the number of neighbours N."""
        name, fit = self._property(label, superlative.names, superlative.of_time)
        best: tuple[Order | None, float] = (Order(name, superlative.descending) if name else None, fit)
        if superlative.counted:
            moves = self._space.moves
            steps = [step for step in moves.starting_at(label) if step < len(moves.hops)]
            found = self._phrases.compare(superlative.names)
            for step in steps:
                named = found.labels[0][moves.label_ids[moves.ending(step)]]
                near = float(max(found.steps[0][step], named))
                if near > best[1]:
                    best = (Order(moves.hops[step], superlative.descending), near)
        return best if best[1] >= self._weights.order_threshold else (None, 0.0)

    def _property(self, label: str, names: Sequence[str], of_time: bool) -> tuple[str | None, float]:
        """The numeric property of a label that comes nearest to one of the names, the earlier the better; where time
        is asked for, one whose values look like years will do."""
        moves = self._space.moves
        rows = [
            (len(moves.hops) + i, p)
            for i, p in enumerate(moves.properties)
            if p.label == label and p.type in NUMERIC_TYPES
        ]
        if not rows:
            return None, 0.0
        near = self._phrases.compare(list(names)).steps
        best: tuple[str | None, float] = (None, 0.0)
        for step, prop in rows:
            own = set(identifier_words(prop.name))
            fits = [
                (1.0 if own.issuperset(name.split()) else float(near[i, step])) - 0.01 * i
                for i, name in enumerate(names)
            ]
            fit = max(max(fits), YEARS_FIT if of_time and _are_years(prop) else 0.0)
            if fit > best[1]:
                best = (prop.name, fit)
        return best


def _are_years(prop: Property) -> bool:
    return bool(prop.examples) and all(isinstance(year, int) and 1000 <= year <= 2100 for year in prop.examples)


def _other_words(question: str, mention: Mention, group: Sequence[Mention]) -> list[tuple[int, int]]:
    """What a chain need not explain: the other mentions and the words beyond them, except those before the first
    and after the last mention, which all chains share."""
    place = list(group).index(mention)
    spans = [(m.start, m.end) for m in group if m is not mention]
    if place > 1:
        spans.append((group[0].end, group[place - 1].start))
    if place < len(group) - 2:
        spans.append((group[place + 1].end, group[-1].start))
    return spans


def _gaps(mention: Mention, group: Sequence[Mention]) -> list[tuple[int, int]]:
    """What stands between a mention and its neighbours in the group."""
    place = list(group).index(mention)
    before = [(group[place - 1].end, mention.start)] if place else []
    after = [(mention.end, group[place + 1].start)] if place + 1 < len(group) else []
    return before + after


def _reasons(path: ScoredPath, candidate: Candidate, unused: int) -> dict[str, float | str]:
    return {
        "alignment": path.alignment,
        "answer kind": path.kind,
        "asked noun": path.asked,
        "link": candidate.score,
        "matched": candidate.matched,
        "unused mentions": float(unused),
    }
