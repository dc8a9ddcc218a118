"""Which node of an earlier set each answer belongs to: told beside it, and meant by "the Aunt Maud one", the firing in
that kiln."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.follow_ups.past import Antecedent, PastReading
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Value, turned
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_FEW = 20
"""Nodes of which each is named beside what it is related to."""
_ONE = re.compile(r"\b(?:the|that)\s+(?P<name>(?:[\w&'\u2019-]+\s+){1,4}?)one\b", re.I)


def with_origins(form: Form, each: Antecedent, past: Sequence[PastReading], words: SchemaWords) -> Form:
    """What a few nodes are related to, with which of them beside each: "who makes them?"."""
    turn = next((turn for turn in past if turn.number == each.turn), past[-1])
    link = form.nodes.links[0] if len(form.nodes.links) == 1 else None
    few = each.answer and 1 < max(turn.count, len(each.nodes.entities)) <= _FEW
    if link is None or not few or link.other != each.nodes or not link.positive or link.deep:
        return form
    if form.asks != "nodes" or form.columns or form.nodes.order is not None:
        return form
    naming = words.naming_of(each.nodes.label)
    return replace(form, columns=tuple(Value(p.name, None, link, kind=p.kind) for p in naming))


def of_one_origin(question: str, past: Sequence[PastReading]) -> tuple[str, Sequence[PastReading]]:
    """A question about "that one" for one about "the Aunt Maud one", behind an answer that names Aunt Maud beside
    something else, and the turns with one that answered the latter; both unchanged where it speaks of none.

    Args:
        question: The question.
        past: The turns that were answered, the oldest first.
    """
    last, match = past[-1] if past else None, _ONE.search(question)
    if match is None or last is None or last.form is None or last.base is None or not last.form.columns:
        return question, past
    link = next((each for each in last.form.nodes.links if each.other == last.base), None)
    name = match["name"].strip().lower()
    called = [each for each in last.answers if name in each.name.lower()]
    if link is None or len(called) != 1:
        return question, past
    label = last.form.nodes.label
    nodes = last.base.linked(Link(turned(link.path, label), Nodes(label, (called[0],))))
    meant = PastReading(last.number, Form("nodes", nodes), (), 1, base=last.base, text=question)
    return f"{question[: match.start()]}that one{question[match.end() :]}", [*past, meant]
