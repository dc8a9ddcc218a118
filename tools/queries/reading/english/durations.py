"""Other words for how long something takes: "the time to ship of order 7" for "how long did order 7 take to ship"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.numbers import number

_TAKING = frozenset({"take", "takes", "took", "taken", "taking", "needed", "need", "needs"})
_LASTING = frozenset({"lasted", "lasting", "last", "lasts", "stayed", "staying", "took", "taking"})
_LASTS = frozenset({"take", "takes", "last", "lasts"})
_SPANS = frozenset({"long", "days", "hours", "minutes", "weeks", "months", "time"})
_DOING = frozenset({"do", "does", "did", "will", "has", "have"})
_USUALLY = frozenset({"usually", "normally", "typically", "generally", "average"})
_EXTREMES = {
    "longest": "highest", "most": "highest", "shortest": "lowest", "least": "lowest", "fewest": "lowest",
    "quickest": "lowest", "fastest": "lowest", "slowest": "highest",
}  # fmt: skip
_BOUNDS = {
    ("more", "than"): (), ("over",): (), ("less", "than"): (), ("fewer", "than"): (), ("under",): (),
    ("at", "least"): (), ("at", "most"): (), ("within",): ("at", "most"), ("longer", "than"): ("more", "than"),
    ("up", "to"): (), ("no", "more", "than"): (), ("exactly",): (),
}  # fmt: skip
"""Words before a number of days, and what is said for them where they are not read as they stand."""
_DAYS = {"day": 1, "days": 1, "week": 7, "weeks": 7, "fortnight": 14}
_FILLERS = frozenset({"be", "get", "being", "it", "was", "until", "for", "the", "a", "an", "to"})


def lasts(tokens: Sequence[Token], place: int) -> bool:
    """Whether a verb says no more than "how long" before it: "how long does an appointment *take*"."""
    if tokens[place].text not in _LASTS:
        return False
    before = {token.text for token in tokens[:place]}
    return "how" in before and not _SPANS.isdisjoint(before)


def in_days(tokens: Sequence[Token], is_property: Callable[[str], bool]) -> list[Token]:
    """The words of a question with what something takes as a property of it.

    Args:
        tokens: The words.
        is_property: Whether a phrase such as "time to ship" names a property.
    """
    texts = [token.text for token in tokens]
    for place, (token, text) in enumerate(zip(tokens, texts, strict=True)):
        if text in _TAKING and (done := _done(texts, place + 1, is_property)) is not None:
            return _taken(tokens, texts, place, *done) or list(tokens)
        if (
            text in _LASTING
            and is_property("calculated duration")
            and (amount := _amount(tokens, place + 1, len(texts)))
        ):
            before = [token for token in tokens[:place] if token.text not in ("that", "which")]
            return [*before, *_words(token, "with", "duration"), *amount[0], *tokens[amount[1] :]]
    return _within(tokens, texts, is_property) or list(tokens)


def _done(texts: Sequence[str], start: int, is_property: Callable[[str], bool]) -> tuple[int, int] | None:
    """Where "to" stands behind "take", and where the verb behind it ends."""
    to = next((i for i in range(start, len(texts)) if texts[i] in ("to", "until", "till", "before")), None)
    for last in range((to or 0) + 1, min((to or 0) + 4, len(texts))) if to is not None else ():
        if is_property(f"time to {texts[last]}"):
            return to or 0, last + 1
        if texts[last] not in _FILLERS:
            return None
    return None


def _taken(tokens: Sequence[Token], texts: Sequence[str], take: int, to: int, end: int) -> list[Token] | None:
    """ "orders with time to ship more than 10", "time to ship of order 7", "order with the highest time to ship"."""
    time = [replace(tokens[to], text=text) for text in ("time", "to")] + [tokens[end - 1]]
    between, after = list(texts[take + 1 : to]), list(tokens[end:])
    asked = texts[:2] == ["how", "long"] or texts[:3] == ["how", "many", "days"]
    doing = next((i for i in range(2, take) if texts[i] in _DOING), None) if asked else None
    if doing is not None:
        of = list(tokens[doing + 1 : take])
        words = {token.text for token in (*of, *after)} | set(between)
        whose = after if {token.text for token in of} <= {"it", *_USUALLY} else [*of, *after]
        average = [_said(tokens[0], "average")] if words & _USUALLY or not whose else []
        whose = [token for token in whose if token.text not in ("a", "an", *_USUALLY)]
        lead = [_said(tokens[0], "what"), _said(tokens[0], "is"), *(average or [_said(tokens[0], "the")])]
        return [*lead, *time, *([_said(tokens[to], "of")] if whose else []), *whose]
    extreme = [_EXTREMES[text] for text in between if text in _EXTREMES]
    if extreme and set(between) <= {"the", "time", "long", "days", *_EXTREMES}:
        return [*tokens[:take], *_words(tokens[take], "has", "the", extreme[0]), *time, *after]
    amount = _amount(tokens, take + 1, to)
    if amount is None or amount[1] != to:
        return None
    before = [token for token in tokens[:take] if token.text not in ("that", "which") or token is tokens[0]]
    return [*before, _said(tokens[take], "with"), *time, *amount[0], *after]


def _within(tokens: Sequence[Token], texts: Sequence[str], is_property: Callable[[str], bool]) -> list[Token] | None:
    """ "orders with time to ship at most 3" for "orders shipped within 3 days", "… 3 days after they were placed"."""
    for place in range(1, len(texts) - 1):
        if number(texts[place]) is not None or not is_property(f"time to {texts[place]}"):
            continue
        amount = _amount(tokens, place + 1, len(texts))
        if amount is None:
            continue
        bounded, end = amount
        within = texts[place + 1] == "within"
        if (end < len(texts) and texts[end] not in ("after", "of", "from", "since")) or (
            end == len(texts) and not within
        ):
            continue
        before = [token for token in tokens[:place] if token.text not in ("that", "which", "were", "was", "are", "is")]
        lead = before if tokens[0].text not in ("which", "what") else [tokens[0], *before]
        return [*lead, *_words(tokens[place], "with", "time", "to"), tokens[place], *bounded]
    return None


def _amount(tokens: Sequence[Token], first: int, end: int) -> tuple[list[Token], int] | None:
    """ "more than 10 days": the comparison with the number of days, and the word behind it."""
    texts = [token.text for token in tokens[:end]]
    for size in (3, 2, 1, 0):
        bound = tuple(texts[first : first + size])
        if size and bound not in _BOUNDS:
            continue
        at = first + size
        value = (1.0 if texts[at] in ("a", "an") else number(texts[at])) if at + 1 < end else None
        if value is None or texts[at + 1] not in _DAYS:
            continue
        days = replace(tokens[at], text=f"{value * _DAYS[texts[at + 1]]:g}")
        said = _BOUNDS.get(bound, ()) or bound or ("exactly",)
        return [*_words(tokens[first], *said), days], at + 2
    return None


def _said(token: Token, text: str) -> Token:
    return replace(token, text=text, end=token.start)


def _words(token: Token, *texts: str) -> list[Token]:
    return [_said(token, text) for text in texts]
