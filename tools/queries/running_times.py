"""Running times that a graph has as texts, such as "4:35", "1:42:08" and "1 h 20 min", as numbers of seconds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal, Self

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property
from clew.tools.queries.calculated import Expressed

Notation = Literal["colons", "units"]
"""Whether the parts of a time are joined by colons, or have units."""
_COLONS = re.compile(r"\d{1,3}:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?\Z")
_UNITS = re.compile(
    r"(?=\d)(?:(?P<hours>\d+(?:\.\d+)?)\s*(?:hours?|hrs?|h)(?![a-z])\s*,?)?"
    r"\s*(?:(?P<minutes>\d+(?:\.\d+)?)\s*(?:minutes?|mins?|m)(?![a-z])\s*,?)?"
    r"\s*(?:(?P<seconds>\d+(?:\.\d+)?)\s*(?:seconds?|secs?|s))?\Z",
    re.I,
)
_METRES = re.compile(r"[\d.]+\s*[ms]\Z", re.I)
"""What is as well a number of metres: "12 m"."""
_SPELT = (
    ("h", ("hours", "hour", "hrs", "hr")), ("m", ("minutes", "minute", "mins", "min")),
    ("s", ("seconds", "second", "secs", "sec")), ("", (" ", ",")),
)  # fmt: skip
"""Units in short, and what they replace."""
_PARTS = tuple(
    f"CASE WHEN {of} CONTAINS '{unit}' THEN toFloat(split({of}, '{unit}')[0]) * {seconds} ELSE 0.0 END"
    for of, unit, seconds in (
        ("text", "h", 3600), ("last(split(text, 'h'))", "m", 60), ("last(split(last(split(text, 'h')), 'm'))", "s", 1),
    )
)  # fmt: skip
_CLOCK = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d(?::00)?\Z")
_LASTING = frozenset(
    {"length", "duration", "runtime", "running", "lasting", "lasts", "pace", "lap", "split", "elapsed", "record", "pb",
     "cooking", "prep", "preparation", "baking", "playing", "play", "finish", "given", "taken", "spent", "net", "chip"}
)  # fmt: skip
"""Words in the names of properties that say how long something takes."""
_OF_DAY = frozenset(
    {"start", "starts", "begin", "begins", "end", "ends", "open", "opens", "opening", "close", "closes", "closing",
     "depart", "departs", "departure", "arrive", "arrives", "arrival", "at", "from", "to", "until", "by", "on", "off",
     "sunrise", "sunset", "kickoff", "check", "doors", "scheduled", "dep", "arr", "finishes", "in", "out"}
)  # fmt: skip
"""Words in the names of properties that say at which time of day something happens."""
_NOON = 12


class Lasting(Expressed):
    """The name of a property with running times as texts, wherever a number of seconds stands."""

    __slots__ = ("notation",)
    notation: Notation

    def __new__(cls, name: str, notation: Notation) -> Self:
        made = super().__new__(cls, name)
        made.notation = notation
        return made

    def __getnewargs__(self) -> tuple[str, Notation]:  # type: ignore[override]
        return str(self), self.notation

    def cypher(self, owner: str) -> str:
        own = f"toString({owner}.{quoted(str(self))})"
        if self.notation == "colons":
            return f"reduce(whole = 0.0, part IN split({own}, ':') | whole * 60 + toFloat(part))"
        text = f"toLower({own})"
        for unit, spelt in _SPELT:
            for each in spelt:
                text = f"replace({text}, '{each}', '{unit}')"
        return f"head([text IN [{text}] | CASE WHEN text IS NOT NULL THEN {' + '.join(_PARTS)} END])"

    def written(self, seconds: float) -> str:
        """A number of seconds in the notation of the property."""
        whole = round(seconds)
        hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
        if self.notation == "colons":
            return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
        parts = ((hours, "h"), (minutes, "min"), (rest, "s"))
        return " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 min"


def in_seconds(owned: Property) -> Property:
    """A property of running times as one of numbers of seconds; any other one as it is."""
    notation = _notation(owned)
    if notation is None:
        return owned
    seconds = tuple(_seconds(str(each), notation) for each in owned.examples if each is not None)
    return replace(owned, name=Lasting(owned.name, notation), type="FLOAT", examples=seconds)


def _notation(owned: Property) -> Notation | None:
    """How a property writes running times; None if it has none, or times of day."""
    texts = [str(each).strip() for each in owned.examples if each is not None]
    if owned.type != "STRING" or not texts:
        return None
    if all(_UNITS.match(text) for text in texts):
        return None if all(_METRES.match(text) for text in texts) else "units"
    if not all(_COLONS.match(text) for text in texts):
        return None
    words = set(identifier_words(owned.name))
    if words & _OF_DAY:
        return None
    if words & _LASTING:
        return "colons"
    return None if all(map(_may_be_clock, texts)) else "colons"


def _may_be_clock(text: str) -> bool:
    """Whether a text may be a time of day: "09:30", or "9:30" but not "0:45:10"."""
    first, *others = text.split(":")
    return bool(_CLOCK.match(text)) or (len(others) == 1 and 0 < int(first) <= 2 * _NOON)


def _seconds(text: str, notation: Notation) -> float:
    if notation == "colons":
        whole = 0.0
        for part in text.split(":"):
            whole = whole * 60 + float(part)
        return whole
    match = _UNITS.match(text)
    given = match.groupdict() if match is not None else {}
    scale = {"hours": 3600, "minutes": 60, "seconds": 1}
    return sum(float(given[unit] or 0) * each for unit, each in scale.items() if unit in given)
