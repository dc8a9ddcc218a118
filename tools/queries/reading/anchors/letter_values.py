"""Values of one letter, which are words otherwise: the grade of "who got an A", "a B+"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.anchors.literals import Values
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Item, PropertyChoice

_BEFORE = frozenset(
    {"a", "an", "grade", "grades", "rated", "straight", "class", "category", "only", "got", "or", "and"}
)
_SIGNS = "+-*"


def letter_values(question: str, tokens: Sequence[Token], values: Values) -> Iterator[AnyItem]:
    """The conditions that a capital letter states, with its sign.

    Args:
        question: The question.
        tokens: Its words.
        values: Gives the properties that have a text.
    """
    for i, token in enumerate(tokens):
        letter = question[token.start : token.end]
        if len(letter) != 1 or not letter.isupper() or i == 0 or tokens[i - 1].text not in _BEFORE:
            continue
        sign = question[token.end : token.end + 1]
        said = f"{letter}{sign}" if sign and sign in _SIGNS else letter
        held = [place for place, written in values(said).items() if said in written]
        choices = tuple(PropertyChoice(label, name, 0.0, of_relation=edge, kind="text") for label, name, edge in held)
        if choices:
            yield Item(i, i + 1, ConditionNoun(choices, values=(said,)), 0.0, ())
