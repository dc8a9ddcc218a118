"""Sentences, and chunks of about a sentence, each of which says one thing, for one part of a question to meet.

Sentences end at full stops that end no abbreviation, initial or number, and at the stops of scripts without spaces. In
doubt two sentences stay one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.tools.linking.ordinary import word_class

MOST_CHARACTERS = 480
"""Of a chunk: about 80 words, 110 tokens, well within what the encoder reads."""
LEAST_CHARACTERS = 30
"""A shorter sentence ("Not so.") says little by itself: it is joined to the one before."""
_CANDIDATE = re.compile(
    "[.!?\u2026]+[\"'\u201d\u2019\u00bb)\\]]*(?=\\s)"
    "|[\u3002\uff01\uff1f\uff61]+[\u300d\u300f\u201d\u2019\uff09\u3011\u300b]*|[\u0964\u0965\u06d4\u061f\u1362]+|\n+"
)
_WORD_BEFORE = re.compile(r"[^\s(\[\"'\u201c\u2018\u00ab]*$")
_OPENING = "\"'([\u201c\u2018\u00ab\u201e\u300c\u300e\u00bf\u00a1-\u2013\u2014*_"
_ALWAYS_FOLLOWED = (
    "mr mrs ms dr prof st mt ft messrs mme mlle hr fr rev hon gen col capt lt sgt cpl maj adm gov sen rep pres sr "
    "sra fig figs eq eqs vol vols pp ch sec art ed eds trans cf e.g i.e viz vs approx ca c al bzw z.b "
    "d.h usw núm pág av dept univ"
)
_NEVER = frozenset(_ALWAYS_FOLLOWED.split())
"""Abbreviations that something follows."""
_MOSTLY_FOLLOWED = (
    "jr inc ltd co corp bros etc a.m p.m u.s u.k u.n e.u d.c b.c a.d ph.d jan feb mar apr jun jul aug sep sept "
    "oct nov dec mon tue wed thu fri sat sun est"
)
_SELDOM = frozenset(_MOSTLY_FOLLOWED.split())
"""Abbreviations that may end a sentence: they do before a capitalised word that begins sentences."""
_BEFORE_NUMBERS = frozenset(("no", "nos", "nr", "n"))
_LOOK = 80
"""Characters before and after a stop that decide."""
_INITIAL = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_NUMBERING = re.compile(r"(?:\A|\n)\s*(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})$")


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand, in order, as [start, end) without white space around them; all its words
    are in one. A line break ends a sentence."""
    found, start = [], 0
    for match in _CANDIDATE.finditer(text):
        if _ends(text, start, match):
            found.append((start, match.end()))
            start = match.end()
    found.append((start, len(text)))
    return [trimmed for first, last in found if (trimmed := _trimmed(text, first, last))[0] < trimmed[1]]


def _trimmed(text: str, first: int, last: int) -> tuple[int, int]:
    piece = text[first:last]
    return last - len(piece.lstrip()), first + len(piece.rstrip())


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    sign = match.group()
    if sign[0] not in ".!?\u2026":
        return True
    following = text[match.end() : match.end() + _LOOK].lstrip()
    if not following:
        return False  # The text ends there in any case.
    first = following.lstrip(_OPENING)[:1] or following[0]
    if first.islower():
        return False
    if not sign.startswith(".") or sign.startswith(".."):
        return True
    near = text[max(start, match.start() - _LOOK) : match.start()]
    before = _WORD_BEFORE.search(near)
    word = (before.group() if before else "").lower()
    if word in _NEVER or _NUMBERING.search(near):
        return False
    if word in _BEFORE_NUMBERS and first.isdigit():
        return False
    if word in _SELDOM or _INITIAL.fullmatch(word):
        return len(word) > 1 and _begins_sentences(following)
    return True


def _begins_sentences(following: str) -> bool:
    """Whether what follows begins with a word that is capitalised only for the sentence."""
    word = re.match(r"[^\W\d_]+", following.lstrip(_OPENING))
    return word is not None and word_class(word.group().lower()) == "function"


def chunks(text: str) -> list[str]:
    """The text in order without loss of a word: one sentence each, short ones joined up to MOST_CHARACTERS, a longer
    sentence cut between words, a longer word within. Whitespace is normalised; a text without words has no chunk."""
    found: list[str] = []
    for piece in _pieces(text):
        short = found and min(len(found[-1]), len(piece)) < LEAST_CHARACTERS
        if short and len(found[-1]) + 1 + len(piece) <= MOST_CHARACTERS:
            found[-1] += " " + piece
        else:
            found.append(piece)
    return found


def _pieces(text: str) -> Iterator[str]:
    for start, end in sentences(text):
        plain = " ".join(text[start:end].split())
        while len(plain) > MOST_CHARACTERS:
            end = plain.rfind(" ", 0, MOST_CHARACTERS + 1)
            end = end if end > 0 else MOST_CHARACTERS
            yield plain[:end]
            plain = plain[end:].lstrip()
        if plain:
            yield plain
