"""The canonical words of a frame, with the parts of a question in its slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from clew.tools.queries.lexical import Token, load_toml
from clew.tools.queries.reading.english.gap import denies
from clew.tools.queries.reading.english.words import FREE, NEGATIVE, RELATIVE, light, meaning_of
from clew.tools.queries.reading.forms.items import AnyItem, Noun
from clew.tools.queries.reading.frames.slots import PERIODS, Slot, SlotKind
from clew.tools.queries.reading.schema.property_names import root

TURNED = "*"
"""Behind the name of a frame in which the groups are said before their members."""
_THINGS: tuple[SlotKind, ...] = ("thing",)
_NAMES: tuple[SlotKind, ...] = ("name",)
_KINDS: dict[str, tuple[SlotKind, ...]] = {
    "set": _THINGS, "a": _THINGS, "as": _THINGS, "b": _THINGS, "bs": _THINGS, "x": _NAMES, "y": _NAMES,
    "p": ("amount", "property"), "v": ("property", "date", "amount"), "n": ("number", "year"), "m": ("number", "year"),
    "year": ("year", "number"), "year2": ("year", "number"), "verb": ("date",),
}  # fmt: skip
"""The kinds of slots that may have a role, in the order in which roles are given away."""
_MEMBERS, _GROUPS = ("a", "as"), ("b", "bs")
TRUTHS = frozenset({"any_of"})
"""The frames of yes-or-no questions."""
_ENDS = frozenset({"name", "number", "year", "date"})
"""What is said of a kind of thing ends with one of these: "orders from Germany"."""
_OF_EACH = frozenset({"with_amounts"})
"""The frames that give one of each without that word."""
_NOW = frozenset({"this", "last", "next", "past"})
_SHARES = frozenset({"share", "percentage", "percent", "proportion", "fraction"})
_WORKED_OUT = frozenset({"sum", "avg", "median"})
_DENYING = frozenset({"none", "not_of", "not_value", "count_none"})
_MOST_COST, _MOST_COST_OF_SET = 1.0, 2.0
"""Cost of a noun phrase up to which it fills a slot."""
_LIMITING = frozenset({
    "top", "top_groups", "bottom", "bottom_groups", "total_top", "top_each", "top_in", "latest_n", "earliest_n",
})  # fmt: skip
"""Frames whose number is how many are listed; that of the others is what is compared."""
_LONGEST_RELATION = 4
"""Words between a kind of thing and a name that say how they are related, at most."""
_BEFORE_RELATIONS = frozenset({"that", "which", "who", "are", "is", "not", "either", "both", "were", "was"})
_Roles = Mapping[str, Slot]


@dataclass(frozen=True, slots=True)
class Canonical:
    """The words of a frame for one question."""

    tokens: list[Token]
    lost: tuple[str, ...]
    """The words of the question that are not among them and say more than how something is asked."""


@cache
def wordings() -> Mapping[str, tuple[str, ...]]:
    """Of each frame the canonical words and slots."""
    return {frame: tuple(text.split()) for frame, text in _table()["canonical"].items()}


@cache
def denials() -> frozenset[str]:
    """Words of which one stands in a question that takes something away."""
    return NEGATIVE | frozenset(_table()["denials"]["words"])


@cache
def _table() -> dict[str, dict[str, Any]]:
    return load_toml("reading.frames", "frames.toml")


def canonical(
    frame: str,
    said: Sequence[Token],
    slots: Sequence[Slot],
    chart: Sequence[AnyItem],
    words: Set[str],
    verbs: Set[str],
) -> Canonical | None:
    """A question in the words of a frame; None where it lacks a part of the frame.

    Args:
        frame: The frame.
        said: The words of the question.
        slots: Its slots.
        chart: The items of its chart.
        words: Words that say how something is asked, not what.
        verbs: Roots of the words in the names of the graph's relations, which say more in any case.
    """
    name = frame.removesuffix(TURNED)
    parts = wordings().get(name)
    roles = None if parts is None else _roles(parts, _numbers_fit(name, said, slots), turned=frame.endswith(TURNED))
    if parts is None or roles is None:
        return None
    if name in _DENYING and not any(denies(said, i) or token.text in denials() for i, token in enumerate(said)):
        return None
    if "between" in parts and not _is_range(said, roles):
        return None
    written = list(_written(parts, _Phrases(said, slots, chart, roles)))
    kept = {token.start for token in written if token.end > token.start}
    used = {(slot.kind, slot.meaning) for slot in roles.values()}
    unused = [slot for slot in slots if (slot.kind, slot.meaning) not in used and said[slot.first].start not in kept]
    lost = [said[slot.last - 1].text for slot in unused if not _is_general(slot, said, words)]
    inside = {i for slot in slots for i in range(slot.first, slot.last)}
    free = [i for i, token in enumerate(said) if i not in inside and token.start not in kept]
    lost += [
        said[i].text
        for i in free
        if _says_more(i, said, name, words, of_amounts="p" in roles) or _is_relation(said[i], verbs)
    ]
    return Canonical(written, tuple(lost))


def _is_range(said: Sequence[Token], roles: Mapping[str, Slot]) -> bool:
    """Whether two numbers bound one amount: not "of 2023 that have more than 3,000 words"."""
    numbers = sorted(slot.first for slot in roles.values() if slot.kind in ("number", "year"))
    inside = {token.text for token in said[slice(numbers[0], numbers[-1])]} if numbers else set()
    return not inside & (RELATIVE | {"more", "less", "fewer", "over", "under"})


def _numbers_fit(frame: str, said: Sequence[Token], slots: Sequence[Slot]) -> list[Slot]:
    """The slots without the numbers that a frame does not mean: "the top 5 products" are compared with no 5."""
    if frame in _LIMITING:
        return list(slots)
    return [each for each in slots if each.kind != "number" or not _lists(said, each.first)]


def _lists(said: Sequence[Token], place: int) -> bool:
    """Whether a number only says how many are listed: at the beginning, or behind "top" or "which"."""
    return place == 0 or meaning_of("listing", said[place - 1].text) is not None


def _is_general(slot: Slot, said: Sequence[Token], words: Set[str]) -> bool:
    """Whether a word that the graph has, too, may only say how something is asked: "the complete list"."""
    word = said[slot.first]
    return slot.last - slot.first == 1 and slot.kind not in ("thing", "number", "year") and word.text in words


def _says_more(place: int, said: Sequence[Token], frame: str, words: Set[str], *, of_amounts: bool) -> bool:
    """Whether a word that is not among those of a frame means something that the frame does not say."""
    text = said[place].text
    if text == "each" and frame not in _OF_EACH:
        return not {"per", "each"} & set(wordings()[frame])
    if text in PERIODS and place and said[place - 1].text in _NOW:
        return True  # "this year"
    if denies(said, place):
        return frame not in _DENYING
    if text in _SHARES:
        return not _SHARES & set(wordings()[frame])
    function = meaning_of("functions", text) if of_amounts else None
    if function in _WORKED_OUT:
        return all(meaning_of("functions", part) != function for part in wordings()[frame])
    return text not in FREE and text not in light() and text not in words


def _is_relation(token: Token, verbs: Set[str]) -> bool:
    return token.text not in FREE and root(token.text) in verbs


def _roles(parts: Sequence[str], slots: Sequence[Slot], *, turned: bool) -> dict[str, Slot] | None:
    """The slot of each role, in their order; members and groups by their number: "which film has the most actors"."""
    names = {part[1:-1] for part in parts if part.startswith("<") and part != "<of>"}
    names |= {"x"} if "set" in names else set()
    free = _once(slots)
    roles: dict[str, Slot] = {}
    for role in (each for each in _KINDS if each in names):
        slot = next((slot for kind in _KINDS[role] for slot in free if slot.kind == kind), None)
        if slot is None:
            return None
        free.remove(slot)
        roles[role] = slot
    members, groups = (next((role for role in each if role in roles), "") for each in (_MEMBERS, _GROUPS))
    if members and groups:
        first, second = roles[members], roles[groups]
        straight, swapped = (
            (a.plural == (members == "as")) + (b.plural == (groups == "bs")) + 2 * b.each - 2 * a.each
            for a, b in ((first, second), (second, first))
        )
        if swapped > straight or (swapped == straight and turned):
            roles[members], roles[groups] = second, first
    return roles


def _once(slots: Sequence[Slot]) -> list[Slot]:
    """The slots without those that name something once more: "some insurers are huge, … which insurer is that"."""
    found: dict[object, Slot] = {}
    for slot in slots:
        known = found.get(slot.meaning, slot)
        found[slot.meaning] = replace(known, plural=known.plural and slot.plural, each=known.each or slot.each)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _Phrases:
    """The words of a question that fill the slots of a frame."""

    said: Sequence[Token]
    slots: Sequence[Slot]
    chart: Sequence[AnyItem]
    roles: _Roles

    def of(self, role: str) -> list[Token]:
        """The words of a role."""
        if role == "of":
            return self._relation(self.roles["as"], self.roles["x"])
        slot = self.roles[role]
        if role == "set":
            return self._set(slot, self.roles["x"])
        return self._words(self._longest(slot) if role in (*_MEMBERS, *_GROUPS) else slot)

    def _words(self, slot: Slot) -> list[Token]:
        return list(self.said[slot.first : slot.last])

    def _longest(self, slot: Slot) -> Slot:
        """The longest noun phrase that begins with a kind of thing and contains no other one: "orders from Germany"."""
        others = [each for each in self.slots if each != slot and (each.kind == "thing" or each in self.roles.values())]
        ends = {each.last for each in self.slots if each.kind in _ENDS}
        longest = slot
        for item in self.chart:
            longer = item.first == slot.first and item.last > longest.last and item.last in ends
            alone = longer and not any(item.first < other.last and other.first < item.last for other in others)
            if alone and isinstance(item.meaning, Noun) and item.cost <= _MOST_COST:
                longest = replace(slot, last=item.last)
        return longest

    def _set(self, thing: Slot, name: Slot) -> list[Token]:
        """The noun phrase from a kind of thing to a name, or both with what is said of their relation."""
        costs = (item.cost for item in self.chart if (item.first, item.last) == (thing.first, name.last)
                 and isinstance(item.meaning, Noun))  # fmt: skip
        if min(costs, default=_MOST_COST_OF_SET) < _MOST_COST_OF_SET:
            return list(self.said[thing.first : name.last])
        return [*self._words(thing), *self._relation(thing, name), *self._words(name)]

    def _relation(self, thing: Slot, name: Slot) -> list[Token]:
        """The words between a kind of thing and a name."""
        between = list(self.said[thing.last : name.first])
        while between and between[0].text in _BEFORE_RELATIONS:
            del between[0]
        at = self.said[0].start
        return between if 0 < len(between) <= _LONGEST_RELATION else [Token("of", at, at)]


def _written(parts: Sequence[str], phrases: _Phrases) -> Iterator[Token]:
    at = phrases.said[0].start
    for part in parts:
        if part.startswith("<"):
            yield from phrases.of(part[1:-1])
        elif part != ",":
            yield Token(part, at, at)
