"""Events by their two sides: "Hull at home to Leeds", "Hull v Leeds", "flights between Hull and Leeds"."""

from __future__ import annotations

from collections.abc import Iterator

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Link, Nodes, Step
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.relation_names import first_side, meetings, side_names, types_of

_AUXILIARIES = frozenset({"was", "were", "is", "are", "had", "have", "has"})
_AGAINST = frozenset({"against", "v", "vs", "versus"})
_HOSTS = (("home",), ("host",))
"""What one side may be called where the other one is away."""


def meeting(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """The events that have two named things as their sides."""
    a, b = left.meaning.nodes, right.meaning.nodes
    if not (a.entities and b.entities) or a.links or b.links or left.meaning.members or right.meaning.members:
        return
    last, said = _said(between, right, grammar)
    for relation in grammar.words.schema.relations:
        types = types_of(relation.type)
        if len(types) == 1 or not relation.target == a.label == b.label:
            continue
        first = first_side(*types)
        second = next(each for each in types if each != first)
        for one, other in _ways(said, relation.type, first, second):
            sides = (Link((Step(one, True, relation.target),), a), Link((Step(other, True, relation.target),), b))
            events = Noun(Nodes(relation.source, links=sides), plural=True)
            yield grammar.item(left, right, events, ("bare join", 1.0), last=last)


def _said(between: Gap, right: Item[Noun], grammar: Grammar) -> tuple[int, str]:
    """What says how the two meet, and where it ends: "had X at home" is "at home to X"."""
    texts = [text for i, text in enumerate(between.texts) if i or text not in _AUXILIARIES]
    behind = [token.text for token in grammar.tokens[right.last : right.last + 2]]
    if not texts and between.texts and behind == ["at", "home"]:
        return right.last + 2, "at home to"
    return right.last, " ".join(texts)


def _ways(said: str, both: str, first: str, second: str) -> Iterator[tuple[str, str]]:
    """The relations to the left and to the right one, where the words between them say so."""
    told = meetings()
    if said in told["either"]:
        yield both, both
    texts, names = said.split(), side_names(first, second)
    for (name, *_), way in zip(names, ((first, second), (second, first)), strict=True):
        if name in texts and texts[-1] in _AGAINST and names[0] not in _HOSTS:
            yield way  # "as white against"
    if names[0] in _HOSTS:
        if said in told["home"]:
            yield first, second
        if said in told["away"]:
            yield second, first
