"""A question as an aggregation: which words say what, in the terms of one graph's schema.

Every reading tells the words that it makes nothing of: a question that is wholly explained is read well, whatever the
graph. There is no training and nothing about any graph in here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.schema import Schema
from clew.tools.linking.normalise import fold
from clew.tools.queries.aggregation.asking import find_group, find_limit, find_measure, find_order
from clew.tools.queries.aggregation.conditions import find_conditions
from clew.tools.queries.aggregation.draft import Draft
from clew.tools.queries.aggregation.question import Aggregation, PropertyRef
from clew.tools.queries.aggregation.values import PropertyValues
from clew.tools.queries.aggregation.vocabulary import SchemaTerm, Vocabulary, phrase_at, root, tokens, words
from clew.tools.queries.lexical import FUNCTION_WORDS


class AggregationReader:
    """Reads questions about one graph.

    `values` is called when a question has a text that may be a property's value, and not before: it may have to look
    through the graph. `names` gives by label the properties that name its nodes, where these are not called "name".
    """

    def __init__(
        self, schema: Schema, values: Callable[[], PropertyValues], names: Mapping[str, Sequence[str]]
    ) -> None:
        self._vocabulary = Vocabulary(schema)
        self._values = values
        self._names = names

    def read(self, question: str, mentions: Sequence[Mention]) -> Aggregation | None:
        """The reading of a question; None where nothing in it asks for a number, an order or a condition, or where what
        is asked for stays open."""
        draft = Draft(question, tokens(question), self._vocabulary)
        draft.taken = [False] * len(draft.tokens)
        if draft.text(0) in ("where", "when"):
            return None
        draft.entities = self._entities(draft, mentions)
        free = [True] * len(draft.tokens)
        for first, last, _ in draft.entities:
            free[first:last] = [False] * (last - first)
        draft.terms = self._vocabulary.terms(draft.tokens, free)
        label = next((term.labels[0] for term in draft.terms if term.labels), "")
        if draft.text(0) in ("who", "whom", "whose") and not any(s.labels and s.first <= 4 for s in draft.terms):
            return None  # Asked for is what no word of the question names.
        find_limit(draft)
        find_conditions(draft, self._values, self._names.get(label, ()))
        find_order(draft)
        measured = draft.order is None or draft.limit is None
        if measured:
            find_measure(draft)
        group = find_group(draft) if draft.measure is not None else None
        return self._assembled(draft, group)

    def _entities(self, draft: Draft, mentions: Sequence[Mention]) -> list[tuple[int, int, Entity]]:
        found = []
        for mention in mentions:
            inside = [i for i, t in enumerate(draft.tokens) if t.start < mention.end and t.end > mention.start]
            if not inside or not mention.candidates:
                continue
            exact = [c for c in mention.candidates if fold(c.matched) == fold(mention.text)]
            written = any(draft.tokens[i].quoted for i in inside) or not mention.text.isalpha()
            if not exact and (written or mention.text.islower() or self._values().find(mention.text)):
                continue  # Numbers, codes and quoted texts are meant as they are written.
            best = (exact or list(mention.candidates))[0]
            found.append((inside[0], inside[-1] + 1, best.entity))
        return found

    def _assembled(self, draft: Draft, group: str | PropertyRef | None) -> Aggregation | None:
        asked = group if isinstance(group, str) else self._asked(draft)
        shown, values_only = self._shown(draft, asked)
        of_all = draft.measure is not None and group is None and not self._per(draft, asked)
        if of_all and draft.order is not None:
            return None  # Neither one number nor an order of many: no reading that is sure.
        counted = {draft.measure.of} if draft.measure is not None and isinstance(draft.measure.of, str) else set()
        if of_all:
            asked = None
        elif asked is None and group is None:
            return None
        reading = Aggregation(
            asked=asked,
            measure=draft.measure,
            group=group if isinstance(group, PropertyRef) else None,
            order=draft.order,
            descending=draft.descending,
            limit=draft.limit,
            ties=draft.ties,
            conditions=tuple(draft.conditions),
            entity_filters=tuple(draft.entity_filters),
            absent=tuple(draft.absent),
            having=draft.having,
            shown=() if of_all else shown,
            values_only=values_only and not of_all,
            joined=frozenset(self._joined(draft) - counted - {asked}),
            relations=frozenset(kind for term in draft.terms for kind in term.relations),
            unexplained=self._unexplained(draft),
            guesses=draft.guesses,
        )
        return reading if reading.asks_more_than_names else None

    def _asked(self, draft: Draft) -> str | None:
        """The label whose nodes are listed: the first that is named for itself."""
        for term in draft.terms:
            if term.labels and draft.free(term.first, term.last):
                draft.take(term.first, term.last)
                return term.labels[0]
        return None

    def _per(self, draft: Draft, asked: str | None) -> bool:
        """Whether a number is asked for each of the listed nodes: "list the categories and the number of products"."""
        if draft.measure is None or asked is None or draft.measure.of == asked:
            return False
        first = next((s.first for s in draft.terms if asked in s.labels), len(draft.tokens))
        functions = (i for i in range(len(draft.tokens)) if phrase_at("functions", draft.tokens, i))
        return first < next(functions, 0)

    def _joined(self, draft: Draft) -> set[str]:
        """Labels that are named for what is related to the asked ones: "customers who have placed orders"."""
        found = set()
        for term in draft.terms:
            if term.labels and draft.free(term.first, term.last):
                draft.take(term.first, term.last)
                found.add(term.labels[0])
        return found

    def _shown(self, draft: Draft, asked: str | None) -> tuple[tuple[PropertyRef, ...], bool]:
        """Properties that are asked for; and whether one of them, before anything else, is the answer itself."""
        shown, first = [], None
        for term in draft.terms:
            if term.properties and draft.free(term.first, term.last):
                owned = draft.choose(term.properties, term.first)
                if owned is not None and (term.exact or owned.owner == asked):
                    shown.append(owned)
                    first = term if first is None else first
                    draft.take(term.first, term.last)
        named = any(token.text in ("name", "names") for token in draft.tokens)
        return tuple(shown), first is not None and not named and self._leads(draft, first, asked)

    def _leads(self, draft: Draft, term: SchemaTerm, asked: str | None) -> bool:
        """ "What are the phone numbers of …", where the label follows the property."""
        label = next((s.first for s in draft.terms if asked in s.labels), -1)
        return term.first < label

    def _unexplained(self, draft: Draft) -> tuple[str, ...]:
        light, relations = words("other", "light") | words("other", "asking"), set[str]()
        for term in draft.terms:
            if term.relations:
                relations |= {draft.tokens[i].text for i in range(term.first, term.last)}
        roots = {root(word) for kind in draft.vocabulary.schema.relations for word in kind.type.lower().split("_")}
        return tuple(
            token.text
            for token, taken in zip(draft.tokens, draft.taken, strict=True)
            if not taken
            and (token.quoted or token.text not in FUNCTION_WORDS | light | relations)
            and (token.quoted or root(token.text) not in roots)
        )
