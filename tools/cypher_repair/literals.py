"""Conversion of literals to parameters, after linking those that name a node."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.tools.cypher.lexer import Edit, number_value
from clew.tools.cypher.quoting import quoted
from clew.tools.cypher_repair.comparisons import EQUAL, Comparison, comparisons
from clew.tools.cypher_repair.directions import Labels, add_missing_labels, added_label, possible_labels
from clew.tools.cypher_repair.draft import Draft
from clew.tools.cypher_repair.syntax import NodePattern, ParsedQuery, Variable
from clew.tools.cypher_repair.vocabulary import is_naming, naming_property
from clew.tools.graph.entity import Candidate

_LEAST_SCORE = {"fuzzy": 0.8, "dense": 0.55}
"""Minimum score at which another name is taken for the literal, by matcher."""
_SURE = frozenset({"exact", "normalised"})
_NUMBERS = frozenset({"INTEGER", "FLOAT"})


@dataclass(slots=True)
class _Named:
    """A literal that names a node, and what is known about the node."""

    variable: Variable
    labels: frozenset[str]
    all_labels: int
    literal: str
    found: Candidate | None = None

    @property
    def label(self) -> str | None:
        return next(iter(self.labels)) if len(self.labels) == 1 else None


def link_names(draft: Draft) -> None:
    """Replace names that are spelled differently in the graph, and add or correct the label of the named node."""
    query = draft.parsed()
    possible = possible_labels(query, draft.schema)
    edits: list[Edit] = []
    relabelled: dict[Variable, str] = {}
    for each in comparisons(query):
        named = _named(each, query, possible, draft)
        if named is None:
            continue
        named.found = _linked(named, draft)
        if named.found is None:
            draft.doubt(f"no node is called “{named.literal}”")
            continue
        draft.anchors[named.found.entity.id] = named.found
        edits += _respelled(each, named, draft, query)
        if each.operator == "=":
            relabelled |= _relabelled(named)
    for variable, label in relabelled.items():
        edits += _label_edits(variable, label, draft, query)
    draft.edit(edits)


def _named(each: Comparison, query: ParsedQuery, possible: Labels, draft: Draft) -> _Named | None:
    """The named node; None unless the value is the whole name of a node."""
    variable = each.variable
    if each.value is None or each.operator not in EQUAL or variable is None or variable.kind != "node":
        return None
    key = query.tokens[each.property].name if each.property is not None else ""
    labels = possible[variable]
    if key != naming_property(variable.labels or labels, draft.terms) or draft.terms.scope in variable.labels - labels:
        return None
    literal = each.value if isinstance(each.value, str) else query.tokens[each.last - 1].text
    return _Named(variable, labels, len(draft.schema.labels), literal)


def _linked(named: _Named, draft: Draft) -> Candidate | None:
    """The entity that the literal names: one with a fitting label, or else one of the same name with another label."""
    found = [c for c in draft.names(named.literal, named.label) if c.entity.label in named.labels]
    exact = [c for c in found if c.entity.name == named.literal]
    good = exact or [c for c in found if _is_likely(c)]
    sure = [c for c in good if c.matcher in _SURE]
    if sure or len(named.labels) == named.all_labels:
        return good[0] if good else None
    elsewhere = [c for c in draft.names(named.literal, None) if c.matcher in _SURE]
    labels = {c.entity.label for c in elsewhere}
    return elsewhere[0] if len(labels) == 1 else (good[0] if good else None)


def _is_likely(candidate: Candidate) -> bool:
    return candidate.score >= _LEAST_SCORE.get(candidate.matcher, 0.0)


def _respelled(each: Comparison, named: _Named, draft: Draft, query: ParsedQuery) -> list[Edit]:
    assert named.found is not None
    name = named.found.entity.name
    if each.case:
        name = name.lower() if each.case == "lower" else name.upper()
    if name == named.literal and isinstance(each.value, str):
        return []
    if name != named.literal:
        draft.changed(f"“{named.literal}” is “{name}”")
    first, last = query.tokens[each.first], query.tokens[each.last - 1]
    return [Edit(first.start, last.end, draft.parameter(name))]


def _relabelled(named: _Named) -> dict[Variable, str]:
    """The label that a node must get: that of the named entity, if the query has another one or none."""
    assert named.found is not None
    label = named.found.entity.label
    if named.found.matcher not in _SURE or label in named.variable.labels:
        return {}
    return {named.variable: label}


def _label_edits(variable: Variable, label: str, draft: Draft, query: ParsedQuery) -> list[Edit]:
    tokens = [token for node in variable.nodes for token in node.labels]
    if not tokens:
        draft.changed(f"label “{label}” added to {variable.name or 'a node'}, by its name")
        return [added_label(variable, label, query)]
    if any(len(node.labels) > 1 for node in variable.nodes):
        return []
    draft.changed(f"label “{tokens[0].name}” is “{label}”, by the node's name")
    return [Edit(token.start, token.end, quoted(label)) for token in tokens]


def parametrise(draft: Draft) -> None:
    """Convert every literal of a comparison or a property map to a parameter of the property's type."""
    query = draft.parsed()
    edits = []
    for each in comparisons(query):
        if each.value is not None:
            first, last = query.tokens[each.first], query.tokens[each.last - 1]
            edits.append(Edit(first.start, last.end, draft.parameter(_typed(each, query, draft))))
    draft.edit(edits)


