"""General English for the reader: adjectives of properties, nouns, "how …", and the tokens of a question.

Data: reading_words.toml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import FUNCTION_WORDS, Token, load_toml
from clew.tools.queries.reading.english.inflection import noun_forms

NEGATIVE = frozenset({
    "no", "not", "never", "without", "non", "lack", "lacks", "lacking", "n't", "isn't", "aren't", "doesn't", "don't",
    "haven't", "hasn't", "weren't", "wasn't", "didn't", "excluding", "except", "neither", "nor", "cannot", "can't",
    "nobody", "nothing", "none", "noone", "arent", "isnt", "dont", "doesnt", "didnt", "havent", "hasnt", "hadnt",
    "werent", "wasnt", "wont", "cant", "outside",
})  # fmt: skip
NOBODY = frozenset({"nobody", "noone", "no-one"})
COPULAS = frozenset({"is", "are", "was", "were", "be", "been", "being", "'s"})
RELATIVE = frozenset({"that", "which", "who", "whose", "whom", "where"})
HAVING = frozenset({"with", "has", "have", "having", "had", "'s", "of", "whose"})
FREE = (FUNCTION_WORDS - NEGATIVE - {"than"}) | {
    "there", "me", "through", "which", "anybody", "anyone", "anything", "somebody", "someone", "something", "yet",
    "our", "ours", "my", "mine", "we", "i'm", "i'd", "i've", "i'll", "we're", "we'd", "we've", "what're", "who're",
    "whats", "whos", "wheres", "hows", "im", "ive", "pls",
}  # fmt: skip
_LEAST_BASE = 3


@dataclass(frozen=True, slots=True)
class Adjective:
    """A word such as "largest": names of properties whose greatest, or least, value it means."""

    up: tuple[str, ...]
    down: tuple[str, ...]
    superlative: bool
    comparative: bool


@cache
def _table() -> dict[str, Any]:
    return load_toml("reading.english", "reading_words.toml")


@cache
def adjectives() -> dict[str, Adjective]:
    """Every form of every adjective; a phrase of several words is one form."""
    found: dict[str, Adjective] = {}
    for row in _table()["adjectives"].values():
        up, down = tuple(row.get("up", ())), tuple(row.get("down", ()))
        for form in row["forms"]:
            superlative = form.endswith("est") or form in _SUPERLATIVES or form.split()[0].endswith("est")
            found[form] = Adjective(up, down, superlative, form.split()[0].endswith("er") and not superlative)
    return found


def is_superlative(form: str) -> bool:
    """Whether it is the superlative of an adjective."""
    return form in adjectives() and adjectives()[form].superlative


_SUPERLATIVES = frozenset({
    "first", "last", "latest", "most recently", "best paid", "top rated", "top-rated", "best-paid", "best-rated",
    "top grossing", "best-selling", "bestselling", "top selling", "top-selling", "most sold", "most purchased",
    "worst-selling", "worst selling", "slowest selling", "least sold", "best rated", "worst rated", "worst-rated",
})  # fmt: skip


@cache
def of_any_amount(form: str) -> bool:
    """Whether a word of degree fits any amount ("highest", "bigger"), not one kind of it ("heaviest")."""
    own = adjectives().get(form)
    general = [adjectives()[each] for each in _meanings("degree") if each in adjectives()]
    return own is None or any((own.up, own.down) == (each.up, each.down) for each in general)


@cache
def nouns() -> dict[str, tuple[str, ...]]:
    """What a property is also called → words of the property's name, the likeliest first."""
    found: dict[str, tuple[str, ...]] = {noun: tuple(names) for noun, names in _table()["nouns"].items()}
    for group in _table()["synonyms"]["groups"]:
        for word in group:
            for form in noun_forms(word):
                found[form] = (*found.get(form, ()), *(other for other in group if other != word))
    return {word: tuple(dict.fromkeys(names)) for word, names in found.items()}


