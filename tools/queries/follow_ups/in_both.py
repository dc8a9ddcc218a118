"""What stands in the answers of two earlier turns: "who won both?", "which ones are on both lists?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.follow_ups.readings import FollowUpReading, changed_form
from clew.tools.queries.follow_ups.wording import FollowUp
from clew.tools.queries.reading.forms.form import Form, Nodes

_LISTS = re.compile(
    r"\b(?:on|in|appears?\s+(?:on|in)|part\s+of)\s+both(?:\s+(?:of\s+)?(?:the\s+|those\s+|these\s+)?(?:lists|answers|sets|groups))?"
    r"(?=\W|$)|\bin\s+common\b|\boverlaps?\b",
    re.I,
)
_DOES_BOTH = re.compile(
    r"^(?:(?:so|and)\s+)?(?:(?P<many>how\s+many)|who|whom|which|what|did|do|does|has|have|is|are|was|were)\b"
    r"(?:\s+[\w'\u2019]+){1,6}?\s+both(?:\s+(?:of\s+)?(?:them|those|these|(?:the\s+|those\s+|these\s+)?\w+))?(?:\s*[?.,]\s*(?:if\s+so[\s,]*)?"
    r"(?:who|which|what)(?:\s+ones?)?)?$",
    re.I,
)


def in_both(parts: FollowUp, past: Sequence[PastReading]) -> Iterator[FollowUpReading]:
    """The nodes of the last two answers that are in both; none if the question does not ask for them, or if the two
    answers are of different kinds.

    Args:
        parts: The question.
        past: The turns that were answered, the oldest first.
    """
    text = parts.rest.strip(" ?.!")
    lists, does = _LISTS.search(text), _DOES_BOTH.match(text)
    one, other = (past[-2].form, past[-1].form) if len(past) > 1 else (None, None)
    if not (lists or does) or one is None or other is None or (one.asks, other.asks) != ("nodes", "nodes"):
        return
    if one.nodes.label != other.nodes.label or not (lists or _is_parallel(one.nodes, other.nodes)):
        return
    counts = text.lower().startswith("how many")
    form = Form("number" if counts else "nodes", _met(one.nodes, other.nodes))
    yield changed_form(form, "restrict", past[-1].number, text, other.nodes)


def _is_parallel(one: Nodes, other: Nodes) -> bool:
    """Whether two sets are told apart by what one relation leads to: the winners of two prizes."""
    ways = [[link.path for link in each.links] for each in (one, other)]
    return bool(ways[0]) and ways[0] == ways[1] and one.links != other.links


def _met(one: Nodes, other: Nodes) -> Nodes:
    """The nodes that are in both of two sets of one label."""
    plain = not any(each.order or each.entities or each.either or each.without for each in (one, other))
    if not plain:
        return replace(other, within=(*other.within, one))
    links = (*one.links, *(link for link in other.links if link not in one.links))
    conditions = (*one.conditions, *(each for each in other.conditions if each not in one.conditions))
    return replace(other, links=links, conditions=conditions, within=(*one.within, *other.within))
