"""Collects what a strategy finds: converts entities, triplets and numbers to the plain values of the state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

from clew.agents.evidence import AnswerRef, Attempt, Evidence, Failure, entity_ref, evidence_of, plain
from clew.graphs.state import merge_evidence
from clew.graphs.steps import failure
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet


class Details(TypedDict, total=False):
    """Optional fields of an attempt; see `Attempt`."""

    rank: int
    cypher: str
    parameters: Mapping[str, Any]
    anchors: Iterable[Entity]
    truncated: bool
    ms: float
    unexplained: Sequence[str]


@dataclass(slots=True)
class StrategyFindings:
    """The attempts, evidence and failures of one strategy in one reading."""

    strategy: str
    iteration: int
    attempts: dict[str, Attempt] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    errors: dict[str, Failure] = field(default_factory=dict)
    dead_ends: list[str] = field(default_factory=list)
    """One sentence for each of the model's queries and paths without results."""

    def attempt(
        self, words: str, answers: Sequence[AnswerRef], confidence: float, **details: Unpack[Details]
    ) -> Attempt:
        """A query with its answers, not yet added (see `keep`)."""
        return {
            "strategy": self.strategy,
            "iteration": self.iteration,
            "rank": details.get("rank", 0),
            "words": words,
            "cypher": details.get("cypher", ""),
            "parameters": plain(details.get("parameters", {})),
            "confidence": confidence,
            "anchors": [entity_ref(entity) for entity in details.get("anchors", ())],
            "answers": list(answers),
            "truncated": details.get("truncated", False),
            "ms": round(details.get("ms", 0.0), 3),
            "unexplained": list(details.get("unexplained", ())),
        }

    def keep(self, attempt: Attempt, part: object = "") -> None:
        """Add an attempt; `part` distinguishes several attempts of one reading."""
        self.attempts[self._key(part)] = attempt

    def support(self, attempt: Attempt, triplets: Iterable[Triplet], score: float | None = None) -> None:
        """Add the triplets of an attempt; their score is its confidence unless `score` is given."""
        for triplet in triplets:
            item = evidence_of(
                triplet,
                attempt["confidence"] if score is None else score,
                self.strategy,
                self.iteration,
                attempt["cypher"],
                attempt["parameters"],
            )
            self.evidence = merge_evidence(self.evidence, item)

    def scored(self, triplets: Iterable[tuple[Triplet, float]]) -> None:
        """Add triplets with scores of their own, without an attempt."""
        for triplet, score in triplets:
            self.evidence = merge_evidence(self.evidence, evidence_of(triplet, score, self.strategy, self.iteration))

    def fail(self, error: Exception, part: str = "") -> None:
        self.errors |= failure(self.strategy, self.iteration, error, part)

    def join(self, other: StrategyFindings) -> None:
        """Add the findings of another part of the same strategy."""
        self.attempts |= other.attempts
        self.evidence = merge_evidence(self.evidence, other.evidence)
        self.errors |= other.errors
        self.dead_ends += other.dead_ends

    def update(self, *keys: str) -> dict[str, Any]:
        """The state update with these keys."""
        return {key: getattr(self, key) for key in keys}

    def _key(self, part: object) -> str:
        return f"{self.strategy}/{self.iteration}" + (f"/{part}" if part != "" else "")