@cache
def quantities() -> dict[str, tuple[str, ...]]:
    """ "how many people" and the like → words of the property's name."""
    return {phrase: tuple(names) for phrase, names in _table()["how"].items()}


@cache
def stating_verbs(name: str) -> tuple[str, ...]:
    """Verbs that state a property, by a word of its name: "weighs" for weight."""
    return tuple(_table()["stating"].get(name, ()))


@cache
def aliases() -> dict[str, tuple[str, ...]]:
    """A name that everybody knows → all that it is called."""
    return {form: tuple(forms) for forms in _table()["aliases"].values() for form in forms}


@cache
def rates() -> dict[str, tuple[str, ...]]:
    """Endings of names for amounts in each of some periods → the adjectives for them."""
    return {short: tuple(said) for short, said in _table()["rates"].items()}


@cache
def people() -> frozenset[str]:
    """Nouns for people."""
    return frozenset(_table()["people"]["words"])


@cache
def anybody() -> frozenset[str]:
    """Nouns for people of any kind."""
    return frozenset(_table()["people"]["anybody"])


def event_roles() -> Sequence[Mapping[str, Sequence[str]]]:
    """Verbs, with what the relations of an event to who does it, and to the other one, are called; one list for both
    where the verb says the same of them."""
    rows: Sequence[Mapping[str, Sequence[str]]] = _table()["event_roles"]
    return rows


@cache
def converses() -> dict[str, tuple[str, ...]]:
    """A noun for one end of a relation → those for the other end."""
    found: dict[str, tuple[str, ...]] = {}
    for noun, others in _table()["converses"].items():
        found[noun] = (*found.get(noun, ()), *others)
        for other in others:
            found[other] = (*found.get(other, ()), noun)
    return found


@cache
def listed(section: str, part: str) -> frozenset[str]:
    """The words of one list of reading_words.toml."""
    return frozenset(_table()[section][part])


def fact_verbs(name: str) -> frozenset[str]:
    """The verbs that speak of a fact by another word than its name: "takes" of an enrolment."""
    return _fact_verbs().get(name, frozenset())


@cache
def _fact_verbs() -> dict[str, frozenset[str]]:
    rows = _table()["facts"].values()
    return {name: frozenset(row["verbs"]) for row in rows for name in row["names"]}


@cache
def unit_names() -> dict[str, list[tuple[str, float]]]:
    """The ending of a property's name that tells its unit → what people call units, with how many of it make one."""
    found: dict[str, list[tuple[str, float]]] = {}
    for name, endings in _table()["unit_names"].items():
        for ending, number in endings.items():
            found.setdefault(ending, []).append((name, number))
    return found


@cache
def units() -> frozenset[str]:
    """Units and currencies at the end of a property's name: `lengthM`, `price_eur`."""
    return frozenset(_table()["units"]["words"])


@cache
def states() -> dict[str, tuple[str, ...]]:
    """A word for a state of a thing → the other words for it."""
    groups = [tuple(group) for group in _table()["states"]["groups"]]
    return {word: tuple(other for other in group if other != word) for group in groups for word in group}


def opposites(word: str) -> tuple[str, ...]:
    """The words that an adjective denies: "insured" of "uninsured", "closed" of "open"."""
    starts = () if " " in word else ("un", "in", "non", "dis")
    bare = [word.removeprefix(start).lstrip("-") for start in starts if word.startswith(start)]
    known = _table()["opposites"].get(word)
    if word.startswith("out of "):  # "out of copyright"
        bare += [f"in {word.removeprefix('out of ')}", word.removeprefix("out of ")]
    return (*([known] if known else []), *(each for each in bare if len(each) > _LEAST_BASE))


@cache
def kinds() -> frozenset[str]:
    """Words in the names of properties whose values are kinds of things, and so nouns: a rank, a type."""
    return frozenset(_table()["kinds"]["words"])


