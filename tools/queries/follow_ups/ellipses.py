"""Questions that leave the set out which they are about: "which is the longest?", "in Texas?", "the three oldest"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from clew.tools.queries.follow_ups.variants import PLACE, Kind, Variant, partial_variant

_WHICH = re.compile(r"^(?P<word>which|what|who)(?:\s+ones?)?\s+(?P<next>[\w'\u2019]+)", re.I)
_COPULA = re.compile(r"^(?:which|what|who)(?:'s|\u2019s|\s+(?:is|are|was|were))\s+(?P<rest>(?:the\s+)?.+)$", re.I)
_SUPERLATIVE = re.compile(
    r"\b(?:\w+est|most|least|fewest|first|last|best|worst|latest|more|higher|lower|older|larger)\b", re.I
)
_PART = re.compile(
    r"^(?:in|on|at|from|with|without|by|for|to|of|under|over|above|below|before|after|since|between|until|during|within"
    r"|that|who|whose|where|which|directed|made|born|built|based|set|not|more|less|at least|at most|older|younger"
    r"|cheaper|longer|shorter|larger|smaller)\b",
    re.I,
)
_ASKS = re.compile(
    r"^(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|did|do|does|has|have|had)\b", re.I
)


_PLACED = re.compile(
    r"^(?P<word>in|on|at|from|to|for|by|with|under|against|of)\s+(?P<asked>(?:which|what)\s+\w+(?:\s+\w+)?)$", re.I
)
_OF_ITS_OWN = re.compile(
    r"^(?:of|among|out of|from) (?:all )?(?:the|our) (?P<what>[^,?]+), (?:which|who|what|how)\b", re.I
)


def elliptical(rest: str, is_kind: Callable[[str], bool]) -> Iterator[Variant]:
    """The ways in which a question that refers to nothing may leave the set out."""
    if (own := _OF_ITS_OWN.match(rest)) is not None and any(map(is_kind, own["what"].lower().split())):
        return  # "Of the suburban wards, which …"
    left_out = partial_variant(said=False)
    if match := re.match(r"^how many\s+(?=(?:is|are|was|were|have|has|had|do|did|won|of)\b)", rest, re.I):
        yield left_out(f"how many {PLACE} {rest[match.end() :]}", adds=True)
    match = _WHICH.match(rest)
    if match is not None and (match["word"].lower() == "which" or _SUPERLATIVE.search(rest)):
        behind = rest[match.start("next") :]
        if is_kind(match["next"]) and match["word"].lower() == "which" and _SUPERLATIVE.search(rest):
            of_kind = rest[match.end("next") :]
            yield left_out(f"which {PLACE} {of_kind}", cost=0.3, single=False, noun=match["next"], adds=True)
        if not is_kind(match["next"]):
            word = match["word"].lower()
            kind: Kind = "person" if word == "who" else ""
            yield left_out(f"which {PLACE} {behind}", cost=0.0 if word == "which" else 0.2, adds=True, kind=kind)
    if (match := _COPULA.match(rest)) and _SUPERLATIVE.search(match["rest"]):
        yield left_out(f"{match['rest']} {PLACE}", cost=0.1, adds=True)
    if match := _PLACED.match(rest):  # "In which city?"
        yield left_out(f"{match['asked']} is {PLACE} {match['word']}", cost=0.1)
        yield left_out(f"{rest} is {PLACE}", cost=0.2)
        return
    if _ASKS.match(rest) is None and is_kind(rest.split()[0]):
        return  # "Films with X": a question of its own.
    if _ASKS.match(rest) is None:
        bare = re.sub(r"^(?:the|a|an|any|some|those|these)\s+", "", rest, flags=re.I)
        if _SUPERLATIVE.search(rest):
            yield left_out(f"{rest} {PLACE}", adds=True)
        if _PART.match(bare):
            yield left_out(f"{PLACE} {bare}", adds=True)
            yield left_out(f"which {PLACE} are {bare}", cost=0.1, adds=True)
        else:
            yield left_out(f"which {PLACE} are {bare}", adds=True)
            yield left_out(f"{PLACE} with {bare}", cost=0.1, adds=True)
            yield left_out(f"{PLACE} in {bare}", cost=0.15, adds=True)
            yield left_out(f"{bare} {PLACE}", cost=0.2, adds=True)
        yield left_out(f"{rest} of {PLACE}", cost=0.3)
    else:
        yield left_out(f"{rest} of {PLACE}", cost=0.4)
        yield left_out(f"{rest} in {PLACE}", cost=0.45)
