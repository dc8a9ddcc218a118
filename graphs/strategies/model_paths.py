"""The relation paths of the linker's model, followed from the linked entities (ByoKG-RAG section 3.3, Equation 5).

A path is tried in the order in which it was written, and where that leads nowhere from any entity, from its other end.
One that fits no entity starts from the model's draft answers: what lies along it then speaks for or against a draft.
A path that leads nowhere says how far it got, for people and for the linker's next prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from clew.agents.evidence import Attempt, CandidateRef, MentionRef, RelationStep, entity_of
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.following import along, chain_query, follow
from clew.graphs.strategies.found import Found
from clew.graphs.trace_records import attempt_record
from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity
from clew.tools.queries.paths.follow_paths import Misfit, PathStep, backwards, path_words, readings
from clew.tools.queries.space.query import Chain, Query

MOST_PATHS = 6
CANDIDATES = 3
"""Of one mention (m in section 3.2)."""
MOST_FOLLOWED = 24
"""Queries in all."""
MOST_JOINED = 3
"""Pairs of chains from different mentions that meet in the same answers."""
CONFIDENCE = 0.55
"""Of a path's answers, with a perfect link: the model means every path to be useful, not every path to end in the
answers."""
JOINED = 0.58
"""Of the answers in which two paths meet."""
LATER = 0.9
"""For every path that the model wrote before this one."""
_TIED = 0.05
"""Candidates whose scores differ by less are followed all; else the first that leads somewhere."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a path ended too early."""

    reached: int
    """Relations that it got along."""
    words: str


@dataclass(frozen=True, slots=True)
class _Fit:
    """A chain that led somewhere, and from which mention."""

    mention: int
    queries: tuple[Query, ...]
    attempt: Attempt


def follow_model_paths(state: StrategyInput, context: Context, span: Span) -> Found:
    """Nothing without a model."""
    if state["artifacts"] is None:
        return Found("paths", state["iteration"])
    follower = _Follower(state, context, span)
    for order, path in enumerate(_distinct(state["artifacts"]["paths"])[:MOST_PATHS]):
        follower.path(path, order)
    follower.join()
    return follower.found