@cache
def country_codes() -> dict[str, tuple[str, ...]]:
    """Countries with their codes."""
    return {name: tuple(codes) for name, codes in _table()["country_codes"].items()}


@cache
def countries() -> dict[str, str]:
    """An adjective of a country → the country."""
    return dict(_table()["countries"])


@cache
def titles() -> dict[str, tuple[str, ...]]:
    """A title before a name → nouns for whoever has it."""
    return {title: tuple(found) for title, found in _table()["titles"].items()}


@cache
def agents() -> frozenset[str]:
    """Verbs that are nouns for whoever does them."""
    return frozenset(_table()["people"]["agents"])


@cache
def unit_measure(unit: str) -> tuple[str, ...]:
    """What a unit in the singular measures: "metre" is of length, "pound" of mass and of money."""
    return tuple(measure for measure, names in _table()["measures"].items() if unit in names)


@cache
def measures_of(word: str) -> tuple[str, ...]:
    """What an adjective or a noun of a quantity measures: "long" is of time and of length."""
    return tuple(measure for measure, names in _table()["measured"].items() if word in names)


@cache
def light() -> frozenset[str]:
    """Words that may stay unexplained at little cost."""
    return frozenset(_table()["light"]["words"])


@cache
def general() -> frozenset[str]:
    """Words of questions about any graph: degrees, numbers of things, adjectives."""
    phrases = [
        *adjectives(),
        *_meanings("degree"),
        *_meanings("functions"),
        *_meanings("comparisons"),
        *_table()["nouns"],
    ]
    return frozenset(word for each in phrases for word in each.split() if word.isalpha())


@cache
def _meanings(part: str) -> dict[str, str]:
    """A table of phrases by what they mean, turned round."""
    return {phrase: meaning for meaning, phrases in _table()[part].items() for phrase in phrases}


def meaning_of(part: str, text: str) -> str | None:
    """What a phrase means in one table of reading_words.toml; None where it is not in there."""
    return _meanings(part).get(text)


def phrase(tokens: Sequence[Token], first: int, last: int) -> str:
    return " ".join(token.text for token in tokens[first:last])


_TOKEN = re.compile(
    r"(?<!\w)'(?P<single>[^'\n]+(?:'s[^'\n]*)?)'(?!\w)|\"(?P<double>[^\"\n]+)\"|\u2018(?P<curly>[^\u2019\n]+)\u2019"
    r"|\u201c(?P<curled>[^\u201d\n]+)\u201d"
    r"|(?P<word>['\u2019]s\b|\d{1,3}(?:[ \u00a0]000)+(?!\d)"
    r"|-?\d(?:[\d,]*\d)?(?:\.\d+)?%?|[^\W_](?:[\w&]|['\u2019](?!s\b)(?=\w)|[-./](?=\w))*|[<>]=?|=|\$|(?<=what )%|^%)"
)
_NUMBER_OF = re.compile(r"\.?\s+of\b|\.\s*(?=\d)", re.I)
"""What stands behind "no" if it is short for "number"."""


def tokens(question: str) -> list[Token]:
    """Words, numbers, signs of comparison, a possessive's ending, and quoted texts as one token each."""
    found = []
    for match in _TOKEN.finditer(question):
        word = match["word"]
        if word is None:
            text = next(match[name] for name in ("single", "double", "curly", "curled") if match[name])
            found.append(Token(text, match.start(), match.end(), quoted=True))
        else:
            text = word.lower().replace("\u2019", "'")
            text = "is" if text == "'s" and found and found[-1].text in QUESTION_WORDS else text
            if text == "longer" and found and found[-1].text == "no":
                found[-1] = Token("not", found[-1].start, match.end())  # "no longer active"
                continue
            text = "number" if text == "no" and _NUMBER_OF.match(question, match.end()) else text
            found.append(Token(text, match.start(), match.end()))
    return found
