"""Inference of node labels and relationship directions from the schema.

Every relationship pattern limits the labels of its two ends. The limits are propagated from node to node until nothing
changes (arc consistency, which is exact for patterns without cycles). A relationship that cannot point as written, but
only the other way, is reversed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.tools.cypher.lexer import Edit
from clew.tools.cypher.quoting import quoted
from clew.tools.cypher_repair.draft import Draft
from clew.tools.cypher_repair.syntax import ParsedQuery, RelationshipPattern, Variable
from clew.tools.graph.schema import Schema

Pairs = frozenset[tuple[str, str]]
Labels = dict[Variable, frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Joint:
    """A relationship pattern between two node variables, in the order of the text."""

    relationship: RelationshipPattern
    left: Variable
    right: Variable
    rightwards: Pairs
    """Pairs of (left label, right label) with which it can point from left to right."""
    leftwards: Pairs

    @property
    def written(self) -> Pairs:
        pattern = self.relationship
        if not pattern.directed:
            return self.rightwards | self.leftwards
        return self.rightwards if pattern.right else self.leftwards

    @property
    def turned(self) -> Pairs:
        return self.leftwards if self.relationship.right else self.rightwards


def possible_labels(query: ParsedQuery, schema: Schema) -> Labels:
    """The possible labels of every node variable: those that it has or, if it has none that the schema knows, those
    that it can have in either direction of its relationships."""
    joints = _joints(query, schema)
    limits = [(joint, joint.rightwards | joint.leftwards) for joint in joints]
    return _narrowed(_named_labels(query, schema), limits, schema)


def correct_unknown_labels(draft: Draft) -> None:
    """Replace an unknown label if the relationships of the node leave only one."""
    query = draft.parsed()
    possible = possible_labels(query, draft.schema)
    edits = []
    for node in query.nodes:
        unknown = [token for token in node.labels if token.name not in draft.schema.labels]
        only = possible[node.variable]
        if len(unknown) == len(node.labels) == 1 and unknown[0].name != draft.terms.scope and len(only) == 1:
            label = next(iter(only))
            draft.changed(f"label “{unknown[0].name}”, not in the graph, is “{label}” by its relationships")
            edits.append(Edit(unknown[0].start, unknown[0].end, quoted(label)))
    draft.edit(edits)


def correct_directions(draft: Draft) -> None:
    """Reverse relationships that the schema only has in the other direction. Those that fit neither way are left, with
    a doubt."""
    query = draft.parsed()
    undecided = _joints(query, draft.schema)
    named, decided, edits = _named_labels(query, draft.schema), list[tuple[_Joint, Pairs]](), list[Edit]()
    while undecided:
        joint = undecided.pop(0)
        open_ = [(other, other.written | other.turned) for other in undecided]
        possible = _narrowed(named, [*decided, *open_], draft.schema)
        if _fits(joint.written, joint, possible):
            decided.append((joint, joint.written))
        elif joint.relationship.directed and _fits(joint.turned, joint, possible):
            decided.append((joint, joint.turned))
            edits += _turned(joint.relationship, query)
            draft.changed(f"direction of {_words(joint.relationship)} turned round")
        else:
            draft.doubt(
                f"no {_words(joint.relationship)} joins {_spoken(possible[joint.left])} and "
                f"{_spoken(possible[joint.right])}"
            )
    draft.edit(edits)


def add_missing_labels(draft: Draft, anchored: Iterable[Variable], query: ParsedQuery) -> None:
    """Add the label of a node that is found by its properties; without it, the database scans all nodes."""
    joints = _joints(query, draft.schema)
    limits = [(joint, joint.written) for joint in joints]
    possible = _narrowed(_named_labels(query, draft.schema), limits, draft.schema)
    edits = []
    for variable in dict.fromkeys(anchored):
        only = possible.get(variable, frozenset())
        if variable.kind == "node" and not variable.labels and len(only) == 1:
            (label,) = only
            edits.append(added_label(variable, label, query))
            draft.changed(f"label “{label}” added to {variable.name or 'a node'}, by its relationships")
    draft.edit(edits)


def added_label(variable: Variable, label: str, query: ParsedQuery) -> Edit:
    """The edit that adds a label to the first pattern of a node without one."""
    node = variable.nodes[0]
    end = node.named.end if node.named else query.tokens[node.first].end
    return Edit(end, end, f":{quoted(label)}")


def _joints(query: ParsedQuery, schema: Schema) -> list[_Joint]:
    found = []
    for chain in query.chains:
        for place, relationship in enumerate(chain.relationships):
            pairs = _pairs(relationship, schema)
            back = frozenset((target, source) for source, target in pairs)
            left, right = chain.nodes[place].variable, chain.nodes[place + 1].variable
            found.append(_Joint(relationship, left, right, pairs, back))
    return found


def _pairs(relationship: RelationshipPattern, schema: Schema) -> Pairs:
    """The (source, target) labels of one hop, or of the first and last hop of a longer path."""
    types = {token.name for token in relationship.types}
    pairs = [(each.source, each.target) for each in schema.relations if not types or each.type in types]
    if relationship.star is None:
        return frozenset(pairs)
    ends = {source for source, _ in pairs}, {target for _, target in pairs}
    if relationship.least == 0:
        return frozenset((a, b) for a in schema.labels for b in schema.labels)
    return frozenset((source, target) for source in ends[0] for target in ends[1])


def _named_labels(query: ParsedQuery, schema: Schema) -> Labels:
    everything = frozenset(schema.labels)
    found = {}
    for variable in query.variables:
        negated = any(node.negated_labels for node in variable.nodes)
        found[variable] = everything if negated else frozenset(variable.labels & everything) or everything
    return found


def _narrowed(named: Labels, limits: Sequence[tuple[_Joint, Pairs]], schema: Schema) -> Labels:
    """The labels after propagation of all limits. Labels in the query stay, because a node may have several."""
    possible = dict(named)
    free = {variable for variable, labels in named.items() if len(labels) == len(schema.labels)}
    changed = True
    while changed:
        changed = False
        for joint, pairs in limits:
            left, right = possible[joint.left], possible[joint.right]
            fitting = [(a, b) for a, b in pairs if a in left and b in right]
            for variable, labels in ((joint.left, {a for a, _ in fitting}), (joint.right, {b for _, b in fitting})):
                if fitting and variable in free and len(labels) < len(possible[variable]):
                    possible[variable] = frozenset(labels)
                    changed = True
    return possible


def _fits(pairs: Pairs, joint: _Joint, possible: Labels) -> bool:
    left, right = possible[joint.left], possible[joint.right]
    return any(a in left and b in right for a, b in pairs)


def _turned(relationship: RelationshipPattern, query: ParsedQuery) -> list[Edit]:
    first, last = query.tokens[relationship.first], query.tokens[relationship.last - 1]
    if relationship.left:
        return [Edit(first.start, first.end, ""), Edit(last.end, last.end, ">")]
    return [Edit(first.start, first.start, "<"), Edit(last.start, last.end, "")]


def _words(relationship: RelationshipPattern) -> str:
    return "|".join(token.name for token in relationship.types) or "relationship"


def _spoken(labels: frozenset[str]) -> str:
    return " or ".join(sorted(labels)) if len(labels) <= 3 else "any node"
