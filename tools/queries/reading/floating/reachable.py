"""All that can be reached: what a relation leads to, taken any number of times, from the node that a question names.

"Everyone below Ann in the reporting line", "which products contain the cell, however far down". Such a question says
its relation in few words, or in none, so the relations that can be taken more than once are tried.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from clew.tools.graph.schema import Schema
from clew.tools.queries.lexical import stem
from clew.tools.queries.ranking.lexicon import is_symmetric
from clew.tools.queries.reading.english.depth_words import words_of_depth
from clew.tools.queries.reading.english.words import FREE, light
from clew.tools.queries.reading.floating.parts import Floated, Words
from clew.tools.queries.reading.forms.depth import way_up
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Step
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Item, Noun, Whole
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.forms.wider_labels import MOST_ENDS, Wider, either_of, narrowed
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.voice import source_is_subject
from clew.tools.queries.relation_names import relation_words, types_of

_FLOATS: Feature = ("floats", 0.5)
_UNSAID, _UNSAID_ALONE = 0.5, 0.2
"""Shares of what it costs that no word says the relation: among several relations, and of the only one."""
_NOISE = 3.0
"""How light a word is that says neither the relation nor what is asked for."""
_SAYS = 0.5
"""Agreement from which on a verb or a noun says the relation."""
_BEYOND: Feature = ("extra hop", 0.5)


@dataclass(frozen=True, slots=True)
class _Way:
    """A relation between nodes of the same kind, away from the node that is named."""

    step: Step
    """To what is reached."""
    ends: tuple[str, ...]
    """The labels of what is reached."""


class Reachable:
    """The readings of one question as one of all that can be reached.

    Args:
        anchors: The words that name something.
        grammar: The question.
    """

    def __init__(self, anchors: Sequence[AnyItem], grammar: Grammar) -> None:
        self._anchors, self._grammar = anchors, grammar
        self._texts = [token.text for token in grammar.tokens]
        self._depth = words_of_depth(grammar.tokens)

    def items(self) -> Iterator[Floated]:
        """What the question may ask for, with the words that are explained."""
        if not self._grammar.deep or self._grammar.asks_truth:
            return
        for start, ways in reachable_from(self._anchors, self._grammar.words.schema, self._grammar.joins.wider):
            alone = len({way.step.relation for way in ways}) == 1
            for way in ways:
                yield from self._readings(start, way, alone=alone)

    @cached_property
    def _nouns(self) -> list[Item[Noun]]:
        return [each for each in self._anchors if isinstance(each.meaning, Noun)]

    def _readings(self, start: Item[Noun], way: _Way, *, alone: bool) -> Iterator[Floated]:
        entity = start.meaning.nodes
        own = frozenset(range(start.first, start.last))
        agreed, saying = self._agreement(way.step, own)
        share = _UNSAID_ALONE if alone else _UNSAID
        features: list[Feature] = [*start.features, _FLOATS, ("agreement", share * (1 - agreed))]
        turned = self._direction(way.step, start)
        features.append(("rivals", 1.0) if turned is None else ("subject", float(not turned)))
        for nodes, words, more in self._asked(entity, way, own):
            known = own | words | saying | self._depth
            left = [i for i in range(len(self._texts)) if i not in known and self._is_noise(i)]
            noise: list[Feature] = [("light", _NOISE)] * len(left)
            every = (*features, *more, *noise)
            form = Form("nodes", nodes)
            yield Item(0, 1, Whole(form), cost(every), every), known | frozenset(left)

    def _asked(self, start: Nodes, way: _Way, own: Words) -> Iterator[tuple[Nodes, Words, Sequence[Feature]]]:
        """The sets that are asked for, with the words that say so."""
        back = Step(way.step.relation, way.step.either or not way.step.forward, start.label, way.step.either)
        reached = Link((back,), start, deep=True)
        whole = either_of(way.ends[:MOST_ENDS])
        yield self._without(Nodes(whole, links=(reached,)), start, either=back.either), frozenset(), ()
        for noun in self._nouns:
            nodes, words = noun.meaning.nodes, frozenset(range(noun.first, noun.last))
            if noun.meaning.named or noun.meaning.wild or noun.meaning.role is not None or words & (own | self._depth):
                continue
            if nodes.label in way.ends or set(self._grammar.joins.wider.get(nodes.label, ())) & set(way.ends):
                yield self._without(nodes.linked(reached), start, either=back.either), words, noun.features
            elif start.label in way.ends and not nodes.links:
                inside = Nodes(start.label, links=(reached,))
                for path in self._grammar.joins.paths(nodes.label, start.label):
                    if len(path) == 1:
                        any_of = Nodes(start.label, either=(start, inside))
                        yield nodes.linked(Link(path, any_of)), words, (*noun.features, _BEYOND)

    @staticmethod
    def _without(nodes: Nodes, start: Nodes, *, either: bool) -> Nodes:
        """A set without the node that it starts from, to which a relation that goes both ways leads back."""
        return replace(nodes, without=(start,)) if either and start.label in narrowed(nodes.label) else nodes

    def _agreement(self, step: Step, own: Words) -> tuple[float, Words]:
        """How well the best word says a relation, and the words that say it."""
        said = {i: self._says(i, step) for i in range(len(self._texts)) if i not in own}
        best = max(said.values(), default=0.0)
        return best, frozenset(i for i, much in said.items() if much >= _SAYS)

    def _says(self, place: int, step: Step) -> float:
        text = self._texts[place]
        roles = [role for role in self._grammar.words.roles.get(text, ()) if role.step.relation == step.relation]
        if roles:
            return 1 - min(1.0, min(role.cost for role in roles))
        return 0.0 if text in FREE else self._grammar.joins.agreements(text).get(step.relation, 0.0)

    def _is_noise(self, place: int) -> bool:
        """Whether a word may be said of any such relation: no name, number or kind of thing."""
        named = (self._grammar.names, self._grammar.things, self._grammar.values)
        claimed = any(marks[place] for marks in named if marks)
        text = self._texts[place]
        return not claimed and text not in FREE and text not in light() and not text[:1].isdecimal()

    # ---- direction --------------------------------------------------------------------------------------------------

    def _direction(self, step: Step, start: Item[Noun]) -> bool | None:
        """Whether the words say that this is the way; None where they do not tell."""
        if step.either:
            return True
        told = way_up(step.relation, self._grammar.deep, start.meaning.nodes.entities[0].name)
        if told is not None:
            return told == step.forward
        by_role = self._by_role(step)
        return self._by_verb(step, start) if by_role is None else by_role

    def _by_role(self, step: Step) -> bool | None:
        """By a noun for what is reached: "her pupils"."""
        found = [
            role.step.forward
            for i, text in enumerate(self._texts)
            if i not in self._depth
            for role in self._grammar.words.roles.get(text, ())
            if role.step.relation == step.relation and text not in self._grammar.words.labels
        ]
        return step.forward in found if len(set(found)) == 1 else None

    def _by_verb(self, step: Step, start: Item[Noun]) -> bool | None:
        """By whether the named node does what the verb of the relation says."""
        subject = source_is_subject(step)
        verb = stem(relation_words(step.relation)[0])
        place = next((i for i, text in enumerate(self._texts) if stem(text) == verb), None)
        if subject is None or place is None:
            return None
        passive = "by" in self._texts[place + 1 : place + 3]
        does = (start.last <= place) != passive
        return (does == subject) == step.forward


def reachable_from(anchors: Sequence[AnyItem], schema: Schema, wider: Wider) -> list[tuple[Item[Noun], list[_Way]]]:
    """The names from whose nodes a relation can be taken several times, with these ways."""
    nouns = [each for each in anchors if isinstance(each.meaning, Noun) and each.meaning.named]
    single = [each for each in nouns if each.meaning.nodes.entities and not each.meaning.nodes.links]
    found = ((each, list(_ways(each.meaning.nodes.entities[0].label, schema, wider))) for each in single)
    return [(each, ways) for each, ways in found if ways]


def _ways(label: str, schema: Schema, wider: Wider) -> Iterator[_Way]:
    """The relations that can be taken again behind themselves, from nodes of a label."""
    ends: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for each in schema.relations:
        if each.source not in wider and each.target not in wider:
            ends[each.type][0].add(each.source)
            ends[each.type][1].add(each.target)
    parts = {part for relation in ends for part in types_of(relation) if part != relation}
    for relation, (sources, targets) in sorted(ends.items()):
        if relation in parts:
            continue  # Forebears are those of fathers and mothers.
        either = sources == targets and is_symmetric(relation)
        for forward, here, there in ((True, sources, targets), (False, targets, sources)):
            if not sources.isdisjoint(targets) and label in here and (forward or not either):
                yield _Way(Step(relation, forward, label, either), tuple(sorted(there)))
