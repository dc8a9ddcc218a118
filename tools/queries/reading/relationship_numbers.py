"""Numbers of relationships that a noun names: "reviews per year", "how many donations were there in 2019".

A question is read so only if all of its words are explained: the noun, what ends the relationships have, a time, a
property of theirs, and how their numbers are told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property, Relation
from clew.tools.queries.lexical import Token
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.charted import Charted
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import FREE
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Step, Value
from clew.tools.queries.reading.forms.functions import Function, PeriodUnit
from clew.tools.queries.reading.forms.items import ConditionNoun, Feature, Noun, Period, Reading, is_name
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.schema.property_names import property_kind, root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import holds_years, moment

_BEFORE = frozenset({
    "of", "many", "the", "all", "most", "fewest", "number", "each", "total", "our", "their", "his", "her", "any",
    "average", "mean",
})  # fmt: skip
"""What stands before a noun, rather than before a verb."""
_ENDINGS = ("", "e", "ment", "ion", "ation", "cation", "ship", "ance", "ence", "age", "al", "ing", "ure")
"""What makes a noun of a verb's stem."""
_OF_EACH, _ASKED = frozenset({"per", "each", "every"}), frozenset({"which", "what", "whose", "who"})
"""What stands before a kind for each of whose nodes a number is told, and before one that is asked for."""
_DOERS = ("er", "or", "ee", "ist")
_LEAST_STEM = 3
_COUNTED = frozenset({"how", "many", "number", "count", "total", "altogether", "overall", "in", "which", "what"})
_DONE = frozenset({
    "written", "write", "wrote", "made", "make", "given", "give", "gave", "get", "got", "receive", "received", "posted",
    "left", "placed", "were", "there", "did", "do", "does", "have", "has", "had", "happened", "recorded", "done",
    "by", "at", "across", "for", "to", "about", "from", "per", "each", "every", "saw", "with", "been",
})  # fmt: skip
_AVERAGES: dict[str, Function] = {"average": "avg", "mean": "avg", "total": "sum", "highest": "max", "lowest": "min"}
_SINCE: dict[str, Comparison] = {
    "since": ">=", "from": ">=", "after": ">", "before": "<", "until": "<=", "in": "=", "during": "=",
}  # fmt: skip
Best = Literal["", "highest", "lowest"]
_BY = frozenset({"by", "from", "did", "does", "has", "have"})
"""What stands before the one from whom a relationship goes, where both ends are of one kind."""
_MOST: dict[str, Best] = {"most": "highest", "busiest": "highest", "fewest": "lowest"}
_COST: tuple[Feature, ...] = (("guess", 0.3),)


def relationship_numbers(chart: Charted, words: SchemaWords) -> Iterator[Reading]:
    """The readings of a question as one about the numbers of relationships.

    Args:
        chart: The question, with what its words name.
        words: The words of the schema.
    """
    said = chart.grammar.tokens
    for place in range(len(said)):
        for relation in _named(said, place, words):
            question = _Question(chart, relation, words)
            form = question.form(place)
            if form is not None:
                yield Reading(form, cost(_COST), _COST, ())


def _named(said: Sequence[Token], place: int, words: SchemaWords) -> list[Relation]:
    """The relationship types that a noun names, if they have properties and one pair of ends."""
    token = said[place]
    before = said[place - 1].text if place else "the"
    owners = {label for label, _ in words.labels.get(before, ())}  # "Game reviews"
    if token.quoted or token.text in words.labels or token.text in FREE or not (before in _BEFORE or owners):
        return []
    found = [each for each in _relations(words) if _is_noun_of(token.text, relation_words(each.type)[0])]
    return [each for each in found if not owners or owners & {each.source, each.target}]


@lru_cache(16)
def _relations(words: SchemaWords) -> tuple[Relation, ...]:
    """The relationship types that have properties and one pair of ends."""
    pairs = Counter(each.type for each in words.schema.relations)
    with_properties = {each.label for each in words.choices if each.of_relation}
    return tuple(r for r in words.schema.relations if r.type in with_properties and pairs[r.type] == 1)


def _properties(relation: str, words: SchemaWords) -> list[Property]:
    """The properties of the relationships of a type."""
    own = (words.choice(c.label, c.name) for c in words.choices if c.of_relation and c.label == relation)
    return [each for each in own if each is not None]


def _is_time(owned: Property) -> bool:
    return property_kind(owned) == "date" or holds_years(owned)


def _is_noun_of(noun: str, verb: str) -> bool:
    """Whether a noun is what a verb does: "enrolments" of "enrolled", but not "followers", who do it."""
    one = singular(noun)
    if one.endswith(_DOERS) and not verb.startswith(one):
        return False
    stems = {root(verb), *(verb.removesuffix(ending) for ending in ("ed", "d", "s"))}
    stems |= {each[:-1] for each in stems if each[-2:-1] == each[-1:]}  # "enroll"
    long = [each for each in stems if len(each) >= _LEAST_STEM]
    return root(noun) == root(verb) or any(one.removeprefix(each) in _ENDINGS for each in long if one.startswith(each))


