"""What both databases accept: old and foreign ways of writing are replaced, paths get a bound, the rest is refused."""

from __future__ import annotations

import re
from itertools import pairwise

from clew.tools.cypher.lexer import Edit, QueryRejected
from clew.tools.cypher_repair.outcome import Draft
from clew.tools.cypher_repair.syntax import PatternCall, Reading

MOST_HOPS = 4
"""Bound of a variable length that has none."""
MOST_SHORTEST = 8
"""The same within shortestPath, which looks no further than it must."""
_PREFIX = re.compile(r"\A\s*(?:(?:EXPLAIN|PROFILE|CYPHER(?:\s+[\d.]+)?(?:\s+\w+\s*=\s*\w+)*)(?=\s))", re.IGNORECASE)


def bare(cypher: str) -> str:
    """One statement without what may stand around it: EXPLAIN, PROFILE, a version of Cypher, semicolons."""
    while match := _PREFIX.match(cypher):
        cypher = cypher[match.end() :]
    return re.sub(r"(?:\s*;)+\s*\Z", "", cypher).strip()


def modernise(draft: Draft) -> None:
    """Write `!=`, `==`, `:A|:B`, size(pattern), exists(…) and `*` as both databases read them."""
    reading = draft.read()
    if reading.procedures and draft.terms.scope:
        raise QueryRejected("Procedures tell of all graphs of the database and are not run here.", cypher=draft.cypher)
    edits = [*_operators(reading), *_alternatives(reading), *_bounds(reading)]
    if reading.calls:
        draft.changed("size() and exists() written as COUNT { }, EXISTS { } and IS NOT NULL")
        for call in reading.calls:
            edits += _call(call, reading)
    if any(relationship.most is None for relationship in reading.relationships):
        draft.changed("a path of any length got a bound")
    draft.edit(edits)


def _operators(reading: Reading) -> list[Edit]:
    edits, tokens = [], reading.tokens
    for token, following in pairwise(tokens):
        if token.kind == "mark" and token.text == "!=":
            edits.append(Edit(token.start, token.end, "<>"))
        elif token.text == following.text == "=" and token.kind == following.kind == "mark":
            edits.append(Edit(token.start, following.end, "="))
    return edits


def _alternatives(reading: Reading) -> list[Edit]:
    tokens, edits = reading.tokens, []
    for relationship in reading.relationships:
        if relationship.type_span:
            first, last = relationship.type_span
            later = [tokens[place] for place in range(first + 1, last) if tokens[place].text == ":"]
            edits += [Edit(token.start, token.end, "") for token in later]
    return edits


def _bounds(reading: Reading) -> list[Edit]:
    edits = []
    for chain in reading.chains:
        for relationship in chain.relationships:
            if relationship.star and relationship.most is None:
                most = max(MOST_SHORTEST if chain.shortest else MOST_HOPS, relationship.least)
                first, last = relationship.star
                least = "" if relationship.least == 1 else str(relationship.least)
                edits.append(Edit(reading.tokens[first].start, reading.tokens[last - 1].end, f"*{least}..{most}"))
    return edits


def _call(call: PatternCall, reading: Reading) -> list[Edit]:
    opening, closing = reading.tokens[call.first + 1], reading.tokens[call.last]
    name = reading.tokens[call.first]
    if not call.pattern:
        return [Edit(name.start, opening.end, "("), Edit(closing.start, closing.end, " IS NOT NULL)")]
    word = "COUNT" if call.function == "size" else "EXISTS"
    return [Edit(name.start, opening.end, f"{word} {{ "), Edit(closing.start, closing.end, " }")]
