"""What a pronoun stands for that an earlier sentence names: "I am a fan of Ada Quist. Which films did she direct?" """

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import Span, Token
from clew.tools.queries.reading.english.courtesy import without_courtesy
from clew.tools.queries.reading.english.inflection import is_plural, singular
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.phrasings import rephrased
from clew.tools.queries.reading.english.sentences import asking_sentence
from clew.tools.queries.reading.english.words import COPULAS, FREE, adjectives, tokens
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_PERSONAL = frozenset({"he", "she", "him", "it", "they", "them", "those", "these", "ones", "there"})
_POSSESSIVE = frozenset({"his", "her", "its", "their", "theirs"})
_OF_TWO = (
    ("of", "the", "two"), ("out", "of", "the", "two"), ("of", "them"), ("of", "these"), ("of", "those"),
    ("of", "these", "two"), ("of", "those", "two"), ("between", "the", "two"), ("between", "them"),
)  # fmt: skip
_OF_EACH = (
    ("each", "of", "them"), ("each", "of", "those"), ("each", "of", "these"), ("each", "one"),
    ("each", "one", "of", "them"),
)  # fmt: skip
_THAT_YEAR = (("that", "year"), ("that", "same", "year"), ("this", "year"))
_ASKING = frozenset({"which", "who", "what"})
_SURE = 0.8
"""Score of a linked name from which on a pronoun may stand for it."""
_BEHIND = frozenset({
    "is", "are", "was", "were", "one", "took", "take", "have", "has", "had", "seem", "seems", "do", "did", "can",
    "will", "interest", "interests", "go", "need", "needed",
})  # fmt: skip
"""Words behind a kind of thing that say no more of it."""
_EITHER = (
    ("either", "one", "of", "them"), ("either", "of", "them"), ("either", "one"), ("one", "of", "them"),
    ("either", "of", "the", "two"),
)  # fmt: skip
_DIGITS, _LEAST = 4, 3
"""Digits of a year, and words of a question whose last one is "one"."""
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
    year: list[Token]
    owned: list[Token]
    """What stands before "of" and a name: "the budget of X"."""

    @property
    def both(self) -> bool:
        return len(self.names) > 1

    def joined(self, conjunction: str) -> list[Token]:
        """The names with a conjunction between them."""
        first, *others = self.names
        further = [token for each in others for token in (replace(each[0], text=conjunction, end=each[0].start), *each)]
        return first + further


def asked_words(question: str, mentions: Iterable[Mention], words: SchemaWords) -> tuple[str, list[Token], bool]:
    """The sentence of a text that asks, its words with what its pronouns stand for, and whether what it asks about is
    to be named.

    Args:
        question: The whole text.
        mentions: The names in it.
        words: The names of the schema.
    """
    whole = tokens(without_courtesy(question))
    if (phrased := rephrased(whole, words.is_property)) != whole:
        return question, phrased, False
    text, named, before = asking_sentence(question)
    sure = [m for m in mentions if m.candidates and m.candidates[0].score >= _SURE]
    spans = [(mention.start, mention.end) for mention in sure]
    plain = tokens(text)
    said = with_antecedents(plain, tokens(before), spans, words.is_kind)
    inside = [start >= len(before) for start, _ in spans]
    if before and said == plain and any(not each for each in inside) and not any(inside):
        return question, tokens(question), named  # The names belong to the question, in some way that is not known.
    return text, said, named


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
    if said and any(start >= said[0].start for start, _ in named):
        before = replace(before, names=[])  # "I live in Rome. Which films did X make before his death?"
    if not (before.names or before.kind or before.year):
        return list(said)
    rules = (_that_year, _higher_one, _either, _of_two, _of_each, _possessive, _personal)
    return next((found for rule in rules if (found := rule(said, before)) is not None), list(said))


