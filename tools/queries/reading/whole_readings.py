"""From the items of a chart to readings of the whole question, or of the whole statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.anchors.placings import WINNING, never_placed
from clew.tools.queries.reading.english.depth_words import words_of_depth
from clew.tools.queries.reading.english.expected import asks_what_is_done
from clew.tools.queries.reading.english.words import COPULAS
from clew.tools.queries.reading.forms.asked_kind import (
    counted,
    counts,
    of_another_kind,
    of_another_time,
    of_other_things,
    of_people,
    which_value,
)
from clew.tools.queries.reading.forms.bare_questions import number_meant
from clew.tools.queries.reading.forms.depth import at_any_depth, turned
from clew.tools.queries.reading.forms.dropped_values import dropped
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Value, sets
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    CountOf,
    Feature,
    Grouped,
    GroupedBy,
    Item,
    Noun,
    PropertyNoun,
    Ranking,
    Reading,
    Whole,
)
from clew.tools.queries.reading.forms.named_quantities import quantity_of
from clew.tools.queries.reading.forms.one_event import of_one_event
from clew.tools.queries.reading.forms.one_side import of_one_side, one_sided
from clew.tools.queries.reading.forms.plausible import implausible
from clew.tools.queries.reading.forms.quantities import (
    averaged,
    costs_the_asker,
    for_each,
    is_average,
    lists_each,
    says_total,
    summed,
    timed,
)
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.outside_words import TOTALS, is_measured, outside_words
from clew.tools.queries.reading.rules.bare_properties import bare_property
from clew.tools.queries.reading.rules.current_links import longest, longest_first, of_the_time
from clew.tools.queries.reading.rules.edge_values import manner
from clew.tools.queries.reading.rules.every_kind import of_every_kind
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.group_rules import grouped_form, groups_lost
from clew.tools.queries.reading.rules.hoisted_counts import counted_by_all, counted_once, ordered_by_said
from clew.tools.queries.reading.rules.limit_rules import first_ones
from clew.tools.queries.reading.rules.roles import without_ways_back
from clew.tools.queries.reading.rules.several_rules import incomplete
from clew.tools.queries.reading.rules.statement_rules import stated
from clew.tools.queries.reading.rules.truths import counted_truth, told_so, whether
from clew.tools.queries.reading.rules.union_rules import of_both, of_either
from clew.tools.queries.reading.schema.asked_labels import asked_things, subject_kinds
from clew.tools.queries.reading.schema.births import is_birth

MOST = 16
"""Readings that are kept."""
_OF_ONE_EVENT = -0.7
"""What it saves that something is said of the event between two."""
_FIRST_WORDS = 4
"""Words among which "total" stands where it asks for one: "what is the total …"."""
_OTHERS = frozenset(
    "other others else another same share shares shared sharing also together alongside besides too".split()  # noqa: SIM905
)
"""Words that leave out what the question names: "who else", "the same director as Heat"."""


def best_readings(readings: Iterable[Reading]) -> list[Reading]:
    best: dict[object, Reading] = {}
    for reading in readings:
        known = best.get(reading.form)
        if known is None or reading.cost < known.cost:
            best[reading.form] = reading
    return sorted(best.values(), key=lambda reading: reading.cost)[:MOST]


def whole_reading(
    item: AnyItem,
    said: Sequence[Token],
    grammar: Grammar,
    further: Sequence[Feature] = (),
    words: Set[int] | None = None,
    begins: Sequence[Item[Noun]] = (),
) -> Reading | None:
    """An item as the reading of the whole question, with further features; `words` are those that it explains, where
    they do not stand together, and `begins` the nouns that a yes-or-no question begins with."""
    features = [*item.features, *further]
    truth = not grammar.listed and grammar.asks_truth
    found = _form(item, said, features, grammar, begins, truth=truth)
    if found is None:
        return None
    once = counted_once(found.nodes)
    features += [("linked value", -1.0)] if once != found.nodes else []
    plain = without_ways_back(once)
    event = of_one_event(plain)
    features += [("linked value", _OF_ONE_EVENT)] if event is not plain else []
    form = replace(found, nodes=of_either(of_both(counted_by_all(event, grammar), grammar), grammar))
    form = of_every_kind(form, said, grammar)
    won = any(token.text in WINNING for token in said)
    form = replace(form, nodes=never_placed(ordered_by_said(form.nodes), won, grammar.words))
    form = replace(form, nodes=of_the_time(form.nodes, said, grammar.words))
    if form.asks == "truth" and (which := which_value(form.nodes, said)) is not None:
        form, truth = which, False
    counting = counts(said)
    form = counted(form) if counting else form
    if _is_one_amount(said, form) and not is_average(form):
        form = summed(form)
    else:
        form = timed(averaged(form, said), said, grammar.words.choice)
    if not grammar.listed:
        form = number_meant(form, said, grammar.words.choice, has_mark=grammar.has_mark)
    if form.asks == "value" and form.value is not None and form.value.function and not form.nodes.entities:
        form = replace(form, asks="groups") if for_each(said) else form
    if (told := quantity_of(form, said, grammar.words.choices, grammar.words.names_of)) is not None:
        form = told
        features += [(name, -much) for name, much in features if name in ("guess", "head") and much >= 1]
    elif form.asks == "number" and form.value is None and _is_named(form.nodes, grammar):
        features.append(("named head", 1.0))  # One named thing is not counted.
    form, lasting = longest(longest_first(form, said, grammar.words), said, grammar.words)
    if lasting:
        words = lasting | (frozenset(range(item.first, item.last)) if words is None else words)
    depth = words_of_depth(said)
    if grammar.deep and (deep := at_any_depth(form)) is not None:
        form, words = deep, depth | (frozenset(range(item.first, item.last)) if words is None else words)
        features.append(("subject", float(turned(form, grammar.deep))))
    elif grammar.deep:
        features.append(("asks", 1.0))  # "Ancestors" are more than parents.
    features += [*incomplete(form, said), *of_another_kind(form, said, truth=truth, counting=counting)]
    kinds = asked_things(said, grammar.words), subject_kinds(said, grammar.words)
    features += of_other_things(form, said, *kinds, grammar.words.unsaid_rows(said))
    features += of_people(form, said, grammar.words.persons)
    features += of_another_time(form, features, grammar.words.nameless, grammar.words.has_dates)
    features += dropped(form, grammar.said_values)
    features += [("asks", 2.0)] if _is_no_age(form, said, grammar) else []
    features += implausible(form, grammar.words.choice, grammar.owned, grammar.words.schema)
    return _reading(item, said, form, features, grammar, words)


def _is_named(nodes: Nodes, grammar: Grammar) -> bool:
    """Whether a set is one thing, by its name."""
    naming = grammar.words.names_of(nodes.label)
    return len(nodes.entities) == 1 or any(
        each.predicate is not None and each.predicate.property in naming and each.predicate.comparison == "="
        for each in nodes.conditions
        if not each.negated
    )


def _is_no_age(form: Form, said: Sequence[Token], grammar: Grammar) -> bool:
    """Whether "how old is Ann" is answered by a day on which she was not born, or by what others have."""
    value = form.value
    if [token.text for token in said[:3]] != ["how", "old", "is"] or form.asks != "value" or value is None:
        return False
    of_others = not form.nodes.entities and any(nodes.entities for nodes in sets(form.nodes))
    other_day = form.nodes.label in grammar.words.persons and not is_birth(str(value.property))
    return value.kind == "date" and (of_others or other_day)


def statement_readings(item: AnyItem, said: Sequence[Token], text: str, grammar: Grammar) -> Iterator[Reading]:
    """An item as readings of the whole statement; a name alone states nothing."""
    for spanning, form in stated(item, said, text, grammar):
        features = [*item.features, *dropped(form, grammar.said_values)]
        features += implausible(form, grammar.words.choice, grammar.owned, grammar.words.schema)
        reading = _reading(spanning, said, form, features, grammar)
        if not (form.nodes.entities and replace(form.nodes, entities=()).bare and reading.unexplained):
            yield reading


def _reading(
    item: AnyItem,
    said: Sequence[Token],
    form: Form,
    features: list[Feature],
    grammar: Grammar,
    words: Set[int] | None = None,
) -> Reading:
    """What stands outside of the item stays unexplained."""
    form = of_one_side(form) if grammar.words.sided else form
    features += one_sided(form, said, grammar.words.sides_told) if grammar.words.sides_told else []
    words = frozenset(range(item.first, item.last)) if words is None else words
    lost = [said[i].text for i in sorted(words) if said[i].text in grammar.unknown]
    outside = outside_words(said, form, grammar, words, said[item.first].text)
    features += [feature for feature, _ in outside]
    lost += [word for _, word in outside if word]
    if form.nodes.bare and form.value is None and lost:
        features.append(("asks", 2.0))  # "Which students failed?" does not ask for all students.
    ordered = form.nodes.order is not None
    if _asks_beyond(said, words) and form.asks == "nodes" and not ordered and any(e.open for e in form.nodes.links):
        features.append(("asks", 1.0))  # "What is X's wife working on?" does not ask for the wife.
    if said[0].text == "whose" and 0 not in words and form.asks == "nodes":
        features.append(("asks", 2.0))  # "Whose plays did she direct?" asks for who wrote them.
    if form.asks == "nodes" and form.nodes.label in grammar.words.persons and asks_what_is_done(said):
        features.append(("asks", 1.0))
    if lost_groups := groups_lost(said, form, grammar):
        features.append(("asks", lost_groups))
    return Reading(form, cost(features), tuple(features), tuple(lost))


def _asks_beyond(said: Sequence[Token], words: Set[int]) -> bool:
    """Whether a question word that nothing explains asks for what a verb leads to: "what is X working on"."""
    asking, following = said[0].text, said[1].text if len(said) > 1 else ""
    return 0 not in words and (asking == "how" or (asking in ("what", "where") and following in COPULAS))


def _is_one_amount(said: Sequence[Token], form: Form) -> bool:
    """Whether one number is asked for, not one for each of several things."""
    measured = any(is_measured(said, i, form) and said[i].text in ("much", "many") for i in range(min(2, len(said))))
    total = any(token.text in TOTALS for token in said[:_FIRST_WORDS])
    return (measured or total or says_total(said) or costs_the_asker(said)) and not lists_each(form, said)


def _is_echo(noun: Noun, grammar: Grammar) -> bool:
    """Whether nodes are asked for by the names that the question gives, as values of a property."""
    return any(map(_names_in(noun, grammar), noun.nodes.conditions))


def _names_in(noun: Noun, grammar: Grammar) -> Callable[[Condition], bool]:
    """Tells which conditions are the names that the question gives."""
    names = {entity.name.lower() for entity in grammar.owned if entity.label == noun.nodes.label}
    return lambda each: each.predicate is not None and str(each.predicate.value).lower() in names


def _form(
    item: AnyItem,
    said: Sequence[Token],
    features: list[Feature],
    grammar: Grammar,
    begins: Sequence[Item[Noun]],
    *,
    truth: bool,
) -> Form | None:
    meaning = item.meaning
    if isinstance(meaning, Whole):
        if meaning.form.asks == "truth" and not truth and not grammar.statement:
            features.append(("asks", 1.5))  # "By how many hectares is X larger than Y?"
        return told_so(meaning.form, said, grammar) if truth else meaning.form
    if isinstance(meaning, CountOf) and truth:
        return counted_truth(meaning)
    if isinstance(meaning, Grouped) and not truth:
        features.append(("guess", 0.5))  # "Films per director" asks for their numbers.
        return Form("groups", meaning.by, Value(None, "count", Link(meaning.path, meaning.counted)))
    if isinstance(meaning, GroupedBy) and not truth and meaning.counted.order is None:
        features.append(("guess", 1.0))  # "Bookings by status" asks for their numbers.
        return grouped_form(meaning, None, "count")
    if (
        isinstance(meaning, PropertyNoun | Ranking)
        and not truth
        and (bare := bare_property(meaning, grammar)) is not None
    ):
        features += [("property", bare[1]), ("guess", 0.5)]
        return bare[0]
    if not isinstance(meaning, Noun) or meaning.wild or meaning.nodes.label == "*":
        return None
    inside = said[item.first : item.last]
    several = meaning.members or (meaning.asked and len(meaning.nodes.entities) > 1)
    either = meaning.nodes.order is not None and several and any(token.text == "or" for token in inside)
    if truth and not either:  # "Is it quicker from X or from Y?" asks which.
        if any(token.text == "or" for token in said[item.first + 1 :]) and which_value(meaning.nodes, said) is None:
            features.append(("asks", 2.0))  # "Is X's mother a man or a woman?" asks which of the two.
        if meaning.named and replace(meaning.nodes, entities=()).bare:
            features.append(("asks", 2.0))  # "Is X married?" does not ask whether there is an X.
        form, lost = whether(meaning, said, begins, _names_in(meaning, grammar))
        features += lost
        return form
    if (told := manner(meaning, said, grammar)) is not None:
        features += [(name, -much) for name, much in features if name == "head"]
        return told
    if (meaning.named or _is_echo(meaning, grammar)) and not meaning.nodes.links and not meaning.nodes.order:
        features.append(("asks", 1.0))
    elif (meaning.named or _is_echo(meaning, grammar)) and meaning.nodes.order is None:
        features.append(("named head", 1.0))
    form = first_ones(meaning, said, grammar)
    named = tuple(entity for entity in form.entities if entity.label == meaning.nodes.label)
    if named and not (meaning.named or form.nodes.without) and any(token.text in _OTHERS for token in said):
        return replace(form, nodes=replace(form.nodes, without=(*form.nodes.without, Nodes(named[0].label, named))))
    return form
