"""Clauses in the order in which they are read: "which ran longer, A or B" for "A vs B: which ran longer"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.numbers import MULTIPLES, number
from clew.tools.queries.reading.english.words import ASKING, COPULAS, unit_measure

_OR = frozenset({"or", "vs", "versus", "v", "vs."})
_AUXILIARIES = COPULAS | {"do", "does", "did", "has", "have", "had", "can", "will", "would", "list", "show", "tell"}
_LEAST_CHOICE = 3


_DEGREES = frozenset({"more", "fewer", "less", "higher", "lower", "over", "above", "under", "later", "earlier"})
_LONGEST_COUNTED = 3


def degree_by_number(tokens: Sequence[Token]) -> list[Token]:
    """ "4 or more jobs" for "4 jobs or more"."""
    texts = [token.text for token in tokens]
    for i in range(1, len(tokens) - 1):
        if texts[i] not in ("or", "and") or texts[i + 1] not in _DEGREES:
            continue
        for first in range(i - 2, max(-1, i - 2 - _LONGEST_COUNTED), -1):
            counted, behind = tokens[first + 1 : i], tokens[i + 2 :]
            measured = counted and unit_measure(singular(counted[0].text))  # "four metres or more" stays.
            written = counted and counted[0].text in MULTIPLES  # "30 thousand or more" stays.
            if number(texts[first]) is not None and not (tokens[first].quoted or measured or written):
                return [*tokens[: first + 1], *tokens[i : i + 2], *counted, *behind]
    return list(tokens)


def asking_first(tokens: Sequence[Token]) -> list[Token]:
    """The question word's clause first, where a choice of two stands before it: "A or B, who …", "between A and B,
    which …"."""
    if [token.text for token in tokens[-2:]] == ["how", "many"] and len(tokens) > _LEAST_CHOICE:
        return [*tokens[-2:], *tokens[:-2]]  # "The jobs that X was given - how many?"
    place = next((i for i, token in enumerate(tokens) if token.text in ASKING and not token.quoted), 0)
    choice = list(tokens[:place])
    between = bool(choice) and choice[0].text in ("between", "out", "of") and any(t.text == "and" for t in choice)
    if between:
        choice = [token for token in choice if token.text not in ("between", "out", "of")]
    texts = {token.text for token in choice if not token.quoted}
    chosen = bool(texts & _OR) or between
    if len(choice) < _LEAST_CHOICE or not chosen or texts & _AUXILIARIES:
        return list(tokens)
    joins = _OR | {"and"} if between else _OR
    return [*tokens[place:], *(replace(token, text="or") if token.text in joins else token for token in choice)]
