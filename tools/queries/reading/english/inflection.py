"""Forms of English words: singular and plural, the base of a superlative."""

from __future__ import annotations

from functools import lru_cache

from clew.tools.queries.lexical import base_of

_UNCHANGED = frozenset({"series", "species", "aircraft", "sheep", "means", "headquarters"})
"""Nouns of which the plural is the singular."""


_IN_OES = frozenset(
    [
        "hero",
        "superhero",
        "potato",
        "tomato",
        "echo",
        "veto",
        "torpedo",
        "cargo",
        "volcano",
        "mosquito",
        "domino",
        "embargo",
    ]
)
"""Nouns whose plural ends in -oes."""


def plural_of(word: str) -> str:
    if word in _UNCHANGED:
        return word
    irregular = {"person": "people", "child": "children", "man": "men", "woman": "women", "staff": "staff"}
    if word in irregular:
        return irregular[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    if word in _IN_OES:
        return f"{word}es"
    if word.endswith("sis"):
        return f"{word[:-2]}es"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh", "z")) else f"{word}s"


def singular(word: str) -> str:
    irregular = {"people": "person", "children": "child", "men": "man", "women": "woman", "diagnoses": "diagnosis"}
    if word in irregular:
        return irregular[word]
    if word in _UNCHANGED:
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes", "uses")) or word.removesuffix("es") in _IN_OES:
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


def is_plural(word: str) -> bool:
    return singular(word) != word or word in ("people", "children", "men", "women") or word in _UNCHANGED


def noun_forms(text: str) -> tuple[str, ...]:
    """A noun phrase in the singular and the plural."""
    head, _, last = text.rpartition(" ")
    before = f"{head} " if head else ""
    return tuple(dict.fromkeys(f"{before}{form}" for form in (last, plural_of(last), singular(last))))


def base_form(superlative: str) -> str:
    """ "high" for "highest"."""
    stem_ = superlative.removesuffix("est")
    return {"larg": "large", "bigg": "big", "lat": "late"}.get(stem_, stem_)


_DERIVED = (
    "ations", "ation", "itions", "ition", "ements", "ement", "ments", "ment", "ances", "ance", "ences", "ence", "ators",
    "ator", "ings", "ing", "ions", "ion", "als", "al", "ers", "er", "ors", "or", "ies", "ied", "ed", "es", "s", "e",
    "y",
)  # fmt: skip
_LEAST_ROOT = 5


@lru_cache(maxsize=16384)
def kin(word: str) -> str:
    """What a verb and the nouns made of it have in common: "reserv" of "reserved" and "reservation"; a short word
    itself."""
    word = base_of(word)
    for ending in _DERIVED:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_ROOT:
            base = word[: -len(ending)]
            return base.removesuffix("at") if len(base) - 2 >= _LEAST_ROOT else base
    return word
