"""Which of the valid queries answers a question: as the ranker has it, or as a language model chooses that can say
nothing else (GraphRAFT section 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from clew.agents.generating.choosers import Chooser
from clew.agents.generating.written_query import written
from clew.agents.prompting import prompt
from clew.tools.graph.entity import Entity
from clew.tools.learning.generation.chosen import MOST_TEXTS, Step
from clew.tools.queries.space.query import Query, RankedQuery

_BELOW = 1.0
"""How far below the ranker's last query those score that it does not offer."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A query, and how likely it is."""

    ranked: RankedQuery
    text: str
    """As the model says it."""
    probability: float | None
    """Among all candidates; None where only the ranker speaks for it, or the model does not tell."""
    steps: tuple[Step, ...] = ()
    """The choices at branching nodes of the trie."""


@dataclass(frozen=True, slots=True)
class Generated:
    """The best queries first, and what it took."""

    chosen: tuple[Chosen, ...]
    by: str
    considered: int
    exact: bool = True
    passes: int = 0
    """Of the model."""
    ms: float = 0.0


class Generator(Protocol):
    """Chooses queries."""

    def candidates(self, ranked: Sequence[RankedQuery], entities: Sequence[Entity]) -> list[RankedQuery]:
        """What it chooses from for a question about these entities: the ranker's queries, and perhaps more."""

    def choose(self, question: str, candidates: Sequence[RankedQuery], m: int, *, seconds: float) -> Generated:
        """The `m` best of the candidates, which come best ranked first. Raises ClewError."""


@dataclass(frozen=True, slots=True)
class RankedOrder:
    """Chooses without a model: what the ranker holds best."""

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
    """Candidates; of more, those that the ranker holds best."""

    def candidates(self, ranked: Sequence[RankedQuery], entities: Sequence[Entity]) -> list[RankedQuery]:
        return with_others(ranked, self.around(entities), self.most)

    def choose(self, question: str, candidates: Sequence[RankedQuery], m: int, *, seconds: float) -> Generated:
        """Of candidates that read the same (entities of one name), the best ranked one stands for all."""
        offered: dict[str, RankedQuery] = {}
        for each in candidates[: self.most]:
            offered.setdefault(written(each.query), each)
        texts = list(offered)
        choice = self.chooser.choose(query_prompt(question), texts, m, seconds=seconds)
        chosen = [(texts[each.index], each) for each in choice.chosen]
        found = tuple(Chosen(offered[text], text, each.probability or None, each.steps) for text, each in chosen)
        return Generated(found, self.chooser.name, choice.considered, choice.exact, choice.passes, choice.ms)


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
    """What the model is asked, in training as well as for an answer."""
    return prompt("generate_query", question=" ".join(question.split())).user
