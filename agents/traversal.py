"""The traversal agent: a model walks the graph hop by hop. Source: ByoKG-RAG Algorithm 1.

Each round has two calls: one selects relations of the frontier, one selects the entities to go on from or says that the
facts are enough. The content of prompts is bounded by nearness to the question, and replies are matched with what was
offered. The counterparts without a model are the scoring strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from clew.agents.linking.matching import KnownNames
from clew.agents.models.calls import Model, ModelFailed
from clew.agents.prompting import one_line, prompt
from clew.agents.replies import parse_next_entities, parse_selected
from clew.tools.embedding import Embedder, cosines_with
from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity
from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.neighbourhood import Neighbourhood, Step
from clew.tools.graph.store.graph_store import Limits
from clew.tools.graph.triplets import Triplet, fairly, grouped, scores

ROUNDS = 3
"""Most hops (T_A of the paper)."""
FRONTIER = 15
"""Most entities that one round expands."""
OFFERED = 40
"""Most relations in a prompt."""
SELECTED = 10
"""Most relations that one round follows."""
FALLBACK = 3
"""Relations, nearest to the question, that are followed if the model selects none of those offered."""
FAN_OUT = 60
"""Most triplets per entity, relation and direction."""
SHOWN = 120
"""Most triplets in a prompt."""
SCORED = 240
"""Most triplets that are compared with the question to choose those shown."""
CALLS = 2 * ROUNDS - 1
"""Most model calls; the last round selects no entities."""


@dataclass(frozen=True, slots=True)
class Round:
    """One expansion."""

    frontier: tuple[Entity, ...]
    offered: tuple[str, ...]
    selected: tuple[Step, ...]
    """The steps that were followed, in the order of the model's selection."""
    by_model: bool
    """Whether the model selected relations; if not, the nearest were followed."""
    notes: tuple[str, ...]


@dataclass(slots=True)
class Traversal:
    """The result of a walk."""

    triplets: dict[Triplet, None] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    explored: dict[Entity, None] = field(default_factory=dict)
    """The entities of all frontiers."""
    ended: str = ""
    """Why the walk ended."""
    finished: bool = False
    """Whether the model said that the facts are enough."""


