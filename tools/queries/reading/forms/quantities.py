"""Numbers of several things as one: totals, averages, and times in the unit that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property
from clew.tools.queries.calculated import SPANS, Calculated, Calculation, Operator
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import unit_measure
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.functions import AVERAGES

HOURS: dict[str, Operator] = {"hour": "hours", "hours": "hours", "minute": "minutes", "minutes": "minutes"}
"""Words for parts of a day."""
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
_STORED = frozenset({"stock", "inventory", "hand", "available", "reorder", "minimum", "min", "level", "per"})

_SIZES = frozenset({
    "pages", "seats", "capacity", "length", "width", "height", "depth", "weight", "area", "size", "distance", "beds",
    "rooms", "floors", "minimum", "min", "maximum", "max", "number", "no",
})  # fmt: skip
"""Words in the names of properties that say how large each thing is."""
RATES = frozenset({
    "price", "rate", "rating", "grade", "score", "percent", "pct", "percentage", "share", "age", "level", "stars",
    "temperature", "speed", "discount", "rank", "mark", "marks", "year", "position", "ranking", "placing", "sequence",
})  # fmt: skip
"""Words in the names of properties whose values do not add up."""


def adds_up(name: str) -> bool:
    """Whether the numbers of a property add up to a number of the same kind."""
    return name.adds_up if isinstance(name, Calculated) else not RATES & set(identifier_words(name))


def is_added_up(name: str, *, rows: bool) -> bool:
    """Whether the most of a property is a total: quantities, and, of rows without names, points, but no pages."""
    return is_quantity(name) or (rows and adds_up(name) and not _SIZES & set(identifier_words(name)))


HANDING_OVER = frozenset({"sale", "purchase", "movement", "delivery", "donation"})
"""Words by which rows are called that say how much of something was handed over: the tickets of a ticket sale."""


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
