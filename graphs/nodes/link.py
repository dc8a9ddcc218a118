"""link: which words of the question name something, and what is to be asked of the graph.

The entity index reads the question in any case. With a model KG-Linker reads it too, and offers relation paths, queries
and draft answers; on a further round it sees what was found. A model that fails is not asked again in the same run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from clew.agents.answering.verbalising import in_vain, verbalised
from clew.agents.evidence import ArtifactsRef, Failure, MentionRef, mention_of, mention_ref
from clew.agents.linking import kg_linker
from clew.agents.linking.index_linker import Artifacts, read, read_again
from clew.agents.linking.readings import MOST_NAMES, located, unlocated
from clew.agents.models.calls import Model
from clew.agents.replies import RawArtifacts, parse_artifacts
from clew.graphs.context import Context
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.state import State
from clew.graphs.steps import StepResult, spoken
from clew.tools.embedding.token_budget import counter
from clew.tools.graph.entity import Mention
from clew.tools.graph.schema_text import schema_text

_SHOWN = 12
"""Readings that lost, for the trace."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """The entity index's."""

    mentions: list[MentionRef]
    alternatives: list[MentionRef]
    finished: bool = False
    """There is nothing to read that was not tried."""


def link(state: State, context: Context, span: Span) -> StepResult:
    reading = _first(state, context) if state["iteration"] == 1 else _Reading(state["mentions"], state["alternatives"])
    offered, errors = _offered(state, reading, context, span)
    if state["iteration"] > 1:
        reading = _again(state) if offered is None else _Reading(_placed(reading.mentions), reading.alternatives)
    span.event(
        "reading", mentions=reading.mentions, alternatives=reading.alternatives[:_SHOWN], finished=reading.finished
    )
    question = state["resolved"]
    update = {
        "mentions": [*(located(question, offered["entities"]) if offered else []), *reading.mentions],
        "alternatives": reading.alternatives,
        "artifacts": offered,
        "drafts": [unlocated(question, name, "draft") for name in offered["answers"][:MOST_NAMES]] if offered else [],
        "errors": errors,
    }
    if offered is not None:
        return StepResult(update, _title(offered), [*_parts(offered), *offered["notes"]])
    names = ", ".join(f"“{mention['text']}”" for mention in reading.mentions)
    title = "Nothing more to link" if reading.finished else f"Names: {names}" if names else "No name found"
    return StepResult(update, title, [failed["message"] for failed in errors.values()])


def _first(state: State, context: Context) -> _Reading:
    given = [mention_of(mention) for mention in state["given"]]
    artifacts = read(state["resolved"], context.tools.index, given)
    groups = {(m["start"], m["end"]) for m in state["given"] if m.get("group")}
    return _reading(artifacts, groups)


def _again(state: State) -> _Reading:
    """What the index may also read: lower readings, and then words that nothing covers."""
    before = Artifacts(_mentions(state["mentions"]), _mentions(state["alternatives"]))
    groups = {(m["start"], m["end"]) for m in state["given"] if m.get("group")}
    return _reading(read_again(state["resolved"], before, state["tried"]), groups)


def _reading(artifacts: Artifacts, groups: set[tuple[int, int]]) -> _Reading:
    mentions = [mention_ref(mention) for mention in artifacts.mentions]
    for mention in mentions:
        if (mention["start"], mention["end"]) in groups:
            mention["group"] = True
    return _Reading(mentions, [mention_ref(mention) for mention in artifacts.alternatives], artifacts.finished)


def _mentions(refs: list[MentionRef]) -> tuple[Mention, ...]:
    return tuple(mention_of(ref) for ref in _placed(refs))


def _placed(refs: list[MentionRef]) -> list[MentionRef]:
    """Those that the question has words for."""
    return [ref for ref in refs if ref["start"] < ref["end"]]


# ---- with a model ---------------------------------------------------------------------------------------------------


def _offered(
    state: State, reading: _Reading, context: Context, span: Span
) -> tuple[ArtifactsRef | None, dict[str, Failure]]:
    """What the linker's model offers, or why it offers nothing."""
    for_the_answer = int(model_of("reasoner", context, span) is not None)
    model = model_of("linker", context, span, leaving=for_the_answer)
    if model is None or any(known["step"] == "link" for known in state["errors"].values()):
        return None, {}
    linked = _asked(model, state, reading, context, span)
    raw = [_raw(parse_artifacts(reply)) for reply in linked.replies]
    span.event("artifacts", **linked.artifacts, raw=raw, repaired=linked.repaired, degraded=linked.degraded)
    if not linked.degraded:
        return linked.artifacts, {}
    failed: Failure = {
        "step": "link", "iteration": state["iteration"], "kind": "ModelFailed", "message": linked.degraded
    }  # fmt: skip
    return None, {f"link/{state['iteration']}": failed}


def _raw(said: RawArtifacts) -> dict[str, list[str]]:
    """The parts of a reply as the model wrote them."""
    return {
        "entities": list(said.entities), "paths": list(said.paths), "cypher": list(said.cypher),
        "answers": list(said.answers),
    }  # fmt: skip


def _asked(model: Model, state: State, reading: _Reading, context: Context, span: Span) -> kg_linker.Linked:
    candidates = [c for m in [*reading.mentions, *reading.alternatives] for c in m["candidates"]]
    names = tuple(dict.fromkeys((c["name"], c["label"]) for c in candidates))
    shown = schema_text(
        context.tools.schema,
        state["resolved"],
        {c["label"] for mention in reading.mentions for c in mention["candidates"]},
        count=counter(),
        terms=context.tools.store.terms,
        embedder=context.tools.embedder,
    )
    if not shown.complete:
        span.event("schema", left_out=shown.left_out())
    hints = kg_linker.Hints(names, _labels_of(context), context.tools.embedder)
    found = _found(state, context) if state["iteration"] > 1 else ""
    return kg_linker.link(model, state["resolved"], context.tools.schema, shown.text, found, hints=hints)


def _labels_of(context: Context) -> Callable[[str], Collection[str]]:
    def labels(name: str) -> set[str]:
        return {candidate.entity.label for candidate in context.tools.index.search(name, mode="fuzzy")}

    return labels


def _found(state: State, context: Context) -> str:
    """What was found and what was tried in vain, as the linker's model reads it on a further round."""
    evidence = {key: state["evidence"][key] for key in state["selected"]}
    found = verbalised(state["attempts"], evidence, context.budget.max_tokens).text
    vain = in_vain(state["attempts"].values(), state["errors"].values(), state["dead_ends"])
    return f"{found or '(nothing)'}" + (f"\n\nTried without a result:\n{vain}" if vain else "")


def _title(offered: ArtifactsRef) -> str:
    if offered["finished"]:
        return "The model has what it needs"
    names = ", ".join(f"“{name}”" for name in offered["entities"])
    return f"Names: {names}" if names else "The model names nothing"


def _parts(offered: ArtifactsRef) -> list[str]:
    counts = {"query": len(offered["cypher"]), "path": len(offered["paths"]), "draft answer": len(offered["answers"])}
    return [", ".join(spoken(count, noun) for noun, count in counts.items())]
