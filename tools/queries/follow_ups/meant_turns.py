"""Which earlier turns, and which of their sets, a follow-up may mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from clew.tools.queries.follow_ups.changes import spoken_sets
from clew.tools.queries.follow_ups.pairs import those_two
from clew.tools.queries.follow_ups.past import Antecedent, PastReading, answer_set, antecedents
from clew.tools.queries.follow_ups.readings import Find
from clew.tools.queries.follow_ups.references import FEW
from clew.tools.queries.follow_ups.wording import FollowUp
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.forms.form import Nodes

_OF_SO_MANY = re.compile(
    rf"\b(?:(?:of|among)\s+(?:all\s+)?(?:the|those|these|all)|(?:all|those|these)(?:\s+the)?)\s+(?P<number>{FEW})\b",
    re.I,
)
"""What says how many the set has that is meant."""
_NO_KIND = frozenset({"ones", "one", "of", "in", "by", "from", "the", "and", "who", "that", "with"})
_CORRECTED, _EARLIER = 0.5, 0.3
"""What it costs that a correction is one of the last answer, or that "and" adds to what the last turn began with."""


def turns_meant(
    parts: FollowUp, answered: Sequence[PastReading], names_kind: Callable[[str, Nodes], bool], find: Find
) -> Sequence[PastReading]:
    """The answered turns that a question may change, the oldest first; up to the one that it goes back to."""
    two = bool(answered) and next(those_two(parts, answered), None) is not None
    if not two and (of := _OF_SO_MANY.search(parts.rest)) and (many := number(of["number"].lower())):
        known = next((i for i, turn in reversed(list(enumerate(answered, 1))) if turn.count == many), 0)
        return answered[:known] or answered
    if parts.turn == 0:
        whole = [turn for turn in answered if turn.base is None and turn.count > 1]
        return whole[-1:] or answered[:1]
    if parts.turn is not None:
        place = parts.turn - 1 if parts.turn > 0 else len(answered) + parts.turn
        return answered[place : place + 1]
    if not parts.back_to or not answered:
        return answered
    own = [turn for turn in answered if (nodes := answer_set(turn)) and names_kind(parts.back_to, nodes)]
    wide = [turn for turn in own if turn.base is None or turn.form is None] or own
    spoke = [t for t in answered if t.form and any(names_kind(parts.back_to, n) for n in spoken_sets(t.form))]
    if wide or spoke:
        return wide[-1:] or spoke[:1]  # "Back to the whole club": those who are in it.
    mentions = () if parts.named.islower() else find(parts.named)[:1]
    if named := [c.entity for m in mentions for c in m.candidates[:1]]:
        return [PastReading(answered[-1].number, None, tuple(named), 1)]
    said = [singular(each) for each in re.findall(r"[\w-]+", parts.named.lower()) if each not in _NO_KIND]
    for wanted in (said, said[-1:]):  # "The rejected ones"
        found = [t for t in answered if wanted and all(re.search(rf"\b{re.escape(w)}", t.text, re.I) for w in wanted)]
        if found:
            return found[:1]
    return []


def sets_meant(parts: FollowUp, past: Sequence[PastReading]) -> Iterable[Antecedent]:
    """The sets that a question may mean. A correction means what the last turn began with as well."""
    last, later = past[-1], 0.0
    yield from those_two(parts, past)
    base = last.base or (last.form.nodes if last.form is not None else None)
    if parts.begins and base is not None:
        later = 0.0 if parts.begins == "also" else _CORRECTED
        yield Antecedent(base, 0.0 if later else _EARLIER, last.number, single=False)
    for each in antecedents(past):
        yield replace(each, cost=each.cost + later)
