"""The anchors of a question: its words that name something, as the first items of the chart.

Anchors may overlap: "highest point" is the end of a relation, and an adjective before a label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.identifiers import spoken
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.form import Function, Link, Nodes, Order
from clew.tools.queries.reading.form import Value as ValueOf
from clew.tools.queries.reading.inflection import is_plural
from clew.tools.queries.reading.items import (
    AnyItem,
    Comparator,
    ConditionNoun,
    Item,
    Meaning,
    Noun,
    Number,
    Operator,
    PropertyChoice,
    PropertyNoun,
    Superlative,
)
from clew.tools.queries.reading.literals import Values, literals
from clew.tools.queries.reading.scoring import cost
from clew.tools.queries.reading.vocabulary import Role, SchemaWords
from clew.tools.queries.reading.words import FREE, adjectives, aliases, light, meaning_of, number, phrase, quantities
from clew.tools.queries.space.query import Comparison

_ORDINALS = {word: i for i, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), 0)}
_ORDINALS |= {"2nd": 1, "3rd": 2, "4th": 3, "5th": 4}
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
"""Ordinals that state a number: "on the fourth floor"."""
_LONGEST_PHRASE = 5
_PARTIAL = 0.15
_SURE = 0.99
"""Link score of a name that is spelled as in the graph."""


@dataclass(frozen=True, slots=True)
class GraphNames:
    """What a graph's nodes are called, and the texts that they hold."""

    named: Callable[[str], list[Entity]]
    """All entities of a name."""
    values: Values = lambda text: {}
    """(label, property) → the values that are a text but for case."""
    partly: Callable[[str], list[Entity]] = lambda word: []
    """All entities with a word in their name."""
    naming: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By label the properties that name its nodes, where these are not called "name"."""


@dataclass(slots=True)
class Anchors:
    """Collects the anchors of one question."""

    question: str
    tokens: Sequence[Token]
    words: SchemaWords
    names: GraphNames
    statement: bool = False
    items: list[AnyItem] = field(default_factory=list)

    def find(self, mentions: Sequence[Mention], alternatives: Iterable[Mention]) -> list[AnyItem]:
        for mention in mentions:
            self._mention(mention, 0.0)
        sure = [m for m in mentions if m.candidates and m.candidates[0].score > _SURE]
        for mention in alternatives:
            if mention.text.lower() not in FREE and not any(self._hides(each, mention) for each in sure):
                self._mention(mention, 0.12)
        self._known_names()
        for length in range(1, max(self.words.longest, _LONGEST_PHRASE) + 1):
            for first in range(len(self.tokens) - length + 1):
                self._phrase(first, first + length)
        self._wild()
        self._partial_names()
        if self.statement:
            self._somebody()
            for i, token in enumerate(self.tokens):
                if token.text in _PLACES and i and self.tokens[i - 1].text == "the":
                    self._add(i, i + 1, Number(_PLACES.index(token.text) + 1), ("guess", 0.5))
        self.items += literals(self.question, self.tokens, self.names.values)
        return self.items

    def _add(self, first: int, last: int, meaning: Meaning, *features: tuple[str, float]) -> None:
        self.items.append(Item(first, last, meaning, cost(features), features))

    # ---- names ------------------------------------------------------------------------------------------------------

    def _mention(self, mention: Mention, lost: float) -> None:
        span = self._span(mention.start, mention.end)
        if span is None:
            return
        by_label: dict[str, tuple[float, list[Entity]]] = {}
        for candidate in mention.candidates:
            same = self.names.named(candidate.matched) if candidate.score > 0.99 else [candidate.entity]
            for entity in same or [candidate.entity]:
                score, found = by_label.setdefault(entity.label, (candidate.score, []))
                if entity not in found and (score <= candidate.score + 1e-6):
                    found.append(entity)
        for label, (score, found) in by_label.items():
            self._add(*span, Noun(Nodes(label, tuple(found)), named=True), ("link", lost + 1 - score))

    def _hides(self, sure: Mention, other: Mention) -> bool:
        """Whether a name rules out another reading of its words. It does not if the rest of it is a kind of thing:
        "Mississippi" may be a name in "Mississippi River"."""
        if other.start >= sure.end or other.end <= sure.start:
            return False
        rest = (self.question[sure.start : other.start] + " " + self.question[other.end : sure.end]).lower().split()
        return " ".join(rest) not in self.words.labels

    def _known_names(self) -> None:
        """Names that everybody knows by several forms: "the united states" where the graph has "usa"."""
        for first in range(len(self.tokens)):
            for last in range(first + 1, min(first + 5, len(self.tokens)) + 1):
                text = phrase(self.tokens, first, last)
                if any(i.first == first and i.last == last for i in self.items):
                    continue
                for form in aliases().get(text, ()):
                    for entity in self.names.named(form):
                        noun = Noun(Nodes(entity.label, (entity,)), named=True)
                        self._add(first, last, noun, ("link", 0.1 if len(text) > 2 else 0.2))

    def _partial_names(self) -> None:
        """Surnames and the like: words that nothing else explains."""
        taken = {i for item in self.items for i in range(item.first, item.last)}
        for i, token in enumerate(self.tokens):
            if i in taken or token.text in FREE or token.text in light() or number(token.text) is not None:
                continue
            by_label: dict[str, list[Entity]] = {}
            for entity in self.names.partly(token.text):
                by_label.setdefault(entity.label, []).append(entity)
            for label, found in by_label.items():
                if not self.statement or (label in self.words.persons and self._may_name(token)):
                    self._add(i, i + 1, Noun(Nodes(label, tuple(found)), named=True), ("link", _PARTIAL))

    def _is_verb(self, first: int, plural: bool) -> bool:
        """Whether a word of a statement that could name a role stands where a verb stands: "Anna *mentors* Ben"."""
        before = self.tokens[first - 1].text if first else ""
        named = any(i.last == first and isinstance(i.meaning, Noun) and i.meaning.named for i in self.items)
        return self.statement and (named or before in ("to", "not")) and not plural

    def _may_name(self, token: Token) -> bool:
        """Whether a word has a capital, if the text has any behind its first word."""
        return self.question[token.start].isupper() or not any(map(str.isupper, self.question[1:]))

    def _somebody(self) -> None:
        """ "somebody" in a statement: any node that is a person."""
        for i, token in enumerate(self.tokens):
            if token.text in ("someone", "somebody"):
                for label in sorted(self.words.persons):
                    self._add(i, i + 1, Noun(Nodes(label)), ("label", 0.1))

    def _span(self, start: int, end: int) -> tuple[int, int] | None:
        inside = [i for i, token in enumerate(self.tokens) if token.start < end and token.end > start]
        return (inside[0], inside[-1] + 1) if inside else None

    # ---- words of the schema and of English -------------------------------------------------------------------------

    def _phrase(self, first: int, last: int) -> None:
        text = phrase(self.tokens, first, last)
        if last == first + 1 and self.tokens[first].quoted:
            text = spoken(text)
        asked = self._asked(first)
        plural = is_plural(self.tokens[last - 1].text)
        for label, own in self.words.labels.get(text, ()):
            self._add(first, last, Noun(Nodes(label), plural, asked), ("label", own))
        for role in () if self._is_verb(first, plural) else self.words.roles.get(text, ()):
            link = Link((role.step.back(role.source),), Nodes(role.source))
            noun = Noun(Nodes(role.step.target, links=(link,)), plural, asked, role=link.path)
            self._add(first, last, noun, ("role", role.cost))
            if role.adjective and not plural:
                self._extreme(first, last, noun, role)
        if text in quantities():
            choices = [c for name in quantities()[text] for c in self.words.named(name)]
            if choices:
                self._add(first, last, PropertyNoun(tuple(choices), quantity=True))
        following = self.tokens[last].text if last < len(self.tokens) else ""
        counting = text in ("number", "count") and following == "of"
        if text not in FREE and not counting and (properties := self.words.property(text)):
            self._add(first, last, PropertyNoun(tuple(properties)))
            booleans = tuple(c for c in properties if c.kind == "boolean")
            if booleans:
                self._add(first, last, ConditionNoun(booleans, values=(True,)))
        self._adjective(first, last, text)
        if (function := meaning_of("functions", text)) is not None:
            self._add(first, last, Operator(cast(Function, function)))
        if (comparison := meaning_of("comparisons", text)) is not None:
            self._add(first, last, Comparator(cast(Comparison, comparison)))
        if text in ("more", "fewer", "less") and following != "than":
            self._add(first, last, Superlative((), True, text == "more"), ("guess", 0.5))
        degree = meaning_of("degree", text)
        if degree in ("most", "fewest"):
            self._add(first, last, Superlative((), True, degree == "most"))
        elif degree is not None:
            self._add(first, last, Superlative((), False, degree == "high"), ("guess", 0.5))

    def _extreme(self, first: int, last: int, noun: Noun, role: Role) -> None:
        """ "the highest point in the country": of many that are some state's highest point the highest."""
        own = [c for c in self.words.adjective(role.adjective) if c.label == noun.nodes.label and not c.of_relation]
        for choice in own[:1]:
            order = Order(ValueOf(choice.name, kind=choice.kind), choice.descending)
            ordered = replace(noun, nodes=replace(noun.nodes, order=order))
            self._add(first, last, ordered, ("role", role.cost), ("order", -0.2))

    def _adjective(self, first: int, last: int, text: str) -> None:
        bare = text.removeprefix("the ")
        if self.statement:
            self._more(first, last, text)
            if text in adjectives() and not (adjectives()[text].superlative or adjectives()[text].comparative):
                self._add(first, last, PropertyNoun(tuple(self.words.adjective(text))))  # "5 m tall"
        for lead, descending in (("most ", True), ("least ", False), ("how ", None), ("", None)):
            form = bare.removeprefix(lead)
            if not bare.startswith(lead) or form not in adjectives():
                continue
            entry, choices = adjectives()[form], tuple(self.words.adjective(form))
            if lead == "how ":
                self._add(first, last, PropertyNoun(choices, quantity=True), *(() if choices else (("guess", 2.0),)))
            elif lead:
                turned = tuple(c if descending else _turned(c) for c in choices)
                self._add(first, last, Superlative(turned, False, bool(descending)))
            elif entry.superlative:
                up = bool(entry.up)
                self._add(first, last, Superlative(choices, False, up))
                self._with_number(first, last, choices, up)
            elif entry.comparative:
                self._comparative(first, last, choices, bool(entry.up))
            return

    def _more(self, first: int, last: int, text: str) -> None:
        """ "more expensive than", in a statement."""
        lead, _, form = text.partition(" ")
        follows = last < len(self.tokens) and self.tokens[last].text == "than"
        if follows and lead in ("more", "less") and form in adjectives():
            choices = self.words.adjective(form)
            for descending in {c.descending for c in choices}:
                chosen = tuple(c for c in choices if c.descending == descending)
                self._add(first, last + 1, Comparator(">" if descending == (lead == "more") else "<", chosen))

    def _with_number(self, first: int, last: int, choices: tuple[PropertyChoice, ...], up: bool) -> None:
        """ "second largest", "3 largest"."""
        before = self.tokens[first - 1].text if first else ""
        if _ORDINALS.get(before):
            self._add(first - 1, last, Superlative(choices, False, up, skip=_ORDINALS[before]))
        elif (count := number(before)) is not None and 1 < count <= 100:
            self._add(first - 1, last, Superlative(choices, False, up, limit=int(count)))

    def _comparative(self, first: int, last: int, choices: tuple[PropertyChoice, ...], up: bool) -> None:
        self._add(first, last, Superlative(choices, False, up), ("guess", 1.5))
        if last < len(self.tokens) and self.tokens[last].text == "than":
            for descending in {c.descending for c in choices}:
                chosen = tuple(c for c in choices if c.descending == descending)
                self._add(first, last + 1, Comparator(">" if descending else "<", chosen))

    def _asked(self, first: int) -> bool:
        """Whether "which" or "what" asks for the noun that begins here."""
        i = first - 1
        while i >= 0 and self.tokens[i].text in ("the", "of", "all", "are", "those", "these", "kind", "kinds", "type"):
            if self.tokens[i].text == "are":
                return False
            i -= 1
        return i >= 0 and self.tokens[i].text in ("which", "what", "whose", "many")

    def _wild(self) -> None:
        for i, token in enumerate(self.tokens[:3]):
            if token.text in ("who", "whom", "whose"):
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=True, wild="who"), ("wild", 1.0))
            elif token.text == "where":
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=True, wild="where"), ("wild", 0.5))
            elif token.text == "what" and self._asks_subject(i + 1):
                self._add(i, i + 1, Noun(Nodes("*"), plural=True, asked=True, wild="what"), ("wild", 1.5))

    def _asks_subject(self, following: int) -> bool:
        """Whether "what" is a noun of its own: "what does X treat", "what treats X"."""
        text = self.tokens[following].text if following < len(self.tokens) else ""
        return text in ("do", "does", "did") or (
            text not in FREE and not any(item.first == following for item in self.items)
        )


def _turned(choice: PropertyChoice) -> PropertyChoice:
    return PropertyChoice(
        choice.label, choice.name, choice.cost, not choice.descending, choice.of_relation, choice.kind
    )
