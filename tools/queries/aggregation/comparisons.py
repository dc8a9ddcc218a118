"""What a question compares: properties with numbers, dates and pieces of text, and numbers of things."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.aggregation.draft import Draft, is_number, is_text, is_time, name_of
from clew.tools.queries.aggregation.question import Condition, Having, Measure, PropertyRef, Test
from clew.tools.queries.aggregation.vocabulary import date_at, names_of, phrase_at, root
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.plans.value_constraints import units
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import Scalar, whole

# ---- text -----------------------------------------------------------------------------------------------------------


def find_text_tests(draft: Draft, names: Sequence[str]) -> None:
    """ "starting with 'C'", "ending in '2222'", "containing 'Sauce'"."""
    for i, test, last in draft.phrases("tests"):
        if not draft.free(i, last + 1):
            continue
        value = draft.tokens[last]
        if not (value.quoted or (len(value.text) == 1 and test != "CONTAINS")) or (
            test == "CONTAINS" and any(first <= last < end for first, end, _ in draft.entities)
        ):
            continue
        named = draft.property_before(i, is_text)
        label = draft.label_near(i)
        if named is None and (label is None or draft.text(i) == "with"):
            continue
        owned = named[1] if named else name_of(cast(str, label), names)
        text = draft.question[value.start : value.end] if not value.quoted else value.text
        draft.take(i, last + 1)
        if named:
            draft.take(named[0].first, named[0].last)
        if test == "CONTAINS":
            draft.conditions.append(Condition(owned, Predicate(owned.name, "CONTAINS", text, "text")))
        else:
            draft.conditions.append(Condition(owned, test=cast(Test, test), value=text))


# ---- numbers and dates ----------------------------------------------------------------------------------------------


def find_comparisons(draft: Draft) -> None:
    for i in range(len(draft.tokens)):
        if draft.free(i, i + 1):
            _between(draft, i) or _compared(draft, i) or _behind(draft, i) or _in_time(draft, i)


def _between(draft: Draft, i: int) -> bool:
    if draft.text(i) not in ("between", "from"):
        return False
    first = _value(draft, i + 1)
    if first is None or draft.text(first[1]) not in ("and", "to", "until"):
        return False
    second = _value(draft, first[1] + 1)
    if second is None:
        return False
    owned = _property_of(draft, i, second[1], first[0])
    if owned is None:
        return False
    draft.take(i, second[1])
    _add(draft, owned, ">=", first[0])
    _add(draft, owned, "<=", second[0])
    return True


def _compared(draft: Draft, i: int) -> bool:
    """ "reorder level above 20", "more than 70 units on order", "at least three products"."""
    found = phrase_at("comparisons", draft.tokens, i)
    if found is None:
        return False
    comparison = cast(Comparison, found[0])
    value = _value(draft, draft.skip(found[1], "the", "a", "$", "value", "of"), draft.text(i))
    if value is None or not draft.free(i, value[1]):
        return False
    counted = draft.term_after(value[1], 1, ("the", "of", "different", "distinct", "unique"))
    before = draft.property_before(i, lambda o: is_number(o) or is_time(o), 3)
    if draft.text(value[1]) in ("times", "time") and not isinstance(value[0], str | bool):
        verb = next((s for s in reversed(draft.terms) if s.relations and s.last <= i), None)
        if verb is not None:
            draft.having = Having(Measure("count", verb.relations[0], of_relation=True), comparison, value[0])
            draft.take(i, value[1] + 1)
            return True
    if counted and counted.labels and before is None and comparison != "=" and not isinstance(value[0], str):
        draft.having = Having(Measure("count", counted.labels[0]), comparison, value[0])
        draft.take(i, counted.last)
        return True
    if comparison == "=" and before is None:
        return False
    owned = _property_of(draft, i, value[1], value[0], draft.text(i))
    if owned is None:
        return False
    if comparison == "=" and draft.negated(i):
        comparison = "<>"
    draft.take(i, value[1])
    later = phrase_at("behind", draft.tokens, value[1]) if comparison == "=" else None
    if later:
        comparison = cast(Comparison, later[0])
        draft.take(value[1], later[1])
    return _add(draft, owned, comparison, value[0])


def _behind(draft: Draft, i: int) -> bool:
    """ "25 or higher", "shipVia 3"."""
    value = _value(draft, i)
    if value is None:
        return False
    found = phrase_at("behind", draft.tokens, value[1])
    if found is None and (named := draft.property_before(i, is_number, 0)) and not draft.term_at(value[1]):
        draft.take(named[0].first, value[1])
        return _add(draft, named[1], "=", value[0])
    if found is None or (owned := _property_of(draft, i, found[1], value[0])) is None:
        return False
    draft.take(i, found[1])
    return _add(draft, owned, cast(Comparison, found[0]), value[0])


def _in_time(draft: Draft, i: int) -> bool:
    """ "in 1997", "during July 1996", "on 1996-07-04"."""
    if draft.text(i) not in ("in", "during", "on", "for", "year", "month"):
        return False
    found = date_at(draft.question, draft.tokens, draft.skip(i + 1, "the", "year", "of", "month"))
    if found is None or not draft.free(i, found[1]):
        return False
    owned = _property_of(draft, i, found[1], found[0])
    if owned is None:
        return False
    draft.take(i, found[1])
    return _add(draft, owned, "=", found[0])


def _value(draft: Draft, i: int, after: str = "") -> tuple[Scalar, int] | None:
    """A number or a date that begins at a token, and where it ends; after "before" and the like a year is a date."""
    if i >= len(draft.tokens) or not draft.free(i, i + 1):
        return None
    number = draft.number(i)
    date = date_at(draft.question, draft.tokens, i)
    if date is not None and (number is None or date[1] > i + 1 or after in ("before", "after", "since", "until")):
        return date
    if number is None:
        return None
    return whole(number), i + 1


def _property_of(draft: Draft, first: int, last: int, value: Scalar, adjective: str = "") -> PropertyRef | None:
    """The property that tokens[first:last] speak of: named right behind, before, by its unit, or the only time."""
    fits = is_time if isinstance(value, str) else is_number
    for named in (draft.property_after(last, fits, 0), draft.property_before(first, fits, 5)):
        if named is not None:
            draft.take(named[0].first, named[0].last)
            return named[1]
    if isinstance(value, str):
        return _time_of(draft, first)
    unit, sign = draft.text(last), "$" if "$" in {draft.text(i) for i in range(first, last)} else ""
    hints = names_of(units(), sign, unit, adjective)
    offered = [o for o in draft.vocabulary.owned if is_number(o)]
    for name in hints:
        named_so = [o for o in offered if set(name.split()) <= set(identifier_words(o.name))]
        if owned := draft.choose(named_so, first):
            if unit in units():
                draft.take(last, last + 1)
            return owned
    return None


def _time_of(draft: Draft, at: int) -> PropertyRef | None:
    """A date's property: by a verb before it ("shipped in 1997": shippedDate), by its label's name ("orders in 1997":
    orderDate), or the only one."""
    label = draft.label_near(at)
    offered = [o for o in draft.vocabulary.owned if not o.of_relation and is_time(o)]
    for i in range(at - 1, max(-1, at - 6), -1):
        said = [o for o in offered if root(draft.text(i)) in map(root, identifier_words(o.name)) and draft.text(i)]
        if len(said) > 1:
            said = [o for o in said if o.owner == label] or said
        if said:
            draft.take(i, i + 1)
            return said[0]
    own = [o for o in offered if o.owner == label] or offered
    named = [o for o in own if root(o.owner.lower()) in map(root, identifier_words(o.name))]
    if len(own) > 1 and not named:
        draft.guesses += 1
    return (named or own)[0] if own else None


def _add(draft: Draft, owned: PropertyRef, comparison: Comparison, value: Scalar) -> bool:
    found = typed(Predicate(owned.name, comparison, value), owned.column)
    if isinstance(found, Predicate):
        draft.conditions.append(Condition(owned, found))
    return isinstance(found, Predicate)
