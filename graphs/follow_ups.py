"""Follow-up questions in a run: what earlier turns left, how the question changes it, and what the turn leaves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from clew.agents.answering.agreement import same_answers
from clew.agents.answering.reasoner import Conclusion
from clew.agents.evidence import EntityRef, entity_of, exact_candidate
from clew.graphs.context import Context
from clew.graphs.form_support import query_of
from clew.graphs.state import FollowUpForm, FollowUpRef, NodeState, Turn
from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.identifiers import shown
from clew.tools.queries.follow_ups.double_questions import DoubleQuestions
from clew.tools.queries.follow_ups.follow_up_reader import FollowUpReader
from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.follow_ups.readings import FollowUpReading
from clew.tools.queries.follow_ups.stored_forms import restored, restored_form, stored, stored_within_limit
from clew.tools.queries.follow_ups.two_in_one import asks_twice
from clew.tools.queries.follow_ups.variants import MARK
from clew.tools.queries.reading.forms.form import Form, Nodes
from clew.tools.queries.reading.forms.form_words import set_words, words
from clew.tools.queries.reading.forms.items import Reading

_SECONDS = 2.0
"""Time for reading a follow-up."""
_NODES_KEPT, _VALUES_KEPT = 100, 20
"""Answers of a turn that the conversation keeps: nodes (fewer where the form is kept), and values."""
_NODES_BESIDE_FORM = 20
_NAMES = 3
_LOOKED_AT = 5
"""Nodes of a set that is looked up to be named."""
_SAYS = {
    "restrict": "fewer of the answers to {}",
    "count": "the number of the answers to {}",
    "order": "the answers to {} in order",
    "project": "what is known of the answers to {}",
    "step": "what the answers to {} are related to",
    "replace": "{} again, with something else in it",
    "correct": "{} corrected",
}


def read_follow_up(question: str, turns: Sequence[Turn], context: Context) -> list[FollowUpForm]:
    """The readings of a question as a change of an earlier turn, or as two questions, best first; none if it is one of
    its own, or cannot be read as a logical form."""
    tools = context.tools
    by_others = context.strategies and not {"read", "pattern"} & set(context.strategies)
    if tools.reader is None or by_others or not (turns or asks_twice(question)):
        return []
    from clew.tools.linking.mentions import find_mentions

    def look(nodes: Nodes) -> list[Entity]:
        query = query_of(Form("nodes", nodes), context)
        try:
            rows = tools.store.read(query.cypher, query.parameters, context.limits(_LOOKED_AT + 1)).records
        except QueryFailed:
            return []
        found = [Entity(str(row["id"]), str(row["name"]), str(row["label"])) for row in rows]
        return found if len(found) <= _LOOKED_AT else []

    find = cache(lambda text: find_mentions(text, tools.index).mentions)
    reader, past = FollowUpReader(tools.reader, find, look), [_past(turn) for turn in turns]
    seconds = min(_SECONDS, context.run.deadline.remaining)
    found = DoubleQuestions(tools.reader, reader, find, look).read(question, past, seconds)
    found = found or reader.read(question, past, seconds)
    kept = [(each, stored_within_limit(each.reading.form)) for each in found]
    return [_plain(each, form) for each, form in kept if form is not None]


def _past(turn: Turn) -> PastReading:
    base = restored(turn["base"]) if turn.get("base") else None
    named = tuple(entity_of(each) for mention in turn["mentions"] for each in mention["candidates"])
    answers = tuple(entity_of(answer) for answer in turn["answers"])
    return PastReading(
        turn["number"], restored_form(turn.get("form")), answers, turn.get("count", len(answers)),
        turn.get("sure", True), named, base, turn["resolved"], tuple(turn.get("values", ())),
    )  # fmt: skip


def _plain(each: FollowUpReading, form: dict[str, Any]) -> FollowUpForm:
    reading = each.reading
    return {
        "form": form,
        "base": None if each.base is None else stored(each.base),
        "change": each.change,
        "turn": each.turn,
        "question": each.text,
        "cost": round(reading.cost, 4),
        "unexplained": list(reading.unexplained),
        "whole": each.whole,
    }


def written_out(follow_up: FollowUpForm) -> tuple[str, list[Mention]]:
    """A follow-up as a question of its own, and the nodes that it takes from the conversation."""
    text, base = follow_up["question"], restored(follow_up["base"]) if follow_up["base"] else None
    if follow_up.get("whole"):
        return text, []
    if base is None or MARK not in text.split():
        form = restored_form(follow_up["form"])
        return (words(form) if form is not None else text), []
    place = text.index(MARK)
    name = _names(base.entities) if base.entities else f"the {set_words(base)}"
    written = f"{text[:place]}{name}{text[place + len(MARK) :]}"
    candidates = tuple(map(exact_candidate, base.entities))
    given = Mention(place, place + len(name), name, candidates, group=len(candidates) > 1)
    return written, [given] if candidates else []


def _names(entities: Sequence[Entity]) -> str:
    names = [shown(entity.name) for entity in entities]
    if len(names) > _NAMES:
        return f"{', '.join(names[:_NAMES])} and {len(names) - _NAMES} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def of_a_set(follow_ups: Sequence[FollowUpForm]) -> bool:
    """Whether a follow-up is about more than one node, or about others than were spoken of, or asks two things, so that
    no question in words says the same to another strategy."""
    if not follow_ups:
        return False
    form = restored_form(follow_ups[0]["form"])
    if follow_ups[0].get("whole"):
        return form is not None and bool(form.columns) and asks_twice(follow_ups[0]["question"])
    if form is not None and form.nodes.without:
        return True  # Others than the conversation spoke of.
    base = restored(follow_ups[0]["base"]) if follow_ups[0]["base"] else None
    return base is None or MARK not in follow_ups[0]["question"].split() or len(base.entities) != 1


def readings_of(follow_ups: Sequence[FollowUpForm]) -> list[Reading]:
    """The readings of a follow-up."""
    forms = [(restored_form(each["form"]), each) for each in follow_ups]
    return [Reading(form, each["cost"], (), tuple(each["unexplained"])) for form, each in forms if form is not None]


def follow_up_ref(state: NodeState, conclusion: Conclusion, turns: Sequence[Turn]) -> FollowUpRef | None:
    """Which change of which turn was answered; None if the question is one of its own."""
    form = _form(state, conclusion)
    each = next((each for each in state["follow_ups"] if each["form"] == form), None)
    if each is None and (not state["follow_ups"] or of_a_set(state["follow_ups"])):
        return None
    each = each or state["follow_ups"][0]
    if not each["turn"]:
        return None  # A question of its own that asks two things.
    of = next((turn["question"] for turn in turns if turn["number"] == each["turn"]), "")
    says = _SAYS[each["change"]].format(f"\u201c{of}\u201d")
    return {"change": each["change"], "turn": each["turn"], "of": of, "says": says}


def left(state: NodeState, conclusion: Conclusion, *, sure: bool) -> dict[str, Any]:
    """What a turn leaves for follow-ups: its answers, the form that they are of, and what it is a change of."""
    form = _form(state, conclusion)
    base = next((each["base"] for each in state["follow_ups"] if form is not None and each["form"] == form), None)
    nodes: list[EntityRef] = [
        {"id": answer["id"], "name": answer["name"], "label": answer["label"]}
        for answer in conclusion.answers
        if answer["id"] is not None
    ]
    values = [answer["name"] for answer in conclusion.answers if answer["id"] is None]
    return {
        "answers": nodes[: _NODES_BESIDE_FORM if form is not None else _NODES_KEPT],
        "values": values[:_VALUES_KEPT],
        "count": len(conclusion.answers),
        "form": form,
        "base": base,
        "sure": sure,
    }


def _form(state: NodeState, conclusion: Conclusion) -> dict[str, Any] | None:
    """The logical form whose answers were given, or of another attempt with the same answers."""
    attempts = state["attempts"].values()
    answered = next((each for each in attempts if each["cypher"] == conclusion.cypher), None)
    if conclusion.cypher is None or answered is None:
        return None
    alike = [answered, *(each for each in attempts if same_answers(answered, each))]
    return next((form for each in alike if (form := each.get("form")) is not None), None)
