"""Words that refer to an earlier set: "which of those", "the leased ones", "these doctors", "it", "there"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from clew.tools.queries.follow_ups.variants import PLACE, Kind, Variant, variant
from clew.tools.queries.reading.english.rewording import superlative_of

FEW = r"(?:two|three|four|five|six|seven|eight|nine|ten|[2-9]|10)"
_OF_THEM = re.compile(
    r"\b(?P<lead>which|who|what|any|some|how many|many|all|each|one|both|most|the \w+)(?:\s+ones?)?\s+"
    rf"(?:of|among|amongst|from|out of)\s+(?P<point>(?:those|these|them)(?:\s+{FEW})?|(?:all\s+)?(?:the\s+)?{FEW}"
    r"|the\s+lot|it)\b"
    r"(?:\s+(?P<noun>[a-z]+))?",
    re.I,
)
_ONES = re.compile(
    r"\b(?:(?:the|those|these|any|all)\s+)?(?:(?P<about>(?:[\w-]+\s+){0,3}?))ones\b|\b(?:that|this)\s+one\b"
    r"|\bthe\s+(?P<which>(?:[\w-]+\s+){0,3}?)one\b",
    re.I,
)
_ONE_OF_THEM = re.compile(rf"\b(ones?)\s+(?:of|among|from)\s+(?:(?:the\s+)?{FEW}|them|those|these)(?=\W*$)", re.I)
_MORE_OF_TWO = re.compile(
    r"\b(the\s+(?:more \w+|less \w+|\w+er))\s+of\s+(?:the\s+|those\s+|these\s+)?(?:two|both|them)\b", re.I
)
_MOST_OF_THEM = re.compile(
    rf"^(?:and\s+)?(?:the\s+)?(?P<most>\w+est|most|least|fewest|best|worst)\s+(?P<what>[\w -]+?)\s+"
    rf"(?:of|among|amongst)\s+(?:(?:the\s+)?{FEW}|them|those|these)$",
    re.I,
)
_CONTENT = re.compile(
    r"\b(?!(?:what|which|who|is|are|was|were|and|the|so|then|name|list|show|give|tell|me|of|s)\b)[a-z]+\b", re.I
)
_POINTED = re.compile(
    rf"\b(?P<point>(?:those|these|the|all)(?=\s+{FEW}\s)|those|these|that|this|the same|the said|the|all)\s+"
    rf"(?:{FEW}\s+)?(?P<noun>[a-z]+)\b",
    re.I,
)
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
_TOPIC = re.compile(r"[A-Z\u201c\"][^,?]{1,40},\s*(?:who|what|when|where|which|how|is|was|are|were|does|did|do|has)\b")
"""Before a clause that speaks of it: "Ann, when did she join?"."""
_OF_IT = re.compile(r"(?:when|where|who|whom|whose|how)\b", re.I)
"""What asks for something of the one that is meant: "when was the biggest one?"."""
_TIMES = frozenset({"day", "night", "evening", "morning", "afternoon", "week", "month", "season", "date"})
_PEOPLE, _OWNING = {"he", "him", "his", "she", "her", "hers"}, {"his", "its", "their", "her"}
_MANY = {"they", "them", "their", "theirs", "those", "these"}


def _of_two(about: str) -> str:
    """ "The cheapest" for "the cheaper one", "the most recent" for "the more recent one"."""
    first, _, rest = about.partition(" ")
    most = superlative_of(first.lower()) if not rest else {"more": "most", "less": "least"}.get(first.lower())
    return f"{most} {rest}".rstrip() if most else about


def is_owner(pronoun: str, behind: str) -> bool:
    """Whether a pronoun says whose something is: "her house", not "with her"."""
    return pronoun.lower() in _OWNING and _NO_OWNER.match(behind) is None


def referring(rest: str, is_kind: Callable[[str], bool]) -> Iterator[Variant]:
    """The question with its first referring words, and all alike, written as "them"."""
    rest = _ONE_OF_THEM.sub(r"\1", _MORE_OF_TWO.sub(r"\1 one", rest))
    if match := _MOST_OF_THEM.match(rest):
        yield variant(f"which {PLACE} has the {match['most']} {match['what']}", single=False, adds=True)
        return
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
        asks = lead.startswith("the ") and _CONTENT.search(before) is not None  # "Who made the oldest of them?"
        written = f"{before}{lead} {PLACE} {kept}" + rest[match.end() :]
        yield variant(
            written, single=False, noun=noun if noun != kept else "", adds=bool(lead) and "how" not in lead and not asks
        )
        return
    if (match := _ONES.search(rest)) is not None:
        about = (match["about"] or match["which"] or "").strip()
        about = "" if about.lower() in ("which", "what") else re.sub(r"^(?:which|what)\s+", "", about, flags=re.I)
        single = None if match.group().lower().endswith("ones") else True
        about = _of_two(about) if single else about
        before = rest[: match.start()] + (
            match.group().split()[0] + " " if re.match(r"which|what", match.group(), re.I) else ""
        )
        pointing = re.match(r"(?:that|this)\s+one", match.group(), re.I)
        chosen = f"{PLACE}" if not about else f"the {about} {PLACE}"
        text = before + chosen + rest[match.end() :]
        adds = not pointing and _OF_IT.match(text) is None
        yield variant(text, single=single if pointing else False, adds=adds)
        if about and adds:
            yield variant(f"which {PLACE} are {about}{rest[match.end() :]}", cost=0.1, single=False, adds=True)
            yield variant(f"{PLACE} with {about}{rest[match.end() :]}", cost=0.2, single=False, adds=True)
        return
    for match in _POINTED.finditer(rest):
        point, noun = match["point"].lower(), match["noun"]
        behind = rest[match.end() :]
        if not is_kind(noun) or (
            point in ("the", "all") and re.match(r"\s*(?:[A-Z\"\u201c]|of\b|that\b|who\b|with\b|in\b)", behind)
        ):
            continue
        if noun.lower() in _TIMES and rest[: match.start()].strip() and not _PREPOSITION.search(rest[: match.start()]):
            behind = f"{behind} on {PLACE}"  # "Who was the manager that day?"
            yield variant(rest[: match.start()] + behind, single=None, noun=noun)
            return
        single = False if point in ("those", "these", "all") else None
        weak = 0.5 if point in ("the", "all") else 0.0
        yield variant(rest[: match.start()] + PLACE + behind, single=single, noun=noun, cost=weak, said=not weak)
        if not weak:
            return
    yield from _by_pronoun(rest)


def _by_pronoun(rest: str) -> Iterator[Variant]:
    if _TOPIC.match(rest):
        return  # "And Kestrel, how often was it inspected?"
    words = [m for m in _PERSONAL.finditer(rest) if not (m["word"][0].isupper() and m["word"] != "I" and m.start())]
    if words:
        first = words[0]["word"].lower()
        text = rest
        for each in reversed(words):
            owns = is_owner(each["word"], rest[each.end() :])
            text = text[: each.start()] + PLACE + ("'s" if owns else "") + text[each.end() :]
        kind: Kind = "person" if first in _PEOPLE else "thing" if first in ("it", "its") else ""
        yield variant(text, single=first not in _MANY, kind=kind)
        return
    match = _THOSE.search(rest)
    if match is not None:
        many = match.group().lower() in _MANY
        start = rest[: match.start()]
        yield variant(start + PLACE + rest[match.end() :], single=not many, adds=not start.strip())
        return
    match = _THERE.search(rest)
    if match is not None:
        before = "" if _PREPOSITION.search(rest[: match.start()]) else "in "
        yield variant(rest[: match.start()] + before + PLACE + rest[match.end() :], kind="thing")
