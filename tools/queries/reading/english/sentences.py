"""The sentence of a text that asks."""

from __future__ import annotations

import re

_ASKS_FOR_NAMES = re.compile(
    r"\s*(?:and |if so,? )?(?:(?:which|who|what|where)(?: ones?)?(?: are they)?"
    r"|(?:please )?(?:list|name|show)(?: me)? them)\W*",
    re.IGNORECASE,
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
_GREETED = re.compile(r"\s*(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| all| team)?[,!.:]\s+", re.I)
_BEGINNING = re.compile(
    r"\s*(?:i|we|i'm|i\u2019m|we're|my|our)\b[^,?]{5,60},\s+"
    r"(?=(?:who|what|which|when|where|how|is|are|do|does|did|can)\b)",
    re.I,
)
_ENDING = re.compile(
    r"(?:,| -| \u2013)\s+(?:because |since |as )?(?:i|we)\s(?:need|want|have to|would|am|must|think)\b[^?]*$", re.I
)
"""What somebody says of themselves beside the question: "I need to send him an invoice"."""
_LOOKED_AT = re.compile(r"(?:(?:i am|i'm|i\u2019m|we're) looking at|look at|take|consider)\b", re.I)
_CHOICE = re.compile(r"\s(?:or|vs\.?|versus|v)\s", re.I)
LONGEST_TOPIC = 5
"""Words of what a question is about, before it."""
_SHORTEST = 3
"""Words of a sentence that asks."""


def asking_sentence(text: str) -> tuple[str, bool]:
    """The first sentence that asks, where other sentences stand beside it; and whether what it asks about is to be
    named: "Are there any? Which?"

    What stands before it becomes blanks, so that offsets stay.
    """
    for before in (_GREETED, _BEGINNING, _CORRECTED):
        if (found := before.match(text)) is not None:
            text = " " * found.end() + text[found.end() :]
    if (ending := _ENDING.search(text)) is not None and len(text[: ending.start()].split()) >= _SHORTEST:
        text = text[: ending.start()] + " " * len(ending.group())
    end = text.find("?") + 1
    if not end:
        return text, False
    start = max((match.end() for match in _BEGINS_ASKING.finditer(text, 0, end)), default=0)
    lead = text[:start].rstrip()
    if lead.endswith(":") and (_CHOICE.search(text, 0, start) or len(lead.split()) <= LONGEST_TOPIC):
        start = 0  # "A or B: which one has more?", "The Lobster Bill: how many pages?"
    if _LOOKED_AT.match(lead.strip()):
        start = 0  # "I'm looking at the films of X: which is the longest?"
    rest = text[end:]
    if len(text[start:end].split()) < _SHORTEST:
        return text, False
    if start and _OF_BEFORE.fullmatch(text, start, end):
        return text[:start].rstrip(" .!:") + " " * len(text[start:]), False
    named = bool(rest.strip()) and _ASKS_FOR_NAMES.fullmatch(rest) is not None
    return " " * start + text[start:end], named
