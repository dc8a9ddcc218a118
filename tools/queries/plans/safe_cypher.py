"""The Cypher of a plan's step: corrected by the schema, its ranges and its LIMIT bounded, or refused with the reason.

On top of what is mended for any query that a model writes, a step may name nothing that the schema does not have: a
plan that asks for it would run in vain, and its author can be told.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from clew.tools.cypher.guard import check as only_reads
from clew.tools.cypher.lexer import Edit, QueryRejected, Token, apply_edits
from clew.tools.cypher_repair.directions import possible_labels
from clew.tools.cypher_repair.outcome import Names
from clew.tools.cypher_repair.reader import read
from clew.tools.cypher_repair.repair import repair
from clew.tools.cypher_repair.spelling import meant
from clew.tools.cypher_repair.syntax import Reading, Variable
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
class Mended:
    """A query that may be run."""

    cypher: str
    parameters: dict[str, Any]
    changes: tuple[str, ...]
    anchors: tuple[Candidate, ...]


def mended(cypher: str, parameters: Mapping[str, Any], schema: Schema, terms: NodeTerms, names: Names) -> Mended:
    """The query made fit for a plan; of a parameter that an earlier step gives any list will do.

    Raises QueryRejected or QueryForbidden, both of them QueryFailed, and nothing else.
    """
    if len(cypher) > LONGEST_CYPHER:
        raise QueryRejected(f"The query is longer than {LONGEST_CYPHER} characters.", cypher=cypher)
    only_reads(cypher)
    found = repair(_with_ids(cypher, terms), schema, terms, names, parameters)
    reading = read(found.cypher)
    _refuse(reading, schema, terms)
    changes: list[str] = []
    bounded = apply_edits(found.cypher, [*_ranges(reading, changes), *_limit(reading, changes)])
    only_reads(bounded)
    return Mended(bounded, found.parameters, (*found.changes, *changes), found.anchors)


def _with_ids(cypher: str, terms: NodeTerms) -> str:
    """`n.nodeId` as the graph has it: graphs that Clew did not import tell nodes apart by `elementId`."""
    if terms.imported:
        return cypher
    reading = read(cypher)
    edits = []
    for use in reading.property_uses:
        token, owner = reading.tokens[use.place], reading.tokens[use.place - 2]
        if token.name in RESERVED and owner.is_name:
            edits.append(Edit(owner.start, token.end, terms.id(owner.text)))
    return apply_edits(cypher, edits)


def _refuse(reading: Reading, schema: Schema, terms: NodeTerms) -> None:
    if reading.procedures:
        raise QueryRejected("A step of a plan calls no procedure.", "Use MATCH.", cypher=reading.cypher)
    if made := _GENERATING.intersection(reading.functions):
        raise QueryRejected(f"A step of a plan does not use {min(made)}().", "Use MATCH.", cypher=reading.cypher)
    for relationship in reading.relationships:
        if relationship.least > MOST_HOPS:
            raise QueryRejected(f"A path has at most {MOST_HOPS} relationships.", cypher=reading.cypher)
    possible = possible_labels(reading, schema)
    for variable, token in _properties(reading):
        known = _known(variable, possible.get(variable, frozenset()), schema, terms)
        if token.name not in known:
            owners = sorted(possible.get(variable) or variable.types)
            near = meant(token.name, known)
            listed = ", ".join(sorted(known - RESERVED)[:12])
            raise QueryRejected(
                f"There is no property “{token.name}” of {' or '.join(owners[:6]) or 'any node'}.",
                f"Nearest is “{near}”." if near else f"There is {listed}." if listed else "",
                cypher=reading.cypher,
            )


def _properties(reading: Reading) -> list[tuple[Variable, Token]]:
    found = [(use.variable, reading.tokens[use.place]) for use in reading.property_uses]
    for pattern in reading.patterns:
        if pattern.properties:
            found += [(pattern.variable, reading.tokens[key]) for key, _, _ in pattern.properties.entries]
    return [(variable, token) for variable, token in found if variable.kind in ("node", "relationship")]


def _known(variable: Variable, labels: Collection[str], schema: Schema, terms: NodeTerms) -> frozenset[str]:
    if variable.kind == "relationship":
        types = variable.types
        return frozenset(each.name for each in schema.relation_properties if not types or each.label in types)
    own = frozenset(each.name for each in schema.properties if not labels or each.label in labels)
    return own | _OURS if terms.imported else own


def _ranges(reading: Reading, changes: list[str]) -> list[Edit]:
    """Ranges of variable length that reach further than they may."""
    edits = []
    for relationship in reading.relationships:
        too_far = relationship.most is None or relationship.most > MOST_HOPS
        if relationship.star is not None and too_far:
            first, last = reading.tokens[relationship.star[0]], reading.tokens[relationship.star[1] - 1]
            edits.append(Edit(first.start, last.end, f"*{relationship.least}..{MOST_HOPS}"))
            changes.append(f"a path of variable length has at most {MOST_HOPS} relationships")
    return edits


def _limit(reading: Reading, changes: list[str]) -> list[Edit]:
    """A LIMIT of at most MOST_ROWS behind the last RETURN."""
    tokens = reading.tokens
    after = tokens[reading.projections[-1].items_end :]
    places = [i for i, token in enumerate(after) if token.upper == "LIMIT"]
    if not places:
        changes.append(f"LIMIT {MOST_ROWS} added")
        end = tokens[-1].end
        return [Edit(end, end, f"\nLIMIT {MOST_ROWS}")]
    value = after[places[-1] + 1 :]
    if len(value) == 1 and value[0].text.isdecimal() and int(value[0].text) <= MOST_ROWS:
        return []
    if not value:
        raise QueryRejected("There is nothing behind LIMIT.", cypher=reading.cypher)
    changes.append(f"LIMIT lowered to {MOST_ROWS}")
    return [Edit(value[0].start, value[-1].end, str(MOST_ROWS))]
