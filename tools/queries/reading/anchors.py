"""The anchors of a question: its words that name something, as the first items of the chart.

Anchors may overlap: "highest point" is the end of a relation, and an adjective before a label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.identifiers import spoken
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.form import Link, Nodes, Order
from clew.tools.queries.reading.form import Value as ValueOf
from clew.tools.queries.reading.items import (
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
from clew.tools.queries.reading.scoring import cost
from clew.tools.queries.reading.vocabulary import Role, SchemaWords, is_plural
from clew.tools.queries.reading.words import ASKING, FREE, adjectives, aliases, date_at, number, phrase, quantities
from clew.tools.queries.space.query import Comparison

_MOST = frozenset({"most", "highest number of", "largest number of", "greatest number of", "maximum number of",
                   "highest count of", "biggest number of"})  # fmt: skip
_FEWEST = frozenset({"fewest", "least", "lowest number of", "smallest number of", "minimum number of", "least number of",
                     "fewest number of"})  # fmt: skip
_HIGH = frozenset({"highest", "largest", "greatest", "biggest", "maximum", "max", "top", "most", "best"})
_LOW = frozenset({"lowest", "smallest", "least", "minimum", "min", "fewest", "worst"})
_ORDINALS = {word: i for i, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), 0)}
_ORDINALS |= {"2nd": 1, "3rd": 2, "4th": 3, "5th": 4}
_FUNCTIONS = {
    "how many": "count", "number of": "count", "the number of": "count", "count": "count", "count of": "count",
    "total number of": "count", "average": "avg", "mean": "avg", "avg": "avg", "on average": "avg",
    "average number of": "avg", "total": "sum", "sum of": "sum", "sum": "sum", "combined": "sum", "altogether": "sum",
    "in total": "sum", "overall": "sum", "maximum": "max", "minimum": "min", "each": "each", "per": "each",
    "for each": "each", "in each": "each", "of each": "each", "by each": "each", "every": "each", "for every": "each",
}  # fmt: skip
_COMPARISONS: dict[str, Comparison] = {
    "more than": ">", "greater than": ">", "over": ">", "above": ">", "exceeding": ">", "exceeds": ">", "exceed": ">",
    "after": ">", "later than": ">", "beyond": ">", ">": ">", "upwards of": ">", "bigger than": ">", "higher than": ">",
    "larger than": ">", "less than": "<", "fewer than": "<", "below": "<", "under": "<", "before": "<",
    "earlier than": "<", "prior to": "<", "<": "<", "lower than": "<", "smaller than": "<", "at least": ">=",
    "no less than": ">=", "no fewer than": ">=", "not less than": ">=", "a minimum of": ">=", "since": ">=", ">=": ">=",
    "at most": "<=", "no more than": "<=", "not more than": "<=", "up to": "<=", "until": "<=", "<=": "<=",
    "equal to": "=", "exactly": "=", "=": "=", "as": "=",
}  # fmt: skip
_TESTS: dict[str, Literal["STARTS WITH", "ENDS WITH", "CONTAINS"]] = {
    **dict.fromkeys(("starting with", "starts with", "start with", "beginning with", "begins with", "begin with",
                     "starting in"), "STARTS WITH"),
    **dict.fromkeys(("ending with", "ends with", "end with", "ending in", "ends in", "end in"), "ENDS WITH"),
    **dict.fromkeys(("containing", "contains", "contain", "including", "includes", "with the word"), "CONTAINS"),
}  # fmt: skip
_FIRST = frozenset({"top", "bottom", "first", "last", "any", "best"})
_LONGEST_VALUE = 5
_TYPO = 0.3


@dataclass(slots=True)
class Anchors:
    """Collects the anchors of one question."""

    question: str
    tokens: Sequence[Token]
    words: SchemaWords
    named: Callable[[str], list[Entity]]
    """All entities of a name."""
    values: Callable[[str], dict[tuple[str, str], list[str]]]
    """(label, property) → the values that are a text but for case."""
    items: list[Item] = field(default_factory=list)

    def find(self, mentions: Iterable[Mention], alternatives: Iterable[Mention]) -> list[Item]:
        for mention in mentions:
            self._mention(mention, 0.0)
        for mention in alternatives:
            self._mention(mention, 0.12)
        self._known_names()
        for length in range(1, max(self.words.longest, _LONGEST_VALUE) + 1):
            for first in range(len(self.tokens) - length + 1):
                self._phrase(first, first + length)
        self._wild()
        for first in range(len(self.tokens)):
            self._number(first)
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
            same = self.named(candidate.matched) if candidate.score > 0.99 else [candidate.entity]
            for entity in same or [candidate.entity]:
                score, found = by_label.setdefault(entity.label, (candidate.score, []))
                if entity not in found and (score <= candidate.score + 1e-6):
                    found.append(entity)
        for label, (score, found) in by_label.items():
            self._add(*span, Noun(Nodes(label, tuple(found)), named=True), ("link", lost + 1 - score))

    def _known_names(self) -> None:
        """Names that everybody knows by several forms: "the united states" where the graph has "usa"."""
        for first in range(len(self.tokens)):
            for last in range(first + 1, min(first + 5, len(self.tokens)) + 1):
                text = phrase(self.tokens, first, last)
                if any(i.first == first and i.last == last for i in self.items):
                    continue
                for form in aliases().get(text, ()):
                    for entity in self.named(form):
                        noun = Noun(Nodes(entity.label, (entity,)), named=True)
                        self._add(first, last, noun, ("link", 0.1 if len(text) > 2 else 0.2))

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
        for role in self.words.roles.get(text, ()):
            link = Link((role.step.back(role.source),), Nodes(role.source))
            noun = Noun(Nodes(role.step.target, links=(link,)), plural, asked, role=link.path)
            self._add(first, last, noun, ("role", role.cost))
            if role.adjective and not plural:
                self._extreme(first, last, noun, role)
        if text in quantities():
            choices = [c for name in quantities()[text] for c in self.words.named(name)]
            if choices:
                self._add(first, last, PropertyNoun(tuple(choices), quantity=True))
        if text not in FREE and (properties := self.words.property(text)):
            self._add(first, last, PropertyNoun(tuple(properties)))
            booleans = tuple(c for c in properties if c.kind == "boolean")
            if booleans:
                self._add(first, last, ConditionNoun(booleans, values=(True,)))
        self._adjective(first, last, text)
        if text in _FUNCTIONS:
            self._add(first, last, Operator(_FUNCTIONS[text]))  # type: ignore[arg-type]
        if text in _COMPARISONS:
            self._add(first, last, Comparator(_COMPARISONS[text]))
        if text in _MOST or text in _FEWEST:
            self._add(first, last, Superlative((), True, text in _MOST))
        elif text in _HIGH or text in _LOW:
            self._add(first, last, Superlative((), False, text in _HIGH), ("guess", 0.5))
        if last - first <= _LONGEST_VALUE:
            self._value(first, last)

    def _extreme(self, first: int, last: int, noun: Noun, role: Role) -> None:
        """ "the highest point in the country": of many that are some state's highest point the highest."""
        own = [c for c in self.words.adjective(role.adjective) if c.label == noun.nodes.label and not c.of_relation]
        for choice in own[:1]:
            order = Order(ValueOf(choice.name, kind=choice.kind), choice.descending)
            ordered = replace(noun, nodes=replace(noun.nodes, order=order))
            self._add(first, last, ordered, ("role", role.cost), ("order", -0.2))

    def _adjective(self, first: int, last: int, text: str) -> None:
        bare = text.removeprefix("the ")
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
                up = bool(entry.up) and not (entry.down and not entry.up)
                self._add(first, last, Superlative(choices, False, up))
                self._with_number(first, last, choices, up)
            elif entry.comparative:
                self._comparative(first, last, choices, bool(entry.up))
            else:
                self._named_by_adjective(first, last, form)
            return

    def _with_number(self, first: int, last: int, choices: tuple[PropertyChoice, ...], up: bool) -> None:
        """ "second largest", "3 largest"."""
        before = self.tokens[first - 1].text if first else ""
        if before in _ORDINALS and _ORDINALS[before]:
            self._add(first - 1, last, Superlative(choices, False, up, skip=_ORDINALS[before]))
        elif (count := number(before)) is not None and 1 < count <= 100:
            self._add(first - 1, last, Superlative(choices, False, up, limit=int(count)))

    def _comparative(self, first: int, last: int, choices: tuple[PropertyChoice, ...], up: bool) -> None:
        self._add(first, last, Superlative(choices, False, up), ("guess", 1.5))
        if last < len(self.tokens) and self.tokens[last].text == "than":
            for descending in {c.descending for c in choices}:
                chosen = tuple(c for c in choices if c.descending == descending)
                self._add(first, last + 1, Comparator(">" if descending else "<", chosen, False))

    def _named_by_adjective(self, first: int, last: int, form: str) -> None:
        """ "populated", "rated": also a superlative's property behind "most" elsewhere."""

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

    # ---- values and numbers -----------------------------------------------------------------------------------------

    def _value(self, first: int, last: int) -> None:
        tokens = self.tokens[first:last]
        if not tokens[0].quoted and (tokens[0].text in FREE | ASKING or number(tokens[0].text) is not None):
            return
        text = tokens[0].text if len(tokens) == 1 and tokens[0].quoted else self.question[tokens[0].start : tokens[-1].end]
        found = self.values(text)
        choices = tuple(PropertyChoice(label, name, 0.0, kind="text") for label, name in found)
        if choices:
            written = {c: found[c.label, c.name] for c in choices}
            values = tuple(dict.fromkeys(v for each in written.values() for v in each))
            self._add(first, last, ConditionNoun(choices, values=values), ("value", 0.3))

    def _quoted(self, first: int) -> None:
        """A quoted text as the value of whichever property is named, or as a part of it."""
        token = self.tokens[first]
        if token.quoted:
            self._add(first, first + 1, Number(token.text, text=True), ("value", 0.5))
        for length in (3, 2, 1):
            test = _TESTS.get(phrase(self.tokens, max(0, first - length), first))
            letter = len(token.text) == 1 and token.text not in FREE
            if test is not None and first >= length and (token.quoted or letter):
                self._add(first - length, first + 1, ConditionNoun((), values=(token.text,), test=test))

    def _number(self, first: int) -> None:
        token = self.tokens[first]
        self._quoted(first)
        if (dated := date_at(self.question, self.tokens, first)) is not None:
            year = token.text.isdecimal() and dated[1] == first + 1
            self._add(first, dated[1], Number(dated[0], True), ("guess", 0.3 if year else 0.0))
        start = first + 1 if token.text == "$" and first + 1 < len(self.tokens) else first
        value = number(self.tokens[start].text)
        if value is not None:
            whole = int(value) if value == int(value) else value
            self._add(first, start + 1, Number(whole))
            before = self.tokens[first - 1].text if first else ""
            if before in _FIRST and isinstance(whole, int) and 0 < whole <= 100:
                self._add(first - 1, start + 1, Operator("first", whole))
            elif before in ASKING | {"the", "list", "name", "show"} and isinstance(whole, int) and 1 < whole <= 100:
                self._add(first, start + 1, Operator("first", whole))


