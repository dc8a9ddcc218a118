"""What a question wants: a number, a list, how many of it, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.aggregation.draft import Draft, is_number, is_time
from clew.tools.queries.aggregation.lexicon import phrase_at, words
from clew.tools.queries.aggregation.question import Function, Measure, Owned
from clew.tools.queries.aggregation.vocabulary import Said, root
from clew.tools.queries.ranking.constraints import SUPERLATIVES

SOME = 10
"""Listed of "the most expensive products"."""
_ADJECTIVES = tuple(sorted(SUPERLATIVES, key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A measure or property that some words speak of, and the tokens that they are."""

    of: Measure | Owned
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
        wanted = _measured(draft, i)
        if wanted is not None and isinstance(wanted.of, Measure):
            draft.measure = wanted.of
            draft.take(wanted.first, wanted.last)
            return


def find_group(draft: Draft) -> str | Owned | None:
    """ "per category", "for each supplier", "by country": what the number is given for."""
    for i in range(len(draft.tokens)):
        found = phrase_at("other", draft.tokens, i, ("each",))
        last = found[1] if found else i + 1 if draft.text(i) == "by" else None
        if last is None or not draft.free(i, last):
            continue
        said = draft.said_after(last, 0)
        if said is None or not (said.labels or said.properties):
            continue
        draft.take(i, said.last)
        if said.labels:
            return said.labels[0]
        return draft.choose(said.properties, said.first)
    return None


# ---- numbers --------------------------------------------------------------------------------------------------------


def _measured(draft: Draft, i: int) -> Wanted | None:
    """A measure whose words begin at a token."""
    found = phrase_at("functions", draft.tokens, i)
    if found is None or not draft.free(i, found[1]):
        return None
    function, last = cast(Function, found[0]), found[1]
    if function in ("avg", "sum") and (nested := phrase_at("functions", draft.tokens, last, ("count",))):
        if function == "avg":
            return None  # The average of a count is no single aggregate.
        function, last = "count", nested[1]
    said = draft.said_after(last, 1, ("the", "of", "a", "value", "different", "distinct", "unique", "all"))
    if said is None:
        return None
    of = _of(draft, function, said)
    return Wanted(of, i, said.last) if of is not None else None


def _of(draft: Draft, function: Function, said: Said) -> Measure | None:
    numeric = draft.choose(said.properties, said.first, is_number)
    if function == "count":
        if said.labels:
            return Measure("count", said.labels[0])
        return Measure("sum", numeric) if numeric else None
    if numeric is not None:
        return Measure(function, numeric)
    return Measure("count", said.labels[0]) if function == "sum" and said.labels else None


# ---- order ----------------------------------------------------------------------------------------------------------


def _on_average(draft: Draft) -> None:
    """ "the most expensive products on average"."""
    for i in range(len(draft.tokens) - 1):
        if isinstance(draft.order, Owned) and (draft.text(i), draft.text(i + 1)) == ("on", "average"):
            draft.order = Measure("avg", draft.order)
            draft.take(i, i + 2)


def _top_of_compared(draft: Draft) -> None:
    """ "the top 5 products with a reorder level above 20": the highest of them."""
    compared = [c.owned for c in draft.conditions if c.predicate and c.predicate.comparison in (">", ">=")]
    if draft.order is None and draft.limit is not None and compared and "top" in _texts(draft):
        draft.order = compared[0]


def _best(draft: Draft, wanted: Measure | Owned, first: int) -> Measure | Owned:
    """What is the highest "of" something that others have several of: quantities are added up."""
    if isinstance(wanted, Owned):
        owners = [s.labels[0] for s in draft.said if s.labels and s.first != first]
        added = bool(words("other", "summed") & set(identifier_words(wanted.name)))
        if added and (wanted.of_relation or wanted.owner not in owners[:1]) and "single" not in _texts(draft):
            return Measure("sum", wanted)
    return wanted


