"""Changes of logical forms: a set put in for its mark, narrowed, or with other conditions in the place of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.entity import Entity
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Value, turned
from clew.tools.queries.reading.forms.stand_ins import STAND_IN, stands_in


def mark(nodes: Nodes) -> Nodes:
    """What stands for a set while a question is read: a single node itself, else a mark of its label."""
    if len(nodes.entities) == 1 and replace(nodes, entities=()).bare:
        return nodes
    return Nodes(nodes.label, (Entity(STAND_IN, "them", nodes.label),))


def is_mark(nodes: Nodes) -> bool:
    """Whether nodes are the mark that stands for an earlier set."""
    return any(map(stands_in, nodes.entities))


def speaks_of(form: Form, marked: Nodes) -> bool:
    """Whether a form has the entities of a mark."""
    return set(marked.entities) <= set(form.entities)


def put_in(form: Form, nodes: Nodes) -> Form:
    """A form with a set in the place of its mark."""
    return _edited(form, lambda each: narrowed(nodes, replace(each, entities=())) if is_mark(each) else each)


def of_known_links(form: Form, known: Sequence[Link], has: Callable[[str, str], bool] | None = None) -> Form:
    """A form with a property of a relationship to anything asked of the known one: "and since when?" behind "who
    operates the Orange Line?".

    Args:
        form: The form.
        known: The relations that the conversation spoke of.
        has: Whether a relationship type has a property, if that of another type may be meant as well.
    """

    def of(value: Value) -> Value:
        link = value.link
        if link is None or value.edge is None or not link.open:
            return value
        plain = [each for each in known if each.positive and not each.deep]
        found = next((each for each in plain if each.path == link.path), None)
        if found is None and has is not None and value.property is not None:
            found = next((each for each in plain if has(each.path[-1].relation, value.property)), None)
        return value if found is None else replace(value, link=found, edge=found.path[-1].relation)

    order = form.nodes.order
    if order is not None:
        form = replace(form, nodes=replace(form.nodes, order=replace(order, by=of(order.by))))
    return form if form.value is None else replace(form, value=of(form.value))


def narrowed(nodes: Nodes, by: Nodes) -> Nodes:
    """The nodes of a set that also meet the conditions, links and order of another one."""
    if by.bare:
        return nodes
    if nodes.order is not None:
        return replace(by, label=nodes.label, within=(*by.within, nodes))
    if nodes.either and by.either:
        nodes, by = replace(nodes, within=(*nodes.within, Nodes(nodes.label, either=by.either))), replace(by, either=())
    joined = nodes
    for link in by.links:
        joined = _linked(joined, link)
    return replace(
        joined,
        conditions=tuple(dict.fromkeys((*nodes.conditions, *by.conditions))),
        order=by.order,
        without=(*nodes.without, *by.without),
        within=(*nodes.within, *by.within),
        either=nodes.either or by.either,
    )


def _linked(nodes: Nodes, link: Link) -> Nodes:
    """A set with a further link. What is said of a relationship to anything is said of the one that the set is known
    by: of the members of a club "which of them is the captain?"."""
    told = link.conditions and link.positive and not link.deep
    for i, each in enumerate(nodes.links):
        if told and each.path == link.path and each.positive and (link.other.bare or link.other == each.other):
            texts = {one.property for one in link.conditions if (one.comparison, one.kind) == ("=", "text")}
            kept = (one for one in each.conditions if one.property not in texts)  # "And how many did they lose?"
            own = replace(each, conditions=tuple(dict.fromkeys((*kept, *link.conditions))))
            return replace(nodes, links=(*nodes.links[:i], own, *nodes.links[i + 1 :]))
    return nodes.linked(link)


def exchanged(nodes: Nodes, by: Nodes) -> tuple[Nodes, bool]:
    """A set with the conditions, links and order of another one in the place of its own of the same kind, and whether
    it had any."""
    properties = {_property(each) for each in by.conditions}
    conditions = tuple(each for each in nodes.conditions if _property(each) not in properties)
    paths = [link.path for link in by.links]
    links = tuple(link for link in nodes.links if link.path not in paths or link.open)
    by = replace(by, links=tuple(_same_place(link, nodes.links) for link in by.links))
    order = None if by.order is not None else nodes.order
    base = replace(nodes, conditions=conditions, links=links, order=order)
    if base == nodes and any(not each.bare for each in nodes.within):
        for i, inner in enumerate(nodes.within):
            changed, found = exchanged(inner, by)
            if found:
                return replace(nodes, within=(*nodes.within[:i], changed, *nodes.within[i + 1 :])), True
    return narrowed(base, by), base != nodes


def _same_place(link: Link, known: tuple[Link, ...]) -> Link:
    """What is said of a relationship to anything, said of the known one: "and for the defendant?"."""
    told = link.conditions and link.other.bare
    old = next((each for each in known if told and each.path == link.path and each.positive), None)
    if old is None:
        return link
    properties = {each.property for each in link.conditions}
    kept = (each for each in old.conditions if each.property not in properties)
    return replace(link, other=old.other, conditions=(*kept, *link.conditions))


def with_entities(form: Form, old: Entity, new: Nodes) -> Form:
    """A form with another set in the place of a named entity."""

    def change(nodes: Nodes) -> Nodes:
        return narrowed(new, replace(nodes, entities=())) if old in nodes.entities else nodes

    return _edited(form, change)


def with_set(form: Form, old: Nodes, new: Nodes) -> Form:
    """A form with another set in the place of one that it is linked to."""
    return _edited(form, lambda each: new if each == old else each)


def inner_sets(nodes: Nodes) -> Iterator[Nodes]:
    """The sets that a set is linked to and that say something, the outer ones first; also those within a path."""
    for link in nodes.links:
        if link.positive and not link.other.bare:
            for place, step in enumerate(link.path[:-1], 1):
                yield Nodes(step.target, links=(replace(link, path=link.path[place:]),))
            yield link.other
            yield from inner_sets(link.other)
    for each in nodes.within:
        yield from inner_sets(each)


def spoken_sets(form: Form) -> list[Nodes]:
    """What a form asks about, what that is linked to, what its value is of, and what it tells beside."""
    link = form.value.link if form.value is not None else None
    of_value = [] if link is None or link.other.bare else [link.other, *inner_sets(link.other)]
    beside = (each.link for each in form.columns if each.link is not None and each.link.positive)
    told = dict.fromkeys(_linked_by(each, form.nodes) for each in beside if each not in form.nodes.links)
    return [form.nodes, *inner_sets(form.nodes), *of_value, *told]


def _linked_by(link: Link, nodes: Nodes) -> Nodes:
    """What a set is linked to: the school that stands beside her."""
    return link.other.linked(Link(turned(link.path, nodes.label), nodes, conditions=link.conditions))


def _property(condition: Condition) -> str:
    return condition.property or (condition.predicate.property if condition.predicate is not None else "")


def _edited(form: Form, change: Callable[[Nodes], Nodes]) -> Form:
    """A form with every set changed, the inner ones first."""

    def of_link(link: Link) -> Link:
        return replace(link, other=of(link.other))

    def of(nodes: Nodes) -> Nodes:
        order = nodes.order
        if order is not None and order.by.link is not None:
            order = replace(order, by=replace(order.by, link=of_link(order.by.link)))
        conditions = (replace(each, than=of(each.than)) if each.than is not None else each for each in nodes.conditions)
        return change(
            replace(
                nodes,
                conditions=tuple(conditions),
                links=tuple(map(of_link, nodes.links)),
                order=order,
                without=tuple(map(of, nodes.without)),
                within=tuple(map(of, nodes.within)),
                either=tuple(map(of, nodes.either)),
            )
        )

    value = form.value
    if value is not None and value.link is not None:
        linked = next((of_link(each) for each in form.nodes.links if each == value.link), of_link(value.link))
        value = replace(value, link=linked)
    return replace(form, nodes=of(form.nodes), value=value, whole=None if form.whole is None else of(form.whole))
