"""Times put on queries: periods, other facts' times, turns ("the first"), and times as answers ("when was …")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Span, stem, tokens
from clew.tools.queries.ranking.path_scores import PathScorer
from clew.tools.queries.ranking.reading import read
from clew.tools.queries.ranking.time_expressions import Clause, Side, TimeExpressions, find_time_expressions
from clew.tools.queries.ranking.weights import Weights
from clew.tools.queries.space.query import (
    Chain,
    Hop,
    Query,
    RankedQuery,
    ReferenceFact,
    TimeAnswer,
    TimeFilter,
    TimeLocation,
    TimeOrder,
    TimeProperties,
)
from clew.tools.queries.space.space import QuerySpace
from clew.tools.queries.space.times import is_time, time_property
from clew.tools.queries.values import NUMBERS, ORDERED_TYPES

TRIED = 8
"""Queries, best first, that times are put on."""
FACTS = 4
"""Facts that one clause may stand for, best first."""
CHECKED = 24
"""Queries with times whose matches are asked of the database."""
FOUND = 4
"""Queries with times after which no more are checked."""
PERIODS = 6
"""Queries for a time that are checked."""
LATER_FACT = 0.02
"""What each better fact costs the next."""
OF_LIFE = frozenset({"birth", "born", "death", "died", "dead", "dob"})
"""Words of properties whose times say nothing of what a person did."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A fact with how well its clause's words speak of it."""

    fact: ReferenceFact
    score: float


