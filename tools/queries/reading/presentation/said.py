"""The words of a question that say how its answers are shown. Data: presentation_words.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from clew.tools.queries.lexical import load_toml
from clew.tools.queries.reading.presentation.apart import SUPERLATIVE, Ends, between_ends, with_difference

_YEARS = re.compile(r"\b(?:years?|age)\b", re.IGNORECASE)
LONGEST = 400
"""Characters of a question that may say how its answers are shown: patterns take long on a long text."""
FEW = 5
""" "A few" of them."""


@dataclass(frozen=True, slots=True)
class Presentation:
    """How answers are shown."""

    text: str
    """The question without the words that say it; blanks stand in their place, so that offsets stay."""
    order: str = ""
    """What is first: a superlative ("newest"), "name", "date", or a verb with a date ("hired") …"""
    of: str = ""
    """… the words behind a superlative: "seats" of "fewest seats first" …"""
    turned: bool = False
    """… and whether that is last."""
    some: int | None = None
    """How many are asked for, where any will do and the question gives no number."""
    percent: bool = False
    """Whether numbers of each are told as percentages of them all."""
    apart: Ends = ""
    """Of what the difference is asked for, where the rest asks for what a superlative means."""
    in_years: bool = False
    """Whether a difference of dates is told in years."""
    times: bool = False
    """Whether a difference is asked for as a ratio: "how many times"."""
    listed: bool = False
    """Whether the answers of a yes-or-no question are asked for: "which ones?"."""
    each: bool = False
    """Whether a number is asked for each of the values that are listed: "respectively"."""
    any_year: bool = False
    """Whether months are those of any year."""


def presentation(question: str) -> Presentation | None:
    """How a question says that its answers are shown; None where it says nothing about it, or nothing else."""
    shown = said_of_showing(question)
    return shown if shown.text != question and shown.text.strip() else None


@lru_cache(64)
def said_of_showing(question: str) -> Presentation:
    """All that a question says about how its answers are shown; nothing where it is very long."""
    if len(question) > LONGEST:
        return Presentation(question)
    text, ends = between_ends(question)
    text, times = with_difference(text)
    shown = Presentation(text, apart=ends, in_years=bool(ends and _YEARS.search(question)), times=times)
    for pattern, shows in _cues():
        if (found := pattern.search(shown.text)) is not None:
            left = shown.text[: found.start()] + " " * len(found.group()) + shown.text[found.end() :]
            shown = _shown(replace(shown, text=left), shows, found)
    return shown


def without_presentation(question: str) -> str:
    """A question without the words that say how its answers are shown."""
    shown = presentation(question)
    return question if shown is None else shown.text


@cache
def _cues() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = load_toml("reading.presentation", "presentation_words.toml")
    pieces = {"superlative": SUPERLATIVE, **table["pieces"]}

    def whole(pattern: str) -> str:
        return re.sub(r"\{([a-z]+)\}", lambda name: whole(pieces[name[1]]), pattern)

    return tuple(
        (re.compile(whole(said), re.IGNORECASE), cue["shows"]) for cue in table["cues"] for said in cue["said"]
    )


def _shown(shown: Presentation, shows: str, found: re.Match[str]) -> Presentation:
    """With what a cue says."""
    match shows.split():
        case ["percentages"]:
            return replace(shown, percent=True)
        case ["names"]:
            return replace(shown, listed=True)
        case ["each", "value"]:
            return replace(shown, each=True)
        case ["months", *_]:
            return replace(shown, any_year=True)
        case [what, "first" | "last" as place]:
            if shown.order:
                return shown  # "Biggest at the top, smallest at the bottom"
            said = {name: (text or "").strip().lower() for name, text in found.groupdict().items()}
            return replace(shown, order=said.get(what, what), of=said.get("of", ""), turned=place == "last")
        case _:
            number = FEW if shows == "few" else int(shows)
            return replace(shown, some=max(number, shown.some or 0))
