"""link: find the words of the question that name something, and what to ask the graph.

The entity index always reads the question. With a model, KG-Linker reads it too, and proposes relation paths, queries
and draft answers; from the second iteration on, it sees the findings. After a failure, the model is not called again in
the same run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from clew.agents.answering.verbalising import in_vain, verbalised
from clew.agents.evidence import ArtifactsRef, Failure, mention_ref
from clew.agents.linking import kg_linker
from clew.agents.linking.index_linker import Artifacts, read, read_again
from clew.agents.linking.readings import MOST_NAMES, located, unlocated
from clew.agents.models.calls import Model
from clew.agents.replies import RawArtifacts, parse_artifacts
from clew.graphs.context import Context
from clew.graphs.defined import with_definitions
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.state import NodeState
from clew.graphs.steps import StepResult, spoken
from clew.tools.embedding.token_budget import counter
from clew.tools.graph.entity import Mention
from clew.tools.graph.schema_text import schema_text

_SHOWN = 12
"""Maximum number of alternatives in the trace."""


def link(state: NodeState, context: Context, span: Span) -> StepResult:
    known = Artifacts(tuple(state["mentions"]), tuple(state["alternatives"]))
    reading = _first(state, context) if state["iteration"] == 1 else known
    proposed, errors = _read_with_model(state, reading, context, span)
    if state["iteration"] > 1:
        goes_on = proposed is None and not errors
        reading = _next_reading(state) if goes_on else Artifacts(_with_words(reading.mentions), reading.alternatives)
    span.event(
        "reading", mentions=list(map(mention_ref, reading.mentions)),
        alternatives=list(map(mention_ref, reading.alternatives[:_SHOWN])), finished=reading.finished,
    )  # fmt: skip
    question = state["resolved"]
    update = {
        "mentions": [*(located(question, proposed["entities"]) if proposed else []), *reading.mentions],
        "alternatives": reading.alternatives,
        "artifacts": proposed,
        "drafts": [unlocated(question, name, "draft") for name in proposed["answers"][:MOST_NAMES]] if proposed else [],
        "errors": errors,
    }
    if proposed is not None:
        return StepResult(update, _title(proposed), [*_parts(proposed), *proposed["notes"]])
    names = ", ".join(f"“{mention.text}”" for mention in reading.mentions)
    title = "Nothing more to link" if reading.finished else f"Names: {names}" if names else "No name found"
    return StepResult(update, title, [failed["message"] for failed in errors.values()])


def _first(state: NodeState, context: Context) -> Artifacts:
    return read(state["resolved"], context.tools.index, _by_the_index(state["given"]))


def _next_reading(state: NodeState) -> Artifacts:
    """The next reading of the index: lower candidates first, then words without a mention."""
    mentions, others = (_by_the_index(_with_words(each)) for each in (state["mentions"], state["alternatives"]))
    return read_again(state["resolved"], Artifacts(mentions, others), state["tried"])


def _by_the_index(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions without what a model said of them."""
    return tuple(replace(mention, said="", source="") for mention in mentions)


def _with_words(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions that have words in the question."""
    return tuple(mention for mention in mentions if mention.start < mention.end)


# ---- with a model ---------------------------------------------------------------------------------------------------


def _read_with_model(
    state: NodeState, reading: Artifacts, context: Context, span: Span
) -> tuple[ArtifactsRef | None, dict[str, Failure]]:
    """The artifacts of the linker's model, or its failure."""
    reserved = int(model_of("reasoner", context, span) is not None)
    model = model_of("linker", context, span, leaving=reserved)
    if model is None or any(known["step"] == "link" for known in state["errors"].values()):
        return None, {}
    linked = _call_linker(model, state, reading, context, span)
    raw = [_raw(parse_artifacts(reply)) for reply in linked.replies]
    span.event("artifacts", **linked.artifacts, raw=raw, repaired=linked.repaired, degraded=linked.degraded)
    if not linked.degraded:
        return linked.artifacts, {}
    failed: Failure = {
        "step": "link", "iteration": state["iteration"], "kind": "ModelFailed", "message": linked.degraded
    }  # fmt: skip
    return None, {f"link/{state['iteration']}": failed}


def _raw(artifacts: RawArtifacts) -> dict[str, list[str]]:
    """The unparsed parts of a reply."""
    return {
        "entities": list(artifacts.entities), "paths": list(artifacts.paths), "cypher": list(artifacts.cypher),
        "answers": list(artifacts.answers),
    }  # fmt: skip


def _call_linker(model: Model, state: NodeState, reading: Artifacts, context: Context, span: Span) -> kg_linker.Linked:
    candidates = [c for m in [*reading.mentions, *reading.alternatives] for c in m.candidates]
    names = tuple(dict.fromkeys((c.entity.name, c.entity.label) for c in candidates))
    shown = schema_text(
        context.tools.schema,
        state["resolved"],
        {c.entity.label for mention in reading.mentions for c in mention.candidates},
        count=counter(),
        terms=context.tools.store.terms,
        embedder=context.tools.fitted_embedder,
    )
    if not shown.complete:
        span.event("schema", left_out=shown.left_out())
    hints = kg_linker.Hints(names, _labels_of(context), context.tools.fitted_embedder)
    found = _findings_text(state, context) if state["iteration"] > 1 else ""
    schema = with_definitions(shown.text, state["resolved"], context.tools)
    return kg_linker.link(model, state["resolved"], context.tools.schema, schema, found, hints=hints)


def _labels_of(context: Context) -> Callable[[str], Collection[str]]:
    def labels(name: str) -> set[str]:
        return {candidate.entity.label for candidate in context.tools.index.search(name, mode="fuzzy")}

    return labels


def _findings_text(state: NodeState, context: Context) -> str:
    """The findings and the failed attempts as text for the linker's model."""
    evidence = {key: state["evidence"][key] for key in state["selected"]}
    found = verbalised(state["attempts"], evidence, context.budget.max_tokens).text
    failed_attempts = in_vain(state["attempts"].values(), state["errors"].values(), state["dead_ends"])
    return f"{found or '(nothing)'}" + (f"\n\nTried without a result:\n{failed_attempts}" if failed_attempts else "")


def _title(proposed: ArtifactsRef) -> str:
    if proposed["finished"]:
        return "The model has what it needs"
    names = ", ".join(f"“{name}”" for name in proposed["entities"])
    return f"Names: {names}" if names else "The model names nothing"


def _parts(proposed: ArtifactsRef) -> list[str]:
    counts = {
        "query": len(proposed["cypher"]),
        "path": len(proposed["paths"]),
        "draft answer": len(proposed["answers"]),
    }
    return [", ".join(spoken(count, noun) for noun, count in counts.items())]
