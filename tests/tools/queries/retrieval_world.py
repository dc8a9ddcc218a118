"""The railway in a database with a context around it, and models that say what a test tells them to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Any, cast

from clew.agents.evidence import ArtifactsRef, exact_candidate
from clew.agents.models.calls import Model, ModelFailed, Reply, Role, Usage
from clew.agents.prompting import Prompt
from clew.graphs.context import Context, Models
from clew.graphs.state import StrategyInput
from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.schema import Schema, introspect
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.linking.mentions import Linking
from clew.tools.queries.space.query import RankedQuery
from clew.tools.queries.space.space import QuerySpace
from tests.contexts import context_of
from tests.tools.linking.letters import Letters
from tests.tools.queries.railway import entities

KNOWN = entities()


@dataclass
class Told:
    """A model that says `replies` one after the other, or what a function of the prompt gives; it keeps the prompts."""

    replies: Sequence[str | ModelFailed] | Callable[[Prompt], str]
    prompts: list[Prompt] = field(default_factory=list)

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        self.prompts.append(prompt)
        said = self.replies(prompt) if callable(self.replies) else self.replies[len(self.prompts) - 1]
        if isinstance(said, ModelFailed):
            raise said
        return Reply(said, Usage(10, 5), "told", "stop")

    @property
    def asked(self) -> list[str]:
        return [prompt.name for prompt in self.prompts]


@dataclass
class OneModel:
    """The same model in every role."""

    model: Model
    trusted_alone: bool = False

    def of(self, role: Role, *, seconds: float, cancelled: Event) -> Model:
        return self.model


@dataclass
class Kept:
    """A span that keeps its events."""

    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def event(self, kind: str, **data: Any) -> None:
        self.events.append((kind, data))

    def output(self, **data: Any) -> None:
        return

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [data for each, data in self.events if each == kind]


class NoRanker:
    def rank(self, question: str, linking: Linking, limit: int = 20) -> list[RankedQuery]:
        return []


_schemas: dict[str, Schema] = {}


def known_schema(store: GraphStore) -> Schema:
    """The schema of a graph, read once for each of its versions: Neo4j plans for seconds what reads it."""
    known = _schemas.get(store.name)
    if known is None or known.version != store.version():
        _schemas[store.name] = known = introspect(store)
    return known


def railway_context(store: GraphStore, model: Model | None = None, **changed: Any) -> Context:
    schema = known_schema(store)
    parts: dict[str, Any] = {
        "store": store, "schema": schema, "index": None, "space": QuerySpace(store, schema), "ranker": NoRanker(),
        "embedder": Letters(), "models": cast(Models, OneModel(model)) if model else None,
    }  # fmt: skip
    return context_of(**{**parts, **changed})


def mention(*found: Entity, scores: Sequence[float] = (), group: bool = False) -> Mention:
    given = scores or [1.0] * len(found)
    candidates = tuple(exact_candidate(entity, score) for entity, score in zip(found, given, strict=True))
    return Mention(0, 1, found[0].name, candidates, group=group)


def artifacts(*paths: str) -> ArtifactsRef:
    """Paths as "A -> ^B -> ?C": "^" against the relation's direction, "?" where it was not said."""
    steps = [[_step(part.strip()) for part in path.split("->")] for path in paths]
    return cast(
        ArtifactsRef,
        {"entities": [], "paths": steps, "cypher": [], "answers": [], "finished": False, "notes": []},
    )


def _step(text: str) -> dict[str, Any]:
    return {"relation": text.lstrip("^?"), "forward": None if text[0] == "?" else text[0] != "^"}


def asked(
    question: str,
    mentions: Sequence[Mention],
    found: ArtifactsRef | None = None,
    drafts: Sequence[Mention] = (),
) -> StrategyInput:
    return cast(
        StrategyInput,
        {
            "question": question, "mentions": list(mentions), "alternatives": [], "artifacts": found,
            "drafts": list(drafts), "fresh": [], "iteration": 1,
        },
    )  # fmt: skip
