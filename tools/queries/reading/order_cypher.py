"""The clauses that order a set and keep its first nodes, with ties."""

from __future__ import annotations

from collections.abc import Iterator

from clew.tools.queries.reading.form import Order


def ordered(order: Order, node: str, key: str, name: str, kept: str) -> Iterator[str]:
    """Clauses that leave the nodes of a set with their `key`, as many as the order keeps.

    Args:
        order: The order.
        node: The variable of the nodes.
        key: What they are ordered by.
        name: What breaks ties where ties are not kept.
        kept: Variables that are carried on, each with a comma behind it.
    """
    yield f"WITH {kept}{node}, {key} AS key WHERE key IS NOT NULL"
    way = order.way
    if order.limit is None:
        return
    if order.ties and not order.skip and order.limit == 1:
        best = "max" if order.descending else "min"
        yield f"WITH {kept}collect({{n: {node}, key: key}}) AS rows, {best}(key) AS best"
        yield f"UNWIND rows AS row WITH {kept}row.n AS {node}, row.key AS key, best WHERE key = best"
    elif order.ties and order.skip:
        yield f"WITH {kept}collect({{n: {node}, key: key}}) AS rows, collect(DISTINCT key) AS keys"
        yield f"UNWIND keys AS each WITH {kept}rows, each ORDER BY each {way} SKIP {order.skip} LIMIT 1"
        yield f"UNWIND rows AS row WITH {kept}row.n AS {node}, row.key AS key, each WHERE key = each"
    else:
        yield f"WITH {kept}{node}, key ORDER BY key {way}, {name} SKIP {order.skip} LIMIT {order.limit}"
