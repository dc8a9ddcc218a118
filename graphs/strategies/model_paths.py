"""The relation paths of the linker's model, followed from the linked entities (ByoKG-RAG section 3.3, Equation 5).

A path is followed in the written order, and in reverse if that has no results from any entity. A path that fits no
entity starts from the model's draft answers; the triplets along it are evidence for or against them. A path without
results records how far it got, for the explanation and the linker's next prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from clew.agents.evidence import Attempt, RelationStep
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.queries import chain_query, chain_triplets, follow
from clew.graphs.trace_records import attempt_record
from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.queries.paths.follow_paths import NoChain, PathStep, backwards, path_words, readings
from clew.tools.queries.space.query import Chain, Query

MOST_PATHS = 6
CANDIDATES = 3
"""Per mention (m in section 3.2)."""
MOST_FOLLOWED = 24
"""Maximum number of queries."""
MOST_JOINED = 3
"""Maximum number of joins of two chains from different mentions with shared answers."""
CONFIDENCE = 0.55
"""Confidence of a path's answers with a perfect link; not every path of the model ends in the answers."""
JOINED = 0.58
"""Confidence of the shared answers of two paths."""
LATER = 0.9
"""Factor of the confidence for every path that the model wrote before this one."""
_TIED = 0.05
"""Candidates with scores this close are all followed; otherwise only the first with results."""


@dataclass(frozen=True, slots=True)
class _DeadEnd:
    """The place where a path ended early."""

    reached: int
    """Number of relations that it followed."""
    words: str


@dataclass(frozen=True, slots=True)
class _Fit:
    """A chain with answers, and the number of its mention."""

    mention: int
    queries: tuple[Query, ...]
    attempt: Attempt


def follow_model_paths(state: StrategyInput, context: Context, span: Span) -> StrategyFindings:
    """Follow the model's paths; without a model, nothing is found."""
    if state["artifacts"] is None:
        return StrategyFindings("paths", state["iteration"])
    follower = _Follower(state, context, span)
    for order, path in enumerate(_distinct(state["artifacts"]["paths"])[:MOST_PATHS]):
        follower.path(path, order)
    follower.join()
    return follower.found


