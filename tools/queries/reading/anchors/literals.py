"""The values of a question: texts that properties hold, quoted texts, numbers and dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from unicodedata import category

from clew.tools.graph.identifiers import identifier_words
from clew.tools.linking.ordinary import QUESTION_WORDS, is_english
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.anchors.amounts import amounts
from clew.tools.queries.reading.anchors.day_ranges import day_range
from clew.tools.queries.reading.anchors.text_tests import text_tests
from clew.tools.queries.reading.english.gap import KEPT
from clew.tools.queries.reading.english.inflection import is_plural, noun_forms, singular
from clew.tools.queries.reading.english.numbers import ORDINALS, date_at, number
from clew.tools.queries.reading.english.words import (
    FREE,
    countries,
    country_codes,
    phrase,
    states,
)
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    Number,
    PropertyChoice,
)
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.property_values import Place
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.values import MONTHS, WEEKDAYS, moment

_LONGEST = 5
"""Words of a value that nobody put in quotes."""
_WITH_PREPOSITION = -0.05
"""What a value costs whose first word would say a relation otherwise: "in production", "on hold"."""
_OF_COUNTRIES = frozenset({"country", "countries", "cntry", "ctry", "nation", "nationality", "nat", "origin"})
OF_GENDER = frozenset({"sex", "gender"})
_GENDERS = dict.fromkeys(
    ("women", "woman", "female", "females", "ladies", "girl", "girls"), ("f", "w")
) | dict.fromkeys(("men", "man", "male", "males", "gentlemen", "boy", "boys"), ("m",))
"""Names of properties that hold a gender, and the letters in them by the words for who has it."""
_LONGEST_CODE = 2
"""Letters of a value without a plural: "uses" is not several of the US."""
_LEAST_DERIVED, _LEAST_STEM = 6, 4
"""Letters of a word that a value may have in another form, and of what the forms have in common."""
_ENDINGS = (
    "ations",
    "ation",
    "ions",
    "ion",
    "ments",
    "ment",
    "als",
    "al",
    "ors",
    "or",
    "ers",
    "er",
    "ings",
    "ing",
    "ed",
    "es",
    "s",
)
_MADE = ("ed", "er", "or", "ion", "ation", "ing", "al", "ment", "e", "")
_ARTICLES = frozenset({"a", "an", "the", "me"})
_IN_FAVOUR = -0.5
"""What it costs that "for" is a vote, where there are votes for and against something."""
_FAR_YEAR = 14
"""Tokens behind a day in which its year may follow."""
_DECADE = re.compile(r"([12]\d\d0|[1-9]0)['\u2019]?s\b")
_DECADES = {
    "twenties": 1920, "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960, "seventies": 1970,
    "eighties": 1980, "nineties": 1990,
}  # fmt: skip
_MONTH = len("2025-06")
_MONTHS_OF_YEAR = 12
_PART_OF_YEAR = re.compile(
    r"(?:(?P<place>first|second|third|fourth|last|final|1st|2nd|3rd|4th)\s+"
    r"(?P<part>quarter|half|(?P<months>two|three|four|five|six|[2-6])\s+months)"
    r"|(?P<short>[qh])(?P<number>[1-4])|(?P<season>spring|summer|autumn|fall))\s+(?:of\s+|in\s+)?(?P<year>[12]\d{3})\b",
    re.I,
)
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9}
"""The first month of each; winter lies in two years."""
_PLACES = {"first": 1, "1st": 1, **ORDINALS}
"""The last of the parts where it is not one of these."""

Values = Callable[[str], dict[Place, list[str]]]
"""Where a text is the value of a property, but for case → the values as they are written."""


def literals(
    question: str, tokens: Sequence[Token], values: Values, in_schema: Callable[[str], bool] = lambda word: False
) -> Iterator[AnyItem]:
    """The items of all values in a question; a word that is `in_schema` is no other form of a value."""
    for first, token in enumerate(tokens):
        for last in range(first + 1, min(first + _LONGEST, len(tokens)) + 1):
            alone = last == first + 1 and not in_schema(token.text)
            others = [form for form in _derived(token.text) if not in_schema(form)] if alone else []
            yield from _value(question, tokens, (first, last), values, others)
        if decade := list(_decade(question, tokens, first)):
            yield from decade
            continue  # The 1990s are not 1990.
        yield from text_tests(question, tokens, first)
        yield from day_range(question, tokens, first)
        if (dated := date_at(question, tokens, first) or _same_year(question, tokens, first)) is not None:
            year = token.text.isdecimal() and dated[1] == first + 1
            yield anchor(first, dated[1], Number(dated[0], True), ("guess", 0.3 if year else 0.0))
        yield from amounts(tokens, first)
        yield from _relative(tokens, first)
        yield from _part_of_year(question, tokens, first)


def _relative(tokens: Sequence[Token], first: int) -> Iterator[AnyItem]:
    """ "this year", "last month", "today", "yesterday"."""
    today, text = date.today(), phrase(tokens, first, first + 2)
    before = today.replace(day=1) - timedelta(days=1)
    days = {"today": today, "yesterday": today - timedelta(days=1)}
    spans = {
        "this year": f"{today.year}",
        "last year": f"{today.year - 1}",
        "this month": f"{today:%Y-%m}",
        "last month": f"{before:%Y-%m}",
    }
    if tokens[first].text in days and first:
        yield anchor(first, first + 1, Number(days[tokens[first].text].isoformat(), True), ("guess", 0.3))
    elif text in spans:
        yield anchor(first, first + 2, Number(spans[text], True))


def _decade(question: str, tokens: Sequence[Token], first: int) -> Iterator[AnyItem]:
    """ "the 1950s", "the 90s", "the 1800s"."""
    if (written := _DECADES.get(tokens[first].text)) is not None and first:
        yield _range(tokens, first, tokens[first].end, str(written), str(written + 9))
    match = _DECADE.match(question, tokens[first].start)
    if match is not None:
        low = int(match.group(1)) if len(match.group(1)) > 2 else 1900 + int(match.group(1))
        high = low + (99 if low % 100 == 0 else 9)
        yield _range(tokens, first, match.end(), str(low), str(high))


def _part_of_year(question: str, tokens: Sequence[Token], first: int) -> Iterator[AnyItem]:
    """ "the first quarter of 2025", "Q3 2024", "the second half of 2023"."""
    match = _PART_OF_YEAR.match(question, tokens[first].start)
    if match is None:
        return
    if match["season"]:
        start, months = _SEASONS[match["season"].lower()], 3
    elif match["months"]:
        months = int(number(match["months"]) or 0)
        start = 1 if match["place"].lower() in ("first", "1st") else _MONTHS_OF_YEAR + 1 - months
    else:
        months = 3 if (match["part"] or match["short"]).lower().startswith("q") else 6
        parts = _MONTHS_OF_YEAR // months
        place = int(match["number"]) if match["number"] else _PLACES.get(match["place"].lower(), parts)
        start = (place - 1) * months + 1
    end = start + months - 1
    if end <= _MONTHS_OF_YEAR:
        yield _range(tokens, first, match.end(), f"{match['year']}-{start:02}", f"{match['year']}-{end:02}")


def _range(tokens: Sequence[Token], first: int, end: int, low: str, high: str) -> AnyItem:
    """The dates from one to another, of the words up to a character."""
    last = next(i for i, token in enumerate(tokens[first:], first + 1) if token.end >= end)
    return anchor(first, last, ConditionNoun((), ">=", (low,), upper=high))


def _value(
    question: str, tokens: Sequence[Token], span: tuple[int, int], values: Values, others: Sequence[str]
) -> Iterator[AnyItem]:
    """A text that some property holds: "Berlin", "out of print"; or one of the `others`, its other forms."""
    first, last = span
    head = tokens[first]
    alone = last == first + 1
    in_favour = alone and head.text == "for" and _is_vote(tokens[:first], values)
    free = alone and head.text in FREE and not in_favour
    if not head.quoted and (head.text in QUESTION_WORDS | _ARTICLES or free or _counted(head)):
        return
    if category(head.text[0]) == "Sc":
        return  # "$50" is an amount, never the product whose number is 50.
    text = head.text if alone and head.quoted else question[head.start : tokens[last - 1].end]
    if any(question[t.start : t.end].lower() != t.text for t in tokens[first:last] if t.text.isalpha()):
        text = phrase(tokens, first, last)  # With a typing error.
    found = values(text) or values(text.lower())  # "PayPal", though the value is "paypal"
    if not found and first and tokens[first - 1].text == "the":  # "The Daily Courier"
        found = values(f"the {text}")
    if not found and any(token.text in _ARTICLES for token in tokens[first + 1 : last - 1]):
        found = values(" ".join(word for word in text.split() if word.lower() not in _ARTICLES))
    of_country = values(countries().get(text.lower(), ""))
    of_one = values(singular(text.lower())) if found and alone else {}
    further = _of_other_labels({**of_one, **of_country}, found) if found else {}
    found = found or of_country or _by_code(text.lower(), values) or _by_gender(text.lower(), values)
    state = not found and not head.quoted
    for other in states().get(text.lower(), ()) if state else ():
        found = found or values(other)
    plural = not found and not head.quoted and (is_plural(tokens[last - 1].text) or not alone)
    for form in noun_forms(text.lower()) if plural else ():
        found = found or (values(form) if len(form) > _LONGEST_CODE else {})
    derived = not found and not head.quoted and head.text not in FREE
    for form in others if derived else ():
        found = found or values(form)
    for held in filter(None, (found, further)):
        choices = tuple(PropertyChoice(*place[:2], 0.0, of_relation=place[2], kind="text") for place in held)
        written = tuple(dict.fromkeys(value for each in held.values() for value in each))
        written = _as_spelled(question[head.start :].lower(), written)
        synonym = state and text.lower() in states() and text.lower() not in map(str.lower, written)
        general = text.lower() in ("people", "persons", "person")  # Anybody, rather than what is no company.
        general = general or (alone and _is_acronym(text, written))
        likely = 1.0 if general else 0.6 if synonym or (derived and others) else 0.3 if alone else 0.1
        if not alone and head.text in KEPT:
            likely = _WITH_PREPOSITION
        likely = _IN_FAVOUR if in_favour else likely
        yield anchor(first, last, ConditionNoun(choices, values=written), ("value", likely))


def _is_vote(before: Sequence[Token], values: Values) -> bool:
    """Whether "for" behind some words is what is voted: there are votes for and against, and they are called so."""
    known = values("for").keys() & values("against").keys() if before else ()
    called = {
        root(word) for relation, name, _ in known for word in (*identifier_words(name), *relation_words(relation))
    }
    return bool(known) and root(before[-1].text) in called


def _is_acronym(text: str, written: tuple[str, ...]) -> bool:
    """Whether a word of the language only has the letters of a value in capitals: "run", and a project called RUN."""
    capitals = all(value.isalpha() and value.isupper() and len(value) > _LONGEST_CODE for value in written)
    return capitals and text.islower() and is_english(text)


def _as_spelled(text: str, written: tuple[str, ...]) -> tuple[str, ...]:
    """Of values that differ in their signs alone, the one that a text begins with: "O+", not "O-"."""
    spelled = [value for value in written if text.startswith(value.lower())] if len(written) > 1 else []
    return (max(spelled, key=len),) if spelled else written


def _of_other_labels(others: dict[Place, list[str]], found: dict[Place, list[str]]) -> dict[Place, list[str]]:
    """Values of the labels that have none yet: awards are "British" by their country, where authors are by their
    nationality."""
    labels = {label for label, _, _ in found}
    return {place: written for place, written in others.items() if place[0] not in labels}


def _by_gender(word: str, values: Values) -> dict[Place, list[str]]:
    """The letters for women or men, in properties that hold a gender: F for "women"."""
    found: dict[Place, list[str]] = {}
    for letter in _GENDERS.get(word, ()):
        found |= {place: held for place, held in values(letter).items() if OF_GENDER & set(identifier_words(place[1]))}
    return found


def _by_code(name: str, values: Values) -> dict[Place, list[str]]:
    """The codes of a country, in properties that hold countries: ES for Spain."""
    found: dict[Place, list[str]] = {}
    for code in country_codes().get(countries().get(name, name), ()):
        known = values(code)
        found |= {place: held for place, held in known.items() if _OF_COUNTRIES & set(identifier_words(place[1]))}
    return found


def _derived(word: str) -> Iterator[str]:
    """Other forms of a word that a value may have: "convicted" for "convictions", "headliner" for "headlined"."""
    if len(word) < _LEAST_DERIVED:
        return
    if word in WEEKDAYS:
        yield word[:3]
    base = word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            base = word.removesuffix(ending)
            break
    bases = (base, base[:-1]) if base[-1:] == base[-2:-1] else (base,)
    yield from (each + ending for each in bases for ending in _MADE if each + ending != word)


def _counted(token: Token) -> bool:
    return number(token.text) is not None


def _same_year(question: str, tokens: Sequence[Token], first: int) -> tuple[str, int] | None:
    """The month, or its day, that begins at a token, in the year that stands behind a later date: "from June 1 to
    June 10, 2025", "between June and December 2025"."""
    year = next((t.text for t in tokens[first + 2 : first + _FAR_YEAR] if re.fullmatch(r"[12]\d{3}", t.text)), None)
    if year is None or first + 2 > len(tokens):
        return None
    read = moment(f"{question[tokens[first].start : tokens[first + 1].end].rstrip(',')}, {year}")
    if read is not None and len(read) > _MONTH:
        return read, first + 2
    again = any(token.text in MONTHS for token in tokens[first + 2 : first + _FAR_YEAR])
    month = moment(f"{tokens[first].text} {year}") if again and tokens[first].text in MONTHS else None
    return (month, first + 1) if month is not None else None
