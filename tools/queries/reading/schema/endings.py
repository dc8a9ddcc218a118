"""Dates on which something ended, if it has: `left_on`, `end_date`."""

from __future__ import annotations

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import SAMPLED
from clew.tools.queries.reading.english.short_forms import full_words
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_OVER = frozenset({
    "end", "ended", "to", "until", "left", "leaving", "closed", "terminated", "retired", "leave",
    "withdrawn", "termination", "resigned", "resignation", "exit", "finished",
})  # fmt: skip


def is_ending(name: str) -> bool:
    """Whether a property is called as one that tells when something ended."""
    return bool(set(full_words(identifier_words(name))) & _OVER)


def endings(label: str, words: SchemaWords) -> list[PropertyChoice]:
    """The date of a label on which its things ended, if some have not; at most one."""
    every = min(words.schema.labels.get(label, 0), SAMPLED)
    found = []
    for choice in words.comparable(label, dates=True):
        owned = words.choice(label, choice.name)
        ended = not choice.of_relation and is_ending(str(choice.name))
        if ended and owned is not None and owned.count < every:
            found.append(choice)
    return found[:1]
