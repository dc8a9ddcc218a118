"""The sentence of a text that asks."""

from __future__ import annotations

import re
from typing import NamedTuple

from clew.tools.queries.reading.english.courtesy import without_courtesy

_ASKS_FOR_NAMES = re.compile(
    r"\s*(?:and |if so,? )?(?:(?:which|who|what|where)(?: ones?)?(?: are they)?"
    r"|(?:please )?(?:list|name|show)(?: me)? (?:them|it|him|her)|tell me (?:which|who|what))\W*",
    re.IGNORECASE,
)
_END = (
    r"(?:(?<=[^\W\d_]{3})|(?<=\b(?:us|me|it|up|so|on|in))|(?<=\b\d{4}))"
    r"(?<!\b(?:Inc|Mrs|Ltd))(?<!\b(?:Corp|Prof|Capt|Dept|Univ))"
)
"""What a sentence ends with, rather than an abbreviation."""
_BEGINS_ASKING = re.compile(
    rf"{_END}[.!:]\s+(?=(?:(?:now|just|so|and|then|please|also|can you|could you),? )*"
    r"(?:who|what|which|whose|where|when|why|how|is|are|was|were|do|does|did|has|have|had|can|could|list|show|give|tell|name|find)\b)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(rf"{_END}[.!]\s+(?=[A-Z][\w\u2019']*,?\s+\S+\s)")
"""Where a sentence begins behind another one."""
_ORDERED_BEHIND = re.compile(
    r"(?P<lead>\s*(?:please |and )?(?:i(?:'d| would|\u2019d)? (?:like|want|need|prefer)|can you|could you)?"
    r"[^.?!]{0,20}?\b(?:them|it)\s+)(?P<order>(?:sorted|ordered|ranked|arranged)\b[^?!]*?)[.!?]*\s*$",
    re.I,
)
"""A sentence behind the question that says how the answers are ordered."""
_OF_BOTH = re.compile(r"(?:which|who)(?: one)? of (?:the two|them|these|those)\b", re.I)
_CORRECTED = re.compile(r".*\b(?:i mean|i meant|or rather|no wait|sorry),?\s+(?=\w+\s+\w+\s+\w+)", re.I | re.S)
"""What somebody takes back: "How many captains… I mean, how many pilots are there?" """
_OF_BEFORE = re.compile(
    r"(?:what|which|who|when|where|how much) (?:is|are|was|were) (?:it|that|this|they|those)\W*", re.I
)
"""A question for what the sentence before it names: "I need the price of X. What is it?" """
_GREETED = re.compile(r"\s*(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| all| team)?[,!.:]\s+", re.I)
_BEGINNING = re.compile(
    r"\s*(?:i|we|i'm|i\u2019m|we're|my|our)\b[^,?!.]{5,60},\s+"
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


class AskingSentence(NamedTuple):
    """The part of a text that asks; offsets are those of the whole text."""

    text: str
    """What stands before it is blanks."""
    named: bool
    """Whether what it asks about is to be named: "Are there any? Which?" """
    before: str
    """The sentences before it."""


def asking_sentence(text: str) -> AskingSentence:
    """The sentence that asks, where other sentences stand beside it: the first one with a question mark, else the last
    one that is a request."""
    whole = text
    for before in (_GREETED, _BEGINNING, _CORRECTED):
        if (found := before.match(text)) is not None:
            text = " " * found.end() + text[found.end() :]
    text = without_courtesy(text)
    if (ending := _ENDING.search(text)) is not None and len(text[: ending.start()].split()) >= _SHORTEST:
        text = text[: ending.start()] + " " * len(ending.group())
    end = text.find("?") + 1 or len(text)
    start = _start(text, end)
    if len(text[start:end].split()) < _SHORTEST:
        return AskingSentence(text, False, "")
    if start and _OF_BEFORE.fullmatch(text, start, end):
        return AskingSentence(text[:start].rstrip(" .!:") + " " * len(text[start:]), False, "")
    rest = text[end:]
    named = bool(rest.strip()) and _ASKS_FOR_NAMES.fullmatch(rest) is not None
    ordered = _ORDERED_BEHIND.match(rest)
    asked = without_courtesy(" " * start + text[start:end])
    if ordered is not None:  # "Can you list the films of X? I'd like them sorted by year."
        asked = asked[:-1] + " " * (len(ordered["lead"]) + 1) + ordered["order"]
    return AskingSentence(asked, named, whole[:start])


def _start(text: str, end: int) -> int:
    """Where the sentence that asks begins: the last one before a question mark, or the last one that is a request."""
    if end < len(text) or text.endswith("?"):
        begins = max((match.end() for match in _BEGINS_ASKING.finditer(text, 0, end)), default=0)
        begins = max(begins, max((match.end() for match in _SENTENCE.finditer(text, 0, end)), default=0))
    else:
        begins = max((match.end() for match in _BEGINS_ASKING.finditer(text, 0, end)), default=0)
    lead = text[:begins].rstrip()
    if (
        lead.endswith(":")
        and not _OF_BOTH.match(text, begins)
        and (_CHOICE.search(text, 0, begins) or len(lead.split()) <= LONGEST_TOPIC)
    ):
        return 0  # "A or B: which one has more?", "The Lobster Bill: how many pages?"
    return 0 if _LOOKED_AT.match(lead.strip()) else begins  # "I'm looking at the films of X: which is the longest?"
