"""Verbs that say no more than "how long" before them."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.queries.lexical import Token

_LASTS = frozenset({"take", "takes", "last", "lasts"})
_SPANS = frozenset({"long", "days", "hours", "minutes", "weeks", "months", "time"})


def lasts(tokens: Sequence[Token], place: int) -> bool:
    """Whether a verb says no more than "how long" before it: "how long does an appointment *take*"."""
    if tokens[place].text not in _LASTS:
        return False
    before = {token.text for token in tokens[:place]}
    return "how" in before and not _SPANS.isdisjoint(before)
