"""The last answer shown in another way: "longest first", "just three of them", "in percent"."""

from __future__ import annotations

import re
from dataclasses import replace

from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.follow_ups.readings import Change, FollowUpReading, changed_form
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.words import FREE, tokens
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.presentation.said import Presentation, said_of_showing
from clew.tools.queries.reading.presentation.shown import as_shown
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_LIGHT = FREE | frozenset({
    "just", "only", "but", "instead", "sort", "sorted", "order", "list", "show", "give", "them", "those", "these",
    "that", "it", "all", "again", "now", "same", "please", "one", "ones", "then", "and", "of",
})  # fmt: skip
"""Words that say nothing beside how answers are shown."""
_MOST = 100
"""A greater number is a year."""
_OF_THEM = re.compile(r"\b(?:just|only|them|those|these)\b", re.IGNORECASE)


def shown_again(question: str, last: PastReading, words: SchemaWords) -> list[FollowUpReading]:
    """The reading of the last turn, shown as a question says that says nothing else; none if it says more.

    Args:
        question: The question.
        last: The last turn that was answered.
        words: The words of the schema.
    """
    said = _alone(question)
    if said is None or last.form is None:
        return []
    shown = as_shown(Reading(last.form, 0.0, (), ()), said, words)
    if shown.unexplained or shown.form == last.form:
        return []
    change: Change = "restrict" if said.some is not None else "order"
    return [changed_form(shown.form, change, last.number, question, last.form.nodes)]


def _alone(question: str) -> Presentation | None:
    """How answers are shown, if a question says nothing else."""
    said = said_of_showing(question)
    left = [each.text for each in tokens(said.text) if each.text not in _LIGHT]
    several = number(left[0]) if len(left) == 1 and _OF_THEM.search(question) else None
    if several is not None and several <= _MOST and not said.order:
        return replace(said, some=int(several))
    return said if not left and said.text != question else None
