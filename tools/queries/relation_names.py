"""The words of the names of relationship types."""

from __future__ import annotations

from functools import cache, lru_cache

from clew.tools.graph.identifiers import bare_words
from clew.tools.queries.lexical import load_lines


@lru_cache(maxsize=16384)
def relation_words(name: str) -> tuple[str, ...]:
    """The words of a relationship type's name, with the usual short forms written out: "supported by" of SUP_BY."""
    return tuple(_short_forms().get(word, word) for word in bare_words(name))


@cache
def _short_forms() -> dict[str, str]:
    pairs = [line.partition(" ") for line in load_lines("", "relation_abbreviations.txt")]
    return {short: word for short, _, word in pairs}
