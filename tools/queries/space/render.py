"""A query as Cypher that is valid on ArcadeDB and Neo4j 5.

Every anchor is matched by its own clause; the hops follow in one MATCH (trails: no relationship twice) or one MATCH
a hop (walks). Names are quoted, values are parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.queries.space import times
from clew.tools.queries.space.query import ANSWER, Chain, Hop, Order, Query, TimeAnswer, TimeOrder, anchor_clause


@dataclass(frozen=True, slots=True)
class Statement:
    """Cypher with its parameters."""

    cypher: str
    parameters: dict[str, Any]


IMPORTED = NodeTerms()


def match_clauses(
    query: Query, terms: NodeTerms = IMPORTED, *, named: bool = False, also: Sequence[str] = (), ids: str = ""
) -> Statement:
    """The MATCH part with its conditions and those of `also`; the node where the chains meet is `answer`. With
    `named`, or where times matter, every node and relationship on the way has a variable: n{chain}_{hop} and
    r{chain}_{hop}. `ids` is a parameter with the ids of the answers that are wanted, if only some are."""
    clauses: list[str] = []
    parameters = terms.parameters
    for number, chain in enumerate(query.chains):
        every = named or query.timed
        if ids and len(query.chains) == 1 and isinstance(chain.anchor, str) and chain.hops and chain.hops[-1].typed:
            # From all nodes of the label, the database would look at every relationship.
            clauses.append(terms.by_ids(ANSWER, chain.hops[-1].target, ids))
            clauses += _hop_clauses(list(_backwards(chain)), f"({ANSWER})", query.walk, every)
            continue
        start = f"a{number}" if chain.hops else ANSWER
        clauses.append(anchor_clause(start, chain.anchor, f"a{number}", terms))
        also = [*also, f"{terms.id(ANSWER)} IN ${ids}"] if ids and not number else also
        if isinstance(chain.anchor, Entity):
            parameters[f"a{number}"] = chain.anchor.id
        clauses += _hop_clauses(_forwards(chain, number), f"({start})", query.walk, every)
    conditions = []
    for number, condition in enumerate(query.filters):
        conditions.append(f"{ANSWER}.{quoted(condition.property)} {condition.comparison} $f{number}")
        parameters[f"f{number}"] = condition.value
    if query.time_filters:
        bound, values = times.fact_clauses(query, terms)
        compared, more = times.conditions(query)
        clauses, conditions, parameters = clauses + bound, conditions + compared, parameters | values | more
    return Statement("\n".join([*clauses, *_where([*conditions, *also])]), parameters)


def _where(conditions: Sequence[str]) -> list[str]:
    return [f"{'AND' if number else 'WITH * WHERE'} {text}" for number, text in enumerate(conditions)]


def _forwards(chain: Chain, number: int) -> list[tuple[Hop, str, str]]:
    """The hops of a chain, with the variables of the node that each leads to and of its relationship."""
    last = len(chain.hops) - 1
    names = [ANSWER if place == last else f"n{number}_{place}" for place in range(last + 1)]
    return [(hop, name, f"r{number}_{place}") for place, (hop, name) in enumerate(zip(chain.hops, names, strict=True))]


def _backwards(chain: Chain) -> Iterator[tuple[Hop, str, str]]:
    """The hops of a query's only chain from the answer back to its anchor, a label."""
    assert isinstance(chain.anchor, str)
    for place, hop in reversed(list(enumerate(chain.hops))):
        before = chain.hops[place - 1] if place else None
        target, typed = (before.target, before.typed) if before is not None else (chain.anchor, True)
        name = f"n0_{place - 1}" if place else "a0"
        yield Hop(hop.relation, not hop.forward, target, typed=typed), name, f"r0_{place}"


def _hop_clauses(hops: Sequence[tuple[Hop, str, str]], text: str, walk: bool, named: bool) -> list[str]:
    """The clauses of hops, from the pattern `text` of the node that they start at."""
    clauses = []
    for place, (hop, node, relationship) in enumerate(hops):
        name = node if named or walk or place == len(hops) - 1 else ""
        text += hop.pattern(name, relationship if named else "")
        if walk:
            clauses.append(f"MATCH {text}")
            text = f"({name})"
    return clauses or ([f"MATCH {text}"] if hops else [])


def node_columns(variable: str, terms: NodeTerms) -> str:
    """The columns id, name and label of a node; `entity_of` reads them."""
    return f"{terms.id(variable)} AS id, {terms.name(variable)} AS name, {terms.label(variable)} AS label"


