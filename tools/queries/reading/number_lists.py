"""Readings of questions for several numbers of each group: the numbers are read one by one, and joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.reading.english.number_lists import parts
from clew.tools.queries.reading.english.words import tokens
from clew.tools.queries.reading.forms.form import Form, Value
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.question_parts import Parts

_LOST = ("unexplained", 1.0)
"""What it costs that a reading gives one of the numbers alone."""
_DEAREST = 1.5
"""Cost of the reading of a number above which it is not trusted to be one."""


def with_number_lists(readings: Sequence[Reading], question: Parts) -> list[Reading]:
    """The readings of a question, behind one that gives all numbers of a list: "number of orders and total freight per
    country".

    Args:
        readings: Those of the question as a whole.
        question: The question, and how its parts are read.
    """
    found = [question.readings(*spans) for spans in parts(tokens(question.question))]
    joined = _joined(found) if found and all(found) else None
    return list(readings) if joined is None else [joined, *map(_without_others, readings)]


def _without_others(reading: Reading) -> Reading:
    return with_features(reading, _LOST)


def _joined(found: Sequence[Sequence[Reading]]) -> Reading | None:
    """The reading that gives the numbers of all parts; None where they are not of the same groups."""
    best: Reading | None = None
    for first in found[0]:
        chosen = [first]
        for others in found[1:]:
            chosen += next(([each] for each in others if _same_groups(first.form, each.form)), [])
        dearest = max(chosen, key=lambda each: each.cost)
        form = together([each.form for each in chosen]) if len(chosen) == len(found) else None
        if form is not None and dearest.cost <= (_DEAREST if best is None else best.cost):
            unexplained = tuple(dict.fromkeys(word for each in chosen for word in each.unexplained))
            best = replace(dearest, form=form, unexplained=unexplained)
    return best


def _same_groups(one: Form, other: Form) -> bool:
    return together([one, other]) is not None


def together(forms: Sequence[Form]) -> Form | None:
    """The form that gives several numbers of each group; None where they are not of the same groups.

    Args:
        forms: One for each number.
    """
    first = forms[0]
    if any(each.asks != "groups" or each.best or each.bound is not None for each in forms):
        return None
    if all(each.group is None and each.nodes == first.nodes for each in forms):
        values = tuple(each.value for each in forms if each.value is not None)
        return Form("nodes", first.nodes, columns=values)
    groups = {(each.group, each.group_path, each.period) for each in forms}
    linked = any(each.value is not None and (each.value.link or each.value.edge) for each in forms)
    sets = {each.nodes for each in forms if not each.nodes.bare} or {first.nodes}
    if first.group is None or linked or len(groups) > 1 or len(sets) > 1:
        return None
    if len({each.nodes.label for each in forms}) > 1:
        return None
    return replace(first, nodes=sets.pop(), columns=tuple(map(_column, forms[1:])))


def _column(form: Form) -> Value:
    """The number of a form as a value of the things of one group."""
    return Value(None, "count") if form.value is None else replace(form.value, function=form.function)
