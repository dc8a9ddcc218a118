"""In which place somebody finished, where a property tells: "won", "winner", "came second", "in the top three"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.english.inflection import is_plural
from clew.tools.queries.reading.english.numbers import ORDINALS, number
from clew.tools.queries.reading.english.words import phrase
from clew.tools.queries.reading.forms.form import Link, Nodes, Step
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Item, Noun, PropertyChoice
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.space.query import Comparison

WINNERS = frozenset({"winner", "winners", "victor", "victors"})
_WINS = frozenset({"wins", "victory", "victories"})
WINNING = frozenset({"won", "win", "winning"}) | _WINS | WINNERS
_COMING = frozenset({"came", "come", "comes", "finished", "finish", "finishes"})
_PRIZES = frozenset({"much", "money", "points"})
"""What is won, too."""
_FINISHES = frozenset({"position", "pos", "place", "placing", "placement", "rank", "ranking", "standing"})
"""Words in the names of properties that say in which place one finished …"""
_STARTS = frozenset(
    {
        "grid",
        "start",
        "starting",
        "qualifying",
        "previous",
        "last",
        "shelf",
        "page",
        "career",
        "high",
        "peak",
        "world",
        "best",
    }
)
"""… and in which one did not."""
_FIRST = frozenset({"first", "1st", "lead", "leading"})
_PODIUM = 3
_LIKELY = ("property", 0.3)


def places(words: SchemaWords) -> tuple[PropertyChoice, ...]:
    """The properties that tell the place in which one finished."""
    numbers = [(c, set(identifier_words(c.name))) for c in words.choices if c.kind == "number"]
    return tuple(c for c, said in numbers if _FINISHES & said and not _STARTS & said)


def with_placings(items: Sequence[AnyItem], tokens: Sequence[Token], words: SchemaWords) -> list[AnyItem]:
    """The anchors with those of places; "first" of a "first author" is no superlative."""
    found = list(placings(tokens, words))
    placed = {item.first for item in found if item.last > item.first + 1 and isinstance(item.meaning, Noun)}
    return [*(i for i in items if i.first not in placed or i.last != i.first + 1), *found]


def placings(tokens: Sequence[Token], words: SchemaWords) -> Iterator[AnyItem]:
    """The conditions on such a property, and winners as the nodes that meet one."""
    found = () if any(token.text in _PRIZES for token in tokens) else places(words)
    unsure = ("guess", 0.5 * any(map(words.has, WINNING)))  # A HAS_WINNER may say it, too.
    for i, token in enumerate(tokens) if found else ():
        if (said := _said(tokens, i)) is not None:
            length, comparison, value = said
            given = ConditionNoun(found, comparison, values=(value,), winning=value == 1)
            yield Item(i, i + length, given, cost([_LIKELY, unsure]), (_LIKELY, unsure))
        for noun in _nouns(token.text, found, words):
            yield Item(i, i + 1, noun, cost([_LIKELY, unsure]), (_LIKELY, unsure))
        for noun in _placed(tokens[i : i + 2], found, words):
            yield Item(i, i + 2, noun, 0.0, ())


def _said(tokens: Sequence[Token], place: int) -> tuple[int, Comparison, int] | None:
    """How many words say in which place, and that place."""
    text, behind = tokens[place].text, tokens[place + 1].text if place + 1 < len(tokens) else ""
    if text in WINNING:
        return 1, "=", 1
    if text in _COMING and behind in ORDINALS:
        return 2, "=", ORDINALS[behind]
    if text in ("podium", "podiums"):
        return 1, "<=", _PODIUM
    verb = int(text in _COMING)
    if phrase(tokens, place + verb, place + verb + 3) not in ("in the top", "inside the top"):
        return None
    most = number(tokens[place + verb + 3].text) if place + verb + 3 < len(tokens) else None
    return None if most is None else (verb + 4, "<=", int(most))


def _nouns(text: str, found: Sequence[PropertyChoice], words: SchemaWords) -> Iterator[Noun]:
    """Winners, who came first in what a relationship with such a property leads to; their wins, which are that."""
    for choice in found if text in WINNERS | _WINS else ():
        first = _first(choice)
        for relation in words.schema.relations if choice.of_relation else ():
            if relation.type == choice.label and relation.target not in words.persons:
                step = Step(relation.type, True, relation.target)
                nodes, other = Nodes(relation.source), Nodes(relation.target)
                if text in _WINS:
                    step, nodes, other = step.back(relation.source), other, nodes
                noun = replace(nodes, links=(Link((step,), other, conditions=(first,)),))
                yield Noun(noun, is_plural(text), role=(step,))


def _placed(said: Sequence[Token], found: Sequence[PropertyChoice], words: SchemaWords) -> Iterator[Noun]:
    """The "first author", whose relationship to the paper has that position."""
    place = 1 if said[0].text in _FIRST else ORDINALS.get(said[0].text, 0)
    for role in words.roles.get(said[1].text, ()) if len(said) > 1 and place else ():
        for choice in found:
            if choice.of_relation and choice.label == role.step.relation:
                step = role.step.back(role.source)
                link = Link((step,), Nodes(role.source), conditions=(_at_place(choice, place),))
                yield Noun(Nodes(role.step.target, links=(link,)), is_plural(said[1].text), role=(step,))


def _first(choice: PropertyChoice) -> Predicate:
    return _at_place(choice, 1)


def _at_place(choice: PropertyChoice, place: int) -> Predicate:
    return Predicate(str(choice.name), "=", place, "number")


def never_placed(nodes: Nodes, said: bool, words: SchemaWords) -> Nodes:
    """A set that is not linked to anything as one that never came first there, where winning is `said`: "drivers who
    never won a race"."""
    first = {each.label: _first(each) for each in places(words) if each.of_relation} if said else {}
    links = tuple(
        replace(each, conditions=(first[each.path[-1].relation],))
        if each.negated and each.other.bare and not each.conditions and each.path[-1].relation in first
        else each
        for each in nodes.links
    )
    return nodes if links == nodes.links else replace(nodes, links=links)
