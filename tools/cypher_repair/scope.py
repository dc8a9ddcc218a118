"""One graph of several in a database: its label in every node pattern, or rows of the others would be seen."""

from __future__ import annotations

from clew.tools.cypher.lexer import Edit, QueryRejected
from clew.tools.cypher.quoting import quoted
from clew.tools.cypher_repair.outcome import Draft
from clew.tools.cypher_repair.syntax import NodePattern, Reading

_READING = frozenset({"apoc.map.fromnodes"})
"""Functions that look up nodes of their own."""


def confine(draft: Draft) -> None:
    """Add the scope label to every node pattern, also within EXISTS { } and comprehensions.

    The reader refuses what it does not understand, so no pattern is missed. Nodes in the middle of a path of
    variable length have no pattern; they are of the same graph, since no relationship leads out of one.
    """
    scope = draft.terms.scope
    if scope is None:
        return
    reading = draft.read()
    if _READING.intersection(reading.functions):
        raise QueryRejected("The query looks up nodes by a function.", "Use MATCH.", cypher=draft.cypher)
    draft.edit([edit for node in reading.nodes for edit in _confined(node, scope, reading)])


def _confined(node: NodePattern, scope: str, reading: Reading) -> list[Edit]:
    """Beside labels joined by colons the scope is one more; any other expression becomes `(…)&scope`."""
    tokens = reading.tokens
    if node.label_span is None:
        end = node.named.end if node.named else tokens[node.first].end
        return [Edit(end, end, f":{quoted(scope)}")]
    start, end = tokens[node.label_span[0]].end, tokens[node.label_span[1] - 1].end
    if node.plain_labels:
        known = any(label.name == scope for label in node.labels)
        return [] if known else [Edit(end, end, f":{quoted(scope)}")]
    if reading.cypher[start:end].endswith(f")&{quoted(scope)}") and _is_wrapped(node, reading):
        return []
    return [Edit(start, start, "("), Edit(end, end, f")&{quoted(scope)}")]


def _is_wrapped(node: NodePattern, reading: Reading) -> bool:
    """Whether all of the label expression but its end, `&scope`, stands in one pair of brackets."""
    assert node.label_span is not None
    depth = 0
    for place in range(node.label_span[0] + 1, node.label_span[1] - 2):
        depth += (reading.tokens[place].text == "(") - (reading.tokens[place].text == ")")
        if depth == 0:
            return place == node.label_span[1] - 3
    return False
