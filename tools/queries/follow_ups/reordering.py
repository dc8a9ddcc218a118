"""The order of the last answer turned round, or one of its places: "and the fewest?", "the last one"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.follow_ups.past import PastReading
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
    if last.form is None or last.form.nodes.order is None or last.form.nodes.order.grouped:
        return []
    order, text = last.form.nodes.order, parts.rest.strip(" ?.!")
    if (match := _PLACE.match(text)) and order.limit is None:
        return [_changed(last, _at_place(order, _PLACES[match["place"].lower()]), parts)]
    if (match := _BARE.match(text)) and _opposite(match["word"].lower(), last.text):
        return [_changed(last, replace(order, descending=not order.descending), parts)]
    return []


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
