"""The planner without a model. It plans a question from its parts: names, the label asked for, conditions, description.

Names and relations become a query of the query space, numbers and dates conditions on properties, and the remaining
words a search by meaning among the results of the query. The same parts without the query make a plan that searches all
nodes of the label, for questions whose names stand for nothing in the graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from clew.agents.planning.clauses import (
    INDEFINITE,
    REQUESTS,
    Description,
    NestedClause,
    asking_run,
    blanked,
    clauses,
    inner_of,
)
from clew.agents.planning.drafts import Draft, plan_steps, plan_words
from clew.agents.planning.question_parts import Parts
from clew.tools.graph.entity import Mention
from clew.tools.graph.identifiers import bare_words, identifier_words
from clew.tools.graph.schema import Schema
from clew.tools.queries.lexical import Span, Token, overlaps, stem
from clew.tools.queries.plans.plan import Narrowing, Plan
from clew.tools.queries.plans.properties import PropertyChooser
from clew.tools.queries.plans.value_constraints import find_value_constraints
from clew.tools.queries.ranking.similarity import SchemaPhrases
from clew.tools.queries.ranking.weights import WEIGHTS
from clew.tools.queries.space.moves import Moves
from clew.tools.queries.space.query import Hop, Query, RankedQuery
from clew.tools.text_search.source import is_text

MOST_QUERIES = 4
"""Most ranked queries that become plans."""
EXPLAINED = 0.6
"""Cosine from which on a word belongs to a hop of the query, and not to the description."""
OTHER_LABEL = 0.5
"""Penalty for queries whose answers are not of the label that the question names."""
ALONE = 0.6
"""How far the plan without names scores below the best one with names."""
HEAD_FIT = 0.4
"""Cosine from which on the noun of a question stands for a label."""

_ASKS_WHY = re.compile(r"\s*(?:why\b|how\s+(?:do|does|did|is|are|was|were|can|could|has|have|had)\b)", re.I)

Rank = Callable[[str], Sequence[RankedQuery]]
"""Ranks queries for a question with the same names in the same places."""


class PartsPlanner:
    """Drafts plans for one graph; thread-safe."""

    def __init__(self, schema: Schema, moves: Moves, phrases: SchemaPhrases) -> None:
        self._schema = schema
        self._moves = moves
        self._phrases = phrases
        self._properties = PropertyChooser(schema, moves, phrases)
        self.rich = any(
            each.type in ("STRING", "LIST<STRING>")
            and each.name not in ("name", "aliases")
            and is_text([str(value) for value in each.examples])
            for each in schema.properties
        )
        """Whether, by the schema's examples, nodes have texts besides their names."""

    def drafts(
        self, question: str, mentions: Sequence[Mention], rank: Rank, lost: Sequence[Mention] = ()
    ) -> list[Draft]:
        """Plans by falling score; the last is the one without names.

        Args:
            rank: Called once, with the question in which parts are blanked.
            lost: Readings of names that lost, which the ranker may still take up.
        """
        parts = Parts(question, mentions, lost, self._phrases)
        head, noun = self._head(parts)
        spans = clauses(question, noun.end if noun is not None else 0, parts.names)
        named = [span for span in spans if overlaps(*span, parts.names)]
        others = [span for span in spans if span not in named] if named and noun is not None else []
        asked = blanked(question, [*others, *self._measured(parts, head)])
        ranked = [(item, query) for item in rank(asked) if (query := _relational(item.query))]
        fitting = [each for each in ranked if head in (None, each[1].answer_label)]
        penalty = 0.0 if fitting else OTHER_LABEL
        found: dict[str, Draft] = {}
        for item, query in fitting or ranked:
            if len(found) < MOST_QUERIES and query.key() not in found:
                said = _Reading(query, query.answer_label, noun, spans)
                found[query.key()] = self._draft(parts, said, item.score - penalty)
        best = max((draft.score for draft in found.values()), default=0.0)
        alone = self._draft(parts, _Reading(None, head, noun, spans), best - ALONE)
        drafts = sorted(found.values(), key=lambda draft: -draft.score)
        return [*drafts, alone] if alone.plan.steps else drafts

    def description(self, question: str, mentions: Sequence[Mention]) -> Description:
        """What the question asks for, and the clauses that a plan searches texts for: those without names, if there are
        some behind the noun, else all, since the words that nothing explains are searched for then."""
        parts = Parts(question, mentions, (), self._phrases)
        _, noun = self._head(parts)
        spans = clauses(question, noun.end if noun is not None else 0, parts.names)
        free = [span for span in spans if not overlaps(*span, parts.names)] if noun is not None else []
        anything = noun is None and any(token.text in INDEFINITE for token in parts.tokens)
        return Description(noun, anything, tuple(free or spans))

    def unexplained(self, question: str, mentions: Sequence[Mention], query: Query) -> tuple[list[str], float]:
        """The question's content words that neither name something nor belong to the query, and their share (0 to 1).
        All are unexplained if the question asks why, or how something is done, which no query answers."""
        parts = Parts(question, mentions, (), self._phrases)
        if _ASKS_WHY.match(question):
            return [token.text for token in parts.content], 1.0
        named = [span for anchor in query.anchors if (span := parts.place(anchor.id))]
        free = [token for token in parts.content if not overlaps(token.start, token.end, named)]
        by = [query.order.by] if query.order is not None and isinstance(query.order.by, str) else []
        properties = [*by, query.property_name or "", *(each.property for each in query.filters)]
        said = {stem(word) for name in properties for word in identifier_words(name)}
        said |= {stem(word) for each in query.filters for word in str(each.value).lower().split()}
        unsaid = [token for token in free if stem(token.text) not in said]
        parts.compared = [token for token in unsaid if not _spelled(token.text, query)]
        left = [token.text for token in parts.compared if not self._explained(token, parts, query, query.answer_label)]
        return left, len(left) / len(parts.content) if parts.content else 0.0

    def nearness(self, texts: Sequence[str]) -> list[float]:
        """The cosine of each text with whatever of the schema is nearest to it."""
        near: list[float] = self._phrases.compare(texts).nearest.tolist()
        return near

    def _measured(self, parts: Parts, label: str | None) -> list[Span]:
        """The spans about properties of the label: the plan handles them, even if nothing meets them."""
        if label is None:
            return []
        wanted, order = find_value_constraints(parts.question, parts.names)
        spans = [each.span for each in wanted if self._properties.predicate(label, each) is not None]
        ordered = order is not None and self._properties.order(label, order) is not None
        return [*spans, *(order.spans if order is not None and ordered else ())]

    def _draft(self, parts: Parts, said: _Reading, score: float) -> Draft:
        query, label = said.query, said.label
        named = [span for anchor in query.anchors if (span := parts.place(anchor.id))] if query is not None else []
        wanted, order = find_value_constraints(parts.question, named)
        predicates = [(self._properties.predicate(label, each), each.span) for each in wanted] if label else []
        where = tuple(predicate for predicate, _ in predicates if predicate is not None)
        taken = [*named, *(span for predicate, span in predicates if predicate is not None)]
        by = self._properties.order(label, order) if order is not None and label else None
        if by is not None and order is not None:
            taken += order.spans
        inner, hop = self._inner(parts, said, taken)
        measured = [each.property for each in where] + ([by.by] if by is not None and isinstance(by.by, str) else [])
        spoken = {stem(word) for name in measured for word in identifier_words(name)}
        taken += [
            (token.start, token.end)
            for token in parts.content
            if {stem(word) for word in identifier_words(token.text)} <= spoken
        ]
        text = self._described(parts, said, named, [*taken, *([inner.span] if inner is not None else [])])
        narrowing = Narrowing(where, by)
        reached = (inner, hop) if inner is not None and hop is not None else None
        steps = plan_steps(query, label, text, narrowing, reached)
        relaxed = plan_steps(query, label, text, replace(narrowing, where=()), reached) if where else ()
        return Draft(
            Plan(steps, steps[-1].name if steps else ""),
            plan_words(query, label, text, narrowing, reached),
            score,
            label,
            query,
            text or (inner.text if inner is not None else ""),
            Plan(relaxed, relaxed[-1].name) if relaxed else None,
            order.top if by is not None and order is not None else None,
        )

    def _head(self, parts: Parts) -> tuple[str | None, Token | None]:
        """The label that the question asks for, and the word for it."""
        free = [token for token in parts.tokens if not overlaps(token.start, token.end, parts.names)]
        best: tuple[float, str | None, Token | None] = (HEAD_FIT, None, None)
        for token in asking_run(free):
            row = parts.labels(token.text)
            if row.size and float(row.max()) > best[0]:
                best = (float(row.max()), self._moves.labels[int(row.argmax())], token)
        return best[1], best[2]

    def _inner(self, parts: Parts, said: _Reading, taken: Sequence[Span]) -> tuple[NestedClause | None, Hop | None]:
        """The first clause that describes another thing, and the hop from there to the answer's label."""
        label = said.label
        if label is None:
            return None, None
        labelled = [(t, row) for t in parts.content if t != said.noun and (row := parts.labels(t.text)).size]
        nouns = [
            (t, self._moves.labels[int(row.argmax())]) for t, row in labelled if row.max() >= WEIGHTS.label_threshold
        ]
        for span in said.clauses:
            if overlaps(*span, taken):
                continue
            inner = inner_of(parts.question, span, nouns)
            if inner is not None and (hop := self._hop(inner, label)) is not None:
                return inner, hop
        return None, None

    def _hop(self, inner: NestedClause, label: str) -> Hop | None:
        """The hop from the described thing to the answer that is nearest to the words before it."""
        words_of_it = inner.relation or inner.label
        near = self._phrases.compare([words_of_it]).steps[0]
        place = self._moves.label_ids
        best: tuple[float, Hop | None] = (-1.0, None)
        for step, hop in enumerate(self._moves.hops):
            leads = {(r.source, r.target) if hop.forward else (r.target, r.source) for r in self._schema.relations
                     if r.type == hop.relation}  # fmt: skip
            if (label, inner.label) in leads and inner.label in place and float(near[step]) > best[0]:
                best = (float(near[step]), Hop(hop.relation, not hop.forward, label))
        return best[1]

    def _described(self, parts: Parts, said: _Reading, named: Sequence[Span], taken: Sequence[Span]) -> str:
        """The words of the clauses without names, joined by semicolons; if there are none, the words that nothing else
        explains."""
        free = [span for span in said.clauses if not overlaps(*span, named)] if said.noun is not None else []
        others = [token for token in parts.tokens if not overlaps(token.start, token.end, taken)]
        said_of_it = [
            [t for t in others if overlaps(t.start, t.end, [span]) and t.text not in REQUESTS] for span in free
        ]
        text = "; ".join(part for tokens in said_of_it if (part := _joined(tokens)))
        if text or (free and said.query is None):
            return text
        kept = [
            token
            for token in parts.tokens
            if not overlaps(token.start, token.end, taken)
            and token != said.noun
            and not (token.content and self._explained(token, parts, said.query, said.label))
        ]
        return _joined(kept)

    def _explained(self, token: Token, parts: Parts, query: Query | None, label: str | None) -> bool:
        word = token.text
        if _spelled(word, query):
            return True
        labels = [hop.target for chain in query.chains for hop in chain.hops] if query is not None else []
        labels += [anchor.label for anchor in query.anchors] if query is not None else []
        labels += [label] if label is not None else []
        near = parts.labels(word)
        if any(near[self._moves.label_ids[each]] >= WEIGHTS.label_threshold for each in labels):
            return True
        relations = {hop.relation for chain in query.chains for hop in chain.hops} if query is not None else ()
        steps = [i for i, each in enumerate(self._moves.hops) if each.relation in relations]
        return any(parts.steps(word)[step] >= EXPLAINED for step in steps)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One reading of a question."""

    query: Query | None
    label: str | None
    noun: Token | None
    """The word for the label."""
    clauses: Sequence[Span]


def _spelled(word: str, query: Query | None) -> bool:
    """Whether a word is no more than a request, or spells a relation of the query."""
    if word in REQUESTS or len(word) < 2:
        return True
    hops = (hop for chain in query.chains for hop in chain.hops) if query is not None else ()
    return any(stem(word) in {stem(part) for part in bare_words(hop.relation)} for hop in hops)


def _relational(query: Query) -> Query | None:
    """A query without its filters and order; None if it starts from no entity or does not return nodes."""
    if query.returns != "nodes" or not query.anchors or not query.length:
        return None
    return replace(query, filters=(), order=None)


def _joined(kept: Sequence[Token]) -> str:
    """The words in their order, without function words at the ends."""
    content = [i for i, token in enumerate(kept) if token.content]
    return " ".join(token.text for token in kept[content[0] : content[-1] + 1]) if content else ""
