"""Clauses in the order in which they are read: "which ran longer, A or B" for "A vs B: which ran longer"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.gap import KEPT
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.numbers import MULTIPLES, number
from clew.tools.queries.reading.english.sentences import LONGEST_TOPIC
from clew.tools.queries.reading.english.words import COPULAS, adjectives, is_superlative, listed, unit_measure

_OR = frozenset({"or", "vs", "versus", "v", "vs."})
_AUXILIARIES = COPULAS | {"do", "does", "did", "has", "have", "had", "can", "will", "would", "list", "show", "tell"}
_LEAST_CHOICE = 3
COMMA = 2
"""Characters between two words with a comma or a colon."""
_PRONOUNS, _THAT = frozenset({"he", "she", "it", "they", "him", "them"}), frozenset({"that", "this"})
_TAGS = frozenset({"right", "correct", "true", "yes", "no"})
_AMONG = frozenset({"among", "amongst", "of", "from"})
_LOOKING = frozenset({"looking", "look", "consider", "considering", "take"})
_ASKS = COPULAS | {"does", "did", "do", "has", "have"}
_LEAST_OWNED, _LONGEST_OWNED = 2, 5
"""Words up to the verb behind "whose"."""


_DEGREES = frozenset({"more", "fewer", "less", "higher", "lower", "over", "above", "under", "later", "earlier"})
_LONGEST_COUNTED = 3
_TIMES = {"once": "1", "twice": "2"}


def degree_by_number(tokens: Sequence[Token]) -> list[Token]:
    """ "4 or more jobs" for "4 jobs or more"."""
    texts = [token.text for token in tokens]
    for i in range(1, len(tokens) - 1):
        if texts[i] not in ("or", "and") or texts[i + 1] not in _DEGREES:
            continue
        for first in range(i - 2, max(-1, i - 2 - _LONGEST_COUNTED), -1):
            counted, behind = tokens[first + 1 : i], tokens[i + 2 :]
            measured = counted and unit_measure(singular(counted[0].text))  # "four metres or more" stays.
            written = counted and counted[0].text in MULTIPLES  # "30 thousand or more" stays.
            if number(texts[first]) is not None and not (tokens[first].quoted or measured or written):
                return [*tokens[: first + 1], *tokens[i : i + 2], *counted, *behind]
    return list(tokens)


def times_in_numbers(tokens: Sequence[Token]) -> list[Token]:
    """ "more than 1 times" for "more than once"."""
    found: list[Token] = []
    for token in tokens:
        number_of = _TIMES.get(token.text) if found and found[-1].text in ("than", "least", "most", "exactly") else None
        found += [token] if number_of is None else [replace(token, text=number_of), replace(token, text="times")]
    return found


def asking_first(tokens: Sequence[Token]) -> list[Token]:
    """The question word's clause first, where a choice of two stands before it: "A or B, who …", "between A and B,
    which …"."""
    if [token.text for token in tokens[-2:]] == ["how", "many"] and len(tokens) > _LEAST_CHOICE:
        return [*tokens[-2:], *tokens[:-2]]  # "The jobs that X was given - how many?"
    if [token.text for token in tokens[:2]] in (["until", "when"], ["till", "when"]):
        return [*tokens[1:], tokens[0]]  # "Until when is X valid?"
    if (
        turned := _looked_at(tokens)
        or _tagged(tokens)
        or _whose(tokens)
        or _either(tokens)
        or _which_last(tokens)
        or _topic_last(tokens)
    ):
        return turned
    place = next((i for i, token in enumerate(tokens) if token.text in QUESTION_WORDS and not token.quoted), 0)
    choice = list(tokens[:place])
    between = bool(choice) and choice[0].text in ("between", "out", "of") and any(t.text == "and" for t in choice)
    if between:
        choice = [token for token in choice if token.text not in ("between", "out", "of")]
    texts = {token.text for token in choice if not token.quoted}
    chosen = bool(texts & _OR) or between
    if len(choice) < _LEAST_CHOICE or not chosen or texts & _AUXILIARIES:
        return list(tokens)
    joins = _OR | {"and"} if between else _OR
    return [*tokens[place:], *(replace(token, text="or") if token.text in joins else token for token in choice)]


def _tagged(tokens: Sequence[Token]) -> list[Token] | None:
    """ "does X report to Y" for "X reports to Y, right?" and "X reports to Y, doesn't he?"."""
    length = 2 if tokens and tokens[-1].text in _PRONOUNS and tokens[-2:][0].text.endswith("n't") else 1
    said, tag = tokens[:-length], tokens[-length:]
    if (
        len(said) < _LEAST_CHOICE
        or said[0].text in QUESTION_WORDS | _AUXILIARIES
        or tag[0].start - said[-1].end < COMMA
    ):
        return None
    return [replace(tag[0], text="does"), *said] if length > 1 or tag[0].text in _TAGS else None


