"""A statement as words, names and values, and the lists of names in it; first without phrases about its truth.

Only small words and the positions of the linked names are used; no grammar of the language is needed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.rewording import superlative_of
from clew.tools.queries.space.words import ACTIVE, FINITE, PAST
from clew.tools.queries.values import MONTH

_CONTRACTED = re.compile(
    r"\b(?:(is|are|was|were|do|does|did|has|have|had|could|would|should|ca|wo|sha)n['\u2019]?t|(can)not)\b", re.I
)
_FULL = {"ca": "can", "wo": "will", "sha": "shall"}
_IT_IS = r"^it(?: is|'s|\u2019s) "
_OPENINGS: tuple[tuple[re.Pattern[str], bool], ...] = tuple(
    (re.compile(pattern, re.I), negative)
    for pattern, negative in (
        (_IT_IS + r"(?:not (?:true|correct|right|the case|a fact)|untrue|false|wrong|incorrect|a lie)"
         r"(?: to (?:say|claim))? that ", True),
        (_IT_IS + r"(?:not (?:false|wrong|untrue|incorrect)) that ", False),
        (_IT_IS + r"(?:true|correct|right|the case|a fact|indeed true) that ", False),
        (r"^(?:in fact|indeed|actually|according to the graph|apparently|for the record|as far as (?:i|we) know"
         r"|just so you know|by the way|btw|fyi|to be clear|all told|so far"
         r"|(?:(?:i am|i'm|i\u2019m) )?(?:pretty|fairly|quite) sure(?: that)?"
         r"|i (?:think|believe|heard|gather)(?: that)?),? ",
         False),
    )
)  # fmt: skip
_CLEFT = re.compile(r"^it (?:is|was) (.+?) (?:who|that) ", re.I)
"""“It was Ridley Scott who directed Alien.”"""
_NO_OTHER = re.compile(
    r"^no (?:other )?[a-z]+ (?P<verb>[^,]+?) (?P<degree>more|fewer|less|[a-z]+er)\b(?P<what>[^,]*?)"
    r" than (?P<name>[^,]+)$",
    re.I,
)
"""“No team spends more than Vortex Academy.”"""
_THAN_OTHERS = re.compile(
    r"\b(?P<degree>more|fewer|less|[a-z]+er)\b(?P<what>[^,]*?) than (?:any|every|all)(?:one|body|thing)? (?:the )?"
    r"(?:else|others?)(?: [a-z]+)?$",
    re.I,
)
"""“… has more runways than any other airport”"""
_OF_ANYONE = re.compile(
    r",? (?:of|among) (?:any(?:one|body)|every(?:one|body)|(?:them )?all)(?: (?:in|on|at) the [a-z]+)?$", re.I
)
_BOTH = re.compile(r"\bboth (?=[a-z]+ and [a-z]+ )")
"""“She both wrote and directed it.”"""
_ONE_OF = re.compile(r"\b(is|was|are|were) one of the ([a-z]+s)\b")
_AS_WELL = re.compile(r"\bas well as (by|in|at|on|from|to|with|for|of)\b")
_END = re.compile(r"[\s.!]+$")


def plain(statement: str) -> tuple[str, bool]:
    """The statement without phrases about its truth ("it is not true that"), and whether those negate it.

    Contractions are written out, so that every "not" is a word.
    """
    text = " ".join(statement.split())
    text = _CONTRACTED.sub(_written_out, text)
    text = _AS_WELL.sub(r"and \1", _BOTH.sub("", _END.sub("", text)))
    turned, again = False, True
    while again:
        again = False
        for pattern, negative in _OPENINGS:
            if found := pattern.match(text):
                text, turned, again = text[found.end() :], turned != negative, True
    text = _ONE_OF.sub(lambda found: f"{found[1]} a {singular(found[2])}", _as_superlative(text))
    cleft = _CLEFT.match(text)
    return (f"{cleft[1]} {text[cleft.end() :]}" if cleft else text), turned


def _as_superlative(text: str) -> str:
    """ "X spends the most" for "no team spends more than X", and for "X spends more than any other team"."""
    if (found := _NO_OTHER.match(text)) and (most := superlative_of(found["degree"].lower())):
        return f"{found['name']} {found['verb']} the {most}{found['what']}"
    if (found := _THAN_OTHERS.search(text)) and (most := superlative_of(found["degree"].lower())):
        return f"{text[: found.start()]}the {most}{found['what']}"
    return _OF_ANYONE.sub("", text)


def _written_out(found: re.Match[str]) -> str:
    verb = found.group(1) or found.group(2)
    return f"{_FULL.get(verb.lower(), verb)} not"


_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = rf"\b(?:(?:{MONTH})\b\.?\s+(?:{_DAY},?\s+)?\d{{4}}|{_DAY}\s+(?:of\s+)?(?:{MONTH})\b\.?,?\s+\d{{4}})\b"
_TOKEN = re.compile(
    _DATE
    + r"|['\u2019]s\b|\d[\d,]*\d(?:\.\d+)?(?![\w-])|\d\.\d+(?![\w-])"
    + r"|[^\W_](?:[\w-]|['\u2019.](?=\w))*|[,;:]",
    re.I,
)
_MOST_COUNTED = 200
"""A larger number before a noun is a value."""
_JOINS = frozenset({"and", "or", "but", "nor", "as", "well", "also", "both", "either", "the", ",", "not", "&", "with"})
_LISTS = frozenset({"and", "or", "nor", "but", "&"})
_INSTEAD_OF = (["rather", "than"], ["instead", "of"])
CLAUSE = frozenset({"and", "but", "while", "whereas", "though", "although", ";", ",", "yet"})
RELATIVE = frozenset({"who", "which", "that", "whose", "whom", "where"})
BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
HAVE = frozenset({"has", "have", "had", "does", "do", "did", "can", "could", "will", "would", "may", "might"})
PARTICIPLES = frozenset({
    "born", "set", "filmed", "shot", "made", "sung", "written", "drawn", "led", "won", "built", "held", "sold", "known",
    "given", "seen", "taken", "run", "spoken",
})  # fmt: skip
NEGATIVE = frozenset({"not", "never", "no", "nobody", "none", "neither", "nor", "without", "lacks", "lack"})
_VERBAL = (
    BE | HAVE | PARTICIPLES | (NEGATIVE - {"no", "neither", "nor"})
    | {"starring", "featuring", "stars", "features", "costars"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """A word, a punctuation mark, a name (`mention` is its number) or a value (`mention` is -1)."""

    text: str
    mention: int | None = None

    @property
    def low(self) -> str:
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Group:
    """Names in a list, which share a place in the sentence."""

    members: tuple[Item, ...]
    negative: tuple[bool, ...]
    either: bool = False
    """Joined by "or"."""


def items_of(text: str, names: Sequence[tuple[int, int]]) -> list[Item]:
    """The words of a text, with the spans `names` as one item each."""
    items: list[Item] = []
    position = 0
    for number, (start, end) in enumerate([*names, (len(text), len(text))]):
        words = [Item(match.group()) for match in _TOKEN.finditer(text, position, start)]
        items += [_as_value(words, place) for place in range(len(words))]
        if number < len(names):
            items.append(Item(text[start:end], number))
        position = end
    return items


def _as_value(words: Sequence[Item], place: int) -> Item:
    """A number is a value unless it counts the noun after it."""
    word = words[place]
    if re.fullmatch(_DATE, word.text, re.I):
        return replace(word, mention=-1)
    if not word.text[0].isdecimal():
        return word
    counts = word.text.isdecimal() and int(word.text[:9]) <= _MOST_COUNTED and place + 1 < len(words)
    return word if counts and words[place + 1].text.isalpha() else replace(word, mention=-1)


def grouped(items: Sequence[Item]) -> tuple[list[Group], list[list[Item]]]:
    """The groups of names, and the words before, between and after them."""
    gaps: list[list[Item]] = [[]]
    names: list[Item] = []
    for item in items:
        if item.mention is None:
            gaps[-1].append(item)
        else:
            names.append(item)
            gaps.append([])
    groups: list[Group] = []
    between: list[list[Item]] = [gaps[0]]
    place = 0
    while place < len(names):
        last = _end_of_list(gaps, place, len(names))
        members = names[place : last + 1]
        groups.append(_group(members, [gaps[i] for i in range(place + 1, last + 1)], between[-1]))
        between.append(gaps[last + 1])
        place = last + 1
    return groups, between


def _end_of_list(gaps: Sequence[Sequence[Item]], first: int, count: int) -> int:
    """The last name of the list that begins with the name `first`."""
    last = first
    while last + 1 < count and _joins(gaps[last + 1]):
        last += 1
    while last > first and not any(item.low in _LISTS for item in gaps[last]) and not _pair(gaps[last]):
        last -= 1  # a comma alone ends no list
    is_subject_of_more = last > first and first > 0 and last + 1 < count and not begins_clause(gaps[last + 1])
    if is_subject_of_more and gaps[last + 1] and any(item.low == "and" for item in gaps[last]):
        last -= 1  # "A directed B and C wrote D"
    return last


def _joins(gap: Sequence[Item]) -> bool:
    words = [item.low for item in gap]
    if words in ([], ["with"], ["the"], ["as"], ["not"]):
        return False
    return words in _INSTEAD_OF or all(word in _JOINS for word in words)


def _pair(gap: Sequence[Item]) -> bool:
    words = [item.low for item in gap]
    return words[:2] in _INSTEAD_OF or {"as", "well"} <= set(words)


def _group(members: Sequence[Item], inner: Sequence[Sequence[Item]], before: Sequence[Item]) -> Group:
    neither = any(item.low == "neither" for item in before)
    negative = [neither]
    for gap in inner:
        words = {item.low for item in gap}
        turned = bool(words & {"not", "rather", "instead"}) and "neither" not in words
        negative.append(neither or "nor" in words or turned)
    either = any(item.low == "or" for gap in inner for item in gap)
    return Group(tuple(members), tuple(negative), either)


def begins_clause(gap: Sequence[Item]) -> bool:
    """Whether the words begin a clause."""
    return bool(gap) and gap[0].low in CLAUSE | RELATIVE


def verbal(word: str) -> bool:
    """Whether a word is a form of a verb, or negates one."""
    return (
        word in _VERBAL
        or any(word in verbs for verbs in (FINITE, PAST, ACTIVE))
        or (word.endswith("ed") and len(word) > 4)
    )
