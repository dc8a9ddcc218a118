"""The sentence of a text that asks."""

from __future__ import annotations

import re

_ASKS_FOR_NAMES = re.compile(
    r"\s*(?:and |if so,? )?(?:which|who|what|where)(?: ones?)?(?: are they)?\W*", re.IGNORECASE
)
_BEGINS_ASKING = re.compile(
    r"(?<=[a-z]{3})[.!:]\s+(?=(?:who|what|which|whose|where|when|why|how|is|are|was|were|do|does|did|has|have|had|can"
    r"|could|list|show|give|tell|name|find)\b)",
    re.IGNORECASE,
)
_CORRECTED = re.compile(r".*\b(?:i mean|i meant|or rather|no wait|sorry),?\s+(?=\w+\s+\w+\s+\w+)", re.I | re.S)
"""What somebody takes back: "How many captains… I mean, how many pilots are there?" """
_OF_BEFORE = re.compile(
    r"(?:what|which|who|when|where|how much) (?:is|are|was|were) (?:it|that|this|they|those)\W*", re.I
)
"""A question for what the sentence before it names: "I need the price of X. What is it?" """
_SHORTEST = 3
"""Words of a sentence that asks."""


def asking_sentence(text: str) -> tuple[str, bool]:
    """The first sentence that asks, where other sentences stand beside it; and whether what it asks about is to be
    named: "Are there any? Which?"

    What stands before it becomes blanks, so that offsets stay.
    """
    if (taken_back := _CORRECTED.match(text)) is not None:
        text = " " * taken_back.end() + text[taken_back.end() :]
    end = text.find("?") + 1
    if not end:
        return text, False
    start = max((match.end() for match in _BEGINS_ASKING.finditer(text, 0, end)), default=0)
    rest = text[end:]
    if len(text[start:end].split()) < _SHORTEST:
        return text, False
    if start and _OF_BEFORE.fullmatch(text, start, end):
        return text[:start].rstrip(" .!:") + " " * len(text[start:]), False
    named = bool(rest.strip()) and _ASKS_FOR_NAMES.fullmatch(rest) is not None
    return " " * start + text[start:end], named
