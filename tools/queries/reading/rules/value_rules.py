"""Properties of sets and numbers over them: "the population of texas", "how many rivers", "price per category"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.words import listed, nouns
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Value, turned
from clew.tools.queries.reading.forms.functions import AVERAGES, BY_FREQUENCY, Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Item,
    Noun,
    Operator,
    PropertyChoice,
    PropertyNoun,
    Whole,
)
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.rules.columns import several
from clew.tools.queries.reading.rules.edge_values import CLEARLY, done_to, of_relationships
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.several_rules import is_kind_of, whole_average
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.relation_names import relation_words

_PLACES = frozenset({"city", "town", "country", "address", "location", "place", "region", "home", "district", "state"})
_OF = ("of", "in", "for", "from", "at", "on", "aboard", "does", "do", "did", "has", "have", "'s")
_AMONG = ("among", "amongst", "across", "within", "by")
_LEAST_AGREEMENT = 0.4
_TOLD = -0.3
"""What it gives that a verb behind the question names what is asked for."""
_SUMMED = -0.1
"""What it gives that words such as "in all" are used."""
_PART_OF_NAME = 0.7
"""The cost from which on only a part of a property's name is said."""
_MASSES = frozenset({"weight", "mass", "kg", "g", "tonnes", "tons", "lbs", "tonnage"})
_MOST_LINKED = 8
_NUMBERS = ("number", "written number")


