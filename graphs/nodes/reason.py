"""reason: choose the answers among the findings, say how sure they are, and store the turn for follow-up questions.

A model reads the findings and chooses. If it names no answer or fails, the answers are chosen without it. Answers that
are not sure come with the next readings of the question. No answer is given to a question with a name that the graph
does not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langgraph.types import Overwrite

from clew.agents.answering.confidence import ENOUGH, of_follow_up
from clew.agents.answering.explanation import doubt, of_nowhere, of_unexplained, of_unmatched
from clew.agents.answering.model_reasoner import answer, without_model
from clew.agents.answering.reasoner import Conclusion, best_attempt
from clew.agents.answering.reasoner import reason as conclude_from
from clew.agents.answering.unmatched import Vocabulary, unmatched_in
from clew.agents.evidence import Attempt, Failure, Findings, MentionRef, Unmatched, mention_ref
from clew.agents.models.calls import ModelFailed
from clew.graphs import follow_ups, offers
from clew.graphs.context import Context
from clew.graphs.model_calls import model_of
from clew.graphs.nodes.contextualize import turns_before
from clew.graphs.nodes.gather import in_order, select
from clew.graphs.recorder import Span
from clew.graphs.state import NodeState, Turn, merge_evidence
from clew.graphs.steps import StepResult, failure, spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.passage_answers import unmentioned
from clew.graphs.strategies.registry import REGISTRY
from clew.graphs.strategies.texts import left_to_texts
from clew.graphs.trace_records import ROWS_SHOWN, attempt_summaries
from clew.tools.graph.entity import Mention
from clew.tools.graph.identifiers import shown


def reason(state: NodeState, context: Context, span: Span) -> StepResult:
    state, unmatched = _without_unknown(state, context, span)
    chosen = offers.choose(state, context, span)
    if chosen is not None:
        state, unmatched = _with_choice(state, chosen, context), []
    findings = _findings(state)
    conclusion, errors = _concluded(findings, state, context, span)
    agreed = bool(conclusion.answers) and conclusion.confidence >= context.sure_from
    if state["follow_ups"] and context.tools.models is None and context.reading is None and conclusion.answers:
        conclusion = replace(conclusion, confidence=of_follow_up(conclusion.confidence))
    told = _told(conclusion, unmatched, findings, state, context)
    conclusion = told.pop("conclusion")
    span.event(
        "conclusion", confidence=conclusion.confidence, cypher=conclusion.cypher,
        answers=conclusion.answers[:ROWS_SHOWN], count=len(conclusion.answers), explanation=conclusion.explanation,
        reading=conclusion.reading, attempts=attempt_summaries(state["attempts"].values()), **told,
    )  # fmt: skip
    update = {
        "errors": errors,
        "answers": conclusion.answers,
        "supports": conclusion.supports,
        "cypher": conclusion.cypher,
        "confidence": conclusion.confidence,
        "explanation": conclusion.explanation,
        "reading": conclusion.reading,
        "unexplained": list(conclusion.unexplained),
        **told,
        "follow_up": follow_ups.follow_up_ref(state, conclusion, turns_before(state, context)),
        **_history(state, conclusion, context, sure=agreed and bool(conclusion.answers)),
    }
    if chosen is not None:
        update |= {key: state[key] for key in ("attempts", "evidence", "selected")}
    elif unmatched:
        update["selected"] = []
    if not conclusion.answers:
        return StepResult(update, "No answer found", [conclusion.explanation])
    names = ", ".join(shown(answer["name"]) for answer in conclusion.answers[:5])
    return StepResult(update, f"{spoken(len(conclusion.answers), 'answer')}: {names}", [conclusion.explanation])


def _with_choice(state: NodeState, chosen: StrategyFindings, context: Context) -> NodeState:
    """The state with the reading that the user chose, its evidence before the rest."""
    evidence = merge_evidence(state["evidence"], chosen.evidence)
    ordered = sorted(in_order(evidence), key=lambda entry: entry[0] not in chosen.evidence)
    attempts = {**state["attempts"], **chosen.attempts}
    return {**state, "attempts": attempts, "evidence": evidence, "selected": select(ordered, context)}


def _concluded(
    findings: Findings, state: NodeState, context: Context, span: Span
) -> tuple[Conclusion, dict[str, Failure]]:
    """The model's conclusion, or else one without a model that says so. The user's choice of a reading needs none."""
    if context.reading is not None:
        return conclude_from(findings), {}
    model = model_of("reasoner", context, span)
    trusted_alone = context.tools.models is not None and context.tools.models.trusted_alone
    has_findings = findings.evidence or best_attempt(findings.attempts.values(), REGISTRY) is not None
    if model is None or not (has_findings or trusted_alone):
        return conclude_from(findings), {}
    try:
        conclusion = answer(model, findings, context.budget.max_tokens, trusted_alone=trusted_alone)
    except ModelFailed as error:
        span.event("without a model", reason=error.reason, message=error.message)
        errors = failure("reason", state["iteration"], error)
        return conclude_from(replace(findings, errors={**findings.errors, **errors})), errors
    if conclusion is not None:
        return conclusion, {}
    span.event("without a model", reason="no answer", message="The model names no answer that may be shown.")
    return without_model(conclude_from(findings), "The model named no answer that the evidence has."), {}


def _findings(state: NodeState) -> Findings:
    return Findings(
        question=state["resolved"],
        mentions=state["mentions"],
        ambiguous=state["ambiguous"],
        attempts=state["attempts"],
        evidence={key: state["evidence"][key] for key in state["selected"]},
        errors=state["errors"],
        stop_reason=state["stop_reason"],
        missing=state["missing"],
        strategies=REGISTRY,
    )


def _without_unknown(state: NodeState, context: Context, span: Span) -> tuple[NodeState, list[Unmatched]]:
    """What of the question the graph does not have, and the state.

    A language model may know other words for it. So may the texts of nodes: if the words belong to a description that
    the texts were searched for, what that found is preferred in the state, and nothing counts as unknown. It is also
    preferred to answers that leave out words of the texts, if it has some or all of them in the order of the texts.
    """
    tools = context.tools
    if (
        state["follow_ups"]
        or tools.models is not None
        or tools.reader is None
        or tools.planner is None
        or not tools.schema.labels
    ):
        return state, []
    texts = tools.texts
    vocabulary = Vocabulary(
        tools.reader.unmatched,
        tools.planner.nearness,
        lambda name: tools.index.search(name, m=3, mode="fuzzy"),
        lambda word: texts is not None and texts.is_ready and texts.index.has_word(word),
    )
    findings = _findings(state)
    best = best_attempt(findings.attempts.values(), REGISTRY)
    by_texts = context.strategies is not None and best is not None and REGISTRY[best["strategy"]].by_texts
    unmatched = unmatched_in(findings, best, vocabulary, by_texts=by_texts)
    found = {key: each for key, each in state["attempts"].items() if each.get("searched") and each["answers"]}
    if not found or context.strategies is not None:
        return state, unmatched
    if unmatched:
        description = tools.planner.description(findings.question, findings.mentions)
        for attempt in (best, best_attempt(found.values(), REGISTRY)):
            if left := unmatched_in(findings, attempt, vocabulary, description=description):
                return state, left
    else:
        found = {key: each for key, each in found.items() if best is not None and _orders(each, best, context)}
        if not found:
            return state, []
    words = [each["text"] for each in unmatched if each["kind"] == "name"]
    span.event("preferred", attempts=list(found), unexplained=words)
    return {**state, "attempts": {**state["attempts"], **_preferred(found, words)}}, []


def _orders(found: Attempt, best: Attempt, context: Context) -> bool:
    """Whether texts were searched among the best attempt's answers, for words that it leaves out. If it is sure, these
    count only if they stand in the texts."""
    among = {answer["id"] for answer in found["answers"] if not answer.get("near")}
    if best.get("searched") or not among <= {answer["id"] for answer in best["answers"]}:
        return False
    left = best.get("unexplained") if best["confidence"] < ENOUGH else left_to_texts(best, context)
    return bool(left)


def _preferred(found: Mapping[str, Attempt], words: list[str]) -> dict[str, Attempt]:
    """The attempts as those that answer, though these words of the question stand nowhere in the graph."""
    return {
        key: {**each, "preferred": True, "unexplained": words, "note": of_nowhere(words, each.get("note", ""))}
        for key, each in found.items()
    }


def _in_documents(unmatched: list[Unmatched], context: Context) -> str:
    """Which of the names that the graph does not have are in no document either."""
    collection = context.tools.documents
    if collection is None or not collection.is_ready:
        return ""
    return unmentioned([each["text"] for each in unmatched if each["kind"] == "name"], collection)


def _told(
    conclusion: Conclusion, unmatched: list[Unmatched], findings: Findings, state: NodeState, context: Context
) -> dict[str, Any]:
    """The conclusion without answers that are not shown, and what is said of its certainty."""
    sure = conclusion.confidence >= context.sure_from
    if unmatched:
        explanation = of_unmatched(unmatched, findings)
        if (also := _in_documents(unmatched, context)) not in explanation:
            explanation = f"{explanation} {also}"
        conclusion = Conclusion([], {}, None, 0.0, explanation)
    elif context.strict and context.reading is None and conclusion.answers and (conclusion.unexplained or not sure):
        explanation = " ".join([of_unexplained(conclusion.unexplained, conclusion.reading), conclusion.explanation])
        conclusion = replace(conclusion, answers=[], supports={}, cypher=None, confidence=0.0, explanation=explanation)
    answered = bool(conclusion.answers)
    given = context.reading is not None
    readings = [] if unmatched else offers.offered(state, context, run=not (given or (answered and sure)))
    if readings and answered:
        readings[0]["confidence"] = conclusion.confidence
    return {
        "conclusion": conclusion,
        "sure": sure and answered,
        "unmatched": unmatched,
        "readings": readings,
        "doubt": "" if given else doubt(conclusion.unexplained, len(readings), sure=sure, answered=answered),
    }


def _history(state: NodeState, conclusion: Conclusion, context: Context, *, sure: bool) -> dict[str, Any]:
    """The turn; one with a chosen reading takes the place of the turn that offered it."""
    before = turns_before(state, context)
    turn = _turn(state, before, conclusion, sure=sure)
    again = len(before) < len(state.get("history", []))
    return {"history": Overwrite([*before, turn]) if again else [turn]}


def _turn(state: NodeState, before: list[Turn], conclusion: Conclusion, *, sure: bool) -> Turn:
    turn: Turn = {
        "number": before[-1]["number"] + 1 if before else 1,
        "question": state["question"],
        "resolved": state["resolved"],
        "mentions": [_chosen(mention, state, conclusion) for mention in state["mentions"]],
        **follow_ups.left(state, conclusion, sure=sure),  # type: ignore[typeddict-item]
    }
    return turn


def _chosen(mention: Mention, state: NodeState, conclusion: Conclusion) -> MentionRef:
    """The mention, with the entity that led to the answers first."""
    used = {
        anchor["id"]
        for attempt in state["attempts"].values()
        if attempt["cypher"] == conclusion.cypher
        for anchor in attempt["anchors"]
    }
    first = sorted(mention.candidates, key=lambda candidate: candidate.entity.id not in used)
    return mention_ref(replace(mention, candidates=tuple(first)))
