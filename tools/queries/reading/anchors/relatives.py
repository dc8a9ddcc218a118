"""Nouns for relatives whom a graph of parents, children and spouses has no relation for: grandchildren, in-laws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from clew.tools.queries.lexical import Token, load_toml
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.ranking.lexicon import Meaning, meaning
from clew.tools.queries.reading.anchors.literals import OF_GENDER
from clew.tools.queries.reading.english.inflection import is_plural, singular
from clew.tools.queries.reading.forms.form import Condition, Link, Nodes, Path, Step
from clew.tools.queries.reading.forms.items import AnyItem, Noun
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.reading.schema.joins import Joins
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_DERIVED = ("role", 0.2)
"""What it costs that a relation is made of others …"""
_TURNED = ("role", 0.4)
"""… and that a way up is followed that is stored the other way: a grandparent as who has the child of a child."""
_SPELLED = {"female": frozenset({"f", "female", "woman"}), "male": frozenset({"m", "male", "man"})}


def relatives(tokens: Sequence[Token], words: SchemaWords, joins: Joins) -> Iterator[AnyItem]:
    """Each such noun as a role: the path from the relatives to whose they are."""
    for first, token in enumerate(tokens):
        one = token.text.replace("children", "child").replace("s-in-law", "-in-law")
        kin = _kin().get(one) or _kin().get(singular(one))
        if kin is None or token.text in words.roles:
            continue
        for label in sorted(words.persons):
            for path, cost in _paths(kin["path"], label, joins):
                nodes = Nodes(label, conditions=_of_gender(kin.get("gender", ""), label, words))
                nodes = nodes.linked(Link(path, Nodes(label)))
                yield anchor(
                    first, first + 1, Noun(nodes, one != token.text or is_plural(token.text), role=path), *cost
                )


def _paths(ways: str, label: str, joins: Joins) -> Iterator[tuple[Path, list[tuple[str, float]]]]:
    """The paths of a label's own relations that go up to parents ("u"), down to children ("d"), across to spouses."""
    steps = [each for each in joins.from_label(label) if each.target == label]
    up = [each for each in steps if (led := _followed(each)) and (led.concept.name, led.end) == ("parent", "a")]
    across = next((each for each in steps if (led := _followed(each)) and led.concept.name == "spouse"), None)
    if not up or ("s" in ways and across is None):
        return
    for step in up:
        known = {"u": step, "d": step.back(label), "s": across}
        path = tuple(found for way in ways if (found := known[way]) is not None)
        stored = step.forward == (ways.count("d") > ways.count("u"))
        yield path, [_DERIVED if stored or len(up) == 1 else _TURNED]


def _followed(step: Step) -> Meaning | None:
    """What a relation means in the direction of a step."""
    found = meaning(step.relation)
    return found if found is None or step.forward else found.reversed()


def _of_gender(gender: str, label: str, words: SchemaWords) -> tuple[Condition, ...]:
    """The condition that nodes are men or women, where a property of theirs says so."""
    for owned, of_relation in words.properties:
        if not of_relation and owned.label == label and owned.name.lower() in OF_GENDER and gender:
            for value in owned.examples:
                if str(value).lower() in _SPELLED[gender]:
                    return (Condition(Predicate(owned.name, "=", str(value), "text"), property=owned.name),)
    return ()


@cache
def _kin() -> Mapping[str, Mapping[str, str]]:
    """A noun in the singular → the path from those whom it names, and their gender."""
    found: Mapping[str, Mapping[str, str]] = load_toml("reading.english", "reading_words.toml")["kin"]
    return found
