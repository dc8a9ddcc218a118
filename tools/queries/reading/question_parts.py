"""Parts of a question that are read as questions of their own, with what the question names in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import Span
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import Reading

Named = tuple[Sequence[Mention], Sequence[Mention], Mapping[Span, Nodes]]
"""Linked entities, other spans that may name one, and spans that stand for sets."""
Read = Callable[[str, Sequence[Mention], Sequence[Mention], Mapping[Span, Nodes]], Sequence[Reading]]
Piece = str | Span
"""A part of a question as its span, or other words."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A question of which parts are read as questions of their own, each once."""

    question: str
    named: Named
    """What it names."""
    read: Read
    """Reads a part of it."""
    _known: dict[tuple[Piece, ...], Sequence[Reading]] = field(default_factory=dict)

    def readings(self, *pieces: Piece) -> Sequence[Reading]:
        """The readings of some parts of the question, and of other words with them, cheapest first."""
        if pieces not in self._known:
            text, named = _assembled(self.question, self.named, pieces)
            self._known[pieces] = self.read(text, *named) if text else ()
        return self._known[pieces]

    def named_in(self, span: Span) -> list[Mention]:
        """The linked entities within a part of the question."""
        return [each for each in self.named[0] if span[0] <= each.start and each.end <= span[1]]


def _assembled(question: str, named: Named, pieces: Sequence[Piece]) -> tuple[str, Named]:
    """The text that some pieces make, a space between each two, and what is named in it.

    Args:
        question: The question.
        named: What it names.
        pieces: Its parts, and other words.
    """
    text, places = "", []
    for piece in pieces:
        text += " " if text else ""
        if not isinstance(piece, str):
            places.append((piece, len(text) - piece[0]))
            piece = question[slice(*piece)]
        text += piece

    def by(start: int, end: int) -> int | None:
        return next((far for (first, last), far in places if first <= start and end <= last), None)

    def mentions(every: Sequence[Mention]) -> list[Mention]:
        found = [(each, by(each.start, each.end)) for each in every]
        return [replace(each, start=each.start + far, end=each.end + far) for each, far in found if far is not None]

    sets = {(s + far, e + far): nodes for (s, e), nodes in named[2].items() if (far := by(s, e)) is not None}
    return text, (mentions(named[0]), mentions(named[1]), sets)


def trimmed(question: str, span: Span) -> Span:
    """A part of a question without the signs and blanks at its ends."""
    part = question[slice(*span)]
    return span[0] + len(part) - len(part.lstrip(" ,:;-\u2013")), span[0] + len(part.rstrip(" ,:;?.!-\u2013"))
