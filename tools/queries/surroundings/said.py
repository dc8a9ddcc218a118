"""The words of a question, with a sign in the place of each name and each label."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from clew.tools.graph.entity import Entity, Mention
from clew.tools.linking.ordinary import word_class
from clew.tools.linking.tokens import words_of
from clew.tools.queries.lexical import Token, load_toml, overlaps, stem, tokens
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.sentences import asking_sentence
from clew.tools.queries.reading.english.words import FREE, light

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
    r"|\btrace @ (?:back )?to @|\bwhat joins @|@ (?:lead|leads|get|gets) (?:\S+ )?to @"
    r"|\breach(?:es|ed)? @ (?:\S+ )?from @|@ (?:reach|reaches) @"
)
"""How one gets from one node to another."""
_BEHIND = re.compile(r",? (?:would|could|can|will) you\W*$", re.IGNORECASE)
"""A polite end."""
_MOVES = re.compile(rf"(?:{_GO}|reaches|next)")


class Word(NamedTuple):
    """A word of a question."""

    text: str
    """In lower case."""
    start: int = -1
    as_name: bool = False
    """Whether it is written as a name."""


@dataclass(slots=True)
class Said:
    """The words of the part of a question that asks."""

    words: list[Word]
    """NAME and LABEL stand for names and labels; polite words are left out."""
    named: list[tuple[Entity, ...]]
    """For each name the nodes that have it."""
    labels: tuple[str, ...]
    """The labels that the first LABEL may stand for."""
    texts: list[str] = field(init=False)
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.words = [word for word in self.words if word.text not in word_list("polite")]
        self.texts = [word.text for word in self.words]
        self.text = " ".join(self.texts)

    @classmethod
    def of(cls, question: str, mentions: Sequence[Mention], labels: LabelWords) -> Said:
        """The words of the sentence that asks. Where it has no name, its pronoun stands for what is named before: "I
        like Heat. What is it?"."""
        text = _BEHIND.sub("", asking_sentence(question).text)
        said = cls._of(text, mentions, labels)
        before = [each for each in mentions if each.end <= len(text) - len(text.lstrip())]
        place, behind = _pronoun(said.texts, len(before))
        no_pronoun = place == len(said.words)
        if not before or (said.named and no_pronoun):
            return said
        named = [_nodes(mention, ()) for mention in before]
        names = [*([Word("about")] if no_pronoun else []), *[Word(NAME)] * len(named)]
        earlier = said.texts[:place].count(NAME)
        every = [*said.named[:earlier], *named, *said.named[earlier:]]
        return cls([*said.words[:place], *names, *said.words[behind:]], every, said.labels)

    @classmethod
    def _of(cls, text: str, mentions: Sequence[Mention], labels: LabelWords) -> Said:
        written = {token.start for token in words_of(text).tokens if token.marked}
        words, place = tokens(text), 0
        found: list[Word] = []
        named: list[tuple[Entity, ...]] = []
        wanted: tuple[str, ...] = ()
        while place < len(words):
            last, kinds = _label_at(place, words, mentions, labels)
            mention = _at(words[last], mentions) if last < len(words) else None
            if mention is not None and (last == place or _is_of(mention, kinds)):  # "Heat", "the film Heat"
                if [word.text in ("titled", "called", "named") for word in found[-1:]] == [True] and wanted:
                    kinds, wanted, found = wanted, (), found[:-2]  # "the film called Heat"
                found.append(Word(NAME))
                named.append(_nodes(mention, kinds))
                place = next((i for i in range(last, len(words)) if words[i].start >= mention.end), len(words))
            elif kinds and _is_apposed(found, named, kinds):
                found.pop()  # "Heat, the film"
                place = last
            elif kinds:
                found.append(Word(LABEL))
                wanted, place = wanted or kinds, last
            else:
                token = words[place]
                spelled = token.text.replace("\u2019", "'").removeprefix("'")
                found.append(Word(word_map().get(spelled, spelled), token.start, token.start in written))
                place += 1
        return cls(found, named, wanted)

    def has(self, kind: str) -> bool:
        """Whether one of the words is in a list of `surroundings_words.toml`."""
        return not word_list(kind).isdisjoint(self.texts)

    @property
    def others(self) -> list[Word]:
        """The words that are neither names nor general English; labels behind the first one count."""
        labels = [word for word in self.words if word.text == LABEL][1:]
        return [*labels, *(word for word in self.words if not is_general(word.text))]

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
    def spatial(self) -> bool:
        """Whether the word that says that things are related is one for places."""
        return any(text.startswith("neighb") or text == "adjacent" for text in self.texts) or "next to" in self.text

    def is_of_schema(self, kind: str, schema_words: Callable[[], Collection[str]]) -> bool:
        """Whether one of the words in a list of `surroundings_words.toml` is one of the schema's words."""
        said = {stem(text) for text in self.texts if text in word_list(kind)}
        return not said.isdisjoint(map(stem, schema_words()))

    @property
    def number(self) -> int:
        """The first number among the words, or 1."""
        return next((int(n) for text in self.texts if (n := number(text)) is not None and n >= 1), 1)


