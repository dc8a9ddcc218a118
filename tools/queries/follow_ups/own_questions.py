"""What it costs that a question in a conversation is one of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.tools.queries.follow_ups.kinds import Kinds
from clew.tools.queries.follow_ups.past import PastReading, antecedents
from clew.tools.queries.follow_ups.wording import FollowUp
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.forms.form import Form, sets
from clew.tools.queries.reading.reader import Reading

_THE_KIND = re.compile(r"(?:who|what|which|where)\s+(?:is|are|was|were)\s+the\s+(?:\w+\s+)?\w+$", re.I)
_OF_ALL, _DEFINITE = 1.0, 1.5
"""What it costs that a question in a conversation asks for all there is of a kind, and that it calls it "the"."""
_OWN = {"refers": 3.0, "partial": 1.2, "whole": 0.3, "plain": 0.0}
"""What it costs that a question is of its own although it refers to another, leaves something out, or only begins with
"and" and names what it is about; or none of them."""
WORST = 4.0
"""Cost of a reading that is not one."""


def own_cost(
    question: str, parts: FollowUp, readings: Sequence[Reading], past: Sequence[PastReading], kinds: Kinds
) -> float:
    """The cost of a question as one of its own, which has these readings."""
    referring = any(each.said or each.kind == "product" for each in parts.variants)
    begun = parts.begins or parts.rest != question.strip().rstrip("?!. ")
    adds = any(v.adds for v in parts.variants)
    whole = begun and not adds and bool(readings) and _says_which(readings[0].form)
    lost = _OWN["refers" if referring else "whole" if whole else "partial" if begun or adds else "plain"]
    definite = _THE_KIND.match(parts.rest) is not None
    of_all = _OF_ALL + (_DEFINITE if definite else 0.0)
    lost += _DEFINITE if _means_one(parts, past, kinds) else 0.0
    general = (each.form.nodes.bare or (definite and not each.form.entities) for each in readings)
    costs = [each.cost + of_all * of_any for each, of_any in zip(readings, general, strict=True)]
    return min(costs, default=WORST) + lost


def _says_which(form: Form) -> bool:
    """Whether a form speaks of something named, or of a value."""
    return bool(form.entities) or any(c.predicate is not None for nodes in sets(form.nodes) for c in nodes.conditions)


def _means_one(parts: FollowUp, past: Sequence[PastReading], kinds: Kinds) -> bool:
    """Whether it speaks of "the firm", of which the conversation knows one."""
    nouns = [each.noun for each in parts.variants if each.noun and singular(each.noun) == each.noun]
    known = [each.nodes for each in antecedents(past) if each.single] if nouns else []
    return any(kinds.is_label(noun, nodes) for noun in nouns for nodes in known)
