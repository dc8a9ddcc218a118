"""Superlatives: of a property, of a number of things, of a set that stands before or behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.words import light, listed, meaning_of, of_any_amount
from clew.tools.queries.reading.forms.form import Link, Nodes, Step, Value
from clew.tools.queries.reading.forms.functions import LENGTH, WORKED_OUT
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Feature,
    Item,
    Noun,
    Operator,
    PropertyChoice,
    PropertyNoun,
    Ranking,
    Superlative,
    Whole,
    is_worked_out,
)
from clew.tools.queries.reading.forms.quantities import is_added_up
from clew.tools.queries.reading.rules.agreement import agreement, attached
from clew.tools.queries.reading.rules.comparison_rules import either
from clew.tools.queries.reading.rules.edge_orders import by_edge
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.rules.most_often import (
    extreme,
    limited,
    most_done,
    most_done_behind,
    often_done,
    order_by,
)
from clew.tools.queries.reading.rules.roles import ways, without_way_back
from clew.tools.queries.reading.schema.property_choices import end_of

_BEING = frozenset({"around", "going", "business", "existence", "together", "on", "in", "there", "active", "running"})
"""What stands between "has been" and "the longest"."""
_LEAST_OF_PARTICIPLE = 0.4
_SIZES, _LENGTHS = frozenset({"biggest", "largest", "greatest", "smallest"}), frozenset({"longest", "shortest"})


def value_of(choice: PropertyChoice) -> Value:
    return Value(choice.name, kind=choice.kind)


def superlative_noun(left: Item[Superlative], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "largest city", "the most rivers"."""
    superlative, noun = left.meaning, right.meaning
    if superlative.counts and not between.negated and not between.empty and not grammar.skips_thing(between):
        yield from most_done(left, between, right, superlative, noun, grammar)
        yield from _participle_noun(left, between, right, grammar)
    if not between.plain or between.negated or between.copula or between.says("number", "count"):
        return
    if superlative.counts and between.says(*listed("ordering", "frequency")):
        return  # "The most common genre" is not the most genres.
    if superlative.counts and not noun.members:
        for nodes in grammar.meant(noun) if noun.nodes.order is None else ():
            yield grammar.item(left, right, Ranking(superlative, counted=nodes))
        return
    superlative = limited(superlative, noun)
    if noun.nodes.order is not None or noun.wild or (noun.named and not _either(noun)):
        return
    own = [c for c in superlative.choices if c.label == noun.nodes.label and not c.of_relation]
    for choice in superlative.choices:
        if choice in own:
            ordered = replace(noun.nodes, order=order_by(superlative, value_of(choice), choice.descending))
            meaning = replace(noun, nodes=ordered, superlative=superlative)
            yield grammar.item(left, right, meaning, ("order", _nearness(own, choice)))
    pair, ranking = Pair(left, between, right, grammar), Ranking(superlative, superlative.choices)
    yield from _by_linked(pair, noun, ranking, superlative, ())
    if not (noun.named or own):
        yield from by_edge(pair, noun, ranking, superlative)
    if not superlative.choices and of_any_amount(grammar.tokens[left.last - 1].text):
        for choice in grammar.words.comparable(noun.nodes.label):
            ordered = replace(noun.nodes, order=order_by(superlative, value_of(choice)))
            yield grammar.item(left, right, replace(noun, nodes=ordered, superlative=superlative), ("order", 1.5))


