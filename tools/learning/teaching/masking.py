"""A question without its entities, so that what is learned from it holds for others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.tools.graph.entity import Entity
from clew.tools.linking.mentions import Linking
from clew.tools.queries.space.words import noun_of


def masked(question: str, anchors: Sequence[Entity], linking: Linking) -> str:
    """The question with the noun of its label in the place of every anchor that it names."""
    spans = []
    for anchor in anchors:
        for mention in (*linking.mentions, *linking.alternatives):
            if any(candidate.entity.id == anchor.id for candidate in mention.candidates):
                spans.append((mention.start, mention.end, noun_of(anchor.label)))
                break
    return replaced(question, spans)


def replaced(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """`text` with other words for these spans; of two that overlap the first one counts."""
    out, done = [], 0
    for start, end, noun in sorted(spans):
        if start >= done:
            out += [text[done:start], noun]
            done = end
    return "".join([*out, text[done:]])
