"""Questions for others than were spoken of: "who else acted in it?", "which other clubs are in Leeds?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.follow_ups.past import PastReading, spoken_of
from clew.tools.queries.follow_ups.readings import FollowUpReading
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import Reading

_OTHERS = re.compile(r"\b(?:whom?|what|where|anybody|anyone|anything) else\b|\bother\b(?!\s+than)|\bothers\b", re.I)


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
