"""What a run says about itself: how it read the question, what it followed, and what it did not find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from clew.agents.answering.confidence import ENOUGH
from clew.agents.evidence import Attempt, Evidence, Failure, MentionRef


class Told(Protocol):
    """The findings, as far as an explanation needs them."""

    @property
    def mentions(self) -> Sequence[MentionRef]: ...
    @property
    def ambiguous(self) -> Sequence[MentionRef]: ...
    @property
    def attempts(self) -> Mapping[str, Attempt]: ...
    @property
    def errors(self) -> Mapping[str, Failure]: ...
    @property
    def stop_reason(self) -> str: ...
    @property
    def missing(self) -> Sequence[str]: ...


def of_attempt(attempt: Attempt, answers: int, told: Told) -> str:
    anchors = {anchor["id"] for anchor in attempt["anchors"]}
    sentences = [f"Followed: {attempt['words']}.", f"{answers} answer{'s' if answers != 1 else ''}."]
    if attempt["truncated"]:
        sentences.append("There are more: the rows or the time of a question are limited.")
    sentences += [_other_readings(m, anchors) for m in told.ambiguous]
    if attempt["strategy"] == "hybrid":
        sentences.append("They are ranked by what they say; no query vouches for them.")
    elif attempt["strategy"] == "documents":
        sentences.append("These are the nearest sentences of documents; nothing vouches that they answer.")
    elif attempt["confidence"] < ENOUGH:
        sentences.append("Another reading of the question is nearly as likely.")
    return " ".join([_linked(told.mentions), *sentences, *_failures(told.errors)])


def of_none(attempt: Attempt, told: Told) -> str:
    sentences = [f"Followed: {attempt['words']}.", "Nothing in the graph fulfils that."]
    return " ".join([_linked(told.mentions), *sentences, *_failures(told.errors)])


def of_triplets(item: Evidence, told: Told) -> str:
    fact = f"{item['head']['name']} — {item['relation']} → {item['tail']['name']}"
    why = "No query over the graph fits the question; this is the fact nearest to it in meaning"
    return " ".join([_linked(told.mentions), f"{why}: {fact}.", *_failures(told.errors)])


def of_model(words: Sequence[str], facts: int, answers: int, own: int, attempt: Attempt | None, told: Told) -> str:
    """`words` are those of the results that the model cites, `facts` the number of triplets."""
    sources = [*dict.fromkeys(words), *([f"{facts} fact{'s' if facts != 1 else ''}"] if facts else [])]
    sentences = [f"The model answered from: {'; '.join(sources)}." if sources else "The model cites nothing."]
    sentences.append(f"{answers} answer{'s' if answers != 1 else ''}.")
    if own:
        sentences.append(f"{own} of them {'is' if own == 1 else 'are'} the model's own, not in the evidence.")
    if attempt is not None and attempt["truncated"]:
        sentences.append("There may be more: the rows or the time of a question are limited.")
    if attempt is not None:
        anchors = {anchor["id"] for anchor in attempt["anchors"]}
        sentences += [_other_readings(m, anchors) for m in told.ambiguous]
    return " ".join([_linked(told.mentions), *sentences, *_failures(told.errors)])


def not_found(told: Told) -> str:
    tried = list(dict.fromkeys(attempt["words"] for attempt in told.attempts.values()))
    sentences = ["No answer found.", _linked(told.mentions)]
    sentences.append(f"Tried: {'; '.join(tried[:5])}." if tried else "Tried: no query, none is valid here.")
    if told.missing:
        sentences.append(f"Missing: {'; '.join(told.missing)}.")
    if told.stop_reason:
        sentences.append(f"Stopped: {told.stop_reason}.")
    return " ".join([*sentences, *_failures(told.errors)])


def _linked(mentions: Iterable[MentionRef]) -> str:
    linked = [
        f"“{m['text']}” to {len(m['candidates'])} entities"
        if m.get("group")
        else f"“{m['text']}” to {m['candidates'][0]['name']} ({m['candidates'][0]['label']})"
        for m in mentions
        if m["candidates"]
    ]
    return f"Linked {', '.join(linked)}." if linked else "Linked nothing."


def _other_readings(mention: MentionRef, taken: set[str]) -> str:
    others = [f"{c['name']} ({c['label']}, {c['id']})" for c in mention["candidates"] if c["id"] not in taken]
    return f"“{mention['text']}” is ambiguous; it may also be {' or '.join(others)}."


def _failures(errors: Mapping[str, Failure]) -> list[str]:
    return [_failure(failure) for failure in list(errors.values())[:3]]


_SERVED_INSTEAD = {
    "link": "the question was read without it",
    "reason": "the answers were chosen without it",
}
"""What a run does where a model fails, by step."""


def _failure(failure: Failure) -> str:
    step, message = failure["step"], failure["message"].rstrip(".")
    if failure["kind"] != "ModelFailed":
        return f"The step {step} failed: {message}."
    instead = _SERVED_INSTEAD.get(step, "the other strategies served")
    return f"The model failed in the step {step} ({message}); {instead}."