def _texts(draft: Draft) -> set[str]:
    return {token.text for token in draft.tokens}


def _one(draft: Draft, plural: bool) -> None:
    """Of a superlative the best, with all that are as good; "the most expensive products" are a few."""
    if draft.limit is None:
        draft.limit, draft.ties = (SOME, False) if plural else (1, True)


def _order_by(draft: Draft) -> None:
    for i in range(len(draft.tokens)):
        found = phrase_at("order", draft.tokens, i, ("by",))
        if found is None or not draft.free(i, found[1]) or draft.text(i - 1) in ("is", "was", "are", "were"):
            continue
        j = found[1]
        while draft.text(j) in ("the", "their", "its", "highest", "lowest", "a"):
            j += 1
        wanted = _measured(draft, j) or _named(draft, j)
        if wanted is not None and (draft.text(i) != "by" or not _passive(draft, i)):
            low = phrase_at("order", draft.tokens, wanted.last, ("upwards",)) or draft.text(j - 1) == "lowest"
            draft.order, draft.descending = wanted.of, not low
            draft.take(i, low[1] if isinstance(low, tuple) else wanted.last)
            return


def _passive(draft: Draft, i: int) -> bool:
    """Whether "by" names who did something: "supplied by"."""
    return draft.text(i - 1).endswith("ed") and draft.text(i - 1) not in ("sorted", "ordered", "ranked", "grouped")


def _named(draft: Draft, first: int) -> Wanted | None:
    """A property of numbers or times right there."""
    said = draft.said_after(first, 0)
    owned = draft.choose(said.properties, said.first, lambda o: is_number(o) or is_time(o)) if said else None
    return Wanted(owned, said.first, said.last) if said and owned else None


def _order_most(draft: Draft) -> None:
    """ "the most products", "the fewest orders", "the most units in stock", "most frequently ordered"."""
    for i in range(len(draft.tokens)):
        found = phrase_at("order", draft.tokens, i, ("most", "fewest"))
        if found is None or not draft.free(i, found[1]) or draft.text(i - 1) == "at":
            continue
        j = found[1]
        while draft.text(j) in ("the", "different", "distinct", "unique", "frequently", "often", "commonly", "total"):
            j += 1
        said = draft.said_at(j)
        if said is None:
            continue
        numeric = draft.choose(said.properties, said.first, is_number)
        verb = draft.text(j).endswith("ed") and bool(said.relations)
        if said.labels and not verb:
            draft.order = Measure("count", said.labels[0])
        elif numeric is not None and (found[0] == "most" or len(draft.tokens[i:j]) > 0):
            draft.order = numeric
        elif said.relations:
            draft.order = Measure("count", said.relations[0], of_relation=True)
        else:
            continue
        if isinstance(draft.order, Owned):
            draft.order = _best(draft, draft.order, said.first)
        draft.descending = found[0] == "most"
        draft.take(i, said.last)
        _one(draft, plural=False)
        return


def _order_high(draft: Draft) -> None:
    """ "the highest freight", "the lowest average unit price"."""
    for i in range(len(draft.tokens)):
        high, low = words("order", "high"), words("order", "low")
        if draft.text(i) not in high | low or not draft.free(i, i + 1) or draft.text(i - 1) == "at":
            continue
        wanted = _measured(draft, i + 1) or _named(draft, i + 1)
        if wanted is None or (draft.text(i) in ("top", "best") and isinstance(wanted.of, Owned)):
            continue
        draft.order, draft.descending = _best(draft, wanted.of, wanted.first), draft.text(i) in high
        draft.take(i, wanted.last)
        _one(draft, plural=False)
        return


