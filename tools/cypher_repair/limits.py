"""Limits of a query: it only reaches its own graph, and has no Cartesian product of patterns."""

from __future__ import annotations

from clew.tools.cypher.lexer import Edit, Refused
from clew.tools.cypher.quoting import quoted
from clew.tools.cypher_repair.draft import Draft
from clew.tools.cypher_repair.syntax import Chain, NodePattern, ParsedQuery

_READING = frozenset({"apoc.map.fromnodes"})
"""Functions that look up nodes by themselves."""


def confine(draft: Draft) -> None:
    """Add the scope label to every node pattern, also within EXISTS { } and comprehensions.

    The parser refuses what it does not understand, so no pattern is missed. Inner nodes of variable-length paths have
    no pattern, but are of the same graph, because no relationship leaves a graph.
    """
    scope = draft.terms.scope
    if scope is None:
        return
    query = draft.parsed()
    if _READING.intersection(query.functions):
        raise Refused("The query looks up nodes by a function.", "Use MATCH.", cypher=draft.cypher)
    draft.edit([edit for node in query.nodes for edit in _confined(node, scope, query)])


def _confined(node: NodePattern, scope: str, query: ParsedQuery) -> list[Edit]:
    """The label expression with the scope: one more label after colons, or `(…)&scope` for any other expression."""
    tokens = query.tokens
    if node.label_span is None:
        end = node.named.end if node.named else tokens[node.first].end
        return [Edit(end, end, f":{quoted(scope)}")]
    start, end = tokens[node.label_span[0]].end, tokens[node.label_span[1] - 1].end
    if node.plain_labels:
        known = any(label.name == scope for label in node.labels)
        return [] if known else [Edit(end, end, f":{quoted(scope)}")]
    if query.cypher[start:end].endswith(f")&{quoted(scope)}") and _is_wrapped(node, query):
        return []
    return [Edit(start, start, "("), Edit(end, end, f")&{quoted(scope)}")]


def _is_wrapped(node: NodePattern, query: ParsedQuery) -> bool:
    """Whether the label expression before `&scope` is in one pair of parentheses."""
    assert node.label_span is not None
    depth = 0
    for place in range(node.label_span[0] + 1, node.label_span[1] - 2):
        depth += (query.tokens[place].text == "(") - (query.tokens[place].text == ")")
        if depth == 0:
            return place == node.label_span[1] - 3
    return False


def refuse_products(query: ParsedQuery) -> None:
    """Refuse a MATCH of several patterns without a common variable, a condition or a given value.

    A condition may join the patterns (`a.year = b.year`), and a pattern with a given value has few matches. Such
    queries run within the time limit.
    """
    for clause in sorted({chain.clause for chain in query.chains if chain.clause} - set(query.wheres)):
        chains = [chain for chain in query.chains if chain.clause == clause]
        loose = [chain for chain in chains if not _is_held(chain)]
        if len(loose) > 1 and len(loose) == len(chains) and not _joined(chains, query):
            raise Refused(
                "Two patterns of a MATCH have nothing in common, so that every match of one goes with every match of "
                "the other.", "Join them by a variable, or give the query one pattern.", cypher=query.cypher,
            )  # fmt: skip


def _is_held(chain: Chain) -> bool:
    return any(node.properties or node.conditioned for node in chain.nodes) or any(
        relationship.properties for relationship in chain.relationships
    )


def _joined(chains: list[Chain], query: ParsedQuery) -> bool:
    """Whether a variable of the chain also occurs in another pattern."""
    return any(
        not chain.variables.isdisjoint(other.variables)
        for chain in chains
        for other in query.chains
        if other is not chain
    )
