"""Readings of follow-ups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from clew.tools.graph.entity import Entity, Mention
from clew.tools.queries.reading.forms.form import Form, Nodes
from clew.tools.queries.reading.forms.items import Reading

Change = Literal["restrict", "count", "order", "project", "replace", "step", "correct"]
"""How a follow-up changes an earlier reading: fewer of the set, its number, its order, values of it, another name or
value in it, what it is related to, or another reading of the last question."""
Find = Callable[[str], Sequence[Mention]]
"""Finds the names in a text."""
Look = Callable[[Nodes], Sequence[Entity]]
"""Looks up the first nodes of a set; none if there are many."""


@dataclass(frozen=True, slots=True)
class FollowUpReading:
    """One reading of a follow-up."""

    reading: Reading
    change: Change
    turn: int
    """The turn that it changes."""
    text: str
    """The question with what it takes from the turn marked by "them"."""
    base: Nodes | None
    """The earlier set."""
    whole: bool = False
    """Whether the text is a question of its own, with all that it takes from the conversation."""


def changed_form(
    form: Form, change: Change, turn: int, text: str, base: Nodes | None, cost: float = 0.0
) -> FollowUpReading:
    """The reading of a follow-up as a form that is made from an earlier one, not read from words."""
    return FollowUpReading(Reading(form, cost, (), ()), change, turn, text, base)
