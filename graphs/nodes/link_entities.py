"""link_entities: entity linking. Find the candidates of every mention in the graph, and the ambiguous mentions.

Source: ByoKG-RAG section 3.2: for each entity and draft answer of the linker, the m nearest names by spelling and, if
the dense index exists, the m nearest by embedding.
"""

from __future__ import annotations

from dataclasses import replace

from clew.agents.evidence import ArtifactsRef, mention_ref
from clew.agents.linking.index_linker import CANDIDATES, likeliest
from clew.agents.linking.readings import settled
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.sequence import Decision, ending, first, not_run, when_out_of_readings
from clew.graphs.state import Next, NodeState
from clew.graphs.steps import StepResult
from clew.graphs.trace_records import hit_records, mention_records
from clew.tools.graph.entity import Candidate, Mention
from clew.tools.graph.identifiers import shown
from clew.tools.linking.index import EntityIndex, best_of

_LEAST_SCORE = {"fuzzy": 0.8, "dense": 0.55}
"""Minimum score of a candidate for a text that is not an exact name, by matcher."""


def link_entities(state: NodeState, context: Context, span: Span) -> StepResult:
    linked, replaced = _link_mentions(state, context, span)
    drafts = [m for m in (_look_up(draft, context.tools.index, span) for draft in state["drafts"]) if m.candidates]
    ids = {candidate.entity.id for mention in linked for candidate in mention.candidates}
    fresh = sorted(ids - set(state["tried"]))
    proposed = sorted(_proposed(state["artifacts"]) - set(state["offered"]))
    ambiguous = [m for m in linked if m.ambiguous and not m.group]
    decision = _decide({**state, "mentions": linked}, context, bool(fresh or proposed), bool(ambiguous))
    span.event(
        "candidates", mentions=list(map(mention_ref, linked)), lost=list(map(mention_ref, replaced)),
        drafts=list(map(mention_ref, drafts)), ambiguous=mention_records(ambiguous),
        new=fresh, proposed=proposed,
    )  # fmt: skip
    span.event(
        "decision", next=decision.next, why=decision.why, strategies=decision.strategies, iteration=state["iteration"]
    )
    update = {
        **decision.update,
        "strategies": decision.strategies,
        "mentions": linked,
        "alternatives": [*replaced, *state["alternatives"]],
        "drafts": drafts,
        "ambiguous": ambiguous,
        "tried": fresh,
        "fresh": fresh,
        "offered": proposed,
        "artifacts": _new_artifacts(state),
    }
    details = [_line(mention) for mention in [*linked, *drafts]]
    return StepResult(update, f"Linked {len(linked)} of {_named(state)} names", details)


def _decide(state: NodeState, context: Context, new: bool, ambiguous: bool) -> Decision:
    artifacts = state["artifacts"]
    if state["iteration"] == 1:
        following: Next = "clarify" if ambiguous and context.clarify else "retrieve"
        return Decision(following, "this is the first reading", first(state, context))
    if artifacts is not None and artifacts["finished"]:
        return Decision(ending(state), "the model needs nothing beyond what was found")
    if new:
        return Decision("retrieve", "this reading has something that was not tried", first(state, context))
    if artifacts is None and context.tools.models is not None and (waiting := not_run(first(state, context), state)):
        return Decision("retrieve", "the model's reading is of no use: the question is read without it", waiting)
    if artifacts is None:
        return Decision("conclude", "no further name to try")
    if waiting := when_out_of_readings(state, context):
        return Decision("retrieve", "the model offers nothing that was not tried, but strategies wait", waiting)
    return Decision(ending(state), "the model offers nothing that was not tried")


def _link_mentions(state: NodeState, context: Context, span: Span) -> tuple[list[Mention], list[Mention]]:
    """The linked mentions, and the readings that were replaced by a model's."""
    mentions = state["mentions"]
    offered = [_look_up(mention, context.tools.index, span) for mention in mentions if _is_offered(mention)]
    read = [_candidates(mention, context, span) for mention in mentions if not _is_offered(mention)]
    if not offered:
        return [mention for mention in read if mention.candidates], []
    given = {(mention.start, mention.end) for mention in state["given"]}
    return settled(state["resolved"], offered, read, given)


def _is_offered(mention: Mention) -> bool:
    """Whether a model proposed the mention and it is not linked yet."""
    return bool(mention.source) and not mention.candidates


def _named(state: NodeState) -> int:
    return len({mention.text.casefold() for mention in state["mentions"]})


def _new_artifacts(state: NodeState) -> ArtifactsRef | None:
    """The artifacts without the queries of earlier iterations. Paths stay, because they may fit a new entity."""
    artifacts = state["artifacts"]
    if artifacts is None:
        return None
    return {**artifacts, "cypher": [cypher for cypher in artifacts["cypher"] if _plain(cypher) not in state["offered"]]}


def _plain(cypher: str) -> str:
    return " ".join(cypher.split())


def _proposed(artifacts: ArtifactsRef | None) -> set[str]:
    if artifacts is None:
        return set()
    paths = {" -> ".join(step["relation"] for step in path) for path in artifacts["paths"]}
    return paths | {_plain(cypher) for cypher in artifacts["cypher"]}


def _look_up(mention: Mention, index: EntityIndex, span: Span) -> Mention:
    """Link an entity that a model proposed. An exact name excludes similar names; without one, embeddings are searched
    too."""
    name = mention.said or mention.text
    found = index.search(name, m=CANDIDATES, mode="fuzzy")
    same = [candidate for candidate in found if candidate.matcher in ("exact", "normalised")]
    if index.has_dense and not same:
        found = best_of([*found, *index.search(name, m=CANDIDATES, mode="dense")])
    kept = same or _above_threshold(found)
    span.event("looked up", text=name, dense=index.has_dense and not same, found=hit_records(found, kept))
    return replace(mention, candidates=tuple(kept))


def _candidates(mention: Mention, context: Context, span: Span) -> Mention:
    if mention.group:
        return mention
    if not mention.candidates:
        found = context.tools.index.search(mention.text, m=CANDIDATES)
        kept = _above_threshold(found)
        span.event("looked up", text=mention.text, dense=context.tools.index.has_dense, found=hit_records(found, kept))
        return replace(mention, candidates=tuple(kept))
    best = sorted(mention.candidates, key=lambda candidate: -candidate.score)
    return replace(mention, candidates=likeliest(best, CANDIDATES))


def _above_threshold(found: list[Candidate]) -> list[Candidate]:
    return [candidate for candidate in found if candidate.score >= _LEAST_SCORE.get(candidate.matcher, 0)]


def _line(mention: Mention) -> str:
    if mention.group:
        return f"“{mention.text}”: {len(mention.candidates)} entities together"
    readings = [f"{shown(c.entity.name)} ({c.entity.label}) {c.score:.2f}" for c in mention.candidates]
    draft = "draft answer " if mention.source == "draft" else ""
    return f"{draft}“{mention.text}”: {', '.join(readings)}"
