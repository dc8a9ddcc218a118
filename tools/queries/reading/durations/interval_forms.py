"""The form of a set, and what is asked of an interval, as one form."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Literal

from clew.tools.queries.calculated import Calculated, Calculation
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.durations.question import Question
from clew.tools.queries.reading.durations.said import Asked
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Step, Value
from clew.tools.queries.reading.forms.functions import Function

_WHICH = frozenset({"which", "who", "whose", "name", "list", "show", "find", "whom", "whos", "who's"})
_DAYS_OF_YEAR = 365.2425
_EACH = frozenset({"each", "every", "per"})


def with_interval(form: Form, interval: Value, owner: str, question: Question) -> Form | None:
    """What is asked of an interval; None where what the rest means has no such interval.

    Args:
        form: What the rest of the question means.
        interval: The interval, as a value of the nodes of a label or of the relationships of a type …
        owner: … which is this one.
        question: The question.
    """
    own, asked = form.nodes.label == owner, question.asked
    link = next((each for each in form.nodes.links if each.positive and each.path[-1].relation == owner), None)
    texts = [token.text for token in question.tokens]
    if form.asks == "groups":
        return _of_each(form, interval, owner, asked) if _EACH & {*texts} or "by" in texts[1:] else None
    if not own and link is None:
        return _over_linked(form, interval, owner, question)
    if own and asked.aim == "longest" and (best := _best_of_each(form, interval, asked)) is not None:
        return best
    value = interval if own else replace(interval, link=link, edge=owner)
    if asked.aim == "condition":
        if form.asks == "nodes" and "any" in texts[:3] and not _WHICH & {*texts}:
            form = replace(form, asks="truth")
        elif form.asks == "nodes" and ("how", "many") in pairwise(texts):
            form = replace(form, asks="number", function="count")  # "Of the orders, how many …"
        return _narrowed(form, value, asked)
    if form.asks != "nodes" or form.columns or (asked.aim == "average" and _is_one(form.nodes)):
        return None
    if asked.aim == "longest":
        what = texts[:1] == ["what"] and texts[1:2] != [] and texts[1] in question.words.labels
        if not what and not _WHICH & {*texts} and link is None and not form.nodes.entities:
            return Form("number", form.nodes, value, "min" if asked.shortest else "max")
        told = (value,) if "how" in texts else ()
        return Form("nodes", replace(form.nodes, order=Order(value, not asked.shortest)), columns=told)
    several = not form.nodes.entities and form.nodes.order is None and form.limit is None
    several = several and not _has_key(form.nodes, question)
    if asked.aim == "average" or (several and not _EACH & {*texts}):
        return Form("number", form.nodes, value, asked.function)
    return Form("value", form.nodes, value)


def _has_key(nodes: Nodes, question: Question) -> bool:
    """Whether a set is told by the value of an identifier, so that it is one thing."""
    keys = {c.name for c in question.words.choices if c.label == nodes.label and c.kind == "identifier"}
    tests = [each.predicate for each in nodes.conditions if not (each.negated or each.alternatives)]
    return any(test is not None and test.comparison == "=" and test.property in keys for test in tests)


def _best_of_each(form: Form, interval: Value, asked: Asked) -> Form | None:
    """The value of a property for which it is the longest on average: "which carrier is slowest on average"."""
    value = form.value
    if form.asks != "value" or value is None or value.link is not None or value.kind not in ("text", "number"):
        return None
    function: Function = asked.function if asked.averaged else "min" if asked.shortest else "max"
    best: Literal["highest", "lowest"] = "lowest" if asked.shortest else "highest"
    return Form("groups", form.nodes, interval, function, value.property, (), 1, best=best)


def _is_one(nodes: Nodes) -> bool:
    """Whether it is the first of some order, of which there is no average."""
    return nodes.order is not None and nodes.order.limit == 1


def _of_each(form: Form, interval: Value, owner: str, asked: Asked) -> Form | None:
    """The average of each group, where the things of which it is are counted."""
    if asked.aim not in ("average", "value"):
        return None
    if form.group is not None:
        own = form.nodes.label == owner and form.function in (None, "count")
        return replace(form, value=interval, function=asked.function) if own and form.value is None else None
    value = form.value
    counted = value is not None and value.function == "count" and value.link is not None and value.property is None
    if (
        not counted
        or interval.link is not None
        or value is None
        or value.link is None
        or value.link.other.label != owner
    ):
        return None
    return replace(form, value=replace(value, property=interval.property, function=asked.function))


def _over_linked(form: Form, interval: Value, owner: str, question: Question) -> Form | None:
    """Of things to which those with the interval are linked: which has the longest, on average or at all."""
    asked, nodes = question.asked, form.nodes
    steps = [each for each in _steps(nodes.label, question) if each.target == owner]
    if interval.link is not None or form.asks != "nodes" or nodes.entities or len(steps) != 1:
        return None
    each = _EACH & {token.text for token in question.tokens}
    function: Function = "max"
    if asked.averaged or asked.aim == "average":
        function = asked.function
    elif asked.shortest:
        function = "min"
    value = replace(interval, function=function, link=Link((steps[0],), Nodes(owner)))
    if asked.aim == "longest":
        return Form("nodes", replace(nodes, order=Order(value, not asked.shortest)))
    return Form("groups", nodes, value) if asked.aim == "average" and each else None


def _steps(label: str, question: Question) -> list[Step]:
    """The relations of a label."""
    relations = question.words.schema.relations
    forward = [Step(each.type, True, each.target) for each in relations if each.source == label]
    return forward + [Step(each.type, False, each.source) for each in relations if each.target == label]


def _in_days(value: Value, years: float) -> tuple[Value, float]:
    """An interval in full years in days: two years and a day are more than two years."""
    made = value.property.calculation if isinstance(value.property, Calculated) else None
    if isinstance(made, Calculation) and made.operator == "years":
        return replace(value, property=Calculated(replace(made, operator="days"))), years * _DAYS_OF_YEAR
    return value, years


def _narrowed(form: Form, value: Value, asked: Asked) -> Form | None:
    """A form of those of which an interval is longer, or shorter, than so long."""
    value, amount = _in_days(value, asked.amount)
    amount = int(amount) if amount == int(amount) else amount
    test = Predicate(value.property or "", asked.comparison, amount, "number")
    if value.edge is None:
        own = value if value.link is not None else None
        return replace(
            form,
            nodes=form.nodes.where(Condition(test, property=test.property, comparison=asked.comparison, value=own)),
        )
    assert value.link is not None
    narrowed = replace(value.link, conditions=(*value.link.conditions, test))
    links = tuple(narrowed if link is value.link else link for link in form.nodes.links)
    return replace(form, nodes=replace(form.nodes, links=links))
