"""How many of one thing: a quantity on a relationship, not a number of nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from clew.tools.graph.identifiers import bare_words, identifier_words
from clew.tools.graph.schema import Property
from clew.tools.queries.calculated import SPANS, Calculated, Calculation, Operator
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import unit_measure
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Value, turned
from clew.tools.queries.reading.forms.functions import AVERAGES
from clew.tools.queries.reading.forms.items import PropertyChoice

_QUANTITIES = frozenset(
    {"quantity", "qty", "count", "number", "units", "pieces", "pcs", "copies", "tickets", "bottles"}
)

HOURS: dict[str, Operator] = {"hour": "hours", "hours": "hours", "minute": "minutes", "minutes": "minutes"}
"""Words for parts of a day."""
_PIECES = _QUANTITIES - {"count", "number"}
_HOW_MANY = (("how", "many"), ("number", "of"))
_PAYERS = frozenset({"us", "me"})
EACH = frozenset({"each", "per", "every"})
_PERIODIC = frozenset(
    {"year", "yearly", "annual", "annually", "annum", "month", "monthly", "week", "weekly", "day", "daily"}
)
"""Words in the names of properties that are told for a period."""
_TOGETHER = (
    "altogether", "overall", "combined", "in total", "in all", "all together", "put together", "added together",
    "taken together", "all told", "between them", "in sum",
)  # fmt: skip
"""What says that numbers are added up."""
_HANDED_OVER = frozenset({"quantity", "qty", "units", "pieces", "pcs", "copies"})
_LIMITS = frozenset({"reorder", "minimum", "min", "maximum", "max", "level", "capacity"})
_STORED = frozenset({"stock", "inventory", "hand", "available", "reorder", "minimum", "min", "level", "per"})

_SIZES = frozenset({
    "pages", "seats", "capacity", "length", "width", "height", "depth", "weight", "area", "size", "distance", "beds",
    "rooms", "floors", "minimum", "min", "maximum", "max", "number", "no",
})  # fmt: skip
"""Words in the names of properties that say how large each thing is."""
_RATES = frozenset({
    "price", "rate", "rating", "grade", "score", "percent", "pct", "percentage", "share", "age", "level", "stars",
    "temperature", "speed", "discount", "rank", "mark", "marks", "year", "position", "ranking", "placing", "sequence",
})  # fmt: skip
"""Words in the names of properties whose values do not add up."""


def adds_up(name: str) -> bool:
    """Whether the numbers of a property add up to a number of the same kind."""
    return name.adds_up if isinstance(name, Calculated) else not _RATES & set(identifier_words(name))


def is_added_up(name: str, *, rows: bool) -> bool:
    """Whether the most of a property is a total: quantities, and, of rows without names, points, but no pages."""
    return is_quantity(name) or (rows and adds_up(name) and not _SIZES & set(identifier_words(name)))


def is_quantity(name: str) -> bool:
    """Whether a property says how much of something was handed over, rather than how much is in stock."""
    words = set(identifier_words(name))
    return bool(_HANDED_OVER & words) and not _STORED & words


def summed(form: Form) -> Form:
    """The sum of the numbers that a form lists, where "how much" or "total" asks for one number: "how much honey has
    hive 4 given", which gave some every year; "how many kegs went to X", in several deliveries."""
    value = form.value
    if form.asks != "value" or value is None or value.function not in (None, "sum") or form.nodes.order is not None:
        return form
    if value.kind != "number" or not adds_up(value.property or ""):
        return form
    if not form.nodes.entities:
        return replace(form, asks="number", value=replace(value, function=None), function="sum")
    return replace(form, value=replace(value, function="sum")) if value.edge else form


def averaged(form: Form, said: Sequence[Token]) -> Form:
    """The average over all relationships of a set, where none is asked for each of its nodes: "the average share in all
    subsidiaries"."""
    value = form.value
    if form.asks != "value" or value is None or value.edge is None or value.function not in AVERAGES:
        return form
    if form.nodes.entities or form.nodes.order is not None or for_each(said):
        return form
    return replace(form, asks="number", value=replace(value, function=None), function=value.function)


def for_each(said: Sequence[Token]) -> bool:
    """Whether "each" or "per" stands before things, not before a time: "per year"."""
    behind = ("" if i + 1 == len(said) else said[i + 1].text for i, token in enumerate(said) if token.text in EACH)
    return any("time" not in unit_measure(text) for text in behind)


def lists_each(form: Form, said: Sequence[Token]) -> bool:
    """Whether "each" or "per" asks for several numbers; "per year" does not where the number is told for a year."""
    name = (form.value.property if form.value is not None else None) or ""
    told = not isinstance(name, Calculated) and bool(_PERIODIC & set(identifier_words(name)))
    return for_each(said) if told else any(token.text in EACH for token in said)


def says_total(said: Sequence[Token]) -> bool:
    """Whether words say that numbers are added up: "altogether", "all put together"."""
    text = " ".join(token.text for token in said)
    return any(f" {phrase} " in f" {text} " for phrase in _TOGETHER)


