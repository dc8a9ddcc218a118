"""The words of a question: its tokens, the schema's names among them, and the phrases by which questions ask for
numbers, order and conditions (aggregation_words.toml)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Schema
from clew.tools.queries.aggregation.question import PropertyRef
from clew.tools.queries.lexical import FUNCTION_WORDS, Token, load_toml, stem
from clew.tools.queries.values import NUMERALS, moment

_LONGEST = 4
_TOO_GENERAL = frozenset({"id", "name", "title", "type", "number", "date", "code", "value", "key", "per", "of", "time"})
"""Parts of a property's name that do not stand for it alone."""


@dataclass(frozen=True, slots=True)
class SchemaTerm:
    """Words that name something: tokens[first:last], and what they may name."""

    first: int
    last: int
    labels: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    properties: tuple[PropertyRef, ...] = ()
    exact: bool = True
    """False where a property has more words than were said."""


_TOKEN = re.compile(
    r"(?<!\w)'(?P<single>[^'\n]+(?:'s[^'\n]*)?)'(?!\w)|\"(?P<double>[^\"\n]+)\"|\u2018(?P<curly>[^\u2019\n]+)\u2019"
    r"|\u201c(?P<curled>[^\u201d\n]+)\u201d|(?P<word>\d[\d,]*(?:\.\d+)?%?|[^\W\d_][\w&]*(?:-[^\W\d_]\w*)*(?:'s)?|[<>]=?|=|\$)"
)


def tokens(question: str) -> list[Token]:
    """Words, numbers, signs of comparison, and quoted texts as one token each."""
    found = []
    for match in _TOKEN.finditer(question):
        word = match["word"]
        if word is None:
            text = next(match[name] for name in ("single", "double", "curly", "curled") if match[name])
            found.append(Token(text, match.start(), match.end(), quoted=True))
        else:
            found.append(Token(word.lower().removesuffix("'s"), match.start(), match.end()))
    return found


def singular(word: str) -> str:
    """A noun without its plural's ending."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(?:ss|sh|ch|x|z)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """What a verb's forms and its noun have in common: "ordered", "orders" and "ordering"."""
    while (shorter := stem(word)) != word:
        word = shorter
    word = word.removesuffix("e")
    return word[:-1] + "i" if word.endswith("y") else word


class Vocabulary:
    """The names of one schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.owned = [PropertyRef(each) for each in schema.properties]
        self.owned += [PropertyRef(each, of_relation=True) for each in schema.relation_properties]
        self._labels: dict[str, list[str]] = defaultdict(list)
        self._relations: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._properties: dict[str, list[PropertyRef]] = defaultdict(list)
        self._partly: dict[str, list[PropertyRef]] = defaultdict(list)
        for label in schema.labels:
            self._labels[_joined(identifier_words(label))].append(label)
        for kind in dict.fromkeys(relation.type for relation in schema.relations):
            roots = [root(word) for word in identifier_words(kind) if word not in FUNCTION_WORDS] or list(
                identifier_words(kind)
            )
            self._relations[tuple(roots)].append(kind)
        for owned in self.owned:
            words = identifier_words(owned.name)
            self._properties[_joined(words)].append(owned)
            for word in words if len(words) > 1 else ():
                if word not in _TOO_GENERAL | FUNCTION_WORDS:
                    self._partly[singular(word)].append(owned)

    def terms(self, words: Sequence[Token], free: Sequence[bool]) -> list[SchemaTerm]:
        """What the free tokens name, the longest names first, left to right; no token is in two of them."""
        left, found = list(free), list[SchemaTerm]()
        for length in range(_LONGEST, 0, -1):
            for first in range(len(words) - length + 1):
                if all(left[first : first + length]):
                    term = self._exactly(words, first, first + length)
                    if term is not None:
                        found.append(term)
                        left[first : first + length] = [False] * length
        for i, token in enumerate(words):
            if left[i] and (owned := self._partly.get(singular(token.text))):
                found.append(SchemaTerm(i, i + 1, properties=tuple(owned), exact=False))
        return sorted(found, key=lambda term: term.first)

    def _exactly(self, words: Sequence[Token], first: int, last: int) -> SchemaTerm | None:
        texts = [token.text for token in words[first:last]]
        if words[first].quoted:  # "a 'unitPrice' above 20"
            texts = list(identifier_words(words[first].text)) if last == first + 1 else []
        joined = _joined(texts)
        labels, properties = tuple(self._labels.get(joined, ())), tuple(self._properties.get(joined, ()))
        relations = tuple(self._relations.get(tuple(root(text) for text in texts), ()))
        if not (labels or properties or relations):
            return None
        return SchemaTerm(first, last, labels, relations, properties)


def _joined(words: Sequence[str]) -> str:
    """Without blanks, for "home page" and "homePage" alike."""
    return "".join([*words[:-1], singular(words[-1])]) if words else ""


# ---- phrases of aggregation_words.toml -------------------------------------------------------------------------------


@cache
def table() -> dict[str, dict[str, list[str]]]:
    return load_toml("aggregation", "aggregation_words.toml")


@cache
def words(part: str, name: str) -> frozenset[str]:
    return frozenset(table()[part][name])


@cache
def _phrases(part: str) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """By first word: phrase → what it stands for, the longest first."""
    found = [(tuple(phrase.split()), name) for name, phrases in table()[part].items() for phrase in phrases]
    by_word: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrase, name in sorted(found, key=lambda each: -len(each[0])):
        by_word.setdefault(phrase[0], []).append((phrase, name))
    return by_word


def phrase_at(part: str, tokens: Sequence[Token], first: int, names: Sequence[str] = ()) -> tuple[str, int] | None:
    """What a phrase that begins at a token stands for, and where it ends; of several the longest."""
    if first >= len(tokens):
        return None
    for phrase, name in _phrases(part).get(tokens[first].text, ()):
        if names and name not in names:
            continue
        texts = [token.text for token in tokens[first : first + len(phrase)] if not token.quoted]
        if tuple(texts) == phrase:
            return name, first + len(phrase)
    return None


def number_at(tokens: Sequence[Token], first: int) -> float | None:
    """The number that a token says, in digits or as a word."""
    if first >= len(tokens):
        return None
    text = tokens[first].text
    bare = text.replace(",", "").removesuffix("%")
    if bare.replace(".", "", 1).isdecimal():
        return float(bare)
    return float(NUMERALS[text]) if text in NUMERALS else None


def date_at(question: str, tokens: Sequence[Token], first: int) -> tuple[str, int] | None:
    """The day, month or year that begins at a token, as ISO text, and where it ends."""
    for last in range(min(first + 6, len(tokens)), first, -1):
        text = tokens[first].text if last == first + 1 else question[tokens[first].start : tokens[last - 1].end]
        if any(character.isdecimal() for character in text) and (read := moment(text)) is not None:
            return read, last
    return None


def names_of(hints: Mapping[str, tuple[str, ...]], *spoken: str) -> tuple[str, ...]:
    return tuple(name for word in spoken for name in hints.get(word, ()))
