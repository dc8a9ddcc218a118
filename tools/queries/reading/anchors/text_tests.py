"""Texts that a property holds, begins or ends with: “starting with 'C'”, "with war in the title"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, cast

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import FREE, listed, meaning_of, phrase
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Number
from clew.tools.queries.reading.forms.scoring import anchor

_LONGEST_TEST = 3
_MOST_WORDS = 4
_INTRODUCING = frozenset({"letter", "letters", "word", "words"})
_ARTICLES = frozenset({"a", "an", "the"})
_PRONOUNS = frozenset({"that", "this", "it", "them", "these", "those"})
_GOING_ON = frozenset({"and", "or", "but"})
_WITH = frozenset({"with", "without", "having", "have", "has"})
_THEIR = frozenset({"the", "its", "their", "his", "her"})


def text_tests(question: str, tokens: Sequence[Token], first: int) -> Iterator[AnyItem]:
    """The items of a text that begins at a token: the value of whichever property is named, or a part of it."""
    token = tokens[first]
    if token.quoted:
        yield anchor(first, first + 1, Number(token.text, text=True), ("value", 0.5))
    yield from _within_name(question, tokens, first)
    before, introduced = _introduction(tokens, first)
    for length in range(1, min(_LONGEST_TEST, before) + 1):
        said = phrase(tokens, before - length, before)
        test = meaning_of("tests", said)
        if test is None:
            continue
        of_name = before > length and tokens[before - length - 1].text in listed("naming", "words")
        last = _end(question, tokens, first, introduced or of_name, exact=test == "CONTAINS" or said.endswith(" in"))
        if last is not None:
            kind = cast(Literal["STARTS WITH", "ENDS WITH", "CONTAINS"], test)
            value = _text(question, tokens, first, last)
            sure = introduced or of_name or token.quoted or last == first + 1
            guess = [] if sure else [("guess", 0.5)]
            given = ConditionNoun((), values=(value,), test=kind)
            yield anchor(before - length, last, given, *guess)
            if of_name:  # "title" of what has no property of that name
                yield anchor(before - length - 1, last, given, ("guess", 0.3))


def _introduction(tokens: Sequence[Token], first: int) -> tuple[int, bool]:
    """Where "the letter" or "the word" before a text begins, and whether it is there."""
    if not first or tokens[first - 1].text not in _INTRODUCING:
        return first, False
    return (first - 2 if first > 1 and tokens[first - 2].text in _ARTICLES else first - 1), True


def _end(question: str, tokens: Sequence[Token], first: int, named: bool, *, exact: bool) -> int | None:
    """Where a text behind a test ends; None for words that are no text: "races that start with a sprint".

    Args:
        question: The question.
        tokens: Its tokens.
        first: The first token of the text.
        named: Whether the sentence says that a text follows: "whose name …", "the letter …".
        exact: Whether the test may stand before a thing as well: "ends in Paris", "contains nuts".
    """
    token = tokens[first]
    if token.quoted:
        return first + 1
    capital = question[token.start].isupper()
    letter = len(token.text) == 1 and token.text.isalpha()
    if letter and (capital or token.text not in FREE or _closes(tokens, first + 1)):
        return first + 1
    if not (named or (capital and not exact)):
        return None
    last = first + 1
    while last < min(len(tokens), first + _MOST_WORDS) and capital and question[tokens[last].start].isupper():
        last += 1
    return last if _closes(tokens, last) else None


def _closes(tokens: Sequence[Token], last: int) -> bool:
    """Whether a clause ends before a token."""
    return last == len(tokens) or tokens[last].text in _GOING_ON


def _within_name(question: str, tokens: Sequence[Token], first: int) -> Iterator[AnyItem]:
    """ "With war in the title", "that have 'war' in their name"."""
    before, introduced = _introduction(tokens, first)
    words = {token.text for token in tokens[first : first + 2]}
    if not before or tokens[before - 1].text not in _WITH or words & _INTRODUCING:
        return
    if tokens[first].text in FREE | _PRONOUNS and not (introduced or tokens[first].quoted):
        return
    for last in range(first + 1, min(first + _MOST_WORDS, len(tokens) - 3) + 1):
        within, whose, name = (token.text for token in tokens[last : last + 3])
        if within == "in" and whose in _THEIR and name in listed("naming", "words"):
            value = _text(question, tokens, first, last)
            yield anchor(before, last + 3, ConditionNoun((), values=(value,), test="CONTAINS"))
            return


def _text(question: str, tokens: Sequence[Token], first: int, last: int) -> str:
    token = tokens[first]
    return token.text if token.quoted else question[token.start : tokens[last - 1].end]
