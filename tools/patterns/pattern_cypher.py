"""An assignment of a pattern as Cypher that returns the same complete answers, for users."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.patterns import Match, Pattern
from clew.tools.queries.space.render import Statement


def assignment_cypher(pattern: Pattern, match: Match, snapshot: Snapshot, asked: int, terms: NodeTerms) -> Statement:
    """Cypher with the relations and known nodes of the match that returns every binding of the asked node. Values are
    parameters."""
    clauses, parameters = [], dict[str, object](terms.parameters)
    for place, node in enumerate(pattern.nodes):
        if node.known:
            bound = match.nodes[place]
            clauses.append(terms.by_id(f"n{place}", snapshot.label(bound), f"a{place}"))
            parameters[f"a{place}"] = snapshot.id(bound)
    clauses.append("MATCH " + ", ".join(_edges(pattern, match, snapshot)))
    answer = f"n{asked}"
    clauses.append(f"RETURN DISTINCT {terms.id(answer)} AS id, {terms.name(answer)} AS name")
    return Statement("\n".join(clauses), parameters)


def _edges(pattern: Pattern, match: Match, snapshot: Snapshot) -> Sequence[str]:
    """One path pattern for each edge; directed only if the edge of the pattern is."""
    found = []
    for edge, matched in zip(pattern.edges, match.edges, strict=True):
        relation = quoted(snapshot.relations[matched.relation])
        found.append(f"(n{edge.head})-[:{relation}]-{'>' if edge.directed else ''}(n{edge.tail})")
    return found
