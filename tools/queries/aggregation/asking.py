"""What a question asks for: a number, a list, how many of it, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.aggregation.draft import Draft, is_number, is_time
from clew.tools.queries.aggregation.question import Function, Measure, PropertyRef
from clew.tools.queries.aggregation.vocabulary import SchemaTerm, phrase_at, root, words
from clew.tools.queries.ranking.constraints import SUPERLATIVES

DEFAULT_LIMIT = 10
"""Rows of "the most expensive products"."""
_ADJECTIVES = tuple(sorted(SUPERLATIVES, key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class MeasurePhrase:
    """The tokens `first` to `last` - 1, which name a measure or a property."""

    of: Measure | PropertyRef
    first: int
    last: int


def find_order(draft: Draft) -> None:
    """ "by average price", "the most orders", "highest freight", "most expensive"."""
    for find in (_order_by, _order_most, _order_high, _order_adjective, _order_verb):
        if draft.order is None:
            find(draft)
    _on_average(draft)
    _top_of_compared(draft)


def find_measure(draft: Draft) -> None:
    """The number that is asked for: "how many", "average unit price", "total quantity"."""
    for i in range(len(draft.tokens)):
        found = _measured(draft, i)
        if found is not None and isinstance(found.of, Measure):
            draft.measure = found.of
            draft.take(found.first, found.last)
            return


def find_group(draft: Draft) -> str | PropertyRef | None:
    """ "per category", "for each supplier", "by country": what the number is given for."""
    for i in range(len(draft.tokens)):
        found = phrase_at("other", draft.tokens, i, ("each",))
        last = found[1] if found else i + 1 if draft.text(i) == "by" else None
        if last is None or not draft.free(i, last):
            continue
        term = draft.term_after(last, 0)
        if term is None or not (term.labels or term.properties):
            continue
        draft.take(i, term.last)
        return term.labels[0] if term.labels else draft.choose(term.properties, term.first)
    return None


# ---- numbers --------------------------------------------------------------------------------------------------------


def _measured(draft: Draft, i: int) -> MeasurePhrase | None:
    """A measure whose words begin at a token."""
    found = phrase_at("functions", draft.tokens, i)
    if found is None or not draft.free(i, found[1]):
        return None
    function, last = cast(Function, found[0]), found[1]
    if function in ("avg", "sum") and (nested := phrase_at("functions", draft.tokens, last, ("count",))):
        if function == "avg":
            return None  # The average of a count is no single aggregate.
        function, last = "count", nested[1]
    term = draft.term_after(last, 1, ("the", "of", "a", "value", "different", "distinct", "unique", "all"))
    of = _measure_of(draft, function, term) if term is not None else None
    return MeasurePhrase(of, i, term.last) if of is not None and term is not None else None


def _measure_of(draft: Draft, function: Function, term: SchemaTerm) -> Measure | None:
    numeric = draft.choose(term.properties, term.first, is_number)
    if function == "count":
        if term.labels:
            return Measure("count", term.labels[0])
        return Measure("sum", numeric) if numeric else None
    if numeric is not None:
        return Measure(function, numeric)
    return Measure("count", term.labels[0]) if function == "sum" and term.labels else None


# ---- order ----------------------------------------------------------------------------------------------------------


def _on_average(draft: Draft) -> None:
    """ "the most expensive products on average"."""
    for i in range(len(draft.tokens) - 1):
        if isinstance(draft.order, PropertyRef) and (draft.text(i), draft.text(i + 1)) == ("on", "average"):
            draft.order = Measure("avg", draft.order)
            draft.take(i, i + 2)


def _top_of_compared(draft: Draft) -> None:
    """ "the top 5 products with a reorder level above 20": those with the highest."""
    compared = [c.owned for c in draft.conditions if c.predicate and c.predicate.comparison in (">", ">=")]
    if draft.order is None and draft.limit is not None and compared and "top" in draft.texts:
        draft.order = compared[0]


def _total_of_many(draft: Draft, of: Measure | PropertyRef, first: int) -> Measure | PropertyRef:
    """Quantities are summed where others have several of what is compared."""
    if isinstance(of, PropertyRef):
        owners = [t.labels[0] for t in draft.terms if t.labels and t.first != first]
        added = bool(words("other", "summed") & set(identifier_words(of.name)))
        if added and (of.of_relation or of.owner not in owners[:1]) and "single" not in draft.texts:
            return Measure("sum", of)
    return of


def _set_order(
    draft: Draft, order: Measure | PropertyRef, descending: bool, tokens: tuple[int, int], *, plural: bool = False
) -> None:
    """Take a superlative's tokens. It asks for the best, with all that are equal; "the most expensive products" asks
    for a few."""
    draft.order, draft.descending = order, descending
    draft.take(*tokens)
    if draft.limit is None:
        draft.limit, draft.ties = (DEFAULT_LIMIT, False) if plural else (1, True)


def _order_by(draft: Draft) -> None:
    for i, _, last in draft.phrases("order", ("by",)):
        if draft.text(i - 1) in ("is", "was", "are", "were"):
            continue
        j = draft.skip(last, "the", "their", "its", "highest", "lowest", "a")
        found = _measured(draft, j) or _named(draft, j)
        if found is not None and (draft.text(i) != "by" or not _passive(draft, i)):
            low = phrase_at("order", draft.tokens, found.last, ("upwards",))
            draft.order, draft.descending = found.of, not (low or draft.text(j - 1) == "lowest")
            draft.take(i, low[1] if low else found.last)
            return


def _passive(draft: Draft, i: int) -> bool:
    """Whether "by" names who did something: "supplied by"."""
    return draft.text(i - 1).endswith("ed") and draft.text(i - 1) not in ("sorted", "ordered", "ranked", "grouped")


def _named(draft: Draft, first: int) -> MeasurePhrase | None:
    """A property of numbers or times at a token."""
    found = draft.property_after(first, lambda ref: is_number(ref) or is_time(ref), 0)
    return MeasurePhrase(found[1], found[0].first, found[0].last) if found else None


def _order_most(draft: Draft) -> None:
    """ "the most products", "the fewest orders", "the most units in stock", "most frequently ordered"."""
    for i, extreme, last in draft.phrases("order", ("most", "fewest")):
        if draft.text(i - 1) == "at":
            continue
        j = draft.skip(last, "the", "different", "distinct", "unique", "frequently", "often", "commonly", "total")
        term = draft.term_at(j)
        if term is None:
            continue
        numeric = draft.choose(term.properties, term.first, is_number)
        verb = draft.text(j).endswith("ed") and bool(term.relations)
        order: Measure | PropertyRef
        if term.labels and not verb:
            order = Measure("count", term.labels[0])
        elif numeric is not None:
            order = _total_of_many(draft, numeric, term.first)
        elif term.relations:
            order = Measure("count", term.relations[0], of_relation=True)
        else:
            continue
        _set_order(draft, order, extreme == "most", (i, term.last))
        return


def _order_high(draft: Draft) -> None:
    """ "the highest freight", "the lowest average unit price"."""
    high, low = words("order", "high"), words("order", "low")
    for i in range(len(draft.tokens)):
        if draft.text(i) not in high | low or not draft.free(i, i + 1) or draft.text(i - 1) == "at":
            continue
        found = _measured(draft, i + 1) or _named(draft, i + 1)
        if found is None or (draft.text(i) in ("top", "best") and isinstance(found.of, PropertyRef)):
            continue
        order = _total_of_many(draft, found.of, found.first)
        _set_order(draft, order, draft.text(i) in high, (i, found.last))
        return


def _order_adjective(draft: Draft) -> None:
    """ "the most expensive products", "the oldest order"."""
    question = draft.question.lower()
    for adjective in _ADJECTIVES:
        length = len(adjective.replace("-", " ").split())
        for i in range(len(draft.tokens) - length + 1):
            if not draft.free(i, i + length):
                continue
            text = question[draft.tokens[i].start : draft.tokens[i + length - 1].end]
            if text != adjective or (adjective in ("first", "last") and draft.number(i + 1) is not None):
                continue
            descending, names = SUPERLATIVES[adjective]
            order = _called(draft, i, names)
            if order is not None:
                _set_order(draft, order, descending, (i, i + length), plural=not _singular(draft))
                return


def _called(draft: Draft, at: int, names: tuple[str, ...]) -> PropertyRef | None:
    """The property that one of these names fits, of what is asked about; for times any will do."""
    label = next((term.labels[0] for term in draft.terms if term.labels), None)
    of_time = bool({"date", "year"} & {word for name in names for word in name.split()})
    ordered = [ref for ref in draft.vocabulary.owned if is_number(ref) or is_time(ref)]
    for name in names:
        fitting = [ref for ref in ordered if set(name.split()) <= set(identifier_words(ref.name))]
        own = [ref for ref in fitting if ref.owner == label] or fitting
        if own:
            return draft.choose([ref for ref in own if _mentioned(draft, ref)] or own, at)
    times = [ref for ref in draft.vocabulary.owned if of_time and is_time(ref) and ref.owner == label]
    return times[0] if times else None


def _mentioned(draft: Draft, ref: PropertyRef) -> bool:
    """Whether the question has a word of a property's name in any form: "recently shipped", shippedDate."""
    roots = {root(token.text) for token in draft.tokens if not token.quoted}
    return bool({root(word) for word in identifier_words(ref.name)} - {"dat"} & roots)