class TemporalQueries:
    """Puts what a question says about time on queries of one graph."""

    def __init__(self, space: QuerySpace, scorer: PathScorer, weights: Weights) -> None:
        self._space = space
        self._scorer = scorer
        self._weights = weights
        self._label_times = _all_label_clocks(space)
        self._active = bool(space.relation_times or self._label_times)

    def read(self, question: str, mentions: Sequence[Mention], names: Sequence[Span]) -> TimeExpressions | None:
        """What the question says about time; None also where the graph has no times."""
        return find_time_expressions(question, mentions, names) if self._active else None

    # ---- conditions ----------------------------------------------------------------------------------------------

    def queries(
        self, question: str, ranked: Sequence[RankedQuery], times: TimeExpressions, mentions: Sequence[Mention]
    ) -> list[RankedQuery]:
        """The best of these queries with the question's times on them, each with at least one match; `mentions` are
        those of the whole question."""
        facts = self._facts(question, times.clause, mentions) if times.clause is not None else []
        made: list[RankedQuery] = []
        for item in sorted(ranked, key=lambda r: -r.score)[:TRIED]:
            if item.query.returns == "nodes":
                made += self._with_times(question, item, times, facts)
        made.sort(key=lambda r: -r.score)
        found: list[RankedQuery] = []
        for item in made[:CHECKED]:
            if self._space.matches(item.query):
                found.append(item)
            if len(found) >= FOUND:
                break
        return found

    def _with_times(
        self, question: str, item: RankedQuery, times: TimeExpressions, facts: Sequence[_Found]
    ) -> Iterator[RankedQuery]:
        for place in self._places(item.query):
            bonus = self._bonus(question, item.query, place)
            if times.clause is not None:
                for found in self._former_holder(item.query, place, times.clause) + list(facts):
                    made = _compared(item.query, place, times, found.fact)
                    yield RankedQuery(made, item.score + bonus + found.score, {**item.reasons, "time": bonus})
                continue
            query = item.query
            if times.period is not None:
                if self._is_filtered(query, place):
                    continue
                query = replace(query, time_filters=(TimeFilter(place, _relation(times, place.time), times.period),))
            if times.turn is not None and (times.certain or not self._own_times(query)):
                query = replace(query, time_order=TimeOrder(place, times.turn))
            if query is not item.query:
                yield RankedQuery(query, item.score + bonus, {**item.reasons, "time": bonus})

    def _places(self, query: Query) -> list[TimeLocation]:
        """Where a query keeps times: on its relationships, nearest to the answer first; else on its nodes."""
        hops = [(c, h, hop) for c, chain in enumerate(query.chains) for h, hop in enumerate(chain.hops)][::-1]
        clocks = self._space.relation_times
        found = [TimeLocation(c, h, clocks[hop.relation]) for c, h, hop in hops if hop.relation in clocks]
        if found:
            return found
        nodes = [(c, h, hop.target) for c, h, hop in hops]
        nodes += [(c, -1, chain.anchor) for c, chain in enumerate(query.chains) if isinstance(chain.anchor, str)]
        labels = self._label_times
        return [TimeLocation(c, h, labels[label], node=True) for c, h, label in nodes if label in labels]

    def _bonus(self, question: str, query: Query, place: TimeLocation) -> float:
        """More for a relationship's own time, unless the question names a year of the answer's ("opened after …")."""
        w = self._weights
        if place.node:
            return w.constraint_bonus
        said = {stem(token.text) for token in tokens(question)}
        named = any(
            {stem(word) for word in identifier_words(p.name)} & said
            for p in self._space.schema.properties
            if p.label == query.answer_label and is_time(p)
        )
        return w.constraint_bonus / 2 if named else w.time_bonus

    def _is_filtered(self, query: Query, place: TimeLocation) -> bool:
        """Whether the place is a year of the answer itself, which a filter compares already."""
        at_answer = place.node and place.hop == len(query.chains[place.chain].hops) - 1
        return at_answer and any(
            p.label == query.answer_label and p.name == place.time.start and p.type in NUMBERS
            for p in self._space.schema.properties
        )

    def _own_times(self, query: Query) -> bool:
        """Whether the answers have times of their own, apart from their life, by which "latest" may order them."""
        return any(
            p.label == query.answer_label and p.type in ORDERED_TYPES and is_time(p) and not _of_life(p.name)
            for p in self._space.schema.properties
        )

    # ---- facts to compare with -----------------------------------------------------------------------------------

    def _former_holder(self, query: Query, place: TimeLocation, clause: Clause) -> list[_Found]:
        """ "Before X": the time when X stood in the answer's place."""
        chain = query.chains[place.chain]
        if clause.holder is None or clause.relation == "during" or place.node or place.hop != 0:
            return []
        if not isinstance(chain.anchor, Entity):
            return []
        hop = chain.hops[0]
        holder = next((c.entity for c in clause.holder.candidates if c.entity.label == hop.target), None)
        if holder is None:
            return []
        fact = ReferenceFact(holder, place.time, hop.back(chain.anchor.label), chain.anchor)
        return [_Found(fact, self._weights.time_bonus)]

    def _facts(self, question: str, clause: Clause, mentions: Sequence[Mention]) -> list[_Found]:
        """The facts that a clause may speak of, best first: one that joins two of its entities, an event's own time,
        or a relationship of its entity."""
        start, end = clause.span
        inside = sorted((m for m in mentions if start <= m.start and m.end <= end), key=lambda m: m.start)
        masked = [(0, start), (end, len(question))]
        found = [
            _Found(ReferenceFact(entity, self._space.relation_times[hop.relation], hop, other), score)
            for entity, hop, other, score in self._joining(question, inside, masked)
        ]
        for mention in [] if found else inside:
            entity = mention.candidates[0].entity
            if entity.label in self._label_times:
                found.append(_Found(ReferenceFact(entity, self._label_times[entity.label]), 0.0))
            for hop, score in self._relations(question, mention, masked):
                found.append(_Found(ReferenceFact(entity, self._space.relation_times[hop.relation], hop), score))
        found.sort(key=lambda f: -f.score)
        return [replace(f, score=-LATER_FACT * i) for i, f in enumerate(found[:FACTS])]

    def _joining(
        self, question: str, mentions: Sequence[Mention], masked: Sequence[Span]
    ) -> Iterator[tuple[Entity, Hop, Entity, float]]:
        """Relationships with times that may join two mentions, with how well the words between speak of them."""
        moves = self._space.moves
        for place, mention in enumerate(mentions):
            for other in mentions[place + 1 :]:
                entity, end = mention.candidates[0].entity, other.candidates[0].entity
                target = moves.label_ids.get(end.label, -1)
                hidden = [*masked, *((m.start, m.end) for m in mentions if m is not mention)]
                for hop, score in self._relations(question, mention, hidden, leading_to=target):
                    yield entity, hop, end, score

    def _relations(
        self, question: str, mention: Mention, masked: Sequence[Span], leading_to: int | None = None
    ) -> list[tuple[Hop, float]]:
        """A mention's relationships with times, best first; only those that lead to a label where one is given."""
        moves, entity = self._space.moves, mention.candidates[0].entity
        steps = [
            step
            for step in self._space.first_steps(entity)
            if step < len(moves.hops)
            and not moves.hops[step].typed
            and moves.hops[step].relation in self._space.relation_times
            and (leading_to is None or (leading_to >= 0 and moves.targets[step, leading_to] > 0))
        ]
        reading = read(question, mention.start, mention.end, masked)
        paths = self._scorer.score(reading, entity.label, steps, longest=1)
        return [(moves.hops[path.steps[0]], path.score) for path in paths]

    # ---- times as answers ----------------------------------------------------------------------------------------

    def period_queries(
        self, question: str, mentions: Sequence[Mention], times: TimeExpressions, masked: Sequence[Span]
    ) -> list[RankedQuery]:
        """Queries for the time of a fact that joins two mentions, of a relationship of one that words speak of, or of
        an event."""
        if times.asks is None:
            return []
        ordered = sorted(mentions, key=lambda m: m.start)
        made = list(self._periods_of_two(question, ordered, times.asks, masked))
        for mention in ordered:
            made += self._periods_of_one(question, mention, ordered, times.asks, masked)
        made.sort(key=lambda r: -r.score)
        return [item for item in made[:PERIODS] if self._space.matches(item.query)]

    def _periods_of_two(
        self, question: str, mentions: Sequence[Mention], side: Side, masked: Sequence[Span]
    ) -> Iterator[RankedQuery]:
        w, clocks = self._weights, self._space.relation_times
        unused = w.unused_cost * (len(mentions) - 2)
        for entity, hop, other, score in self._joining(question, mentions, masked):
            told = TimeAnswer(TimeLocation(1, 0, clocks[hop.relation]), _side(side, clocks[hop.relation]))
            query = Query((Chain(other, ()), Chain(entity, (hop,))), returns="period", time_answer=told)
            yield RankedQuery(query, score + w.time_bonus + w.kind_bonus - unused, {"time": w.time_bonus})

    def _periods_of_one(
        self, question: str, mention: Mention, mentions: Sequence[Mention], side: Side, masked: Sequence[Span]
    ) -> Iterator[RankedQuery]:
        w, clocks, entity = self._weights, self._space.relation_times, mention.candidates[0].entity
        unused = w.unused_cost * (len(mentions) - 1)
        hidden = [*masked, *((m.start, m.end) for m in mentions if m is not mention)]
        reading = read(question, mention.start, mention.end, hidden)
        if reading.left or reading.right:
            for hop, score in self._relations(question, mention, hidden):
                told = TimeAnswer(TimeLocation(0, 0, clocks[hop.relation]), _side(side, clocks[hop.relation]))
                query = Query((Chain(entity, (hop,)),), returns="period", time_answer=told)
                yield RankedQuery(query, score + w.constraint_bonus - unused, {"time": w.constraint_bonus})
        elif entity.label in self._label_times:
            told = TimeAnswer(TimeLocation(0, -1, self._label_times[entity.label], node=True))
            query = Query((Chain(entity, ()),), returns="period", time_answer=told)
            yield RankedQuery(query, w.time_bonus - w.hop_cost - unused, {"time": w.time_bonus})


