"""Lists of what is asked of each thing, of which some are things themselves: "title, company and city of every job"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.clause_order import COMMA
from clew.tools.queries.reading.english.inflection import is_plural
from clew.tools.queries.reading.english.words import phrase
from clew.tools.queries.reading.forms.items import Item, PropertyChoice, PropertyNoun
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_ITS = frozenset({"their", "its", "his", "her"})
_BEFORE = _ITS | frozenset(
    {"the", "give", "show", "list", "tell", "me", "us", "return", "get", "find", "want", "need", "with", "and"}
)
_BEHIND = frozenset({"of", "for"})
_LONGEST, _MOST = 3, 8
"""Words of one column; columns of a list."""
_DEAREST = 0.7
"""What a word for a property may cost."""


def column_lists(tokens: Sequence[Token], words: SchemaWords) -> Iterator[Item[PropertyNoun]]:
    """The lists of a question in which the name of a kind of thing stands among properties, or behind "their".

    The kinds are read as the properties that name their nodes.
    """
    for first in range(len(tokens)):
        before = tokens[first - 1].text if first else ""
        if before and before not in _BEFORE:
            continue
        columns, last = _columns(tokens, first, words)
        ends = last == len(tokens) or tokens[last].text in _BEHIND
        linked = any(not own for own, _ in columns)
        if linked and ends and (len(columns) > 1 or before in _ITS):
            chosen = [choices for _, choices in columns]
            yield Item(first, last, PropertyNoun(chosen[0], also=tuple(chosen[1:])), 0.0)


def _columns(
    tokens: Sequence[Token], first: int, words: SchemaWords
) -> tuple[list[tuple[bool, tuple[PropertyChoice, ...]]], int]:
    """The columns that begin at a place, each with whether it is a property, and where they end."""
    found: list[tuple[bool, tuple[PropertyChoice, ...]]] = []
    end = first
    while len(found) < _MOST:
        start = end
        if found:
            joined = tokens[start].text == "and" if start < len(tokens) else False
            if not joined and not (start < len(tokens) and tokens[start].start - tokens[start - 1].end >= COMMA):
                break
            start += joined
            start += start < len(tokens) and tokens[start].text in _ITS | {"the"}
        column = next((c for n in range(_LONGEST, 0, -1) if (c := _column(tokens, start, start + n, words))), None)
        if column is None:
            break
        found.append(column[0])
        end = column[1]
    return found, end


def _column(
    tokens: Sequence[Token], first: int, last: int, words: SchemaWords
) -> tuple[tuple[bool, tuple[PropertyChoice, ...]], int] | None:
    if last > len(tokens) or tokens[first].quoted:
        return None
    text, its = phrase(tokens, first, last), first > 0 and tokens[first - 1].text in _ITS
    owned = [choice for choice in words.property(text) if choice.cost <= _DEAREST and choice.kind != "identifier"]
    labels = [label for label, cost in words.labels.get(text, ()) if not cost] if its or not is_plural(text) else []
    named = [choice for label in labels for choice in words.naming_of(label)]
    choices = (*named, *owned) if not owned or owned[0].cost else (*owned, *named)
    return ((not named, choices), last) if choices else None