class _Follower:
    """Follows one path after the other; counts queries."""

    def __init__(self, state: StrategyInput, context: Context, span: Span) -> None:
        self._state, self._context, self._span = state, context, span
        self.found = Found("paths", state["iteration"])
        self._queries = 0
        self._led: dict[str, bool] = {}
        """Whether a chain led anywhere, by its query's key."""
        self._fits: list[_Fit] = []
        self._stops: list[_Stop] = []

    def path(self, path: Sequence[PathStep], order: int) -> None:
        self._stops = []
        fitted = self._from_mentions(path, order) or self._from_mentions(backwards(path), order)
        if fitted or self._exhausted:
            return
        if not any(stop.reached for stop in self._stops) and self._from_drafts(path):
            return
        furthest = max(self._stops, key=lambda stop: stop.reached, default=_Stop(0, "there is no entity to start from"))
        self._span.event("dead end", path=path_words(path), stops=[stop.words for stop in self._stops])
        self.found.dead_ends.append(f"{path_words(path)} leads nowhere: {furthest.words}")

    def join(self) -> None:
        """Chains of two mentions that share answers, as one query: what both lead to."""
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
        """Whether the path leads somewhere from at least one mention."""
        fitted = False
        for number, mention in enumerate(self._state["mentions"]):
            reached: float | None = None
            for candidates in _starts(mention):
                score = candidates[0]["score"]
                if self._exhausted or (reached is not None and score < reached - _TIED):
                    break
                if self._from(candidates, number, path, CONFIDENCE * score * LATER**order):
                    reached = score if reached is None else reached
            fitted = fitted or reached is not None
        return fitted

    def _from(self, candidates: Sequence[CandidateRef], mention: int, path: Sequence[PathStep], sure: float) -> bool:
        """Follows every reading of the path from one candidate, or from all members of a group."""
        anchors = [entity_of(candidate) for candidate in candidates]
        found = readings(path, anchors[0].label, self._context.tools.schema)
        if isinstance(found, Misfit):
            self._stops.append(_stop(anchors[0], found.reached, len(path), f"the schema has no {found.relation}"))
            return False
        led = False
        for hops in found:
            queries = [chain_query(anchor, hops) for anchor in anchors]
            key = queries[0].key()
            if key not in self._led and not self._exhausted:
                attempt = self._attempt(queries, sure)
                self._led[key] = attempt is not None
                if attempt is not None:
                    self._fits.append(_Fit(mention, tuple(queries), attempt))
            led = led or self._led.get(key, False)
        return led

    def _attempt(self, queries: list[Query], sure: float) -> Attempt | None:
        """Runs the query, keeps what it gives, or how far it got."""
        self._queries += len(queries)
        number = len(self.found.attempts)
        try:
            attempt = follow(self.found, queries, number, sure, self._context)
            if not attempt["answers"]:
                self._stops.append(self._stopped(queries[0].chains[0]))
                return None
            self.found.support(attempt, along(queries, attempt, self._context))
        except QueryFailed as error:
            self._span.event("failed", cypher=error.cypher, message=error.message)
            self._stops.append(_Stop(0, error.message))
            return None
        attempt["by_model"] = True
        self.found.keep(attempt, f"m{number}")
        self._span.event("followed", **attempt_record(attempt))
        return attempt

    def _stopped(self, chain: Chain) -> _Stop:
        """How far a chain got: every shorter one is asked for one row."""
        assert not isinstance(chain.anchor, str)
        reached = 0
        while reached < len(chain.hops) - 1 and not self._context.run.deadline.passed:
            beginning = chain_query(chain.anchor, chain.hops[: reached + 1])
            if not self._context.tools.space.execute(beginning, self._context.limits(1)).rows:
                break
            reached += 1
        hop = chain.hops[reached]
        why = f"the graph has no {'' if hop.forward else '^'}{hop.relation}"
        return _stop(chain.anchor, reached, len(chain.hops), why)

    def _from_drafts(self, path: Sequence[PathStep]) -> bool:
        """What lies along the path from the draft answers, as evidence only: its ends are no answers."""
        found = Found("paths", self._state["iteration"])
        for query in _from_each(self._state["drafts"], path, self._context):
            if self._exhausted:
                break
            self._queries += 1
            attempt = follow(found, [query], 0, CONFIDENCE, self._context)
            if attempt["answers"]:
                found.support(attempt, along([query], attempt, self._context))
        self.found.join(found)
        self._span.event("followed from drafts", path=path_words(path), triplets=len(found.evidence))
        return bool(found.evidence)


def _from_each(mentions: Sequence[MentionRef], path: Sequence[PathStep], context: Context) -> Iterator[Query]:
    for mention in mentions:
        for candidate in mention["candidates"][:1]:
            for way in (path, backwards(path)):
                found = readings(way, candidate["label"], context.tools.schema)
                for hops in () if isinstance(found, Misfit) else found:
                    yield chain_query(entity_of(candidate), hops)


def _starts(mention: MentionRef) -> list[list[CandidateRef]]:
    """The candidates of a mention one by one, best first; of a group all those of one label together."""
    candidates = mention["candidates"]
    if not mention.get("group"):
        return [[candidate] for candidate in candidates[:CANDIDATES]]
    groups: dict[str, list[CandidateRef]] = {}
    for candidate in candidates:
        groups.setdefault(candidate["label"], []).append(candidate)
    return list(groups.values())


def _distinct(paths: Sequence[Sequence[RelationStep]]) -> list[tuple[PathStep, ...]]:
    found = (tuple((step["relation"], step["forward"]) for step in path) for path in paths)
    return list(dict.fromkeys(path for path in found if path))


def _ids(attempt: Attempt) -> set[str]:
    return {answer["id"] for answer in attempt["answers"] if answer["id"] is not None}


def _stop(anchor: Entity, reached: int, of: int, why: str) -> _Stop:
    return _Stop(reached, f"from {anchor.name} ({anchor.label}) after {reached} of {of} relations {why}")
