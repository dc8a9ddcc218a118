"""Normalisation to the Cypher that both databases accept: old and foreign syntax is replaced, paths get an upper bound,
and the rest is refused."""

from __future__ import annotations

import re
from itertools import pairwise

from clew.tools.cypher.lexer import Edit, Refused
from clew.tools.cypher_repair.draft import Draft
from clew.tools.cypher_repair.syntax import ParsedQuery, PatternCall

MOST_HOPS = 4
"""Upper bound of a variable-length path without one."""
MOST_SHORTEST = 8
"""Upper bound within shortestPath, which stops at the first match."""
_PREFIX = re.compile(r"\A\s*(?:(?:EXPLAIN|PROFILE|CYPHER(?:\s+[\d.]+)?(?:\s+\w+\s*=\s*\w+)*)(?=\s))", re.IGNORECASE)


def bare(cypher: str) -> str:
    """One statement without EXPLAIN, PROFILE, a Cypher version or semicolons around it."""
    while match := _PREFIX.match(cypher):
        cypher = cypher[match.end() :]
    return re.sub(r"(?:\s*;)+\s*\Z", "", cypher).strip()


def modernise(draft: Draft) -> None:
    """Rewrite `!=`, `==`, `:A|:B`, size(pattern), exists(…) and `*` in the form that both databases accept."""
    query = draft.parsed()
    if query.procedures and draft.terms.scope:
        raise Refused("Procedures read all graphs of the database and are not run here.", cypher=draft.cypher)
    edits = [*_operators(query), *_alternatives(query), *_bounds(query)]
    if query.calls:
        draft.changed("size() and exists() written as COUNT { }, EXISTS { } and IS NOT NULL")
        for call in query.calls:
            edits += _call(call, query)
    if any(relationship.most is None for relationship in query.relationships):
        draft.changed("a path of any length got a bound")
    draft.edit(edits)


def _operators(query: ParsedQuery) -> list[Edit]:
    edits, tokens = [], query.tokens
    for token, following in pairwise(tokens):
        if token.kind == "mark" and token.text == "!=":
            edits.append(Edit(token.start, token.end, "<>"))
        elif token.text == following.text == "=" and token.kind == following.kind == "mark":
            edits.append(Edit(token.start, following.end, "="))
    return edits


def _alternatives(query: ParsedQuery) -> list[Edit]:
    tokens, edits = query.tokens, []
    for relationship in query.relationships:
        if relationship.type_span:
            first, last = relationship.type_span
            later = [tokens[place] for place in range(first + 1, last) if tokens[place].text == ":"]
            edits += [Edit(token.start, token.end, "") for token in later]
    return edits


def _bounds(query: ParsedQuery) -> list[Edit]:
    edits = []
    for chain in query.chains:
        for relationship in chain.relationships:
            if relationship.star and relationship.most is None:
                most = max(MOST_SHORTEST if chain.shortest else MOST_HOPS, relationship.least)
                first, last = relationship.star
                least = "" if relationship.least == 1 else str(relationship.least)
                edits.append(Edit(query.tokens[first].start, query.tokens[last - 1].end, f"*{least}..{most}"))
    return edits


def _call(call: PatternCall, query: ParsedQuery) -> list[Edit]:
    opening, closing = query.tokens[call.first + 1], query.tokens[call.last]
    name = query.tokens[call.first]
    if not call.pattern:
        return [Edit(name.start, opening.end, "("), Edit(closing.start, closing.end, " IS NOT NULL)")]
    word = "COUNT" if call.function == "size" else "EXISTS"
    return [Edit(name.start, opening.end, f"{word} {{ "), Edit(closing.start, closing.end, " }")]
