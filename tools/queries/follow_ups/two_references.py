"""Two things that one question refers to: "how much did he pay for it?", "which of them led it?".

The reader of follow-ups knows one earlier set a question. The single thing is written out by its name, so that what is
left refers to one set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from clew.tools.queries.follow_ups.past import Antecedent
from clew.tools.queries.follow_ups.references import is_owner

_PERSON = re.compile(r"\b(?P<word>he|him|his|she|her|hers)\b", re.I)
_THING = re.compile(r"\b(?P<word>it|its)\b", re.I)
_MANY = re.compile(r"\b(?:they|them|their|theirs|those|these|ones)\b", re.I)
_OTHER = re.compile(
    r"\b(?:it|its|they|them|their|theirs|those|these|ones?)\b|\b(?:that|this)(?:\s+(?!one\b)[a-z]+)?(?=\W*$)"
    r"|\b(?:for|of|in|at|with|about)\s+(?:that|this)\b",
    re.I,
)
_ANY = re.compile(r"\b(?P<word>it|its|they|them|their|theirs)\b", re.I)
_TOPIC = re.compile(
    r"^(?:(?:and\s+|so\s+|then\s+)?(?:(?:what|how)\s+about|(?:the\s+)?same\s+(?:again\s+|question\s+)?(?:for|with|about))"
    r"\s+|and\s+(?=(?-i:[A-Z\u201c\"])))(?P<name>[A-Z\u201c\"][^,?:]{0,60})[,:]\s*(?:and\s+)?"
    r"(?=(?:(?:in|on|at|from|to|for|by|with)\s+)?(?:who|what|when|where|which|how|is|was|are|were|does|did|do|has|have)\b)",
    re.I,
)
_THERE = re.compile(r"(?<!is )(?<!are )(?<!was )(?<!were )\bthere\b|(?<=are )there(?=\W*$)|(?<=is )there(?=\W*$)", re.I)
_BARE_COUNT = re.compile(r"how (?:many|much)\s+(?:is|are|was|were)\b", re.I)
_EXPLETIVE = re.compile(r"\bit\s+(?:that|who)\b|\bis\s+it\s+(?:that|true)\b", re.I)


def with_one_named(question: str, known: Sequence[Antecedent], is_person: Callable[[str], bool]) -> str:
    """A question that refers to a person and to something else, or to several and to one, with the name of the single
    one; unchanged if it refers to one thing only.

    Args:
        question: The question.
        known: The sets that it may mean, the likeliest first.
        is_person: Whether nodes of a label are people.
    """
    if match := _TOPIC.match(question):  # "What about Ann, when did she join?"
        asked = question[match.end() :]
        words = _PERSON if _PERSON.search(asked) else _ANY
        if words.search(asked):
            return _written(asked, words, match["name"])
        placed = _THERE.search(asked) and not _BARE_COUNT.match(asked)
        return _THERE.sub(f"in {match['name']}", asked) if placed else question
    if _PERSON.search(question) and _OTHER.search(question):
        return _named(question, _PERSON, next((a for a in known if a.single and is_person(a.nodes.label)), None))
    if _THING.search(question) and _MANY.search(question) and not _EXPLETIVE.search(question):
        return _named(question, _THING, next((a for a in known if a.single and not is_person(a.nodes.label)), None))
    return question


def _named(question: str, words: re.Pattern[str], meant: Antecedent | None) -> str:
    if meant is None or len(meant.nodes.entities) != 1:
        return question
    return _written(question, words, meant.nodes.entities[0].name)


def _written(question: str, words: re.Pattern[str], name: str) -> str:
    """A question with a name in the place of its pronouns."""

    def written(match: re.Match[str]) -> str:
        return f"{name}'s" if is_owner(match["word"], question[match.end() :]) else name

    return words.sub(written, question)
