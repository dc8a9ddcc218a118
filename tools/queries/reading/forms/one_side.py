"""Forms about one of the two sides of events: the side that has a result, and what it costs to take one that no word
says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TypeVar, cast

from clew.tools.queries.lexical import Token, stem
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Step, Value, sets
from clew.tools.queries.reading.forms.items import Feature
from clew.tools.queries.relation_names import JOINED, types_of
from clew.tools.queries.sided import Sided

_Part = TypeVar("_Part")
_UNTOLD, _TOLD = 0.4, 1.5
"""What it costs that no word says which side is meant, and that one does."""
_RETURNING = frozenset({"back", "both", "either", "versa"})
"""Words of "from A to B or back"."""


def of_one_side(form: Form) -> Form:
    """A form in which a result belongs to the side that is spoken of: the matches of Ann with a win are those that Ann
    won, and the number of matches for each team that lost is that of those it lost."""
    found = _merged(form)
    link = found.value.link if found.value is not None else None
    if found.asks != "groups" or link is None or found.value is None:
        return found
    told = next((each for each in found.nodes.links if _tells(each) and each.path == link.path), None)
    if told is None or link.conditions:
        return found
    nodes = replace(found.nodes, links=tuple(each for each in found.nodes.links if each is not told))
    return replace(found, nodes=nodes, value=replace(found.value, link=replace(link, conditions=told.conditions)))


def one_sided(form: Form, said: Sequence[Token], sides: Mapping[str, frozenset[str]]) -> list[Feature]:
    """What it costs that a relation to one of two sides is taken where no word says which, or one to both where a word
    does.

    Args:
        form: The form.
        said: The words of the question.
        sides: What people say for each such relation (`wider_relations.sides_told`).
    """
    stems = {stem(token.text) for token in said}
    value = form.value.link if form.value is not None else None
    every = [link for nodes in sets(form.nodes) for link in nodes.links] + ([value] if value is not None else [])
    taken = Counter(step.relation for link in every for step in link.path if step.relation in sides)
    back = not _RETURNING.isdisjoint(token.text for token in said)  # "From A to B or back"
    paired = {each for each, count in taken.items() if count > 1 and back and len(types_of(each)) > 1}
    paired |= {
        each for both in sides if len(types := types_of(both)) > 1 and taken.keys() >= {*types} for each in types
    }
    of_both = [(len(types_of(each)) > 1, not stems.isdisjoint(sides[each])) for each in taken if each not in paired]
    found: list[Feature] = [("rivals", _TOLD if both else _UNTOLD) for both, told in of_both if both == told]
    return found


def _merged(part: _Part) -> _Part:
    """A part of a form, with all parts of its own."""
    if isinstance(part, tuple):
        return cast("_Part", tuple(map(_merged, part)))
    if not isinstance(part, Form | Nodes | Link | Value | Order | Condition):
        return part
    own = {each.name: getattr(part, each.name) for each in fields(part)}
    changed = {name: new for name, old in own.items() if (new := _merged(old)) is not old and new != old}
    found: object = replace(part, **changed) if changed else part
    if isinstance(found, Nodes):
        found = _beside(found)
    elif isinstance(found, Link):
        found = _behind(found)
    return cast("_Part", found)


def _behind(link: Link) -> Link:
    """A link from a side to its events, some side of which has a result."""
    back = link.path[-1].back("")
    told = next((each for each in link.other.links if _tells(each) and _both(each.path[0], back)), None)
    if told is None:
        return link
    step = replace(link.path[-1], relation=_narrower(told.path[0], back))
    other = replace(link.other, links=tuple(each for each in link.other.links if each is not told))
    return replace(link, path=(*link.path[:-1], step), other=other, conditions=link.conditions + told.conditions)


def _beside(nodes: Nodes) -> Nodes:
    """Events some side of which has a result, and one side of which is named."""
    told = next((each for each in nodes.links if _tells(each) or each.open), None)
    for named in nodes.links if told is not None and len(told.path) == 1 else ():
        plain = named.positive and not named.other.bare and not named.conditions and len(named.path) == 1
        if told is not None and plain and _both(told.path[0], named.path[0]):
            if not told.conditions and JOINED not in named.path[0].relation:
                continue
            step = replace(named.path[0], relation=_narrower(told.path[0], named.path[0]))
            whole = replace(named, path=(step,), conditions=told.conditions)
            links = (whole if each is named else each for each in nodes.links if each is not told)
            return replace(nodes, links=tuple(links))
    return nodes


def _tells(link: Link) -> bool:
    """Whether a link only says what one side or the other has."""
    sided = any(isinstance(each.property, Sided) for each in link.conditions)
    return sided and link.positive and link.other.bare and len(link.path) == 1


def _both(told: Step, step: Step) -> bool:
    """Whether two steps may lead to the same side."""
    either = step.relation in told.relation.split(JOINED) or told.relation in step.relation.split(JOINED)
    return told.forward == step.forward and (either or told.relation == step.relation)


def _narrower(told: Step, step: Step) -> str:
    """The relation that leads to one side only, where one of two does."""
    return told.relation if told.relation in step.relation.split(JOINED) else step.relation
