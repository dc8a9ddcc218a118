"""What a question asks of a set, kept or completed where a follow-up only changes the set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.follow_ups.changes import exchanged, narrowed, with_entities
from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.follow_ups.readings import FollowUpReading
from clew.tools.queries.follow_ups.variants import Variant
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Value, sets, turned
from clew.tools.queries.reading.forms.group_forms import counted_set, with_counted_set

_EACH = re.compile(r"\b(?:each|respectively|apiece)\b", re.I)
_TOGETHER = re.compile(
    r"\b(?:altogether|in total|in all|combined|(?:taken|put) together|(?:add|sum)s?\s+up\s+to"
    r"|(?:come|amount)s?\s+to)\b",
    re.I,
)

_THAT = re.compile(r"how\s+(?:much|many)\b.*\b(?:is|was|does|did|makes?)\s+(?:that|this)(?:\W|$)", re.I)


def asked_again(form: Form, base: Nodes, last: PastReading) -> Form:
    """What the last turn asked of its set, asked of another one: its number, for "and in 2023?" behind "how many in
    2024?"."""
    asked = last.form
    if asked is None or form.asks != "nodes" or asked.nodes != base or asked.asks in ("nodes", "groups"):
        return form
    link = asked.value.link if asked.value is not None else None
    linked = link is not None and link in base.links and link not in form.nodes.links
    return form if linked else replace(asked, nodes=form.nodes)


def asked_of_the_chosen(found: FollowUpReading, past: Sequence[PastReading]) -> FollowUpReading:
    """What the last turn asked of the one that an earlier turn chose, asked of another one: "sorry, the cheaper one"
    behind "which is dearer?" and "who made it?"."""
    form, asked = found.reading.form, past[-1].form
    order = form.nodes.order
    if asked is None or form.asks != "nodes" or order is None or order.limit != 1:
        return found
    for turn in reversed(past[:-1]):
        if turn.count == len(turn.answers) == 1 and turn.answers[0] in asked.entities:
            one = turn.answers[0]
            again = with_entities(asked, one, form.nodes) if one.label == form.nodes.label else form
            return replace(found, reading=replace(found.reading, form=again))
    return found


def of_the_same_groups(form: Form, said: Nodes, last: PastReading, *, instead: bool) -> Form:
    """The numbers of the last turn over what is left of their set: "only in 1997" after "orders per employee"."""
    counted = None if last.form is None else counted_set(last.form)
    fresh = replace(said, entities=())
    if last.form is None or counted is None or counted.label != said.label or said.order is not None or fresh.bare:
        return form
    return with_counted_set(last.form, exchanged(counted, fresh)[0] if instead else narrowed(counted, fresh))


def for_each(form: Form, base: Nodes, text: str) -> Form:
    """The number for each node of a set that is related to it: "how many people live in each?"."""
    link = form.nodes.links[0] if len(form.nodes.links) == 1 else None
    if form.asks != "number" or form.value is not None or link is None or not _EACH.search(text):
        return form
    if link.other != base or not link.positive or link.conditions:
        return form
    others = replace(form.nodes, links=())
    counted = Link(turned(link.path, form.nodes.label), others)
    return Form("groups", base, Value(None, "count", counted))


def in_order_of(form: Form, variant: Variant) -> Form:
    """The form of "sort them by …": all of the set in the order that was read for the first of it."""
    order = form.nodes.order
    if not variant.sorts or order is None:
        return form
    descending = order.descending if variant.sorts == "read" else variant.sorts == "down"
    return replace(form, nodes=replace(form.nodes, order=replace(order, limit=None, descending=descending)))


def counted_instead(found: FollowUpReading, last: PastReading) -> FollowUpReading:
    """A reading that gives nodes, as their number: "and how many in Leeds?" behind "which shops are in Bath?"."""
    form = found.reading.form
    if form.asks != "nodes" or (last.form is not None and last.form.asks == "number"):
        return found
    return replace(found, reading=replace(found.reading, form=replace(form, asks="number", columns=())))


def without_asked(form: Form) -> Form:
    """A form without what an earlier turn said of the property that is asked for now: "which country approved it
    first?", behind "when was it approved in Brazil?"."""
    value = form.value if form.asks == "value" else None
    if value is None or value.link is not None:
        return form
    kept = tuple(c for c in form.nodes.conditions if c.predicate is None or c.property != value.property or c.negated)
    return replace(form, nodes=replace(form.nodes, conditions=kept)) if kept != form.nodes.conditions else form


def ordered(form: Form) -> bool:
    return any(nodes.order is not None for nodes in sets(form.nodes)) or form.function in ("min", "max")


def summed(form: Form, text: str, *, several: bool = False) -> Form:
    """The sum of the numbers that a question asks for together; "how much rent is that?" asks so of several."""
    together = _TOGETHER.search(text) or (several and _THAT.match(text))
    if form.asks == "value" and form.value is not None and form.value.kind == "number" and together:
        return replace(form, asks="number", function="sum", columns=())
    return form
