"""A static guard for generated Cypher: a query may read, and call a few harmless procedures.

It is the first of three safeguards, with the clearest message; the others are a database user who can only read, and
the database's read mode. The guard works on tokens, so it accepts a film called "Set It Off" or a property called
`set`, and a comment cannot hide a clause. Where it cannot distinguish a name from a clause, it refuses the query.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from clew.tools.cypher import bounds, lexer
from clew.tools.cypher.lexer import Edit, apply_edits, lex
from clew.tools.cypher.names import Names, Token, token_at
from clew.tools.errors import QueryForbidden

_REMEDY = "A question may only read: MATCH, OPTIONAL MATCH, UNWIND, WITH, WHERE, RETURN, CALL { … }, UNION."

_FIRST = frozenset({"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL"})
_WRITES = frozenset({"CREATE", "MERGE", "SET", "DELETE", "DETACH", "NODETACH", "REMOVE", "FOREACH", "INSERT", "DROP"})
_PROCEDURES = frozenset({"db.labels", "db.relationshiptypes", "db.propertykeys", "db.schema.nodetypeproperties",
                         "db.schema.reltypeproperties", "db.schema.visualization"})  # fmt: skip
_FUNCTION_SPACES = frozenset({"date", "datetime", "localdatetime", "localtime", "time", "duration", "point",
                              "vector.similarity", "apoc.text", "apoc.coll", "apoc.map", "apoc.convert", "apoc.date",
                              "apoc.number", "apoc.math", "apoc.temporal", "apoc.agg"})  # fmt: skip

_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")
"""Control characters and separators of lines (Unicode's Cc, Zl and Zp) but tabs and line ends: databases may disagree
on their being white space or the end of a comment. In a quoted name they are what they are."""
_ESCAPE = re.compile(r"\\u+[0-9A-Fa-f]{4}")
_HALF = re.compile("[\ud800-\udfff]")
_SHOWN = ("TRANSACTION", "SETTING", "FUNCTION", "PROCEDURE", "INDEX", "CONSTRAINT", "DATABASE", "USER", "ROLE")


def check(cypher: str, *, decodes: bool = True) -> None:
    """Raise QueryForbidden unless the text is one query that only reads.

    `decodes` is whether the database may read `\\u0060` as a backtick, as Neo4j does. Where it does not, a quoted name
    may hold these characters.
    """
    if reason := _reason(cypher, decodes):
        raise QueryForbidden(f"The query is not run: {reason}.", _REMEDY, cypher=cypher)


@lru_cache(maxsize=4096)
def _reason(cypher: str, decodes: bool) -> str:
    """Why the query is refused; "" where it is not."""
    if _HALF.search(cypher):
        return "it contains half a character"
    found = list(lex(cypher))
    # Neo4j reads such an escape anywhere in the text, before it looks for words and quotes.
    if decodes and _ESCAPE.search(cypher):
        return "it contains a \\u escape"
    if _ODD.search(cypher) or _ESCAPE.search(cypher):
        unquoted = _without_quoted_names(cypher, found)
        if _ODD.search(unquoted):
            return "it contains a control character"
        if _ESCAPE.search(unquoted):
            return "it contains a \\u escape"
    tokens = _compared(found)
    if tokens is None:
        return "a quote or a comment is not closed, a name has a $, or there is an unknown sign"
    while tokens and tokens[-1] == Token("mark", ";"):
        tokens.pop()
    if not tokens:
        return "it is empty"
    first = tokens[0]
    if first.kind != "word" or first.text not in _FIRST:
        return f"it begins with {first.text or 'a string'}"
    names = Names(tokens)
    suspects = (index for index, token in enumerate(tokens) if token.kind == "word" or token.text in ("(", ";"))
    return next(filter(None, (_fault(tokens, index, names) for index in suspects)), "") or bounds.fault(tokens)


def _without_quoted_names(cypher: str, tokens: Iterable[lexer.Token]) -> str:
    return apply_edits(cypher, [Edit(name.start, name.end, "``") for name in tokens if name.kind == "quoted"])


def _compared(found: Iterable[lexer.Token]) -> list[Token] | None:
    """The tokens as the guard compares them; None where it is not certain where each ends."""
    tokens, word_ends = [], -1
    for token in found:
        kind, text, start, end = token
        # Neo4j takes the `$` of `a$` for a part of the name.
        if kind == "open" or (kind == "mark" and not text.isascii()) or (text == "$" and start == word_ends):
            return None
        word_ends = end if kind == "word" else -1
        if kind == "word":
            text = (text if text.isascii() else unicodedata.normalize("NFKC", text)).upper()
        elif kind == "string":
            text = ""
        tokens.append(Token(kind, token.name if kind == "quoted" else text))
    return tokens


def _fault(tokens: list[Token], index: int, names: Names) -> str:
    """What is wrong with the token at `index`; "" where nothing is."""
    kind, text = tokens[index]
    if kind == "mark":
        if text == ";":
            return "it holds more than one statement"
        return _function_fault(tokens, index) if text == "(" else ""
    if kind != "word" or index in names:
        return ""
    if text in _WRITES:
        return f"{text} is not allowed"
    following = token_at(tokens, index + 1)
    if text == "LOAD" and following.text == "CSV":
        return "LOAD CSV is not allowed"
    if text in ("SHOW", "TERMINATE") and following.kind == "word" and following.text.startswith(_SHOWN):
        return f"{text} {following.text} is not allowed"
    if text == "USE" and following.kind in {"word", "quoted"}:
        return "USE is not allowed"
    if text == "TRANSACTIONS" and token_at(tokens, index - 1).text in {"IN", "CONCURRENT"}:
        return "IN TRANSACTIONS is not allowed"
    if text == "CALL" and following.text not in {"{", "("}:
        name = _dotted_from(tokens, index + 1) if following.kind else ""
        return "" if name.lower() in _PROCEDURES else f"the procedure {name} is not allowed"
    return ""


def _function_fault(tokens: list[Token], index: int) -> str:
    """A function in a name space may do anything (`apoc.cypher…` runs queries), so its name space must be known."""
    parts: list[str] = []
    position = index - 1
    while token_at(tokens, position).kind in {"word", "quoted"}:
        parts.insert(0, tokens[position].text.lower())
        if token_at(tokens, position - 1).text != ".":
            break
        position -= 2
    if len(parts) < 2 or token_at(tokens, position - 1).text == "CALL":
        return ""
    name = ".".join(parts)
    return "" if name.rpartition(".")[0] in _FUNCTION_SPACES else f"the function {name} is not allowed"


def _dotted_from(tokens: list[Token], index: int) -> str:
    parts = [tokens[index].text]
    while token_at(tokens, index + 1).text == "." and token_at(tokens, index + 2).kind in {"word", "quoted"}:
        index += 2
        parts.append(tokens[index].text)
    return ".".join(parts).lower()
