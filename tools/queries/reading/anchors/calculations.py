"""Numbers that a question calculates from properties: "price times quantity", "days between order and shipping"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.calculated import Calculated
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.anchors.two_numbers import SKIPPED, two_numbers
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.words import phrase
from clew.tools.queries.reading.forms.items import ConditionNoun, Item, PropertyNoun
from clew.tools.queries.reading.schema.calculated_words import Owned, owners
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.space.query import Comparison

_SIGNS = {
    ("times",): "*", ("multiplied", "by"): "*", ("plus",): "+", ("minus",): "-",
    ("divided", "by"): "/",
}  # fmt: skip
_LATE: dict[tuple[str, ...], Comparison] = {
    ("late",): ">", ("delayed",): ">", ("overdue",): ">", ("on", "time"): "<=", ("in", "time"): "<=",
}  # fmt: skip
"""What says of something that it has a delay, or none."""
_LONGEST = 4
"""Words that name a property, at most."""


def calculations(tokens: Sequence[Token], words: SchemaWords) -> Iterator[Item[PropertyNoun] | Item[ConditionNoun]]:
    """The calculated properties that a question says, as items of the chart.

    Args:
        tokens: The words of the question.
        words: The names of the schema.
    """
    texts = [token.text for token in tokens]
    yield from _formulas(tokens, texts, words)
    yield from two_numbers(tokens, words)
    yield from _late(texts, words)


def _formulas(tokens: Sequence[Token], texts: Sequence[str], words: SchemaWords) -> Iterator[Item[PropertyNoun]]:
    """ "price times quantity minus discount": properties and numbers with the names of operators between them."""
    signs = _signs(texts)
    if not signs:
        return
    for owner in owners(words):
        for at in signs:
            for first in range(max(0, at - _LONGEST), at):
                parts, last = [phrase(tokens, first, at)], at
                while last in signs and (sign := signs[last]):
                    start = last + sign[1]
                    start += start < len(texts) and texts[start] in SKIPPED
                    end = _operand_end(tokens, start, Owned(words, owner))
                    if end is None:
                        break
                    parts, last = [*parts, sign[0], _written(tokens, start, end)], end
                choice = Owned(words, owner).parts(parts) if len(parts) > 1 else None
                if choice is not None:
                    yield Item(first, last, PropertyNoun((choice,)), 0.0)
                    break


def _late(texts: Sequence[str], words: SchemaWords) -> Iterator[Item[ConditionNoun]]:
    """ "Late orders", "shipped on time": of what has a date when something was due, and one when it was done."""
    delays = tuple(replace(c, cost=0.0) for c in words.property("delay") if isinstance(c.name, Calculated))
    for i in range(len(texts)) if delays else ():
        for said, sign in _LATE.items():
            if tuple(texts[i : i + len(said)]) == said:
                yield Item(i, i + len(said), ConditionNoun(delays, sign, (0,)), 0.0)


def _signs(texts: Sequence[str]) -> dict[int, tuple[str, int]]:
    """The places of operators, each with its sign and the number of its words."""
    return {
        i: (sign, len(said))
        for i in range(1, len(texts))
        for said, sign in _SIGNS.items()
        if tuple(texts[i : i + len(said)]) == said
    }


def _operand_end(tokens: Sequence[Token], start: int, owned: Owned) -> int | None:
    """Where the property or number that begins at a place ends."""
    if start < len(tokens) and number(tokens[start].text) is not None:
        return start + 1
    ends = range(min(len(tokens), start + _LONGEST), start, -1)
    return next((end for end in ends if owned.operand(phrase(tokens, start, end)) is not None), None)


def _written(tokens: Sequence[Token], first: int, last: int) -> str:
    amount = number(tokens[first].text)
    return phrase(tokens, first, last) if amount is None else f"{amount:g}"
