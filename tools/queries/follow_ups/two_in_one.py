"""The parts of a question that asks two things: "when and where did she die?", "who runs it, and since when?"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_PREPOSITIONS = r"(?:(?:in|on|at|from|to|of|for|by|with|since|until|till|under|as|about|into|over|against)\s+)?"
_ASKS = rf"{_PREPOSITIONS}(?:who|whom|when|where|what|which|how)\b"
_AUXILIARY = r"(?:is|are|was|were|did|do|does|has|have|had|can|could|will|would)\b"
_NOUNS = rf"(?:\s+(?!{_AUXILIARY}|and\b)[\w-]+){{0,3}}?"
_AND = r"(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*&\s*)"

_TIMES = re.compile(rf"^(?:from|since)\s+when\s+(?:to|until|till)\s+when\b\s*(?P<rest>(?:{_AUXILIARY}.*)?)$", re.I)
_ONE = rf"(?:{_PREPOSITIONS}(?:who|whom|when|where)|{_PREPOSITIONS}(?:what|which|how){_NOUNS})"
_ASKED_TWICE = re.compile(rf"^(?P<one>{_ONE}){_AND}(?P<two>{_ONE})(?:\s+(?P<rest>{_AUXILIARY}.*))?$", re.I)
_THINGS = re.compile(r"^(?:what|which)\s+\w+", re.I)
_REFERS = re.compile(rf"^{_AUXILIARY}\s+(?:he|she|it|they|his|her|its|their)\b", re.I)
_ASKED_AGAIN = re.compile(rf"\s*,?\s+(?:and|&|plus)\s+(?:also\s+)?(?={_ASKS})", re.I)
_OF_TWO = re.compile(
    rf"^(?P<lead>(?:(?:what|which)\s+(?:{_AUXILIARY}\s+)?|(?:(?:can|could|would)\s+you\s+)?(?:please\s+)?"
    r"(?:list|give|show|tell|name|state)\s+(?:me\s+)?|)(?:the\s+)?)"
    rf"(?P<one>[\w-]+(?:\s+[\w-]+){{0,2}}?)\s+and\s+(?:the\s+)?"
    rf"(?P<two>[\w-]+(?:\s+[\w-]+){{0,2}}?)(?P<rest>\s+(?:(?:of|for)\b|{_AUXILIARY}).*)$",
    re.I,
)
_OF_A_TITLE = re.compile(
    r"^(?P<title>[^:?]{2,80}?)\s*:\s+(?P<one>[\w-]+(?:\s+[\w-]+){0,3}?)\s+(?:and|&|\+)\s+"
    r"(?P<two>[\w-]+(?:\s+[\w-]+){0,3})$",
    re.I,
)
_WHO_WHICH = re.compile(
    r"^(?P<who>who\s+\w+)\s+(?:which|what)\s+(?P<what>\w+)\s+(?P<rest>(?:in|on|at|for|of)\s.+)$", re.I
)
_ALONG_WITH = re.compile(
    r"^(?P<first>.+?)(?:\s*,\s*with\s+(?:the|their|its|his|her)|\s*,?\s+(?:along|together)\s+with\s+(?:the|their|its|his|her)"
    r"|\s+with\s+(?:their|its|his|her))\s+(?P<what>[\w-]+(?:\s+[\w-]+){0,6})$",
    re.I,
)
_BEGINS = re.compile(rf"^{_ASKS}{_NOUNS}\s+(?P<rest>{_AUXILIARY}.*)$", re.I)
_WHOLE = re.compile(rf"^{_ASKS}.*\b{_AUXILIARY}", re.I)
_WHICH_ONE = re.compile(r"^(?:which|what|who)(?:\s+ones?)?(?:\s+(?:is|are|was|were)\s+(?:it|they|that|those))?$", re.I)
_HOW_MANY = re.compile(r"^how\s+(?:many|much)(?:\s+(?:is|are|was|were)\s+(?:it|they|that|there))?$", re.I)


_LONGEST = 300
"""Characters of a question that is taken apart."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The two questions of one."""

    first: str
    second: str
    """It may leave words out, or refer to the first one."""
    written_out: tuple[str, ...] = ()
    """The ways to write the second one as a question of its own."""
    sure: bool = True
    """Whether no other question is asked in such words: "the towns and villages in Kent" are of two kinds."""
    number: bool = False
    """Whether the second one asks for the number that decides the first one: "who has the most, and how many?"."""


def asks_twice(question: str) -> bool:
    """Whether a question may ask two things."""
    return next(parts_of(question), None) is not None


def asks_for_two(question: str) -> bool:
    """Whether a question surely asks two things, not only for the number that decides the first."""
    return any(parts.sure and not parts.number for parts in parts_of(question))


def parts_of(question: str) -> Iterator[Parts]:
    """The ways to take a question apart; none of a question that asks one thing."""
    text = question.strip().rstrip("?.! ")
    if len(text) > _LONGEST:
        return
    if match := _TIMES.match(text):
        yield _of_both("since when", "until when", match["rest"])
        return
    if (match := _ASKED_TWICE.match(text)) and not _asks_for_things(match):
        yield _of_both(match["one"], match["two"], match["rest"] or "")
        return
    for match in _ASKED_AGAIN.finditer(text):
        first, second = text[: match.start()], text[match.end() :]
        if not _WHICH_ONE.match(second) and len(first.split()) > 1:
            number = _HOW_MANY.match(second) is not None
            yield Parts(first, second, tuple(_written_out(first, second)), number=number)
    if match := _OF_A_TITLE.match(text):
        yield Parts(f"{match['one']} of {match['title']}", f"{match['two']} of {match['title']}")
    if match := _WHO_WHICH.match(text):
        yield Parts(f"{match['who']} {match['rest']}", f"what {match['what']} did they have {match['rest']}")
    if match := _ALONG_WITH.match(text):
        beside = re.search(r"\b(?:along|together)\s+with\b", text, re.I) is not None
        yield Parts(match["first"], f"what are their {match['what']}", sure=beside)
    if match := _OF_TWO.match(text):
        last = re.search(r"\s+(?:of|for)\s+(?:(?!\bof\b|\bfor\b).)*$", match["rest"], re.I)
        for rest in dict.fromkeys((match["rest"], last.group() if last else match["rest"])):
            yield Parts(
                f"{match['lead']}{match['one']}{rest}", f"{match['lead']}{match['two']}{match['rest']}", sure=False
            )


def _asks_for_things(asked: re.Match[str]) -> bool:
    """Whether the first question asks for what the second one refers to: "which works, and when were they written?"."""
    return bool(_THINGS.match(asked["one"]) and _REFERS.match(asked["rest"] or ""))


def _of_both(first: str, second: str, rest: str) -> Parts:
    """ "When and where did she die?"."""
    return Parts(f"{first} {rest}", f"{second} {rest}") if rest else Parts(first, second)


def _written_out(first: str, second: str) -> Iterator[str]:
    """A second question with what it leaves out of the first one: "(in what room is it taught) and by whom"."""
    if not _WHOLE.match(second) and (match := _BEGINS.match(first)):
        yield f"{second} {match['rest']}"
