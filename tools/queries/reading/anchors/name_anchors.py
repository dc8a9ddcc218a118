"""The names in a question: linked entities, usual names, surnames."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.anchors.literals import Values
from clew.tools.queries.reading.english.inflection import is_plural, plural_of, singular
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.words import FREE, NEGATIVE, aliases, countries, kinds, light, phrase
from clew.tools.queries.reading.forms.form import Link, Nodes
from clew.tools.queries.reading.forms.items import AnyItem, Meaning, Noun
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_PARTIAL = 0.15
_UNLIKELY = 0.4
"""The same of a word in lower case where names have capitals."""
_THINGS = 0.6
"""What it costs that the name of a kind means its things."""
_LONGEST = 4
"""Words of a phrase around a name."""
_SURE = 0.99
"""Link score of a name that is spelled as in the graph."""
_NAMES = re.compile("name|alias|title|first|last|handle")
"""What is in the names of properties that hold a part of a name, or another one."""
_A_VALUE = 0.15
"""What it costs that a part of a name is the whole value of a property."""
_PER_WORD, _MOST_LEFT = 0.05, 0.3
"""What each word costs by which a name, of which only a part is said, is longer than another's; and all of them."""
_LEAST_NAMES, _MOST_NAMES, _IN_NAMES = 4, 0.4, 0.5
"""Names of a label, in number and as a share, with a word that then means its nodes, and what that costs."""
_LEAST_OF_ALIAS = 0.4
"""A link that costs more is worse than an adjective of a country."""
_ALTERNATIVE = 0.12
"""What it costs that a span is not the linker's first choice."""


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


