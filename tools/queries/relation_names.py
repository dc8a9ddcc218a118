"""The words of the names of relationship types."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from clew.tools.graph.identifiers import bare_words
from clew.tools.queries.lexical import load_lines

JOINED = "|"
"""Between the types of a relation that stands for any of them."""
_IN_COMMON: Mapping[frozenset[str], str] = MappingProxyType({
    frozenset({"father", "mother"}): "parent", frozenset({"sire", "dam"}): "parent",
    frozenset({"son", "daughter"}): "child", frozenset({"brother", "sister"}): "sibling",
    frozenset({"husband", "wife"}): "spouse",
})  # fmt: skip


@lru_cache(maxsize=16384)
def relation_words(name: str) -> tuple[str, ...]:
    """The words of a relationship type's name, with the usual short forms written out: "supported by" of SUP_BY."""
    if JOINED in name and (common := in_common(*name.split(JOINED))):
        return common
    return tuple(_short_forms().get(word, word) for word in bare_words(name))


def in_common(*names: str) -> tuple[str, ...]:
    """The words of one relationship type, or those for both of two: "parent of" for FATHER_OF and MOTHER_OF; none where
    there are no such words."""
    every = [relation_words(name) for name in names]
    found = []
    for words in zip(*every, strict=False):
        word = words[0] if len(set(words)) == 1 else _IN_COMMON.get(frozenset(words), "")
        found.append(word)
    return tuple(found) if all(found) and len({*map(len, every)}) == 1 else ()


@cache
def _short_forms() -> dict[str, str]:
    pairs = [line.partition(" ") for line in load_lines("", "relation_abbreviations.txt")]
    return {short: word for short, _, word in pairs}
