"""How many of a named thing: a quantity of its relationships, or of the rows that lead to it, not a number of nodes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from clew.tools.graph.identifiers import bare_words, identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Value, turned
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.forms.quantities import HANDING_OVER, RATES, is_quantity

_QUANTITIES = frozenset(
    {"quantity", "qty", "count", "number", "units", "pieces", "pcs", "copies", "tickets", "bottles"}
)
_PIECES = _QUANTITIES - {"count", "number"}
_STOCKED = frozenset({"stock", "stocked", "quantity", "qty", "units", "inventory", "pieces", "pcs", "copies"})
_HOW_MANY = (("how", "many"), ("number", "of"))
_NEAR = 3
"""Words behind "how many" among which the noun stands."""
_LIMITS = frozenset({"reorder", "minimum", "min", "maximum", "max", "level", "capacity"})


def quantity_of(
    form: Form,
    said: Sequence[Token],
    properties: Sequence[PropertyChoice],
    names_of: Callable[[str], Set[str]],
) -> Form | None:
    """The quantity of a named thing, where a form counts that thing, or what it is linked to: "how many spark plugs did
    Ann order", where Spark plug is one node and ORDERED has a `qty`; "how many tins of chickpeas were sold", where each
    sale has a `quantity`.

    Args:
        form: The form.
        said: The words of the question.
        properties: The properties of the graph.
        names_of: Gives the properties with the names of a label's nodes.
    """
    nodes = form.nodes
    if form.asks != "number" or form.value is not None or any(not each.positive for each in nodes.links):
        return None
    if _counts_handed_over(nodes.label, said):
        for choice in properties:
            if (choice.label, choice.of_relation, choice.kind) == (nodes.label, False, "number") and _is_number(choice):
                told = Value(choice.name, kind=choice.kind)
                return replace(form, nodes=_all_rows(nodes), value=told, function="sum")
    if not nodes.links:
        return _in_stock(form, said, properties, names_of(nodes.label))
    links = [each for each in nodes.links if len(each.path) == 1]
    if len({each.name for each in nodes.entities}) == 1 and len(links) == len(nodes.links) > 0:
        for choice in _quantities(links[0].path[0].relation, properties, _QUANTITIES, of_relation=True):
            return _form(form, links[0], choice)
        for link in links if sum(not each.open for each in links) <= 1 else ():
            if _counts_rows(link.other.label, said):
                break  # "How many albums did X make" is no number of copies.
            for choice in _quantities(link.other.label, properties, _PIECES, of_relation=False):
                rows = link.other.linked(Link(turned(link.path, nodes.label), Nodes(nodes.label, nodes.entities)))
                return replace(form, nodes=rows, value=Value(choice.name, kind=choice.kind), function="sum")
        return None
    for link in () if nodes.entities else links:
        if not asks_how_many([each.name for each in link.other.entities], said, nodes.label):
            continue
        for choice in _quantities(nodes.label, properties, _PIECES, of_relation=False):
            return replace(form, value=Value(choice.name, kind=choice.kind), function="sum")
        for choice in _quantities(link.path[0].relation, properties, _PIECES, of_relation=True):
            value = Value(choice.name, "sum", link, choice.label, choice.kind)
            others = tuple(each for each in nodes.links if each != link)
            return replace(form, nodes=replace(nodes, links=others), value=value, function="sum")
    return None


def _counts_rows(label: str, said: Sequence[Token]) -> bool:
    """Whether "how many" stands before the name of a label."""
    texts = [singular(token.text) for token in said]
    at = _behind_how_many(texts)
    return texts[at : at + 1] == list(bare_words(label)[-1:])


def _behind_how_many(texts: Sequence[str]) -> int:
    """The place behind "how many"; behind all words where nothing asks so."""
    return next((i + 2 for i, pair in enumerate(pairwise(texts)) if pair in _HOW_MANY), len(texts))


def _counts_handed_over(label: str, said: Sequence[Token]) -> bool:
    """Whether "how many" stands before what the rows of a label hand over: "how many tickets", of ticket sales."""
    *handed, row = bare_words(label) or ("",)
    texts = [singular(token.text) for token in said] if row in HANDING_OVER and handed else []
    at = _behind_how_many(texts)
    place = next((i for i, text in enumerate(texts[at : at + _NEAR], at) if text == handed[-1]), len(texts))
    return place < len(texts) and texts[place + 1 : place + 2] != [row]


def _all_rows(nodes: Nodes) -> Nodes:
    """The rows, without what their verb says alone: tickets "were sold" in each ticket sale, by nobody we know, too."""
    links = tuple(each for each in nodes.links if not each.open)
    return replace(nodes, links=links, conditions=tuple(c for c in nodes.conditions if c.test != "IS NOT NULL"))


def _is_number(choice: PropertyChoice) -> bool:
    return isinstance(choice.name, str) and is_quantity(choice.name)


def _in_stock(form: Form, said: Sequence[Token], properties: Sequence[PropertyChoice], naming: Set[str]) -> Form | None:
    """How many of a thing there are, where a form counts the things of its name: "how many chickpeas do we have"."""
    told = [each.predicate for each in form.nodes.conditions if each.predicate and not each.negated]
    names = [str(each.value) for each in told if each.property in naming]
    if len(names) != len(form.nodes.conditions) or len(names) + len(form.nodes.entities) != 1:
        return None
    if not asks_how_many([*names, *(each.name for each in form.nodes.entities)], said, form.nodes.label):
        return None
    for choice in _quantities(form.nodes.label, properties, _STOCKED, of_relation=False):
        return replace(form, value=Value(choice.name, kind=choice.kind), function="sum")
    return None


def _quantities(
    label: str, properties: Sequence[PropertyChoice], called: Set[str], *, of_relation: bool
) -> Iterator[PropertyChoice]:
    """The quantities of a label or a relationship type, by the words that call them so."""
    for each in properties:
        said = set(identifier_words(each.name))
        owned = (each.label, each.of_relation, each.kind) == (label, of_relation, "number")
        if owned and said & called and not said & (RATES | _LIMITS):
            yield each


def asks_how_many(names: Collection[str], said: Sequence[Token], label: str) -> bool:
    """Whether "how many" stands before the name of a thing, or before a word for its pieces: "how many tins of
    chickpeas"; and whether there is only one name."""
    texts, kinds = [token.text for token in said], bare_words(label)
    at = _behind_how_many(texts)
    if texts[at + 1 : at + 2] == ["of"] and singular(texts[at]) not in kinds:
        at += 2
    named = {singular(word) for each in names for word in each.lower().split()}
    return len(names) == 1 and at < len(texts) and singular(texts[at]) in named


def _form(form: Form, link: Link, choice: PropertyChoice) -> Form:
    value = Value(choice.name, "sum", link, choice.label, choice.kind)
    return replace(form, asks="value", function=None, value=value, nodes=replace(form.nodes, links=(link,)))
