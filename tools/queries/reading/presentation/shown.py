"""What the words about how answers are shown change in the form that the rest of the question is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.reading.anchors.directions import degree_of
from clew.tools.queries.reading.english.words import adjectives
from clew.tools.queries.reading.forms.form import Form, Nodes, Order, Value
from clew.tools.queries.reading.forms.items import PropertyChoice, Reading
from clew.tools.queries.reading.presentation.said import Presentation
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_LASTING = frozenset({"ago", "serving", "standing", "established", "running", "tenured"})
_RECENT = {"most recently": "latest", "least recently": "earliest"}
_OF_TIME = {"newest": True, "latest": True, "most recent": True, "oldest": False, "earliest": False}
"""Superlatives of times, and whether they mean the latest."""
_LOST = 1.0
"""What it costs that an order is asked for which nothing in the graph gives."""
_ORDERED = ("number", "date", "written number")


def as_shown(reading: Reading, said: Presentation, words: SchemaWords) -> Reading:
    """A reading of the rest of a question, shown as the question says.

    Args:
        reading: What the question means without the words about how its answers are shown.
        said: These words.
        words: The words of the schema.
    """
    form, lost = reading.form, ""
    listed = said.listed or said.some is not None
    if form.asks == "truth" and listed and not form.nodes.entities and form.bound is None:
        form = Form("nodes", form.nodes)  # "Is there a class for me, any will do?"
    form = _as_shares(form) if said.percent else form
    if said.apart and form.function != "difference":
        form, lost = _apart(form, said)
    if said.times and form.function == "difference":
        form = replace(form, function="ratio")
    form = _of_any_year(form) if said.any_year else form
    form = _of_each_value(form) if said.each else form
    if said.order and form.asks in ("nodes", "value"):
        form, lost = _in_order(form, said, words)
    if said.some is not None:
        form = _some(form, said.some)
    if not lost:
        return replace(reading, form=form)
    features = (*reading.features, ("unexplained", 1.0))
    unexplained = (*reading.unexplained, lost)
    return replace(reading, form=form, cost=reading.cost + _LOST, features=features, unexplained=unexplained)


def _as_shares(form: Form) -> Form:
    """Numbers of each as percentages; values that are told of each are counted for that."""
    if form.asks == "groups" and (form.function in (None, "count") and form.value is None):
        return replace(form, function="share", bound=None)
    value = form.value
    if form.asks == "groups" and form.group is None and value is not None and value.function == "count":
        return replace(form, function="share")
    several = next((each for each in form.nodes.conditions if each.alternatives and each.predicate is not None), None)
    listed = form.asks == "nodes" or (form.asks == "number" and (form.function == "share" or form.value is None))
    if listed and several is not None and several.predicate is not None:  # "Wet or dry or mixed races, in percent"
        return Form("groups", form.nodes, None, "share", several.predicate.property)
    if form.asks == "nodes" and len(form.nodes.conditions) == 1 and not form.nodes.links:
        return Form("number", form.nodes, function="share", whole=replace(form.nodes, conditions=(), order=None))
    own = value is not None and value.link is None and value.property is not None and not form.columns
    if form.asks == "value" and own and value is not None and value.kind in ("text", "boolean"):
        return Form("groups", replace(form.nodes, order=None), None, "share", value.property)
    return form


def _apart(form: Form, said: Presentation) -> tuple[Form, str]:
    """The difference between the ends of an order, or its first two, or both ends; and the word for it if there is no
    such order."""
    order, ends = form.nodes.order, said.apart
    if ends == "ends" and form.asks == "number" and form.function in ("max", "min"):
        return replace(form, function="difference"), ""
    if order is None or order.limit != 1 or order.skip or order.grouped or form.asks not in ("nodes", "value"):
        return form, "difference"
    if ends == "both":
        other = replace(form.nodes, order=replace(order, descending=not order.descending))
        return replace(form, nodes=Nodes(form.nodes.label, either=(form.nodes, other))), ""
    own = form.value is not None and form.asks == "value" and form.value.kind in _ORDERED and form.value.link is None
    kept = None if ends == "ends" else replace(order, limit=2, ties=False)
    value = form.value if own and form.value is not None else order.by
    value = replace(value, period="year") if value.kind == "date" and said.in_years else value
    return Form("number", replace(form.nodes, order=kept), value, "difference"), ""


def _of_each_value(form: Form) -> Form:
    """A number of what has one of several values as one for each of these."""
    several = next((each for each in form.nodes.conditions if each.alternatives and each.predicate is not None), None)
    if form.asks != "number" or several is None or several.predicate is None or form.whole is not None:
        return form
    return replace(form, asks="groups", group=several.predicate.property, function=form.function or "count")


def _of_any_year(form: Form) -> Form:
    """Numbers for each month as those of any year."""
    if form.period == "month":
        return replace(form, period="calendar month")
    if form.value is not None and form.value.period == "month":
        return replace(form, value=replace(form.value, period="calendar month"))
    return form


def _some(form: Form, number: int) -> Form:
    """The first so many of the answers, unless the question gives a number itself."""
    order = form.nodes.order
    if form.asks != "nodes" or form.limit is not None or (order is not None and order.limit is not None):
        return form
    if order is None:
        return replace(form, limit=number)
    return replace(form, nodes=replace(form.nodes, order=replace(order, limit=number, ties=False)))


def _in_order(form: Form, said: Presentation, words: SchemaWords) -> tuple[Form, str]:
    """A list in an order, and the word for it if nothing gives that order."""
    form = _listed_by_value(form)
    order, label = form.nodes.order, form.nodes.label
    if order is not None and (order.grouped or order.skip):
        return form, ""
    if said.order in ("name", "date") or not (degree := _degree(said.order, words)):
        choices = _named(said, label, words)
        descending = said.turned
    else:
        descending, means = degree
        named = _called(said.of, label, words) if said.of else []
        choices = [c for c in named if not c.cost]  # The `seats` of "fewest seats", not the `bottled_on` of "bottle".
        if not choices and order is None:
            own = [c for c in means if c.label == label and not c.of_relation] or _since(said, label, words)
            choices = own or named or _spoken_of(form, words) or _of_adjective(said.order, label, words)
            descending = own[0].descending if own else descending
        elif not choices and order is not None:
            known = next((c for c in means if c.label == label and c.name == order.by.property), None)
            descending = known.descending if known is not None else descending
        descending ^= said.turned
    limit = form.limit if order is None else None if order.limit == 1 else order.limit
    if not choices:
        if order is None:
            return form, said.order
        turned = order.descending if order.limit not in (1, None) else descending
        return _ordered(form, replace(order, descending=turned, limit=limit)), ""
    choice = min(choices, key=lambda each: each.cost)
    return _ordered(form, Order(Value(choice.name, kind=choice.kind), descending, limit, ties=False)), ""


def _listed_by_value(form: Form) -> Form:
    """ "Venues by capacity, smallest first" lists the venues."""
    value = form.value
    own = value is not None and value.link is None and value.property is not None and not form.columns
    if form.asks != "value" or not own or value is None or value.kind not in _ORDERED or form.nodes.entities:
        return form
    order = form.nodes.order or Order(value, True, None, ties=False)
    return Form("nodes", replace(form.nodes, order=order))


def _ordered(form: Form, order: Order) -> Form:
    return replace(form, nodes=replace(form.nodes, order=order), limit=None)


def _degree(said: str, words: SchemaWords) -> tuple[bool, Sequence[PropertyChoice]] | None:
    """Which end a superlative means, and the properties that it means."""
    return degree_of(_RECENT.get(said, said.partition("-")[0]), words)


def _of_adjective(said: str, label: str, words: SchemaWords) -> list[PropertyChoice]:
    """What "biggest" means of a label, if no number is spoken of."""
    return [c for c in words.adjective(said) if c.label == label and not c.of_relation] if said in adjectives() else []


def _named(said: Presentation, label: str, words: SchemaWords) -> list[PropertyChoice]:
    """The name of what is listed, its dates, or the dates of a verb."""
    if said.order == "name":
        return words.naming_of(label)
    dates = _dates("earliest", label, words) or [c for c in words.choices if c.label == label and c.kind == "date"]
    verb = [c for c in dates if root(said.order) in map(root, c.name.replace("_", " ").split())]
    return verb or [c for c in words.property(said.order) if c.label == label and c.kind == "date"] or dates


def _called(text: str, label: str, words: SchemaWords) -> list[PropertyChoice]:
    """The numbers and dates that may be called so."""
    return [c for c in words.property(text) if c.label == label and c.kind in _ORDERED]


def _spoken_of(form: Form, words: SchemaWords) -> list[PropertyChoice]:
    """The number that a list must have: "everybody with an hourly rate, highest first"."""
    said = {each.property for each in form.nodes.conditions if each.test == "IS NOT NULL"}
    return [c for c in words.choices if c.label == form.nodes.label and c.name in said and c.kind in _ORDERED]


def _since(said: Presentation, label: str, words: SchemaWords) -> list[PropertyChoice]:
    """Dates that "longest-serving", "most recently bought", and "newest" of what has but one date, mean."""
    behind = said.order.partition("-")[2] or said.of
    named = [c for c in words.property(behind) if c.label == label and c.kind == "date"] if behind else []
    if said.order in _RECENT:
        return [replace(c, descending=_RECENT[said.order] == "latest") for c in named]
    if behind in _LASTING and said.order.startswith(("longest", "shortest")):
        dates = _dates("earliest", label, words)
        return [replace(c, descending=said.order.startswith("shortest")) for c in dates]
    only = [c for c in words.choices if c.label == label and c.kind == "date"] if said.order in _OF_TIME else []
    return [replace(c, descending=_OF_TIME[said.order]) for c in only if len(only) == 1]


def _dates(form: str, label: str, words: SchemaWords) -> list[PropertyChoice]:
    return [c for c in words.adjective(form) if c.label == label and not c.of_relation]
