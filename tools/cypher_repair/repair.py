"""Correction of a model's query so that it is valid and safe for one graph, or refusal with a reason (ByoKG-RAG section
3.4 requires an executable query).

Only errors with a unique correction by the schema and the names of the graph are corrected. A query that writes, calls
procedures, or cannot be parsed in full is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.tools.cypher import guard
from clew.tools.cypher.lexer import Refused
from clew.tools.cypher_repair import dialect, directions, limits, literals, vocabulary
from clew.tools.cypher_repair.draft import Draft, NameLookup, RepairedQuery
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Schema


def repair(
    cypher: str, schema: Schema, terms: NodeTerms, names: NameLookup, parameters: Mapping[str, Any] | None = None
) -> RepairedQuery:
    """The corrected query, with its literals as parameters, checked by the guard.

    Has no side effects except calls of `names`, which looks up what a literal may name. `parameters` are those of the
    query. Raises Refused or QueryForbidden, both of them QueryFailed, and nothing else for any text.
    """
    text = _readable(cypher)
    guard.check(text, decodes=False)  # A store that decodes refuses what is left of that.
    draft = Draft(text, schema, terms, names, dict(parameters or {}))
    _refuse_unknown_parameters(draft)
    dialect.modernise(draft)
    vocabulary.correct_types(draft)
    vocabulary.correct_labels(draft)
    directions.correct_unknown_labels(draft)
    literals.link_composed_names(draft)
    vocabulary.correct_properties(draft)
    literals.link_names(draft)
    vocabulary.refuse_unknown_labels(draft)
    vocabulary.correct_properties(draft)
    vocabulary.doubt_properties(draft)
    directions.correct_directions(draft)
    literals.label_anchors(draft)
    literals.parametrise(draft)
    limits.refuse_products(draft.parsed())
    limits.confine(draft)
    guard.check(draft.cypher, decodes=False)
    return RepairedQuery(
        cypher, draft.cypher, draft.parameters, tuple(draft.changes), tuple(draft.doubts), tuple(draft.anchors.values())
    )


def _readable(cypher: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in cypher):
        raise Refused("The query holds half a character.", cypher=cypher.encode("utf-8", "replace").decode())
    return dialect.bare(cypher)


def _refuse_unknown_parameters(draft: Draft) -> None:
    unknown = [name for name in draft.parsed().parameters if name not in draft.parameters]
    if unknown:
        raise Refused(
            f"The query uses the parameter ${unknown[0]}, which nobody gives.", "Write the value itself.",
            cypher=draft.cypher,
        )  # fmt: skip