def property_noun(left: Item[PropertyNoun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "population of texas", "how long is the longest river"."""
    owned, noun = left.meaning, right.meaning
    contact = between.empty and noun.named and bool(noun.nodes.links)
    listed_so = between.empty and noun.named and bool(noun.nodes.entities) and not left.first  # "population texas"
    if between.negated or noun.wild or (between.empty and not (owned.quantity or contact or listed_so)):
        return
    if contact and not owned.quantity:  # "the dues that X paid", without "that"
        yield from of_relationships(left, right, owned, noun, grammar)
        return
    asked = grammar.tokens[left.first - 1].text in ("what", "which") if left.first else False
    if asked and between.copula and not between.heavy:
        yield from values_of(left, right, owned, noun, grammar)
    if between.heavy and noun.named and not owned.quantity:
        yield from done_to(left, between, right, grammar)
    if not (owned.quantity or listed_so or between.says(*_OF, *(_AMONG if owned.function else ()))):
        return
    if between.copula and not owned.quantity and not between.says("of", "in", "for"):
        return
    if grammar.tokens[left.first].text in ("name", "names") and left.last == left.first + 1 and not between.heavy:
        yield grammar.item(left, right, noun)
        return
    owned = measured(owned, [token.text for token in grammar.tokens[right.last : right.last + 1]])
    extra = () if owned.function == "difference" and between.says("between") else grammar.unexplained(between)
    extra = (*extra, ("guess", 0.5)) if listed_so and not owned.quantity else extra
    ends = [right.last, *(grammar.verb_ends(right.last) if owned.quantity or listed_so else ())]
    for last in ends:
        behind = grammar.gap(right.last, last)
        events = grammar.words.events(behind.heavy)
        unsaid = (*extra, *grammar.unexplained(behind))
        for item in values_of(left, replace(right, last=last), owned, noun, grammar):
            value = item.meaning.form.value if isinstance(item.meaning, Whole) else None
            verbs = behind.heavy or tuple(word for word in behind.words if word == "worth")
            told = 0.0 if value is None else _tells(value, events, verbs, grammar)
            features = (*extra, ("property", _TOLD * told)) if told else unsaid
            if not told and verbs and grammar.tokens[left.first].text == "when":
                features = (*features, ("asks", 1.0))  # Of several dates the verb says which one.
            done = owned.quantity and not between.copula
            if extra and value is not None and done and _tells(value, (), between.heavy, grammar):
                features = tuple(each for each in features if each not in extra)  # "How much do I pay to get into X?"
            yield with_features(item, *features)


def measured(owned: PropertyNoun, verbs: Sequence[str]) -> PropertyNoun:
    """What is asked for, of weights alone where a verb says so: "how much does X weigh"."""
    if not {"weigh", "weighs", "weighed"} & set(verbs):
        return owned
    return replace(owned, choices=tuple(c for c in owned.choices if _MASSES & set(identifier_words(c.name))))


def _tells(value: Value, events: Sequence[str], verbs: tuple[str, ...], grammar: Grammar) -> float:
    """Whether the verbs behind a question are those of what it asks for: "when does X start", "when was X booked", "how
    many goals has X scored"; less if they are only synonyms: a `shipped_date`, of "delivered"."""
    if value.link is not None and value.link.path[-1].target in events:
        return 1.0
    if value.link is not None and verbs and grammar.joins.agreement(verbs, value.link.path[-1]) > CLEARLY:
        return 1.0
    named = identifier_words(value.property or "")
    if verbs and _PLACES & set(named) and set(verbs) <= listed("before", "values"):
        return 1.0
    roots = {root(word) for word in named}
    others = [verb for verb in verbs if root(verb) not in roots]
    known = all(any(other in named for other in nouns().get(verb, ())) for verb in others)
    return float(bool(verbs) and known) * (0.5 if others else 1.0)


def noun_property(left: Item[Noun], between: Gap, right: Item[PropertyNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "texas population", "the state 's area", "when was X founded"."""
    noun, owned = left.meaning, right.meaning
    if between.negated or noun.wild or between.heavy or (owned.quantity and not between.empty):
        return
    if noun.asked and not noun.named and not between.possessive:
        return
    if between.relative and not owned.quantity:
        return  # "Jobs that are still open" asks for no `opened_on`.
    if not (between.empty or between.possessive or between.says("is", "was", "were", "are", "has", "have", "do")):
        return
    for item in values_of(left, right, owned, noun, grammar):
        guess = (("guess", 0.2 if between.possessive else 0.5 if noun.named or noun.nodes.conditions else 1.0),)
        yield with_features(item, *guess)


def values_of(left: AnyItem, right: AnyItem, owned: PropertyNoun, noun: Noun, grammar: Grammar) -> Iterator[AnyItem]:
    nodes = noun.nodes
    timed = grammar.tokens[right.last - 1].text in ("date", "day", "time", "year")
    if not owned.quantity and not timed:  # "What is on the menu" does not ask for `on_menu_since`.
        owned = replace(owned, choices=tuple(c for c in owned.choices if c.kind != "date" or c.cost < _PART_OF_NAME))
    if owned.also:
        yield from several(left, right, owned, nodes, grammar)
        return
    yield from of_relationships(left, right, owned, noun, grammar)
    own = [c for c in owned.choices if c.label == nodes.label and not c.of_relation]
    rivals = [("guess", 0.5)] if owned.quantity and len(own) > 1 and own[1].cost - own[0].cost < 0.1 else []
    if nodes.entities and any(each.than is not None for each in nodes.conditions):
        rivals = [*rivals, ("asks", 0.5)]  # "How many metres is X longer than Y" does not ask for X's length.
    for choice in own:
        form = form_of_value(nodes, choice, owned.function)
        yield grammar.item(left, right, Whole(form), ("property", choice.cost), *rivals)
    if own and own[0].cost < 0.5:
        return
    if noun.named and owned.function in (None, "sum", *AVERAGES):
        yield from _of_linked(left, right, owned, noun, grammar)
    for choice in owned.choices[:8]:
        any_kind = owned.function in BY_FREQUENCY
        if choice.label == nodes.label or choice.of_relation or not (any_kind or choice.kind in _NUMBERS):
            continue
        for path in grammar.joins.paths(choice.label, nodes.label):
            placing = grammar.joins.is_placing(path[0])
            if len(path) > 1 or not (placing or owned.function):
                continue
            inner = Nodes(choice.label, links=(Link(path, nodes),))
            function: Function = owned.function or "sum"
            form = Form("number", inner, Value(choice.name, kind=choice.kind), function)
            loose = [] if placing else [("bare join", 1.0), ("rivals", grammar.joins.rivalry(path, choice.label))]
            yield grammar.item(left, right, Whole(form), ("summed", 1.0), ("property", choice.cost), *loose)


def _of_linked(left: AnyItem, right: AnyItem, owned: PropertyNoun, noun: Noun, grammar: Grammar) -> Iterator[AnyItem]:
    """ "in which building does X work": a property of what a node is linked to."""
    for choice in owned.choices[:_MOST_LINKED]:
        if choice.of_relation or choice.label == noun.nodes.label:
            continue
        placed = bool(_PLACES & set(identifier_words(choice.name)))
        others = placed and choice.label in grammar.words.persons and noun.nodes.label not in grammar.words.persons
        for path in grammar.joins.paths(choice.label, noun.nodes.label):
            inside = placed and all(map(grammar.joins.is_placing, turned(path, choice.label)))
            if len(path) > 1 and not inside:
                continue
            linked = Nodes(choice.label, links=(Link(path, noun.nodes),))
            own = [("property", choice.cost), ("linked value", (1.0 if len(path) == 1 else 1.3) + others)]
            if choice.kind == "boolean" and not owned.function:  # "anything vegan at X"
                told = linked.where(Condition(Predicate(choice.name, "=", True), property=choice.name))
                yield grammar.item(left, right, Noun(told, plural=True), *own, ("bare join", 1.0))
                continue
            form = form_of_value(linked, choice, owned.function)
            yield grammar.item(left, right, Whole(form), *own, ("bare join", 1.0))
            for last in grammar.verb_ends(right.last):
                said = grammar.gap(right.last, last).words
                if said and (best := grammar.joins.agreement(said, path[0])) > _LEAST_AGREEMENT:
                    yield grammar.item(left, replace(right, last=last), Whole(form), *own, ("agreement", 1 - best))


def form_of_value(nodes: Nodes, choice: PropertyChoice, function: Function | None) -> Form:
    value = Value(choice.name, kind=choice.kind)
    return Form("number", nodes, value, function) if function else Form("value", nodes, value)


def operator_noun(left: Item[Operator], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "how many rivers", "per customer"."""
    operator, noun = left.meaning, right.meaning
    if noun.wild or between.negated or between.heavy:
        return
    if operator.function == "each" and not noun.named:
        if not is_kind_of(noun, between, grammar):
            yield grammar.item(left, right, replace(noun, each=True))
    elif operator.function == "count" and grammar.tokens[left.last - 1].text in ("often", "times"):
        yield from _how_often(left, right, noun, grammar)
    elif operator.function == "count" and noun.named and replace(noun.nodes, entities=()).bare and between.empty:
        for source, step in grammar.words.instances(noun.nodes.label):
            counted = Nodes(source, links=(Link((step,), noun.nodes),))
            yield grammar.item(left, right, Whole(Form("number", counted, None, "count")), ("guess", 0.5))
    elif operator.function == "count" and (not noun.named or noun.nodes.links):
        guess = [("guess", 1.0)] if noun.named else []
        yield grammar.item(
            left, right, Whole(Form("number", noun.nodes, None, "count")), *guess, *grammar.unexplained(between)
        )


def _how_often(left: AnyItem, right: AnyItem, noun: Noun, grammar: Grammar) -> Iterator[AnyItem]:
    """ "how often has X been admitted": the number of relationships that the verb names; "how many times has X played
    Y": of what lies between the two."""
    for link in noun.nodes.links:
        rest_of = replace(noun.nodes, links=tuple(each for each in noun.nodes.links if each is not link))
        if len(link.path) == 2 and link.positive:
            first, *rest = link.path
            links = Link((first.back(noun.nodes.label),), rest_of), Link(tuple(rest), link.other)
            yield grammar.item(left, right, Whole(Form("number", Nodes(first.target, links=links), None, "count")))
        elif len(link.path) == 1 and link.positive and (link.conditions or (link.open and not rest_of.bare)):
            # "How many times was X absent?", "… has X been a guest?"
            back = Link((link.path[0].back(noun.nodes.label),), rest_of, conditions=link.conditions)
            yield grammar.item(left, right, Whole(Form("number", link.other.linked(back), None, "count")))
    for last in grammar.verb_ends(right.last):
        said = grammar.gap(right.last, last).words
        for step in grammar.joins.from_label(noun.nodes.label) if said else ():
            best = max(grammar.joins.agreement(said, step), grammar.words.likeness(said, step.target))
            if best > _LEAST_AGREEMENT:
                others = Nodes(step.target, links=(Link((step.back(noun.nodes.label),), noun.nodes),))
                form = Form("number", others, None, "count")
                yield grammar.item(left, replace(right, last=last), Whole(form), ("agreement", 1 - best))


def operator_property(
    left: Item[Operator], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "average price", "total length", "how many hours"."""
    operator, owned = left.meaning, right.meaning
    if between.heavy or between.negated or operator.function in ("each", "first") or owned.function:
        return
    if owned.also and operator.function != "count":
        return  # "The average price and weight" is no average price.
    numbers = tuple(c for c in owned.choices if c.kind in ("number", "written number", "date"))
    if operator.function in BY_FREQUENCY:
        own = tuple(c for c in owned.choices if not c.of_relation and not _is_own_name(c))
        yield grammar.item(left, right, PropertyNoun(own, operator.function))  # type: ignore[arg-type]
        return
    if operator.function == "count" and between.empty:
        done = {root(grammar.tokens[right.first].text)}
        events = (c for c in owned.choices if c.of_relation and (c.kind == "date" or (c.cost and c.kind != "text")))
        counted = tuple(c for c in events if done & set(map(root, relation_words(c.label))))
        if counted:  # "how many reviews", of a REVIEWED with a date
            free = tuple(replace(choice, cost=0.0) for choice in counted)
            yield grammar.item(left, right, PropertyNoun(free, "count", quantity=True), ("guess", 0.3))
        elif numbers:
            yield grammar.item(left, right, PropertyNoun(numbers, quantity=True, also=owned.also))
    elif operator.function == "count":
        return
    elif numbers:
        asked = operator.function == "difference"
        yield grammar.item(left, right, PropertyNoun(numbers, operator.function, asked))  # type: ignore[arg-type]


def property_operator(
    left: Item[PropertyNoun], between: Gap, right: Item[Operator], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "how many hours were billed in total"."""
    owned, named = left.meaning, {root(word) for c in left.meaning.choices for word in identifier_words(c.name)}
    said = all(root(word) in named for word in between.heavy)
    if right.meaning.function == "sum" and owned.function is None and owned.quantity and said and not between.negated:
        numbers = tuple(choice for choice in owned.choices if choice.kind in _NUMBERS)
        if numbers:
            yield grammar.item(left, right, replace(owned, choices=numbers, function="sum"))


def whole_operator(left: Item[Whole], between: Gap, right: Item[Operator], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the area of all states combined"."""
    whole, operator = left.meaning, right.meaning
    summed = whole.form.value is not None and whole.form.value.kind in ("number", "written number")
    if operator.function == "sum" and whole.form.asks == "value" and between.plain and summed:
        form = replace(whole.form, asks="number", function=operator.function)
        yield grammar.item(left, right, Whole(form), ("guess", _SUMMED))
    elif operator.function == "avg" and between.plain:
        yield from (grammar.item(left, right, Whole(each)) for each in whole_average(whole.form))


def _is_own_name(choice: PropertyChoice) -> bool:
    """Whether a kind of thing means its names, of which none is common: `productName` of "the most common product"."""
    return choice.cost > 0 and identifier_words(choice.name)[-1] in ("name", "id")
