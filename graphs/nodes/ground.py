"""ground: entity linking. Every mention gets its candidates from the graph, and what is ambiguous is said."""

from __future__ import annotations

from agents.findings import MentionRef, mention_of, mention_ref
from graphs.context import STRATEGIES, Context
from graphs.recorder import Span
from graphs.state import State
from graphs.steps import Done
from tools.linking.entity import Mention

CANDIDATES = 3
"""Entities kept for one mention (m in ByoKG-RAG section 3.2)."""
_LEAST_SCORE = {"fuzzy": 0.8, "dense": 0.55}
"""Of a candidate looked up for words that no name matched, by the way it was found."""


def ground(state: State, context: Context, span: Span) -> Done:
    grounded = [m for m in (_candidates(ref, context) for ref in state["mentions"]) if m["candidates"]]
    ids = {candidate["id"] for mention in grounded for candidate in mention["candidates"]}
    fresh = ids - set(state["tried"])
    ambiguous = [m for m in grounded if mention_of(m).ambiguous and not m.get("group")]
    span.event("candidates", mentions=grounded, new=sorted(fresh))
    update = {
        "strategies": list(context.strategies or STRATEGIES[:1]),
        "mentions": grounded,
        "ambiguous": ambiguous,
        "tried": sorted(fresh),
        "next": "retrieve" if fresh or state["iteration"] == 1 else "conclude",
        "stop_reason": "" if fresh or state["iteration"] == 1 else "the linker has no entity that was not tried",
    }
    details = [_line(mention) for mention in grounded]
    return Done(update, f"Linked {len(grounded)} of {len(state['mentions'])} names", details)


def _candidates(ref: MentionRef, context: Context) -> MentionRef:
    if ref.get("group"):
        return ref
    if not ref["candidates"]:
        found = context.index.search(ref["text"], m=CANDIDATES)
        likely = tuple(candidate for candidate in found if candidate.score >= _LEAST_SCORE.get(candidate.matcher, 0))
        return mention_ref(Mention(ref["start"], ref["end"], ref["text"], likely))
    best = sorted(ref["candidates"], key=lambda candidate: -candidate["score"])
    return {**ref, "candidates": best[:CANDIDATES]}


def _line(mention: MentionRef) -> str:
    if mention.get("group"):
        return f"“{mention['text']}”: {len(mention['candidates'])} entities together"
    readings = [f"{c['name']} ({c['label']}) {c['score']:.2f}" for c in mention["candidates"]]
    return f"“{mention['text']}”: {', '.join(readings)}"
