"""link_entities: entity linking. Find the candidates of every mention in the graph, and the ambiguous mentions.

Source: ByoKG-RAG section 3.2: for each entity and draft answer of the linker, the m nearest names by spelling and, if
the dense index exists, the m nearest by embedding.
"""

from __future__ import annotations

from clew.agents.evidence import ArtifactsRef, MentionRef, candidate_ref, mention_of, mention_ref
from clew.agents.linking.index_linker import CANDIDATES, likeliest
from clew.agents.linking.readings import settled
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.sequence import Decision, ending, first, not_run, when_out_of_readings
from clew.graphs.state import Next, State
from clew.graphs.steps import StepResult
from clew.graphs.trace_records import hit_records, mention_records
from clew.tools.graph.entity import Candidate, Mention
from clew.tools.graph.identifiers import shown
from clew.tools.linking.index import EntityIndex, best_of

_LEAST_SCORE = {"fuzzy": 0.8, "dense": 0.55}
"""Minimum score of a candidate for a text that is not an exact name, by matcher."""


def link_entities(state: State, context: Context, span: Span) -> StepResult:
    linked, replaced = _link_mentions(state, context, span)
    drafts = [m for m in (_look_up(ref, context.tools.index, span) for ref in state["drafts"]) if m["candidates"]]
    ids = {candidate["id"] for mention in linked for candidate in mention["candidates"]}
    fresh = sorted(ids - set(state["tried"]))
    proposed = sorted(_proposed(state["artifacts"]) - set(state["offered"]))
    ambiguous = [m for m in linked if mention_of(m).ambiguous and not m.get("group")]
    decision = _decide(state, context, bool(fresh or proposed), bool(ambiguous))
    span.event(
        "candidates", mentions=linked, lost=replaced, drafts=drafts, ambiguous=mention_records(ambiguous),
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


def _decide(state: State, context: Context, new: bool, ambiguous: bool) -> Decision:
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


def _link_mentions(state: State, context: Context, span: Span) -> tuple[list[MentionRef], list[MentionRef]]:
    """The linked mentions, and the readings that were replaced by a model's."""
    refs = state["mentions"]
    offered = [_look_up(ref, context.tools.index, span) for ref in refs if _is_offered(ref)]
    read = [_candidates(ref, context, span) for ref in refs if not _is_offered(ref)]
    if not offered:
        return [mention for mention in read if mention["candidates"]], []
    given = {(mention["start"], mention["end"]) for mention in state["given"]}
    return settled(state["resolved"], offered, read, given)


def _is_offered(ref: MentionRef) -> bool:
    """Whether a model proposed the mention and it is not linked yet."""
    return "source" in ref and not ref["candidates"]


def _named(state: State) -> int:
    return len({ref["text"].casefold() for ref in state["mentions"]})


def _new_artifacts(state: State) -> ArtifactsRef | None:
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


def _look_up(ref: MentionRef, index: EntityIndex, span: Span) -> MentionRef:
    """Link an entity that a model proposed. An exact name excludes similar names; without one, embeddings are searched
    too."""
    name = ref.get("said", ref["text"])
    found = index.search(name, m=CANDIDATES, mode="fuzzy")
    same = [candidate for candidate in found if candidate.matcher in ("exact", "normalised")]
    if index.has_dense and not same:
        found = best_of([*found, *index.search(name, m=CANDIDATES, mode="dense")])
    kept = same or _above_threshold(found)
    span.event("looked up", text=name, dense=index.has_dense and not same, found=hit_records(found, kept))
    return {**ref, "candidates": [candidate_ref(candidate) for candidate in kept]}


def _candidates(ref: MentionRef, context: Context, span: Span) -> MentionRef:
    if ref.get("group"):
        return ref
    if not ref["candidates"]:
        found = context.tools.index.search(ref["text"], m=CANDIDATES)
        kept = _above_threshold(found)
        span.event("looked up", text=ref["text"], dense=context.tools.index.has_dense, found=hit_records(found, kept))
        return mention_ref(Mention(ref["start"], ref["end"], ref["text"], tuple(kept)))
    best = sorted(ref["candidates"], key=lambda candidate: -candidate["score"])
    return {**ref, "candidates": list(likeliest(best, CANDIDATES, lambda c: (c["matcher"], c["score"])))}


def _above_threshold(found: list[Candidate]) -> list[Candidate]:
    return [candidate for candidate in found if candidate.score >= _LEAST_SCORE.get(candidate.matcher, 0)]


def _line(mention: MentionRef) -> str:
    if mention.get("group"):
        return f"“{mention['text']}”: {len(mention['candidates'])} entities together"
    readings = [f"{shown(c['name'])} ({c['label']}) {c['score']:.2f}" for c in mention["candidates"]]
    draft = "draft answer " if mention.get("source") == "draft" else ""
    return f"{draft}“{mention['text']}”: {', '.join(readings)}"