def _participle_noun(left: Item[Superlative], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the fewest registered patients": those of a relation that a participle before the noun says."""
    noun, said = right.meaning, between.heavy
    if len(said) != 1 or not said[0].endswith("ed") or between.words != said or noun.members or noun.nodes.order:
        return
    best = max((grammar.joins.agreement(said, step) for step in grammar.joins.from_label(noun.nodes.label)), default=0)
    for nodes in grammar.meant(noun) if best > _LEAST_OF_PARTICIPLE else ():
        yield grammar.item(left, right, Ranking(left.meaning, counted=nodes), ("agreement", 1 - best))


def _either(noun: Noun) -> bool:
    """Whether it is a choice: "the mississippi or the missouri"."""
    return bool(noun.members) and not noun.every


def noun_superlative(left: Item[Noun], between: Gap, right: Item[Superlative], grammar: Grammar) -> Iterator[AnyItem]:
    """ "which state is the smallest", "the rivers of texas … the longest"."""
    noun, superlative = left.meaning, right.meaning
    if noun.nodes.order is not None or noun.wild or between.negated:
        return
    behind = [token.text for token in grammar.tokens[: left.first] if token.text not in ("the", "our", "all")]
    if superlative.counts and behind[-1:] in (["do"], ["does"], ["did"]) and not noun.asked:
        return  # "Which statute do the rulings cite most often?" asks for statutes.
    if between.heavy and superlative.counts:
        yield from often_done(Pair(left, between, right, grammar), superlative, noun)
    if between.heavy and not (superlative.lasting and set(between.heavy) <= _BEING):
        return
    if superlative.counts:
        yield from most_done_behind(left, right, superlative, noun, grammar)
        return
    if superlative.lasting:
        ranking = Ranking(superlative, superlative.choices)
        yield from by_edge(Pair(left, between, right, grammar), noun, ranking, superlative)
    elif (noun.named and not noun.members) or not (
        between.copula or noun.members or (noun.asked and between.light_words == len(between.texts) > 0)
    ):
        return
    own = [c for c in superlative.choices if c.label == noun.nodes.label and not c.of_relation]
    for choice in own:
        ordered = replace(noun.nodes, order=order_by(superlative, value_of(choice), choice.descending))
        meaning = replace(noun, nodes=ordered, superlative=superlative)
        features: list[Feature] = [("order", _nearness(own, choice)), *([] if noun.asked else [("head", 0.5)])]
        yield grammar.item(left, right, meaning, *features)


def _nearness(own: list[PropertyChoice], choice: PropertyChoice) -> float:
    """What a property costs beside those of its own label: an adjective means the likeliest that the label has."""
    return min(choice.cost, 0.1) + 0.5 * (choice.cost - own[0].cost)


def _by_linked(
    pair: Pair, noun: Noun, ranking: Ranking, superlative: Superlative, features: tuple[Feature, ...]
) -> Iterator[AnyItem]:
    """Order by a property of what a set is linked to: "the state with the highest elevation"."""
    label, grammar = noun.nodes.label, pair.grammar
    if ranking.function is None and any(choice.label == label for choice in ranking.choices):
        return
    labels = grammar.words.schema.labels.keys() - {label}
    for choice in (each for each in ranking.choices[:6] if each.label in labels):
        way = choice.descending if superlative.choices else superlative.descending
        rows = choice.label in grammar.words.nameless  # "The most points" are those of all results.
        total = superlative.counts and choice.kind == "number" and is_added_up(choice.name, rows=rows)
        function = ranking.function or ("sum" if total else "max" if way else "min")
        for path in (each for each in ways(noun, choice.label, grammar) if len(each) == 1):
            by = Value(choice.name, function, Link(path, Nodes(choice.label)), kind=choice.kind)
            meaning = replace(noun, nodes=replace(noun.nodes, order=order_by(superlative, by, way)))
            far = ("linked value", 0.4 if total else 1.0)
            yield pair.item(meaning, far, ("order", choice.cost), _named_alike(superlative, path[0]), *features)


def _named_alike(superlative: Superlative, step: Step) -> Feature:
    """Of several relations to where the property is, the one whose name has the superlative's own sense is meant."""
    words = set(identifier_words(step.relation))
    high, low = {"highest", "largest", "max", "top"} & words, {"lowest", "smallest", "min", "bottom"} & words
    if (high and superlative.descending) or (low and not superlative.descending):
        return ("linked value", -0.3)
    return ("linked value", 1.0) if high or low else ("linked value", 0.2)


def superlative_property(
    left: Item[Superlative], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "largest population", "highest average price", "longest names"; nothing has more of a date."""
    superlative, owned, word = left.meaning, right.meaning, grammar.tokens[left.last - 1].text
    choices = _ordered(owned.choices, superlative, word)
    if word in _LENGTHS and between.empty and owned.function is None:
        choices = (*(replace(each, kind=LENGTH) for each in owned.choices if each.kind == "text"), *choices)
    if any(meaning_of("functions", text) in WORKED_OUT for text in between.texts):
        return  # "The greatest total distance" is no greatest distance.
    if len(between.texts) < 2 and not between.negated and choices:  # "highest annual cover"
        lost, end = grammar.unexplained(between) if between.heavy else (), end_of(superlative.choices, choices[0])
        superlative = superlative if end is None else replace(superlative, descending=end)
        yield grammar.item(left, right, Ranking(superlative, choices, function=owned.function), *lost)


def property_superlative(
    left: Item[PropertyNoun], between: Gap, right: Item[Superlative], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "joined first", "earns more"; who "opened the most" tickets has no latest date."""
    owned, superlative = left.meaning, right.meaning
    choices = _ordered(owned.choices, superlative)
    if grammar.tokens[right.last - 1].text in ("longest", "longer"):  # "has been open the longest"
        superlative = replace(superlative, descending=not any(choice.kind == "date" for choice in choices))
    if grammar.tokens[right.last - 1].text in _LENGTHS and between.copula and owned.choices[0].kind == "text":
        choices = tuple(replace(each, kind=LENGTH) for each in owned.choices if each.kind == "text")
    whose = left.first > 0 and grammar.tokens[left.first - 1].text == "whose" and between.copula
    said = {"the", "is", "are", "was", "were"} if whose or (choices and choices[0].kind == LENGTH) else {"the"}
    if set(between.texts) <= said and owned.function is None and not owned.quantity and choices:
        yield grammar.item(left, right, Ranking(superlative, choices))


def _ordered(choices: Sequence[PropertyChoice], superlative: Superlative, text: str = "") -> tuple[PropertyChoice, ...]:
    """The properties of which one can be the greatest; no key is an amount, and nothing has the most of a date."""
    kinds = ("number", "written number", *(() if superlative.counts or text in _SIZES else ("date",)))
    return tuple(choice for choice in choices if choice.kind in kinds)


def superlative_operator(
    left: Item[Superlative], between: Gap, right: Item[Operator], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "the largest number of"."""
    superlative, operator = left.meaning, right.meaning
    if operator.function == "count" and between.empty and not superlative.counts:
        yield grammar.item(left, right, replace(superlative, counts=True, choices=()))


def noun_ranking(left: Item[Noun], between: Gap, right: Item[Ranking], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the state with the largest population", "the river that flows through the most states"."""
    noun, ranking = left.meaning, right.meaning
    if noun.wild == "who" and noun.nodes.order is None:
        owners = {choice.label for choice in ranking.choices}
        types = {choice.label for choice in ranking.choices if choice.of_relation}
        owners |= {end for r in grammar.words.schema.relations if r.type in types for end in (r.source, r.target)}
        if ranking.function == "sum":
            owners |= {step.target for owner in owners for step in grammar.joins.from_label(owner)}
        if ranking.counted is not None:
            owners = {step.target for step in grammar.joins.from_label(ranking.counted.label)}
        for label in sorted(owners & grammar.words.persons):
            person = replace(left, meaning=replace(noun, nodes=Nodes(label), wild=""))
            yield from noun_ranking(person, between, right, grammar)
    if noun.wild == "where" and ranking.counted is not None and noun.nodes.order is None and not between.negated:
        for step in grammar.joins.from_label(ranking.counted.label):  # "Where do most of our clients live?"
            if grammar.joins.is_placing(step):
                place = replace(noun, nodes=Nodes(step.target), wild="")
                yield from _most(left, between, right, ranking, place, grammar)
    if noun.wild or noun.nodes.order is not None or between.negated or (noun.named and not noun.members):
        return
    if ranking.counted is not None and ranking.of is None:
        yield from _most(left, between, right, ranking, noun, grammar)
    if ranking.counted is not None or ranking.of is not None:
        return
    extra = (*grammar.unexplained(between), *attached(noun, between))
    superlative = limited(ranking.superlative, noun)
    for choice in ranking.choices:
        if choice.label == noun.nodes.label and not choice.of_relation and ranking.function is None:
            ordered = replace(noun.nodes, order=order_by(superlative, value_of(choice)))
            yield grammar.item(left, right, replace(noun, nodes=ordered), ("order", choice.cost), *extra)
    pair = Pair(left, between, right, grammar)
    superlative = replace(superlative, choices=())  # The property is said: only the end of its values counts.
    yield from _by_linked(pair, noun, ranking, superlative, extra)
    yield from by_edge(pair, noun, ranking, superlative)


def _most(
    left: AnyItem, between: Gap, right: AnyItem, ranking: Ranking, noun: Noun, grammar: Grammar
) -> Iterator[AnyItem]:
    counted = ranking.counted
    assert counted is not None
    for path in ways(noun, counted.label, grammar):
        if between.heavy and path != noun.role and grammar.joins.voices.opposes(path[0], noun.nodes.label, between):
            continue  # Who "influenced the most authors" was not influenced by them.
        rest = without_way_back(counted, path, noun.nodes.label)
        by = Value(None, "count", Link(path, rest))
        ordered = replace(noun.nodes, order=order_by(limited(ranking.superlative, noun), by))
        for last, said in [(right.last, between.words), *grammar.verbs_behind(between, left, right)]:
            if rest != counted and not set(said) - light():
                features: list[Feature] = []
            elif path == noun.role and not said:
                features = [("bare join", 1.0)]
            else:
                features = agreement(path, noun.nodes.label, said, between, grammar)
            features = [*features, *attached(noun, between)]
            yield grammar.item(left, replace(right, last=last), replace(noun, nodes=ordered), *features)


def ranking_noun(left: Item[Ranking], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the lowest elevation in pennsylvania": the extreme value among nodes, or what they are linked to."""
    ranking, noun = left.meaning, right.meaning
    if noun.wild or between.negated or (between.heavy and not (_either(noun) and ranking.counted is not None)):
        return
    if _either(noun):
        yield from either(left, between, right, grammar)
        if between.heavy:
            return
    if between.empty and ranking.function is None and ranking.counted is None and not noun.named:
        for choice in ranking.choices:  # "the highest budget film"
            if choice.label == noun.nodes.label and noun.nodes.order is None and not choice.of_relation:
                nodes = replace(noun.nodes, order=order_by(limited(ranking.superlative, noun), value_of(choice)))
                yield grammar.item(left, right, replace(noun, nodes=nodes), ("order", choice.cost), ("guess", 0.3))
    if between.empty or ranking.counted is not None:
        return
    for choice in ranking.choices:
        if choice.of_relation or choice.label not in grammar.words.schema.labels:
            continue
        if choice.label == noun.nodes.label:
            if not noun.named and not is_worked_out(ranking):
                form = extreme(noun.nodes, value_of(choice), ranking.superlative)
                yield grammar.item(left, right, Whole(form), ("order", choice.cost))
            continue
        for path in grammar.joins.paths(choice.label, noun.nodes.label):
            own = agreement(path, choice.label, (), between, grammar)
            nodes = Nodes(choice.label, links=(Link(path, noun.nodes),))
            alike = _named_alike(ranking.superlative, path[0])
            whole = Whole(extreme(nodes, value_of(choice), ranking.superlative))
            yield grammar.item(left, right, whole, ("linked value", 0.5), ("order", choice.cost), alike, *own)
