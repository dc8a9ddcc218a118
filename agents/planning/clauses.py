"""The clauses of a question: the noun that it asks for, and each thing that it states about it.

"Find a drug that treats Ague, costs under 20 dollars and tastes of honey" asks for a drug and has three clauses. A
clause that names an entity is about relationships, another describes the drug.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.queries.lexical import Span, Token

_PARTING = re.compile(r"[,;]\s*(?:and\s+)?(?:also\s+)?|\s(?:and|but|as well as|plus)\s+(?:also\s+)?", re.I)
_RELATIVE = re.compile(r"\s*(?:that|which|who|whose|where|whom)\s+", re.I)
_INNER = re.compile(r"\s+(?:that|which|who|whose|about|on|with|for|where|in which|whom)\s+", re.I)
REQUESTS = frozenset({
    "looking", "look", "need", "needed", "recommend", "recommended", "suggest", "search", "searching", "help", "am",
    "interested", "interest", "information", "something", "anything", "someone", "somebody", "identify", "locate",
    "kind", "kinds", "type", "types", "sort", "ones", "thing", "things", "similar", "like", "whether", "there", "also",
    "other", "get", "got", "wondering", "trying", "seeking", "seek", "hoping", "curious", "provide", "describe", "i'm",
    "described", "describing", "mention", "mentions", "mentioned", "mentioning", "discuss", "discusses", "discussed",
    "discussing", "deal", "deals", "dealing", "concern", "concerns", "concerning", "regarding", "related", "topic",
    "topics", "subject", "titled", "text", "'s", "\u2019s", "being", "having", "entirely", "especially",
})  # fmt: skip
"""Words that ask, or introduce a description, and describe nothing themselves."""

INDEFINITE = frozenset({"something", "anything", "someone", "somebody"})
"""Words that ask for whatever is described: "recommend something against sore knees"."""


@dataclass(frozen=True, slots=True)
class NestedClause:
    """The part of a clause about another thing: "treats a disease that hits musicians"."""

    label: str
    relation: str
    """The words before the thing."""
    text: str
    """The description of the thing."""
    span: Span


@dataclass(frozen=True, slots=True)
class Description:
    """What a question asks for, and how it describes that."""

    asked: Token | None
    """The word for the label of the answers; None if no word stands for one."""
    anything: bool
    """Whether there is no such word because anything of that description is asked for."""
    clauses: tuple[Span, ...]
    """The clauses whose words the texts of nodes are searched for."""


def asking_run(tokens: Sequence[Token]) -> list[Token]:
    """The first adjacent words that may be the noun that a question asks for."""
    run: list[Token] = []
    for token in tokens:
        if token.content and token.text not in REQUESTS and token.text[:1].isalpha():
            run.append(token)
        elif run:
            break
    return run[:4]


def clauses(question: str, start: int, names: Sequence[Span]) -> list[Span]:
    """The pieces of `question[start:]` between commas and "and", without a leading relative pronoun. Spans in `names`
    are not split."""
    found: list[Span] = []
    at = start
    for match in _PARTING.finditer(question, start):
        if not any(match.start() < end and match.end() > begin for begin, end in names):
            found.append((at, match.start()))
            at = match.end()
    found.append((at, len(question.rstrip(" ?.!"))))
    bare = [(_beyond_relative(question, begin, end), end) for begin, end in found]
    return [(begin, end) for begin, end in bare if end > begin]


def _beyond_relative(question: str, begin: int, end: int) -> int:
    match = _RELATIVE.match(question, begin, end)
    return match.end() if match else begin


def inner_of(question: str, span: Span, nouns: Sequence[tuple[Token, str]]) -> NestedClause | None:
    """The other thing that a clause describes; `nouns` are words for a label, each with the label."""
    for token, label in nouns:
        if span[0] < token.start and token.end < span[1]:
            match = _INNER.match(question, token.end, span[1])
            if match and (text := question[match.end() : span[1]].strip()):
                return NestedClause(label, question[span[0] : token.start].strip(), text, span)
    return None


def blanked(question: str, spans: Sequence[Span]) -> str:
    """The question with blanks at these spans, so that all other positions stay the same."""
    for start, end in spans:
        question = question[:start] + " " * (end - start) + question[end:]
    return question
