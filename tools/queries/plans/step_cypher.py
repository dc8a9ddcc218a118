"""The Cypher of a plan's step: corrected by the schema, its ranges and its LIMIT bounded, or refused with the reason.

On top of what is mended for any query that a model writes, a step may name nothing that the schema does not have: a
plan that asks for it would run in vain, and its author can correct it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from clew.tools.cypher.guard import check as only_reads
from clew.tools.cypher.lexer import Edit, Refused, Token, apply_edits
from clew.tools.cypher_repair.directions import possible_labels
from clew.tools.cypher_repair.draft import NameLookup
from clew.tools.cypher_repair.query_parser import parse
from clew.tools.cypher_repair.repair import repair
from clew.tools.cypher_repair.syntax import ParsedQuery, Variable
from clew.tools.cypher_repair.vocabulary import closest_identifier
from clew.tools.graph.entity import Candidate
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import RESERVED, Schema
from clew.tools.queries.plans.plan import MOST_ROWS

MOST_HOPS = 4
"""Of one relationship pattern of variable length."""
LONGEST_CYPHER = 4000
_GENERATING = frozenset({"range"})
"""Functions that make rows of nothing."""
_OURS = frozenset({"nodeId", "name", "aliases"})
"""Properties of every node that Clew imported, whether or not a sample shows them."""


@dataclass(frozen=True, slots=True)
class StepCypher:
    """A query that may be run."""

    cypher: str
    parameters: dict[str, Any]
    changes: tuple[str, ...]
    anchors: tuple[Candidate, ...]


def checked_cypher(
    cypher: str, parameters: Mapping[str, Any], schema: Schema, terms: NodeTerms, names: NameLookup
) -> StepCypher:
    """The query made fit for a plan; of a parameter that an earlier step gives any list will do.

    Raises Refused or QueryForbidden, both of them QueryFailed, and nothing else.
    """
    if len(cypher) > LONGEST_CYPHER:
        raise Refused(f"The query is longer than {LONGEST_CYPHER} characters.", cypher=cypher)
    only_reads(cypher)
    found = repair(_with_ids(cypher, terms), schema, terms, names, parameters)
    query = parse(found.cypher)
    _refuse(query, schema, terms)
    changes: list[str] = []
    bounded = apply_edits(found.cypher, [*_ranges(query, changes), *_limit(query, changes)])
    only_reads(bounded)
    return StepCypher(bounded, found.parameters, (*found.changes, *changes), found.anchors)


def _with_ids(cypher: str, terms: NodeTerms) -> str:
    """`n.nodeId` as the graph has it: graphs that Clew did not import identify nodes by `elementId`."""
    if terms.imported:
        return cypher
    query = parse(cypher)
    edits = []
    for use in query.property_uses:
        token, owner = query.tokens[use.place], query.tokens[use.place - 2]
        if token.name in RESERVED and owner.is_name:
            edits.append(Edit(owner.start, token.end, terms.id(owner.text)))
    return apply_edits(cypher, edits)


def _refuse(query: ParsedQuery, schema: Schema, terms: NodeTerms) -> None:
    if query.procedures:
        raise Refused("A step of a plan calls no procedure.", "Use MATCH.", cypher=query.cypher)
    if made := _GENERATING.intersection(query.functions):
        raise Refused(f"A step of a plan does not use {min(made)}().", "Use MATCH.", cypher=query.cypher)
    for relationship in query.relationships:
        if relationship.least > MOST_HOPS:
            raise Refused(f"A path has at most {MOST_HOPS} relationships.", cypher=query.cypher)
    possible = possible_labels(query, schema)
    for variable, token in _properties(query):
        known = _known(variable, possible.get(variable, frozenset()), schema, terms)
        if token.name not in known:
            owners = sorted(possible.get(variable) or variable.types)
            near = closest_identifier(token.name, known)
            listed = ", ".join(sorted(known - RESERVED)[:12])
            raise Refused(
                f"There is no property “{token.name}” of {' or '.join(owners[:6]) or 'any node'}.",
                f"Nearest is “{near}”." if near else f"There is {listed}." if listed else "",
                cypher=query.cypher,
            )


def _properties(query: ParsedQuery) -> list[tuple[Variable, Token]]:
    found = [(use.variable, query.tokens[use.place]) for use in query.property_uses]
    for pattern in query.patterns:
        if pattern.properties:
            found += [(pattern.variable, query.tokens[key]) for key, _, _ in pattern.properties.entries]
    return [(variable, token) for variable, token in found if variable.kind in ("node", "relationship")]


def _known(variable: Variable, labels: Collection[str], schema: Schema, terms: NodeTerms) -> frozenset[str]:
    if variable.kind == "relationship":
        types = variable.types
        return frozenset(each.name for each in schema.relation_properties if not types or each.label in types)
    own = frozenset(each.name for each in schema.properties if not labels or each.label in labels)
    return own | _OURS if terms.imported else own


def _ranges(query: ParsedQuery, changes: list[str]) -> list[Edit]:
    """Ranges of variable length that reach further than they may."""
    edits = []
    for relationship in query.relationships:
        too_far = relationship.most is None or relationship.most > MOST_HOPS
        if relationship.star is not None and too_far:
            first, last = query.tokens[relationship.star[0]], query.tokens[relationship.star[1] - 1]
            edits.append(Edit(first.start, last.end, f"*{relationship.least}..{MOST_HOPS}"))
            changes.append(f"a path of variable length has at most {MOST_HOPS} relationships")
    return edits


def _limit(query: ParsedQuery, changes: list[str]) -> list[Edit]:
    """A LIMIT of at most MOST_ROWS behind the last RETURN."""
    tokens = query.tokens
    after = tokens[query.projections[-1].items_end :]
    places = [i for i, token in enumerate(after) if token.upper == "LIMIT"]
    if not places:
        changes.append(f"LIMIT {MOST_ROWS} added")
        end = tokens[-1].end
        return [Edit(end, end, f"\nLIMIT {MOST_ROWS}")]
    value = after[places[-1] + 1 :]
    if len(value) == 1 and value[0].text.isdecimal() and int(value[0].text) <= MOST_ROWS:
        return []
    if not value:
        raise Refused("There is nothing behind LIMIT.", cypher=query.cypher)
    changes.append(f"LIMIT lowered to {MOST_ROWS}")
    return [Edit(value[0].start, value[-1].end, str(MOST_ROWS))]
