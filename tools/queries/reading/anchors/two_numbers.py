"""Ratios and differences of two numbers of one thing: "episodes per season", "the gap between price and cost"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import phrase
from clew.tools.queries.reading.forms.items import Item, PropertyChoice, PropertyNoun
from clew.tools.queries.reading.schema.calculated_words import Owned, owners
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_GAPS = frozenset({"difference", "gap", "spread", "margin"})
_ENDS = {"lowest": "minimum", "smallest": "minimum", "highest": "maximum", "largest": "maximum", "biggest": "maximum"}
_LONGEST = 4
"""Words that name a property, at most."""
SKIPPED = frozenset({"the", "a", "its", "their", "his", "her", "of"})


def two_numbers(tokens: Sequence[Token], words: SchemaWords) -> Iterator[Item[PropertyNoun]]:
    """The ratios and differences that a question says, as items of the chart."""
    texts = [token.text for token in tokens]
    for at, text in enumerate(texts):
        if text == "per" and at:
            yield from _ratios(tokens, at, words)
        if text in _GAPS and texts[at + 1 : at + 2] == ["between"]:
            yield from _differences(tokens, at, words)


def _ratios(tokens: Sequence[Token], at: int, words: SchemaWords) -> Iterator[Item[PropertyNoun]]:
    for first in range(max(0, at - _LONGEST), at):
        for last in range(at + 2, min(at + 1 + _LONGEST, len(tokens) + 1)):
            above, below = phrase(tokens, first, at), phrase(tokens, at + 1, last)
            if words.labels.get(above) or words.labels.get(below):
                continue  # "Orders per customer" are counted.
            both = _named(above, words) & _named(below, words)
            asked = phrase(tokens, max(0, first - 2), first) == "how many"
            made = [c for owner in sorted(both) if (c := Owned(words, owner).parts((above, "/", below))) is not None]
            if made:
                yield Item(first - 2 * asked, last, PropertyNoun(tuple(made), quantity=asked), 0.0)


def _named(text: str, words: SchemaWords) -> set[tuple[str, bool]]:
    """The owners of the properties that are called so."""
    return {(choice.label, choice.of_relation) for choice in words.property(text) if not choice.cost}


def _differences(tokens: Sequence[Token], at: int, words: SchemaWords) -> Iterator[Item[PropertyNoun]]:
    for middle in range(at + 3, min(at + 3 + _LONGEST, len(tokens))):
        for last in range(min(len(tokens), middle + 1 + _LONGEST), middle + 1, -1):
            if tokens[middle].text != "and":
                continue
            one, other = (bare(tokens, *span) for span in ((at + 2, middle), (middle + 1, last)))
            if one in _ENDS and " " in other:  # "its lowest and highest salary"
                one = f"{one} {other.partition(' ')[2]}"
            if made := _difference(one, other, words):
                yield Item(at, last, PropertyNoun(tuple(made)), 0.0)
                return


def _difference(one: str, other: str, words: SchemaWords) -> list[PropertyChoice]:
    """The first number less the second; of the two ends of a range the upper one less the lower."""
    ends = [words.ranges.get(_end(each), ()) for each in (one, other)]
    if all(ends):
        low, high = sorted((end[0][0] for end in ends), key=lambda noun: noun.function or "", reverse=True)
        one, other = (" ".join(identifier_words(noun.choices[0].name)) for noun in (high, low))
    found = (Owned(words, owner).parts((one, "-", other)) for owner in owners(words))
    return [choice for choice in found if choice is not None]


def _end(text: str) -> str:
    """ "minimum salary" for "lowest salary"."""
    first, _, rest = text.partition(" ")
    return f"{_ENDS.get(first, first)} {rest}"


def bare(tokens: Sequence[Token], first: int, last: int) -> str:
    """A phrase without the article or the owner before it: "a job's posting date"."""
    own = [i for i in range(first, last - 1) if tokens[i].text == "'s"]
    first = own[-1] + 1 if own else first
    return phrase(tokens, first + (tokens[first].text in SKIPPED and last - first > 1), last)
