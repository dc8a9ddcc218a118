"""A query as Cypher that is valid on ArcadeDB and Neo4j 5, and as words.

Every anchor is matched by its own clause; the hops follow in one MATCH (trails: no relationship twice) or one MATCH
a hop (walks). Names are quoted, values are parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.cypher_text import quoted
from tools.identifiers import bare_words, identifier_words
from tools.linking.entity import Entity
from tools.query_space.query import Chain, Hop, Query
from tools.store.node_terms import NodeTerms

ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Statement:
    """Cypher with its parameters."""

    cypher: str
    parameters: dict[str, Any]


IMPORTED = NodeTerms()


def anchor_clause(variable: str, anchor: Entity | str, parameter: str, terms: NodeTerms) -> str:
    """The clause that binds `variable` to an entity (by its id, through an index) or to a label."""
    if isinstance(anchor, str):
        return f"MATCH {terms.node(variable, anchor)}"
    return terms.by_id(variable, anchor.label, parameter)


def match_clauses(query: Query, terms: NodeTerms = IMPORTED, *, named: bool = False) -> Statement:
    """The MATCH part; the node where the chains meet is `answer`. With `named`, every node and relationship on the
    way has a variable: n{chain}_{hop} and r{chain}_{hop}."""
    clauses: list[str] = []
    parameters = terms.parameters
    for number, chain in enumerate(query.chains):
        start = f"a{number}" if chain.hops else ANSWER
        clauses.append(anchor_clause(start, chain.anchor, f"a{number}", terms))
        if isinstance(chain.anchor, Entity):
            parameters[f"a{number}"] = chain.anchor.id
        clauses += _hop_clauses(chain, number, start, query.walk, named)
    for number, condition in enumerate(query.filters):
        operator = condition.comparison
        keyword = "WITH * WHERE" if number == 0 else "AND"
        clauses.append(f"{keyword} {ANSWER}.{quoted(condition.property)} {operator} $f{number}")
        parameters[f"f{number}"] = condition.value
    return Statement("\n".join(clauses), parameters)


def _hop_clauses(chain: Chain, number: int, start: str, walk: bool, named: bool) -> list[str]:
    if not chain.hops:
        return []
    last = len(chain.hops) - 1
    node, text, clauses = start, f"({start})", []
    for place, hop in enumerate(chain.hops):
        name = ANSWER if place == last else f"n{number}_{place}" if named or walk else ""
        text += hop.pattern(name, f"r{number}_{place}" if named else "")
        if walk:
            clauses.append(f"MATCH {text}")
            node = name
            text = f"({node})"
    return clauses or [f"MATCH {text}"]


def cypher(query: Query, terms: NodeTerms = IMPORTED) -> Statement:
    """The query that answers: columns id, name, label, support (and value for a superlative), or value, support."""
    matched = match_clauses(query, terms)
    node = f"{terms.id(ANSWER)} AS id, {terms.name(ANSWER)} AS name, {terms.label(ANSWER)} AS label"
    if query.order is not None:
        tail = _ordered(query, node)
    elif query.returns == "count":
        tail = f"RETURN count(DISTINCT {ANSWER}) AS value"
    elif query.returns == "property" and query.property_name is not None:
        value = f"{ANSWER}.{quoted(query.property_name)}"
        where = "AND" if query.filters else "WHERE"
        tail = (
            f"{where} {value} IS NOT NULL\nRETURN {value} AS value, count(*) AS support\nORDER BY support DESC, value"
        )
        if not query.filters:
            tail = f"WITH {ANSWER} {tail}"
    else:
        tail = f"RETURN {node}, count(*) AS support\nORDER BY support DESC, name"
    return Statement(f"{matched.cypher}\n{tail}", matched.parameters)


def _ordered(query: Query, node: str) -> str:
    assert query.order is not None
    direction = "DESC" if query.order.descending else "ASC"
    if isinstance(query.order.by, str):
        value = f"{ANSWER}.{quoted(query.order.by)}"
        return (
            f"WITH DISTINCT {ANSWER} WHERE {value} IS NOT NULL\n"
            f"RETURN {node}, 1 AS support, {value} AS value\nORDER BY value {direction}, name"
        )
    counted = f"({ANSWER}){query.order.by.pattern('counted')}"
    return (
        f"WITH DISTINCT {ANSWER}\nMATCH {counted}\n"
        f"RETURN {node}, 1 AS support, count(DISTINCT counted) AS value\nORDER BY value {direction}, name"
    )


def exists(hops: Sequence[Hop], start: str, *, walk: bool = False) -> str:
    """An EXISTS expression for hops from the node variable `start`."""
    if not walk:
        return f"EXISTS {{ ({start}){''.join(hop.pattern('') for hop in hops)} }}"
    nodes = [start, *(f"w{i}" for i in range(len(hops)))]
    steps = [f"MATCH ({nodes[i]}){hop.pattern(nodes[i + 1])}" for i, hop in enumerate(hops)]
    return f"EXISTS {{ {' '.join(steps)} }}"


def words(query: Query) -> str:
    """The query in plain words, for people and for models: "genre of films directed by the director of X"."""
    parts = [_chain_words(chain) for chain in query.chains]
    text = " and ".join(parts)
    for condition in query.filters:
        text += f", with {' '.join(identifier_words(condition.property))} {condition.comparison} {condition.value}"
    if query.order is not None:
        by = query.order.by if isinstance(query.order.by, str) else query.order.by.relation
        extreme = "most" if query.order.descending else "least"
        text = f"the one with the {extreme} {' '.join(identifier_words(by))} among {text}"
    elif query.returns == "count":
        text = f"how many {text}"
    elif query.returns == "property" and query.property_name is not None:
        text = f"{' '.join(identifier_words(query.property_name))} of {text}"
    return text


def _chain_words(chain: Chain) -> str:
    text = f"every {chain.anchor}" if isinstance(chain.anchor, str) else chain.anchor.name
    for hop in chain.hops:
        text = f"{_hop_words(hop)} {text}"
    return text


def _hop_words(hop: Hop) -> str:
    relation = " ".join(bare_words(hop.relation))
    noun = f"{hop.target.lower()} " if hop.typed else ""
    return f"{noun}{relation} of" if hop.forward else f"{noun or 'what has '}{relation}"
