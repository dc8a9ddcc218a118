"""The conditions of a question, the surest forms first: comparisons, entities, values, and what must or must not be
there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from clew.tools.graph.entity import Entity
from clew.tools.queries.aggregation.comparisons import find_comparisons, find_text_tests
from clew.tools.queries.aggregation.draft import Draft, is_number
from clew.tools.queries.aggregation.question import Condition, EntityFilter
from clew.tools.queries.aggregation.values import PropertyValues
from clew.tools.queries.aggregation.vocabulary import words
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.space.query import Comparison

_LONGEST_VALUE = 5
"""Words of a value that nobody put in quotes."""


def find_conditions(draft: Draft, values: Callable[[], PropertyValues], names: Sequence[str]) -> None:
    """Each takes its words. `names` are the properties that name the nodes asked for."""
    find_text_tests(draft, names)
    find_comparisons(draft)
    _entities(draft)
    _values(draft, values)
    _presence(draft)
    _absences(draft)


# ---- entities and values --------------------------------------------------------------------------------------------


def _entities(draft: Draft) -> None:
    """Named nodes; of one label several are alternatives, or all of them where "both" or "and" says so."""
    by_label: dict[str, list[tuple[int, int, Entity]]] = {}
    for each in draft.entities:
        if draft.free(each[0], each[1]):
            by_label.setdefault(each[2].label, []).append(each)
    for label, found in by_label.items():
        joined = {draft.text(i) for _, end, _ in found[:-1] for i in range(end, end + 2)}
        both = "both" in {token.text for token in draft.tokens}
        every = len(found) > 1 and "or" not in joined and (both or "and" in joined)
        draft.entity_filters.append(EntityFilter(label, tuple(entity for _, _, entity in found), every))
        for first, last, _ in found:
            draft.take(first, last)
            _take_label(draft, label, first, last)


def _take_label(draft: Draft, label: str, first: int, last: int) -> None:
    """The label's own word beside a name: "the 'Beverages' category", "supplier 'Exotic Liquids'"."""
    for term in draft.terms:
        beside = term.first == last or term.last == first or (term.last == first - 1 and draft.text(first - 1) == "the")
        if label in term.labels and beside and draft.free(term.first, term.last):
            draft.take(term.first, term.last)
            return


def _values(draft: Draft, values: Callable[[], PropertyValues]) -> None:
    """ "in 'Berlin'", "from Germany": what is the value of some property; and quoted texts that a property's name
    stands before."""
    for length in range(_LONGEST_VALUE, 0, -1):
        for i in range(len(draft.tokens) - length + 1):
            if draft.free(i, i + length) and _may_be_value(draft, i, i + length):
                text = draft.tokens[i].text if length == 1 and draft.tokens[i].quoted else draft.question[
                    draft.tokens[i].start : draft.tokens[i + length - 1].end
                ]  # fmt: skip
                _value_of(draft, i, i + length, text, values())


def _may_be_value(draft: Draft, first: int, last: int) -> bool:
    tokens = draft.tokens[first:last]
    if any(token.quoted for token in tokens):
        return len(tokens) == 1
    written = [draft.question[token.start] for token in (tokens[0], tokens[-1])]
    return first > 0 and written[0].isupper() and (written[1].isupper() or written[1].isdecimal())


def _value_of(draft: Draft, first: int, last: int, text: str, values: PropertyValues) -> None:
    found = values.find(text)
    offered = [o for o in draft.vocabulary.owned if not o.of_relation and (o.owner, o.name) in found]
    named = draft.property_before(first, lambda o: True, 3) or draft.property_after(last, lambda o: True, 0)
    negative = "<>" if draft.negated(first) or draft.text(first - 1) == "than" else "="
    comparison = cast(Comparison, negative)
    if named is not None and draft.tokens[first].quoted and named[1] not in offered:
        same = [o for o in offered if o.name == named[1].name]
        offered = same or offered or [named[1]]
    elif named is not None and named[1] in offered:
        offered = [named[1]]
    owned = draft.choose(offered, first)
    if owned is None:
        return
    if named is not None and named[1].name == owned.name:
        draft.take(named[0].first, named[0].last)
    written = found.get((owned.owner, owned.name), [text])
    predicates = [typed(Predicate(owned.name, comparison, value), owned.column) for value in written]
    kept = [each for each in predicates if isinstance(each, Predicate)]
    if not kept:
        return
    draft.take(first, last)
    _take_negative(draft, first)
    for i, other in enumerate(draft.conditions):
        if other.owned == owned and comparison == "=" and other.predicate and other.predicate.comparison == "=":
            draft.conditions[i] = replace(other, alternatives=(*other.alternatives, *kept))
            return
    draft.conditions.append(Condition(owned, kept[0], alternatives=tuple(kept[1:])))


# ---- there or not ---------------------------------------------------------------------------------------------------


def _presence(draft: Draft) -> None:
    """ "not discontinued", "no home page", "have a fax number listed", "no units on order"."""
    for term in draft.terms:
        if not term.properties or not draft.free(term.first, term.last):
            continue
        owned = draft.choose(term.properties, term.first)
        assert owned is not None
        negated = draft.negated(term.first)
        following = draft.text(term.last)
        if owned.column.type == "BOOLEAN":
            draft.conditions.append(Condition(owned, Predicate(owned.name, "=", not negated, "boolean")))
        elif is_number(owned) and (negated or _out_of(draft, term.first)):
            draft.conditions.append(Condition(owned, Predicate(owned.name, "=", 0, "number")))
        elif negated or following in words("other", "empty"):
            draft.conditions.append(Condition(owned, test="IS NULL"))
        elif not is_number(owned) and (following in words("other", "present") or _had(draft, term.first)):
            draft.conditions.append(Condition(owned, test="IS NOT NULL"))
        elif draft.text(term.first - 1) == "in" and owned.name.lower().endswith("stock") and is_number(owned):
            draft.conditions.append(Condition(owned, Predicate(owned.name, ">", 0, "number")))
        else:
            continue
        draft.take(term.first, term.last)
        _take_negative(draft, term.first)


def _take_negative(draft: Draft, first: int) -> None:
    for i in range(max(0, first - 3), first):
        if draft.text(i) in words("other", "negative"):
            draft.take(i, i + 1)


def _out_of(draft: Draft, first: int) -> bool:
    return (draft.text(first - 2), draft.text(first - 1)) == ("out", "of")


def _had(draft: Draft, first: int) -> bool:
    return draft.text(first - 1) in ("a", "an") and draft.text(first - 2) in words("other", "having")


def _absences(draft: Draft) -> None:
    """ "never been ordered", "without orders", "have not placed any orders"."""
    for term in draft.terms:
        if not draft.free(term.first, term.last) or not draft.negated(term.first, 4):
            continue
        schema = draft.vocabulary.schema
        verb = bool(term.relations) and not term.labels
        near = draft.label_near(term.first) if verb else None
        if near:
            ends = {r.target if r.source == near else r.source for r in schema.relations if r.type in term.relations
                    and near in (r.source, r.target)}  # fmt: skip
            found = sorted(ends)[:1]
        else:
            asked = next((s.labels[0] for s in draft.terms if s.labels and s is not term), None)
            found = [label for label in term.labels[:1] if asked is not None and label != asked]
        if found:
            draft.absent += found
            draft.take(term.first, term.last)
            for i in range(max(0, term.first - 4), term.first):
                if draft.text(i) in words("other", "negative") | {"any", "been", "placed"}:
                    draft.take(i, i + 1)