def is_average(form: Form) -> bool:
    """Whether a form gives an average for each of its nodes."""
    return form.asks == "value" and form.value is not None and form.value.function in AVERAGES


def costs_the_asker(said: Sequence[Token]) -> bool:
    """Whether a question is what things cost all together: "what did the cellos cost us"."""
    return any(one.text in ("cost", "costs") and other.text in _PAYERS for one, other in pairwise(said))


def timed(form: Form, said: Sequence[Token], owned: Callable[[str, str], Property | None]) -> Form:
    """The time between two dates in the unit that is said, and the average of those of nobody in particular: "how long
    do repairs take, in hours".

    Args:
        form: The form.
        said: The words of the question.
        owned: The property of a label by its name.
    """
    value = form.value
    span = value.property if value is not None and value.link is None else None
    if value is None or not isinstance(span, Calculated) or not is_span(span):
        return form
    unit, made = short_unit(said, (owned(form.nodes.label, each) for each in span.operands)), span.calculation
    if unit is not None and isinstance(made, Calculation):
        value = replace(value, property=Calculated(Calculation(unit, made.left, made.right)))
        form = replace(form, value=value)
    listed = form.asks == "value" and value.function is None and form.nodes.order is None
    return replace(form, asks="number", function="avg") if listed and not form.entities else form


def short_unit(said: Sequence[Token], dates: Iterable[Property | None]) -> Operator | None:
    """The part of a day in which a time is asked for, if all of the dates that it lies between have a time of day."""
    unit = next((HOURS[token.text] for token in said if token.text in HOURS), None)
    timed = all(each is not None and any("T" in str(value) for value in each.examples) for each in dates)
    return unit if timed else None


def is_span(name: str) -> bool:
    """Whether a calculated property is a time between two dates."""
    made = name.calculation if isinstance(name, Calculated) else None
    return isinstance(made, Calculation) and made.operator in SPANS


def quantity_of(form: Form, said: Sequence[Token], properties: Sequence[PropertyChoice]) -> Form | None:
    """The quantity of a named thing, where a form counts that thing, or what it is linked to: "how many spark plugs did
    Ann order", where Spark plug is one node and ORDERED has a `qty`; "how many tins of chickpeas were sold", where each
    sale has a `quantity`.

    Args:
        form: The form.
        said: The words of the question.
        properties: The properties of the graph.
    """
    nodes = form.nodes
    if form.asks != "number" or form.value is not None or any(not each.positive for each in nodes.links):
        return None
    links = [each for each in nodes.links if len(each.path) == 1]
    if len({each.name for each in nodes.entities}) == 1 and len(links) == len(nodes.links) > 0:
        for choice in _quantities(links[0].path[0].relation, properties, _QUANTITIES, of_relation=True):
            return _form(form, links[0], choice)
        for link in links if sum(not each.open for each in links) <= 1 else ():
            for choice in _quantities(link.other.label, properties, _PIECES, of_relation=False):
                rows = link.other.linked(Link(turned(link.path, nodes.label), Nodes(nodes.label, nodes.entities)))
                return replace(form, nodes=rows, value=Value(choice.name, kind=choice.kind), function="sum")
        return None
    for link in () if nodes.entities else links:
        if not asks_how_many(link.other, said, nodes.label):
            continue
        for choice in _quantities(nodes.label, properties, _PIECES, of_relation=False):
            return replace(form, value=Value(choice.name, kind=choice.kind), function="sum")
        for choice in _quantities(link.path[0].relation, properties, _PIECES, of_relation=True):
            value = Value(choice.name, "sum", link, choice.label, choice.kind)
            others = tuple(each for each in nodes.links if each != link)
            return replace(form, nodes=replace(nodes, links=others), value=value, function="sum")
    return None


def _quantities(
    label: str, properties: Sequence[PropertyChoice], called: Set[str], *, of_relation: bool
) -> Iterator[PropertyChoice]:
    """The quantities of a label or a relationship type, by the words that call them so."""
    for each in properties:
        said = set(identifier_words(each.name))
        owned = (each.label, each.of_relation, each.kind) == (label, of_relation, "number")
        if owned and said & called and not said & (_RATES | _LIMITS):
            yield each


def asks_how_many(nodes: Nodes, said: Sequence[Token], label: str) -> bool:
    """Whether "how many" stands before a named thing, or before a word for its pieces: "how many tins of chickpeas"."""
    texts, kinds = [token.text for token in said], bare_words(label)
    at = next((i + 2 for i, pair in enumerate(pairwise(texts)) if pair in _HOW_MANY), len(texts))
    if texts[at + 1 : at + 2] == ["of"] and singular(texts[at]) not in kinds:
        at += 2
    named = {singular(word) for each in nodes.entities for word in each.name.lower().split()}
    return len(nodes.entities) == 1 and at < len(texts) and singular(texts[at]) in named


def _form(form: Form, link: Link, choice: PropertyChoice) -> Form:
    value = Value(choice.name, "sum", link, choice.label, choice.kind)
    return replace(form, asks="value", function=None, value=value, nodes=replace(form.nodes, links=(link,)))
