"""A query as one line of Cypher with the names of its entities, for a model to read and write.

This text is never executed. It stands for the query that it was written from, which passes names as parameters.
"""

from __future__ import annotations

from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.words import words


def written(query: Query, answer: str | None = None) -> str:
    """The query; with `answer`, the pattern that finds a node of that name (GraphRAFT Figure 4)."""
    pattern = ", ".join(_chain(chain, answer) for chain in query.chains)
    conditions = [f"x.{_name(f.property)} {f.comparison} {_value(f.value)}" for f in query.filters]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    # Times have no short form in Cypher, so they are written in words.
    timed = f" // {words(query)}" if query.timed else ""
    if answer is not None:
        return f"{pattern}{where}{timed}"
    walk = "REPEATABLE " if query.walk else ""
    return f"MATCH {walk}{pattern}{where} RETURN {_returned(query)}{timed}"


def _chain(chain: Chain, answer: str | None) -> str:
    named = f" {{name: {_value(answer)}}}" if answer is not None else ""
    end = "" if chain.hops else "x"
    if isinstance(chain.anchor, str):
        text = f"({end}:{_name(chain.anchor)}{named if end else ''})"
    else:
        text = f"({end}:{_name(chain.anchor.label)} {{name: {_value(chain.anchor.name)}}})"
    for hop in chain.hops[:-1]:
        text += _hop(hop, f"(:{_name(hop.target)})" if hop.typed else "()")
    for hop in chain.hops[-1:]:
        text += _hop(hop, f"(x:{_name(hop.target)}{named})" if hop.typed or named else "(x)")
    return text


def _hop(hop: Hop, node: str) -> str:
    relation = f"[:{_name(hop.relation)}]"
    return f"-{relation}->{node}" if hop.forward else f"<-{relation}-{node}"


def _returned(query: Query) -> str:
    if query.order is not None:
        by = query.order.by
        value = f"x.{_name(by)}" if isinstance(by, str) else f"count((x){_hop(by, '()')})"
        return f"x ORDER BY {value} {'DESC' if query.order.descending else 'ASC'} LIMIT 1"
    if query.returns == "count":
        return "count(x)"
    if query.returns == "property" and query.property_name is not None:
        return f"x.{_name(query.property_name)}"
    if query.returns == "period":
        return "period"
    return "x"


def _name(name: str) -> str:
    return name if name.isidentifier() else quoted(name)


def _value(value: Any) -> str:
    """A value on one line."""
    if not isinstance(value, str):
        return str(value)
    return '"' + " ".join(value.replace("\\", "\\\\").replace('"', '\\"').split()) + '"'
