"""Explanations of answers, for people: how the question was read, what was followed, what was not found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from clew.agents.answering.confidence import ENOUGH
from clew.agents.evidence import Attempt, Evidence, Failure, Findings, Unmatched
from clew.agents.traits import traits_of
from clew.tools.graph.entity import Mention
from clew.tools.graph.identifiers import shown

_SAID = 3
"""United queries that an explanation names."""
_NOTHING_LINKED = "I couldn't match any name in your question to this graph. Try a full name."


def of_attempt(attempt: Attempt, answers: int, findings: Findings) -> str:
    """Explain answers from one query."""
    anchors = {anchor["id"] for anchor in attempt["anchors"]}
    sentences = [f"Followed: {shown(attempt['words'])}.", f"{answers} answer{'s' if answers != 1 else ''}."]
    if others := attempt.get("united", ())[1:]:
        also = shown("; ".join(each["words"] for each in others[:_SAID]))
        more = f" and {len(others) - _SAID} more" if len(others) > _SAID else ""
        sentences.append(f"Further nodes come from the next likely queries: {also}{more}.")
    if attempt["truncated"]:
        sentences.append("There are more: the rows or the time of a question are limited.")
    sentences += [_other_readings(m, anchors) for m in findings.ambiguous]
    if attempt.get("chosen"):
        sentences.append("You chose this reading of the question.")
    elif explained := attempt.get("note") or traits_of(attempt["strategy"], findings.strategies).explain:
        sentences.append(explained)
    elif attempt["confidence"] < ENOUGH:
        sentences.append("Another reading of the question is nearly as likely.")
    return " ".join(filter(None, [_linked(findings.mentions), *sentences, *_failures(findings.errors)]))


def of_none(attempt: Attempt, findings: Findings) -> str:
    """Explain that a query finds nothing, which is the answer."""
    sentences = [f"Followed: {shown(attempt['words'])}.", "Nothing in the graph fulfils that."]
    return " ".join(filter(None, [_linked(findings.mentions), *sentences, *_failures(findings.errors)]))


def of_triplets(item: Evidence, findings: Findings) -> str:
    """Explain answers from the nearest fact."""
    why = "No query over the graph fits the question; this is the fact nearest to it in meaning"
    told = [_linked(findings.mentions), f"{why}: {fact(item)}.", *_failures(findings.errors)]
    return " ".join(filter(None, told))


def fact(item: Evidence) -> str:
    """A triplet as text: "Heat — directed_by → Michael Mann"."""
    return f"{shown(item['head']['name'])} — {item['relation']} → {shown(item['tail']['name'])}"


def of_model(
    words: Sequence[str], facts: int, answers: int, own: int, attempt: Attempt | None, findings: Findings
) -> str:
    """Explain a model's answers; `words` describe the results that it cites, `facts` counts the cited triplets."""
    sources = [*dict.fromkeys(words), *([f"{facts} fact{'s' if facts != 1 else ''}"] if facts else [])]
    sentences = [f"The model answered from: {shown('; '.join(sources))}." if sources else "The model cites nothing."]
    sentences.append(f"{answers} answer{'s' if answers != 1 else ''}.")
    if own:
        sentences.append(f"{own} of them {'is' if own == 1 else 'are'} the model's own, not in the evidence.")
    if attempt is not None and attempt["truncated"]:
        sentences.append("There may be more: the rows or the time of a question are limited.")
    if attempt is not None:
        anchors = {anchor["id"] for anchor in attempt["anchors"]}
        sentences += [_other_readings(m, anchors) for m in findings.ambiguous]
    return " ".join(filter(None, [_linked(findings.mentions), *sentences, *_failures(findings.errors)]))


def of_unmatched(unmatched: Sequence[Unmatched], findings: Findings) -> str:
    """Explain that the question names something that the graph does not have."""
    told = [*map(_unmatched, unmatched), *_notes(findings)]
    return " ".join(filter(None, [*told, _linked(findings.mentions), *_failures(findings.errors)]))


def _notes(findings: Findings) -> list[str]:
    """What attempts without answers say of it."""
    notes = (attempt.get("note", "") for attempt in findings.attempts.values() if not attempt["answers"])
    return list(dict.fromkeys(filter(None, notes)))


