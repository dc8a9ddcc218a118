"""The names that a reply in sentences gives as answers, for models that ignore the format they were asked for.

A name counts if the evidence has it and the sentence does not deny it. What only the sentence says is no answer: a
refusal, or a remark about the question, would become one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.agents.evidence import AnswerRef
from clew.agents.linking.matching import KnownNames

_FEWEST_WORDS, _MANY_WORDS = 4, 8
"""A line with a full stop is a sentence from the first number of words on, any line from the second."""
_CLAUSE_ENDS = re.compile(
    r"[.!?;:](?=\s|\Z)|\n|\u2014|\s-\s|\b(?:but|however|although|though|whereas|instead,|rather,|sondern|aber)\b", re.I
)
_DENIES_WHAT_FOLLOWS = re.compile(
    r"\b(?:not|no|nor|neither|never|none|without|except|excluding|unlike|rather than|instead of|cannot|unable|"
    r"nicht|kein(?:e[nrms]?)?|weder|ohne|statt)\b|n['\u2019]t\b",
    re.I,
)
_DENIES_WHAT_PRECEDES = re.compile(
    r"\b(?:(?:is|are|was|were|does|do|did|has|have|had|can|could|would|should|will)\s+(?:not|never)|cannot|"
    r"ist nicht|war nicht|sind nicht|hat nicht)\b|\b\w+n['\u2019]t\b",
    re.I,
)
_AFFIRMS = re.compile(r"\b(?:no(?:ne|body)? other than|not only|(?:nobody|nothing|none) but|no doubt)\b", re.I)
"""Denials that affirm."""


def is_sentence(line: str) -> bool:
    """Whether a line is prose rather than a name."""
    words = len(line.split())
    return words >= _MANY_WORDS or (words >= _FEWEST_WORDS and line.rstrip().endswith((".", "!")))


def named_in(text: str, known: KnownNames) -> list[AnswerRef]:
    """The known names in a text that it does not deny, in its order, each once."""
    places = known.within(text)
    plain = text
    for start, end, _ in places:  # A name such as "No Country for Old Men" denies nothing, and "Dr. No" ends nothing.
        plain = f"{plain[:start]}{'x' * (end - start)}{plain[end:]}"
    plain = _AFFIRMS.sub(lambda words: " " * len(words[0]), plain)
    denied = list(_denied(plain))
    found = [row for start, end, row in places if not any(begin <= start and end <= stop for begin, stop in denied)]
    return [row for place, row in enumerate(found) if row not in found[:place]]


def _denied(text: str) -> Iterator[tuple[int, int]]:
    """The spans that denials reach, within their clauses."""
    start = 0
    for end, after in [*((match.start(), match.end()) for match in _CLAUSE_ENDS.finditer(text)), (len(text),) * 2]:
        for denial in _DENIES_WHAT_FOLLOWS.finditer(text, start, end):
            yield denial.end(), end
        for denial in _DENIES_WHAT_PRECEDES.finditer(text, start, end):
            yield start, denial.start()
        start = after
