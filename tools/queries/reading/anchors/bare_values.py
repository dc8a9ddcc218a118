"""Conditions that one word states: "in June" of the dates of any year, "free" of a price, "alive" of a death."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.anchors.literals import Values
from clew.tools.queries.reading.english.numbers import ORDINALS, number
from clew.tools.queries.reading.english.words import is_superlative, meaning_of, phrase
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Item, PropertyChoice
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import MONTHS

_IN = ("in", "during", "every", "each")
_PRICES, _DEATHS = ("price", "fee", "cost"), ("death", "died")
_PARTICIPLES = ("ed", "id", "en", "ld", "nt", "wn", "ne")
_DAYS = frozenset({"on", "at", "date", "dt", "day", "time"})
_AT_HAND: Mapping[str, tuple[Comparison, int]] = {
    "out of stock": ("=", 0), "in stock": (">", 0), "on order": (">", 0), "on hand": (">", 0),
}  # fmt: skip
"""What the number of units is of what is said to be there, or not."""
_COUNTED = frozenset({"units", "unit", "items", "number", "amount", "quantity", "pieces", "copies"})
_PART_OF_NAME = 0.7
_PLACES = frozenset(
    {"number", "no", "nr", "num", "position", "pos", "place", "plc", "rank", "volume", "vol", "index", "seq"}
)
"""Words in the names of properties that number things in an order."""
_MORE = frozenset({"most", "least", "fewest", "quarter", "half"})
_LIKELY = ("property", 0.3)


def bare_values(tokens: Sequence[Token], words: SchemaWords, values: Values) -> Iterator[AnyItem]:
    """The conditions, each over every property that it may be of; `values` gives the properties that have a text."""
    for i, token in enumerate(tokens):
        given = _condition(tokens, i, token.text, words)
        if given is not None and given.choices:
            yield Item(i, i + 1, given, cost([_LIKELY]), (_LIKELY,))
        yield from _none(tokens, i, words)
        yield from _at_hand(tokens, i, words)
        yield from _done(i, token.text, words)
        yield from _placed(tokens, i, words)
        yield from _measured(i, token.text, words)
        yield from _compound(i, token.text, words, values)


def _done(place: int, text: str, words: SchemaWords) -> Iterator[AnyItem]:
    """ "unpaid", "paid", where the day of it is a property: whether there is one."""
    for verb, test in ((text.removeprefix("un"), "IS NULL"), (text, "IS NOT NULL")):
        if (test == "IS NULL") != text.startswith("un") or not verb.endswith(_PARTICIPLES):
            continue
        days = tuple(c for c in words.choices if c.kind == "date" and not c.of_relation and _is_day_of(verb, c.name))
        if days:
            unsure = ("guess", 0.0 if test == "IS NULL" else 0.5)
            given = ConditionNoun(days, test="IS NULL" if test == "IS NULL" else "IS NOT NULL")
            yield Item(place, place + 1, given, cost([_LIKELY, unsure]), (_LIKELY, unsure))


def _placed(tokens: Sequence[Token], place: int, words: SchemaWords) -> Iterator[AnyItem]:
    """ "the third book", where the number of it in a series is a property; "the second round", where the round is."""
    behind = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if tokens[place].text not in ORDINALS or not behind or is_superlative(behind) or behind in _MORE:
        return
    named = (c for c in words.property(behind) if c.kind == "number" and [*identifier_words(c.name)] == [behind])
    if said := tuple(c for c in named if not c.of_relation):
        yield Item(place, place + 2, ConditionNoun(said, values=(ORDINALS[tokens[place].text],)), 0.0)
    numbers = tuple(c for c in words.choices if c.kind != "text" and _PLACES & set(identifier_words(c.name)))
    if numbers:
        given = ConditionNoun(numbers, values=(ORDINALS[tokens[place].text],))
        yield Item(place, place + 1, given, cost([_LIKELY]), (_LIKELY,))


def _measured(place: int, text: str, words: SchemaWords) -> Iterator[AnyItem]:
    """ "A three-bedroom house", "a 5-star hotel", where the number of them is a property."""
    first, hyphen, noun = text.partition("-")
    amount = number(first) if hyphen and noun.isalpha() else None
    found = words.property(noun) if amount is not None else []
    counts = tuple(c for c in found if c.kind == "number" and c.cost < _PART_OF_NAME and not c.of_relation)
    if counts and amount is not None:
        given = ConditionNoun(counts, values=(int(amount) if amount.is_integer() else amount,))
        yield Item(place, place + 1, given, cost([_LIKELY]), (_LIKELY,))


def _compound(place: int, text: str, words: SchemaWords, values: Values) -> Iterator[AnyItem]:
    """ "high-risk merchants", "mature-rated games", where a level of risk, or a rating, is a property."""
    value, hyphen, name = text.rpartition("-")
    held = values(value) if hyphen and name.isalpha() and number(value) is None else {}
    for (label, owned, of_relation), written in held.items():
        if root(name) in map(root, identifier_words(owned)) and not of_relation:
            choice = PropertyChoice(label, owned, 0.0, kind="text")
            given = ConditionNoun((choice,), values=(written[0],))
            yield Item(place, place + 1, given, cost([_LIKELY]), (_LIKELY,))


def _is_day_of(verb: str, name: str) -> bool:
    first, *rest = identifier_words(name)
    return first == verb and (not rest or rest[0] in _DAYS)


def _none(tokens: Sequence[Token], place: int, words: SchemaWords) -> Iterator[AnyItem]:
    """ "no bags", "zero goals", where the number of them is a property."""
    if tokens[place].text not in ("no", "zero") or place + 1 == len(tokens):
        return
    found = words.property(tokens[place + 1].text)
    counts = [c for c in found if c.kind == "number" and c.cost < _PART_OF_NAME]
    missing = [c for c in counts if (((owned := words.choice(c.label, c.name)) and owned.least) or 0) > 0]
    if zero := tuple(c for c in counts if c not in missing):
        yield Item(place, place + 2, ConditionNoun(zero, values=(0,)), cost([_LIKELY]), (_LIKELY,))
    if missing:  # Where nothing has none of them, those that have no such property are meant.
        absent = ConditionNoun(tuple(missing), test="IS NULL")
        yield Item(place, place + 2, absent, cost([_LIKELY]), (_LIKELY,))


def _at_hand(tokens: Sequence[Token], place: int, words: SchemaWords) -> Iterator[AnyItem]:
    """ "in stock", "out of stock", where the number of it is a property."""
    said = next((n for n in (2, 3) if phrase(tokens, place, place + n) in _AT_HAND), 0)
    if not said or not place or tokens[place - 1].text == "of" or any(t.text in _COUNTED for t in tokens[:place]):
        return  # "How many units are in stock?"
    counts = tuple(c for c in words.named(tokens[place + said - 1].text) if c.kind == "number" and not c.of_relation)
    if counts:
        comparison, value = _AT_HAND[phrase(tokens, place, place + said)]
        given = ConditionNoun(counts, comparison, values=(value,))
        yield Item(place, place + said, given, cost([_LIKELY]), (_LIKELY,))


def _condition(tokens: Sequence[Token], place: int, text: str, words: SchemaWords) -> ConditionNoun | None:
    behind = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if place and text in MONTHS and tokens[place - 1].text in _IN and not behind.isdecimal():
        dates = tuple(choice for choice in words.choices if choice.kind == "date")
        return ConditionNoun(dates, values=(f"-{MONTHS[text]:02d}-",), test="CONTAINS")
    if text == "free" and behind != "of":
        return ConditionNoun(tuple(c for c in _named(_PRICES, words) if c.kind == "number"), values=(0,))
    life = meaning_of("lives", text)
    if life is not None:
        return ConditionNoun(tuple(_named(_DEATHS, words)), test="IS NULL" if life == "alive" else "IS NOT NULL")
    return None


def _named(names: Sequence[str], words: SchemaWords) -> list[PropertyChoice]:
    return [choice for name in names for choice in words.named(name) if not choice.of_relation]