def _unmatched(each: Unmatched) -> str:
    if each["kind"] == "schema":
        return f"Nothing in the graph's schema matches “{each['text']}”."
    near = f" Did you mean {' or '.join(f'“{shown(name)}”' for name in each['near'])}?" if each["near"] else ""
    return f"The graph has no node named “{each['text']}”.{near}"


def of_nowhere(words: Sequence[str], note: str) -> str:
    """A note on answers that were found by texts, with the words of the question that stand nowhere in the graph."""
    named = " or ".join(f"“{word}”" for word in words)
    return f"{note} No name and no text has {named}." if words else note


def of_unexplained(words: Sequence[str], reading: str) -> str:
    """Explain why a question has no answer that is explained in full."""
    if words:
        return _cannot_explain(words)
    return f"I am not sure how to read the question. The likeliest reading: {reading}."


def _cannot_explain(words: Sequence[str]) -> str:
    return f"I cannot explain: {', '.join(f'“{word}”' for word in words)}."


def doubt(unexplained: Sequence[str], readings: int, *, sure: bool, answered: bool) -> str:
    """What an answer says of itself where it is not sure; "" where it is.

    Args:
        unexplained: Words of the question that the answer does not explain.
        readings: The number of different readings that are offered.
        sure: Whether the confidence is enough.
        answered: Whether there are answers.
    """
    if answered and sure:
        return ""
    unsure = ["I am not sure.", _cannot_explain(unexplained) if unexplained else ""] if answered else []
    return " ".join(filter(None, [*unsure, "Did you mean:" if readings > answered else ""]))


def listed(names: Sequence[str], count: int, *, more: bool = False) -> str:
    """The first of some answers in words: "Heat, Alien and 3 more"."""
    left, names = count - len(names), list(map(shown, names))
    if not count:
        return "nothing"
    if more or left > 0:
        return f"{', '.join(names)} and {'at least ' if more else ''}{left} more"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def not_found(findings: Findings) -> str:
    """Explain why there is no answer."""
    tried = list(dict.fromkeys(attempt["words"] for attempt in findings.attempts.values()))
    linked = _linked(findings.mentions)
    sentences = ["No answer found.", *_notes(findings), linked or _NOTHING_LINKED]
    if tried:
        sentences.append(f"Tried: {shown('; '.join(tried[:5]))}.")
    elif linked:
        sentences.append("No query of this graph fits the question.")
    if findings.missing:
        sentences.append(f"Missing: {'; '.join(findings.missing)}.")
    if findings.stop_reason:
        sentences.append(f"Stopped: {findings.stop_reason}.")
    return " ".join([*sentences, *_failures(findings.errors)])


def _linked(mentions: Iterable[Mention]) -> str:
    linked = [
        f"“{m.text}” to {len(m.candidates)} entities"
        if m.group
        else f"“{m.text}” to {shown(m.candidates[0].entity.name)} ({m.candidates[0].entity.label})"
        for m in mentions
        if m.candidates
    ]
    return f"Linked {', '.join(linked)}." if linked else ""


def _other_readings(mention: Mention, taken: set[str]) -> str:
    entities = [candidate.entity for candidate in mention.candidates]
    others = [f"{shown(e.name)} ({e.label}, {e.id})" for e in entities if e.id not in taken]
    return f"“{mention.text}” is ambiguous; it may also be {' or '.join(others)}." if others else ""


def _failures(errors: Mapping[str, Failure]) -> list[str]:
    return [_failure(failure) for failure in list(errors.values())[:3]]


_SERVED_INSTEAD = {
    "link": "the question was read without it",
    "reason": "the answers were chosen without it",
}
"""By step, what a run does if a model fails."""


def _failure(failure: Failure) -> str:
    step, message = failure["step"], failure["message"].rstrip(".")
    if failure["kind"] != "ModelFailed":
        return f"The step {step} failed: {message}."
    instead = _SERVED_INSTEAD.get(step, "the other strategies served")
    return f"The model failed in the step {step} ({message}); {instead}."
