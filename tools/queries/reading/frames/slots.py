"""What a question says of its graph: kinds of things, names, properties, numbers, each a slot of a frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Literal

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.clause_order import COMMA
from clew.tools.queries.reading.english.inflection import is_plural
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Noun, Number, PropertyNoun, is_name

SlotKind = Literal["thing", "name", "amount", "property", "date", "number", "year"]
_SURELY = 0.6
"""Cost of an anchor below which its words are a slot."""
_NAMES = ("Alpha", "Beta", "Gamma", "Delta")
_NUMBERS = ("5", "9", "12", "20")
_AMOUNTS = frozenset({"number", "written number", "duration"})
PERIODS = frozenset({"year", "years", "month", "months", "decade", "quarter", "day", "days", "week", "weeks"})
_EACH = frozenset({"each", "every", "per"})
_GENERAL = frozenset({
    "total", "count", "average", "mean", "median", "number", "rank", "sort", "show", "value", "values", "percent",
    "percentage", "share", "amount", "sum", "list", "place", "group", "groups", "times", "record", "size", "per",
    "rate", "split", "one", "ones", "set", "kind", "kinds", "give", "name", "names", "first", "last", "far",
})  # fmt: skip
"""Words that say how something is asked, also where a property has them for a name."""
_PARTICIPLES = frozenset({
    "born", "built", "made", "sold", "sent", "paid", "held", "won", "set", "shot", "written", "taken", "begun",
    "bought", "given", "drawn", "run", "flown", "known", "left", "lent", "done", "spent", "grown",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slot:
    """tokens[first:last], and what they are."""

    first: int
    last: int
    kind: SlotKind
    meaning: object
    """Two slots with the same meaning name one thing twice."""
    plural: bool = False
    each: bool = False
    """Whether "each", "every" or "per" stands before it."""


def slots_of(anchors: Iterable[AnyItem], said: Sequence[Token]) -> list[Slot]:
    """The slots of a question in the order of its words; of anchors that overlap, the longest and surest one.

    Args:
        anchors: Its anchors.
        said: Its words.
    """
    found = [(slot, item.cost) for item in anchors if (slot := _slot(item, said)) is not None]
    found.sort(key=lambda pair: (pair[0].first - pair[0].last, _RANK[pair[0].kind], pair[1]))
    taken: set[int] = set()
    kept: list[Slot] = []
    for slot, _ in found:
        places = set(range(slot.first, slot.last))
        if not places & taken:
            taken |= places
            kept.append(slot)
    return _joined(sorted(kept, key=lambda slot: slot.first), said)


_KINDS = ("thing", "name", "amount", "property", "date", "number", "year")
_RANK = {"number": 0, "year": 0, "thing": 1, "name": 2, "date": 3, "amount": 4, "property": 5}


def _slot(item: AnyItem, said: Sequence[Token]) -> Slot | None:
    meaning = item.meaning
    text = said[item.last - 1].text
    if item.cost >= _SURELY or text in PERIODS:
        return None
    if item.last - item.first == 1 and text in _GENERAL and not isinstance(meaning, Noun):
        return None
    kind: SlotKind | None = None
    key: object = meaning
    if isinstance(meaning, Noun):
        named = is_name(item) or (meaning.named and bool(meaning.nodes.conditions))
        if not meaning.wild and (named or meaning.nodes.bare or meaning.role is not None):
            kind, key = ("name", said[item.first].start) if named else ("thing", (meaning.nodes.label, meaning.role))
    elif isinstance(meaning, Number):
        if any(letter.isdigit() for letter in text):
            kind, key = "year" if meaning.date else "number", item.first
    elif isinstance(meaning, ConditionNoun):
        if meaning.comparison == "=" and meaning.values and not meaning.test and isinstance(meaning.values[0], str):
            kind, key = "name", said[item.first].start
    elif isinstance(meaning, PropertyNoun) and meaning.function is None and not meaning.quantity and meaning.choices:
        kind, key = _property(meaning, text), meaning.choices[0].name
    if kind is None:
        return None
    each = item.first > 0 and said[item.first - 1].text in _EACH
    return Slot(item.first, item.last, kind, key, is_plural(text), each)


def _property(meaning: PropertyNoun, text: str) -> SlotKind:
    kinds = {choice.kind for choice in meaning.choices}
    if text in _PARTICIPLES or (text.endswith("ed") and kinds & {"date", "number"}):
        return "date"
    return "amount" if kinds & _AMOUNTS else "name" if kinds == {"boolean"} else "property"


def _joined(slots: Sequence[Slot], said: Sequence[Token]) -> list[Slot]:
    """Kinds of things that stand side by side are one: "staff members"."""
    found: list[Slot] = []
    for slot in slots:
        before = found[-1] if found else None
        beside = (
            before is not None
            and before.last == slot.first
            and said[slot.first].start - said[slot.first - 1].end < COMMA
        )
        if before is not None and beside and before.kind == slot.kind == "thing":
            found[-1] = replace(before, last=slot.last, plural=slot.plural)
        else:
            found.append(slot)
    return found


def masked(said: Sequence[Token], slots: Sequence[Slot]) -> str:
    """The words of a question with general ones in place of its slots: "how many things does every thing have"."""
    names, numbers = cycle(_NAMES), cycle(_NUMBERS)
    by_first = {slot.first: slot for slot in slots}
    inside = {i for slot in slots for i in range(slot.first + 1, slot.last)}
    words = []
    for i, token in enumerate(said):
        slot = by_first.get(i)
        if slot is None:
            words += [] if i in inside else [token.text]
        elif slot.kind == "name":
            words.append(next(names))
        elif slot.kind == "number":
            words.append(next(numbers))
        elif slot.kind == "thing":
            words.append("things" if slot.plural else "thing")
        else:
            words.append({"year": "1999", "date": "made"}.get(slot.kind, slot.kind))
    return " ".join(words)


def counts(slots: Sequence[Slot]) -> list[float]:
    """How many slots of each kind a question has: whether there are one, two, three or more."""
    numbers = [sum(slot.kind == kind for slot in slots) for kind in _KINDS]
    numbers.append(sum(slot.kind == "thing" and not slot.plural for slot in slots))
    return [float(number >= least) for number in numbers for least in (1, 2, 3)]
