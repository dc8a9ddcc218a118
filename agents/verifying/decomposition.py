"""Decomposition of a statement into claims. A claim about a list is one about each of its names; a "not" belongs to its
clause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from clew.agents.verifying.claims import Claim, Conjunction, Disjunction, Formula, Negation, Part
from clew.agents.verifying.clauses import Clause, clauses_of, names_its
from clew.agents.verifying.sentence import NEGATIVE, Item, grouped, items_of
from clew.tools.queries.reading.english.inflection import is_plural, singular

_INSTEAD = {"nobody": "someone", "none": "some", "without": "with", "lacks": "has", "lack": "have"}

_OF_EACH_OTHER = frozenset({
    "married", "related", "siblings", "brothers", "sisters", "twins", "cousins", "spouses", "partners", "friends",
    "rivals", "colleagues", "competitors", "neighbours", "neighbors", "enemies", "allies", "relatives", "teammates",
})  # fmt: skip
"""What two are of, or to, each other."""


def decompose(text: str, names: Sequence[tuple[int, int]]) -> Formula | None:
    """The claims of a plain statement, joined to a formula; None if it names nothing.

    `names` are the spans of its linked names, in order.
    """
    items = items_of(text, names)
    if not any(item.mention is not None for item in items):
        return None
    groups, gaps = grouped(items)
    clauses = clauses_of(groups, gaps)
    found = [formula for clause in clauses for formula in formulas_of(clause)]
    return found[0] if len(found) == 1 else Conjunction(tuple(found))


def formulas_of(clause: Clause) -> list[Formula]:
    """The claims of a clause: one for every choice of a name from each list."""
    gaps, negated = _without_negations(clause.gaps)
    if len(clause.groups) == 1:
        pair = clause.groups[0].members
        if len(pair) == 2 and not clause.groups[0].either and _mutual(gaps[-1]):
            return [_negated(_claim(_of_each_other(gaps), pair), negated)]
    whole: list[Formula] = []
    for chosen in product(*(range(len(group.members)) for group in clause.groups)):
        members = [group.members[i] for group, i in zip(clause.groups, chosen, strict=True)]
        negative = negated != (sum(g.negative[i] for g, i in zip(clause.groups, chosen, strict=True)) % 2 == 1)
        if len(members) > 2 and not clause.shared and not any(member.mention == -1 for member in members):
            whole.append(_negated(_in_pairs(gaps, members), negative))
        else:
            whole.append(_negated(_claim(gaps, members), negative))
    if any(group.either for group in clause.groups) and not negated and len(whole) > 1:
        return [Disjunction(tuple(whole))]
    return whole


def _in_pairs(gaps: Sequence[list[Item]], members: Sequence[Item]) -> Formula:
    """ "A played B in C": a claim about A and B, then for every further name one about it and A or the name before;
    "A's flight B is flown with C" is about B and C."""
    found: list[Formula] = [_claim([*gaps[:2], gaps[-1] if len(members) == 2 else []], members[:2])]
    for place in range(2, len(members)):
        earlier = members[1:2] if place == 2 and names_its(gaps[1]) else [members[0], members[place - 1]]
        end = gaps[-1] if place + 1 == len(members) else []
        found.append(Disjunction(tuple(_claim([[], gaps[place], end], [one, members[place]]) for one in earlier)))
    return Conjunction(tuple(found))


def _negated(formula: Formula, negated: bool) -> Formula:
    return Negation(formula) if negated else formula


def _without_negations(gaps: Sequence[Sequence[Item]]) -> tuple[list[list[Item]], bool]:
    """The words without their negations, and whether these negate the clause."""
    negated = False
    kept: list[list[Item]] = []
    for gap in gaps:
        words: list[Item] = []
        for place, item in enumerate(gap):
            low = item.low
            if low in ("neither", "nor"):
                continue  # belongs to the names of a list
            if low not in NEGATIVE:
                words.append(item)
                continue
            negated = not negated
            if low in _INSTEAD:
                words.append(Item(_INSTEAD[low]))
            elif low == "no" and place + 1 < len(gap) and gap[place + 1].low == "one":
                words.append(Item("some"))
        kept.append(words)
    return kept, negated


def _mutual(words: Sequence[Item]) -> bool:
    """Whether the words relate the names to each other: "A and B are married", "A and B starred in the same film"."""
    low_words = {item.low for item in words}
    if low_words & {"same", "together", "each", "another"}:
        return True
    return bool(low_words & {"are", "were"}) and not low_words & {"a", "an"} and 1 < len(words) <= 3


def _of_each_other(gaps: Sequence[list[Item]]) -> list[list[Item]]:
    """ "A is a sibling of B" for "A and B are siblings", "A is married to B" for "A and B are married"."""
    last = [item.low for item in gaps[-1]]
    if gaps[0] or len(last) != 2 or last[0] not in ("are", "were") or last[1] not in _OF_EACH_OTHER:
        return [gaps[0], [Item("and")], gaps[-1]]
    verb = "is" if last[0] == "are" else "was"
    related = [verb, last[1], "to"] if not is_plural(last[1]) else [verb, "a", singular(last[1]), "of"]
    return [[], [Item(word) for word in related], []]


def _claim(gaps: Sequence[Sequence[Item]], members: Sequence[Item]) -> Claim:
    text, parts = "", []
    for place, gap in enumerate(gaps):
        text = _joined(text, (item.text for item in gap))
        if place < len(members):
            name = members[place]
            text = _joined(text, [name.text])
            mention = name.mention if name.mention is not None and name.mention >= 0 else None
            parts.append(Part(len(text) - len(name.text), len(text), mention))
    return Claim(text, tuple(parts))


def _joined(text: str, words: Iterable[str]) -> str:
    for word in words:
        space = " " if text and word not in ("'s", "\u2019s", ",", ";", ":") else ""
        text += space + word
    return text
