"""Questions for others than were spoken of: "who else acted in it?", "which other clubs are in Leeds?", "and the
rest?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.tools.queries.follow_ups.changes import with_entities
from clew.tools.queries.follow_ups.past import REACH, PastReading, answer_set, spoken_of
from clew.tools.queries.follow_ups.readings import FollowUpReading, changed_form
from clew.tools.queries.follow_ups.wording import FollowUp
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, turned
from clew.tools.queries.reading.forms.items import Reading

_OTHERS = re.compile(r"\b(?:whom?|what|where|anybody|anyone|anything) else\b|\bother\b(?!\s+than)|\bothers\b", re.I)


_THE_REST = re.compile(
    r"(?:(?:which|who|what)(?:\s+ones|\s+of\s+(?:them|those|these))?\s+(?:do|does|did|is|are|was|were|has|have|had)"
    r"(?:n['\u2019]t|\s+not)|the\s+(?:others|other\s+ones|rest)(?:\s+of\s+(?:them|those|these))?)$",
    re.I,
)
"""What asks for those of a set that were not chosen: "which ones don't?", "and the others?"."""


def the_rest(parts: FollowUp, past: Sequence[PastReading]) -> list[FollowUpReading]:
    """Those of a set that the last choice left out, or what the last turn asked, asked of these; none if the question
    does not ask for them.

    Args:
        parts: The question.
        past: The turns that were answered, the oldest first.
    """
    text, last = parts.rest.strip(" ?.!"), past[-1]
    choice = _last_choice(past) if _THE_REST.match(text) else None
    chosen = answer_set(choice) if choice is not None else None
    if choice is None or choice.form is None or choice.base is None or chosen is None or last.form is None:
        return []
    rest = replace(choice.base, order=None, without=(*choice.base.without, chosen))
    if last is choice:
        form = Form("nodes", rest)
    elif last.form.nodes in (chosen, choice.form.nodes):
        form = replace(last.form, nodes=rest)
    elif len(chosen.entities) == 1 and chosen.entities[0] in last.form.entities:
        form = with_entities(last.form, chosen.entities[0], rest)
    else:
        return []
    return [changed_form(form, "replace", last.number, text, last.form.nodes)]


def _last_choice(past: Sequence[PastReading]) -> PastReading | None:
    """The last turn that answered some nodes of an earlier set; None if none did."""
    return next((turn for turn in reversed(past[-REACH:]) if _chooses(turn)), None)


def _chooses(turn: PastReading) -> bool:
    """Whether a turn answered some nodes of an earlier set."""
    form, base = turn.form, turn.base
    return form is not None and base is not None and form.asks == "nodes" and form.nodes.label == base.label


_NOT_JUST = re.compile(
    r"\b(?:all|every|everything|everyone|the\s+(?:whole|full))\b.*\bnot\s+(?:just|only)\s+[^,.?]+$|^(?:i\s+(?:mean|meant)\s+)?all\s+of\s+them$",
    re.I,
)


def the_whole(parts: FollowUp, past: Sequence[PastReading]) -> list[FollowUpReading]:
    """The last question asked of the set that was narrowed before: "sorry, all of them, not just those in Leeds"."""
    last = past[-1]
    choice = _last_choice(past) if _NOT_JUST.search(parts.rest.strip(" ?.!")) else None
    if choice is None or choice.form is None or choice.base is None or last.form is None:
        return []
    if last is not choice and last.form.nodes != choice.form.nodes:
        return []
    form = replace(Form("nodes", choice.base) if last is choice else last.form, nodes=choice.base)
    return [changed_form(form, "correct", last.number, parts.rest, last.form.nodes)]


_ELSE = re.compile(
    r"(?:(?:what|who|whom|which(?:\s+ones)?|anything|anyone|anybody)\s+else|(?:what|which|any)\s+other\s+(?P<noun>[a-z]+))\b"
    r"(?P<rest>(?:\s+(?:is|are|was|were|has|have|had|do|does|did|got|get|there|here|we|you|i|they|he|she|it|them|him|her|that|those"
    r"|from|by|of|in|at|on|with|for|to|made?|makes?|sells?|sold|offers?|did|done|same))*)$",
    re.I,
)


def of_the_same(
    parts: FollowUp, past: Sequence[PastReading], names_kind: Callable[[str, Nodes], bool]
) -> list[FollowUpReading]:
    """What else is related to the last answer as the one was that the last question named: "what else have we got from
    them?" behind "who makes this wine?"; none if the question asks for anything else.

    Args:
        parts: The question.
        past: The turns that were answered, the oldest first.
        names_kind: Whether a noun may name the kind of a set's nodes.
    """
    match, last = _ELSE.match(parts.rest.strip(" ?.!")), past[-1]
    form, answer = last.form, answer_set(last)
    if match is None or form is None or answer is None or form.asks != "nodes" or len(form.nodes.links) != 1:
        return []
    link = form.nodes.links[0]
    named = link.other
    if not link.positive or link.deep or len(named.entities) != 1:
        return []
    if match["noun"] and not names_kind(match["noun"], named):
        return []
    back = Link(turned(link.path, form.nodes.label), answer, conditions=link.conditions)
    others = Nodes(named.label, links=(back,), without=(Nodes(named.label, named.entities),))
    return [changed_form(Form("nodes", others), "step", last.number, parts.rest, answer)]


def of_others(question: str, found: FollowUpReading, past: Sequence[PastReading]) -> FollowUpReading:
    """A reading without what the conversation spoke of, where the question asks for others."""
    form = found.reading.form
    if form.asks not in ("nodes", "number") or not _OTHERS.search(question):
        return found
    named = [entity for link in form.nodes.links for entity in link.other.entities]
    if any(not set(each.entities) <= set(named) for each in form.nodes.without):
        return found
    spoken = spoken_of(form.nodes.label, past, named)
    if not spoken or set(spoken) & set(form.nodes.entities):
        return found
    others = replace(form.nodes, without=(Nodes(form.nodes.label, spoken),))
    return replace(found, reading=replace(found.reading, form=replace(form, nodes=others)))


def own_of_others(question: str, readings: Sequence[Reading], past: Sequence[PastReading]) -> list[FollowUpReading]:
    """The readings of a question of its own that asks for others; none if it does not."""
    own = [FollowUpReading(each, "restrict", past[-1].number, question, None) for each in readings]
    found = [of_others(question, each, past) for each in own]
    return found if found and found[0] != own[0] else []