@dataclass(slots=True)
class _Question:
    """What the words of one question say of the relationships of one type."""

    chart: Charted
    relation: Relation
    words: SchemaWords
    explained: set[int] = field(default_factory=set)
    group: str = ""
    """The label for each of whose nodes numbers are told."""

    @property
    def said(self) -> Sequence[Token]:
        return self.chart.grammar.tokens

    def form(self, place: int) -> Form | None:
        """What is asked, where the noun is at a place; None if some word says something else."""
        verb = relation_words(self.relation.type)[0]
        self.explained.update(i for i, token in enumerate(self.said) if i == place or _is_noun_of(token.text, verb))
        heads, tails = self._ends()
        dates = [each for each in _properties(self.relation.type, self.words) if _is_time(each)]
        when = self._times(dates[0]) if dates else []
        unit, best = self._period()
        function, name = self._measured(place)
        when += self._values()
        texts = {token.text for token in self.said}
        rest = {token.text for i, token in enumerate(self.said) if i not in self.explained}
        asks = unit or name or self.group or {"many", "number", "count"} & texts
        if not asks or (unit and (self.group or not dates)) or not rest <= FREE | _COUNTED | _DONE:
            return None
        step = Step(self.relation.type, True, self.relation.target)
        link = Link((step,), Nodes(self.relation.target, tuple(tails)), conditions=tuple(when))
        nodes = Nodes(self.relation.source, tuple(heads))
        if self.group == self.relation.target:
            link, nodes = replace(link, path=(step.back(self.relation.source),), other=nodes), link.other
        if self.group:
            return Form("groups", nodes, Value(name or None, function, link, self.relation.type))
        value = Value(name or None, None if name else "count", link, self.relation.type)
        if not unit:
            return Form("number", nodes, value, function if name else "sum")
        date, limit = dates[0].name, 1 if best else None
        return Form("groups", nodes, value, function, date, (), limit, period=unit, best=best, group_edge=True)

    def _ends(self) -> tuple[list[Entity], list[Entity]]:
        """The named nodes at which the relationships begin, and those at which they end."""
        heads: list[Entity] = []
        tails: list[Entity] = []
        for item in self.chart.anchors:
            noun = item.meaning
            if not isinstance(noun, Noun) or not (is_name(item) or noun.nodes.bare):
                continue
            if noun.nodes.bare:
                before = self.said[item.first - 1].text if item.first else ""
                if noun.nodes.label in (self.relation.source, self.relation.target) and not noun.wild:
                    self._kind(noun, before, range(item.first, item.last))
                continue
            named = noun.nodes.entities
            before = self.said[item.first - 1].text if item.first else ""
            labels = {each.label for each in named}
            source, target = labels == {self.relation.source}, labels == {self.relation.target}
            if source and (not target or before in _BY):
                heads += named
            elif target:
                tails += named
            else:
                continue
            self.explained.update(range(item.first, item.last))
        return heads, tails

    def _kind(self, noun: Noun, before: str, places: range) -> None:
        """What is said of all nodes at an end: no more than that they are there, or that numbers are told for each."""
        each = before in _OF_EACH or (before == "by" and not noun.plural)
        if each:
            self.group = noun.nodes.label
        if each or before not in _ASKED:
            self.explained.update(places)

    def _times(self, date: Property) -> list[Predicate]:
        """The conditions on the date of the relationships: "since 2018", "between 2018 and 2020"."""
        found: list[Predicate | str] = []
        texts = [token.text for token in self.said]
        for i, text in enumerate(texts[1:], 1):
            if moment(text) is None or not text[:1].isdigit():
                continue
            ranged = texts[i - 1] in ("and", "to") and i > 2 and texts[i - 3] in ("between", "from")
            starts = texts[i - 1] in ("between", "from") and texts[i + 1 : i + 2] in (["and"], ["to"])
            comparison = "<=" if ranged else ">=" if starts else _SINCE.get(texts[i - 1])
            if comparison is not None:
                found.append(typed(Predicate(date.name, comparison, text), date))
                self.explained.update((i - 1, i))
        return [each for each in found if isinstance(each, Predicate)]

    def _period(self) -> tuple[PeriodUnit, Best]:
        """The periods for which numbers are told, and whether only the highest, or the lowest, is asked for."""
        unit: PeriodUnit = ""
        for item in self.chart.anchors:
            if isinstance(item.meaning, Period):
                unit = item.meaning.unit
                self.explained.update(range(item.first, item.last))
        best: Best = ""
        for i, token in enumerate(self.said if unit else ()):
            if token.text in _MOST:
                best = _MOST[token.text]
                self.explained.add(i)
        return unit, best

    def _values(self) -> list[Predicate]:
        """The conditions on other properties of the relationships: "of at least 4 stars"."""
        given = [item for item in self.chart.items if isinstance(item.meaning, ConditionNoun)]
        for item in sorted(given, key=lambda each: each.first - each.last):
            meaning = item.meaning
            places = set(range(item.first, item.last))
            if not isinstance(meaning, ConditionNoun) or len(meaning.values) != 1 or meaning.upper is not None:
                continue
            own = [c for c in meaning.choices if c.of_relation and c.label == self.relation.type]
            owned = self.words.choice(own[0].label, own[0].name) if own and not places & self.explained else None
            test = typed(Predicate(own[0].name, meaning.comparison, meaning.values[0]), owned) if owned else ""
            if isinstance(test, Predicate):
                self.explained |= places
                return [test]
        return []

    def _measured(self, place: int) -> tuple[Function, str]:
        """The function over a property of the relationships, and the property; else that they are counted."""
        numbers = [each for each in _properties(self.relation.type, self.words) if property_kind(each) == "number"]
        for i, token in enumerate(self.said):
            function = _AVERAGES.get(token.text)
            if function is None:
                continue
            for last in range(min(i + 4, len(self.said)), i + 1, -1):
                phrase = " ".join(each.text for each in self.said[i + 1 : last])
                own = [c for c in self.words.property(phrase) if c.of_relation and c.label == self.relation.type]
                if own and own[0].kind in ("number", "written number"):
                    self.explained.update(range(i, last))
                    return function, own[0].name
            amounts = [each for each in numbers if not _is_time(each)]
            if i + 1 == place and len(amounts) == 1:  # "The average donation"
                self.explained.add(i)
                return function, amounts[0].name
        return "count", ""
