"""Other verbs that say the same relation: "set out from" for STARTS_FROM."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from clew.tools.queries.lexical import load_lines, stem

_BEFORE_VERBS = frozenset({"is", "was", "are", "were", "been", "being"})

_ENDINGS = (
    ("ment", ("",)), ("ation", ("ate", "e", "")), ("ion", ("e", "")), ("ership", ("",)), ("ship", ("",)),
    ("ral", ("",)), ("al", ("", "e")), ("ery", ("er",)), ("ance", ("",)), ("ure", ("",)),
)  # fmt: skip
"""Endings that make nouns of verbs, with those of the verbs."""
_IRREGULAR = {
    "ballot": "vote", "choice": "choose", "flight": "fly", "gift": "give", "leadership": "lead", "loan": "lend",
    "possession": "have", "sale": "sell", "speech": "speak", "use": "use",
}  # fmt: skip


def with_synonyms(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The words of a relation's name with each synonym in place of its verb.

    The general meaning of a relation, which an embedding tells, is too coarse for verbs: "put on" is near "perform in".
    """
    place = next((i for i, word in enumerate(words) if word not in _BEFORE_VERBS), 0)
    known = _synonyms().get(stem(words[place]), ()) if words else ()
    for synonym in known or (verbs_of(words[place]) if words else ()):
        yield (*words[:place], *synonym, *words[place + 1 :])


def is_event(noun: str) -> bool:
    """Whether a noun is made of a verb, and so means what happens: a donation."""
    return bool(verbs_of(noun))


@cache
def verbs_of(noun: str) -> list[tuple[str, ...]]:
    """The verb that a noun is made of, and its synonyms: "employ", "work" … of EMPLOYMENT."""
    verbs = [_IRREGULAR[noun]] if noun in _IRREGULAR else []
    verbs += [
        noun.removesuffix(ending) + verbal
        for ending, verbals in _ENDINGS
        if noun.endswith(ending)
        for verbal in verbals
    ]
    for verb in verbs:
        if (found := _synonyms().get(stem(verb))) is not None:
            return [(verb,), *found]
    return []


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
