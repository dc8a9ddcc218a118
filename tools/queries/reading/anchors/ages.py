"""Years from one date to another: "older than 60", "patients over 60", "how many years passed between"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, PropertyChoice, PropertyNoun
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.reading.schema.births import BIRTH, is_birth
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import Scalar, holds_years

_MADE = frozenset({
    "built", "founded", "established", "constructed", "launched", "opened", "commissioned", "manufactured", "created",
})  # fmt: skip
_OLDEST = 120
_HOW_MANY_YEARS = ["how", "many", "years"]
_MOST_VERBS = 3
"""Words behind "how many years" before "between"."""
_TURNED: dict[Comparison, Comparison] = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


def of_birth(owned: Property, given: ConditionNoun) -> ConditionNoun:
    """A comparison with an age as one with the day, or the year, when somebody was born or something was made; any
    other stays."""
    ages = [_age(value) for value in given.values]
    if not (BIRTH | _MADE) & set(identifier_words(owned.name)) or given.comparison not in _TURNED or None in ages:
        return given
    return replace(given, values=tuple(_born(owned, age) for age in ages if age is not None))


def aged(choices: Sequence[PropertyChoice]) -> tuple[PropertyChoice, ...]:
    """The properties that tell when something was made, which years compare with: "older than 20 years"."""
    return tuple(each for each in choices if (BIRTH | _MADE) & set(identifier_words(each.name)))


def by_age(label: str, given: ConditionNoun, words: SchemaWords) -> Iterator[tuple[PropertyChoice, ConditionNoun]]:
    """ "Over 60" without a property, of people: their dates of birth, with the comparison turned round."""
    age = _age(given.values[0]) if len(given.values) == 1 and label in words.persons else None
    if age is None or given.upper is not None or given.comparison not in _TURNED:
        return
    for choice in words.choices:
        if choice.label == label and not choice.of_relation and is_birth(choice.name):
            yield choice, replace(given, comparison=_TURNED[given.comparison])


def years_between(tokens: Sequence[Token], words: SchemaWords) -> Iterator[AnyItem]:
    """ "how many years passed between" two things that have a year each."""
    texts = [token.text for token in tokens[: len(_HOW_MANY_YEARS) + _MOST_VERBS + 1]]
    if texts[: len(_HOW_MANY_YEARS)] == _HOW_MANY_YEARS and "between" in texts and (years := words.years()):
        owned = [replace(each, cost=0.0) for each in years if not is_birth(each.name)]
        yield anchor(0, texts.index("between"), PropertyNoun(tuple(owned), "difference", quantity=True))


def _age(value: Scalar) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _OLDEST else None


def _born(owned: Property, age: int) -> Scalar:
    today = date.today()
    if holds_years(owned):
        return today.year - age
    day = min(today.day, 28) if today.month == 2 else today.day  # 29 February
    return today.replace(year=today.year - age, day=day).isoformat()
