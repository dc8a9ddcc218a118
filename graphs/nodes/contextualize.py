"""contextualize: expand a follow-up question with what it takes from the conversation, and reset the state."""

from __future__ import annotations

from typing import Any

from langgraph.types import Overwrite

from clew.agents.evidence import entity_of, exact_candidate, mention_of
from clew.agents.linking.follow_ups import ABOUT_ANOTHER, Given, PastTurn, resolve
from clew.graphs.context import Context
from clew.graphs.follow_ups import read_follow_up, written_out
from clew.graphs.recorder import Span
from clew.graphs.state import FollowUpForm, NodeState, Turn
from clew.graphs.steps import StepResult
from clew.graphs.strategies.surroundings import stands_alone
from clew.graphs.trace_records import mention_records
from clew.tools.graph.entity import Mention
from clew.tools.queries.follow_ups.stored_forms import restored_form
from clew.tools.queries.reading.forms.form_words import words

_LOWER_CHOICE = 0.03
"""Decrease of the link score from one antecedent to the next less likely one."""


def contextualize(state: NodeState, context: Context, span: Span) -> StepResult:
    question = " ".join(state["question"].split())
    turns = turns_before(state, context)
    # What has no form can only be asked again in words: "how is A linked to B?" "And to C?"
    in_words = (
        bool(turns)
        and turns[-1].get("form") is None
        and bool(turns[-1]["mentions"])
        and ABOUT_ANOTHER.match(question) is not None
    )
    found = [] if in_words else read_follow_up(question, turns, context)
    if found and not stands_alone(question, context):
        return _changed(found, span)
    resolution = resolve(question, [_past(turn) for turn in turns], _finder(context))
    given = [_mention(entry, resolution.question) for entry in resolution.given] or _named_before(
        resolution.question, state, context
    )
    if resolution.rule:
        span.event("follow-up", rule=resolution.rule, question=resolution.question, given=mention_records(given))
    update = {**_blank(), "resolved": resolution.question, "given": given}
    if not resolution.rule:
        return StepResult(update, "The question stands by itself")
    return StepResult(update, f"Read as: {resolution.question}", [resolution.rule])


def _changed(found: list[FollowUpForm], span: Span) -> StepResult:
    """The question as a change of an earlier turn."""
    best, (question, given) = found[0], written_out(found[0])
    span.event(
        "follow-up", rule=best["change"], turn=best["turn"], question=question, given=mention_records(given),
        readings=[
            {"change": each["change"], "turn": each["turn"], "cost": each["cost"], "words": words(form)}
            for each in found
            if (form := restored_form(each["form"])) is not None
        ],
    )  # fmt: skip
    update = {**_blank(), "resolved": question, "given": given, "follow_ups": found}
    return StepResult(update, f"Read as: {question}", [f"{best['change']}, of question {best['turn']}"])


def turns_before(state: NodeState, context: Context) -> list[Turn]:
    """The turns before the question. Where the user chooses another reading of the last question, it is not one of
    them."""
    history = state.get("history", [])
    again = context.reading is not None and history and history[-1]["question"] == state["question"]
    return history[:-1] if again else history


def _named_before(question: str, state: NodeState, context: Context) -> list[Mention]:
    """What the user, or the name alone, says of the names of a question that is read in another way."""
    again = state.get("history", [])[len(turns_before(state, context)) :]
    named = [mention_of(ref) for turn in again if turn["resolved"] == question for ref in turn["mentions"]]
    return [mention for mention in named if len(mention.candidates) == 1]


def _blank() -> dict[str, Any]:
    """The initial state of a question; the thread of a conversation still holds the state of the last one."""
    blank: dict[str, Any] = {
        "mentions": [], "alternatives": [], "artifacts": None, "drafts": [], "ambiguous": [],
        "fresh": [], "strategies": [], "selected": [], "missing": [],
        "answers": [], "supports": {}, "iteration": 1, "next": "", "stop_reason": "", "cypher": None,
        "confidence": 0.0, "explanation": "", "reading": "", "unexplained": [], "unmatched": [], "sure": False,
        "doubt": "", "readings": [], "follow_ups": [], "follow_up": None,
    }  # fmt: skip
    reduced: dict[str, Any] = {
        "tried": [], "offered": [], "dead_ends": [], "evidence": {}, "attempts": {}, "errors": {}, "steps": {}
    }  # fmt: skip
    return {**blank, **{key: Overwrite(value) for key, value in reduced.items()}}


def _past(turn: Turn) -> PastTurn:
    mentions = tuple(mention_of(mention) for mention in turn["mentions"])
    return PastTurn(turn["resolved"], mentions, tuple(entity_of(answer) for answer in turn["answers"]))


def _finder(context: Context) -> Any:
    def find(text: str) -> tuple[Mention, ...]:
        from clew.tools.linking.mentions import find_mentions

        return find_mentions(text, context.tools.index).mentions

    return find


def _mention(entry: Given, question: str) -> Mention:
    candidates = tuple(
        exact_candidate(entity, 1.0 if entry.together else 1.0 - _LOWER_CHOICE * choice)
        for choice, entity in enumerate(entry.entities)
    )
    return Mention(entry.start, entry.end, question[entry.start : entry.end], candidates, group=entry.together)