class TraversalAgent:
    """Walks one graph with one model."""

    def __init__(
        self,
        model: Model,
        around: Neighbourhood,
        embedder: Embedder,
        limits: Callable[[], Limits],
        out_of_time: Callable[[], bool],
    ) -> None:
        self._model, self._around, self._embedder = model, around, embedder
        self._limits, self._out_of_time = limits, out_of_time

    def walk(self, question: str, entities: Sequence[Entity], rounds: int = ROUNDS, calls: int = CALLS) -> Traversal:
        """Walk up to `rounds` hops from the entities with at most `calls` model calls.

        A model or query that fails, or the end of the time, ends the walk with what was found before; only
        DatabaseUnavailable is raised.
        """
        found, budget = Traversal(), _Calls(self._model, calls)
        frontier = list(dict.fromkeys(entities))[:FRONTIER]
        try:
            for number in range(1, rounds + 1):
                found.explored |= dict.fromkeys(frontier)
                before = len(found.triplets)
                self._expand(question, frontier, found, budget)
                if len(found.triplets) == before:
                    found.ended = "the relations lead to nothing new"
                elif number == rounds:
                    found.ended = f"the limit of {rounds} hops is reached"
                else:
                    frontier = self._next(question, found, budget)
                if found.ended:
                    break
        except _Ended as end:
            found.ended = str(end)
        except (ModelFailed, QueryFailed) as failed:
            found.ended = failed.message
        return found

    def _expand(self, question: str, frontier: list[Entity], found: Traversal, budget: _Calls) -> None:
        """The relations of the frontier, the model's selection, and the triplets along it."""
        self._check_time()
        steps = self._around.steps(frontier, self._limits())
        offered = self._nearest(question, list(dict.fromkeys(step.relation for step in steps)))
        selected, notes = self._select(question, frontier, offered, budget)
        by_model = bool(selected)
        if not selected and offered:
            selected = offered[:FALLBACK]
            notes = ["the model selected no relation that was offered: the nearest are followed"]
        order = {relation: place for place, relation in enumerate(selected)}
        taken = sorted((s for s in steps if s.relation in order), key=lambda s: order[s.relation])
        self._check_time()
        expansion = self._around.expand(frontier, taken, FAN_OUT, self._limits())
        notes += [f"{entity.name} has more than {FAN_OUT} {step.relation}" for entity, step in expansion.cut]
        found.triplets |= dict.fromkeys(expansion.triplets)
        found.rounds.append(Round(tuple(frontier), tuple(offered), tuple(taken), by_model, tuple(notes)))

    def _select(
        self, question: str, frontier: list[Entity], offered: list[str], budget: _Calls
    ) -> tuple[list[str], list[str]]:
        """The relations that the model selects, and notes on its reply. A single relation needs no call."""
        if len(offered) < 2:
            return offered, []
        names = ", ".join(one_line(f"{entity.name} ({entity.label})") for entity in frontier)
        reply = budget.ask(
            "select_relations", question=question, entities=names, relations="\n".join(map(one_line, offered))
        )
        known = KnownNames()
        known.add_values(offered)
        said = parse_selected(reply)
        matched = (_relation(each, known) for each in said)
        selected = list(dict.fromkeys(each for each in matched if each is not None))[:SELECTED]
        strange = len(said) - sum(_relation(each, known) is not None for each in said)
        return selected, [f"{strange} selected relations were not offered"] if strange else []

    def _next(self, question: str, found: Traversal, budget: _Calls) -> list[Entity]:
        """The next frontier; sets `ended` if there is none."""
        self._check_time()
        shown = self._shown(question, list(found.triplets))
        reply = budget.ask("select_entities", question=question, context="\n".join(map(one_line, grouped(shown))))
        names, found.finished = parse_next_entities(reply)
        if found.finished:
            found.ended = "the model says that the facts are enough"
            return []
        frontier = [e for e in _entities(names, shown) if e not in found.explored][:FRONTIER]
        if not frontier:
            found.ended = "the model named no entity of the facts that was not explored"
        return frontier

    def _nearest(self, question: str, relations: list[str]) -> list[str]:
        """At most OFFERED relations, the nearest to the question first."""
        if not relations:
            return []
        texts = [" ".join(identifier_words(relation)) or relation for relation in relations]
        cosines = cosines_with(self._embedder, question, texts)
        return [relations[i] for i in np.argsort(-cosines, kind="stable")[:OFFERED]]

    def _shown(self, question: str, triplets: list[Triplet]) -> list[Triplet]:
        """At most SHOWN triplets: from a fair share of every relation, those nearest to the question."""
        if len(triplets) <= SHOWN:
            return triplets
        # The model chooses from the latest hop.
        fair = fairly(triplets[::-1], SCORED)
        near = np.argsort(-np.array(scores(question, fair, self._embedder)), kind="stable")[:SHOWN]
        chosen = {fair[i] for i in near}
        return [triplet for triplet in triplets if triplet in chosen]

    def _check_time(self) -> None:
        if self._out_of_time():
            raise _Ended("the time is over")


class _Ended(Exception):
    """The walk cannot go on; its text says why."""


class _Calls:
    """A model with a number of calls left."""

    def __init__(self, model: Model, most: int) -> None:
        self._model, self._left = model, most

    def ask(self, name: str, **values: str) -> str:
        if self._left <= 0:
            raise _Ended("there are no model calls left for it")
        self._left -= 1
        return self._model.ask(prompt(name, **values)).text


def _relation(said: str, known: KnownNames) -> str | None:
    """The offered relation that a name stands for; models also write it within a triplet."""
    for part in [said, *said.replace("->", "→").split("→")]:
        row = known.find(part.strip().lstrip("^"))
        if row is not None:
            return row["name"]
    return None


def _entities(names: Iterable[str], shown: Sequence[Triplet]) -> list[Entity]:
    """The entities with these names, in the order of the names; all of several with one name."""
    by_name: dict[str, dict[Entity, None]] = {}
    for triplet in shown:
        for end in (triplet.head, triplet.tail):
            by_name.setdefault(end.name, {})[end] = None
    known = KnownNames()
    known.add(
        {"id": end.id, "name": end.name, "label": end.label, "support": 1} for ends in by_name.values() for end in ends
    )
    rows = [row for name in names if (row := known.find(name)) is not None]
    return list(dict.fromkeys(entity for row in rows for entity in by_name[row["name"]]))