def _compared(query: Query, place: TimeLocation, times: TimeExpressions, fact: ReferenceFact) -> Query:
    """The query with its place compared with a fact's time. Of those who held something before or after, the nearest
    is meant; of events, all."""
    assert times.clause is not None
    relation = times.clause.relation
    if relation == "during":
        return replace(query, time_filters=(TimeFilter(place, _relation(times, place.time), fact),))
    compared = replace(query, time_filters=(TimeFilter(place, relation, fact),))
    return compared if place.node else replace(compared, time_order=TimeOrder(place, last=relation == "before"))


def _relation(times: TimeExpressions, clock: TimeProperties) -> Literal["during", "starts", "ends"]:
    """ "Who became …" asks whose time starts in the period, where starts are known apart from ends."""
    side = _side(times.side, clock)
    return "starts" if side == "start" else "ends" if side == "end" else "during"


def _side(side: Side, clock: TimeProperties) -> Side:
    told = {"both": True, "start": clock.start is not None, "end": clock.end is not None}[side]
    return side if told and (clock.start != clock.end or clock.width) else "both"


def _of_life(name: str) -> bool:
    return bool(OF_LIFE & set(identifier_words(name)))


def _all_label_clocks(space: QuerySpace) -> dict[str, TimeProperties]:
    """The clocks of labels; where no property is named as a time, the only one whose values are days or years."""
    found = dict(space.label_times)
    for label in space.schema.labels:
        own = [p for p in space.schema.properties if p.label == label and is_time(p) and not _of_life(p.name)]
        if label not in found and len(own) == 1:
            found[label] = time_property(own[0])
    return found