@cache
def word_list(kind: str) -> frozenset[str]:
    """A list of `surroundings_words.toml`."""
    return frozenset(load_toml("surroundings", "surroundings_words.toml")[kind].split())


@cache
def word_map() -> dict[str, str]:
    """Words for short forms of writing: "are" for "r"."""
    pairs = load_toml("surroundings", "surroundings_words.toml")["written"].split()
    return dict(pair.split("=") for pair in pairs)


@cache
def says_nothing(word: str) -> bool:
    """Whether a word is a sign, a number, a function word or another one that says nothing of its own."""
    if word in (NAME, LABEL) or number(word) is not None or word_class(word) == "function":
        return True
    return word in FREE or word in light() or word in word_list("filler")


@cache
def is_general(word: str) -> bool:
    """Whether a word is general English of questions about what surrounds nodes, or a sign."""
    listed = any(word in word_list(kind) for kind in ("counted", "shared", "most", "similar"))
    return says_nothing(word) or listed or (_CONNECTED.fullmatch(word) or _MOVES.fullmatch(word)) is not None


def _pronoun(texts: Sequence[str], names: int) -> tuple[int, int]:
    """The place of the pronoun that stands for so many names, and the place behind it; the end where there is none."""
    for place, text in enumerate(texts):
        if (
            names > 1
            and text in ("the", "these", "those")
            and texts[place + 1 : place + 2] in (["two"], ["three"], ["both"])
        ):
            return place, place + 2
        if text in word_list("plural" if names > 1 else "pronouns"):
            return place, place + 1
    return len(texts), len(texts)


def _is_apposed(found: Sequence[Word], named: Sequence[tuple[Entity, ...]], labels: Collection[str]) -> bool:
    """Whether words end in a name of such a node and an article: "Heat, the" before "film"."""
    behind_name = [word.text for word in found[-2:]] == [NAME, "the"]
    return behind_name and any(each.label in labels for each in named[-1])


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
        is_noun = any(word_class(word.text) != "function" for word in part)
        if found and is_noun and not any(_at(word, mentions) for word in part):
            least = min(cost for _, cost in found)
            return last, tuple(dict.fromkeys(label for label, cost in found if cost <= least))
    return place, ()


def _is_of(mention: Mention, labels: Collection[str]) -> bool:
    return any(each.entity.label in labels for each in mention.candidates)


def _nodes(mention: Mention, labels: Collection[str]) -> tuple[Entity, ...]:
    """The nodes that a name stands for: the best ones, of these labels if there are any."""
    candidates = [each for each in mention.candidates if each.entity.label in labels] or mention.candidates
    best = candidates[0].score
    return tuple(each.entity for each in candidates if each.score >= best - 1e-6)[:_MOST_NAMESAKES]