def _order_adjective(draft: Draft) -> None:
    """ "the most expensive products", "the oldest order"."""
    question = draft.question.lower()
    for adjective in _ADJECTIVES:
        length = len(adjective.replace("-", " ").split())
        for i in range(len(draft.tokens) - length + 1):
            if not draft.free(i, i + length):
                continue
            said = question[draft.tokens[i].start : draft.tokens[i + length - 1].end]
            if said != adjective or (adjective in ("first", "last") and draft.number(i + 1) is not None):
                continue
            descending, names = SUPERLATIVES[adjective]
            owned = _called(draft, i, names)
            if owned is not None:
                draft.order, draft.descending = owned, descending
                draft.take(i, i + length)
                _one(draft, plural=not _singular(draft))
                return


def _called(draft: Draft, at: int, names: tuple[str, ...]) -> Owned | None:
    """The property that one of these names fits, of what is asked about; for times any will do."""
    label = next((s.labels[0] for s in draft.said if s.labels), None)
    of_time = bool({"date", "year"} & {word for name in names for word in name.split()})
    for name in names:
        fitting = [
            o for o in draft.vocabulary.owned
            if (is_number(o) or is_time(o)) and set(name.split()) <= set(identifier_words(o.name))
        ]  # fmt: skip
        own = [o for o in fitting if o.owner == label] or fitting
        if own:
            said = [o for o in own if _words_said(draft, o)] or own
            return draft.choose(said, at)
    times = [o for o in draft.vocabulary.owned if of_time and is_time(o) and o.owner == label]
    return times[0] if times else None


def _words_said(draft: Draft, owned: Owned) -> bool:
    """Whether the question has a word of a property's name, whatever its ending: "recently shipped", shippedDate."""
    said = {root(token.text) for token in draft.tokens if not token.quoted}
    return bool({root(word) for word in identifier_words(owned.name)} - {"dat"} & said)


def _order_verb(draft: Draft) -> None:
    """ "most ordered", "most frequently purchased": how often a relationship is there."""
    for i in range(len(draft.tokens)):
        if draft.text(i) not in ("most", "least") or not draft.free(i, i + 1) or draft.text(i - 1) == "at":
            continue
        said = draft.said_after(i + 1, 0, ("frequently", "often", "commonly"))
        if said is not None and said.relations:
            draft.order = Measure("count", said.relations[0], of_relation=True)
            draft.descending = draft.text(i) == "most"
            draft.take(i, said.last)
            _one(draft, plural=not _singular(draft))
            return
        if draft.text(i + 1) == "times" and (kind := _verb_before(draft, i)):
            draft.order, draft.descending = Measure("count", kind, of_relation=True), draft.text(i) == "most"
            draft.take(i, i + 2)
            _one(draft, plural=False)
            return


def _verb_before(draft: Draft, first: int) -> str | None:
    """ "purchased the most times": the relationship."""
    before = [said for said in draft.said if said.relations and said.last <= first and first - said.last <= 2]
    return before[-1].relations[0] if before else None


# ---- how many -------------------------------------------------------------------------------------------------------


def find_limit(draft: Draft) -> None:
    """ "top 5", "the first three", "which 3 products"."""
    for i in range(len(draft.tokens)):
        number = draft.number(i)
        before = draft.text(i - 1)
        if number is None or not number.is_integer() or not 1 <= number <= 100:
            continue
        if before in words("other", "top") | words("other", "asking") and _listed(draft, i):
            draft.limit = int(number)
            draft.take(i - 1, i + 1)
            return


def _listed(draft: Draft, i: int) -> bool:
    """Whether a number stands before what is listed."""
    return any(
        said.labels or said.relations or said.properties for said in draft.said if i < said.first <= i + 5
    ) or any(draft.text(j) in ("most", "least", "highest", "lowest") for j in range(i + 1, i + 3))


def _singular(draft: Draft) -> bool:
    """Whether one thing is asked for: "which supplier has", "the customer with the most"."""
    first = next((said for said in draft.said if said.labels), None)
    if first is None:
        return False
    word = draft.tokens[first.last - 1].text
    return not word.endswith("s") or word.endswith("ss")
