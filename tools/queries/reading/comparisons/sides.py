"""What a question asks of one thing, as a value that any thing of its kind has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from clew.tools.graph.entity import Entity
from clew.tools.queries.calculated import Calculated, Calculation, Operand
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Value, turned

_COMPARED = frozenset({"number", "date"})
_AGES = {"years": "date", "calendar years": "number"}
"""How ages are calculated, and the kind of the day, or the year, from which they count."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A value of the things of one label."""

    label: str
    entities: tuple[Entity, ...]
    """The things that the question named."""
    value: Value


def measured(form: Form, named: frozenset[Entity]) -> Measured | None:
    """The value that a form asks of what is named; None where it is no value of that alone.

    Args:
        form: The form.
        named: The entities that the name may mean.
    """
    if form.asks == "value" and form.value is not None and form.since is None:
        form, own = replace(form, value=_first_day(form.value)), form.nodes
        assert form.value is not None
        if not own.entities and form.value.link is None and form.value.kind == "number":
            return _over_linked(replace(form, asks="number", function="sum"), named)
        single = form.value.link is None or form.value.function is not None
        return (
            Measured(own.label, own.entities, form.value)
            if _are(own, named) and single and _comparable(form.value)
            else None
        )
    if form.asks != "number" or form.whole is not None or form.group is not None or form.bound is not None:
        return None
    return _over_linked(form, named)


def _first_day(value: Value) -> Value:
    """The day from which an age counts, which tells more than full years; any other value stays."""
    made = value.property.calculation if isinstance(value.property, Calculated) else None
    if not isinstance(made, Calculation) or made.operator not in _AGES:
        return value
    until, since = made.left, made.right
    if not (isinstance(until, Operand) and isinstance(since, Operand) and until.ongoing and not until.property):
        return value
    return replace(value, property=since.property, kind=_AGES[made.operator])


def _are(nodes: Nodes, named: frozenset[Entity]) -> bool:
    """Whether a set is nothing but what is named."""
    return bool(nodes.entities) and named.issuperset(nodes.entities) and replace(nodes, entities=()).bare


def _comparable(value: Value) -> bool:
    return value.kind in _COMPARED or value.function is not None


def _over_linked(form: Form, named: frozenset[Entity]) -> Measured | None:
    """A number over what the thing is linked to."""
    nodes, value = form.nodes, form.value
    if _are(nodes, named):
        if value is None or value.link is None:
            return None
        return Measured(nodes.label, nodes.entities, replace(value, function=value.function or form.function))
    found = next(_ends(nodes, named), None)
    if found is None or nodes.needs_list:
        return None
    link, end = found
    if value is None:
        return Measured(end.label, end.entities, Value(None, "count", link))
    if value.link is not None or value.edge is not None or form.function in (None, "difference"):
        return None
    return Measured(end.label, end.entities, replace(value, function=form.function, link=link))


def _ends(nodes: Nodes, named: frozenset[Entity]) -> Iterator[tuple[Link, Nodes]]:
    """The link from the thing to the rest of the set, and the thing."""
    for link in nodes.links:
        if not link.positive or link.deep or (link.conditions and len(link.path) > 1):
            continue
        rest = replace(nodes, links=tuple(each for each in nodes.links if each is not link))
        other = link.other
        if _are(other, named):
            yield Link(turned(link.path, nodes.label), rest, conditions=link.conditions), other
        elif not link.conditions and not other.entities and len(other.links) == 1 and replace(other, links=()).bare:
            for back, end in _ends(other, named):
                if not back.conditions:
                    yield Link((*back.path, *turned(link.path, nodes.label)), rest), end