def _order_verb(draft: Draft) -> None:
    """ "most ordered", "most frequently purchased": the number of relationships."""
    for i in range(len(draft.tokens)):
        if draft.text(i) not in ("most", "least") or not draft.free(i, i + 1) or draft.text(i - 1) == "at":
            continue
        term, most = draft.term_after(i + 1, 0, ("frequently", "often", "commonly")), draft.text(i) == "most"
        if term is not None and term.relations:
            count = Measure("count", term.relations[0], of_relation=True)
            _set_order(draft, count, most, (i, term.last), plural=not _singular(draft))
            return
        if draft.text(i + 1) == "times" and (kind := _verb_before(draft, i)):
            _set_order(draft, Measure("count", kind, of_relation=True), most, (i, i + 2))
            return


def _verb_before(draft: Draft, first: int) -> str | None:
    """The relationship type of "purchased the most times"."""
    before = [term for term in draft.terms if term.relations and term.last <= first and first - term.last <= 2]
    return before[-1].relations[0] if before else None


# ---- limit ----------------------------------------------------------------------------------------------------------


def find_limit(draft: Draft) -> None:
    """ "top 5", "the first three", "which 3 products"."""
    for i in range(len(draft.tokens)):
        number = draft.number(i)
        if number is None or not number.is_integer() or not 1 <= number <= 100:
            continue
        if draft.text(i - 1) in words("other", "top") | words("other", "asking") and _listed(draft, i):
            draft.limit = int(number)
            draft.take(i - 1, i + 1)
            return


def _listed(draft: Draft, i: int) -> bool:
    """Whether a number stands before what is listed."""
    return any(i < term.first <= i + 5 for term in draft.terms) or any(
        draft.text(j) in ("most", "least", "highest", "lowest") for j in range(i + 1, i + 3)
    )


def _singular(draft: Draft) -> bool:
    """Whether one thing is asked for: "which supplier has", "the customer with the most"."""
    first = next((term for term in draft.terms if term.labels), None)
    if first is None:
        return False
    word = draft.tokens[first.last - 1].text
    return not word.endswith("s") or word.endswith("ss")
