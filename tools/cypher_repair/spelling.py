"""Which identifier of the schema a model meant by one that the schema does not have."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rapidfuzz.distance import OSA

from clew.tools.graph.identifiers import UNINFORMATIVE, identifier_words

_NEAR = 0.8
"""Least similarity by edit distance; below it another word may be meant."""
_LINKING = UNINFORMATIVE | {"by", "in", "of", "to", "at", "on", "for", "from", "with", "as", "be", "rel"}


def meant(name: str, known: Iterable[str]) -> str | None:
    """The one identifier among `known` that is `name` but for its spelling; None where there is none, or several.

    Tried in turn: letter case and separators, singular and plural, the words that carry meaning, typing errors.
    """
    names = list(known)
    if name in names:
        return name
    for fold in (_joined, _singular, _bearing):
        found = _only(name, names, fold)
        if found is not None:
            return found
    folded = _joined(name)
    if not folded:
        return None
    scored = sorted(((OSA.normalized_similarity(folded, _joined(other)), other) for other in names), reverse=True)
    near = [entry for entry in scored if entry[0] >= _NEAR]
    if not near or (len(near) > 1 and near[1][0] == near[0][0]):
        return None
    return near[0][1]


def _only(name: str, names: list[str], fold: Callable[[str], str]) -> str | None:
    folded = fold(name)
    found = [other for other in names if folded and fold(other) == folded]
    return found[0] if len(found) == 1 else None


def _joined(name: str) -> str:
    return "".join(identifier_words(name))


def _singular(name: str) -> str:
    return "".join(_without_plural(word) for word in identifier_words(name))


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _bearing(name: str) -> str:
    """The words without those that only link: `has_genre` and `genre`, `DIRECTED` and `directed_by`."""
    return " ".join(_without_plural(word) for word in identifier_words(name) if word not in _LINKING)
