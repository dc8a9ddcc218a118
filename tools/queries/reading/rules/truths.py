"""What a yes-or-no question asks of a set: that there are any, that all of it are among others, that something is among
the first of it, or what its number is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Value
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, CountOf, Feature, Item, Noun, Number, Whole
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.values import Scalar

IS = frozenset({"is", "are", "was", "were", "the", "a", "an", "one", "of", "also", "named", "called", "being"})
STATED = IS | {"equal", "to", "at", "exactly", "about", "has", "have", "had"}
"""Words between what has a value and the value."""
_ANY = frozenset({"anybody", "anyone", "anything", "any", "somebody", "someone"})
_ALL = frozenset({"all", "every", "each"})
_A = {(*verb, article) for verb in ((), ("is",), ("was",)) for article in ("a", "an")}
_LEADING = _ALL | {"of", "the", "our", "these", "those", "my", "your", "both"}
"""Words between the verb at the beginning and the noun that something is said of."""
_MOST_LEADING = 5
_NOT_JUDGED = 2.0
"""What it costs that a quantity or an order says nothing: "are there the first of these"."""


def subjects(items: Sequence[AnyItem], said: Sequence[Token]) -> list[Item[Noun]]:
    """The nouns that a yes-or-no question begins with, the longest first."""
    starts = [1]
    while len(starts) < _MOST_LEADING and starts[-1] < len(said) and said[starts[-1]].text in _LEADING:
        starts.append(starts[-1] + 1)
    found = [item for item in items if isinstance(item.meaning, Noun) and item.first in starts]
    whole = [item for item in found if all(name != "unexplained" for name, _ in item.features)]
    return sorted(whole, key=lambda item: -item.last)


def whether(
    noun: Noun, said: Sequence[Token], begins: Sequence[Item[Noun]], is_name: Callable[[Condition], bool]
) -> tuple[Form, list[Feature]]:
    """What is asked whether it is so.

    Args:
        noun: The set of the whole question.
        said: The words of the question.
        begins: The nouns that it begins with (`subjects`).
        is_name: Whether a condition is the name of a thing that the question names.
    """
    nodes = noun.nodes
    less = [each.meaning.nodes for each in begins if _says_less(each.meaning.nodes, nodes)]
    plain = [each for each in less if each.order is None]
    if nodes.order is not None:
        judged = _among_the_first(nodes, less, is_name)
        return Form("truth", judged or nodes), [] if judged is not None else [("asks", _NOT_JUDGED)]
    if noun.every and len(nodes.entities) > 1 and not replace(nodes, entities=()).bare:
        return Form("truth", nodes, whole=Nodes(nodes.label, nodes.entities)), []
    if any(token.text in _ALL for token in said[1:2]):
        return Form("truth", nodes, whole=next(iter(plain), None)), [] if plain else [("asks", _NOT_JUDGED)]
    return Form("truth", nodes), []


def _says_less(part: Nodes, nodes: Nodes) -> bool:
    """Whether a set is what another one is part of by further conditions and links."""
    if part.label != nodes.label or part.entities != nodes.entities or part.within != nodes.within:
        return False
    return {*part.conditions, *part.links} < {*nodes.conditions, *nodes.links}


def _among_the_first(nodes: Nodes, less: Sequence[Nodes], is_name: Callable[[Condition], bool]) -> Nodes | None:
    """A named thing among the first of all others, "is X the oldest Y", or the first with something that is said of
    them, "is the oldest Y in Z"; None if nothing is judged."""
    names = tuple(each for each in nodes.conditions if is_name(each))
    if nodes.entities or names:
        rest = tuple(each for each in nodes.conditions if each not in names)
        first = replace(nodes, entities=(), conditions=rest)
        return Nodes(nodes.label, nodes.entities, names, within=(first,))
    for first in less:
        if first.order == nodes.order:
            conditions = tuple(each for each in nodes.conditions if each not in first.conditions)
            links = tuple(each for each in nodes.links if each not in first.links)
            return Nodes(nodes.label, conditions=conditions, links=links, within=(first,))
    return None


def of_kind(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "is Aldport a province": what a named thing is."""
    one, kind = left.meaning, right.meaning
    named = bool(one.nodes.entities) and replace(one.nodes, entities=()).bare
    bare = kind.nodes.bare and kind.role is None and not kind.wild
    if grammar.asks_truth and named and bare and between.texts in _A:
        yield grammar.item(left, right, Noun(replace(kind.nodes, entities=one.nodes.entities)))


