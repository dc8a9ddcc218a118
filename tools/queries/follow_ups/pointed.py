"""What a question points at in an earlier answer, written out: "the first one" of a sorted list, "the chronic one",
"that chromosome"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.tools.graph.entity import Entity
from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.reading.english.inflection import noun_forms
from clew.tools.queries.reading.english.words import adjectives

_REACH = 3
"""Turns back to which it reaches."""
PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_BY_PLACE = re.compile(
    r"\bthe\s+(?:very\s+)?(?P<place>first|second|third|fourth|fifth|last)\s+(?:one\b(?:\s+(?:of|on|in)\s+(?:them|those"
    r"|these|(?:that|the)\s+list))?|(?:of|on|in)\s+(?:them|those|these|(?:that|the)\s+list))",
    re.I,
)
_BY_NAME = re.compile(r"\b(?:the|that)\s+(?P<part>[a-z][\w-]*(?:\s+[a-z][\w-]*)?)\s+one\b", re.I)
_VALUE = re.compile(r"\b(?:that|this|the\s+same)\s+(?P<noun>[a-z]+)\b", re.I)


def with_one_pointed(question: str, past: Sequence[PastReading]) -> str:
    """A question with the name of the node, or with the value, of an earlier answer that it points at; unchanged if it
    points at none.

    Args:
        question: The question.
        past: The turns that were answered, the oldest first.
    """
    recent = list(reversed(past[-_REACH:]))
    if (match := _BY_PLACE.search(question)) and match.start() and (one := _at_place(match["place"].lower(), recent)):
        return f"{question[: match.start()]}{one.name}{question[match.end() :]}"
    if (match := _BY_NAME.search(question)) and (one := _called(match["part"].lower(), recent)):
        return f"{question[: match.start()]}{one.name}{question[match.end() :]}"
    return _with_value(question, recent)


def _at_place(place: str, recent: Sequence[PastReading]) -> Entity | None:
    """The node at a place of the last list that was put in order."""
    for turn in recent:
        form = turn.form
        order = form.nodes.order if form is not None and form.asks == "nodes" else None
        if order is not None and order.limit is None and not order.grouped:
            at = PLACES[place] % turn.count if turn.count else 0
            return turn.answers[at] if PLACES[place] < turn.count and at < len(turn.answers) else None
        if turn.count > 1:
            return None
    return None


def _called(part: str, recent: Sequence[PastReading]) -> Entity | None:
    """The only one of several answers whose name has some words."""
    if any(word in adjectives() for word in (part, *part.split())):
        return None
    words = re.compile(rf"\b{re.escape(part)}\b", re.I)
    for turn in recent:
        found = [each for each in turn.answers if words.search(each.name)]
        if len(turn.answers) > 1 and len(found) == 1:
            return found[0]
    return None


def _with_value(question: str, recent: Sequence[PastReading]) -> str:
    """ "That chromosome": the value of a property that was answered."""
    for match in _VALUE.finditer(question):
        forms = {match["noun"].lower(), *noun_forms(match["noun"].lower())}
        for turn in recent:
            value = turn.form.value if turn.form is not None and turn.form.asks == "value" else None
            if value is None or value.property is None or len(turn.values) != 1:
                continue
            if forms & set(identifier_words(value.property)):
                return f"{question[: match.start()]}{match['noun']} {turn.values[0]}{question[match.end() :]}"
    return question
