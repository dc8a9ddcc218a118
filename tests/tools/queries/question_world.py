"""A small world for the question graph's tests: a graph in memory, and stand-ins for the tools that need a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

import clew.graphs.strategies.paths as paths_module
import clew.graphs.strategies.triplets as triplets_module
from clew.agents.models.calls import ModelFailed, Reply, Role, Usage
from clew.agents.prompting import Prompt
from clew.graphs.context import Context
from clew.graphs.question import QuestionGraph, build_question_graph
from clew.graphs.run import Budget
from clew.tools.embedding import Vectors
from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import AnswerRow, Entity
from clew.tools.graph.neighbourhood import Expansion, Step
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Relation, Schema
from clew.tools.graph.store.graph_store import Limits, Rows
from clew.tools.graph.triplets import Triplet
from clew.tools.linking.index import EntityIndex, IndexedNode
from clew.tools.linking.mentions import Linking
from clew.tools.queries.space.query import Chain, Hop, Query, RankedQuery
from clew.tools.queries.space.space import Answers
from tests.contexts import context_of

FACTS = """
Alien|directed_by|Ridley Scott
Alien|written_by|Dan O'Bannon
Alien|released_in|1979
Alien|starring|Sigourney Weaver
Aliens|directed_by|James Cameron
Aliens|starring|Sigourney Weaver
Aliens|written_by|James Cameron
Blade Runner|directed_by|Ridley Scott
Blade Runner|starring|Harrison Ford
Blade Runner|released_in|1982
Ridley Scott|born_in|South Shields
James Cameron|born_in|Kapuskasing
Harrison Ford|born_in|Chicago
Sigourney Weaver|born_in|New York
"""
LABELS = {
    "directed_by": ("Film", "Person"),
    "written_by": ("Film", "Person"),
    "starring": ("Film", "Person"),
    "released_in": ("Film", "Year"),
    "born_in": ("Person", "City"),
}
CUES = {
    "directed": "directed_by",
    "wrote": "written_by",
    "starred": "starring",
    "born": "born_in",
    "when": "released_in",
}


def facts() -> list[Triplet]:
    found = []
    for line in FACTS.split("\n"):
        if line:
            head, relation, tail = line.split("|")
            source, target = LABELS[relation]
            found.append(Triplet(entity(head, source), relation, entity(tail, target)))
    return found


def entity(name: str, label: str) -> Entity:
    return Entity(f"{label}:{name}", name, label)


class Store:
    """Answers EXPLAIN alone: all else goes through the stand-ins."""

    name = "films"
    engine = "arcadedb"
    scope = None
    terms = NodeTerms()

    def read(self, cypher: str, parameters: Mapping[str, Any] | None = None, limits: Limits | None = None) -> Rows:
        raise AssertionError("no test of the graph reads the store directly")

    def plan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> str:
        return "+ NodeByLabelScan"


@dataclass
class Space:
    """Runs queries over the facts; keys of `broken` queries fail, and the limits it was given are kept."""

    triplets: list[Triplet] = field(default_factory=facts)
    broken: set[str] = field(default_factory=set)
    executed: list[str] = field(default_factory=list)
    limits: list[Limits | None] = field(default_factory=list)

    def execute(self, query: Query, limits: Limits | None = None) -> Answers:
        self.executed.append(query.key())
        self.limits.append(limits)
        if query.key() in self.broken:
            raise QueryFailed("the database rejected it", cypher="MATCH …")
        ends = [set(self._ends(chain)) for chain in query.chains]
        common = set.intersection(*ends)
        rows = [AnswerRow(e.id, e.name, e.label, 1) for e in sorted(common, key=lambda e: e.name)]
        return Answers(rows, f"MATCH {query.key()}", {"a0": 1}, False, 0.1)

    def evidence(self, query: Query, row_ids: list[str], limit: int) -> list[Triplet]:
        return [t for chain in query.chains for way in self._ways(chain) if way[-1][1].id in row_ids for t, _ in way]

    def _ends(self, chain: Chain) -> Iterator[Entity]:
        for way in self._ways(chain):
            yield way[-1][1]

    def _ways(self, chain: Chain) -> list[list[tuple[Triplet, Entity]]]:
        assert isinstance(chain.anchor, Entity)
        ways: list[list[tuple[Triplet, Entity]]] = [[]]
        for hop in chain.hops:
            ways = [
                [*way, (t, other)] for way in ways for t, other in self._steps(way[-1][1] if way else chain.anchor, hop)
            ]
        return ways

    def _steps(self, node: Entity, hop: Hop) -> list[tuple[Triplet, Entity]]:
        near = [(t, t.tail if hop.forward else t.head, t.head if hop.forward else t.tail) for t in self.triplets]
        return [(t, other) for t, other, start in near if t.relation == hop.relation and start == node]


@dataclass
class Ranker:
    """One hop from every linked entity whose relation a word of the question hints at; `top` is the first's score,
    `lead` its lead over the next."""

    lead: float = 0.5
    top: float = 1.0
    asked: list[tuple[str, Linking]] = field(default_factory=list)
    silent: bool = False

    def rank(self, question: str, linking: Linking, limit: int = 20) -> list[RankedQuery]:
        self.asked.append((question, linking))
        if self.silent:
            return []
        hinted = [relation for cue, relation in CUES.items() if cue in question.lower()]
        queries = []
        for candidate in (c for mention in linking.mentions for c in mention.candidates):
            for relation in hinted:
                source, target = LABELS[relation]
                if candidate.entity.label == source:
                    queries.append(Query((Chain(candidate.entity, (Hop(relation, True, target),)),)))
                elif candidate.entity.label == target:
                    queries.append(Query((Chain(candidate.entity, (Hop(relation, False, source),)),)))
        scores = [self.top - self.lead * i for i in range(len(queries))]
        return [RankedQuery(q, s, {"alignment": s}) for q, s in zip(queries, scores, strict=True)]


class Embedder:
    name = "four"
    dimension = 4

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 4), np.float32) / 2


def triplets_around(question: str, entities: Sequence[Entity], *_: Any, **__: Any) -> list[tuple[Triplet, float]]:
    """Stands in for score_triplets: words of the question in the relation decide."""
    near = [t for t in facts() if t.head in entities or t.tail in entities]
    scored = [(t, 2.0 if any(w in question.lower() for w in t.relation.split("_")) else 1.0) for t in near]
    return sorted(scored, key=lambda pair: -pair[1])[:10]


@dataclass(frozen=True)
class Path_:
    triplets: tuple[Triplet, ...]


def direct_paths(store: Any, source: Entity, target: Entity, *_: Any, **__: Any) -> list[Path_]:
    """Stands in for shortest_paths: paths of one triplet."""
    return [Path_((t,)) for t in facts() if {t.head, t.tail} == {source, target}]


class Around:
    """Stands in for Neighbourhood: one hop in the facts."""

    def __init__(self, *_: Any) -> None:
        self.triplets = facts()

    def possible(self, labels: Any) -> list[Step]:
        known = set(labels)
        forward = [Step(relation, True) for relation, (source, _) in LABELS.items() if source in known]
        return forward + [Step(relation, False) for relation, (_, target) in LABELS.items() if target in known]

    def steps(self, entities: Sequence[Entity], *_: Any) -> list[Step]:
        heads = {t.relation for t in self.triplets if t.head in entities}
        tails = {t.relation for t in self.triplets if t.tail in entities}
        return [s for s in self.possible(e.label for e in entities) if s.relation in (heads if s.forward else tails)]

    def expand(self, entities: Sequence[Entity], steps: Sequence[Step], *_: Any) -> Expansion:
        near = [
            t for t in self.triplets for s in steps
            if t.relation == s.relation and (t.head if s.forward else t.tail) in entities
        ]  # fmt: skip
        return Expansion(tuple(dict.fromkeys(near)), ())

    def beyond_labels(self, labels: Any) -> set[str]:
        return set(LABELS)

    def beyond(self, *_: Any) -> set[str]:
        return set(LABELS)


Said = str | ModelFailed | Callable[[Prompt], str]


@dataclass
class Speakers:
    """Models that say `replies` of their role one after the other, and then the last again; a role without replies
    has no model. What was asked is kept."""

    replies: Mapping[Role, Sequence[Said]]
    trusted_alone: bool = True
    asked: list[tuple[Role, Prompt]] = field(default_factory=list)

    def of(self, role: Role, *, seconds: float, cancelled: Event) -> Speaker | None:
        return Speaker(self, role) if role in self.replies else None

    def prompts(self, role: Role) -> list[Prompt]:
        return [prompt for asked, prompt in self.asked if asked == role]

    def roles(self) -> list[Role]:
        return [role for role, _ in self.asked]


@dataclass
class Speaker:
    speakers: Speakers
    role: Role

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        replies = self.speakers.replies[self.role]
        said = replies[min(len(self.speakers.prompts(self.role)), len(replies) - 1)]
        self.speakers.asked.append((self.role, prompt))
        if isinstance(said, ModelFailed):
            raise said
        return Reply(said(prompt) if callable(said) else said, Usage(100, 10, price=0.001), "speaker", "stop")


def linker(entities: str = "", paths: str = "", cypher: str = "", answers: str = "") -> str:
    """A linker's reply; items are parted by ";"."""
    parts = {"entities": entities, "paths": paths, "opencypher": cypher, "answers": answers}
    return "\n".join(f"<{tag}>\n{text.replace(';', chr(10))}\n</{tag}>" for tag, text in parts.items())


