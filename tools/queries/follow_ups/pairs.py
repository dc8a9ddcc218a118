"""The two that the last two turns asked the same of, one after the other: "so who did more?", "how much cheaper is
that?", "and together?", "which of those two is older?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clew.tools.graph.entity import Entity
from clew.tools.queries.follow_ups.changes import with_entities
from clew.tools.queries.follow_ups.past import Antecedent, PastReading
from clew.tools.queries.follow_ups.readings import FollowUpReading, changed_form
from clew.tools.queries.follow_ups.wording import FollowUp
from clew.tools.queries.reading.comparisons.compared import is_number
from clew.tools.queries.reading.english.words import adjectives
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Value, turned
from clew.tools.queries.reading.forms.functions import PeriodUnit
from clew.tools.queries.reading.schema.property_names import root

_TWO = re.compile(r"\b(?:the|those|these|of|between)\s+two\b|\b(?:of|between)\s+(?:them|those|these|both)\b", re.I)
_IT = r"(?:that|this|it|they|them|those)"
_DIFFERENCE = re.compile(
    r"(?:what(?:\s+is|\s+was)?\s+)?(?:the\s+)?(?:difference|gap)(?:\s+in\s+[\w ]{2,20}?)?"
    rf"(?:\s+(?:there\s+)?between\s+(?:the\s+two|{_IT}|both)(?:\s+two)?)?$|by\s+how\s+(?:much|many)(?:\s+(?:is|was)\s+{_IT}\s+\w+)?$"
    rf"|how\s+(?:much|many)\s+(?:more|less|fewer|\w+er)(?:\s+\w+)?\s+(?:is|was|are|were)\s+{_IT}\b"
    r"(?:\s+(?:than|per|a|an|in)\s+[\w ]+)?$",
    re.I,
)
_TOGETHER = re.compile(
    rf"(?:(?:what|how\s+(?:much|many))\s+(?:is|are|was|were|does|do)\s+)?(?:(?:{_IT}|the\s+two|both)\s+)*(?:(?:come|add(?:\s+up)?)\s+to\s+)?"
    r"(?:(?:both|the\s+two|the\s+two\s+of\s+them|all)\s+)?(?:together|combined|added\s+up|put\s+together)$"
    r"|(?:in\s+)?(?:both|the\s+two)\s+(?:together|combined)$",
    re.I,
)
_YEAR, _MONTH = re.compile(r"\d{4}"), re.compile(r"\d{4}-\d\d")
_WHICH = re.compile(r"(?:who|which|what|whose|where)\b", re.I)
_UP = frozenset({"more", "most", "bigger", "biggest", "higher", "highest", "larger", "largest", "greater", "greatest",
                 "busier", "busiest", "better", "best"})  # fmt: skip
DOWN = frozenset({"less", "least", "fewer", "fewest", "lower", "lowest", "smaller", "smallest", "quieter", "quietest",
                   "worse", "worst", "bottom"})  # fmt: skip
"""Words for the greater one of several, and for the lesser one."""
_LIGHT = frozenset(map(root, {
    "who", "which", "what", "whose", "where", "one", "ones", "was", "is", "are", "were", "had", "has", "have",
    "having", "did", "does", "do", "the", "a", "an", "of", "out", "from", "so", "and", "two", "those", "these",
    "them", "both", "between", "among", "got", "get", "gets", "be", "that", "it", "this", "i", "we", "you", "our",
    "my", "then", "in", "on", "at", "there", "any", "year", "years", "month", "months",
}))  # fmt: skip
"""The roots of words that say nothing of what is compared."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two turns that asked the same of two things, and in what they differ."""

    one: Form
    other: Form
    turn: int
    """The number of the second one."""
    text: str
    """The words of both."""
    entities: tuple[Entity, ...] = ()
    """The two nodes, …"""
    conditions: tuple[Condition, ...] = ()
    """… or the two values of one property."""


def pair_of(past: Sequence[PastReading]) -> Pair | None:
    """The last two turns, or the two before the last one, that asked the same of two things; None if none did."""
    return _pair(past[-2:]) or _pair(past[-3:-1])


def _pair(turns: Sequence[PastReading]) -> Pair | None:
    forms = [turn.form for turn in turns if turn.form is not None]
    if len(forms) != 2:
        return None
    one, other = forms
    pair = Pair(one, other, turns[1].number, f"{turns[0].text} {turns[1].text}")
    had, has = set(one.entities), set(other.entities)
    if len(had - has) == len(has - had) == 1:
        (first,), (second,) = had - has, has - had
        same = first.label == second.label and _alike(with_entities(one, first, _nodes(second)), other)
        return replace(pair, entities=(first, second)) if same else None
    before, after = one.nodes.conditions, other.nodes.conditions
    gone, come = [c for c in before if c not in after], [c for c in after if c not in before]
    if len(gone) == len(come) == 1 and gone[0].property == come[0].property and all(map(_plain, (gone[0], come[0]))):
        rest = replace(one.nodes, conditions=(*(c for c in before if c not in gone), come[0]))
        return replace(pair, conditions=(gone[0], come[0])) if _alike(replace(one, nodes=rest), other) else None
    return None


def _nodes(*entities: Entity) -> Nodes:
    """Any one of some nodes of one label."""
    return Nodes(entities[0].label, entities)


