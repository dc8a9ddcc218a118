"""The Cypher of a reply: its first statement, without fences, a leading word and the prose around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.agents.replies.prose import fenced, unescaped

LONGEST = 5000
"""Characters of a statement."""
QUERY_LANGUAGES = ("cypher", "opencypher", "sql", "gql", "neo4j")
_LED_IN = re.compile(r"\A\s*(?:open)?cypher(?:\s+query)?\s*:?\s*(?=[A-Za-z/])|\A\s*query\s*:\s*", re.IGNORECASE)
_CLAUSE = re.compile(
    r"^[ \t]{0,40}(?:(?i:EXPLAIN|PROFILE)\s+)?(?:(?i:OPTIONAL\s+MATCH\b|MATCH\s*[(\w`]|UNWIND\s|CALL\s*[{\w(])"
    r"|WITH\s|RETURN\s|CREATE\s|MERGE\s*\(|DETACH\s|DELETE\s|DROP\s|LOAD\s+CSV|FOREACH\s*\(|SHOW\s)"
    r"|\A(?i:with\s+\S+\s+as\b|return\s|create\s|merge\s*\()",
    re.MULTILINE,
)
"""The beginning of a statement. Words that also begin sentences count in capitals only."""
_MID_LINE = re.compile(r"\b(?:OPTIONAL\s+)?MATCH\s*\(")
_TOKEN = re.compile(
    r"""'(?:[^'\\]|\\.)*+(?:'|\\?\Z)|"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|`[^`]*(?:`|\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)"""
    r"""|[;{}()\[\]\n]|[A-Za-z_]\w*""",
    re.DOTALL,
)
_GOES_ON = re.compile(
    r"\s*(?:ORDER\s+BY|SKIP|LIMIT|OFFSET|UNION|AS\s|AND\s|OR\s|DISTINCT\s|[,)\]}+*/<>=|.%-]|//|\Z)", re.IGNORECASE
)
_OPEN_END = re.compile(
    r"(?:[,(\[{+*/=<>|%-]|\b(?:AND|OR|NOT|AS|BY|RETURN|DISTINCT|UNION|ALL|IN|SKIP|LIMIT))\s*\Z", re.IGNORECASE
)
_NOTHING = frozenset({"none", "n/a", "null", ""})


def statement(text: str) -> str:
    """The first statement of a part; "" if it has none."""
    fences = [content for language, content in fenced(text) if language in ("", *QUERY_LANGUAGES) and content]
    plain = unescaped(fences[0] if fences else text).strip().strip("`").strip()
    plain = _LED_IN.sub("", plain, count=1).strip()
    if plain.casefold().strip(" .()") in _NOTHING:
        return ""
    begin = _CLAUSE.search(plain) or _MID_LINE.search(plain)
    if begin is None:
        return ""
    plain = plain[begin.start() :][:LONGEST].strip()
    return plain[: next(_ends(plain), len(plain))].strip().rstrip("`;").strip()


def fenced_statements(text: str) -> list[str]:
    """The statements in the code fences of a reply that has no part for them."""
    contents = [content for language, content in fenced(text) if language in ("", *QUERY_LANGUAGES)]
    return [found for content in contents if _CLAUSE.match(content) and (found := statement(content))]


def _ends(text: str) -> Iterator[int]:
    """Where the first statement ends: at a semicolon, or after RETURN before a line that does not continue it."""
    depth = 0
    returned = False
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in "([{":
            depth += 1
        elif word in ")]}":
            depth -= 1
        elif depth > 0:
            continue
        elif word == ";":
            yield token.start()
        elif word == "\n" and returned:
            line_end = text.find("\n", token.end())
            line = text[token.end() : line_end if line_end >= 0 else len(text)]
            last_line = text[text.rfind("\n", 0, token.start()) + 1 : token.start()]
            if line.strip() and not _GOES_ON.match(line) and not _OPEN_END.search(last_line):
                yield token.start()
        elif word.upper() == "RETURN":
            returned = True
        elif word.upper() == "UNION":
            returned = False
