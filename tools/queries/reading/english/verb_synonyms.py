"""Other verbs that say the same relation: "set out from" for STARTS_FROM."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from clew.tools.queries.lexical import load_lines, stem

_BEFORE_VERBS = frozenset({"is", "was", "are", "were", "been", "being"})


def with_synonyms(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The words of a relation's name with each synonym in place of its verb.

    The general meaning of a relation, which an embedding tells, is too coarse for verbs: "put on" is near "perform in".
    """
    place = next((i for i, word in enumerate(words) if word not in _BEFORE_VERBS), 0)
    for synonym in _synonyms().get(stem(words[place]), ()) if words else ():
        yield (*words[:place], *synonym, *words[place + 1 :])


@cache
def _synonyms() -> Mapping[str, list[tuple[str, ...]]]:
    """The stem of a verb → its synonyms, as words."""
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for line in load_lines("reading.english", "verb_synonyms.txt"):
        group = [tuple(phrase.split()) for phrase in line.split(", ")]
        for verb in group:
            if len(verb) == 1:
                others = [other for other in group if other != verb and other not in found[stem(verb[0])]]
                found[stem(verb[0])] += others
    return found
