"""What a question leaves open and the conversation has named: "who abstained?", on the motion that was spoken of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.follow_ups.past import BACK, Antecedent, PastReading, antecedents
from clew.tools.queries.follow_ups.readings import FollowUpReading
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.reader import Reading

_REACH = 2 * BACK
"""What an antecedent may cost: one of the last three turns."""
_LONGEST = 7
"""Words of a question that says little."""


def filled(
    question: str, readings: Sequence[Reading], past: Sequence[PastReading], names_kind: Callable[[str, Nodes], bool]
) -> Iterator[FollowUpReading]:
    """The readings of a short question with the single thing that the conversation spoke of wherever they say "any",
    of a kind that the question does not name.

    Args:
        question: The question.
        readings: Its readings as a question of its own, best first.
        past: The turns that were answered, the oldest first.
        names_kind: Whether a word may name the kind of some nodes.
    """
    said = re.findall(r"\w+", question)
    known = [each for each in antecedents(past) if each.single and each.cost <= _REACH] if len(said) <= _LONGEST else []
    for reading in readings[:1]:
        nodes, meant = reading.form.nodes, None
        for link in nodes.links:
            any_ = link.positive and link.other.bare
            found: Antecedent | None = next((a for a in known if any_ and a.nodes.label == link.other.label), None)
            if found is None or any(names_kind(word, found.nodes) for word in said):
                continue
            meant, links = found, (replace(e, other=found.nodes) if e == link else e for e in nodes.links)
            nodes = replace(nodes, links=tuple(links))
        if meant is not None:
            form = replace(reading.form, nodes=nodes)
            yield FollowUpReading(replace(reading, form=form), "step", meant.turn, question, meant.nodes)
