"""Choice of the valid query that answers a question, by the ranker or by a language model that can write no other.

Source: GraphRAFT section 4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from clew.agents.generating.chooser import Chooser
from clew.agents.generating.written_query import written
from clew.agents.prompting import prompt
from clew.tools.graph.entity import Entity
from clew.tools.learning.generation.chosen import MOST_TEXTS, Step
from clew.tools.queries.space.query import Query, RankedQuery

_BELOW = 1.0
"""How far queries that the ranker does not have score below its last one."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A query, and how likely it is."""

    ranked: RankedQuery
    text: str
    """As the model writes it."""
    probability: float | None
    """Among all candidates; None if the ranker chose it, or the model gives none."""
    steps: tuple[Step, ...] = ()
    """The choices at branching nodes of the trie."""


@dataclass(frozen=True, slots=True)
class Generated:
    """The chosen queries, best first, and what choosing took."""

    chosen: tuple[Chosen, ...]
    by: str
    considered: int
    exact: bool = True
    passes: int = 0
    """Forward passes of the model."""
    ms: float = 0.0
    written: str | None = None
    """What a model without constraint wrote; it is never run, and `chosen` is empty if it is none of the queries."""


class Generator(Protocol):
    """Chooses queries."""

    def candidates(self, ranked: Sequence[RankedQuery], entities: Sequence[Entity]) -> list[RankedQuery]:
        """The candidates for a question about these entities: the ranker's queries, and perhaps more."""

    def choose(self, question: str, candidates: Sequence[RankedQuery], m: int, *, seconds: float) -> Generated:
        """The `m` best of the candidates, which are given best ranked first. Raises ClewError."""


@dataclass(frozen=True, slots=True)
class RankedOrder:
    """Chooses without a model, in the order of the ranker."""

    def candidates(self, ranked: Sequence[RankedQuery], entities: Sequence[Entity]) -> list[RankedQuery]:
        return list(ranked)

    def choose(self, question: str, candidates: Sequence[RankedQuery], m: int, *, seconds: float = 0.0) -> Generated:
        chosen = tuple(Chosen(each, written(each.query), None) for each in candidates[:m])
        return Generated(chosen, "the ranker", len(candidates))


@dataclass(frozen=True, slots=True)
class CypherGenerator:
    """Chooses by a model, from the ranker's queries and the paths around the entities."""

    chooser: Chooser
    around: Callable[[Sequence[Entity]], Iterable[Query]] = field(default=lambda entities: ())
    """As clew.tools.queries.space.around.queries_around."""
    most: int = MOST_TEXTS
    """Most candidates; of more, the best ranked ones."""

    def candidates(self, ranked: Sequence[RankedQuery], entities: Sequence[Entity]) -> list[RankedQuery]:
        return with_others(ranked, self.around(entities), self.most)

    def choose(self, question: str, candidates: Sequence[RankedQuery], m: int, *, seconds: float) -> Generated:
        """As Generator. Of candidates with the same text (entities of one name), the best ranked one counts."""
        offered: dict[str, RankedQuery] = {}
        for each in candidates[: self.most]:
            offered.setdefault(written(each.query), each)
        texts = list(offered)
        choice = self.chooser.choose(query_prompt(question), texts, m, seconds=seconds)
        chosen = [(texts[each.index], each) for each in choice.chosen]
        found = tuple(Chosen(offered[text], text, each.probability or None, each.steps) for text, each in chosen)
        return Generated(
            found, self.chooser.name, choice.considered, choice.exact, choice.passes, choice.ms,
            choice.written,
        )  # fmt: skip


def with_others(ranked: Sequence[RankedQuery], others: Iterable[Query], most: int = MOST_TEXTS) -> list[RankedQuery]:
    """The ranked queries, then others that are not among them, `most` in all."""
    least = min((each.score for each in ranked), default=0.0) - _BELOW
    known = {each.query.key() for each in ranked}
    found = list(ranked[:most])
    for query in others:
        if len(found) >= most:
            break
        if query.key() not in known:
            known.add(query.key())
            found.append(RankedQuery(query, least, {"around": 1.0}))
    return found


def query_prompt(question: str) -> str:
    """The prompt of the model, in training as well as in answering."""
    return prompt("generate_query", question=" ".join(question.split())).user
