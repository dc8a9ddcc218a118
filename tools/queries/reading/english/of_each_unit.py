"""Degrees of a number for each unit: "the cheapest drug per dose"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import adjectives

_LONGEST_KIND = 3
_MOST, _LEAST = ("most", "more"), ("least", "less")


def of_each_unit(tokens: Sequence[Token], is_property: Callable[[str], bool]) -> list[Token]:
    """The words with "the drug with the lowest price per dose" for "the cheapest drug per dose", and with "has the
    highest price per dose" for "is the most expensive per dose", where there is such a property."""
    texts = [token.text for token in tokens]
    for i, text in enumerate(texts):
        adjective = adjectives().get(text)
        degree = texts[i - 1] if i and texts[i - 1] in (*_MOST, *_LEAST) else ""
        last = next((k for k in range(i + 1, min(i + 2 + _LONGEST_KIND, len(texts) - 1)) if texts[k] == "per"), None)
        if adjective is None or last is None or not (adjective.superlative or adjective.comparative or degree):
            continue
        names = (*adjective.down, *adjective.up)
        name = next((each for each in names if is_property(f"{each} per {texts[last + 1]}")), None)
        if name is None:
            continue
        way = "low" if (name in adjective.down) != (degree in _LEAST) else "high"
        ending = "est" if adjective.superlative or degree in ("most", "least") else "er"
        kind, first = tokens[i + 1 : last], i - bool(degree)
        if not kind:
            first -= texts[first - 1] == "the"
            first -= texts[first - 1] in ("is", "are", "was", "were")
        said = ("with" if kind else "has", "the", f"{way}{ending}", *name.split())
        return [*tokens[:first], *kind, *(replace(tokens[i], text=word) for word in said), *tokens[last:]]
    return list(tokens)
