"""Differences between the ends of an order, and ratios: "the price gap between the dearest and the cheapest tool"."""

from __future__ import annotations

import re
from typing import Literal

SUPERLATIVE = r"(?:(?:most|least) [a-z]+|[a-z]+est|best|worst)(?:-[a-z]+)?"
Ends = Literal["", "ends", "first two", "both"]
"""Whether the difference between the greatest and the least of an order is asked for, or that between its first two; or
both ends themselves."""
_LOW_AND_HIGH = (
    (
        {"first", "oldest", "earliest"},
        {"last", "final", "latest", "newest", "youngest", "most recent", "most recently"},
    ),
    ({"cheapest", "least expensive"}, {"dearest", "priciest", "costliest", "most expensive"}),
    ({"lowest", "smallest", "least", "fewest"}, {"highest", "largest", "biggest", "greatest", "most"}),
    ({"shortest"}, {"longest", "tallest"}), ({"slowest"}, {"fastest", "quickest"}), ({"lightest"}, {"heaviest"}),
    ({"worst"}, {"best"}), ({"poorest"}, {"richest", "wealthiest"}), ({"youngest"}, {"oldest", "eldest"}),
    ({"weakest"}, {"strongest"}), ({"quietest"}, {"busiest"}), ({"shallowest"}, {"deepest"}),
)  # fmt: skip
_DEGREE = rf"(?:{SUPERLATIVE}|first|last|final)"
_UNITS = (
    r"(?:years|months|weeks|days|hours|minutes|metres|meters|kilometres|kilometers|miles|euros|pounds|dollars|points)"
)
_GAP = r"(?:gap|difference|distance|spread|range|margin|disparity)"
_ITS = r"(?:(?:the|our|their|its) )?"
_LEADS = (
    rf"{_GAP} in (?P<property>[a-z][\w' -]*?)(?P<of> between )",
    rf"(?P<property>\b(?!the\b|a\b|what\b|is\b|[a-z]+est\b)[a-z][\w'-]*)(?P<of> {_GAP}(?:,? in \w+,?)? between )",
    rf"(?:what(?:'s| is| was) )?(?:the )?(?<!est ){_GAP} between ",
    rf"\A\W*(?:how many )?{_UNITS} between ",
    r"how (?:far|many \w+|much|long) (?:apart )?(?:are|is|lie|lies|was|were|passed|separates?|falls?)"
    r"(?: there)?(?: apart)?(?: between)? ",
)
_TWO = (
    rf"(?P<the>{_ITS})(?P<first>{_DEGREE})(?P<noun>(?: [\w'-]+){{0,4}}?),? "
    rf"and (?:of )?{_ITS}(?P<other>{_DEGREE}|runner-?up|second(?:[ -]{SUPERLATIVE})?"
    rf"|next(?: {SUPERLATIVE})?|number two)(?: ones?\b)?"
)
_BOTH = re.compile(
    rf"(?P<the>{_ITS})(?:very )?(?P<first>{_DEGREE})(?P<noun>(?: [\w'-]+){{0,6}}?),? "
    rf"and (?:(?:what|which|who|when|where)(?: one)?(?: (?:was|is|were|are|did|does))? )?{_ITS}(?:very )?"
    rf"(?P<other>{_DEGREE})(?: ones?\b)?",
    re.IGNORECASE,
)
_BETWEEN = tuple(re.compile(lead + _TWO, re.IGNORECASE) for lead in _LEADS)
_TIMES = re.compile(r"\bhow many times(?= (?:as |more |less |the |[a-z]+er\b))", re.IGNORECASE)


def between_ends(question: str) -> tuple[str, Ends]:
    """A question for the difference between two ends as one for the first end; of other questions the same text.

    "The price of our dearest tool" stands for "the price gap in euros between our dearest and our cheapest tool"; the
    offsets of what is left stay.
    """
    found = next(filter(None, (pattern.search(question) for pattern in _BETWEEN)), None)
    both = found is None
    if found is None and (found := _both(question)) is None:
        return question, ""
    groups, end = found.groupdict(), found.end()
    kept = [found.span(name) for name in ("property", "the", "first", "noun") if groups.get(name)]
    noun = found["noun"].split()[-1:]
    if noun and (again := re.match(rf"\s+{re.escape(noun[0])}\b", question[end:], re.IGNORECASE)):
        end += again.end()
    kept += [(0, found.start()), (end, len(question))]
    text = [each if any(first <= i < last for first, last in kept) else " " for i, each in enumerate(question)]
    if groups.get("property"):
        at = found.start("of") + 1
        text[at : at + 2] = "of"
    second = found["other"].lower().startswith(("runner", "second", "next", "number"))
    if both and not question[: found.start()].rstrip().lower().endswith("between"):
        return "".join(text), "both"
    return "".join(text), "first two" if second else "ends"


def _both(question: str) -> re.Match[str] | None:
    """The first and the last, the cheapest and the dearest: two ends of one order."""
    found = _BOTH.search(question)
    said = {found["first"].lower(), found["other"].lower()} if found is not None else set()
    opposite = any(said & low and said & high and said <= low | high for low, high in _LOW_AND_HIGH)
    return found if opposite and len(said) > 1 else None


def with_difference(question: str) -> tuple[str, bool]:
    """ "How much" for "how many times", and whether it was there."""
    found = _TIMES.search(question)
    if found is None:
        return question, False
    return question[: found.start()] + "how much".ljust(len(found.group())) + question[found.end() :], True