def those_two(parts: FollowUp, past: Sequence[PastReading]) -> Iterator[Antecedent]:
    """The two things that the last turn, or the last two, were about, or answered, if the question speaks of two."""
    if not _TWO.search(parts.rest):
        return
    base, last = past[-1].base, past[-1].number
    if base is not None and len(base.entities) == 2:
        yield Antecedent(base, 0.1, last, single=False)
    if past[-1].count == 2:
        return
    answers = [turn.answers[0] for turn in past[-2:] if turn.count == len(turn.answers) == 1]
    if len(answers) == 2 and answers[0].label == answers[1].label and answers[0] != answers[1]:
        yield Antecedent(_nodes(*answers), 0.0, last, single=False)
    pair = pair_of(past)
    if pair is not None and pair.entities:
        yield Antecedent(_nodes(*pair.entities), 0.1, last, single=False)


def of_the_pair(parts: FollowUp, past: Sequence[PastReading]) -> list[FollowUpReading]:
    """How the answers of the last two turns compare, or what they come to together; none if these did not ask the same
    of two things, or if the question asks for neither.

    Args:
        parts: The question.
        past: The turns that were answered, the oldest first.
    """
    text, pair = parts.rest.strip(" ?.!"), pair_of(past)
    if pair is None:
        return []
    if _DIFFERENCE.match(text):
        one, other = _number(pair.one), _number(pair.other)
        form = None if one is None or other is None else replace(other, versus=(one, ">"))
    elif _TOGETHER.match(text):
        form = _together(pair)
    else:
        descending = _degree(text, pair)
        form = None if descending is None else _first_of(pair, descending)
    if form is None:
        return []
    return [changed_form(form, "order", pair.turn, text, pair.other.nodes)]


def _alike(one: Form, other: Form) -> bool:
    """Whether two forms are the same but for the order of their conditions and what they tell beside."""

    def plain(form: Form) -> tuple[Form, frozenset[Condition], frozenset[Link]]:
        nodes = form.nodes
        bare = replace(form, nodes=replace(nodes, conditions=(), links=()), columns=())
        return bare, frozenset(nodes.conditions), frozenset(nodes.links)

    return plain(one) == plain(other)


def _plain(condition: Condition) -> bool:
    tested = condition.predicate
    return tested is not None and tested.comparison == "=" and not (condition.negated or condition.alternatives)


def _number(form: Form) -> Form | None:
    """A form that gives one number; None where it gives something else."""
    if form.asks == "number" and form.versus is None and form.whole is None:
        return form
    if form.asks != "value" or form.value is None or form.value.kind != "number":
        return None
    return replace(form, asks="number", function="max", columns=())


def _both(pair: Pair) -> Form:
    """What was asked of each, of both."""
    form = pair.one
    if pair.entities:
        return with_entities(form, pair.entities[0], _nodes(*pair.entities))
    one, other = pair.conditions
    either = replace(one, alternatives=(other.predicate,) if other.predicate is not None else ())
    conditions = tuple(either if each == one else each for each in form.nodes.conditions)
    return replace(form, nodes=replace(form.nodes, conditions=conditions))


def _together(pair: Pair) -> Form | None:
    """The number of both, or the sum of the two numbers."""
    both = _both(pair)
    if both.asks == "number" and both.function not in (None, "count", "sum"):
        return None
    number = _number(both)
    return replace(number, function="sum") if number is not None and both.asks == "value" else number


def _degree(text: str, pair: Pair) -> bool | None:
    """Whether the greater one is asked for: "who did more?"; None where the question asks for anything else."""
    if not _WHICH.match(text):
        return None
    known = {*map(root, re.findall(r"\w+", pair.text.lower())), *_LIGHT}
    said = [w for w in re.findall(r"\w+", text.lower()) if root(w) not in known or w in _UP | DOWN]
    if len(said) != 1:
        return None
    word, asked = said[0], pair.other.value
    if word in _UP | DOWN:
        return word in _UP
    entry = adjectives().get(word)
    names = set(re.findall(r"[a-z]+", (asked.property or "").lower())) if asked is not None else set()
    if entry is None or not names:
        return None
    up, down = ({*" ".join(each).split()} & names for each in (entry.up, entry.down))
    return bool(up) if up or down else None


def _period(condition: Condition) -> PeriodUnit:
    """The part of a date that a condition gives."""
    tested = condition.predicate
    if tested is None or tested.kind != "date":
        return ""
    return "year" if _YEAR.fullmatch(str(tested.value)) else "month" if _MONTH.fullmatch(str(tested.value)) else ""


def _first_of(pair: Pair, descending: bool) -> Form | None:
    """The one of two things of which a number is the greater, or the lesser, one."""
    form = _both(pair)
    value, nodes = form.value, form.nodes
    if form.asks == "value" and value is not None and value.kind in ("number", "date"):
        return Form("nodes", replace(nodes, order=Order(value, descending)))
    if not is_number(form):
        return None
    if not pair.entities:
        groups = replace(form, asks="groups", function=form.function or "count", group=pair.conditions[0].property)
        period = _period(pair.conditions[0])
        return replace(groups, limit=1, best="highest" if descending else "lowest", period=period)
    link = next((each for each in nodes.links if len(each.other.entities) == 2 and each.positive), None)
    if link is None or link.deep or (value is not None and value.link is not None):
        return None
    counted = Link(turned(link.path, nodes.label), replace(nodes, links=tuple(e for e in nodes.links if e != link)))
    by = Value(None, "count", counted) if value is None else replace(value, function=form.function, link=counted)
    return Form("nodes", replace(link.other, order=Order(by, descending)))