class _Follower:
    """Follows the paths one by one, and counts queries."""

    def __init__(self, state: StrategyInput, context: Context, span: Span) -> None:
        self._state, self._context, self._span = state, context, span
        self.found = StrategyFindings("paths", state["iteration"])
        self._queries = 0
        self._has_answers: dict[str, bool] = {}
        """Whether a chain has answers, by the key of its query."""
        self._fits: list[_Fit] = []
        self._dead_ends: list[_DeadEnd] = []

    def path(self, path: Sequence[PathStep], order: int) -> None:
        self._dead_ends = []
        fitted = self._from_mentions(path, order) or self._from_mentions(backwards(path), order)
        if fitted or self._exhausted:
            return
        if not any(dead_end.reached for dead_end in self._dead_ends) and self._from_drafts(path):
            return
        farthest = max(
            self._dead_ends,
            key=lambda dead_end: dead_end.reached,
            default=_DeadEnd(0, "there is no entity to start from"),
        )
        self._span.event("dead end", path=path_words(path), stops=[dead_end.words for dead_end in self._dead_ends])
        self.found.dead_ends.append(f"{path_words(path)} leads nowhere: {farthest.words}")

    def join(self) -> None:
        """Join chains of two mentions with shared answers into one query."""
        pairs = [(a, b) for a, b in combinations(self._fits, 2) if a.mention != b.mention]
        shared = [(a, b) for a, b in pairs if _ids(a.attempt) & _ids(b.attempt)]
        for a, b in shared[:MOST_JOINED]:
            if self._exhausted or len(a.queries) > 1 or len(b.queries) > 1:
                break
            query = Query(a.queries[0].chains + b.queries[0].chains)
            share = min(a.attempt["confidence"], b.attempt["confidence"]) / CONFIDENCE
            self._attempt([query], JOINED * share)

    @property
    def _exhausted(self) -> bool:
        return self._context.run.deadline.passed or self._queries >= MOST_FOLLOWED

    def _from_mentions(self, path: Sequence[PathStep], order: int) -> bool:
        """Whether the path has answers from at least one mention."""
        fitted = False
        for number, mention in enumerate(self._state["mentions"]):
            reached: float | None = None
            for candidates in _starts(mention):
                score = candidates[0].score
                if self._exhausted or (reached is not None and score < reached - _TIED):
                    break
                if self._follow_from(candidates, number, path, CONFIDENCE * score * LATER**order):
                    reached = score if reached is None else reached
            fitted = fitted or reached is not None
        return fitted

    def _follow_from(
        self, candidates: Sequence[Candidate], mention: int, path: Sequence[PathStep], base: float
    ) -> bool:
        """Follow every reading of the path from one candidate, or from all members of a group."""
        anchors = [candidate.entity for candidate in candidates]
        found = readings(path, anchors[0].label, self._context.tools.schema)
        if isinstance(found, NoChain):
            self._dead_ends.append(
                _dead_end(anchors[0], found.reached, len(path), f"the schema has no {found.relation}")
            )
            return False
        any_answers = False
        for hops in found:
            queries = [chain_query(anchor, hops) for anchor in anchors]
            key = queries[0].key()
            if key not in self._has_answers and not self._exhausted:
                attempt = self._attempt(queries, base)
                self._has_answers[key] = attempt is not None
                if attempt is not None:
                    self._fits.append(_Fit(mention, tuple(queries), attempt))
            any_answers = any_answers or self._has_answers.get(key, False)
        return any_answers

    def _attempt(self, queries: list[Query], base: float) -> Attempt | None:
        """Run the queries, and keep their answers, or how far they got."""
        self._queries += len(queries)
        number = len(self.found.attempts)
        try:
            attempt = follow(self.found, queries, number, base, self._context)
            if not attempt["answers"]:
                self._dead_ends.append(self._find_dead_end(queries[0].chains[0]))
                return None
            self.found.support(attempt, chain_triplets(queries, attempt, self._context))
        except QueryFailed as error:
            self._span.event("failed", cypher=error.cypher, message=error.message)
            self._dead_ends.append(_DeadEnd(0, error.message))
            return None
        attempt["by_model"] = True
        self.found.keep(attempt, f"m{number}")
        self._span.event("followed", **attempt_record(attempt))
        return attempt

    def _find_dead_end(self, chain: Chain) -> _DeadEnd:
        """How far a chain got, found by running its prefixes."""
        assert not isinstance(chain.anchor, str)
        reached = 0
        while reached < len(chain.hops) - 1 and not self._context.run.deadline.passed:
            beginning = chain_query(chain.anchor, chain.hops[: reached + 1])
            if not self._context.tools.space.execute(beginning, self._context.limits(1)).rows:
                break
            reached += 1
        hop = chain.hops[reached]
        why = f"the graph has no {'' if hop.forward else '^'}{hop.relation}"
        return _dead_end(chain.anchor, reached, len(chain.hops), why)

    def _from_drafts(self, path: Sequence[PathStep]) -> bool:
        """Add the triplets along the path from the draft answers as evidence; its ends are not answers."""
        found = StrategyFindings("paths", self._state["iteration"])
        for query in _from_each(self._state["drafts"], path, self._context):
            if self._exhausted:
                break
            self._queries += 1
            attempt = follow(found, [query], 0, CONFIDENCE, self._context)
            if attempt["answers"]:
                found.support(attempt, chain_triplets([query], attempt, self._context))
        self.found.join(found)
        self._span.event("followed from drafts", path=path_words(path), triplets=len(found.evidence))
        return bool(found.evidence)


def _from_each(mentions: Sequence[Mention], path: Sequence[PathStep], context: Context) -> Iterator[Query]:
    for mention in mentions:
        for candidate in mention.candidates[:1]:
            for way in (path, backwards(path)):
                found = readings(way, candidate.entity.label, context.tools.schema)
                for hops in () if isinstance(found, NoChain) else found:
                    yield chain_query(candidate.entity, hops)


def _starts(mention: Mention) -> list[list[Candidate]]:
    """The candidates of a mention one by one, best first; those of a group together by label."""
    candidates = mention.candidates
    if not mention.group:
        return [[candidate] for candidate in candidates[:CANDIDATES]]
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.entity.label, []).append(candidate)
    return list(groups.values())


def _distinct(paths: Sequence[Sequence[RelationStep]]) -> list[tuple[PathStep, ...]]:
    found = (tuple((step["relation"], step["forward"]) for step in path) for path in paths)
    return list(dict.fromkeys(path for path in found if path))


def _ids(attempt: Attempt) -> set[str]:
    return {answer["id"] for answer in attempt["answers"] if answer["id"] is not None}


def _dead_end(anchor: Entity, reached: int, of: int, why: str) -> _DeadEnd:
    return _DeadEnd(reached, f"from {anchor.name} ({anchor.label}) after {reached} of {of} relations {why}")
