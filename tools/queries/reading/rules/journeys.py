"""Where things come from and go: "flights to Brazil" by the route of a flight, its airport, that airport's city."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.lexical import stem
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Link, Nodes, Path
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Item, Noun
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.schema.ways import OTHER

_LEAST_AGREEMENT = 0.9
_MOTION = frozenset(map(stem, (
    "fly", "reach", "travel", "go", "get", "sail", "ship", "drive", "run", "head", "connect", "move", "lead", "bind",
    "bound", "direct", "directly", "nonstop", "non-stop",
)))  # fmt: skip
_ARTICLES = ("the", "a", "an")


def journey(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "flights to Lisbon", "pilots who flew to New York", "do you fly from Lisbon to Porto"."""
    a, b = left.meaning, right.meaning
    plain = [text for text in between.texts if text not in _ARTICLES]
    stated = between.negated or between.conjunction or grammar.statement
    if a.wild == "what" or b.wild or stated or plain[-1:] not in (["to"], ["from"]):
        return
    way, pair = plain[-1], Pair(left, between, right, grammar)
    ways, verb = grammar.joins.ways, [word for word in between.heavy if word != plain[-1]]
    moving = all(stem(word) in _MOTION for word in verb)
    if a.named:
        first = _said_before(left.first, OTHER[way], grammar)
        path = ways.between(a.nodes.label, way, b.nodes.label) if first is not None and not verb else ()
        if path:
            yield pair.item(_bound(a, path, b), ("placing hop", 1.0), first=first)
        return
    if a.wild == "where" and verb and moving and (path := ways.between(b.nodes.label, way, b.nodes.label)):
        yield pair.item(_bound(Noun(Nodes(b.nodes.label), True, True), path, b), ("placing hop", 1.0))
    further: list[Feature] = [("bare set", 1.0)] if b.nodes.bare else []
    if moving and not a.wild:
        paths = [ways.ways(a.nodes.label, b.nodes.label, way)]
        paths += [ways.between(a.nodes.label, way, b.nodes.label)] if verb else []
        for path in filter(None, paths):
            yield pair.item(_bound(a, path, b), ("placing hop", 1.0), *further)
    labels = grammar.words.persons if a.wild == "who" else () if a.wild else (a.nodes.label,)
    for label in labels if verb else ():
        for step in grammar.joins.from_label(label):
            best = grammar.joins.agreement(tuple(verb), step)
            path = ways.ways(step.target, b.nodes.label, way) if best > _LEAST_AGREEMENT else ()
            if path:
                subject = replace(a, nodes=Nodes(label), wild="") if a.wild else a
                told: list[Feature] = [("agreement", 1 - best), ("placing hop", 1.0), *further]
                yield pair.item(_bound(subject, (step, *path), b), *told)


def _bound(a: Noun, path: Path, b: Noun) -> Noun:
    return Noun(a.nodes.linked(Link(path, b.nodes)), a.plural, a.asked, a.named)


def _said_before(first: int, way: str, grammar: Grammar) -> int | None:
    """Where "fly from" begins, that stands before a name; None if it does not."""
    texts = [token.text for token in grammar.tokens[:first] if token.text not in _ARTICLES]
    place = first - (grammar.tokens[first - 1].text in _ARTICLES) - 1 if first else -1
    if texts[-1:] != [way] or place < 1 or stem(grammar.tokens[place - 1].text) not in _MOTION:
        return None
    return place - 1