def _whose(tokens: Sequence[Token]) -> list[Token] | None:
    """ "which has the bigger budget, A or B" for "whose budget is bigger, A's or B's"."""
    texts = [token.text for token in tokens]
    place = next((i for i, text in enumerate(texts[:_LONGEST_OWNED]) if text in COPULAS), 0)
    if texts[:1] != ["whose"] or place < _LEAST_OWNED or "or" not in texts or "'s" not in texts[place:]:
        return None
    degree = adjectives().get(" ".join(texts[place + 1 : place + 2]))
    if degree is None or not degree.comparative:
        return None
    owners = [token for token in tokens[place + 2 :] if token.text != "'s"]
    asked, has = replace(tokens[0], text="which"), replace(tokens[place], text="has")
    return [asked, has, tokens[place + 1], *tokens[1:place], *owners]


def _either(tokens: Sequence[Token]) -> list[Token] | None:
    """ "which is stronger, A or B" for "is A stronger or B"."""
    texts = [token.text for token in tokens]
    place = texts.index("or") if "or" in texts else 0
    degree = adjectives().get(texts[place - 1]) if place > 1 else None
    if degree is None or not degree.comparative or texts[0] not in COPULAS or place + 1 == len(tokens):
        return None
    asked = replace(tokens[0], text="which")
    return [asked, *tokens[:1], tokens[place - 1], *tokens[1 : place - 1], *tokens[place:]]


def _looked_at(tokens: Sequence[Token]) -> list[Token] | None:
    """ "which doctors in Cardiology has the highest salary" for "I'm looking at the doctors in Cardiology: which one
    has the highest salary?"."""
    place = next((i for i, token in enumerate(tokens) if token.text == "which" and not token.quoted), 0)
    if place < _LEAST_CHOICE or tokens[place].start - tokens[place - 1].end < COMMA:
        return None
    behind = [token.text for token in tokens[place + 1 : place + 3]]
    skipped = 1 if behind[:1] in (["one"], ["ones"]) else 2 if behind in (["of", "them"], ["of", "these"]) else 0
    rest = tokens[place + 1 + skipped :]
    lead = next((i for i in range(place) if tokens[i].text in _LOOKING), None)
    lead = 0 if lead is None and tokens[0].text in _AMONG else lead
    if lead is None or not rest or rest[0].text not in _ASKS:
        return None
    topic = [token for token in tokens[lead + 1 : place] if token.text not in ("at", "the", "all")]
    return [tokens[place], *topic, *rest]


def _which_last(tokens: Sequence[Token]) -> list[Token] | None:
    """ "which city has the highest average rent" for "highest average rent: which city"."""
    place = next((i for i, token in enumerate(tokens) if token.text in ("which", "what") and not token.quoted), 0)
    ranked, asked = tokens[:place], tokens[place:]
    if not ranked or not _LEAST_OWNED <= len(asked) <= _LEAST_CHOICE or asked[0].start - ranked[-1].end < COMMA:
        return None
    ranked = ranked[1:] if ranked[0].text == "the" else ranked
    texts = [token.text for token in ranked[:2]]
    degree = any(text in listed("ordering", "degrees") or is_superlative(text) for text in texts)
    if not degree:
        return None
    if asked[-1].text in ("one", "ones"):  # "highest salary among the doctors in X, which one"
        among = next((i for i, token in enumerate(ranked) if token.text in ("among", "of", "amongst") and i), None)
        has = [replace(asked[-1], text="has"), replace(asked[-1], text="the")]
        return None if among is None else [*asked[:1], *ranked[among + 1 :], *has, *ranked[:among]]
    return [*asked, replace(asked[-1], text="has"), replace(asked[-1], text="the"), *ranked]


def _of_truth(tokens: Sequence[Token]) -> int:
    """Where "is that", "does it" begin; 0 where they do not."""
    pairs = enumerate(pairwise(tokens))
    begun = (i for i, (one, other) in pairs if one.text in _ASKS and other.text in _PRONOUNS | _THAT)
    return next(begun, 0)


def _topic_last(tokens: Sequence[Token]) -> list[Token] | None:
    """ "who drove delivery 4" for "delivery 4, who drove", "is X an arthouse" for "X - is that an arthouse": what it is
    about, in place of a pronoun or at the end."""
    place = next((i for i, token in enumerate(tokens) if token.text in QUESTION_WORDS and not token.quoted), 0)
    place = place or _of_truth(tokens)
    topic, clause = tokens[:place], tokens[place:]
    if not topic or len(topic) > LONGEST_TOPIC or tokens[place].start - topic[-1].end < COMMA:
        return None
    if topic[0].text in KEPT or {token.text for token in topic} & (_AUXILIARIES | _OR) or len(clause) < _LEAST_CHOICE:
        return None
    pronouns = _PRONOUNS | _THAT if clause[0].text in COPULAS else _PRONOUNS
    pronoun = next((i for i, token in enumerate(clause) if token.text in pronouns), None)
    if pronoun is None:
        return [*clause, *topic]
    return [*clause[:pronoun], *topic, *clause[pronoun + 1 :]]
