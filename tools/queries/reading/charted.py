"""A question whose parts are found and joined: the items of its chart, and the readings that they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from clew.tools.queries.lexical import Token, stem
from clew.tools.queries.reading.anchors.spans import claimed, explained, of_several_words, unknown_names, valued
from clew.tools.queries.reading.english.depth_words import words_of_depth
from clew.tools.queries.reading.english.expected import expects
from clew.tools.queries.reading.floating.floating import Floating
from clew.tools.queries.reading.floating.parts import Words
from clew.tools.queries.reading.floating.reachable import Reachable, reachable_from
from clew.tools.queries.reading.forms.dropped_values import said_values
from clew.tools.queries.reading.forms.form import sets
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Noun, Reading, is_name
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.measures.aims import MORE
from clew.tools.queries.reading.measures.measured import Measured
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.truths import subjects
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.reading.whole_readings import statement_readings, whole_reading

_MISSPELLED = 0.3
_ONE_KIND = 0.1
_FLOATS_FROM = 0.9
"""Cost of the best reading from which on word order is given up …"""
_MEASURED_FROM = 0.5
"""… and from which on the question may be one of facts and their measures."""


@dataclass(frozen=True, slots=True)
class Charted:
    """The items of a question."""

    text: str
    """Its sentence that asks."""
    anchors: list[AnyItem]
    """The words that name something …"""
    items: list[AnyItem]
    """… and all that they may be joined to."""
    grammar: Grammar
    misspelled: int
    """Words that were read as others."""
    until: float
    """When the time for reading is over (`time.monotonic`)."""

    def readings(self, *against: Feature) -> list[Reading]:
        """The items that are readings of the whole question.

        Args:
            against: What speaks against all of them.
        """
        return self._whole(((item, None) for item in self.items), against)

    def statements(self) -> list[Reading]:
        """The items that are readings of a whole statement."""
        said = self.grammar.tokens
        return [each for item in self.items for each in statement_readings(item, said, self.text, self.grammar)]

    def floated(self) -> list[Reading]:
        """The readings in which the order of the words does not count, where the others do not agree in full."""
        own = self.readings()
        own += self._whole(Reachable(self.anchors, self.grammar).items(), ())
        texts = {token.text for token in self.grammar.tokens}
        choice = expects(self.text) == "truth" and "or" in texts and not MORE.keys() & texts
        least = min((each.cost for each in own), default=_FLOATS_FROM)
        if choice or least < _MEASURED_FROM:
            return own  # "Is X a man or a woman?"
        own += self._whole(Measured(self.anchors, self.items, self.grammar, self.until).items(), ())
        if least < _FLOATS_FROM:
            return own
        return own + self._whole(Floating(self.items, self.grammar, self.until).items(), ())

    def _whole(self, items: Iterable[tuple[AnyItem, Words | None]], against: Sequence[Feature]) -> list[Reading]:
        misspelled: Sequence[Feature] = [("guess", _MISSPELLED * self.misspelled)] if self.misspelled else []
        begins = subjects(self.items, self.grammar.tokens) if self.grammar.asks_truth else ()
        found = (
            whole_reading(item, self.grammar.tokens, self.grammar, [*misspelled, *against], words, begins)
            for item, words in items
        )
        whole, narrow = [reading for reading in found if reading is not None], self._unsaid_kinds()
        return [_of_all_kinds(reading, narrow) for reading in whole] if narrow else whole

    def _unsaid_kinds(self) -> set[str]:
        """The labels below others that no word of the question names."""
        nouns = (item.meaning.nodes for item in self.anchors if isinstance(item.meaning, Noun))
        named = {nodes.label for nodes in nouns if nodes.bare or nodes.entities}
        return {label for labels in self.grammar.joins.wider.values() for label in labels} - named


def _of_all_kinds(reading: Reading, narrow: Set[str]) -> Reading:
    """At a cost for each set of one of several kinds, where no word says which of them (`narrow`)."""
    value = reading.form.value
    every = [
        *sets(reading.form.nodes),
        *(sets(value.link.other) if value is not None and value.link is not None else ()),
    ]
    unsaid = [("kind", _ONE_KIND)] * sum(each.label in narrow for each in every)
    return with_features(reading, *unsaid)


def tell_spans(grammar: Grammar, question: str, anchors: Sequence[AnyItem]) -> None:
    """Tell a grammar which words name things and values, so that they are no verbs."""
    said, words = grammar.tokens, grammar.words
    grammar.values = valued(anchors, said, words)
    claims = [each for each in anchors if not _is_verb_behind(each, anchors, said, words)]
    of_sides = frozenset[str]().union(*grammar.words.sides_told.values())  # "Received" says who, whatever else.
    grammar.claimed = [
        (claim or value) and stem(token.text) not in of_sides
        for claim, value, token in zip(claimed(claims, len(said)), grammar.values, said, strict=True)
    ]
    nouns = [i for i in anchors if isinstance(i.meaning, Noun)]
    grammar.things = claimed([i for i in nouns if i.meaning.role is None], len(said))
    grammar.antecedents = claimed([i for i in nouns if explained(said, i)], len(said))
    grammar.names, grammar.has_mark = claimed([i for i in anchors if is_name(i)], len(said)), "?" in question
    grammar.valued = of_several_words(anchors, len(said))
    depth = words_of_depth(said)
    depth = depth if depth and reachable_from(anchors, words.schema, grammar.joins.wider) else frozenset()
    grammar.said_values = said_values(anchors, [value and i not in depth for i, value in enumerate(grammar.values)])
    grammar.unknown = unknown_names(question, said, anchors, words)


def _is_verb_behind(item: AnyItem, anchors: Sequence[AnyItem], said: Sequence[Token], words: SchemaWords) -> bool:
    """Whether another word for a kind of thing is the verb of a relation, as it stands behind a noun: "the lines
    *stop* at", for STOPS_AT and a Station."""
    one = item.last == item.first + 1 and isinstance(item.meaning, Noun) and item.cost > 0 and not item.meaning.named
    behind = any(each.last == item.first and isinstance(each.meaning, Noun) and not each.cost for each in anchors)
    return one and behind and root(said[item.first].text) in words.verbs
