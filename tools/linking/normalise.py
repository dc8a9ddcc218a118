"""One spelling for names that differ only in case, accents, punctuation or snake/camel case."""

from __future__ import annotations

import re
import unicodedata

_APOSTROPHES = "'\u2019\u2018`\u00b4\u02bc\uff07"
_LETTERS = {"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "\u0131": "i", "ħ": "h", "ŧ": "t"}
_FOLDED = str.maketrans(_LETTERS)
_ASCII = str.maketrans(
    {chr(i): " " for i in range(128) if not chr(i).isalnum()} | dict.fromkeys("'`", "") | {"&": " and "}
)
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]")
"""Marks that writers leave out; the vowel signs of Indic scripts and the Japanese voicing marks are not of them."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
ARTICLES = ("the", "a", "an")
_ARTICLE = re.compile(r"(?:the|an|a) (?=\S)")
_INVERTED = re.compile(r"^(.+), (the|an?)(?=$| \()", re.IGNORECASE)
_QUALIFIER = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")
_LEGAL_FORM = re.compile(
    r",?\s+(?:Inc|Incorporated|Ltd|Limited|LLC|LLP|PLC|Corp|Corporation|Co|Company|GmbH|AG|KG|SE|S\.?A|S\.?p\.?A|"
    r"S\.?r\.?l|B\.?V|N\.?V|A\.?B|A/S|Oy|Pty Ltd|Pvt Ltd)\.?$",
    re.IGNORECASE,
)


def fold(text: str) -> str:
    """Lower case without accents; every run of other signs is one space, apostrophes vanish, `&` is `and`.

    snake_case and camelCase identifiers become words. A text of signs alone (`!!!`) stays as it is.
    Idempotent: fold(fold(x)) == fold(x).
    """
    words = _words(split_camel(text))
    return words or " ".join(text.casefold().split())


def compact(folded: str) -> str:
    """A folded text without its spaces: `m a s h` and `mash` are one spelling."""
    return folded.replace(" ", "")


def without_article(folded: str) -> str:
    """`the harvey girls` to `harvey girls`; other texts unchanged."""
    return _ARTICLE.sub("", folded, count=1) if _ARTICLE.match(folded) else folded


def short_forms(name: str) -> list[str]:
    """Spellings that people use for a catalogue name.

    `Matrix, The (1999)` gives `The Matrix (1999)` and `The Matrix`; `Acme Ltd.` gives `Acme`.
    """
    forms = []
    if ", " in name and (inverted := _INVERTED.sub(r"\2 \1", name)) != name:
        forms.append(inverted)
    plain = forms[-1] if forms else name
    if plain.rstrip()[-1:] in (")", "]") and (bare := _QUALIFIER.sub("", plain)) and bare != plain:
        forms.append(bare)
    if " " in plain and (firm := _LEGAL_FORM.sub("", plain)) and firm != plain:
        forms.append(firm)
    return forms


def is_word_character(character: str) -> bool:
    """A letter, a digit, or a mark that belongs to a letter."""
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def split_camel(text: str) -> str:
    if text.islower() or " " in text:
        return text
    return _CAMEL.sub(" ", text)


def _words(text: str) -> str:
    if text.isascii():
        return " ".join(text.lower().translate(_ASCII).split())
    plain = _decompose(_decompose(text).casefold()).translate(_FOLDED)
    return " ".join(_signs_to_spaces(plain).split())


def _decompose(text: str) -> str:
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text))


def _signs_to_spaces(text: str) -> str:
    kept = []
    for character in text:
        if is_word_character(character):
            kept.append(character)
        elif character == "&":
            kept.append(" and ")
        elif character not in _APOSTROPHES:
            kept.append(" ")
    return "".join(kept)


def of_other_number(text: str, name: str) -> bool:
    """Whether both contain digits, and not the same: "AU999" is not a misspelling of "AU199"."""
    one, other = (re.sub(r"\D", "", each) for each in (text, name))
    return one != other and bool(one) and bool(other)
