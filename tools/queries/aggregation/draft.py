"""A question's tokens, what they name, and which of them are taken: what the parts of the reader share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property
from clew.tools.queries.aggregation.question import Condition, EntityFilter, Having, Measure, PropertyRef
from clew.tools.queries.aggregation.vocabulary import SchemaTerm, Vocabulary, number_at, phrase_at, words
from clew.tools.queries.lexical import Token
from clew.tools.queries.plans.predicates import kind_of
from clew.tools.queries.values import NUMBERS, holds_years

Fits = Callable[[PropertyRef], bool]
ARTICLES = ("the", "of", "a", "an")
_NEAR = 4
"""Tokens between a property's name and what is said of it."""


@dataclass(slots=True)
class Draft:
    """What has been made of a question so far."""

    question: str
    tokens: list[Token]
    vocabulary: Vocabulary
    terms: list[SchemaTerm] = field(default_factory=list)
    taken: list[bool] = field(default_factory=list)
    entities: list[tuple[int, int, Entity]] = field(default_factory=list)
    """Mentions: first token, the one after the last, and what is meant."""
    conditions: list[Condition] = field(default_factory=list)
    entity_filters: list[EntityFilter] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    having: Having | None = None
    measure: Measure | None = None
    order: Measure | PropertyRef | None = None
    descending: bool = True
    limit: int | None = None
    ties: bool = False
    guesses: int = 0

    def take(self, first: int, last: int) -> None:
        self.taken[first:last] = [True] * (last - first)

    def free(self, first: int, last: int) -> bool:
        return last <= len(self.tokens) and not any(self.taken[first:last])

    def text(self, i: int) -> str:
        return self.tokens[i].text if 0 <= i < len(self.tokens) and not self.tokens[i].quoted else ""

    def term_at(self, first: int) -> SchemaTerm | None:
        """What the name that begins at a token names, if it is not taken."""
        return next((s for s in self.terms if s.first == first and self.free(s.first, s.last)), None)

    def term_after(self, first: int, within: int = 2, skipping: Iterable[str] = ARTICLES) -> SchemaTerm | None:
        """The next free name, at most `within` other words on; words to skip do not count."""
        i, left, passed = first, within, set(skipping)
        while i < len(self.tokens) and left >= 0:
            if (found := self.term_at(i)) is not None:
                return found
            left -= self.text(i) not in passed
            i += 1
        return None

    def property_before(self, first: int, fits: Fits, within: int = _NEAR) -> tuple[SchemaTerm, PropertyRef] | None:
        """The nearest free name of a fitting property that ends at most `within` tokens before one."""
        for term in reversed(self.terms):
            if term.last <= first and first - term.last <= within and self.free(term.first, term.last):
                between = {self.text(i) for i in range(term.last, first)}
                if (owned := self.choose(term.properties, term.first, fits)) and not between & {"and", "or", "but"}:
                    return term, owned
        return None

    def property_after(self, first: int, fits: Fits, within: int = 1) -> tuple[SchemaTerm, PropertyRef] | None:
        term = self.term_after(first, within)
        owned = self.choose(term.properties, term.first, fits) if term else None
        return (term, owned) if term and owned else None

    def choose(self, options: Sequence[PropertyRef], at: int, fits: Fits = lambda _: True) -> PropertyRef | None:
        """Of properties of one name the one whose owner is named nearest; of nodes rather than of relationships."""
        fitting = [owned for owned in options if fits(owned)]
        if len(fitting) < 2:
            return fitting[0] if fitting else None
        ranked = sorted(fitting, key=lambda owned: self._distance(owned, at))
        if self._distance(ranked[0], at)[0] == self._distance(ranked[1], at)[0]:
            self.guesses += 1
        return ranked[0]

    def _distance(self, owned: PropertyRef, at: int) -> tuple[int, bool, int]:
        places = [
            abs(term.first - at)
            for term in self.terms
            if owned.owner in (term.relations if owned.of_relation else term.labels)
        ]
        places += [abs(first - at) for first, _, entity in self.entities if entity.label == owned.owner]
        known = self.vocabulary.schema.labels.get(owned.owner, 0)
        return min(places, default=len(self.tokens)), owned.of_relation, -known

    def label_near(self, at: int) -> str | None:
        """The label that is named nearest to a token, before it rather than behind it."""
        named = [(abs(s.first - at) + (s.first > at) * 0.5, s.labels[0]) for s in self.terms if s.labels]
        return min(named)[1] if named else None

    def negated(self, first: int, within: int = 3) -> bool:
        negative = words("other", "negative")
        return any(self.text(i) in negative for i in range(max(0, first - within), first))

    @property
    def texts(self) -> set[str]:
        """All words of the question."""
        return {token.text for token in self.tokens}

    def phrases(self, part: str, names: Sequence[str] = ()) -> Iterator[tuple[int, str, int]]:
        """The free phrases of a part of the word list: first token, what the phrase stands for, the token after it."""
        for i in range(len(self.tokens)):
            found = phrase_at(part, self.tokens, i, names)
            if found is not None and self.free(i, found[1]):
                yield i, *found

    def skip(self, first: int, *texts: str) -> int:
        """The first token from `first` on that is none of these words."""
        while self.text(first) in texts:
            first += 1
        return first

    def number(self, first: int) -> float | None:
        return number_at(self.tokens, first) if self.free(first, first + 1) else None


def is_number(owned: PropertyRef) -> bool:
    return kind_of(owned.column, 1) in ("number", "written number")


def is_time(owned: PropertyRef) -> bool:
    if owned.column.type in NUMBERS:
        return holds_years(owned.column)
    return kind_of(owned.column, "2000-01-01") == "date"


def is_text(owned: PropertyRef) -> bool:
    return owned.column.type == "STRING"


def name_of(label: str, names: Sequence[str]) -> PropertyRef:
    """The property that names a label's nodes."""
    return PropertyRef(Property(label, names[0] if names else "name", "STRING", 0, ()))