def _turned(choice: PropertyChoice) -> PropertyChoice:
    return PropertyChoice(
        choice.label, choice.name, choice.cost, not choice.descending, choice.of_relation, choice.kind
    )


def claimed(items: Iterable[Item], count: int) -> list[bool]:
    """Which tokens belong to some anchor that names a thing, so that a verb ends before them."""
    found = [False] * count
    for item in items:
        if isinstance(item.meaning, Noun) and not item.meaning.wild:
            found[item.first : item.last] = [True] * (item.last - item.first)
    return found


def windows(tokens: Sequence[Token], items: Iterable[Item]) -> Iterator[str]:
    """The runs of words that may say how two nouns are related, without the free words around them."""
    taken = [False] * len(tokens)
    leads = {tokens[i].text for i in range(len(tokens) - 1) if tokens[i].text in _KEPT and tokens[i + 1].text in ASKING}
    for item in items:
        if isinstance(item.meaning, Noun) and item.meaning.named:
            taken[item.first : item.last] = [True] * (item.last - item.first)
    for first in range(len(tokens)):
        for last in range(first + 1, min(first + 4, len(tokens)) + 1):
            if any(taken[first:last]):
                break
            kept = content(tokens[first:last])
            if kept:
                yield " ".join(kept)
                yield from (" ".join((*kept, lead)) for lead in leads if lead not in kept)


def content(tokens: Sequence[Token]) -> list[str]:
    """The words that say a relation: no question words, articles or auxiliaries, but prepositions behind a verb."""
    words = [token.text for token in tokens if token.text in _KEPT or token.text not in FREE]
    while words and words[0] in _KEPT and len(words) > 1:
        words = words[1:]
    return [] if all(word in _KEPT for word in words) else words


_KEPT = frozenset({"in", "by", "to", "for", "from", "on", "at", "with", "through", "under", "over", "of"})
