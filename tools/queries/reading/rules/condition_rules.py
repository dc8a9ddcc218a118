"""Conditions on properties and on numbers of things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.calculated import Calculated, Operand
from clew.tools.queries.lexical import stem
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.anchors.ages import by_age
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.words import listed, meaning_of, stating_verbs
from clew.tools.queries.reading.forms.form import Condition, Link, Nodes, Step
from clew.tools.queries.reading.forms.functions import AVERAGES
from clew.tools.queries.reading.forms.group_forms import order_narrowed
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    CountOf,
    Feature,
    Item,
    Noun,
    PropertyChoice,
    PropertyNoun,
)
from clew.tools.queries.reading.rules.agreement import agreement, attached, comparing
from clew.tools.queries.reading.rules.comparison_rules import compared
from clew.tools.queries.reading.rules.dated_facts import LESS_THAN_FACTS, comparable_of, of_facts
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.rules.property_tests import conditions, is_date, is_vague, scaled
from clew.tools.queries.reading.rules.total_conditions import noun_worked_out
from clew.tools.queries.space.query import Comparison

_AGE = 0.3
"""What it costs that a number beside people is their age, though nothing says so."""
_ARTICLES = frozenset({"a", "an", "any", "some"})
_DOERS = ("er", "ers", "or", "ors")
"""Endings of those who do what a verb says: a "shipper" is no `shippedDate`."""
_OF_PRESENT, _OF_ABSENT = 0.7, 1.0
"""What a property of which only the presence is said, or the absence, may cost."""
_NAMES = frozenset({"name", "surname", "firstname", "lastname", "nickname", "alias"})


# ---- numbers of things ----------------------------------------------------------------------------------------------


def condition_noun(left: Item[ConditionNoun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "more than three rivers"; "open issues"."""
    given, noun = left.meaning, right.meaning
    if not between.plain or between.negated:
        return
    if not given.choices:
        value = given.values[0] if len(given.values) == 1 else None
        if isinstance(value, int) and not isinstance(value, bool) and not noun.named and given.upper is None:
            for nodes in grammar.meant(noun):
                yield grammar.item(left, right, CountOf(given.comparison, value, nodes))
        return
    done = given.test == "IS NOT NULL" and set(between.texts) <= _ARTICLES  # "Who opened a ticket?", by its date
    if noun.wild or not (between.empty or done):
        return
    if noun.named:
        given = replace(given, choices=tuple(c for c in given.choices if c.of_relation))
    if given.choices:
        yield from conditioned(Pair(left, between, right, grammar), noun, given, False, [])


def noun_count(left: Item[Noun], between: Gap, right: Item[CountOf], grammar: Grammar) -> Iterator[AnyItem]:
    """ "states with more than three rivers", "who has proposed at least two motions"."""
    noun, count = left.meaning, right.meaning
    if noun.wild:
        for label in sorted(grammar.words.persons) if noun.wild == "who" else ():
            person = replace(left, meaning=replace(noun, nodes=Nodes(label), wild=""))
            yield from noun_count(person, between, right, grammar)
        return
    for path in grammar.joins.paths(noun.nodes.label, count.nodes.label):
        ends = [(right.last, between.words), *grammar.verbs_behind(between, left, right)]
        for last, said in ends:
            features = [*agreement(path, noun.nodes.label, said, between, grammar), *attached(noun, between)]
            link = Link(path, count.nodes, count=(count.comparison, count.number), negated=False)
            if between.negated:
                features.append(("lost negation", 1.0))
            if count.number > grammar.words.schema.labels.get(count.nodes.label, count.number):
                features.append(("wrong kind", 2.0))  # There are not so many of them at all.
            nodes = noun.nodes.linked(link)
            yield grammar.item(left, replace(right, last=last), replace(noun, nodes=nodes), *features)


# ---- conditions on sets ---------------------------------------------------------------------------------------------


