"""A label in words, for people: "film", "films"."""

from __future__ import annotations

from clew.tools.queries.lexical import UNSPECIFIC_LABELS
from clew.tools.queries.reading.english.inflection import plural_of, singular
from clew.tools.queries.reading.english.short_forms import written_out
from clew.tools.queries.reading.forms.wider_labels import narrowed


def label_words(label: str, *, plural: bool) -> str:
    """One node of a label, or several, in words."""
    text = " or ".join(map(written_out, narrowed(label)))
    text = "thing" if text in UNSPECIFIC_LABELS else text
    return in_plural(text) if plural else text


def in_plural(text: str) -> str:
    """A kind of thing in the plural: its last word."""
    head, _, last = text.rpartition(" ")
    return " ".join(filter(None, (head, plural_of(singular(last)))))


def uncapitalised(text: str) -> str:
    return text[:1].lower() + text[1:]


def capitalised(text: str) -> str:
    """With a capital first letter; names in the text stay as they are."""
    return text[:1].upper() + text[1:]
