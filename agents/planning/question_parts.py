"""The words of a question and the spans of its names, for a planner without a model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import Span, tokens
from clew.tools.queries.ranking.similarity import Floats, SchemaPhrases, Similarities


class Parts:
    """The words of a question, compared with the schema once, when it is first asked how near they are."""

    def __init__(
        self, question: str, mentions: Sequence[Mention], lost: Sequence[Mention], phrases: SchemaPhrases
    ) -> None:
        self.question = question
        self._mentions = (*mentions, *lost)
        self.names = [
            (m.start, m.end) for m in mentions if m.candidates and m.candidates[0].matcher in ("exact", "normalised")
        ]
        """Spans of sure names."""
        self.tokens = [token for token in tokens(question) if token.text]
        self.content = [token for token in self.tokens if token.content]
        self.compared = self.content
        """What is compared, once for all."""
        self._phrases = phrases

    def labels(self, word: str) -> Floats:
        """The cosines of a word with the labels."""
        row, near = self._near
        cosines: Floats = near.labels[row[word]]
        return cosines

    def steps(self, word: str) -> Floats:
        """The cosines of a word with the steps."""
        row, near = self._near
        cosines: Floats = near.steps[row[word]]
        return cosines

    @cached_property
    def _near(self) -> tuple[dict[str, int], Similarities]:
        """By word its row, and the cosines."""
        distinct = list(dict.fromkeys(token.text for token in self.compared))
        return {word: row for row, word in enumerate(distinct)}, self._phrases.compare(distinct)

    def place(self, id: str) -> Span | None:
        """The span at which the question names an entity."""
        places = [(m.start, m.end) for m in self._mentions if any(c.entity.id == id for c in m.candidates)]
        return max(places, key=lambda place: place[1] - place[0], default=None)
