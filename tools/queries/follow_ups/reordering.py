"""The last answer in another form: its order turned round, one of its places, its number, or what it counted: "and the
fewest?", "the last one", "how many is that?", "who are they?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.follow_ups.pairs import DOWN
from clew.tools.queries.follow_ups.past import PastReading, answer_set
from clew.tools.queries.follow_ups.pointed import PLACES
from clew.tools.queries.follow_ups.readings import Change, FollowUpReading, changed_form
from clew.tools.queries.follow_ups.wording import FollowUp
from clew.tools.queries.reading.english.words import adjectives, is_superlative
from clew.tools.queries.reading.forms.form import Form, Nodes, Order

_MOST, _FEWEST = frozenset({"most"}), frozenset({"fewest", "least"})
_BARE = re.compile(
    r"^(?:(?:which|what|who)\s+(?:is|was|has|had)\s+)?(?:the\s+)?(?:most\s+)?(?P<word>\w+)(?:\s+(?P<ones>ones?))?$",
    re.I,
)
_COUNTED = ("number", "truth")
"""What a form asks whose things may be listed afterwards."""
_LISTING = re.compile(
    r"^(?:(?:who|what|which(?:\s+ones)?)\s+(?:are|were)\s+(?:they|those|these)(?:\s+called)?|which(?:\s+ones)?|who"
    r"|(?:list|show|name|give)(?:\s+me)?\s+(?:them|those|these)(?:\s+all)?)$",
    re.I,
)
_COUNTING = re.compile(
    r"^how many(?:\s+(?:is|are) there|(?:\s+(?P<noun>[a-z]+))?\s+(?:(?:is|are|was|were)\s+(?:that|those|these|they)"
    r"|do we have|did you find))(?:\s+(?:in total|altogether|in all))?$",
    re.I,
)
_WHEN = re.compile(r"^(?:when|(?:in|on)\s+(?:what|which)\s+(?:year|month|day|date))\s+(?:is|was)\s+that$", re.I)
_WORKED_OUT = re.compile(
    r"^(?:(?:what|how much|how many)\s+(?:is|are|was|were|do|does)\s+(?:that|it|those|they|this)\s+"
    r"(?:come to\s+|make\s+)?)?"
    r"(?:(?:on\s+|the\s+)?(?P<average>average|mean)|(?:in\s+|the\s+)?(?:total|sum)|altogether|(?:all )?together"
    r"|combined|in all)$",
    re.I,
)
_AMOUNT = re.compile(
    r"^(?:how (?:much|many)|what)(?:\s+exactly)?\s+(?:is|was|are|were)\s+(?:it|that|this)(?:\s+exactly)?$", re.I
)
_BEST = re.compile(
    r"^(?:which|what|who)(?:\s+(?:one|of\s+(?:them|those|these)))?\s+(?:is|are|was|were|has|have|had|got|gets|did|does|comes)\s+"
    r"(?:out\s+)?(?:the\s+)?(?:most\s+)?(?P<word>most|best|highest|biggest|largest|greatest|popular|common|fewest|least|lowest"
    r"|smallest|worst|top|bottom)(?:\s+(?:one|of\s+(?:them|those|these|all|the\s+lot)))?$",
    re.I,
)
_PLACE = re.compile(
    rf"^(?:(?:which|what|who)\s+(?:is|was|came)\s+)?(?:the\s+|in\s+)?(?P<place>{'|'.join(PLACES)})"
    r"(?:\s+(?:one|place|of\s+(?:them|those|these)))?$",
    re.I,
)


def reordered(
    parts: FollowUp, past: Sequence[PastReading], names_kind: Callable[[str, Nodes], bool]
) -> list[FollowUpReading]:
    """The last answer in the opposite order, the one at a place of its order, its number, or the value by which it is
    the first; none if the question asks for none of them.

    Args:
        parts: The question.
        past: The turns that were answered, the oldest first.
        names_kind: Whether a noun may name the kind of a set's nodes.
    """
    last, text = past[-1], parts.rest.strip(" ?.!")
    if last.form is None:
        return []
    if last.form.asks in _COUNTED and _LISTING.match(text):
        return _listed(last, parts.rest)
    if (match := _COUNTING.match(text)) and (not match["noun"] or names_kind(match["noun"], last.form.nodes)):
        return _counted(last, parts.rest)
    if (match := _WORKED_OUT.match(text)) and (worked_out := _worked_out(last, match, parts.rest)):
        return worked_out
    if last.form.asks == "groups" and (best := _best_of_groups(last, last.form, text)):
        return best
    order = last.form.nodes.order
    if order is None or order.grouped:
        return []
    dated = _WHEN.match(text) and (order.by.kind == "date" or "year" in identifier_words(order.by.property or ""))
    if (dated or _AMOUNT.match(text)) and order.limit and last.count == 1:
        return _amount(last, order, parts.rest)
    if (match := _PLACE.match(text)) and order.limit is None:
        return [_changed(last, _at_place(order, PLACES[match["place"].lower()]), parts)]
    if (match := _BARE.match(text)) and _opposite(match["word"].lower(), last.text):
        limit = order.limit if match["ones"] == "ones" else order.limit or 1
        return [_changed(last, replace(order, descending=not order.descending, limit=limit), parts)]
    return []


def _listed(last: PastReading, text: str) -> list[FollowUpReading]:
    """The things that were counted, or of which it was asked whether there are any."""
    nodes = answer_set(last)
    if nodes is None or nodes.bare or replace(nodes, entities=()).bare:
        return []
    return [changed_form(Form("nodes", nodes), "restrict", last.number, text, nodes)]


def _counted(last: PastReading, text: str) -> list[FollowUpReading]:
    """How many nodes the last turn answered."""
    nodes = answer_set(last)
    if last.form is None or last.form.asks != "nodes" or last.form.nodes.order is not None or nodes is None:
        return []
    return [changed_form(Form("number", nodes, None, "count"), "count", last.number, text, nodes)]


def _worked_out(last: PastReading, match: re.Match[str], text: str) -> list[FollowUpReading]:
    """The sum or the average of the numbers that the last turn answered."""
    form = last.form
    if form is None or form.asks != "value" or form.value is None or form.value.kind != "number" or form.value.function:
        return []
    asked = replace(form, asks="number", function="avg" if match["average"] else "sum", columns=())
    return [changed_form(asked, "project", last.number, text, form.nodes)]


def _amount(last: PastReading, order: Order, text: str) -> list[FollowUpReading]:
    """The value by which the last answer is the first: "how much was it?" behind "the biggest damages"."""
    nodes = answer_set(last)
    if nodes is None or not nodes.entities:
        return []
    return [changed_form(Form("value", nodes, order.by), "project", last.number, text, nodes)]


def _best_of_groups(last: PastReading, form: Form, text: str) -> list[FollowUpReading]:
    """The one of several that has the most, or the fewest: "who has the fewest?" behind "how many has each?"."""
    match = _BEST.match(text)
    if match is None or form.best or form.versus is not None:
        return []
    descending = match["word"].lower() not in DOWN
    if form.group is not None:
        best: Form = replace(form, best="highest" if descending else "lowest", limit=1)
    elif form.value is not None and form.nodes.order is None:
        best = Form("nodes", replace(form.nodes, order=Order(form.value, descending)))
    else:
        return []
    return [changed_form(best, "order", last.number, text, form.nodes)]


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
    return changed_form(form, change, last.number, parts.rest, last.form.nodes)
