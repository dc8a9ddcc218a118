"""The words of a follow-up: what it begins with, what it refers to, and how it reads with what it leaves out.

Everything is general English. A `Variant` is the question with the word "them" wherever it speaks of an earlier set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from clew.tools.queries.follow_ups.ellipses import elliptical
from clew.tools.queries.follow_ups.references import FEW, referring
from clew.tools.queries.follow_ups.variants import MARK, PLACE, Variant, partial_variant, variant
from clew.tools.queries.reading.english.words import adjectives

Beginning = Literal["", "also", "instead", "not"]
"""How a question begins: plainly, with "and" or "what about", with "no, I meant", or with "not those"."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question taken apart."""

    begins: Beginning
    rest: str
    """What stands behind the beginning."""
    turn: int | None = None
    """The turn that it goes back to: 1 is the first, -1 the last, 0 the last list that was no part of another one;
    None if it names none."""
    back_to: str = ""
    """The kind of thing that it goes back to: "back to the films"."""
    named: str = ""
    """All that it calls what it goes back to."""
    variants: tuple[Variant, ...] = field(default=())


_POLITE = re.compile(
    r"^(?:(?:ok(?:ay)?|so|now|then|well|right|great|thanks|thank you|please|hm+|oh|but|cool|nice|good)\b[\s,.!:;]*)+",
    re.I,
)
_ALSO = re.compile(
    r"^(?:(?:and|also|plus|or)\b\s*,?\s*)?(?:(?:what|how)\s+about|(?:the\s+)?same\s+(?:again\s+|question\s+)?(?:for|with|about)|ditto\s+for)\s+"
    r"|^(?:and|also|plus|or)\b[\s,]*",
    re.I,
)
_WRONG = re.compile(
    r"^(?:(?:no|nope|sorry|wait|oops|actually|rather|not quite|wrong \w+(?=[.,;:!])|i (?:only |just |really )?meant?)"
    r"\b[\s,.;:!\u2013-]*)+"
    r"(?:i\s+(?:only\s+|just\s+|really\s+)?(?:mean|meant|want|wanted|was\s+(?:asking|thinking)\s+(?:about|of))\s+)?(?:make\s+(?:that|it)\s+)?",
    re.I,
)
_NOT = re.compile(r"^not\s+(?:those|these|that|this|them|him|her|it)(?:\s+ones?)?\b[\s,;:.\u2013-]*(?:but\s+)?", re.I)
_TURNS = {"first": 1, "original": 1, "second": 2, "third": 3, "fourth": 4, "last": -1, "previous": -1, "earlier": -1}
_BACK = re.compile(
    r"^(?:(?:(?:going|go|coming|let'?s\s+go)\s+)?back\s+to|returning\s+to|of|from|in|among|for)\s+"
    r"(?:the|my|your|that)\s+(?P<turn>first|original|second|third|fourth|last|previous|earlier)\s+"
    r"(?:answers?|lists?|questions?|results?|ones?|sets?)\b[\s,;:.]*",
    re.I,
)
_BACK_TO_ALL = re.compile(
    r"^(?:(?:going|go)\s+)?back\s+to\s+(?:the\s+)?(?:whole\s+|full\s+|entire\s+)?(?:list|lot|results?|set|beginning|start)\s*[,;:.]\s*",
    re.I,
)
_BACK_TO = re.compile(
    r"^(?:(?:going|go)\s+)?back\s+to\s+(?:(?:all|the|those|these|his|her|their|its|that|my)\s+)*(?P<what>(?:[\w'\u2019&-]+\s+){0,4}?(?P<noun>[\w-]+))\s*[,;:.]\s*",
    re.I,
)
_ENDS = re.compile(r"[\s,]*(?:\b(?:please|then|instead|though|too|as well))?[^\w*+%)]*$", re.I)


_SAID_OTHERWISE = (
    (
        re.compile(
            r"^(?:leave\s+out|leaving\s+out|take\s+out|taking\s+out|filter\s+out|exclude|excluding|omit|skip|drop|ignore|ignoring|remove"
            r"|minus|not\s+counting|forget\s+(?:about\s+)?|rule\s+out|apart\s+from|other\s+than|but\s+not)\s+",
            re.I,
        ),
        "without ",
    ),
    (re.compile(r"^(?:leave|take|filter|throw|kick)\s+(.+?)\s+out$", re.I), r"without \1"),
    (
        re.compile(r"^without\s+(?:all\s+)?(?:those|these|anything|any|everything)\b(?=\s+\w)", re.I),
        "without the ones",
    ),
    (
        re.compile(
            r"^without\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+)?(?:ones|those|anyone|anything|everyone)\s+"
            r"(?:without|with\s+no|(?:that|who|which)\s+(?:have|has|had)\s+(?:no|not\s+got))\s+",
            re.I,
        ),
        "with ",
    ),
    (
        re.compile(
            r"^without\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+)?(?:ones|those)\s+(?:that|who|which)\s+"
            r"(are|is|were|was|have|has|had)(?:n['\u2019]t|\s+not)\s+",
            re.I,
        ),
        r"that \1 ",
    ),
    (re.compile(r"\bbetween\s+(?:them|the\s+(?:lot|two|three))$", re.I), "in total"),
    (re.compile(r"\bwhen\s+(?:did|does|do|will)\s+(.+?)\s+come\s+out\b", re.I), r"when was \1 released"),
    (re.compile(r"\bwhere\s+(?:do|does|did)\s+(\w+)\s+have\s+(its|his|her|their)\b", re.I), r"where are \2"),
    (re.compile(r"\b(?:come|comes|came)\s+out\b", re.I), "were released"),
)
"""Phrases whose parts mean nothing apart, and ways to say what a set is without."""


