"""The properties that a question word asks for: "when", "what time", "where", "why", "how many people"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import adjectives, nouns, phrase, quantities, stating_verbs
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.values import DATES, WEEKDAYS, holds_clock_times, holds_years

_ENDING = frozenset(
    {"end", "ends", "ended", "finish", "finished", "closed", "closing", "left", "expiry", "expires", "until", "due"}
)
AN_END = 0.02
"""What it costs that a date is an end: "when did it take place?" asks for its beginning."""
_GENERAL = frozenset({"date", "day", "year", "place", "time"})
_ASKING = {
    "when": ("date", "year", "day"),
    "since when": ("date", "year"),
    **dict.fromkeys(("what year", "which year"), ("date", "year")),
    **dict.fromkeys(("what date", "which date"), ("date",)),
    **dict.fromkeys(("dates of", "date of", "the dates of", "the date of"), ("date",)),
    **dict.fromkeys(("what day", "which day"), ("date", "day")),
    **dict.fromkeys(("what time", "which time", "at what time", "what hour"), ("time",)),
}
_DOING = ("what does", "what did", "what do")
_DONE = ("role", "job", "position", "instrument", "function", "duty", "title", "profession", "occupation")
_BEGUN = (
    "since", "hired", "hire", "joined", "start", "from", "founded", "formed", "established", "appointed", "admitted",
    "opened",
)  # fmt: skip
_NUMBER = ("what number", "which number")
_WHEREABOUTS = (
    "city", "town", "address", "location", "place", "venue", "room", "building", "site", "shelf", "bay", "region",
    "district", "country",
)  # fmt: skip
_WORKPLACES = (
    "workplace", "employer", "institute", "institution", "affiliation", "company", "organisation", "organization",
    "university", "firm", "hospital", "school", "office",
)  # fmt: skip
_TURNING_OUT = (("turn", "out"), ("work", "out"), ("come", "out"), ("pan", "out"))
_RESULTS = ("result", "outcome", "verdict", "status", "score")
_BASED, _SEATS = frozenset({"based", "headquartered"}), ("headquarters", "head office", "seat")
_WORKING = frozenset({"work", "works", "working", "worked", "employed"})
_ORIGINS = ("nationality", "origin", "hometown", "home town", "birthplace", "country")
_DATED = frozenset({"since", "year", "date", "on", "day", "start", "from"})
_PURCHASE = frozenset({"cost", "purchase", "buying", "bought", "wholesale"})
_BOUGHT = 0.3
"""What a purchase price costs more than the price at which a thing is sold."""
_LEAST_BASE = 4
"""Letters that an adjective and its noun share: "severe", "severity"."""
_UNNAMED, _OF_EDGE = 0.7, 0.05
"""What it costs that a property is not named at all: of a node, and of a relationship."""


def asked_properties(
    text: str, behind: Sequence[str], words: SchemaWords
) -> Iterator[tuple[tuple[PropertyChoice, ...], float]]:
    """The properties that a phrase asks for, the likeliest first, with how much of a guess that is.

    Args:
        text: The phrase.
        behind: The words behind it.
        words: The names of the schema.
    """
    doing = text in _DOING and "do" in behind and "living" not in behind
    found = [
        (_times(text, words) if text in _ASKING else [], 0.3),
        (_whereabouts(text, behind, words), 0.5),
        (_doers(behind, words) if text == "who" else [], 0.2),
        (_outcomes(words) if text == "how did" and tuple(behind[-2:]) in _TURNING_OUT else [], 0.2),
        (words.property("reason") if text == "why" else [], 0.3),
        (_degrees(text, words), 0.2),
        ([c for name in _DONE for c in words.named(name) if c.kind == "text"] if doing else [], 0.5),
        (
            [c for c in words.choices if {"number", "no"} & set(identifier_words(c.name))] if text in _NUMBER else [],
            0.3,
        ),
        (_paid_last([c for name in quantities().get(text, ()) for c in words.named(name) if c.kind != "text"]), 0.0),
    ]
    yield from ((tuple(choices), guess) for choices, guess in found if choices)


def _whereabouts(text: str, behind: Sequence[str], words: SchemaWords) -> list[PropertyChoice]:
    """What "where" asks for, or "where … from"."""
    if text == "where" and not set(stating_verbs("destination")).isdisjoint(behind[-2:]):
        ends = [c for c in words.named("destination") if c.kind == "text"]
        if ends:
            return ends
    if behind[-1:] and behind[-1] not in PREPOSITIONS and root(behind[-1]) in words.verbs:
        return []  # "Where does X work?", where people work at companies
    if text == "where" and not _BASED.isdisjoint(behind[-1:]):
        seats = [c for name in _SEATS for c in words.named(name) if c.kind == "text"]
        if seats:
            return seats
    names: tuple[str, ...] = (*_ORIGINS, *_WHEREABOUTS) if behind[-1:] == ["from"] else _WHEREABOUTS
    names = (*_WORKPLACES, *_WHEREABOUTS) if not _WORKING.isdisjoint(behind[-1:]) else names
    return [c for name in names for c in words.named(name) if c.kind == "text"] if text == "where" else []


def _doers(behind: Sequence[str], words: SchemaWords) -> list[PropertyChoice]:
    """The texts that "who" asks for by their verb: `builder` in "who built it", where no relation says who did."""
    did = {root(word) for word in behind[:1] if word not in PREPOSITIONS and root(word) not in words.verbs}
    texts = [(c, identifier_words(c.name)[-1:]) for c in words.choices if c.kind == "text" and did]
    return [c for c, last in texts for word in last if word.endswith(("er", "or")) and root(word) in did]


def _outcomes(words: SchemaWords) -> list[PropertyChoice]:
    """What "how did it turn out" asks for."""
    return [c for name in _RESULTS for c in words.named(name) if c.kind == "text"]


def beginnings(words: SchemaWords) -> tuple[PropertyChoice, ...]:
    """When something began, the earliest of which is the longest."""
    return tuple(replace(choice, descending=False) for name in _BEGUN for choice in words.named(name))


def _degrees(text: str, words: SchemaWords) -> list[PropertyChoice]:
    """ "How severe": the texts that are named after an adjective."""
    lead, _, adjective = text.partition(" ")
    if lead != "how" or " " in adjective or (adjective in adjectives() and words.adjective(adjective)):
        return []
    base = adjective.rstrip("ey")
    texts = [choice for choice in words.choices if choice.kind == "text"] if len(base) >= _LEAST_BASE else []
    return [choice for choice in texts if any(word.startswith(base) for word in identifier_words(choice.name))]


def _paid_last(choices: list[PropertyChoice]) -> list[PropertyChoice]:
    """What something costs whoever sells it costs more, beside its price: "how much is it" asks for the list price."""
    priced = {
        c.label
        for c in choices
        if "price" in identifier_words(c.name) and not _PURCHASE & set(identifier_words(c.name))
    }
    return [
        replace(c, cost=c.cost + _BOUGHT) if c.label in priced and _PURCHASE & set(identifier_words(c.name)) else c
        for c in choices
    ]


def lacking(tokens: Sequence[Token], words: SchemaWords) -> frozenset[int]:
    """The places of the words that are the usual name of a property that the graph lacks: "date of birth"."""
    found: set[int] = set()
    for first in range(len(tokens)):
        for size in (2, 3):
            text = phrase(tokens, first, first + size)
            general = size == 2 or tokens[first].text in _GENERAL  # "A kind of food" may be the kind of a Food.
            if first + size <= len(tokens) and general and text in nouns() and not words.property(text):
                found |= {*range(first, first + size)}
    return frozenset(found)


def _times(text: str, words: SchemaWords) -> list[PropertyChoice]:
    """The dates, years, days of the week or times of day; those of relationships are likelier, and beginnings a little
    likelier than ends."""
    return [
        PropertyChoice(owned.label, owned.name, (_OF_EDGE if edge else _UNNAMED) + AN_END * is_end(owned.name),
                       of_relation=edge, kind="date")
        for owned, edge in words.properties
        if _kind(owned, edge) in _ASKING[text]
    ]  # fmt: skip


def is_end(name: str) -> bool:
    """Whether a date is called an end."""
    return not _ENDING.isdisjoint(identifier_words(name))


def _kind(owned: Property, edge: bool) -> str:
    """What a property holds: "date", "year", "day" of the week, "time" of day, or "" for anything else."""
    words = set(identifier_words(owned.name))
    texts = {str(each).lower() for each in owned.examples if each is not None}
    if holds_clock_times(owned):
        return "time"
    if texts and texts <= WEEKDAYS:
        return "day"
    if owned.type in DATES:
        return "date"
    if holds_years(owned):
        return "year"
    return "date" if edge and words & _DATED else ""
