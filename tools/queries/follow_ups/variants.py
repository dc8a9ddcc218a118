"""A follow-up with the word "them" wherever it speaks of an earlier set."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from clew.tools.queries.lexical import Span

MARK = "them"
Kind = Literal["", "person", "thing", "product"]
"""What the words say of the set: people, things, or things that somebody makes, which people never are."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A question with "them" in the place of an earlier set."""

    text: str
    spans: tuple[Span, ...]
    """Where "them" stands."""
    cost: float = 0.0
    single: bool | None = None
    """Whether one node is meant; None where the words do not say."""
    kind: Kind = ""
    noun: str = ""
    """The kind of thing that is meant, in its own word: "those doctors"."""
    said: bool = True
    """Whether the question itself refers to the set, rather than leaving it out."""
    sorts: Literal["", "up", "down", "read"] = ""
    """Whether the whole set is asked for in this order, or in that which is read for the first of it."""
    adds: bool = False
    """Whether it can only say more of the set, so that a form about anything else is wrong."""

    def called(self, name: str) -> tuple[str, tuple[Span, ...]]:
        """The question with a name wherever it has "them", and the spans of the name."""
        text, spans, end = "", [], 0
        for start, last in self.spans:
            text += self.text[end:start]
            spans.append((len(text), len(text) + len(name)))
            text, end = text + name, last
        return text + self.text[end:], tuple(spans)


PLACE = "\x01"
"""Stands for "them" while a text is rewritten."""


def variant(text: str, **about: object) -> Variant:
    """A variant of a text with PLACE wherever the set is meant."""
    text = re.sub(r"\s+", " ", text.replace(PLACE, f" {PLACE} ")).replace(f"{PLACE} 's", f"{PLACE}'s").strip()
    parts = text.split(PLACE)
    written, spans = parts[0], []
    for part in parts[1:]:
        spans.append((len(written), len(written) + len(MARK)))
        written += MARK + part
    return Variant(written, tuple(spans), **about)  # type: ignore[arg-type]


def partial_variant(*, said: bool) -> Callable[..., Variant]:
    """Makes variants of which `said` is the same."""

    def made(text: str, **about: object) -> Variant:
        return replace(variant(text, **about), said=said)

    return made
