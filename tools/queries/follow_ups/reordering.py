"""The last answer in another form: its order turned round, one of its places, or the things that it counted: "and the
fewest?", "the last one", "who are they?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.follow_ups.past import PastReading, answer_set
from clew.tools.queries.follow_ups.readings import Change, FollowUpReading
from clew.tools.queries.follow_ups.wording import FollowUp
from clew.tools.queries.reading.forms.form import Form, Order
from clew.tools.queries.reading.forms.items import Reading

_OPPOSITES = (
    ({"most"}, {"fewest", "least"}),
    ({"biggest", "largest", "greatest", "highest"}, {"smallest", "lowest", "tiniest"}),
    ({"tallest", "longest"}, {"shortest"}),
    ({"oldest", "earliest", "first"}, {"youngest", "newest", "latest", "last", "recent"}),
    ({"cheapest", "expensive"}, {"cheapest", "expensive", "dearest", "priciest"}),
    ({"best"}, {"worst"}),
    ({"heaviest"}, {"lightest"}),
    ({"fastest", "quickest"}, {"slowest"}),
    ({"closest", "nearest"}, {"farthest", "furthest"}),
)
_BARE = re.compile(
    r"^(?:(?:which|what|who)\s+(?:is|was|has|had)\s+)?(?:the\s+)?(?:most\s+)?(?P<word>\w+)(?:\s+ones?)?$", re.I
)
_COUNTED = ("number", "truth")
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
    said = set(re.findall(r"\w+", earlier.lower()))
    return word not in said and any(
        (word in low and said & high) or (word in high and said & low) for high, low in _OPPOSITES
    )


def _changed(last: PastReading, order: Order, parts: FollowUp) -> FollowUpReading:
    assert last.form is not None
    change: Change = "correct" if parts.begins == "instead" else "order"
    form: Form = replace(last.form, nodes=replace(last.form.nodes, order=order))
    return FollowUpReading(Reading(form, 0.0, (), ()), change, last.number, parts.rest, last.form.nodes)