@pytest.fixture(scope="session")
def film_index(tmp_path_factory: pytest.TempPathFactory) -> EntityIndex:
    return build_index(tmp_path_factory.mktemp("index"))


def build_index(directory: Path) -> EntityIndex:
    entities = dict.fromkeys(end for t in facts() for end in (t.head, t.tail))
    return EntityIndex.build([IndexedNode(e.id, e.name, e.label) for e in entities], directory, "1")


def context(index: EntityIndex, **changed: Any) -> Context:
    relations = tuple(Relation(t, s, o, 1) for t, (s, o) in LABELS.items())
    schema = Schema({"Film": 3, "Person": 5, "City": 4, "Year": 2}, relations, (), "1")
    parts: dict[str, Any] = {
        "store": Store(), "schema": schema, "index": index, "space": Space(), "ranker": Ranker(),
        "embedder": Embedder(), "budget": Budget(),
    }  # fmt: skip
    return context_of(**{**parts, **changed})


@pytest.fixture(scope="module")
def graph() -> QuestionGraph:
    return build_question_graph()


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths_module, "shortest_paths", direct_paths)
    monkeypatch.setattr(triplets_module, "score_triplets", triplets_around)


def names(result: Any) -> list[str]:
    return [answer["name"] for answer in result["answers"]]
