"""What a question points at in an earlier answer, written out: "the first one" of a sorted list, "the chronic one",
"the other one" of two, "that chromosome", a part of somebody's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from clew.tools.graph.entity import Entity
from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.follow_ups.readings import Find
from clew.tools.queries.lexical import Span
from clew.tools.queries.reading.english.inflection import is_plural, noun_forms
from clew.tools.queries.reading.english.words import adjectives

_TWO = 2
_REACH = 3
"""Turns back to which it reaches."""
PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_BY_PLACE = re.compile(
    rf"\bthe\s+(?:very\s+)?(?P<place>{'|'.join(PLACES)})\s+(?:one\b(?:\s+(?:of|on|in)\s+(?:them|those"
    r"|these|(?:that|the)\s+list))?|(?:of|on|in)\s+(?:them|those|these|(?:that|the)\s+list))",
    re.I,
)
_BY_NAME = re.compile(r"\b(?:the|that)\s+(?P<part>[a-z][\w-]*(?:\s+[a-z][\w-]*)?)\s+one\b", re.I)
_BY_WORD = re.compile(r"\b(?:the|that|this)\s+(?P<part>[a-z][\w-]{3,})\b(?!\s+(?:of|one|ones)\b)", re.I)
_PLACE_ALONE = re.compile(
    r"^(?:(?:and|what about|how about|(?:the\s+)?same\s+(?:question\s+)?(?:for|with))\s+)(?P<it>the\s+\w+)\W*$", re.I
)
_OTHER = re.compile(r"\bthe\s+other\s+(?:one\b|(?P<noun>[a-z]+)\b)", re.I)
_YEAR = re.compile(r"\b\d{4}\b")
_BY_YEAR = re.compile(r"\bthe\s+(?:one\s+(?:from|of|in)\s+)?(?P<year>\d{4})(?:\s+(?P<noun>[a-z]+))?\b", re.I)
_VALUE = re.compile(r"\b(?:that|this|the\s+same)\s+(?P<noun>[a-z]+)\b", re.I)


def with_one_pointed(question: str, past: Sequence[PastReading], find: Find, is_kind: Callable[[str], bool]) -> str:
    """A question with the name of the node, or with the value, of an earlier answer that it points at; unchanged if it
    points at none.

    Args:
        question: The question.
        past: The turns that were answered, the oldest first.
        find: Finds the names in a text.
        is_kind: Whether a word is a kind of thing of the graph, or a role.
    """
    recent = list(reversed(past[-_REACH:]))
    question = _with_whole_names(question, recent, find)
    found = next(_of_another_year(question, recent, find), None) or next(
        _pointed(question, recent, find, is_kind), None
    )
    return _with_value(question, recent) if found is None else _put_in(question, found[0], found[1].name)


def _pointed(
    question: str, recent: Sequence[PastReading], find: Find, is_kind: Callable[[str], bool]
) -> Iterator[tuple[Span, Entity]]:
    """The words that point at one node of an earlier answer, and the node."""
    if (match := _OTHER.search(question)) and (one := _other_of_two(match["noun"] or "", recent, is_kind)):
        yield match.span(), one
    if match := _PLACE_ALONE.match(question):
        place = match["it"].split()[-1].lower()
        ordered = recent and recent[0].form is not None and recent[0].form.nodes.order is not None
        if place in PLACES and not ordered and (one := _at_place(place, recent)):
            yield match.span("it"), one
    if (match := _BY_PLACE.search(question)) and match.start() and (one := _at_place(match["place"].lower(), recent)):
        yield match.span(), one
    if (match := _BY_NAME.search(question)) and (one := _called(match["part"].lower(), recent)):
        yield match.span(), one
    for match in _BY_WORD.finditer(question):
        one = None if is_kind(match["part"]) else _called(match["part"].lower(), recent)
        if one is None or one.name.lower() in question.lower():
            continue
        if all(m.end <= match.end("part") or match.end() <= m.start for m in find(question)):  # Not "the Baltic Sea".
            yield match.span(), one


def _of_another_year(question: str, recent: Sequence[PastReading], find: Find) -> Iterator[tuple[Span, Entity]]:
    """The words that point at what is called as something that was named but for a year: "the 2012 edition"."""
    match = _BY_YEAR.search(question)
    if match is None or is_plural(match["noun"] or ""):
        return  # "The 2020 reports" are those of that year.
    for turn in recent:
        named = [*turn.named, *(turn.answers if turn.count == 1 else ())]
        for name in (_YEAR.sub(match["year"], each.name, count=1) for each in named):
            ends = (mention for mention in find(name) if mention.text == name)
            yield from ((match.span(), c.entity) for m in ends for c in m.candidates if c.entity.name == name)


def _put_in(question: str, span: Span, text: str) -> str:
    return f"{question[: span[0]]}{text}{question[span[1] :]}"


def _with_whole_names(question: str, recent: Sequence[PastReading], find: Find) -> str:
    """A question with the whole name of somebody whom the conversation named and it calls by a part of it."""
    spoken = {each for turn in recent for each in (*turn.answers, *turn.named)}
    for mention in reversed(find(question)):
        known = [each.entity for each in mention.candidates if each.entity in spoken]
        text = mention.text.lower()
        whole = any(each.entity.name.lower() == text for each in mention.candidates)
        if len(mention.candidates) > 1 and len(known) == 1 and text in known[0].name.lower() and not whole:
            question = _put_in(question, (mention.start, mention.end), known[0].name)
    return question


def _other_of_two(noun: str, recent: Sequence[PastReading], is_kind: Callable[[str], bool]) -> Entity | None:
    """The one of two answers of which a later turn has not spoken; or of several, all but one of which were chosen."""
    if noun and not is_kind(noun):
        return None
    later: set[Entity] = set()
    picked: set[Entity] = set()
    for turn in recent:
        whole = turn.count == len(turn.answers) and (turn.count == _TWO or picked <= set(turn.answers))
        if whole and turn.count >= _TWO and len(rest := set(turn.answers) - later) == 1:
            return rest.pop()
        picked |= set(turn.answers)
        later |= {*turn.answers, *(turn.form.entities if turn.form is not None else ())}
    return None


def _at_place(place: str, recent: Sequence[PastReading]) -> Entity | None:
    """The node at a place of the last list that was put in order."""
    for turn in recent:
        form = turn.form
        order = form.nodes.order if form is not None and form.asks == "nodes" else None
        if order is not None and order.limit is None and not order.grouped:
            at = PLACES[place] % turn.count if turn.count else 0
            return turn.answers[at] if PLACES[place] < turn.count and at < len(turn.answers) else None
        if turn.count > 1:
            return None
    return None


def _called(part: str, recent: Sequence[PastReading]) -> Entity | None:
    """The only one of several answers, or of the names of a question, whose name has some words."""
    if any(word in adjectives() for word in (part, *part.split())):
        return None
    words = re.compile(rf"\b{re.escape(part)}\b", re.I)
    for turn in recent:
        for entities in (turn.answers, turn.named):
            found = [each for each in entities if words.search(each.name)]
            if len(found) == 1 and (len(entities) > 1 or found[0].name.lower() != part):
                return found[0]
    return None


def _with_value(question: str, recent: Sequence[PastReading]) -> str:
    """ "That chromosome": the value of a property that was answered."""
    for match in _VALUE.finditer(question):
        forms = {match["noun"].lower(), *noun_forms(match["noun"].lower())}
        for turn in recent:
            value = turn.form.value if turn.form is not None and turn.form.asks == "value" else None
            if value is None or value.property is None or len(turn.values) != 1:
                continue
            if forms & set(identifier_words(value.property)):
                return _put_in(question, match.span(), f"{match['noun']} {turn.values[0]}")
    return question
