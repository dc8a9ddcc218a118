"""Events with two sides: "Hull at home to Leeds", "Hull v Leeds", and who beat, lost to or drew with whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.graph.schema import Relation
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Link, Nodes, Path, Step
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Item, Noun
from clew.tools.queries.reading.rules.agreement import comparing
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.schema.contests import Contest, outcome_of
from clew.tools.queries.reading.schema.event_roles import told_side
from clew.tools.queries.relation_names import first_side, meetings, side_names, side_words, types_of
from clew.tools.queries.sided import OPPOSITE

_AUXILIARIES = frozenset({"was", "were", "is", "are", "had", "have", "has"})
_INTRODUCING = frozenset(
    {"from", "between", "of", "for", "that", "which", "when", "where", "in", "on", "the", "is", "was"}
)
_BESIDE = frozenset({"to", "by", "against", "with", "ever", "off", "at"})
"""What stands beside a verb that says who won."""
_TO = frozenset({"to", "through to", "over to", "across to"})
_AGAINST = frozenset({"against", "v", "vs", "versus"})
_HOSTS = (("home",), ("host",))
"""What one side may be called where the other one is away."""


def of_sides(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """Events by their sides, and sides by what became of them."""
    if grammar.words.sides_told:
        yield from _meeting(left, between, right, grammar)
        yield from _these(left, between, right, grammar)
    if grammar.words.contests:
        yield from _outcomes(left, between, right, grammar)


def _meeting(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """The events that have two named things as their sides."""
    a, b = left.meaning.nodes, right.meaning.nodes
    if not (a.entities and b.entities) or a.links or b.links or left.meaning.members or right.meaning.members:
        return
    last, said = _said(between, right, grammar)
    for relation in grammar.words.schema.relations:
        types = types_of(relation.type)
        if len(types) != 2 or not relation.target == a.label == b.label:
            continue
        first = first_side(*types)
        second = next(each for each in types if each != first)
        for one, other in _ways(said, relation.type, first, second):
            yield grammar.item(left, right, _events(relation, (one, a), (other, b)), ("bare join", 1.0), last=last)
        if said in _TO and _is_from_to(first, second):
            yield from _from_to(Pair(left, between, right, grammar), relation, (first, second))


def _events(relation: Relation, *sides: tuple[str, Nodes]) -> Noun:
    """The events with some nodes as their sides, each by a relationship type."""
    links = tuple(Link((Step(way, True, relation.target),), nodes) for way, nodes in sides)
    return Noun(Nodes(relation.source, links=links), plural=True)


def _these(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "Letters" + "from A to B", "the match in which" + "A met B"."""
    a, b = left.meaning.nodes, right.meaning.nodes
    sides = [link for link in b.links if link.path[0].relation in grammar.words.sides_told and link.other.entities]
    if len(sides) > 1 and a.label == b.label and not a.entities and set(between.texts) <= _INTRODUCING:
        nodes = a
        for link in b.links:
            nodes = nodes.linked(link)
        yield grammar.item(left, right, replace(left.meaning, nodes=nodes))


def _from_to(pair: Pair, relation: Relation, types: tuple[str, str]) -> Iterator[AnyItem]:
    """ "From A to B", "A to B and back"."""
    tokens, right = pair.grammar.tokens, pair.right
    begins = int(pair.left.first > 0 and tokens[pair.left.first - 1].text == "from")
    back = next((len(words) for phrase in meetings()["return"] if (words := phrase.split())
                 and [token.text for token in tokens[right.last : right.last + len(words)]] == words), 0)  # fmt: skip
    ways = (relation.type, relation.type) if back else types
    events = _events(relation, (ways[0], pair.left.meaning.nodes), (ways[1], right.meaning.nodes))
    yield pair.item(events, ("bare join", 1.0), first=pair.left.first - begins, last=right.last + back)


def _is_from_to(first: str, second: str) -> bool:
    """Whether one side is where something comes from, and the other where it goes."""
    one, other = side_words(first, second)
    return "from" in one and "to" in other


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


def side_told(pair: Pair, path: Path, said: tuple[str, ...], *, does: bool) -> bool | None:
    """Whether a path leads to the side that a verb means (`event_roles.told_side`), and names no other one."""
    if not pair.grammar.words.sides_told or any(pair.grammar.names[pair.between.first : pair.between.last]):
        return None
    return told_side(path, said, does=does)


def of_side(told: bool | None) -> list[Feature]:
    """What a relation to one side costs that a verb tells, or tells against."""
    return [("bare join", 1.0)] if told else [("subject", 1.0)] if told is False else []


def _outcomes(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "teams that beat X", "who won the final", "when did X beat Y"."""
    a, b = left.meaning, right.meaning
    if b.wild or b.each:
        return
    pair = Pair(left, between, right, grammar)
    for i, (last, said) in enumerate(pair.verbs()):
        outcome = outcome_of(said)
        if outcome is None:
            continue
        others = [word for word in said if outcome_of([word]) is None and word not in _BESIDE]
        if comparing() & set(others):
            continue  # "Hull won more games than Leeds"
        subject = i == 0  # The left one does what the verb says.
        for contest in grammar.words.contests:
            first = outcome if subject else OPPOSITE[outcome]
            for nodes in _meant(a, b, contest, first, grammar, negated=between.negated):
                unsaid: list[Feature] = [("unexplained", float(len(others)))] if others else []
                yield pair.item(replace(a, nodes=nodes, wild=""), ("bare join", 1.0), *unsaid, last=last)


def _meant(a: Noun, b: Noun, contest: Contest, outcome: str, grammar: Grammar, *, negated: bool) -> Iterator[Nodes]:
    """The sets that are meant, where the first noun has an outcome."""
    if a.wild != "who" and (a.wild or a.nodes.label != contest.target):
        return
    side = Nodes(contest.target) if a.wild else a.nodes
    if b.nodes.label == contest.target and not side.entities:
        side = replace(side, without=(*side.without, b.nodes))  # Who wins a match does not beat itself.
    if b.nodes.label == contest.source:
        yield side.linked(replace(contest.played(b.nodes, outcome), negated=negated))
    elif b.nodes.label == contest.target:
        against = Nodes(contest.source, links=(contest.side(b.nodes),))
        yield side.linked(replace(contest.played(against, outcome), negated=negated))
        if not negated and a.nodes.entities and b.nodes.entities and not (grammar.asks_truth or grammar.statement):
            yield Nodes(contest.source, links=(contest.side(a.nodes, outcome), contest.side(b.nodes)))
