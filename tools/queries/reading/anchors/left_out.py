"""Words that say nothing about a graph: "the museum" or "do we employ" of whose it is, "over the years"."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.anchors.feminine import told_by_gender
from clew.tools.queries.reading.anchors.in_common import said_in_common
from clew.tools.queries.reading.anchors.literals import Values
from clew.tools.queries.reading.anchors.same_kind import same_kind
from clew.tools.queries.reading.anchors.top_by import top_by
from clew.tools.queries.reading.english.inflection import is_plural, noun_forms
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.words import FREE, is_superlative, listed, phrase, titles, unit_measure
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_DETERMINERS = frozenset({"the", "our", "your", "this", "my"})
_SPEAKERS = frozenset({"we", "you", "i", "they"})
_PREPOSITIONS = frozenset({"in", "of", "at", "by", "from", "to", "on", "within", "for"})
_AUXILIARIES = frozenset({"do", "does", "did", "can", "have", "has"})
_NAMING = frozenset({"of", "called", "named", "that", "which", "with", "in"})
_STARTING = frozenset({
    "registered", "joined", "opened", "started", "hired", "signed", "added", "admitted", "enrolled", "registering",
})  # fmt: skip
"""Verbs of those who are new."""
_PAID = frozenset({"more", "less", "most", "least", "earn", "earns", "earned", "paid", "make", "makes"})
_SHARED = frozenset({"share", "shared"})
_DIFFERENT = frozenset({"different", "distinct", "unique", "separate"})
_OBTAINING = frozenset({"got", "get", "gets", "received", "obtained", "achieved", "earned"})
_LEVELS = frozenset({"level", "levels"})
_LONGEST = 4
_NAMED = 0.99
"""Link score from which on a word is the whole name of a node."""


def telling_words(
    tokens: Sequence[Token], question: str, words: SchemaWords, values: Values, mentions: Sequence[Mention] = ()
) -> list[Token]:
    """The tokens without those that stand for everything in the graph: "the museum" in a graph that has no such kind of
    thing and nothing of that name, and "do we employ" behind what it has; and without fillers. A question of nothing
    else stays."""
    names = {mention.end for mention in mentions if any(each.score >= _NAMED for each in mention.candidates)}
    tokens = told_by_gender(tokens, words, values)
    tokens = top_by(same_kind(said_in_common(tokens, words), words), words)
    left, i = [], 0
    while i < len(tokens):
        length = _mentioned(tokens, i, question, words, values, names) or _filler(tokens, i, question, words, values)
        if not length:
            other = "many" if _counts(tokens, i, words) else "had" if _obtains(tokens, i, question, words) else ""
            left.append(replace(tokens[i], text=other) if other else tokens[i])
        i += length or 1
    while len(left) > 2 and _owns(left[-1], words, values) and _subject(tokens, left):
        left = left[:-1]
        while left and left[-1].text in ("or", "and", *_SPEAKERS, *_AUXILIARIES):
            left = left[:-1]
    shared = left[-1].text in _SHARED - words.verbs if left else False
    if shared and any(token.text == "and" for token in left):
        left = left[:-1]  # "Which genres do X and Y share?"
    return left if any(token.text not in FREE for token in left) else list(tokens)


def _obtains(tokens: Sequence[Token], place: int, question: str, words: SchemaWords) -> bool:
    """Whether a grade or a number was obtained, in a graph without such a relation: "who got an A", "got 85 in"."""
    if tokens[place].text not in _OBTAINING or root(tokens[place].text) in words.verbs:
        return False
    written = [question[token.start : token.end] for token in tokens[place + 1 : place + 3]]
    return any(text.isdecimal() or (len(text) == 1 and text.isupper()) for text in written)


def _counts(tokens: Sequence[Token], place: int, words: SchemaWords) -> bool:
    """Whether "much" stands for "many": "how much orders are there"."""
    around = [token.text for token in tokens[max(0, place - 1) : place + 2]]
    return around[:2] == ["how", "much"] and around[2:] != [] and is_plural(around[2]) and around[2] in words.labels


def _has_degree(tokens: Sequence[Token]) -> bool:
    """Whether one of the words is "most" or a superlative."""
    return any(token.text == "most" or is_superlative(token.text) for token in tokens)


def _filler(tokens: Sequence[Token], first: int, question: str, words: SchemaWords, values: Values) -> int:
    """How many tokens from here on are a filler; 0 if none are. The first words tell what is asked."""
    ahead = [token.text for token in tokens[first : first + 3]]
    if ahead[0] == "single" and _has_degree([*tokens[first - 1 : first], *tokens[first + 1 : first + 2]]):
        return int(not values("single"))  # "the largest single deal", "the single most expensive one"
    of_kinds = titles().get(ahead[0])
    if of_kinds is not None and not any(kind in words.labels for kind in of_kinds):
        named = first + 1 < len(tokens) and question[tokens[first + 1].start].isupper()
        return int(named)  # "Dr Patel" where no kind of thing is a doctor
    if ahead[0] == "new" and ahead[1:2] and ahead[1] in words.labels and _STARTING & {each.text for each in tokens}:
        return int(not (values("new") or words.property("new")))  # "new patients who registered in May"
    counted = first and (tokens[first - 1].text in ("many", "of") or number(tokens[first - 1].text) is not None)
    if counted and ahead[0] in _DIFFERENT and not (words.property(ahead[0]) or values(ahead[0])):
        return 1  # "more than 5 different products"
    if first and ahead[0] in _LEVELS and _is_text(tokens[first - 1].text, words):
        return int(not any(_is_text(each, words) for each in (ahead[0], phrase(tokens, first - 1, first + 1))))
    paid = first and tokens[first - 1].text in _PAID
    told = first > 1 and tokens[first - 1].text == "paid" and is_plural(tokens[first - 2].text)
    each = ahead[0] == "per" and told  # "bonuses paid per year"
    if paid and ahead[0] in ("a", "an", "per") and not each and _is_time(ahead[1:2]):
        return 2  # "who earns more an hour"
    if ahead[:1] == ["to"] and ahead[2:] == ["than"] and ahead[1] not in _PAID:
        return 2  # "more expensive to buy than"
    for last in range(min(first + _LONGEST, len(tokens)), first + 1, -1) if first else ():
        of_levels = [token.text for token in tokens[last : last + 1] if token.text in listed("depth", "levels")]
        if phrase(tokens, first, last) in listed("fillers", "phrases") and not of_levels:  # "At all levels".
            return last - first
    return 0


def _is_text(name: str, words: SchemaWords) -> bool:
    """Whether a property of texts is called so: "severity level", where incidents have a severity."""
    return any(choice.kind == "text" and not choice.cost for choice in words.property(name))


def _is_time(texts: Sequence[str]) -> bool:
    return bool(texts) and "time" in unit_measure(texts[0])


def _mentioned(
    tokens: Sequence[Token], first: int, question: str, words: SchemaWords, values: Values, names: Set[int]
) -> int:
    """How many tokens from here on stand for the organisation; 0 if none do, or where a name ends."""
    start = first + (tokens[first].text in _PREPOSITIONS)
    if start + 1 >= len(tokens) or tokens[start].text not in _DETERMINERS:
        return 0
    noun, behind = tokens[start + 1], list(tokens[start + 2 : start + 3])
    owner = [each.text for each in behind] == ["'s"]
    behind = [] if owner else behind
    named = (
        question[noun.start].isupper() or noun.end in names or any(question[each.start].isupper() for each in behind)
    )
    if named or noun.text not in listed("organisation", "nouns") or any(each.text in _NAMING for each in behind):
        return 0
    if any(values(noun.text) and words.property(each.text) for each in behind):
        return 0  # "the brewery industry"
    return 0 if any(form in words.labels for form in noun_forms(noun.text)) else start + 2 + owner - first


def _owns(token: Token, words: SchemaWords, values: Values) -> bool:
    """Whether a verb says no more than that something is in the graph: not "own" where things are "owned" or leased."""
    own = token.text in listed("organisation", "verbs") and root(token.text) not in words.verbs
    return own and not any(values(form) for form in (f"{token.text}ed", f"{token.text}d"))


def _subject(tokens: Sequence[Token], left: Sequence[Token]) -> bool:
    """Whether whoever asks is the subject of the last verb: "do we employ", "does the museum own"."""
    place = tokens.index(left[-1])
    return any(token.text in _SPEAKERS | listed("organisation", "nouns") for token in tokens[max(0, place - 4) : place])
