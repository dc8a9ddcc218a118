"""Sets of nodes that a conversation gives for words of a question, as anchors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clew.tools.queries.lexical import Span, Token
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import AnyItem, Noun
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.reading.forms.stand_ins import stands_in

_OTHER_USE = ("guess", 0.1)
"""What it costs that one node is one of many, or that many are meant like one name."""


def with_given(anchors: Sequence[AnyItem], said: Sequence[Token], given: Mapping[Span, Nodes]) -> list[AnyItem]:
    """The anchors of a question with its given sets in the place of those that overlap them.

    Args:
        anchors: The anchors.
        said: The tokens of the question.
        given: Spans of the question → the sets that they stand for.
    """
    found = list(anchors)
    for (start, end), nodes in given.items():
        inside = [i for i, token in enumerate(said) if token.start < end and token.end > start]
        if not inside:
            continue
        first, last = inside[0], inside[-1] + 1
        found = [item for item in found if item.last <= first or item.first >= last]
        asked = first > 0 and said[first - 1].text in ("which", "what")
        one = len(nodes.entities) == 1 and not stands_in(nodes.entities[0])
        for named in (True, False):
            features = () if named == one else (_OTHER_USE,)
            noun = Noun(nodes, not one, asked and not named, named=named)
            found.append(anchor(first, last, noun, *features))
    return found
