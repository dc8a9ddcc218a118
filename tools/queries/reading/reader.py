"""Reads questions about one graph: from words to logical forms, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from time import monotonic
from types import MappingProxyType

from clew.tools.embedding import Embedder
from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.schema import Schema
from clew.tools.queries.lexical import Span, Token
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.anchors import Anchors
from clew.tools.queries.reading.anchors.antecedents import asked_words
from clew.tools.queries.reading.anchors.contact_clauses import with_pronouns
from clew.tools.queries.reading.anchors.definitions import Definition, defined_in, read_definitions
from clew.tools.queries.reading.anchors.given_sets import with_given
from clew.tools.queries.reading.anchors.left_out import telling_words
from clew.tools.queries.reading.anchors.misspelled import corrected
from clew.tools.queries.reading.anchors.name_anchors import GraphNames
from clew.tools.queries.reading.anchors.near_names import NearNames, called_alike, spans, texts, unread
from clew.tools.queries.reading.anchors.peers import peers
from clew.tools.queries.reading.anchors.relatives import relatives
from clew.tools.queries.reading.anchors.retold import retold
from clew.tools.queries.reading.anchors.spans import named_entities, undivided, windows
from clew.tools.queries.reading.anchors.still import still_there
from clew.tools.queries.reading.by_parts import with_parts
from clew.tools.queries.reading.charted import Charted, tell_spans
from clew.tools.queries.reading.choosing.chooser import likeliest_first, settled
from clew.tools.queries.reading.choosing.signs import QuestionFeatures, misfit
from clew.tools.queries.reading.english.depth_words import words_of_depth
from clew.tools.queries.reading.english.rewording import apart, in_order
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.floating.reachable import reachable_from
from clew.tools.queries.reading.forms.asked_kind import gives_rows
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import AnyItem, Reading
from clew.tools.queries.reading.forms.sides import outcomes
from clew.tools.queries.reading.forms.stand_ins import stands_in
from clew.tools.queries.reading.forms.wider_labels import (
    Place,
    alike_labels,
    wider_labels,
    with_wider_labels,
    with_wider_values,
)
from clew.tools.queries.reading.forms.wider_relations import with_wider_relations
from clew.tools.queries.reading.framed import classified, framed
from clew.tools.queries.reading.frames.weighing import weighed
from clew.tools.queries.reading.naming_nothing import naming_nothing
from clew.tools.queries.reading.presentation.said import presentation, without_presentation
from clew.tools.queries.reading.presentation.shown import as_shown
from clew.tools.queries.reading.relationship_numbers import relationship_numbers
from clew.tools.queries.reading.rules.composer import compose
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.asked_labels import asked_labels
from clew.tools.queries.reading.schema.joins import Joins
from clew.tools.queries.reading.schema.places import places
from clew.tools.queries.reading.schema.said_vectors import SaidVectors
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.reading.whole_readings import best_readings
from clew.tools.queries.space.entity_steps import Owned
from clew.tools.queries.values import MONTHS, moment

_KEPT, _QUESTIONS = 8, 64
"""Readings of a question, and questions with their features, that are kept."""
_SECONDS, _SURELY = 2.0, 20.0
"""Time for reading a question, and for reading a definition."""
Link = Callable[[str], Sequence[Mention]]
StepsOf = Callable[[Iterable[Entity]], Mapping[Entity, Owned]]
"""The relations that single nodes have."""
Given = Mapping[Span, Nodes]
"""Spans of a question that stand for sets."""
Named = tuple[Sequence[Mention], Iterable[Mention], Given]
"""Linked entities, other spans that may name one, and spans that stand for sets."""


class Reader:
    """Reads questions about one graph."""

    def __init__(
        self,
        schema: Schema,
        names: GraphNames,
        embedder: Embedder,
        glosses: Glosses,
        cache: Path | None = None,
        steps: StepsOf | None = None,
    ) -> None:
        own = wider_labels(schema)
        persons = lru_cache(1)(lambda: SchemaWords(with_wider_labels(schema, own), glosses, names.naming).persons)
        self.names, self.wider = names, own | alike_labels(schema, own, persons)
        self._steps = steps or (lambda entities: {})
        self._schema, self.embedder = with_wider_relations(with_wider_labels(schema, self.wider)), embedder
        self._glosses, self._cache = glosses, cache
        self._said = SaidVectors(embedder)
        self.definitions: tuple[Definition, ...] = ()
        self._features = lru_cache(_QUESTIONS)(lambda text: QuestionFeatures(text, self.words.persons, self.places))

    @cached_property
    def words(self) -> SchemaWords:
        return SchemaWords(self._schema, self._glosses, self.names.naming)

    def _values(self, text: str) -> dict[Place, list[str]]:
        """The values of properties."""
        return with_wider_values(self.names.values(text), self.wider) | outcomes(text, self._schema)

    @cached_property
    def joins(self) -> Joins:
        return Joins(self._schema, self._glosses, self.embedder, self._said, self.wider, self._cache)

    @cached_property
    def _near(self) -> NearNames:
        return NearNames(self.words, self.embedder, self._cache)

    @cached_property
    def places(self) -> frozenset[str]:
        """The labels of places."""
        return places(self._schema, self.joins)

    def knows(self, phrase: str) -> bool:
        """Whether a phrase is a word of the schema, a date, or the value of a property."""
        text = phrase.lower()
        words = self.words
        named = any(text in each for each in (words.labels, words.roles, words.defined)) or bool(words.property(text))
        return named or moment(phrase) is not None or text in MONTHS or bool(self._values(phrase))

    def define(self, texts: Mapping[str, str], link: Link) -> tuple[Definition, ...]:
        """Read the definitions of the graph's users, and use them from now on.

        Args:
            texts: Phrase → its meaning.
            link: The entities that a text names.
        """
        self.definitions = read_definitions(
            texts, self.words, lambda text: self.read(text, link(text), seconds=_SURELY)
        )
        return self.definitions

    def defined_in(self, text: str) -> list[Definition]:
        """The definitions whose phrases stand in a text, and those that they use."""
        return defined_in(text, self.definitions)

    def prepare(self) -> None:
        """Load what the first question would wait for."""
        self.names.values("")
        _ = self.words, self.joins, self._near

    def read(
        self,
        question: str,
        mentions: Sequence[Mention],
        alternatives: Iterable[Mention] = (),
        seconds: float = _SECONDS,
        *,
        statement: bool = False,
        given: Given = MappingProxyType({}),
    ) -> list[Reading]:
        """The readings of a question, or of a statement, best first; none where the time does not suffice.

        Args:
            question: The question.
            mentions: Its linked entities.
            alternatives: Other spans that may name an entity.
            seconds: The time that joining the anchors may take.
            statement: Whether it is a statement. Its forms ask for a truth, or for a number with what is claimed of it.
            given: Spans of the question that stand for sets of nodes, as a conversation says.
        """
        if statement:
            chart = self.chart(question, tokens(question), (mentions, alternatives, given), seconds, statement=True)
            return [] if chart is None else best_readings(chart.statements())[:_KEPT]
        shown, question = presentation(question), without_presentation(question)
        named = (mentions, tuple(alternatives), given)
        every = self.candidates(question, *named[:2], seconds, given=given)

        def read(part: str, mentions: Sequence[Mention], others: Sequence[Mention], sets: Given) -> list[Reading]:
            return self.candidates(part, mentions, others, seconds, given=sets)

        every = with_parts(every, question, named, read, self.words)
        found = likeliest_first(every, self._features(question), self.embedder)[:_KEPT]
        return found if shown is None else [as_shown(each, shown, self.words) for each in found]

    def misfit(self, question: str, reading: Reading) -> tuple[float, float]:
        """How far a reading says what its question does not, and the other way round (`choosing.signs.misfit`)."""
        return misfit(self._features(question), reading)

    def gives_rows(self, question: str, reading: Reading) -> bool:
        """Whether the answers of a reading are rows without names, which its question does not name in full."""
        said = self._features(question).tokens
        return gives_rows(reading.form, said, self.words.unsaid_rows(said))

    def may_be_asked(self, question: str, label: str) -> bool:
        """Whether nodes of a label may be what the first words of a question ask for: "who", "which actors"."""
        asked = asked_labels(tokens(question), self.words)
        return not asked or any(self.joins.alike(label, each) for each in asked)

    def candidates(
        self,
        question: str,
        mentions: Sequence[Mention],
        alternatives: Iterable[Mention] = (),
        seconds: float = _SECONDS,
        *,
        given: Given = MappingProxyType({}),
    ) -> list[Reading]:
        """The readings among which `read` chooses, cheapest first. Parts float where no reading agrees in full."""
        named = (mentions, alternatives, given)
        chart = self.charted(question, named, seconds)
        if chart is None:
            return []

        def reworded(words: Sequence[Token]) -> Charted | None:
            return self.chart(chart.text, words, named, seconds)

        relations = list(relationship_numbers(chart, self.words))
        own = chart.readings() + relations if relations else chart.floated()
        if relations or settled(own, chart.grammar.tokens):
            return best_readings(own)
        return best_readings(weighed(own, framed(chart, reworded, self.embedder)))

    def charted(self, question: str, named: Named, seconds: float) -> Charted | None:
        """All items of a question in the words in which it is read; the arguments and the rest as of `chart`."""
        text, asked, listed = asked_words(question, named[0], self.words)
        asked = with_pronouns(undivided(asked, named[0]), named[0], self.words, self.joins)
        said = telling_words(in_order(asked, self.words.is_property), text, self.words, self.names.values, named[0])
        chart = self.chart(text, retold(said, self.words), named, seconds)
        if chart is not None:
            chart.grammar.listed, every = listed, tokens(question)
            deep = words_of_depth(every) and reachable_from(chart.anchors, self._schema, self.wider)
            chart.grammar.deep = [token.text for token in every] if deep else ()
        return chart

    def chart(
        self, question: str, said: Sequence[Token], named: Named, seconds: float, *, statement: bool = False
    ) -> Charted | None:
        """All items of a question, or of a statement, in some words; None where there are none, or not enough time.

        Args:
            question: The question.
            said: The words.
            named: Its linked entities, other spans that may name one, and spans that stand for sets.
            seconds: The time that joining the parts may take.
            statement: Whether it is a statement.
        """
        if not said:
            return None
        given = named[2]
        for nodes in given.values():
            self.joins.know(nodes.label)
        anchors = with_given(self._anchors(question, said, named, statement), said, given)
        meant = said if statement else self._corrected(said, anchors)
        if misspelled := sum(one.text != other.text for one, other in zip(said, meant, strict=True)):
            said, anchors = meant, self._anchors(question, meant, named, statement)
            anchors = with_given(anchors, said, given)
        until = monotonic() + seconds  # The first question also reads the graph's values and vectors.
        grammar = Grammar(said, self.words, self.joins, self.places, statement)
        tell_spans(grammar, question, anchors)
        grammar.owned = self._steps(entity for entity in named_entities(anchors) if not stands_in(entity))
        chart = compose(anchors, grammar, until)
        return None if chart is None else Charted(question, anchors, list(chart), grammar, misspelled, until)

    def _anchors(self, question: str, said: Sequence[Token], named: Named, statement: bool = False) -> list[AnyItem]:
        """The anchors; those by meaning only in questions, since a statement must not be read as one that is near."""
        anchors = self._named(question, said, named, statement)
        beside = [] if statement else peers(said, self.words, self.joins)
        anchors += [*relatives(said, self.words, self.joins), *still_there(said, self.words), *beside]
        open_, also = ([], []) if statement else (spans(said, anchors, self.words.verbs), [classified(anchors, said)])
        called = {} if statement else called_alike(anchors)
        self._said.prepare([*windows(said, anchors), *texts(said, [*open_, *called])], also)
        return [*anchors, *self._near.found(said, open_, called, self._said)]

    def unmatched(self, question: str, mentions: Sequence[Mention]) -> list[Token]:
        """The words of a question that name nothing: no node, value, part of the schema, or general English word for a
        number, an order or a comparison. What a relation says, and nearness in meaning, is not looked at.

        Args:
            question: The question.
            mentions: Its linked entities.
        """
        said = apart(tokens(without_presentation(question)))
        anchors = self._named(question, said, (mentions, (), {}))
        meant = self._corrected(said, anchors)
        anchors = anchors if meant == said else self._named(question, meant, (mentions, (), {}))
        return naming_nothing(said, meant, anchors)

    def _named(self, question: str, said: Sequence[Token], named: Named, statement: bool = False) -> list[AnyItem]:
        names = replace(self.names, values=self._values)
        return Anchors(question, said, self.words, names, statement).find(named[0], named[1])

    def _corrected(self, said: Sequence[Token], anchors: Sequence[AnyItem]) -> list[Token]:
        return corrected(said, unread(said, anchors, self.words.verbs), self.words)


__all__ = ["Reader", "Reading"]
