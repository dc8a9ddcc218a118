"""Reads a question that asks two things: each part on its own, the second one as a follow-up of the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from time import monotonic

from clew.tools.graph.entity import Entity
from clew.tools.queries.follow_ups.follow_up_reader import FollowUpReader
from clew.tools.queries.follow_ups.joined import joined
from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.follow_ups.readings import Find, FollowUpReading, Look
from clew.tools.queries.follow_ups.two_in_one import Parts, parts_of
from clew.tools.queries.reading.forms.form import Form, Value
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.reader import Reader

_DEAREST = 3.0
"""Cost of the reading of a part above which it is not trusted."""
_BOTH = 0.3
"""What the cheaper part adds to the cost of the other one."""
_NOT_SURE = 1.0
"""What a reading of the whole may cost more where the question is not surely of two parts."""
_WAYS = 3
"""Ways to take a question apart that are read."""
_FIRST, _SECOND = 2, 3
"""Readings of each part that are joined."""
_MANY = 6
"""Answers of a first part that were not looked up."""


class DoubleQuestions:
    """Reads the questions about one graph that ask two things."""

    def __init__(self, reader: Reader, follow_ups: FollowUpReader, find: Find, look: Look = lambda nodes: ()) -> None:
        self._reader, self._follow_ups, self._find, self._look = reader, follow_ups, find, look

    def read(self, question: str, turns: Sequence[PastReading], seconds: float) -> list[FollowUpReading]:
        """The reading of a question that asks two things; none where it asks one, or its parts are of different things.

        Args:
            question: The question.
            turns: The earlier turns, the oldest first.
            seconds: The time that it may take.
        """
        until = monotonic() + seconds
        every = list(islice(parts_of(question), _WAYS))
        found = [each for parts in every for each in self._joined(parts, turns, until)]
        best = min(found, key=lambda each: each.cost, default=None)
        if best is None:
            return []
        sure = any(parts.sure for parts in every)
        whole = next(iter(self._readings(question, turns, until)), None)
        if (
            whole is not None
            and whole.cost <= best.cost + (0.0 if sure else _NOT_SURE)
            and _tells_both(whole.form, sure)
        ):
            return []
        turn = turns[-1].number if turns else 0
        return [FollowUpReading(best, "project", turn, question, None, whole=True)]

    def _joined(self, parts: Parts, turns: Sequence[PastReading], until: float) -> Iterator[Reading]:
        firsts = [each for each in self._readings(parts.first, turns, until)[:_FIRST] if each.cost <= _DEAREST]
        whole = [parts.second] if firsts and self._find(parts.second) else []  # It names what it is about itself.
        alone = [each for text in (*whole, *parts.written_out) if firsts for each in self._seconds(text, turns, until)]
        for first in firsts:
            if monotonic() > until:
                break
            if parts.number and first.form.nodes.order is not None:
                yield first  # The number stands beside each answer.
            answers = tuple(self._look(first.form.nodes)) if first.form.asks == "nodes" else ()
            past = (*turns, _as_turn(first.form, parts.first, answers, turns))
            for second in (*self._seconds(parts.second, past, until), *alone):
                form = joined(first.form, second.form, answers, self._naming)
                if form is not None:
                    cost = max(first.cost, second.cost) + _BOTH * min(first.cost, second.cost)
                    missed = tuple(dict.fromkeys((*first.unexplained, *second.unexplained)))
                    yield replace(first, form=form, cost=cost, unexplained=missed)

    def _seconds(self, text: str, turns: Sequence[PastReading], until: float) -> list[Reading]:
        """The readings of a second part that are trusted."""
        every = self._readings(text, turns, until)[:_SECOND]
        return [each for each in every if each.cost <= _DEAREST and not each.form.nodes.bare]

    def _readings(self, text: str, turns: Sequence[PastReading], until: float) -> list[Reading]:
        """The readings of a part, in the conversation or on its own."""
        left = max(0.05, until - monotonic())
        found = [each.reading for each in self._follow_ups.read(text, turns, left)] if turns else []
        return found or self._reader.read(text, self._find(text), (), max(0.05, until - monotonic()))

    def _naming(self, label: str) -> Value | None:
        return next((Value(each.name, kind=each.kind) for each in self._reader.words.naming_of(label)), None)


def _as_turn(form: Form, text: str, answers: Sequence[Entity], turns: Sequence[PastReading]) -> PastReading:
    """The first part as the turn before the second one. Its set is known by its form, not by its nodes."""
    single = form.asks == "value" and len(form.nodes.entities) == 1
    count = len(answers) or (1 if single else _MANY)
    return PastReading(turns[-1].number + 1 if turns else 1, form, (), count, named=form.entities, text=text)


def tells_two(form: Form) -> bool:
    """Whether a form gives two things."""
    return bool(form.columns) or form.asks in ("groups", "truth")


def _tells_both(form: Form, sure: bool) -> bool:
    """Whether a form gives two things. A set may be what a question asks that is not surely of two parts."""
    return tells_two(form) or not (sure or form.asks == "value")
