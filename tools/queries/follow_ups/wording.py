"""The words of a follow-up: what it begins with, what it refers to, and how it reads with what it leaves out.

Everything is general English. A `Variant` is the question with the word "them" wherever it speaks of an earlier set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from clew.tools.queries.lexical import Span

MARK = "them"
Beginning = Literal["", "also", "instead", "not"]
"""How a question begins: plainly, with "and" or "what about", with "no, I meant", or with "not those"."""
Kind = Literal["", "person", "thing"]


@dataclass(frozen=True, slots=True)
class Variant:
    """A question with "them" in the place of an earlier set."""

    text: str
    spans: tuple[Span, ...]
    """Where "them" stands."""
    cost: float = 0.0
    single: bool | None = None
    """Whether one node is meant; None where the words do not say."""
    kind: Kind = ""
    noun: str = ""
    """The kind of thing that is meant, in its own word: "those doctors"."""
    said: bool = True
    """Whether the question itself refers to the set, rather than leaving it out."""
    sorts: Literal["", "up", "down"] = ""
    """Whether the whole set is asked for in this order."""
    adds: bool = False
    """Whether it can only say more of the set, so that a form about anything else is wrong."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question taken apart."""

    begins: Beginning
    rest: str
    """What stands behind the beginning."""
    turn: int | None = None
    """The turn that it goes back to: 1 is the first, -1 the last; None if it names none."""
    back_to: str = ""
    """The kind of thing that it goes back to: "back to the films"."""
    variants: tuple[Variant, ...] = field(default=())


