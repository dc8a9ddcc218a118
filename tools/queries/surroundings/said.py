"""The words of a question, with a sign in the place of each name and each label."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from clew.tools.graph.entity import Entity, Mention
from clew.tools.linking.ordinary import word_class
from clew.tools.queries.lexical import Token, load_toml, overlaps, stem, tokens
from clew.tools.queries.reading.english.courtesy import without_courtesy
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.sentences import asking_sentence

LabelWords = Mapping[str, Sequence[tuple[str, float]]]
"""Words for labels, in the singular and the plural → the labels that they name, each with what it costs."""
NAME, LABEL = "@", "#"
"""What stands for a name, and for a label."""
_MOST_NAMESAKES = 3
_LONGEST_LABEL = 4
"""Words."""
_ADJACENT = re.compile(
    r"(?:inter)?connect(?:s|ed|ing|ions?|ivity)?|(?:inter)?link(?:s|ed|ing|age|ages)?|relat(?:e[sd]?|ing|ions?|ionships?)"
    r"|associat(?:e[sd]?|ing|ions?)|tie[sd]?|tying|neighbou?r(?:s|ing|hood)?|adjacent"
)
_CONNECTED = re.compile(
    rf"{_ADJACENT.pattern}|binds?|bound|bridge[sd]?|path(?:s|ways?)?|routes?|chains?|threads?|intertwined|correlated"
)
_TO_DO = re.compile(r"\b(?:to do with|next to|right beside|in touch with)\b")
_GO = "get|go|reach|travel|move|leads?|come|jump|hop|walk|navigate"
_LEADS = re.compile(
    rf"\b(?:{_GO}) (?:\S+ ){{0,3}}?(?:from|to) @(?: \S+){{0,3}}? (?:to|from) @"
    r"|@ (?:lead|leads|get|gets) (?:\S+ )?to @|\breach(?:es|ed)? @ (?:\S+ )?from @|@ (?:reach|reaches) @"
)
"""How one gets from one node to another."""
_BEHIND = re.compile(r",? (?:would|could|can|will) you\W*$", re.IGNORECASE)
"""A polite end."""
_MOVES = re.compile(rf"(?:{_GO}|reaches|next)")


@dataclass(slots=True)
class Said:
    """The words of a question."""

    texts: list[str]
    """In lower case; NAME and LABEL stand for names and labels, and polite words are left out."""
    named: tuple[tuple[Entity, ...], ...]
    """For each name the nodes that have it."""
    labels: tuple[str, ...]
    """The labels that the first LABEL may stand for."""
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = " ".join(self.texts)

    @classmethod
    def of(cls, question: str, mentions: Sequence[Mention], labels: LabelWords) -> Said:
        """The words of the sentence that asks; of all sentences where that one names nothing ("… What links them?")."""
        text = asking_sentence(question).text
        if not any(_at(token, mentions) for token in tokens(text)):
            text = without_courtesy(question)
        text = _BEHIND.sub("", text)
        words, place = tokens(text), 0
        texts: list[str] = []
        named: list[tuple[Entity, ...]] = []
        wanted: tuple[str, ...] = ()
        while place < len(words):
            last, found = _label_at(place, words, mentions, labels)
            mention = _at(words[last], mentions) if last < len(words) else None
            if mention is not None and (last == place or _is_of(mention, found)):  # "Heat", "the film Heat"
                texts.append(NAME)
                named.append(_nodes(mention, found))
                place = next((i for i in range(last, len(words)) if words[i].start >= mention.end), len(words))
            elif found and texts[-2:] == [NAME, "the"] and any(each.label in found for each in named[-1]):
                texts.pop()  # "Heat, the film"
                place = last
            elif found:
                texts.append(LABEL)
                wanted, place = wanted or found, last
            else:
                texts.append(words[place].text.replace("\u2019", "'").removeprefix("'"))
                place += 1
        return cls([text for text in texts if text not in word_list("polite")], tuple(named), wanted)

    def has(self, kind: str) -> bool:
        """Whether one of the words is in a list of `surroundings_words.toml`."""
        return not word_list(kind).isdisjoint(self.texts)

    @property
    def general(self) -> bool:
        """Whether all words are names, general English, and at most one label."""
        return self.texts.count(LABEL) <= 1 and all(map(_is_general, self.texts))

    @property
    def connected(self) -> bool:
        """Whether a word says that things are related, or that one leads to the other."""
        said = any(map(_CONNECTED.fullmatch, self.texts))
        return said or (_TO_DO.search(self.text) or _LEADS.search(self.text)) is not None

    def adjacent(self, schema_words: Callable[[], Collection[str]]) -> bool:
        """Whether a word says that things are related, and is none of the schema's words for something of its own."""
        if _TO_DO.search(self.text) is not None:
            return True
        said = {stem(text) for text in self.texts if _ADJACENT.fullmatch(text)}
        return bool(said) and said.isdisjoint(map(stem, schema_words()))

    @property
    def number(self) -> int:
        """The first number among the words, or 1."""
        return next((int(n) for text in self.texts if (n := number(text)) is not None and n >= 1), 1)


@cache
def word_list(kind: str) -> frozenset[str]:
    """A list of `surroundings_words.toml`."""
    return frozenset(load_toml("surroundings", "surroundings_words.toml")[kind].split())


@cache
def _is_general(word: str) -> bool:
    if word in (NAME, LABEL) or word_class(word) == "function" or number(word) is not None:
        return True
    listed = any(word in word_list(kind) for kind in ("filler", "counted", "apart", "shared", "most"))
    return listed or (_CONNECTED.fullmatch(word) or _MOVES.fullmatch(word)) is not None


def _at(word: Token, mentions: Sequence[Mention]) -> Mention | None:
    """The name that a word belongs to."""
    return next((each for each in mentions if overlaps(word.start, word.end, [(each.start, each.end)])), None)


def _label_at(
    place: int, words: Sequence[Token], mentions: Sequence[Mention], labels: LabelWords
) -> tuple[int, tuple[str, ...]]:
    """The place behind the longest words from `place` on that name labels, and these labels."""
    for last in range(min(place + _LONGEST_LABEL, len(words)), place, -1):
        part = words[place:last]
        found = labels.get(" ".join(word.text for word in part))
        if found and not any(_at(word, mentions) for word in part):
            return last, tuple(dict.fromkeys(label for label, _ in found))
    return place, ()


def _is_of(mention: Mention, labels: Collection[str]) -> bool:
    return any(each.entity.label in labels for each in mention.candidates)


def _nodes(mention: Mention, labels: Collection[str]) -> tuple[Entity, ...]:
    """The nodes that a name stands for: the best ones, of these labels if there are any."""
    candidates = [each for each in mention.candidates if each.entity.label in labels] or mention.candidates
    best = candidates[0].score
    return tuple(each.entity for each in candidates if each.score >= best - 1e-6)[:_MOST_NAMESAKES]
