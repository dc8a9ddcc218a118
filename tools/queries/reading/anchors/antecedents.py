"""What a pronoun stands for that an earlier sentence names: "I am a fan of Ada Quist. Which films did she direct?" """

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import Span, Token
from clew.tools.queries.reading.english.inflection import is_plural, singular
from clew.tools.queries.reading.english.sentences import asking_sentence
from clew.tools.queries.reading.english.words import FREE, tokens

_PERSONAL = frozenset({"he", "she", "him", "it", "they", "them", "those", "these", "this", "that", "one", "ones"})
_POSSESSIVE = frozenset({"his", "her", "its", "their", "theirs"})
_OF_TWO = (
    ("of", "the", "two"), ("out", "of", "the", "two"), ("of", "them"), ("of", "these"), ("of", "those"),
    ("of", "these", "two"), ("of", "those", "two"), ("between", "the", "two"), ("between", "them"),
)  # fmt: skip
_OF_EACH = (
    ("each", "of", "them"), ("each", "of", "those"), ("each", "of", "these"), ("each", "one"),
    ("each", "one", "of", "them"),
)  # fmt: skip
_ASKING = frozenset({"which", "who", "what"})
_SURE = 0.8
"""Score of a linked name from which on a pronoun may stand for it."""
_LONGEST_KIND, _LONGEST_PROPERTY = 3, 3
"""Words that name a kind of thing, and a property, at most."""


@dataclass(frozen=True, slots=True)
class _Lead:
    """What the sentences before a question name."""

    names: list[list[Token]]
    kind: list[Token]
    """The kind of thing that is named last …"""
    said: list[Token]
    """… with what is said of it."""

    @property
    def both(self) -> bool:
        return len(self.names) > 1

    def joined(self, conjunction: str) -> list[Token]:
        """The names with a conjunction between them."""
        first, *others = self.names
        further = [token for each in others for token in (replace(each[0], text=conjunction, end=each[0].start), *each)]
        return first + further


def asked_words(
    question: str, mentions: Iterable[Mention], is_kind: Callable[[str], bool]
) -> tuple[str, list[Token], bool]:
    """The sentence of a text that asks, its words with what its pronouns stand for, and whether what it asks about is
    to be named.

    Args:
        question: The whole text.
        mentions: The names in it.
        is_kind: Whether words name a kind of thing.
    """
    text, named, before = asking_sentence(question)
    sure = [m for m in mentions if m.candidates and m.candidates[0].score >= _SURE]
    spans = [(mention.start, mention.end) for mention in sure]
    return text, with_antecedents(tokens(text), tokens(before), spans, is_kind), named


def with_antecedents(
    said: Sequence[Token], lead: Sequence[Token], named: Sequence[Span], is_kind: Callable[[str], bool]
) -> list[Token]:
    """The words of a question with what its pronouns stand for in their place.

    Args:
        said: The words of the sentence that asks.
        lead: The words of the sentences before it.
        named: The parts of the whole text that are names.
        is_kind: Whether words name a kind of thing.
    """
    before = _lead(lead, named, is_kind)
    if not (before.names or before.kind):
        return list(said)
    rules = (_of_two, _of_each, _possessive, _personal)
    return next((found for rule in rules if (found := rule(said, before)) is not None), list(said))


def _lead(lead: Sequence[Token], named: Sequence[Span], is_kind: Callable[[str], bool]) -> _Lead:
    names = [[t for t in lead if start <= t.start and t.end <= end] for start, end in sorted(set(named))]
    names = [each for each in names if each]
    owned = {id(token) for each in names for token in each}
    for first in range(len(lead)):
        for last in range(min(first + _LONGEST_KIND, len(lead)), first, -1):
            part = lead[first:last]
            if not any(id(token) in owned for token in part) and is_kind(" ".join(token.text for token in part)):
                return _Lead(names, list(part), list(lead[first:]))
    return _Lead(names, [], [])


def _of_two(said: Sequence[Token], lead: _Lead) -> list[Token] | None:
    """ "which has more films, A or B" for "which of the two has more films"."""
    texts = [token.text for token in said]
    for first, last in _places(texts, _OF_TWO) if lead.both else ():
        asked = texts[:first]
        if not asked or asked[-1] in _ASKING or asked[-2:] in (["which", "one"], ["who"]):
            kept = [*said[: first - (asked[-1:] == ["one"])], *said[last:]]
            return [*kept, *lead.joined("or")]
    return None


def _of_each(said: Sequence[Token], lead: _Lead) -> list[Token] | None:
    """ "for each customer" for "for each of them"."""
    texts = [token.text for token in said]
    for first, last in _places(texts, _OF_EACH) if lead.kind else ():
        *others, head = lead.kind
        return [*said[: first + 1], *others, replace(head, text=singular(head.text)), *said[last:]]
    return None


def _possessive(said: Sequence[Token], lead: _Lead) -> list[Token] | None:
    """ "the length of A and B" for "their length"."""
    for i, token in enumerate(said):
        if token.text not in _POSSESSIVE or i + 1 == len(said):
            continue
        end = i + 2
        while end < min(len(said), i + 1 + _LONGEST_PROPERTY) and said[end].text not in FREE:
            end += 1
        owner = lead.joined("and") if lead.names else lead.said
        the, of = (replace(token, text=text) for text in ("the", "of"))
        return [*said[:i], the, *said[i + 1 : end], of, *owner, *said[end:]]
    return None


def _personal(said: Sequence[Token], lead: _Lead) -> list[Token] | None:
    """ "which films did Ada Quist direct" for "which films did she direct", "which films by X" for "which of those"."""
    for i, token in enumerate(said):
        if token.text not in _PERSONAL or token.quoted:
            continue
        asked = i > 1 and said[i - 1].text == "of" and said[i - 2].text in (*_ASKING, "many", "all", "any", "one")
        whole = asked or token.text in ("those", "these", "ones") or (token.text in ("them", "they") and not lead.names)
        if whole and lead.kind and is_plural(lead.kind[-1].text):
            return [*said[: i - asked], *lead.said, *said[i + 1 :]]
        if token.text in ("he", "she", "him", "it", "they", "them") and lead.names:
            return [*said[:i], *lead.joined("and"), *said[i + 1 :]]
    return None


def _places(texts: Sequence[str], phrases: Sequence[tuple[str, ...]]) -> Iterator[Span]:
    """Where phrases stand, the longest first."""
    for words in sorted(phrases, key=len, reverse=True):
        for i in range(len(texts) - len(words) + 1):
            if tuple(texts[i : i + len(words)]) == words:
                yield i, i + len(words)
