"""Short forms in the names of properties: `dep_time`, `rwy_count`, `ff_tier`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from clew.tools.graph.abbreviations import abbreviations, in_full
from clew.tools.graph.identifiers import identifier_words
from clew.tools.linking.ordinary import is_english
from clew.tools.queries.calculated import Calculated
from clew.tools.queries.reading.english.words import rates, unit_names, units

_LEAST_START = 3
"""Letters of a short form that is the beginning of a word, or the initials of a whole phrase; of one without vowels,
and of the initials of a part, two are enough."""
_LEAST_LEFT_OUT = 2
_NEAR = 4
"""Letters of a word among which the second one of two must stand."""
_AMBIGUOUS = frozenset({"cat"})
"""Short forms of several words: `cat_no` is no number of a category."""
_HEADS = frozenset({"head", "person"})
"""What people are counted by in prices."""
_VOWELS = frozenset("aeiou")


def full_words(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a name with the usual short forms written out: "departure time" of `dep_time`."""
    full = in_full(words)
    if len(words) > 1 and words[-1] in units() and full[-1] not in units():
        full = (*full[:-1], words[-1])  # `dur_min` is in minutes.
    return full


def written_out(name: str) -> str:
    """A property's name for people: "credit limit" of `crLimit`."""
    if isinstance(name, Calculated):
        return name
    words = identifier_words(name)
    return " ".join(words if _AMBIGUOUS & set(words) else full_words(words)) or name


def is_short(word: str) -> bool:
    """Whether a word in a name is a short form that nobody writes out: no English word and no unit."""
    return word.isalpha() and len(word) > 1 and not (word in units() or word in abbreviations() or is_english(word))


def of_period(phrase: str) -> str | None:
    """A phrase with the period that its first word is an adjective of: "hour price" for "hourly price"."""
    first, _, rest = phrase.partition(" ")
    period = next((said[-1] for said in rates().values() if first in said[:-1]), None)
    return f"{period} {rest}" if rest and period else None


@lru_cache(maxsize=16384)
def shortens(short: str, word: str) -> bool:
    """Whether a word may be written so short: by its beginning ("elev"), or its first letter and consonants ("rwy")."""
    if short[0] != word[0] or len(word) - len(short) < _LEAST_LEFT_OUT or short in rates():
        return False
    if len(short) >= _LEAST_START and word.startswith(short):
        return True
    letters = iter(word[1 : _NEAR if len(short) < _LEAST_START else None])  # "nm" of "name", not "cs" of "customers"
    return not _VOWELS & set(short[1:]) and all(letter in letters for letter in short[1:])


def starts(shorts: Sequence[str], words: Sequence[str]) -> bool:
    """Whether some words of a name are the beginnings of the words of a phrase, and the others the same."""
    if len(shorts) != len(words) or list(shorts) == list(words):
        return False
    pairs = list(zip(shorts, words, strict=True))
    return all(word == short or (len(short) >= _LEAST_START and word.startswith(short)) for short, word in pairs)


def shortened(phrase: str, shorts: Sequence[str]) -> Iterator[str]:
    """A phrase with a word, or several with these initials, in a short form: "ff miles" of "frequent flyer miles"."""
    words = phrase.split()
    for short in shorts:
        if any(word in rates().get(short, ()) for word in words):  # "annual cover", "monthly premium"
            yield " ".join((*(word for word in words if word not in rates()[short]), short))
        for i, word in enumerate(words):
            if shortens(short, word):
                yield " ".join((*words[:i], short, *words[i + 1 :]))
            initials = short not in rates() and len(words) + (len(short) >= _LEAST_START) > len(short)
            if initials and [each[0] for each in words[i : i + len(short)]] == list(short):
                yield " ".join((*words[:i], short, *words[i + len(short) :]))


def said_per(words: Sequence[str]) -> list[str]:
    """ "Seed price per kilo", of `seedPriceEuroPerKg`; "cost per head", of `cost_pp`."""
    words = full_words(words)
    if "per" not in words[1:-1]:
        return []
    place = words.index("per")
    before = [word for word in words[:place] if word not in units() and word not in unit_names()]
    named = [words[-1], *(name for name, number in unit_names().get(words[-1], ()) if number == 1)]
    named += sorted(_HEADS - {words[-1]}) if words[-1] in _HEADS else []
    return [" ".join((*before, "per", name)) for name in named] if before else []
