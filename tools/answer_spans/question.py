"""A question with the measures of its words, and what the graph gives for a part of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from clew.tools.answer_spans.expected_answer import ExpectedAnswer
from clew.tools.answer_spans.passages import Passage, has_name, holds, name_terms


@dataclass(frozen=True, slots=True)
class Beside:
    """What the graph gives for a part of a question: a passage may have that instead of the question's words."""

    names: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    """The words of the question that are not of this part."""

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(term for name in self.names for term in name_terms(name))

    def is_in(self, passage: Passage) -> bool:
        """Whether a passage has one of the names."""
        return any(has_name(passage, name_terms(name)) for name in self.names)

    def says(self, term: str, passage: Passage) -> bool:
        """Whether a passage says a word of the question by one of the names."""
        return bool(self.names) and term not in self._left_terms and self.is_in(passage)

    def has(self, name: Sequence[str], passage: Passage) -> bool:
        """Whether a passage has a name of the question, or what the graph gives for it."""
        return has_name(passage, name) or all(self.says(term, passage) for term in name)

    @property
    def _left_terms(self) -> list[str]:
        return name_terms(" ".join(self.left))


NOTHING_BESIDE = Beside()


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the measures of its words."""

    text: str
    asked: ExpectedAnswer
    rarity: Callable[[str], float]
    """The inverse document frequency of a term."""
    near: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """The cosines of question terms with the terms of passages, where they are close in meaning."""
    beside: Beside = NOTHING_BESIDE

    def said(self, term: str, held: Sequence[str]) -> float:
        """How well some of these terms say a term of the question: 1 for the word itself, else its nearness."""
        if holds(term, held):
            return 1.0
        nearness = self.near.get(term, {})
        return max((nearness.get(each, 0.0) for each in held), default=0.0)

    def of_name(self, term: str) -> bool:
        """Whether a term is of one of the question's names."""
        return any(term in name for name in self.asked.names)
