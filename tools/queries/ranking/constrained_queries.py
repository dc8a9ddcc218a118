"""Counts, superlatives and comparisons put on queries, and queries over all nodes of a label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Span, stem
from clew.tools.queries.ranking.chains import CANDIDATES
from clew.tools.queries.ranking.constraints import Constraints, NumberCondition, Superlative
from clew.tools.queries.ranking.reading import read
from clew.tools.queries.ranking.similarity import SchemaPhrases
from clew.tools.queries.ranking.weights import Weights
from clew.tools.queries.space.query import Chain, Filter, Order, Query, RankedQuery
from clew.tools.queries.space.space import QuerySpace
from clew.tools.queries.values import NUMBERS, ORDERED_TYPES, holds_years, whole

YEARS_FIT = 0.6
"""How well a property of years fits "oldest" or "before 1950" whatever it is called."""


class ConstrainedQueries:
    """Puts what a question counts, ranks or compares on queries of one graph."""

    def __init__(self, space: QuerySpace, phrases: SchemaPhrases, weights: Weights) -> None:
        self._space = space
        self._phrases = phrases
        self._weights = weights

    def queries(self, ranked: Sequence[RankedQuery], constraints: Constraints) -> list[RankedQuery]:
        """The same queries with what is to be counted, ranked or compared, each with at least one match. Those of
        `ranked` have one, but for all nodes of a label."""
        found: list[RankedQuery] = []
        for item in ranked:
            query, score, reasons = item.query, item.score, dict(item.reasons)
            if query.returns == "property":
                if not constraints.numbers:  # "came out before 1950" asks for no year
                    found.append(item)
                continue
            label = query.answer_label
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
        known = {id(item.query) for item in ranked if item.query.length or item.query.returns == "property"}
        return [r for r in found if r.query.returns == "count" or id(r.query) in known or self._space.matches(r.query)]

    def over_labels(self, question: str, masked: Sequence[Span], unused: int) -> list[RankedQuery]:
        """Queries that start from all nodes of the label that the question's nouns name best."""
        reading = read(question, 0, 0, masked)
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

    def _filter(self, label: str, number: NumberCondition) -> Filter | None:
        names = ("year", "date") if number.is_year else (number.unit or "number",)
        name = self._named(label, number.before) or self.property(label, names, number.is_year, NUMBERS)[0]
        if name is None or (number.is_year and not self._holds_years(label, name)):
            return None
        return Filter(name, number.comparison, whole(number.value))

    def _holds_years(self, label: str, name: str) -> bool:
        return any(
            each.label == label and each.name == name and holds_years(each) for each in self._space.moves.properties
        )

    def _named(self, label: str, before: Sequence[str]) -> str | None:
        """The number among a label's properties whose name is said before a comparison: of several the longest, then
        the nearest."""
        said = [stem(word) for word in before]
        named: list[tuple[int, int, str]] = []
        for each in self._space.moves.properties:
            words = [stem(word) for word in identifier_words(each.name)]
            if words and each.label == label and each.type in NUMBERS and set(words) <= set(said):
                named.append((len(words), max(len(said) - said[::-1].index(word) for word in words), each.name))
        return max(named)[2] if named else None

    def _order(self, label: str, superlative: Superlative) -> tuple[Order | None, float]:
        """What to order by: a numeric property of the label, or for "the most N" the number of neighbours N."""
        name, fit = self.property(label, superlative.names, superlative.of_time)
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

    def property(
        self, label: str, names: Sequence[str], of_time: bool, types: frozenset[str] = ORDERED_TYPES
    ) -> tuple[str | None, float]:
        """The property of a label and of one of the types that comes nearest to one of the names, the earlier the
        better; where time is asked for, one whose values look like years will do."""
        moves = self._space.moves
        rows = [
            (len(moves.hops) + i, p) for i, p in enumerate(moves.properties) if p.label == label and p.type in types
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
            fit = max(max(fits), YEARS_FIT if of_time and holds_years(prop) else 0.0)
            if fit > best[1]:
                best = (prop.name, fit)
        return best
