"""Patterns of one MATCH that nothing joins: their product is a question that nobody asks, and costs the most."""

from __future__ import annotations

from clew.tools.cypher.lexer import QueryRejected
from clew.tools.cypher_repair.syntax import Chain, Reading


def refuse_products(reading: Reading) -> None:
    """Refuse a MATCH of several patterns without a common variable, a condition or a given value.

    With a condition the patterns may be joined by it (`a.year = b.year`), and a pattern with a given value has few
    matches: those run, within the time limit.
    """
    for clause in sorted({chain.clause for chain in reading.chains if chain.clause} - set(reading.wheres)):
        chains = [chain for chain in reading.chains if chain.clause == clause]
        loose = [chain for chain in chains if not _is_held(chain)]
        if len(loose) > 1 and len(loose) == len(chains) and not _joined(chains, reading):
            raise QueryRejected(
                "Two patterns of a MATCH have nothing in common, so that every match of one goes with every match of "
                "the other.", "Join them by a variable, or give the query one pattern.", cypher=reading.cypher,
            )  # fmt: skip


def _is_held(chain: Chain) -> bool:
    return any(node.properties or node.conditioned for node in chain.nodes) or any(
        relationship.properties for relationship in chain.relationships
    )


def _joined(chains: list[Chain], reading: Reading) -> bool:
    """Whether some variable of each chain also stands in another pattern."""
    for chain in chains:
        own = {node.variable for node in chain.nodes} | {each.variable for each in chain.relationships}
        outside = [other for other in reading.chains if other is not chain]
        shared = own & {node.variable for other in outside for node in other.nodes}
        shared |= own & {each.variable for other in outside for each in other.relationships}
        if shared:
            return True
    return False