def taken_apart(question: str, is_kind: Callable[[str], bool]) -> FollowUp:
    """A question with its beginning, and the ways to write out what it refers to or leaves out, the plainest first.

    Args:
        question: The question.
        is_kind: Whether a word is a kind of thing of the graph, or a role: "film", "directors".
    """
    rest, begins, turn, back_to, named = _POLITE.sub("", question.strip()), "", None, "", ""
    if match := _BACK.match(rest):
        turn, rest = _TURNS[match["turn"].lower()], rest[match.end() :]
    elif match := _BACK_TO_ALL.match(rest):
        turn, rest = 0, rest[match.end() :]
    elif match := _BACK_TO.match(rest):
        back_to, named, rest = match["noun"], match["what"], rest[match.end() :]
    for start, pattern in (("not", _NOT), ("instead", _WRONG), ("not", _NOT), ("also", _ALSO)):
        if (match := pattern.match(rest)) and match.end() < len(rest):
            begins, rest = start, rest[match.end() :]
    rest = re.sub(r"^(who|what|which|where|when|how)['\u2019]?s\b", r"\1 is", _ENDS.sub("", rest), flags=re.I)
    if re.match(r"(?:how|what|who|which|where|when)\b", rest, re.I) is None:
        rest = re.sub(
            r"^(?:just|only|simply|narrow\s+(?:that|it|this|them)\s+(?:down\s+)?to|keep)\s+", "", rest, flags=re.I
        )
    for pattern, instead in _SAID_OTHERWISE:
        rest = pattern.sub(instead, rest)
    found = list(dict.fromkeys(map(_of_products, _variants(rest, is_kind))))
    return FollowUp(begins, rest, turn, back_to, named, tuple(found))  # type: ignore[arg-type]


_MEANT = re.compile(
    r"^(?:(?:(?:no|nope|sorry|wait|oops|actually|hm+)\b[\s,.;:!\u2013-]*)*i\s+(?:mean|meant)|(?:and\s+)?(?:what|how)\s+about)\s+"
    r"(?P<name>[^.?!;,]{2,60})[.;!,?]\s+"
    r"(?P<asked>(?:and\s+)?(?:who|whom|whose|what|when|where|which|how|is|are|was|were|did|does|do|has|have)\b[^?]+)\??$",
    re.I,
)


_ANOTHER_TOPIC = re.compile(
    r"^(?:(?:ok(?:ay)?|so|now|and|then|well|right|thanks)\b[\s,.!]*)*"
    r"(?:(?:an?\s+)?(?:different|new|another|other|separate|unrelated)\s+(?:question|topic|thing|subject|matter)"
    r"|(?:(?:let(?:'|\u2019)?s|let\s+us)\s+(?:turn|switch|move\s+on|go)\s+to\s+|on\s+to\s+|turning\s+to\s+|now\s+)?something\s+"
    r"(?:else|different)|(?:changing|to\s+change)\s+the\s+(?:subject|topic)"
    r"|never\s*mind(?:\s+(?:that|them|it))?|(?:forget|scrap)\s+(?:that|it|them)|moving\s+on)"
    r"(?:\s+(?:now|then|entirely|altogether))?\s*[:,.;\u2013-]\s*",
    re.I,
)


def on_another_topic(question: str) -> str:
    """The question behind "different question:"; "" where none is announced so."""
    match = _ANOTHER_TOPIC.match(question)
    return question[match.end() :] if match else ""


def asked_of_another(question: str, is_kind: Callable[[str], bool]) -> str:
    """The question about what was meant, by its name: "I meant Aurora 4. Who was on that one?", "what about Oslo? Who
    lives there?"."""
    match = _MEANT.match(question)
    said = next((each for each in referring(match["asked"], is_kind) if each.said), None) if match else None
    return question if match is None or said is None else said.text.replace(MARK, match["name"])