def noun_condition(left: Item[Noun], between: Gap, right: Item[ConditionNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "cities with a population over 5000", "products that are discontinued", "customers in Berlin"."""
    noun, given = left.meaning, right.meaning
    if between.possessive:
        return
    if noun.wild:
        often = [token.text for token in grammar.tokens[right.last : right.last + 1]] == ["times"]
        who = grammar.words.persons if often else _persons_with(given, grammar)
        for label in sorted(who) if noun.wild == "who" else ():
            person = replace(left, meaning=replace(noun, nodes=Nodes(label), wild=""))
            yield from noun_condition(person, between, right, grammar)
        return
    if not given.choices and not given.test:
        yield from _times(Pair(left, between, right, grammar), noun, given)
    if given.test and not given.choices:
        given = replace(given, choices=tuple(grammar.words.naming_of(noun.nodes.label)))
    features = attached(noun, between)
    yield from conditioned(Pair(left, between, right, grammar), noun, given, between.negated, features)


def _persons_with(given: ConditionNoun, grammar: Grammar) -> set[str]:
    """The kinds of people who have a property, or a relationship with it: "who spent more than 30 hours …"."""
    owners = {choice.label for choice in given.choices}
    if given.counted is not None and given.than is not None and given.than.label not in grammar.words.persons:
        return {p for p in grammar.words.persons if grammar.joins.paths(p, given.counted.label)}
    if given.than is not None:
        return {given.than.label} & grammar.words.persons
    ends = {end for r in grammar.words.schema.relations if r.type in owners for end in (r.source, r.target)}
    return (owners | ends) & grammar.words.persons


def _times(pair: Pair, noun: Noun, given: ConditionNoun) -> Iterator[AnyItem]:
    """ "ships that sailed at least 8 times": the number of relationships that a verb names."""
    grammar, last = pair.grammar, pair.right.last
    value = given.values[0] if given.values else None
    if not isinstance(value, int) or last >= len(grammar.tokens) or grammar.tokens[last].text not in ("times", "time"):
        return
    link = noun.nodes.links[-1] if noun.nodes.links and pair.between.empty else None
    if link is not None and link.positive and link.count is None and not noun.named:
        counted = _done_so_often(link, (given.comparison, value))
        yield pair.item(
            replace(noun, nodes=replace(noun.nodes, links=(*noun.nodes.links[:-1], counted))), last=last + 1
        )
    if any(grammar.names[pair.between.first : pair.between.last]):
        return
    for step in grammar.joins.from_label(noun.nodes.label) if pair.between.heavy else ():
        said = pair.between.words
        best = max(grammar.joins.agreement(said, step), grammar.words.likeness(said, step.target))
        if best > 0.4:
            link = Link((step,), Nodes(step.target), count=(given.comparison, value))
            yield pair.item(replace(noun, nodes=noun.nodes.linked(link)), ("agreement", 1 - best), last=last + 1)


def _done_so_often(link: Link, count: tuple[Comparison, int]) -> Link:
    """ "Sold Plum Jam more than once": by that many sales of it."""
    first, *rest = link.path
    if not rest:
        return replace(link, count=count)
    onward = Link(tuple(rest), link.other, conditions=link.conditions)
    return Link((first,), Nodes(first.target, links=(onward,)), count=count)


def noun_presence(left: Item[Noun], between: Gap, right: Item[PropertyNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "suppliers without a home page", "customers who have a fax number"."""
    noun, owned = left.meaning, right.meaning
    if noun.wild or noun.named or owned.function or owned.quantity or owned.also or between.heavy:
        return
    if not (between.negated or between.says("have", "has", "with", "had", "having")):
        return
    dearest = _OF_ABSENT if between.negated else _OF_PRESENT
    for choice in owned.choices:
        if choice.label == noun.nodes.label and not choice.of_relation and choice.cost <= dearest:
            condition = Condition(property=choice.name, test="IS NULL" if between.negated else "IS NOT NULL")
            if choice.kind == "boolean":
                condition = Condition(Predicate(choice.name, "=", not between.negated, "boolean"), property=choice.name)
            if choice.kind == "number" and between.negated:  # No discount is a missing one, or one of 0.
                own = (
                    choice.name
                    if isinstance(choice.name, Calculated)
                    else Calculated(Operand(choice.name, absent=True))
                )
                condition = Condition(Predicate(own, "=", 0, "number"), property=choice.name)
            nodes = noun.nodes.where(condition)
            yield grammar.item(left, right, replace(noun, nodes=nodes), ("guess", 0.3), ("property", choice.cost))


def conditioned(
    pair: Pair, noun: Noun, given: ConditionNoun, negated: bool, features: list[Feature]
) -> Iterator[AnyItem]:
    """The set with the condition on a property of its own, or of what it is linked to."""
    grammar, label = pair.grammar, noun.nodes.label
    choices = given.choices
    if given.others:
        return  # See `noun_compared`.
    if given.counted is not None and given.average and given.than is None:
        given = replace(given, than=noun.nodes if noun.role is not None else Nodes(label))
    if given.function is not None:
        yield from noun_worked_out(pair, noun, given, features)
        return
    if pair.between.says("called", "named", "surnamed"):
        choices = tuple(c for c in choices if set(identifier_words(c.name)) & _NAMES) or choices
    if given.counted is not None:
        choices = ()
    elif not choices and given.than is None:
        choices = comparable_of(noun, grammar, dates=is_date(given))
    for choice, turned in by_age(label, given, grammar.words) if not given.choices else ():
        for found in conditions(choice, turned, negated, grammar):
            nodes = noun.nodes.where(*found)
            yield pair.item(replace(noun, nodes=nodes), ("property", _AGE), *_said(pair.between, choice), *features)
    facts = list(of_facts(pair, noun, given, features)) if is_date(given) and not (given.choices or negated) else []
    yield from facts
    features = [*features, LESS_THAN_FACTS] if facts else features
    own = [c for c in choices if c.label == label and not c.of_relation]
    rivals = [("guess", 0.5)] if len(own) > 1 and own[1].cost - own[0].cost < 0.2 and not given.choices else []
    for choice in own:
        vague = [("guess", 0.5)] * is_vague(choice, given, grammar)
        for found in conditions(choice, given, negated, grammar):
            meaning = replace(noun, nodes=noun.nodes.where(*found))
            said = _said(pair.between, choice, stating=grammar.statement)
            yield pair.item(meaning, ("property", choice.cost), *said, *rivals, *vague, *features)
    if given.than is not None:
        for condition, own_features in compared(noun, given, pair.between, grammar):
            nodes = replace(noun.nodes, conditions=(*noun.nodes.conditions, condition))
            yield pair.item(replace(noun, nodes=nodes), *own_features, *features)
        return
    yield from _on_relationship(pair, noun, given, choices, features)
    if not own:
        yield from _on_linked(pair, noun, given, choices[:4], features)


def _on_linked(
    pair: Pair, noun: Noun, given: ConditionNoun, choices: tuple[PropertyChoice, ...], features: list[Feature]
) -> Iterator[AnyItem]:
    """A condition on a property of the nodes that a set is linked to: "orders from Germany", of the customer."""
    grammar, said = pair.grammar, pair.between.words
    for choice in choices:
        if choice.of_relation or choice.label not in grammar.words.schema.labels:
            continue
        for path in grammar.joins.paths(noun.nodes.label, choice.label):
            for found in conditions(choice, given, False, grammar):
                link = Link(path, Nodes(choice.label, conditions=found), negated=pair.between.negated)
                own = [("linked value", 1.0), ("extra hop", float(len(path) - 1)), ("property", choice.cost)]
                if pair.between.heavy:
                    own.append(("agreement", 1 - max(grammar.joins.agreement(said, step) for step in path)))
                narrowed = order_narrowed(noun.nodes, link).linked(link)
                yield pair.item(replace(noun, nodes=narrowed), *own, *features)


def _said(between: Gap, choice: PropertyChoice, *, stating: bool = False) -> list[Feature]:
    """What the words before a value say of its property: "shipped to France" of `shipCountry`; with `stating` also
    verbs that state a property, as in "weighs 5 kg"."""
    names = identifier_words(choice.name)
    stems = {stem(word) for word in (*names, *(verb for name in names if stating for verb in stating_verbs(name)))}
    fitting = [word for word in between.heavy if stem(word) in stems and (word in names or not word.endswith(_DOERS))]
    left = len([word for word in between.heavy if word not in fitting and word not in listed("before", "values")])
    left += sum(word.isdecimal() for word in between.heavy)
    features: list[Feature] = [("unexplained", float(left))] if left else []
    features += [("guess", 1.0) for text in between.texts if meaning_of("functions", text) in ("sum", *AVERAGES)]
    if stating and left == 1 and choice.cost == 0.0 and choice.kind == "number":
        features = [("guess", 1.0)]  # "won 3 Oscars": the property is named, whatever the verb is
    features += [("guess", -0.5)] * bool(fitting)
    return [*features, ("light", float(between.light_words))] if between.light_words else features


def _on_relationship(
    pair: Pair, noun: Noun, given: ConditionNoun, choices: tuple[PropertyChoice, ...], features: list[Feature]
) -> Iterator[AnyItem]:
    """A condition on a property of the relationships that the nodes have: "ordered with a discount over 5"."""
    grammar, said = pair.grammar, pair.between.words
    for choice in choices:
        owned = grammar.words.choice(choice.label, choice.name) if choice.of_relation else None
        if owned is None:
            continue
        values = [not v if pair.between.negated and v in (True, False) else scaled(v, choice) for v in given.values[:1]]
        tests = [(given.comparison, value) for value in values]
        tests += [("<=", scaled(given.upper, choice))] if given.upper is not None else []
        found = [typed(Predicate(choice.name, comparison, value), owned) for comparison, value in tests]
        lost = [("lost negation", 1.0)] if pair.between.negated and owned.type != "BOOLEAN" else []
        lost += [("unexplained", 1.0) for word in said if word in comparing()]  # "with the *most* votes against"
        checked = tuple(each for each in found if isinstance(each, Predicate))
        for nodes, step, known in _through(noun.nodes, choice.label, checked, grammar) if checked else ():
            missing = 1 - grammar.joins.agreement(said, step) if said and not known else 0.0
            own = [("property", choice.cost), ("linked value", 0.0 if known else 0.3), ("agreement", missing), *lost]
            yield pair.item(replace(noun, nodes=nodes), *own, *(_said(pair.between, choice) if known else features))


def _through(
    nodes: Nodes, relation: str, conditions: tuple[Predicate, ...], grammar: Grammar
) -> Iterator[tuple[Nodes, Step, bool]]:
    """A set whose relationships of a type meet conditions: those that it was linked by, else any."""
    own = [link for link in nodes.links if link.path[-1].relation == relation and not link.negated]
    if own:
        narrowed = replace(own[0], conditions=(*own[0].conditions, *conditions))
        alike = [replace(own[0], other=each.other) == each for each in nodes.links]
        links = (replace(narrowed, other=n.other) if same else n for n, same in zip(nodes.links, alike, strict=True))
        yield replace(nodes, links=tuple(links)), own[0].path[-1], True
        return
    for step in grammar.joins.from_label(nodes.label):
        if step.relation == relation:
            yield nodes.linked(Link((step,), Nodes(step.target), conditions=conditions)), step, False