def entity_of(row: Mapping[str, Any]) -> Entity:
    """The node of a row with `node_columns`."""
    return Entity(str(row["id"]), str(row["name"]), str(row["label"]))


def cypher(query: Query, terms: NodeTerms = IMPORTED) -> Statement:
    """The query that answers: columns id, name, label, support (and value for a superlative), or value, support, or
    began, ended, support for a time."""
    node = node_columns(ANSWER, terms)
    matched = match_clauses(query, terms, also=needed(query))
    parameters = matched.parameters
    if query.order is not None:
        tail = _ordered(query.order, node)
    elif query.time_order is not None:
        tail = _in_turn(query.time_order, query, node)
    elif query.time_answer is not None:
        tail = _told(query.time_answer, query)
    elif query.returns == "count":
        tail = _counted(query, terms)
        parameters = parameters | ({"asked": [anchor.id for anchor in query.anchors]} if query.anchors else {})
    elif query.returns == "property" and query.property_name is not None:
        value = f"{ANSWER}.{quoted(query.property_name)}"
        tail = f"RETURN {value} AS value, count(*) AS support\nORDER BY support DESC, value"
    else:
        tail = f"RETURN {node}, count(*) AS support\nORDER BY support DESC, name"
    return Statement(f"{matched.cypher}\n{tail}", parameters)


def needed(query: Query) -> list[str]:
    """What an answer must have, as conditions: the property that is asked for or compared, or the time."""
    if query.order is not None:
        by = query.order.by
        return [f"{ANSWER}.{quoted(by)} IS NOT NULL"] if isinstance(by, str) else []
    if query.time_order is not None:
        owner = times.variable(query.time_order.location, query)
        return [f"{times.ends(owner, query.time_order.location.time)[0]} IS NOT NULL"]
    if query.time_answer is not None:
        return [times.known(times.variable(query.time_answer.location, query), query.time_answer.location.time)]
    if query.returns == "property" and query.property_name is not None:
        return [f"{ANSWER}.{quoted(query.property_name)} IS NOT NULL"]
    return []


def _counted(query: Query, terms: NodeTerms) -> str:
    """Different answers other than the entities asked about, unless there are no others."""
    if not query.anchors:
        return f"RETURN count(DISTINCT {ANSWER}) AS value"
    return (
        f"WITH DISTINCT {ANSWER}\n"
        f"WITH sum(CASE WHEN {terms.id(ANSWER)} IN $asked THEN 0 ELSE 1 END) AS others, count(*) AS everyone\n"
        "RETURN CASE WHEN others > 0 THEN others ELSE everyone END AS value"
    )


def _ordered(order: Order, node: str) -> str:
    direction = "DESC" if order.descending else "ASC"
    if isinstance(order.by, str):
        value = f"{ANSWER}.{quoted(order.by)}"
        return (
            f"WITH DISTINCT {ANSWER}\nRETURN {node}, 1 AS support, {value} AS value\nORDER BY value {direction}, name"
        )
    counted = f"({ANSWER}){order.by.pattern('counted')}"
    return (
        f"WITH DISTINCT {ANSWER}\nMATCH {counted}\n"
        f"RETURN {node}, 1 AS support, count(DISTINCT counted) AS value\nORDER BY value {direction}, name"
    )


def _in_turn(turn: TimeOrder, query: Query, node: str) -> str:
    start, _ = times.ends(times.variable(turn.location, query), turn.location.time)
    extreme, direction = ("max", "DESC") if turn.last else ("min", "ASC")
    return (
        f"WITH {ANSWER}, {extreme}({start}) AS value, count(*) AS support\n"
        f"RETURN {node}, support, value\nORDER BY value {direction}, name"
    )


def _told(told: TimeAnswer, query: Query) -> str:
    start, end = times.ends(times.variable(told.location, query), told.location.time)
    shown = {"both": (start, end), "start": (start, start), "end": (end, end)}[told.side]
    return f"RETURN {shown[0]} AS began, {shown[1]} AS ended, count(*) AS support\nORDER BY began, ended"


def exists(hops: Sequence[Hop], start: str, *, walk: bool = False) -> str:
    """An EXISTS expression for hops from the node variable `start`."""
    if not walk:
        return f"EXISTS {{ ({start}){''.join(hop.pattern('') for hop in hops)} }}"
    nodes = [start, *(f"w{i}" for i in range(len(hops)))]
    steps = [f"MATCH ({nodes[i]}){hop.pattern(nodes[i + 1])}" for i, hop in enumerate(hops)]
    return f"EXISTS {{ {' '.join(steps)} }}"