_MADE = re.compile(
    rf"\b(?:{MARK}(?:\s+(?:was|were|is|are|has|have|had|been|that|which|all|also|first|not))*|(?:was|were)\s+{MARK})\s+"
    r"(?:made|released|published|written|filmed|produced|recorded|printed|issued|composed|painted|built|constructed"
    r"|manufactured|aired|broadcast)(?=\W*$|\s+(?:in|on|at|by|after|before|since|between|during|until|from|earlier|later"
    r"|more|less)\b)",
    re.I,
)


def _of_products(each: Variant) -> Variant:
    """ "Which of them were made after 1980": they are no people."""
    return each if each.kind == "person" or _MADE.search(each.text) is None else replace(each, kind="product")


def _variants(rest: str, is_kind: Callable[[str], bool]) -> Iterator[Variant]:
    sorting = _sorted(rest)
    if sorting is not None:
        yield sorting
        if re.search(r"\b(?:year|date|age|time)$", sorting.text):  # Whatever the time is called.
            first = "latest" if sorting.sorts == "down" else "earliest"
            yield variant(f"the {first} {PLACE}", cost=0.3, sorts=sorting.sorts, adds=True)
        return
    if _BARE_COUNT.match(rest) and re.match(r"how much\b", rest, re.I):
        yield variant(f"how much money is {PLACE} altogether")
    if _BARE_COUNT.match(rest):
        yield partial_variant(said=False)(f"how many {PLACE}")
        return
    if match := _AMONG.match(rest):
        yield variant(f"which {PLACE} are {match['what']}", adds=True)
        yield variant(f"{PLACE} with {match['what']}", cost=0.1, adds=True)
        return
    rest = _without_echo(rest)
    said = list(referring(rest, is_kind))
    yield from said
    if not any(each.said for each in said):
        yield from elliptical(rest, is_kind)


_SORT = re.compile(
    r"^(?:can you |could you )?(?:sort|order|rank|arrange|list|put|show)"
    rf"(?:\s+(?:(?:all\s+)?(?:of\s+)?(?:the\s+)?{FEW}(?:\s+of\s+them)?|(?:all\s+of\s+)?(?:them|those|these|that|it)))?(?:\s+all)?"
    r"\s+(?:by|in order of|according to|on)\s+(?:the\s+|their\s+)?(?P<by>.+?)"
    r"(?P<way>\W+(?:in\s+)?(?:descending|ascending|(?:with\s+)?(?:the\s+)?(?P<most>\w+)(?:\s+ones?)?\s+first)(?:\s+order)?)?$",
    re.I,
)
_FROM_TO = re.compile(
    r"^(?:(?:can you |could you )?(?:sort|order|rank|arrange|list|show|put|give)(?:\s+me)?"
    r"(?:\s+(?:them|those|these|the \w+))?(?:\s+all)?\s+)?(?:in order,?\s+)?"
    r"from\s+(?:the\s+)?(?P<most>\w+est|(?:most|least) \w+)\s+to\s+(?:the\s+)?(?:\w+est|most|least)\b.*$",
    re.I,
)
_DOWN = re.compile(r"descending|highest|newest|latest|most", re.I)


def _sorted(rest: str) -> Variant | None:
    """ "Sort them by year": read as the one with the lowest year, and then as all of them."""
    if match := _FROM_TO.match(rest):
        return variant(f"the {match['most']} {PLACE}", sorts="read", adds=True)
    match = _SORT.match(rest)
    if match is None:
        return None
    down = _descending(match["way"] or "", (match["most"] or "").lower(), match["by"])
    extreme = "highest" if down else "lowest"
    return variant(f"{PLACE} with the {extreme} {match['by']}", sorts="down" if down else "up", adds=True)


def _descending(way: str, most: str, by: str) -> bool:
    """Whether the highest value comes first: "by weight, heaviest first", "by age, oldest first"."""
    known = adjectives().get(most)
    if known is None or _DOWN.search(way):
        return _DOWN.search(way) is not None
    said = set(re.findall(r"\w+", by.lower()))
    if said & {*known.up, *known.down}:
        return not said.isdisjoint(known.up)
    return bool(known.up) and most != "oldest"


def _without_echo(rest: str) -> str:
    """ "Which has X in it": the words at the end only repeat what the question is about."""
    return re.sub(r"\b(has|have|had|with|featuring)\b(.+?)\s+in\s+(?:it|them)\b", r"\1\2", rest, flags=re.I)


_AMONG = re.compile(
    r"^(?:(?:is|are|were|was)\s+(?:there\s+)?)?(?:any|some)\s+(?P<what>.+?)\s+(?:among|amongst|in|of)\s+(?:those|these|them)\W*$",
    re.I,
)
_BARE_COUNT = re.compile(
    r"^(?:how many|how much|count|the number|number)(?:\s+(?:people|persons|things|items))?"
    r"(?:\s+(?:is|are|was|were|do|does|did|of|there|that|those|it|they|we|have|all|in|total|altogether|them|these|exactly"
    r"|you|got|find|found))*\W*$",
    re.I,
)
