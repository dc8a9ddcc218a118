"""A logical form in words, for people: "Cities located in texas, by population, highest first: 1"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from clew.tools.graph.identifiers import bare_words
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.english.short_forms import written_out
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Value
from clew.tools.queries.reading.forms.functions import LENGTH, Function, PeriodUnit
from clew.tools.queries.reading.forms.label_words import capitalised, in_plural, label_words, uncapitalised
from clew.tools.queries.reading.forms.step_words import step_words
from clew.tools.queries.values import month_name

_FUNCTIONS = {
    "count": "number", "sum": "total", "avg": "average", "median": "median", "min": "lowest", "max": "highest",
    "difference": "difference in", "ratio": "ratio of the", "commonest": "most common", "rarest": "least common",
    "share": "percentage",
}  # fmt: skip
_NAMING = ("name", "title")
_SIGNS = {">": "more than", "<": "fewer than", ">=": "at least", "<=": "at most", "=": "exactly"}
_TESTS = {
    "IS NULL": ("is missing", "is not missing"),
    "IS NOT NULL": ("is present", "is not present"),
    "STARTS WITH": ("starts with", "does not start with"),
    "ENDS WITH": ("ends with", "does not end with"),
    "CONTAINS": ("contains", "does not contain"),
}
"""Each test and its negation."""


@lru_cache(maxsize=256)
def words(form: Form) -> str:
    """How a question was read, in one line. The forms of one question are compared by their words several times."""
    nodes = _nodes(form.nodes, plural=True)
    if form.versus is not None:
        one, other = (words(replace(each, asks="number", versus=None)) for each in (form, form.versus[0]))
        if form.asks == "truth":
            return f"Whether {uncapitalised(one)} {form.versus[1]} {uncapitalised(other)}"
        return f"Difference between {uncapitalised(one)} and {uncapitalised(other)}"
    if form.since is not None:
        first = f"{_listed([form.since.value])} of {_nodes(form.since.nodes, plural=True)}"
        unit = form.since.unit.removeprefix("calendar ")
        return f"{capitalised(unit)} from {first} to {_listed([form.value])} of {nodes}"
    match form.asks:
        case "truth":
            return f"Whether {_claim(form)}"
        case "value":
            return f"{_listed([form.value, *form.columns])} of {nodes}"
        case "number" | "groups" if _counts(form.value) and (form.group or form.asks == "number"):
            return capitalised(_grouped(form, form.group, _times(form)) if form.group else f"number of {_times(form)}")
        case "number":
            if form.whole is not None:
                return f"Percentage of {_nodes(form.whole, plural=True)} that are {nodes}"
            if form.group and not (form.value or form.bound or form.group_path or form.period):
                return f"Number of different {in_plural(written_out(form.group))} of {nodes}"
            if form.group:
                return f"Number of {_grouped(form, form.group, nodes)}"
            if form.value is None:
                return f"Number of {nodes}"
            return capitalised(f"{_worked_out(form.value, form.function or 'count')} of {nodes}")
        case "groups":
            if form.group:
                return capitalised(_grouped(form, form.group, nodes))
            return capitalised(f"{_value(form.value)} for each of {nodes}")
        case _:
            some = f", {form.limit} of them" if form.limit else ""
            some += f", each with its {_listed(form.columns)}" if form.columns else ""
            return capitalised(nodes) + some


def _counts(value: Value | None) -> bool:
    """Whether a value is a number of relationships."""
    return value is not None and value.edge is not None and value.property is None


@lru_cache(maxsize=256)
def meaning(form: Form) -> str:
    """The words of a form whose links and conditions stand in one order: forms that differ in nothing else mean the
    same."""
    return words(replace(form, nodes=_in_one_order(form.nodes)))


def _in_one_order(nodes: Nodes) -> Nodes:
    links = [replace(each, other=_in_one_order(each.other)) for each in nodes.links]
    links.sort(key=lambda each: _link(each, plural=True))
    conditions = sorted(nodes.conditions, key=_condition)
    return replace(nodes, links=tuple(links), conditions=tuple(conditions))


def _grouped(form: Form, group: str, nodes: str) -> str:
    """Numbers for each value of a property."""
    number = _number(form)
    named = group == "name" and form.group_path
    told = label_words(form.group_path[-1].target, plural=False) if named else written_out(group)
    told = _in_period(told, form.period)
    if form.bound is not None:
        bound, owners = f"{_SIGNS[form.bound[0]]} {form.bound[1]:g}", in_plural(told)
        return f"{owners} with {bound} {nodes}" if form.value is None else f"{owners} with {bound} {number} of {nodes}"
    number = " and ".join([number, *map(column_words, form.columns)])
    best = f", {form.best} first: {form.limit or 1}" if form.best else ""
    return f"{number} of {nodes}, for each {told}{best}"


def _times(form: Form) -> str:
    """How often something was done: "times that cooks reviewed recipes"."""
    link = form.value.link if form.value is not None else None
    assert link is not None
    said = _link(link, plural=True).removeprefix("that ")
    return f"times that {_nodes(form.nodes, plural=True)} {said}"


def _number(form: Form) -> str:
    if form.function == "share":
        return _FUNCTIONS["share"]
    if form.value is None or (form.group_edge and _counts(form.value)):
        return "number"
    return _worked_out(form.value, form.function or "sum")


def _worked_out(value: Value, function: Function) -> str:
    """A function over a value; the total of totals is a total."""
    return _value(value) if value.function == function else f"{_FUNCTIONS[function]} {_value(value)}"


def _listed(values: Sequence[Value | None]) -> str:
    *first, last = map(column_words, values)
    return f"{', '.join(first)} and {last}" if first else last


def column_words(value: Value | None) -> str:
    """A value that is told of each; the name of what each is linked to by what that is: "company"."""
    link = value.link if value is not None else None
    if value is not None and link is None and value.function is not None:  # Of the things of one group.
        return _FUNCTIONS["count"] if value.property is None else f"{_FUNCTIONS[value.function]} {_value(value)}"
    if value is None or link is None or value.edge or value.function or value.property not in _NAMING:
        return _value(value)
    return label_words(link.other.label, plural=False)


def number_words(form: Form) -> str:
    """The number that stands beside each answer: by what they are ordered, or what is told of each group."""
    if form.group is None:
        return column_words(form.nodes.order.by if form.nodes.order is not None else form.value)
    return f"{_number(form)} of {label_words(form.nodes.label, plural=True)}"


def set_words(nodes: Nodes) -> str:
    """A set of nodes in words."""
    return _nodes(nodes, plural=True)


def _claim(form: Form) -> str:
    nodes = form.nodes
    if form.whole is not None:
        links = tuple(each for each in nodes.links if each not in form.whole.links)
        conditions = tuple(each for each in nodes.conditions if each not in form.whole.conditions)
        said = _nodes(Nodes(nodes.label, conditions=conditions, links=links), plural=True)
        all_ = f"all of {_names(nodes, 'and')}" if nodes.entities else f"all {_nodes(form.whole, plural=True)}"
        return f"{all_} are {said}"
    if form.bound is not None:
        number = words(replace(form, asks="number", bound=None))
        return f"the {number[:1].lower()}{number[1:]} is {_SIGNS[form.bound[0]]} {form.bound[1]:,.10g}"
    if nodes.entities:
        kind = replace(nodes, entities=())
        kind = kind.within[0] if len(kind.within) == 1 and replace(kind, within=()).bare else kind
        return f"{_names(nodes)} is one of the {_nodes(kind, plural=True)}"
    return f"there are {_nodes(nodes, plural=True)}"


def _nodes(nodes: Nodes, *, plural: bool) -> str:
    text = _names(nodes) if nodes.entities else label_words(nodes.label, plural=plural)
    denied = [link for link in nodes.links if link.negated and not link.no_others]
    parts = [_link(link, plural=plural) for link in nodes.links if link not in denied]
    parts += [_condition(each) for each in nodes.conditions]
    parts += [f"among {_nodes(each, plural=True)}" for each in nodes.within]
    parts += [" or ".join(_said_of(each, plural=plural) for each in nodes.either)] if nodes.either else []
    excepted = [f"except those {' or '.join(_link(each, plural=plural) for each in denied)}"] if denied else []
    for each in nodes.without:
        excepted.append(
            f"except {_nodes(each, plural=False) if each.entities else f'those {_said_of(each, plural=True)}'}"
        )
    text = " ".join([text, *filter(None, [" and ".join(parts)]), *excepted])
    return text if nodes.order is None else f"{text}, {_order(nodes.order)}"


def _said_of(nodes: Nodes, *, plural: bool) -> str:
    """What is said of the nodes of a set, without what they are."""
    said = _nodes(nodes, plural=plural).removeprefix(label_words(nodes.label, plural=plural)).strip(", ")
    return f"not {said.removeprefix('except ')}" if said.startswith("except ") else said


def _names(nodes: Nodes, joined: str = "or") -> str:
    names = list(dict.fromkeys(entity.name for entity in nodes.entities))
    text = f" {joined} ".join(names[:3]) + (" …" if len(names) > 3 else "")
    return text if len(nodes.entities) == len(names) else f"any {text}"


def _link(link: Link, *, plural: bool) -> str:
    if link.no_others:
        return "no others"
    if link.count is not None:
        comparison, number = link.count
        other = f"{_SIGNS.get(comparison, comparison)} {number} {_nodes(link.other, plural=True)}"
    else:
        other = _nodes(link.other, plural=not link.other.entities)
    deep = ", directly or indirectly" if link.deep else ""
    return " ".join([_path(link, other, plural=plural) + deep, *map(_kept, link.conditions)])


def _kept(each: Predicate) -> str:
    """A condition on a relationship."""
    if each.kind == "boolean":
        return f"{'' if each.value else 'not '}as {' '.join(bare_words(each.property))}"
    if each.kind == "missing":
        return f"with {'' if each.comparison == '<>' else 'no '}{written_out(each.property)}"
    return f"with {written_out(each.property)} {each.comparison} {each.value}"


def _path(link: Link, other: str, *, plural: bool) -> str:
    """What a set says of itself by its relation to another."""
    ends = [plural, *(True for _ in link.path[1:]), not link.other.entities]
    subjects = [ends[i] if step.forward else ends[i + 1] for i, step in enumerate(link.path)]
    said = other
    for i, step in reversed(list(enumerate(link.path))):
        said = step_words(step.relation, step.forward, subjects[i]).format(said)
        if i:
            said = f"{label_words(link.path[i - 1].target, plural=True)} {said}"
    return said


def _condition(each: Condition) -> str:
    name = written_out(each.property or (each.predicate.property if each.predicate else ""))
    negated = "not " if each.negated else ""
    says = {">": "higher", "<": "lower"}.get(each.comparison, "equal")
    if each.path:
        step = each.path[0]
        whose = step_words(step.relation, not step.forward, True).format("they" if step.forward else "them")
        return f"with {name} {negated}{says} than that of the ones {whose}"
    if each.beyond is not None:
        return f"with {_value(each.value)} {negated}{says} than {_value(each.beyond)}"
    if each.other and each.value is not None and each.value.link is not None:
        way = each.value.link.path  # There and back.
        label = label_words(way[len(way) // 2 - 1].target, plural=False)
        return f"with {written_out(each.other)} {negated}{says} than the average of the same {label}"
    if each.other and each.value is not None:
        return f"with {written_out(each.other)} {negated}{says} than the average of the same {name}"
    if each.other:
        return f"with {name} {negated}{says} than {written_out(each.other)}"
    if each.than is not None:
        name = name if each.value is None else _value(each.value)
        if each.average:
            return f"with {name} {negated}{says} than the average of {_nodes(each.than, plural=True)}"
        return f"with {name} {negated}{says} than that of {_nodes(each.than, plural=False)}"
    if each.predicate is not None:
        name = name if each.value is None else _value(each.value)
        values = " or ".join(str(p.value) for p in (each.predicate, *each.alternatives))
        if each.predicate.comparison == "CONTAINS":
            return f"whose {name} {_TESTS['CONTAINS'][each.negated]} {values}"
        return f"with {name} {negated}{each.predicate.comparison} {values}"
    if each.test == "CONTAINS":
        return f"whose {name} is {negated}in {month_name(each.text.strip('-'))}"
    return f"whose {name} {_TESTS[each.test or 'IS NULL'][each.negated]} {each.text}".strip()


def _order(order: Order) -> str:
    way = "highest" if order.descending else "lowest"
    if order.by.kind == "text" and order.limit is None:
        return f"by {_value(order.by)}, {'Z to A' if order.descending else 'A to Z'}"
    skipped = f" after the first {order.skip}" if order.skip else ""
    count = f": {order.limit}{skipped}" if order.limit is not None else ""
    each = written_out(order.per_property or (order.per[-1].target if order.per else ""))
    each = _in_period(each, order.per_period)
    return f"by {_value(order.by)}, {way} first{count}{f' for each {each.lower()}' if each else ''}"


def _in_period(name: str, period: PeriodUnit) -> str:
    return f"{period} of {name}" if period and period != name else name


def _value(value: Value | None) -> str:
    if value is None:
        return "number"
    name = written_out(value.property) if value.property else ""
    name = f"length of {name}" if value.kind == LENGTH else _in_period(name, value.period)
    if value.link is None:
        return name
    if value.since is not None:
        ends = [written_out(value.since[0]), name]
        name = f"{value.since[1]} from {' to '.join(reversed(ends) if value.since[2] else ends)}"
    other = " ".join([_nodes(value.link.other, plural=True), *map(_kept, value.link.conditions)])
    if not name:
        return f"{_FUNCTIONS[value.function or 'count']} of {other}"
    return f"{_FUNCTIONS[value.function]} {name} of {other}" if value.function else f"{name} of {other}"