def _lead(lead: Sequence[Token], named: Sequence[Span], is_kind: Callable[[str], bool]) -> _Lead:
    names = [[t for t in lead if start <= t.start and t.end <= end] for start, end in sorted(set(named))]
    names = [each for each in names if each]
    year = [t for t in lead if t.text.isdecimal() and len(t.text) == _DIGITS][-1:]
    of = next((i for i, t in enumerate(lead) if names and t is names[-1][0] and i and lead[i - 1].text == "of"), 0)
    the = next((i for i in range(of - 2, -1, -1) if lead[i].text in ("the", "its", "a")), of)
    owned_by_name = list(lead[the + 1 : of - 1]) if of else []
    owned = {id(token) for each in names for token in each}
    for first in range(len(lead)):
        for last in range(min(first + _LONGEST_KIND, len(lead)), first, -1):
            part = lead[first:last]
            if not any(id(token) in owned for token in part) and is_kind(" ".join(token.text for token in part)):
                end = next((i for i in range(last, len(lead)) if lead[i].text in _BEHIND), len(lead))
                about = list(lead[first:end])
                if len(names) == 1 and not any(t in about for t in names[0]):  # "Rome has a lot of museums."
                    about = [*about, replace(names[0][0], text="of", end=names[0][0].start), *names[0]]
                return _Lead(names, list(part), about, year, owned_by_name)
    return _Lead(names, [], [], year, owned_by_name)


def _of_two(said: Sequence[Token], lead: _Lead) -> list[Token] | None:
    """ "which has more films, A or B" for "which of the two has more films" and "which one has more films"."""
    texts = [token.text for token in said]
    if lead.both and texts[:2] in (["which", "one"], ["which", "is"]) and not any(t in texts for t in ("of", "or")):
        return [said[0], *said[1 + (texts[1] == "one") :], *lead.joined("or")]
    for first, last in _places(texts, _OF_TWO) if lead.both else ():
        asked = texts[:first]
        if not asked or asked[-1] in _ASKING or asked[-2:] in (["which", "one"], ["who"]):
            kept = [*said[: first - (asked[-1:] == ["one"])], *said[last:]]
            return [*kept, *lead.joined("or")]
    return None


def _that_year(said: Sequence[Token], lead: _Lead) -> list[Token] | None:
    """ "born in 1991" for "born that year"."""
    texts = [token.text for token in said]
    for first, last in _places(texts, _THAT_YEAR) if lead.year else ():
        in_ = [] if first and texts[first - 1] in ("in", "of", "during") else [replace(said[first], text="in")]
        return [*said[:first], *in_, *lead.year, *said[last:]]
    return None


def _higher_one(said: Sequence[Token], lead: _Lead) -> list[Token] | None:
    """ "which films have a higher budget than X" for "… the budget of X. Which films have an even higher one?"."""
    if len(said) < _LEAST or said[-1].text not in ("one", "value") or not (lead.names and lead.owned):
        return None
    degree = adjectives().get(said[-2].text)
    if degree is None or not degree.comparative:
        return None
    article = [token for token in said[:-2] if token.text != "even"]
    than = replace(said[-1], text="than")
    return [*article, said[-2], *lead.owned, than, *lead.names[-1]]


def _either(said: Sequence[Token], lead: _Lead) -> list[Token] | None:
    """ "the orders from A or B" for "the orders from either one of them"."""
    texts = [token.text for token in said]
    for first, last in _places(texts, _EITHER) if lead.both else ():
        return [*said[:first], *lead.joined("or"), *said[last:]]
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
        end = i + 2 + (said[i + 1].text in ("number", "amount") and [t.text for t in said[i + 2 : i + 3]] == ["of"])
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
        asked = i > 1 and said[i - 1].text == "of" and _counts(said[i - 2].text)
        whole = asked or token.text in ("those", "these", "ones") or (token.text in ("them", "they") and not lead.names)
        if whole and lead.kind and is_plural(lead.kind[-1].text):
            return [*said[: i - asked], *lead.said, *said[i + 1 :]]
        if token.text == "there" and len(lead.names) == 1 and said[i - 1].text not in COPULAS:
            return [*said[:i], replace(token, text="in"), *lead.names[0], *said[i + 1 :]]
        if token.text in ("they", "them") and lead.kind and not lead.both:
            return None
        if token.text in ("he", "she", "him", "it", "they", "them") and lead.names:
            return [*said[:i], *lead.joined("and"), *said[i + 1 :]]
    return None


def _counts(text: str) -> bool:
    """Whether a word before "of them" says which, or how many."""
    return text in (*_ASKING, "many", "all", "any", "one") or number(text) is not None


def _places(texts: Sequence[str], phrases: Sequence[tuple[str, ...]]) -> Iterator[Span]:
    """Where phrases stand, the longest first."""
    for words in sorted(phrases, key=len, reverse=True):
        for i in range(len(texts) - len(words) + 1):
            if tuple(texts[i : i + len(words)]) == words:
                yield i, i + len(words)