_POLITE = re.compile(
    r"^(?:(?:ok(?:ay)?|so|now|then|well|right|great|thanks|thank you|please|hm+|oh|but|cool|nice|good)\b[\s,.!:;]*)+",
    re.I,
)
_ALSO = re.compile(r"^(?:(?:and|also|plus|or)\b\s*,?\s*)?(?:what|how)\s+about\s+|^(?:and|also|plus|or)\b[\s,]*", re.I)
_WRONG = re.compile(
    r"^(?:(?:no|nope|sorry|wait|oops|actually|rather|not quite|i mean|i meant)\b[\s,.;:!\u2013-]*)+"
    r"(?:i\s+(?:mean|meant|want|wanted|was\s+(?:asking|thinking)\s+(?:about|of))\s+)?(?:make\s+(?:that|it)\s+)?",
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
_BACK_TO = re.compile(
    r"^(?:(?:going|go)\s+)?back\s+to\s+(?:(?:all|the|those|these|his|her|their|its|that|my)\s+)*(?P<noun>\w+)\s*[,;:.]\s*",
    re.I,
)
_ENDS = re.compile(r"[\s,]*\b(?:please|then|instead|though|too|as well)?\W*$", re.I)


def taken_apart(question: str, is_kind: Callable[[str], bool]) -> FollowUp:
    """A question with its beginning, and the ways to write out what it refers to or leaves out, the plainest first.

    Args:
        question: The question.
        is_kind: Whether a word is a kind of thing of the graph, or a role: "film", "directors".
    """
    rest, begins, turn, back_to = _POLITE.sub("", question.strip()), "", None, ""
    if match := _BACK.match(rest):
        turn, rest = _TURNS[match["turn"].lower()], rest[match.end() :]
    elif match := _BACK_TO.match(rest):
        back_to, rest = match["noun"], rest[match.end() :]
    for start, pattern in (("not", _NOT), ("instead", _WRONG), ("not", _NOT), ("also", _ALSO)):
        if (match := pattern.match(rest)) and match.end() < len(rest):
            begins, rest = start, rest[match.end() :]
    rest = _ENDS.sub("", rest)
    if re.match(r"(?:how|what|who|which|where|when)\b", rest, re.I) is None:
        rest = re.sub(
            r"^(?:just|only|simply|narrow\s+(?:that|it|this|them)\s+(?:down\s+)?to|keep)\s+", "", rest, flags=re.I
        )
    found = list(dict.fromkeys(_variants(rest, is_kind)))
    return FollowUp(begins, rest, turn, back_to, tuple(found))  # type: ignore[arg-type]


_PLACE = "\x01"
"""Stands for "them" while a text is rewritten."""


def _variant(text: str, **about: object) -> Variant:
    """A variant of a text with _PLACE wherever the set is meant."""
    text = re.sub(r"\s+", " ", text.replace(_PLACE, f" {_PLACE} ")).replace(f"{_PLACE} 's", f"{_PLACE}'s").strip()
    parts = text.split(_PLACE)
    written, spans = parts[0], []
    for part in parts[1:]:
        spans.append((len(written), len(written) + len(MARK)))
        written += MARK + part
    return Variant(written, tuple(spans), **about)  # type: ignore[arg-type]


def _variants(rest: str, is_kind: Callable[[str], bool]) -> Iterator[Variant]:
    sorting = _sorted(rest)
    if sorting is not None:
        yield sorting
        return
    if _BARE_COUNT.match(rest):
        yield partial_variant(said=False)(f"how many {_PLACE}")
        return
    if match := _AMONG.match(rest):
        yield _variant(f"which {_PLACE} are {match['what']}", adds=True)
        yield _variant(f"{_PLACE} with {match['what']}", cost=0.1, adds=True)
        return
    rest = _without_echo(rest)
    referring = list(_referring(rest, is_kind))
    yield from referring
    if not referring:
        yield from _elliptical(rest, is_kind)


_SORT = re.compile(
    r"^(?:can you |could you )?(?:sort|order|rank|arrange|list)(?:\s+(?:them|those|these|that|it))?(?:\s+all)?"
    r"\s+(?:by|in order of|according to|on)\s+(?:the\s+|their\s+)?(?P<by>.+?)"
    r"(?P<way>\W+(?:in\s+)?(?:descending|ascending|(?:highest|largest|newest|latest|biggest|most|longest)\s+first"
    r"|(?:lowest|smallest|oldest|earliest|shortest)\s+first)(?:\s+order)?)?$",
    re.I,
)
_DOWN = re.compile(r"descending|highest|largest|newest|latest|biggest|most|longest", re.I)


def _sorted(rest: str) -> Variant | None:
    """ "Sort them by year": read as the one with the lowest year, and then as all of them."""
    match = _SORT.match(rest)
    if match is None:
        return None
    down = bool(match["way"] and _DOWN.search(match["way"]))
    extreme = "highest" if down else "lowest"
    return _variant(f"{_PLACE} with the {extreme} {match['by']}", sorts="down" if down else "up", adds=True)


def _without_echo(rest: str) -> str:
    """ "Which has X in it": the words at the end only repeat what the question is about."""
    return re.sub(r"\b(has|have|had|with|featuring)\b(.+?)\s+in\s+(?:it|them)\b", r"\1\2", rest, flags=re.I)


_AMONG = re.compile(
    r"^(?:(?:is|are|were|was)\s+(?:there\s+)?)?(?:any|some)\s+(?P<what>.+?)\s+(?:among|amongst|in|of)\s+(?:those|these|them)\W*$",
    re.I,
)
_OF_THEM = re.compile(
    r"\b(?P<lead>which|who|what|any|some|how many|many|all|each|one|both|most|the \w+)(?:\s+ones?)?\s+"
    r"(?:of|among|amongst|from|out of)\s+(?P<point>those|these|them|the\s+(?:two|three|four|five|lot)|it)\b"
    r"(?:\s+(?P<noun>[a-z]+))?",
    re.I,
)
_ONES = re.compile(
    r"\b(?:(?:the|those|these|any|all)\s+)?(?:(?P<about>(?:[\w-]+\s+){0,3}?))ones\b|\b(?:that|this)\s+one\b"
    r"|\bthe\s+(?P<which>(?:[\w-]+\s+){0,3}?)one\b",
    re.I,
)
_POINTED = re.compile(r"\b(?P<point>those|these|that|this|the same|the said|the|all)\s+(?P<noun>[a-z]+)\b", re.I)
_THOSE = re.compile(
    r"\b(?:those|these)\b|(?<=\bis )that\b|(?<=\bwas )that\b|(?<=\bdid )that\b|(?<=\bof )that\b|(?<=\bdoes )that\b"
    r"|(?<=\bfor )that\b|(?<=\bwith )that\b|(?<=\babout )that\b|(?<=\bin )that\b|\b(?:that|this)(?=\W*$)",
    re.I,
)
_PERSONAL = re.compile(r"\b(?P<word>he|him|his|she|her|hers|it|its|they|them|their|theirs)\b", re.I)
_THERE = re.compile(r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\bthere\b(?!\s+(?:is|are|was|were|any|a)\b)", re.I)
_PREPOSITION = re.compile(r"\b(?:in|on|at|from|to|of|for|with|by|near|into|through)\s*$", re.I)
_NO_OWNER = re.compile(
    r"^\W*(?:$|(?:in|on|at|of|for|from|with|by|to|as|and|or|the|a|an|when|where|who|that|work|do)\b)", re.I
)
_PEOPLE, _OWNING = {"he", "him", "his", "she", "her", "hers"}, {"his", "its", "their", "her"}
_MANY = {"they", "them", "their", "theirs", "those", "these"}


def _referring(rest: str, is_kind: Callable[[str], bool]) -> Iterator[Variant]:
    """The question with its first referring words, and all alike, written as "them"."""
    if match := _OF_THEM.search(rest):
        lead, noun = match["lead"].lower(), match["noun"] or ""
        kept = noun if noun and not is_kind(noun) else ""
        lead = "which" if lead in ("who", "what", "any", "some", "one", "each", "both", "all") else lead
        before = rest[: match.start()]
        lead = (
            ""
            if lead == "which" and re.search(r"\b(?:is|are|was|were|did|does|do|has|have)\s+$", before, re.I)
            else lead
        )
        written = f"{before}{lead} {_PLACE} {kept}" + rest[match.end() :]
        yield _variant(written, single=False, noun=noun if noun != kept else "", adds=bool(lead) and "how" not in lead)
        return
    if (match := _ONES.search(rest)) is not None:
        about = (match["about"] or match["which"] or "").strip()
        about = "" if about.lower() in ("which", "what") else re.sub(r"^(?:which|what)\s+", "", about, flags=re.I)
        single = None if match.group().lower().endswith("ones") else True
        before = rest[: match.start()] + (
            match.group().split()[0] + " " if re.match(r"which|what", match.group(), re.I) else ""
        )
        pointing = re.match(r"(?:that|this)\s+one", match.group(), re.I)
        chosen = f"{_PLACE}" if not about else f"the {about} {_PLACE}"
        text = before + chosen + rest[match.end() :]
        yield _variant(text, single=single if pointing else False, adds=not pointing)
        if about:
            yield _variant(f"which {_PLACE} are {about}{rest[match.end() :]}", cost=0.1, single=False, adds=True)
            yield _variant(f"{_PLACE} with {about}{rest[match.end() :]}", cost=0.2, single=False, adds=True)
        return
    for match in _POINTED.finditer(rest):
        point, noun = match["point"].lower(), match["noun"]
        behind = rest[match.end() :]
        if not is_kind(noun) or (
            point in ("the", "all") and re.match(r"\s*(?:[A-Z\"\u201c]|of\b|that\b|who\b|with\b|in\b)", behind)
        ):
            continue
        single = False if point in ("those", "these", "all") else None
        weak = 0.5 if point in ("the", "all") else 0.0
        yield _variant(rest[: match.start()] + _PLACE + behind, single=single, noun=noun, cost=weak, said=not weak)
        if not weak:
            return
    yield from _by_pronoun(rest)


def _by_pronoun(rest: str) -> Iterator[Variant]:
    words = [m for m in _PERSONAL.finditer(rest) if not (m["word"][0].isupper() and m["word"] != "I" and m.start())]
    if words:
        first = words[0]["word"].lower()
        text = rest
        for each in reversed(words):
            owns = each["word"].lower() in _OWNING and not _NO_OWNER.match(rest[each.end() :])
            text = text[: each.start()] + _PLACE + ("'s" if owns else "") + text[each.end() :]
        kind: Kind = "person" if first in _PEOPLE else "thing" if first in ("it", "its") else ""
        yield _variant(text, single=first not in _MANY, kind=kind)
        return
    match = _THOSE.search(rest)
    if match is not None:
        many = match.group().lower() in _MANY
        start = rest[: match.start()]
        yield _variant(start + _PLACE + rest[match.end() :], single=not many, adds=not start.strip())
        return
    match = _THERE.search(rest)
    if match is not None:
        before = "" if _PREPOSITION.search(rest[: match.start()]) else "in "
        yield _variant(rest[: match.start()] + before + _PLACE + rest[match.end() :], kind="thing")


_BARE_COUNT = re.compile(
    r"^(?:how many|how much|count|the number|number)(?:\s+(?:is|are|was|were|do|does|did|of|there|that|those|it|they|we"
    r"|have|all|in|total|altogether|them|these|exactly|you|got|find|found))*\W*$",
    re.I,
)
_WHICH = re.compile(r"^(?P<word>which|what|who)(?:\s+ones?)?\s+(?P<next>[\w'\u2019]+)", re.I)
_COPULA = re.compile(r"^(?:which|what|who)(?:'s|\u2019s|\s+(?:is|are|was|were))\s+(?P<rest>(?:the\s+)?.+)$", re.I)
_SUPERLATIVE = re.compile(
    r"\b(?:\w+est|most|least|fewest|first|last|best|worst|latest|more|higher|lower|older|larger)\b", re.I
)
_PART = re.compile(
    r"^(?:in|on|at|from|with|without|by|for|to|of|under|over|above|below|before|after|since|between|until|during|within"
    r"|that|who|whose|where|which|directed|made|born|built|based|set|not|more|less|at least|at most|older|younger"
    r"|cheaper|longer|shorter|larger|smaller)\b",
    re.I,
)
_ASKS = re.compile(
    r"^(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|did|do|does|has|have|had)\b", re.I
)


def _elliptical(rest: str, is_kind: Callable[[str], bool]) -> Iterator[Variant]:
    """The ways in which a question that refers to nothing may leave the set out."""
    left_out = partial_variant(said=False)
    if match := re.match(r"^how many\s+(?=(?:is|are|was|were|have|has|had|do|did|won|of)\b)", rest, re.I):
        yield left_out(f"how many {_PLACE} {rest[match.end() :]}", adds=True)
    if match := _WHICH.match(rest):
        behind = rest[match.start("next") :]
        if not is_kind(match["next"]):
            word = match["word"].lower()
            kind: Kind = "person" if word == "who" else ""
            yield left_out(f"which {_PLACE} {behind}", cost=0.0 if word == "which" else 0.2, adds=True, kind=kind)
    if (match := _COPULA.match(rest)) and _SUPERLATIVE.search(match["rest"]):
        yield left_out(f"{match['rest']} {_PLACE}", cost=0.1, adds=True)
    if _ASKS.match(rest) is None:
        bare = re.sub(r"^(?:the|a|an|any|some|those|these)\s+", "", rest, flags=re.I)
        if _SUPERLATIVE.search(rest):
            yield left_out(f"{rest} {_PLACE}", adds=True)
        if _PART.match(bare):
            yield left_out(f"{_PLACE} {bare}", adds=True)
            yield left_out(f"which {_PLACE} are {bare}", cost=0.1, adds=True)
        else:
            yield left_out(f"which {_PLACE} are {bare}", adds=True)
            yield left_out(f"{_PLACE} with {bare}", cost=0.1, adds=True)
            yield left_out(f"{_PLACE} in {bare}", cost=0.15, adds=True)
            yield left_out(f"{bare} {_PLACE}", cost=0.2, adds=True)
        yield left_out(f"{rest} of {_PLACE}", cost=0.3)
    else:
        yield left_out(f"{rest} of {_PLACE}", cost=0.4)
        yield left_out(f"{rest} in {_PLACE}", cost=0.45)


def partial_variant(*, said: bool) -> Callable[..., Variant]:
    """Makes variants of which `said` is the same."""

    def made(text: str, **about: object) -> Variant:
        return replace(_variant(text, **about), said=said)

    return made
