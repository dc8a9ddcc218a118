"""ground: entity linking. Every mention gets its candidates from the graph, and what is ambiguous is said.

Source: ByoKG-RAG section 3.2: the entities and the draft answers of the linker, each with the m nearest by spelling
and, where the dense index was built, the m nearest in meaning.
"""

from __future__ import annotations

from clew.agents.evidence import ArtifactsRef, CandidateRef, MentionRef, entity_ref, mention_of, mention_ref
from clew.agents.linking.readings import settled
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.sequence import Decision, ending, first, when_out_of_readings
from clew.graphs.state import Next, State
from clew.graphs.steps import StepResult
from clew.graphs.trace_records import hit_records, mention_records
from clew.tools.graph.entity import Candidate, Mention
from clew.tools.linking.index import EntityIndex, best_of

CANDIDATES = 3
"""Entities kept for one mention and way of finding them (m in ByoKG-RAG section 3.2)."""
_LEAST_SCORE = {"fuzzy": 0.8, "dense": 0.55}
"""Of a candidate looked up for words that no name matched, by the way it was found."""


def ground(state: State, context: Context, span: Span) -> StepResult:
    grounded, lost = _grounded(state, context, span)
    drafts = [m for m in (_looked_up(ref, context.tools.index, span) for ref in state["drafts"]) if m["candidates"]]
    ids = {candidate["id"] for mention in grounded for candidate in mention["candidates"]}
    fresh = sorted(ids - set(state["tried"]))
    proposed = sorted(_proposed(state["artifacts"]) - set(state["offered"]))
    ambiguous = [m for m in grounded if mention_of(m).ambiguous and not m.get("group")]
    decision = _decide(state, context, bool(fresh or proposed), bool(ambiguous))
    span.event(
        "candidates", mentions=grounded, lost=lost, drafts=drafts, ambiguous=mention_records(ambiguous),
        new=fresh, proposed=proposed,
    )  # fmt: skip
    span.event(
        "decision", next=decision.next, why=decision.why, strategies=decision.strategies, iteration=state["iteration"]
    )
    update = {
        **decision.update,
        "strategies": decision.strategies,
        "mentions": grounded,
        "alternatives": [*lost, *state["alternatives"]],
        "drafts": drafts,
        "ambiguous": ambiguous,
        "tried": fresh,
        "fresh": fresh,
        "offered": proposed,
        "artifacts": _new(state),
    }
    details = [_line(mention) for mention in [*grounded, *drafts]]
    return StepResult(update, f"Linked {len(grounded)} of {_named(state)} names", details)


def _decide(state: State, context: Context, new: bool, ambiguous: bool) -> Decision:
    artifacts = state["artifacts"]
    if state["iteration"] == 1:
        following: Next = "clarify" if ambiguous and context.clarify else "retrieve"
        return Decision(following, "this is the first reading", first(context))
    if artifacts is not None and artifacts["finished"]:
        return Decision(ending(state), "the model needs nothing beyond what was found")
    if new:
        return Decision("retrieve", "this reading has something that was not tried", first(context))
    if artifacts is None:
        return Decision("conclude", "the linker has no entity that was not tried")
    if waiting := when_out_of_readings(state, context):
        return Decision("retrieve", "the model offers nothing that was not tried, but strategies wait", waiting)
    return Decision(ending(state), "the model offers nothing that was not tried")


def _grounded(state: State, context: Context, span: Span) -> tuple[list[MentionRef], list[MentionRef]]:
    """The mentions that stand for something, and the readings that lost against a model's."""
    refs = state["mentions"]
    offered = [_looked_up(ref, context.tools.index, span) for ref in refs if _is_offered(ref)]
    read = [_candidates(ref, context, span) for ref in refs if not _is_offered(ref)]
    if not offered:
        return [mention for mention in read if mention["candidates"]], []
    given = {(mention["start"], mention["end"]) for mention in state["given"]}
    return settled(state["resolved"], offered, read, given)


def _is_offered(ref: MentionRef) -> bool:
    """Whether it is a model's, and new."""
    return "source" in ref and not ref["candidates"]


def _named(state: State) -> int:
    return len({ref["text"].casefold() for ref in state["mentions"]})


def _new(state: State) -> ArtifactsRef | None:
    """The artifacts without the queries of earlier iterations, which would give the same again. Paths stay: they may
    lead somewhere from an entity that is new."""
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


def _looked_up(ref: MentionRef, index: EntityIndex, span: Span) -> MentionRef:
    """A model's entity. Where a name is spelled like it, names that are merely near are other names; embeddings are
    asked where the very name is not found."""
    name = ref.get("said", ref["text"])
    found = index.search(name, m=CANDIDATES, mode="fuzzy")
    same = [candidate for candidate in found if candidate.matcher in ("exact", "normalised")]
    if index.has_dense and not same:
        found = best_of([*found, *index.search(name, m=CANDIDATES, mode="dense")])
    kept = same or _likely(found)
    span.event("looked up", text=name, dense=index.has_dense and not same, found=hit_records(found, kept))
    return {**ref, "candidates": [_candidate(candidate) for candidate in kept]}


def _candidates(ref: MentionRef, context: Context, span: Span) -> MentionRef:
    if ref.get("group"):
        return ref
    if not ref["candidates"]:
        found = context.tools.index.search(ref["text"], m=CANDIDATES)
        kept = _likely(found)
        span.event("looked up", text=ref["text"], dense=context.tools.index.has_dense, found=hit_records(found, kept))
        return mention_ref(Mention(ref["start"], ref["end"], ref["text"], tuple(kept)))
    best = sorted(ref["candidates"], key=lambda candidate: -candidate["score"])
    return {**ref, "candidates": best[:CANDIDATES]}


def _likely(found: list[Candidate]) -> list[Candidate]:
    return [candidate for candidate in found if candidate.score >= _LEAST_SCORE.get(candidate.matcher, 0)]


def _candidate(found: Candidate) -> CandidateRef:
    return {**entity_ref(found.entity), "score": found.score, "matcher": found.matcher, "matched": found.matched}


def _line(mention: MentionRef) -> str:
    if mention.get("group"):
        return f"“{mention['text']}”: {len(mention['candidates'])} entities together"
    readings = [f"{c['name']} ({c['label']}) {c['score']:.2f}" for c in mention["candidates"]]
    draft = "draft answer " if mention.get("source") == "draft" else ""
    return f"{draft}“{mention['text']}”: {', '.join(readings)}"
