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
from clew.tools.queries.reading.schema.role_words import Role
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.relation_names import relation_words, types_of

_DERIVED = ("role", 0.2)
"""What it costs that a relation is made of others …"""
_TURNED = ("role", 0.4)
"""… and that a way up is followed that is stored the other way: a grandparent as who has the child of a child."""
_SPELLED = {"female": frozenset({"f", "female", "woman"}), "male": frozenset({"m", "male", "man"})}


def relatives(tokens: Sequence[Token], words: SchemaWords, joins: Joins) -> Iterator[AnyItem]:
    """Each such noun as a role: the path from the relatives to whose they are."""
    for first, token in enumerate(tokens):
        one = token.text.replace("children", "child").replace("s-in-law", "-in-law")
        kin = _kin_of(one)
        for label in sorted(words.persons) if kin else ():
            gender = _of_gender(kin.get("gender", ""), label, words)
            if token.text in words.roles and not gender:
                continue
            for path, cost in _paths(kin["path"], label, joins):
                nodes = Nodes(label, conditions=gender).linked(Link(path, Nodes(label)))
                yield anchor(
                    first, first + 1, Noun(nodes, one != token.text or is_plural(token.text), role=path), *cost
                )


def tells_gender(text: str, role: Role, words: SchemaWords) -> bool:
    """Whether a noun for a role says whether it is a man or a woman, as a property does and the relation does not."""
    gender = (
        _kin_of(text).get("gender", "") if not {text, singular(text)} & set(relation_words(role.step.relation)) else ""
    )
    return bool(_of_gender(gender, role.step.target, words))


def _kin_of(text: str) -> Mapping[str, str]:
    return _kin().get(text) or _kin().get(singular(text)) or {}


def _paths(ways: str, label: str, joins: Joins) -> Iterator[tuple[Path, list[tuple[str, float]]]]:
    """The paths of a label's own relations that go up to parents ("u"), down to children ("d"), across to spouses."""
    steps = [each for each in joins.from_label(label) if each.target == label]
    up = [each for each in steps if (led := _followed(each)) and (led.concept.name, led.end) == ("parent", "a")]
    up = [each for each in up if len(types_of(each.relation)) > 1] or up  # Fathers and mothers, not fathers alone.
    if not up and set(ways) != {"s"}:
        return
    every: list[Step | None] = [*up] or [None]
    across = _across(label, steps, joins) if "s" in ways else None
    for step in every:
        known = {"u": step and (step,), "d": step and (step.back(label),), "s": across}
        if not all(known[way] for way in ways):
            return
        path = tuple(each for way in ways for each in known[way] or ())
        stored = step is None or step.forward == (ways.count("d") > ways.count("u"))
        yield path, [] if len(path) == 1 else [_DERIVED if stored or len(up) == 1 else _TURNED]


def _across(label: str, steps: Sequence[Step], joins: Joins) -> Path | None:
    """The way to a spouse: a relation, or one that leads to both from a marriage."""
    for step in steps:
        if (led := _followed(step)) and led.concept.name == "spouse":
            return (step,)
    for step in joins.from_label(label):
        led = meaning(step.relation)
        if led is not None and led.concept.name == "spouse" and not step.forward:
            return (step, step.back(label))
    return None


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
