"""Pairs of properties that are the two ends of a range: `salary_from` and `salary_to`, `minAge` and `maxAge`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.english.inflection import noun_forms
from clew.tools.queries.reading.forms.items import PropertyChoice, PropertyNoun

_ENDS = (
    ("from", "to"), ("min", "max"), ("minimum", "maximum"), ("low", "high"), ("lower", "upper"), ("lowest", "highest"),
)  # fmt: skip
_LEAST = ("minimum", "min", "lower", "starting")
_MOST = ("maximum", "max", "upper", "top")
_ALONE = 0.3
"""What it costs that "the maximum salary" is one number of each of several things, rather than their greatest."""


def range_words(choices: Iterable[PropertyChoice]) -> Mapping[str, list[tuple[PropertyNoun, float]]]:
    """What is said of a range → what it means, with its cost: "salary range", "starting salary", "maximum salary"."""
    found: dict[str, list[tuple[PropertyNoun, float]]] = defaultdict(list)
    for base, (low, high) in _ranges(choices):
        for name in noun_forms(base):
            for said in (f"{name} range", f"range of {name}", f"{name} band", f"{name} bracket"):
                found[said].append((PropertyNoun((low,), also=((high,),)), 0.0))
            least, most = PropertyNoun((low,), "min"), PropertyNoun((high,), "max")
            for said, noun in (*((word, least) for word in _LEAST), *((word, most) for word in _MOST)):
                found[f"{said} {name}"] += [(noun, 0.0), (PropertyNoun(noun.choices), _ALONE)]
    return found


def _ranges(choices: Iterable[PropertyChoice]) -> Iterable[tuple[str, tuple[PropertyChoice, PropertyChoice]]]:
    """The words that two properties have in common, with both."""
    numbers = {(c.label, tuple(identifier_words(c.name))): c for c in choices if c.kind in ("number", "written number")}
    for (label, words), low in numbers.items():
        for least, most in _ENDS:
            if least in words:
                place = words.index(least)
                high = numbers.get((label, (*words[:place], most, *words[place + 1 :])))
                base = " ".join((*words[:place], *words[place + 1 :]))
                if high is not None and base:
                    yield base, (low, high)
