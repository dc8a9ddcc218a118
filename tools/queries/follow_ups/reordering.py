"""The last answer in another form: its order turned round, one of its places, or the things that it counted: "and the
fewest?", "the last one", "who are they?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from clew.tools.queries.follow_ups.past import PastReading, answer_set
from clew.tools.queries.follow_ups.readings import Change, FollowUpReading
from clew.tools.queries.follow_ups.wording import FollowUp
from clew.tools.queries.reading.english.words import adjectives, is_superlative
from clew.tools.queries.reading.forms.form import Form, Order
from clew.tools.queries.reading.forms.items import Reading

_MOST, _FEWEST = frozenset({"most"}), frozenset({"fewest", "least"})
_BARE = re.compile(
    r"^(?:(?:which|what|who)\s+(?:is|was|has|had)\s+)?(?:the\s+)?(?:most\s+)?(?P<word>\w+)(?:\s+ones?)?$", re.I
)
_COUNTED = ("number", "truth")
"""What a form asks whose things may be listed afterwards."""
_LISTING = re.compile(
    r"^(?:(?:who|what|which(?:\s+ones)?)\s+(?:are|were)\s+(?:they|those|these)(?:\s+called)?|which(?:\s+ones)?|who"
    r"|(?:list|show|name|give)(?:\s+me)?\s+(?:them|those|these)(?:\s+all)?)$",
    re.I,
)
_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_PLACE = re.compile(
    r"^(?:(?:which|what|who)\s+(?:is|was|came)\s+)?(?:the\s+|in\s+)?(?P<place>first|second|third|fourth|fifth|last)"
    r"(?:\s+(?:one|place|of\s+(?:them|those|these)))?$",
    re.I,
)


def reordered(parts: FollowUp, past: Sequence[PastReading]) -> list[FollowUpReading]:
    """The last answer in the opposite order, or the one at a place of its order; none if the question asks for neither.

    Args:
        parts: The question.
        past: The turns that were answered, the oldest first.
    """
    last = past[-1]
    if last.form is not None and last.form.asks in _COUNTED and _LISTING.match(parts.rest.strip(" ?.!")):
        return _listed(last, parts.rest)
    if last.form is None or last.form.nodes.order is None or last.form.nodes.order.grouped:
        return []
    order, text = last.form.nodes.order, parts.rest.strip(" ?.!")
    if (match := _PLACE.match(text)) and order.limit is None:
        return [_changed(last, _at_place(order, _PLACES[match["place"].lower()]), parts)]
    if (match := _BARE.match(text)) and _opposite(match["word"].lower(), last.text):
        return [_changed(last, replace(order, descending=not order.descending), parts)]
    return []


def _listed(last: PastReading, text: str) -> list[FollowUpReading]:
    """The things that were counted, or of which it was asked whether there are any."""
    nodes = answer_set(last)
    if nodes is None or nodes.bare or replace(nodes, entities=()).bare:
        return []
    return [FollowUpReading(Reading(Form("nodes", nodes), 0.0, (), ()), "restrict", last.number, text, nodes)]


def _at_place(order: Order, place: int) -> Order:
    if place < 0:
        return replace(order, limit=1, descending=not order.descending)
    return replace(order, limit=1, skip=place, ties=place == 0)


def _opposite(word: str, earlier: str) -> bool:
    """Whether a word asks for the other end of what an earlier question asked for: "shortest" behind "longest"."""
    said = re.findall(r"\w+", earlier.lower())
    extremes = {each for before, each in pairwise(["", *said]) if is_superlative(each) or before == "most"} | {
        each for each in said if each in _MOST | _FEWEST
    }
    return word not in said and any(_are_opposite(word, each) for each in extremes)


def _are_opposite(one: str, other: str) -> bool:
    if (one in _MOST and other in _FEWEST) or (one in _FEWEST and other in _MOST):
        return True
    a, b = adjectives().get(one), adjectives().get(other)
    return a is not None and b is not None and bool({*a.up} & {*b.down} or {*a.down} & {*b.up})


def _changed(last: PastReading, order: Order, parts: FollowUp) -> FollowUpReading:
    assert last.form is not None
    change: Change = "correct" if parts.begins == "instead" else "order"
    form: Form = replace(last.form, nodes=replace(last.form.nodes, order=order))
    return FollowUpReading(Reading(form, 0.0, (), ()), change, last.number, parts.rest, last.form.nodes)
