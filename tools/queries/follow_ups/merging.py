"""A follow-up written into the words of an earlier question: "and in May?", "what about Leeds?".

The result is a question of its own, so that it can be read in every way in which the earlier one could.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from clew.tools.graph.entity import Mention
from clew.tools.queries.follow_ups.readings import Find
from clew.tools.queries.follow_ups.times import TIME, dated_like, times_in

_LONGEST = 6
"""Words of a follow-up that only exchanges a part."""
_LONGEST_VALUE = 4
_TIME, _PHRASE, _NAME, _VALUE = 0.2, 0.3, 0.2, 0.3
"""What it costs to exchange a time, what follows a preposition, a name, or a value of a property."""
_WHOLE_NAME = 0.6
"""Share of a text that its name must have."""
_PREPOSITIONS = "in|on|at|from|to|with|without|by|for|of|under|over|before|after|since|between|during|through|via"
_PREPOSITION = re.compile(rf"^(?P<word>{_PREPOSITIONS})\s+", re.I)
_PHRASE_END = rf"(?:{_PREPOSITIONS}|and|or|but|that|which|who|whose|is|are|was|were|has|have|had|did|does|do)\b"
ASKS = re.compile(r"(?:who|what|which|where|when|how|why|does|did|do|is|are|was|were|has|have)\b", re.I)
"""A question with a verb of its own, not only another name."""
_DETERMINER = re.compile(r"^(?:the|a|an|any|some)\s+", re.I)
Values = Callable[[str], Iterable[object]]
"""The properties that have a text as a value."""


@dataclass(frozen=True, slots=True)
class Merged:
    """An earlier question with a part of it exchanged."""

    text: str
    cost: float


def merged(said: str, earlier: str, find: Find, values: Values) -> list[Merged]:
    """The ways to write a follow-up into an earlier question, the likeliest first; none where it is a question itself.

    Args:
        said: The follow-up, without what it begins with ("and", "what about").
        earlier: The earlier question.
        find: Finds the names in a text.
        values: The properties that have a text as a value.
    """
    said, earlier = said.strip(" ?.!"), earlier.strip().rstrip("?!.")
    if ASKS.match(said):
        return list(_asked_alike(said, earlier, find))
    if not said or len(said.split()) > _LONGEST:
        return []
    ways = [*_with_time(said, earlier), *_with_phrase(said, earlier)]
    if _PREPOSITION.match(said) is None:
        ways += [*_with_name(said, earlier, find), *_with_value(said, earlier, values)]
    best = {way.text: way for way in sorted(ways, key=lambda way: -way.cost) if way.text != earlier}
    return sorted(best.values(), key=lambda way: way.cost)


def _with_time(said: str, earlier: str) -> Iterator[Merged]:
    """Another time in the place of the last one."""
    fresh, old = times_in(said), times_in(earlier)
    if len(fresh) != 1 or not old:
        return
    rest = f"{said[: fresh[0].start()]}{said[fresh[0].end() :]}".strip()
    if rest and _PREPOSITION.sub("", f"{rest} ") != "":
        return  # It says more than a time.
    last = old[-1]
    start = last.start()
    if rest:  # It brings its own preposition.
        start = len(re.sub(rf"\b(?:{_PREPOSITIONS})\s+$", "", earlier[:start], flags=re.I))
    time = dated_like(fresh[0].group(), last.group())
    yield Merged(f"{earlier[:start]}{rest} {time}{earlier[last.end() :]}".replace("  ", " "), _TIME)


def _with_phrase(said: str, earlier: str) -> Iterator[Merged]:
    """Something else behind the same preposition."""
    match = _PREPOSITION.match(said)
    if match is None or TIME.search(said):
        return
    phrase = re.compile(rf"\b{match['word']}((?:\s+(?!{_PHRASE_END})[\w'\u2019.&-]+){{1,4}})", re.I)
    for place, old in enumerate(reversed(list(phrase.finditer(earlier)))):
        if not TIME.search(old.group()):
            yield Merged(f"{earlier[: old.start()]}{said}{earlier[old.end() :]}", _PHRASE + 0.1 * place)


def _with_name(said: str, earlier: str, find: Find) -> Iterator[Merged]:
    """Another name in the place of one of its kind."""
    bare = _DETERMINER.sub("", said)
    fresh = next((m for m in find(said) if m.end - m.start >= _WHOLE_NAME * len(bare) and m.candidates), None)
    if fresh is None:
        return
    for place, old in enumerate(reversed([m for m in find(earlier) if _labels(m) & _labels(fresh)])):
        yield Merged(f"{earlier[: old.start]}{fresh.text}{earlier[old.end :]}", _NAME + 0.1 * place)


def _asked_alike(said: str, earlier: str, find: Find) -> Iterator[Merged]:
    """The same question about another name, with less said: "who gave B the fewest?" behind "who gave A the fewest
    stars?"."""
    fresh = [m for m in find(said) if m.candidates]
    for mention in fresh[:1]:
        for way in _with_name(mention.text, earlier, find):
            words, full = (re.findall(r"\w+", text.lower()) for text in (said, way.text))
            rest = iter(full)
            if words[:2] == full[:2] and all(word in rest for word in words):
                yield way


def _labels(mention: Mention) -> set[str]:
    best = max((each.score for each in mention.candidates), default=0.0)
    return {each.entity.label for each in mention.candidates if each.score >= best - 1e-6}


def _with_value(said: str, earlier: str, values: Values) -> Iterator[Merged]:
    """Another value of the same property."""
    bare = _DETERMINER.sub("", said)
    places = set(values(bare))
    if not places:
        return
    words = list(re.finditer(r"[\w'\u2019-]+", earlier))
    for length in range(min(_LONGEST_VALUE, len(words)), 0, -1):
        for first in range(len(words) - length, -1, -1):
            start, end = words[first].start(), words[first + length - 1].end()
            if places & set(values(earlier[start:end])):
                yield Merged(f"{earlier[:start]}{bare}{earlier[end:]}", _VALUE)
                return