def number_is(
    left: Item[Whole], between: Gap, right: Item[Number] | Item[ConditionNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "is the average price of the products below 5", "the number of rivers in Texas is more than 3"."""
    form, given = left.meaning.form, right.meaning
    if form.asks != "number" or form.whole is not None or form.group is not None or between.negated:
        return
    if not (between.copula or (between.empty and grammar.asks_truth)) or not set(between.texts) <= STATED:
        return
    value = given.value if isinstance(given, Number) else given.values[0] if len(given.values) == 1 else None
    comparison = "=" if isinstance(given, Number) else given.comparison
    plain = isinstance(given, Number) or not (given.test or given.than is not None or given.upper is not None)
    if plain and isinstance(value, int | float) and not isinstance(value, bool):
        truth = replace(form, asks="truth", bound=(comparison, float(value)))
        yield grammar.item(left, right, Whole(truth))


def counted_truth(counted: CountOf) -> Form:
    """ "There are three rivers"."""
    return Form("truth", counted.nodes, function="count", bound=(counted.comparison, float(counted.number)))


def told_so(form: Form, said: Sequence[Token], grammar: Grammar) -> Form:
    """A yes-or-no question about a value: "is the ward full", "was the invoice paid" by `paid_on`, "was anybody
    injured"."""
    value = form.value
    if form.asks != "value" or value is None:
        return form
    if value.kind == "date" and value.link is None and value.property:
        return Form("truth", form.nodes.where(Condition(property=value.property, test="IS NOT NULL")))
    whole = None
    if value.kind == "boolean":
        whole = said_of(form, (True,), grammar, ConditionNoun(()))
    elif value.kind == "number" and any(token.text in _ANY for token in said[:3]):
        whole = said_of(form, (0,), grammar, ConditionNoun((), ">"))
    return form if whole is None else whole.form


def said_of(form: Form, values: Sequence[Scalar], grammar: Grammar, given: ConditionNoun) -> Whole | None:
    """The statement that a set has this value of a property."""
    value = form.value
    if value is None or value.property is None:
        return None
    if value.link is not None:
        return _said_of_edge(form, value, value.link, values, given, grammar)
    owned = grammar.words.choice(form.nodes.label, value.property)
    if owned is None:
        return None
    found = [typed(Predicate(owned.name, given.comparison, each), owned) for each in values]
    checked = [each for each in found if isinstance(each, Predicate)]
    if not checked:
        return None
    condition = Condition(checked[0], property=owned.name, alternatives=tuple(checked[1:]))
    return Whole(Form("truth", form.nodes.where(condition)))


def _said_of_edge(
    form: Form, value: Value, link: Link, values: Sequence[Scalar], given: ConditionNoun, grammar: Grammar
) -> Whole | None:
    """That a relationship of a set has this value: "Has X paid for Y?" """
    if value.edge is None or value.edge != link.path[-1].relation or len(values) != 1:
        return None
    owned = grammar.words.choice(value.edge, value.property or "")
    told = None if owned is None else typed(Predicate(owned.name, given.comparison, values[0]), owned)
    if not isinstance(told, Predicate):
        return None
    links = tuple(each for each in form.nodes.links if each != link)
    marked = replace(link, conditions=(*link.conditions, told))
    return Whole(Form("truth", replace(form.nodes, links=(*links, marked))))
