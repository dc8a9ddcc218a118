"""Clauses that order a set and keep its first nodes, with ties, or compare its values with those of another set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from clew.tools.queries.calculated import term
from clew.tools.queries.reading.forms.form import Condition, Order, Value
from clew.tools.queries.reading.forms.functions import BY_FREQUENCY, LENGTH, Function
from clew.tools.queries.reading.forms.period_cypher import in_period


def ordered(
    order: Order, node: str, key: str, name: str, kept: str, group: tuple[str, str] | None = None
) -> Iterator[str]:
    """Clauses that leave the nodes of a set with their `key`, as many as the order keeps.

    Args:
        order: The order.
        node: The variable of the nodes.
        key: What they are ordered by.
        name: What breaks ties where ties are not kept.
        kept: Variables that are carried on, each with a comma behind it.
        group: Of an order within groups, the clause that finds the group of a node, and the group.
    """
    most_of_none = order.descending and order.by.function == "count"  # Nobody has the most of what nobody has.
    told = f" WHERE key {'> 0' if most_of_none else 'IS NOT NULL'}"
    yield f"WITH {kept}{node}, {key} AS key{'' if order.limit is None and group is None else told}"
    way = order.way
    if group is not None:
        yield from _first_of_each(order, node, name, kept, group)
        return
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


def listing(order: Order | None, group_name: str) -> tuple[str, str]:
    """What is returned beside the nodes of a set, and the order of the rows.

    Args:
        order: The order of the set.
        group_name: The name of a node in `each`.
    """
    if order is None:
        return "", " ORDER BY name"
    if order.by.kind == "text" and not order.grouped:
        return ", toLower(toString(key)) AS key", f" ORDER BY key {order.way}, name"
    if not order.grouped:
        missing_last = "key IS NULL, " if order.limit is None else ""
        return ", key", f" ORDER BY {missing_last}key {order.way}, name"
    return f", key, {'each' if order.per_property else group_name} AS of", f" ORDER BY of, key {order.way}, name"


def _first_of_each(order: Order, node: str, name: str, kept: str, group: tuple[str, str]) -> Iterator[str]:
    """Clauses that leave the first nodes of each group, with their `key`, and the group as `each`."""
    found, each = group
    row = f"collect({{n: {node}, key: key}})"
    yield f"{found}WITH {kept}{node}, key, {each} AS each WHERE each IS NOT NULL"
    if order.limit is None:
        return
    if order.limit == 1:
        best = "max" if order.descending else "min"
        yield f"WITH {kept}each, {row} AS rows, {best}(key) AS best"
        yield f"UNWIND rows AS row WITH {kept}each, row.n AS {node}, row.key AS key, best WHERE key = best"
    else:
        yield f"WITH {kept}each, {node}, key ORDER BY key {order.way}, {name}"
        yield f"WITH {kept}each, {row}[..{order.limit}] AS rows"
        yield f"UNWIND rows AS row WITH {kept}each, row.n AS {node}, row.key AS key"
    yield f"WITH DISTINCT {kept}each, {node}, key"


def hardest(each: Condition, own: str, node: str, name: str, kept: str) -> Iterator[str]:
    """Clauses that leave, of the values of the set that is compared with, the one that is hardest to pass as `name`.

    Args:
        each: The comparison.
        own: The value of a node of that set.
        node: The variable of its nodes.
        name: The variable for the value.
        kept: Variables that are carried on, each with a comma behind it.
    """
    worst = "avg" if each.average else "max" if each.comparison in (">", ">=") else "min"
    if each.value is not None:
        yield f"WITH {kept}{node}, {own} AS other"
        own = "other"
    yield f"WITH {kept}{worst}({own}) AS {name}"


def compared(each: Condition, own: str, than: str, carried: str) -> Iterator[str]:
    """Clauses that keep the nodes whose value compares with that of other nodes."""
    yield f"WITH {carried}, {own} AS own"
    test = f"own {each.comparison} {than}"
    yield f"WITH {carried}, own WHERE {f'NOT ({test})' if each.negated else test}"
    yield f"WITH DISTINCT {carried}"


def own_value(value: Value, owner: str) -> str:
    """A property of a node or relationship: as a number where one is written as text, or the length of a text."""
    own = term(owner, value.property or "")
    if value.period:
        return in_period(own, value.period)
    if value.kind == LENGTH:
        return f"size(toString({own}))"
    return f"toFloat({own})" if value.kind == "written number" else own


def over(function: Function | None, lines: list[str]) -> str:
    """The expression for a function over the values in `own`, and before it, in `lines`, the clauses that it needs.

    For the values that occur most often, or least often, there is a row each.
    """
    if function not in BY_FREQUENCY:
        return applied(function or "count", "own")
    best = "max" if function == "commonest" else "min"
    lines += [
        "UNWIND [] + own AS each WITH each AS own, count(*) AS times WHERE own IS NOT NULL",
        f"WITH collect({{value: own, times: times}}) AS rows, {best}(times) AS best",
        "UNWIND rows AS row WITH row.value AS own, row.times AS times, best WHERE times = best",
    ]
    return "own"


def applied(function: Function, own: str) -> str:
    """The expression for a function over the rows."""
    if function == "difference":
        return f"max({own}) - min({own})"
    if function == "ratio":  # Nothing is divided by 0.
        return f"CASE WHEN min({own}) <> 0 THEN 1.0 * max({own}) / min({own}) END"
    return f"percentileCont({own}, 0.5)" if function == "median" else f"{function}({own})"


def over_linked(function: Function | None, own: str) -> str:
    """The expression for a function over a property of linked nodes; the sum of no value is none, not 0."""
    total = applied(function, own) if function else f"collect({own})"
    return f"CASE WHEN count({own}) > 0 THEN {total} END" if function == "sum" else total


def best_rows(best: Literal["highest", "lowest"], limit: int) -> Iterator[str]:
    """Clauses that keep the rows of `name` and `value` with the best values; of one, all that are as good."""
    if limit > 1:
        yield f"WITH name, value ORDER BY value {'DESC' if best == 'highest' else 'ASC'}, name LIMIT {limit}"
        return
    function = "max" if best == "highest" else "min"
    yield f"WITH collect({{name: name, value: value}}) AS rows, {function}(value) AS best"
    yield "UNWIND rows AS row WITH row.name AS name, row.value AS value, best WHERE value = best"


def shares(of: str) -> Iterator[str]:
    """Clauses that make the number of each of several, as `value`, its percentage of them all.

    Args:
        of: The variable of what each number is of.
    """
    yield f"WITH collect({{of: {of}, value: value}}) AS rows, sum(value) AS every WHERE every > 0"
    yield f"UNWIND rows AS row WITH row.of AS {of}, round(10000.0 * row.value / every) / 100 AS value"


def beside(each: Condition, node: str, pattern: str, end: str) -> str:
    """A property compared with another of the node; with a `pattern`, with one of the nodes at its end."""
    text = f"{term(node, each.property)} {each.comparison} {term(end, each.other)}"
    return f"EXISTS {{ MATCH {pattern} WHERE {text} }}" if pattern else text