@dataclass
class NameAnchors:
    """Collects the names of one question as items of the chart."""

    question: str
    tokens: Sequence[Token]
    words: SchemaWords
    names: GraphNames
    statement: bool = False
    items: list[AnyItem] = field(default_factory=list)

    def linked(self, mentions: Sequence[Mention], alternatives: Iterable[Mention]) -> None:
        """Linked entities, all nodes of each name."""
        for mention in mentions:
            self._mention(mention, 0.0)
        sure = [m for m in mentions if m.candidates and m.candidates[0].score > _SURE]
        for mention in alternatives:
            if mention.text.lower() not in FREE and not any(self._hides(each, mention) for each in sure):
                self._mention(mention, _ALTERNATIVE)

    def _add(self, first: int, last: int, meaning: Meaning, *features: tuple[str, float]) -> None:
        self.items.append(anchor(first, last, meaning, *features))

    def _mention(self, mention: Mention, lost: float) -> None:
        span = self._span(mention.start, mention.end)
        if span is None or (mention.candidates[0].score < _SURE and self._in_definition(*span)):
            return
        by_label: dict[str, tuple[float, list[Entity]]] = {}
        shortest = min(len(candidate.entity.name.split()) for candidate in mention.candidates)
        is_value = mention.candidates[0].score < _SURE and self._is_value(mention.text)
        for candidate in mention.candidates:
            # A mention with one candidate is settled, perhaps by the user.
            several = candidate.score > _SURE and len(mention.candidates) > 1
            same = self.names.named(candidate.matched) if several else []
            for entity in same or [candidate.entity]:
                score, found = by_label.setdefault(entity.label, (candidate.score, []))
                if entity not in found and (score <= candidate.score + 1e-6):
                    found.append(entity)
        beside = self._labels_beside(*span) & set(by_label)
        lost = 0.0 if beside else lost  # "mississippi river" is as likely the river as the point of that name.
        if not beside:
            self._partly_beside(*span)
        for label, (score, found) in by_label.items():
            if beside and label not in beside:
                continue
            more = max(len(entity.name.split()) for entity in found) - shortest if score < _SURE else 0
            own = lost + 1 - score + min(_MOST_LEFT, _PER_WORD * more) + _A_VALUE * is_value
            self._add(*span, Noun(Nodes(label, tuple(found)), named=True), ("link", own))

    def _is_value(self, text: str) -> bool:
        """Whether a text is the value of a property that is no part of a name: the "Africa" of a continent, rather than
        of South Africa."""
        found = self.names.values(text.lower())
        return any(
            name not in self.words.naming.get(label, ()) and not _NAMES.search(name.lower()) for label, name, _ in found
        )

    def _partly_beside(self, first: int, last: int) -> None:
        """ "the Hamlet course", where another thing is called "Hamlet": a course with that word in its name."""
        found = [set(self.names.partly(token.text)) for token in self.tokens[first:last]]
        for label in () if self.statement else self._labels_beside(first, last):
            entities = [entity for entity in set.intersection(*found) if entity.label == label]
            if entities:
                named = Nodes(label, tuple(sorted(entities, key=lambda entity: entity.name)))
                self._add(first, last, Noun(named, named=True), ("link", _PARTIAL))

    def _in_definition(self, first: int, last: int) -> bool:
        """Whether words that are not spelled like a name belong to a phrase that the graph's users define."""
        defined = self.words.defined
        return any(
            phrase(self.tokens, start, end) in defined
            for start in range(max(0, first - _LONGEST), first + 1)
            for end in range(last, min(last + _LONGEST, len(self.tokens)) + 1)
        )

    def _labels_beside(self, first: int, last: int) -> set[str]:
        """The kinds of thing that the word before or behind a name says it is: "the mississippi river"."""
        words = [self.tokens[i].text for i in (first - 1, last) if 0 <= i < len(self.tokens)]
        return {
            label for word in words if not is_plural(word) for label, own in self.words.labels.get(word, ()) if not own
        }

    def _hides(self, sure: Mention, other: Mention) -> bool:
        """Whether a name rules out another reading of its words. It does not if the rest of it is a kind of thing:
        "Mississippi" may be a name in "Mississippi River"."""
        if other.start >= sure.end or other.end <= sure.start:
            return False
        rest = (self.question[sure.start : other.start] + " " + self.question[other.end : sure.end]).lower().split()
        return " ".join(rest) not in self.words.labels

    def known_names(self) -> None:
        """Names that everybody knows by several forms: "the united states" where the graph has "usa"."""
        for first in range(len(self.tokens)):
            for last in range(first + 1, min(first + 5, len(self.tokens)) + 1):
                text = phrase(self.tokens, first, last)
                known = [i.cost for i in self.items if i.first == first and i.last == last]
                if known and (text not in countries() or min(known) < _LEAST_OF_ALIAS):
                    continue
                forms = (*aliases().get(text, ()), *([countries()[text]] if text in countries() else []))
                for form in (spelling for each in forms for spelling in _spellings(each)):
                    for entity in self.names.named(form):
                        noun = Noun(Nodes(entity.label, (entity,)), named=True)
                        self._add(first, last, noun, ("link", 0.1 if len(text) > 2 else 0.2))

    def partial_names(self) -> None:
        """Surnames and the like: words that nothing else explains."""
        taken = {i for item in self.items for i in range(item.first, item.last)}
        for i, token in enumerate(self.tokens):
            if i in taken or token.text in FREE | NEGATIVE or token.text in light() or number(token.text) is not None:
                continue
            if root(token.text) in self.words.verbs and not self.question[token.start].isupper():
                continue
            kinds_of_names = self._kinds_in_names(i, token)
            partial = _PARTIAL if self._may_name(token) else _UNLIKELY
            for label, found in self._partly(token.text).items():
                if label in kinds_of_names:
                    continue
                if not self.statement or (label in self.words.persons and self._may_name(token)):
                    link = partial + _A_VALUE * self._is_value(token.text)
                    self._add(i, i + 1, Noun(Nodes(label, tuple(found)), named=True), ("link", link))

    def _partly(self, word: str) -> dict[str, list[Entity]]:
        """The entities with a word in their name, by their labels."""
        found: dict[str, list[Entity]] = {}
        for entity in self.names.partly(word):
            found.setdefault(entity.label, []).append(entity)
        return found

    def _kinds_in_names(self, place: int, token: Token) -> set[str]:
        """ "Hospitals", where sites are called "… Hospital": those, or all of their label if most are called so. The
        labels of the latter."""
        one, behind = singular(token.text), self.tokens[place + 1].text if place + 1 < len(self.tokens) else ""
        if self.statement or self.question[token.start].isupper() or not token.text.isalpha():
            return set()
        if self.names.values(one) or behind in self.words.labels:
            return set()  # Robberies are crimes of that type; "chess clubs" are not chess.
        plural, every = is_plural(token.text), self.words.schema.labels
        kinds = {each: found for each, found in self._partly(one).items() if len(found) >= _LEAST_NAMES}
        most = {each for each, found in kinds.items() if len(found) >= _MOST_NAMES * every.get(each, 0)}
        for label, found in sorted(kinds.items()):
            if label in most or plural:
                nodes = Nodes(label, () if label in most else tuple(found))
                self._add(place, place + 1, Noun(nodes, plural), ("label", _IN_NAMES))
        return most

    def named_kinds(self) -> None:
        """ "musicals", where a Genre is called "Musical", and "beverage", where a Category is called "Beverages": the
        things of a kind that is a node."""
        for i, token in enumerate(self.tokens):
            if self.statement or token.text in self.words.labels or token.text in FREE:
                continue
            plural = is_plural(token.text)
            other = singular(token.text) if plural else plural_of(token.text)
            for entity in (each for form in _spellings(other) for each in self.names.named(form)):
                if not kinds() & set(identifier_words(entity.label)):
                    continue
                for of_kind in self._things_of(Nodes(entity.label, (entity,))):
                    self._add(i, i + 1, Noun(of_kind, plural), ("value", 0.3))
        for item in [] if self.statement else list(self.items):  # "who bought Beverages": the things, by the very name
            nodes = item.meaning.nodes if isinstance(item.meaning, Noun) else None
            if nodes is not None and len(nodes.entities) == 1 and kinds() & set(identifier_words(nodes.label)):
                for of_kind in self._things_of(nodes):
                    self._add(item.first, item.last, Noun(of_kind, True), *item.features, ("value", _THINGS))

    def _things_of(self, kind: Nodes) -> Iterator[Nodes]:
        """The things of a kind, and those whose kind is of that kind: pets by their breed, that by its species."""
        for source in self.words.schema.labels:
            for step in self.words.links(source, kind.label):
                nodes = Nodes(source, links=(Link((step,), kind),))
                yield nodes
                if kinds() & set(identifier_words(source)) and (source, step) in self.words.belonging(kind.label):
                    for thing, of in self.words.belonging(source):
                        yield Nodes(thing, links=(Link((of,), nodes),))

    def _may_name(self, token: Token) -> bool:
        """Whether a word has a capital, if the text has any behind its first word."""
        return self.question[token.start].isupper() or not any(map(str.isupper, self.question[1:]))

    def somebody(self) -> None:
        """ "somebody" in a statement: any node that is a person."""
        for i, token in enumerate(self.tokens):
            if token.text in ("someone", "somebody"):
                for label in sorted(self.words.persons):
                    self._add(i, i + 1, Noun(Nodes(label)), ("label", 0.1))

    def _span(self, start: int, end: int) -> tuple[int, int] | None:
        inside = [i for i, token in enumerate(self.tokens) if token.start < end and token.end > start]
        return (inside[0], inside[-1] + 1) if inside else None


def _spellings(name: str) -> tuple[str, ...]:
    """A name in lower case as a graph may write it."""
    words = [word if word in ("of", "the", "and") else word.capitalize() for word in name.split()]
    return tuple(dict.fromkeys((name, " ".join(words), name.upper())))