def _typed(each: Comparison, query: ParsedQuery, draft: Draft) -> str | int | float:
    """The value, converted between number and text of digits to the type that it is compared with."""
    assert each.value is not None
    if each.variable is None or each.property is None:
        return each.value
    key, owners = query.tokens[each.property].name, each.variable.labels | each.variable.types
    known = (*draft.schema.properties, *draft.schema.relation_properties)
    types = {own.type for own in known if own.name == key and own.label in owners}
    if isinstance(each.value, str) and types and types <= _NUMBERS and each.value.replace(".", "", 1).isdecimal():
        number = number_value(each.value)
        if number is not None:
            draft.changed(f"“{each.value}” is a number")
            return number
    if not isinstance(each.value, str) and types == {"STRING"}:
        draft.changed(f"{each.value} is a text")
        return "".join(token.text for token in query.tokens[each.first : each.last])
    return each.value


def anchored(query: ParsedQuery) -> list[Variable]:
    """The variables with a property that is compared with a value."""
    return [each.variable for each in comparisons(query) if each.variable is not None and each.operator in EQUAL]


def label_anchors(draft: Draft) -> None:
    """Add the label of a node that is found by its properties, if its relationships leave only one."""
    query = draft.parsed()
    add_missing_labels(draft, anchored(query), query)


def link_composed_names(draft: Draft) -> None:
    """If several properties together form the name of a label's nodes, match a named node by its id instead: `(:Person
    {name: 'Ann Lee'})`, though the nodes have `first` and `last`."""
    if draft.terms.imported:
        return
    query = draft.parsed()
    edits: list[Edit] = []
    for number, each in enumerate(comparisons(query)):
        variable = each.variable
        if not isinstance(each.value, str) or each.operator != "=" or variable is None or each.property is None:
            continue
        label = next(iter(variable.labels)) if len(variable.labels) == 1 else None
        key = query.tokens[each.property].name
        if label is None or len(draft.terms.names.get(label, ())) == 1 or not is_naming(key, variable.labels):
            continue
        if any(own.label == label and own.name == key for own in draft.schema.properties):
            continue
        found = next(filter(_is_likely, draft.names(each.value, label)), None)
        if found is None:
            draft.doubt(f"no {label} is called “{each.value}”")
            continue
        made = _matched_by_id(each, found, draft, query, number)
        if made:
            draft.changed(f"“{each.value}” is matched by its id")
            draft.anchors[found.entity.id] = found
            edits += made
    draft.edit(edits)


def _matched_by_id(each: Comparison, found: Candidate, draft: Draft, query: ParsedQuery, number: int) -> list[Edit]:
    """Rewrite `n.name = '…'` as a comparison of ids, and an entry of a property map as a WHERE of the pattern."""
    assert each.variable is not None
    assert each.property is not None
    tokens = query.tokens
    node = _node_with(each, each.variable.nodes)
    if node is None:
        first = each.property - 2
        if tokens[first + 3].text != "=" or each.case:
            return []
        id = draft.terms.id(tokens[first].text)
        text = f"{id} = {draft.parameter(found.entity.id)}"
        return [Edit(tokens[first].start, tokens[each.last - 1].end, text)]
    properties = node.properties
    if properties is None or len(properties.entries) != 1 or node.conditioned:
        return []
    name = quoted(each.variable.name) if each.variable.name else f"anchor{number}"
    start = tokens[properties.first].start
    space = "" if query.cypher[start - 1] == " " else " "
    condition = f"{space}WHERE {draft.terms.id(name)} = {draft.parameter(found.entity.id)}"
    edits = [Edit(start, tokens[properties.last].end, condition)]
    if not each.variable.name:
        start = tokens[node.first].end
        edits.append(Edit(start, start, name))
    return edits


def _node_with(each: Comparison, nodes: Iterable[NodePattern]) -> NodePattern | None:
    return next((n for n in nodes if n.properties and n.properties.first < each.first < n.properties.last), None)
