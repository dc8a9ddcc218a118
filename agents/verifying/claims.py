"""A statement taken apart into claims: what is said of which entities, and how "and", "or" and "not" join that.

Read by words and by where the linked names stand; no grammar of the language is needed beyond its small words. Names in
a list share what is said of them, a clause that begins with "and" or a comma takes its subject from the one before,
and one that begins with "who" or "which" from the name before it. A "not" belongs to its clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from typing import Literal

from tools.query_space.words import ACTIVE, FINITE, PAST

Bound = Literal["at least", "at most", "more than", "fewer than", "exactly"]


@dataclass(frozen=True, slots=True)
class Part:
    """`text[start:end]` of a claim is the name numbered `mention`, or a value where that is None."""

    start: int
    end: int
    mention: int | None


@dataclass(frozen=True, slots=True)
class Quantity:
    bound: Bound
    number: int


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is said, without its negation. Two parts: how they are related; one: what there is of it."""

    text: str
    parts: tuple[Part, ...]
    quantity: Quantity | None = None
    shared: int | None = None
    """Of three parts or more: all meet in one thing without a name ("a film by A that stars B"), where what is said of
    the last one begins at this character."""


@dataclass(frozen=True, slots=True)
class Not:
    of: Formula


@dataclass(frozen=True, slots=True)
class All:
    of: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Any:
    of: tuple[Formula, ...]


Formula = Claim | Not | All | Any

_CONTRACTED = re.compile(
    r"\b(?:(is|are|was|were|do|does|did|has|have|had|could|would|should|ca|wo|sha)n['\u2019]?t|(can)not)\b", re.I
)
_FULL = {"ca": "can", "wo": "will", "sha": "shall"}
_OPENINGS: tuple[tuple[re.Pattern[str], bool], ...] = tuple(
    (re.compile(pattern, re.I), negative)
    for pattern, negative in (
        (
            r"^(?:it(?: is|'s|\u2019s) "
            r"(?:not (?:true|correct|right|the case|a fact)|untrue|false|wrong|incorrect|a lie)"
            r"(?: to (?:say|claim))? that )",
            True,
        ),
        (r"^(?:it(?: is|'s|\u2019s) (?:not (?:false|wrong|untrue|incorrect)) that )", False),
        (r"^(?:it(?: is|'s|\u2019s) (?:true|correct|right|the case|a fact|indeed true) that )", False),
        (r"^(?:(?:in fact|indeed|actually|according to the graph),? )", False),
    )
)
_END = re.compile(r"[\s.!]+$")
_TOKEN = re.compile(r"['\u2019]s\b|[^\W_](?:[\w-]|['\u2019.](?=\w))*|[,;:]")
_NUMBERS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}
_BOUNDS: tuple[tuple[tuple[str, ...], Bound], ...] = (
    (("at", "least"), "at least"), (("at", "most"), "at most"), (("more", "than"), "more than"),
    (("fewer", "than"), "fewer than"), (("less", "than"), "fewer than"), (("exactly",), "exactly"),
    (("only",), "exactly"),
)  # fmt: skip
_MOST_COUNTED = 200
"""A larger number before a noun is taken for a value."""
_JOINS = frozenset({"and", "or", "but", "nor", "as", "well", "also", "both", "either", "the", ",", "not", "&", "with"})
_LISTS = frozenset({"and", "or", "nor", "but", "&"})
_CLAUSE = frozenset({"and", "but", "while", "whereas", "though", "although", ";", ",", "yet"})
_RELATIVE = frozenset({"who", "which", "that", "whose", "whom", "where"})
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_HAVE = frozenset({"has", "have", "had", "does", "do", "did", "can", "could", "will", "would", "may", "might"})
_PARTICIPLES = frozenset(
    [
        "born",
        "set",
        "filmed",
        "shot",
        "made",
        "sung",
        "written",
        "drawn",
        "led",
        "won",
        "built",
        "held",
        "sold",
        "known",
        "given",
        "seen",
        "taken",
        "run",
        "spoken",
    ]
)
_SOMETHING = frozenset({"a", "an", "some", "someone", "somebody", "something", "another"})
_NEGATIVE = frozenset({"not", "never", "no", "nobody", "none", "neither", "nor", "without", "lacks", "lack"})
_INSTEAD = {"nobody": "someone", "none": "some", "without": "with", "lacks": "has", "lack": "have"}


def plain(statement: str) -> tuple[str, bool]:
    """The statement without what is said about its truth ("it is not true that"), and whether that turns it round.

    Contractions are written out, so that every "not" is a word.
    """
    text = " ".join(statement.split())
    text = _CONTRACTED.sub(_written_out, text)
    text = _END.sub("", text)
    turned, again = False, True
    while again:
        again = False
        for pattern, negative in _OPENINGS:
            if found := pattern.match(text):
                text, turned, again = text[found.end() :], turned != negative, True
    return text, turned


def _written_out(found: re.Match[str]) -> str:
    verb = found.group(1) or found.group(2)
    return f"{_FULL.get(verb.lower(), verb)} not"


def taken_apart(text: str, names: Sequence[tuple[int, int]]) -> Formula | None:
    """The claims of a plain statement; `names` are the spans of its linked names, in order. None where it has none."""
    items = _items(text, names)
    if not any(item.mention is not None for item in items):
        return None
    groups, gaps = _grouped(items)
    clauses = _clauses(groups, gaps)
    found = [formula for clause in clauses for formula in _formulas(clause)]
    return found[0] if len(found) == 1 else All(tuple(found))


def claims_of(formula: Formula) -> list[Claim]:
    """The claims in a formula, in order."""
    if isinstance(formula, Claim):
        return [formula]
    return claims_of(formula.of) if isinstance(formula, Not) else [c for part in formula.of for c in claims_of(part)]


@dataclass(frozen=True, slots=True)
class _Item:
    """A word, a sign, a name (`mention`) or a value (`mention` -1)."""

    text: str
    mention: int | None = None

    @property
    def low(self) -> str:
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class _Group:
    """Names that share a place in a sentence."""

    members: tuple[_Item, ...]
    negative: tuple[bool, ...]
    either: bool = False
    """Joined by "or"."""


@dataclass(slots=True)
class _Clause:
    """Words and groups in turn, words first and last."""

    gaps: list[list[_Item]] = field(default_factory=list)
    groups: list[_Group] = field(default_factory=list)
    shared: bool = False
    """What is said of the last group is said of a thing without a name, of which the others speak too."""


def _items(text: str, names: Sequence[tuple[int, int]]) -> list[_Item]:
    items: list[_Item] = []
    position = 0
    for number, (start, end) in enumerate([*names, (len(text), len(text))]):
        words = [_Item(match.group()) for match in _TOKEN.finditer(text, position, start)]
        items += [_as_value(words, place) for place in range(len(words))]
        if number < len(names):
            items.append(_Item(text[start:end], number))
        position = end
    return items


def _as_value(words: Sequence[_Item], place: int) -> _Item:
    """A number that does not count the noun behind it is a value."""
    word = words[place]
    if not word.text[0].isdecimal():
        return word
    counts = word.text.isdecimal() and int(word.text[:9]) <= _MOST_COUNTED and place + 1 < len(words)
    return word if counts and words[place + 1].text.isalpha() else replace(word, mention=-1)


# ---- names in lists -------------------------------------------------------------------------------------------------


def _grouped(items: Sequence[_Item]) -> tuple[list[_Group], list[list[_Item]]]:
    """The groups of names, and the words before, between and after them."""
    gaps: list[list[_Item]] = [[]]
    names: list[_Item] = []
    for item in items:
        if item.mention is None:
            gaps[-1].append(item)
        else:
            names.append(item)
            gaps.append([])
    groups: list[_Group] = []
    between: list[list[_Item]] = [gaps[0]]
    place = 0
    while place < len(names):
        last = _end_of_list(gaps, place, len(names))
        members = names[place : last + 1]
        groups.append(_group(members, [gaps[i] for i in range(place + 1, last + 1)], between[-1]))
        between.append(gaps[last + 1])
        place = last + 1
    return groups, between


def _end_of_list(gaps: Sequence[Sequence[_Item]], first: int, count: int) -> int:
    """The last name of the list that begins with the name `first`."""
    last = first
    while last + 1 < count and _joins(gaps[last + 1]):
        last += 1
    while last > first and not any(item.low in _LISTS for item in gaps[last]) and not _pair(gaps[last]):
        last -= 1  # a comma alone ends no list
    is_subject_of_more = last > first and first > 0 and last + 1 < count and not _begins_clause(gaps[last + 1])
    if is_subject_of_more and gaps[last + 1] and any(item.low == "and" for item in gaps[last]):
        last -= 1  # "A directed B and C wrote D"
    return last


def _joins(gap: Sequence[_Item]) -> bool:
    words = [item.low for item in gap]
    if not words or words == ["with"] or words == ["the"] or words == ["as"]:
        return False
    if words[:2] in (["rather", "than"], ["instead", "of"]) and len(words) == 2:
        return True
    return all(word in _JOINS for word in words) and words != ["not"]


def _pair(gap: Sequence[_Item]) -> bool:
    words = [item.low for item in gap]
    return words[:2] in (["rather", "than"], ["instead", "of"]) or {"as", "well"} <= set(words)


def _group(members: Sequence[_Item], inner: Sequence[Sequence[_Item]], before: Sequence[_Item]) -> _Group:
    neither = any(item.low == "neither" for item in before)
    negative = [neither]
    for gap in inner:
        words = {item.low for item in gap}
        turned = bool(words & {"not", "rather", "instead"}) and "neither" not in words
        negative.append(neither or "nor" in words or turned)
    either = any(item.low == "or" for gap in inner for item in gap)
    return _Group(tuple(members), tuple(negative), either)


# ---- clauses --------------------------------------------------------------------------------------------------------


def _clauses(groups: Sequence[_Group], gaps: Sequence[list[_Item]]) -> list[_Clause]:
    """The clauses, each with its own subject written out."""
    clauses: list[_Clause] = []
    current = _Clause([_without_opening(gaps[0])], [])
    subject = _Clause()
    for place, group in enumerate(groups):
        current.groups.append(group)
        following = gaps[place + 1]
        last = place + 1 == len(groups)
        rest: list[_Item] = []
        if len(current.groups) > 1 or clauses or last:
            rest, following = _parted(following)
        if not subject.groups:
            subject = _subject(current, following)
        begins = _begins_clause(following) and (len(following) > 1 or not last)
        if len(current.groups) == 1 and not clauses and not last and begins:
            following, begins = _stripped(following), False  # "A, which was directed by B": still the first claim
        if not begins:
            current.gaps.append([*rest, *following])
            continue
        current.gaps.append(rest)
        clauses.append(current)
        opening = _stripped(following)
        if not last and _own_subject(opening, gaps[place + 2]):
            current = _Clause([opening], [])
            subject = _Clause()
        elif _shares_unnamed(current, opening, last):
            current = _Clause([*current.gaps[:-1], opening], list(current.groups), shared=True)
            clauses.pop()
        else:
            relative = any(item.low in _RELATIVE for item in following[:3]) and not (
                len(following) > 1 and following[0].low in ("and", "but") and following[1].low in _RELATIVE
            )
            if relative:
                subject = _Clause([[]], [_Group(group.members[-1:], (False,))])
            current = _Clause([*map(list, subject.gaps[: len(subject.groups)])], list(subject.groups))
            tail = subject.gaps[len(subject.groups)] if len(subject.gaps) > len(subject.groups) else []
            current.gaps.append([*tail, *opening])
    if len(current.gaps) > len(current.groups):
        clauses.append(current)
    _complete(clauses)
    return [part for clause in clauses for part in _unfolded(clause)]


def _complete(clauses: Sequence[_Clause]) -> None:
    """ "… was directed by B, not by C": a clause of small words takes the verb of the one before."""
    for before, clause in pairwise(clauses):
        if len(clause.groups) < 2 or len(before.groups) < 2:
            continue
        gap = clause.gaps[1]
        small = _NEGATIVE | {"by", "in", "at", "to", "of", "from", "for", "on", "as", "instead", "rather", "than"}
        if all(item.low in small for item in gap):
            clause.gaps[1] = [*(item for item in gap if item.low in _NEGATIVE), *before.gaps[1]]


def _without_opening(gap: Sequence[_Item]) -> list[_Item]:
    return [item for item in gap if item.low not in ("both", "either", "neither")]


def _subject(clause: _Clause, following: Sequence[_Item]) -> _Clause:
    """ "The director of A", "A's director": what later clauses without a subject speak of."""
    tail: list[_Item] = []
    if following and following[0].text in ("'s", "\u2019s"):
        for item in following:
            if _verbal(item.low):
                break
            tail.append(item)
    return _Clause([list(clause.gaps[0]), tail], list(clause.groups))


def _begins_clause(gap: Sequence[_Item]) -> bool:
    return bool(gap) and (gap[0].low in _CLAUSE or gap[0].low in _RELATIVE)


def _parted(gap: list[_Item]) -> tuple[list[_Item], list[_Item]]:
    """What still belongs to the clause before, and what begins another: "… *genre* and was filmed in"."""
    for at in range(1, len(gap) - 1):
        following = gap[at + 1].low
        if gap[at].low in _CLAUSE and (_verbal(following) or following in _RELATIVE or following in _CLAUSE | {"also"}):
            return gap[:at], gap[at:]
    return [], gap


def _stripped(gap: Sequence[_Item]) -> list[_Item]:
    """Without the words that only join clauses."""
    rest = list(gap)
    while rest and rest[0].low in _CLAUSE | _RELATIVE | {"also", "it", "he", "she", "they"}:
        rest.pop(0)
    return rest


def _own_subject(opening: Sequence[_Item], following: Sequence[_Item]) -> bool:
    """Whether a clause names what it speaks of: "and the director of C was born in D", "and C wrote D"."""
    return bool(following) and not _begins_clause(following) and not (opening and _verbal(opening[0].low))


def _shares_unnamed(clause: _Clause, opening: Sequence[_Item], last: bool) -> bool:
    """ "A acted in a film directed by B *and written by C*": said of the film, as A cannot be both."""
    if last or len(clause.groups) != 2 or not opening:
        return False
    words = [item.low for item in clause.gaps[1]]
    verb = opening[0].low
    unnamed = any(word in _SOMETHING for word in words)
    passive = verb not in _BE | _HAVE and (verb.endswith(("ed", "en", "ing")) or verb in _PARTICIPLES)
    return unnamed and passive and opening[-1].low in ("by", "in", "at", "on", "to", "from", "of", verb)


def _verbal(word: str) -> bool:
    return (
        word in _BE
        or word in _HAVE
        or word in FINITE
        or word in PAST
        or word in ACTIVE
        or word in _PARTICIPLES
        or word in _NEGATIVE - {"no", "neither", "nor"}
        or (word.endswith("ed") and len(word) > 4)
        or word in ("starring", "featuring", "stars", "features", "costars", "won")
    )


def _unfolded(clause: _Clause) -> list[_Clause]:
    """ "A directed a film and was born in B" is two; "A directed and wrote B" is two with one object."""
    for place, gap in enumerate(clause.gaps):
        if not place > 0:
            continue
        for at in range(1, len(gap) - 1):
            if gap[at].low != "and" or not _verbal(gap[at + 1].low):
                continue
            before, after = gap[:at], gap[at + 1 :]
            first = _Clause([*clause.gaps[:place], list(before)], clause.groups[:place])
            second = _Clause([*clause.gaps[:place], list(after), *clause.gaps[place + 1 :]], clause.groups)
            if place >= 2:  # "A directed B in C and won D" is split at the name before
                continue
            content = [item for item in before if item.low not in _BE | _HAVE | _NEGATIVE]
            if len(content) <= 1 and len(clause.groups) > place:
                shared = [item for item in before if item.low in _BE]
                same_end = after[-1:] if after[-1].low in ("by", "in", "at", "to", "of", "for") else []
                one = _Clause([*clause.gaps[:place], [*before, *same_end], *clause.gaps[place + 1 :]], clause.groups)
                return [one, replace_gap(second, place, [*shared, *after])]
            return [first, *_unfolded(second)]
    return [clause]


def replace_gap(clause: _Clause, place: int, gap: list[_Item]) -> _Clause:
    return _Clause([*clause.gaps[:place], gap, *clause.gaps[place + 1 :]], clause.groups)


# ---- claims ---------------------------------------------------------------------------------------------------------


def _formulas(clause: _Clause) -> list[Formula]:
    """The claims of one clause: one for every choice of a name from each list."""
    gaps, turned = _affirmed(clause.gaps)
    quantity = None
    if len(clause.groups) == 1:
        gaps, quantity = _counted(gaps)
        pair = clause.groups[0].members
        if len(pair) == 2 and not clause.groups[0].either and _mutual(gaps[-1]):
            return [_turned(_claim([gaps[0], [_Item("and")], gaps[-1]], pair), turned)]
    whole: list[Formula] = []
    for chosen in product(*(range(len(group.members)) for group in clause.groups)):
        members = [group.members[i] for group, i in zip(clause.groups, chosen, strict=True)]
        negative = turned != (sum(g.negative[i] for g, i in zip(clause.groups, chosen, strict=True)) % 2 == 1)
        if len(members) > 2 and not clause.shared:
            whole.append(_turned(_in_pairs(gaps, members), negative))
        else:
            claim = _claim(gaps, members, shared=clause.shared)
            whole.append(_turned(replace(claim, quantity=quantity), negative))
    if any(group.either for group in clause.groups) and not turned and len(whole) > 1:
        return [Any(tuple(whole))]
    return whole


def _in_pairs(gaps: Sequence[list[_Item]], members: Sequence[_Item]) -> Formula:
    """ "A played B in C": what is said of A and B, and for every further name that it is so of A or of one between."""
    found: list[Formula] = [_claim([*gaps[:2], gaps[-1] if len(members) == 2 else []], members[:2])]
    for place in range(2, len(members)):
        earlier = (members[0], members[place - 1])
        end = gaps[-1] if place + 1 == len(members) else []
        found.append(Any(tuple(_claim([[], gaps[place], end], [one, members[place]]) for one in earlier)))
    return All(tuple(found))


def _turned(formula: Formula, turned: bool) -> Formula:
    return Not(formula) if turned else formula


def _affirmed(gaps: Sequence[Sequence[_Item]]) -> tuple[list[list[_Item]], bool]:
    """The words without their negations, and whether these turn the clause round."""
    turned = False
    kept: list[list[_Item]] = []
    for gap in gaps:
        words: list[_Item] = []
        for place, item in enumerate(gap):
            low = item.low
            if low in ("neither", "nor"):
                continue  # said of the names of a list
            if low not in _NEGATIVE:
                words.append(item)
                continue
            turned = not turned
            if low in _INSTEAD:
                words.append(_Item(_INSTEAD[low]))
            elif low == "no" and place + 1 < len(gap) and gap[place + 1].low == "one":
                words.append(_Item("some"))
        kept.append(words)
    return kept, turned


def _counted(gaps: Sequence[list[_Item]]) -> tuple[list[list[_Item]], Quantity | None]:
    """The words without a number that counts, and the number."""
    for place, gap in enumerate(gaps):
        for at, item in enumerate(gap[:-1]):
            number = int(item.text[:9]) if item.text.isdecimal() else _NUMBERS.get(item.low)
            if number is None or item.mention is not None or not gap[at + 1].text.isalpha():
                continue
            if item.low == "one" and (at == 0 or gap[at - 1].low in ("some", "the", "no")):
                continue
            start, bound = at, "exactly" if number != 1 else "at least"
            for words, name in _BOUNDS:
                if tuple(i.low for i in gap[at - len(words) : at]) == words and at >= len(words):
                    start, bound = at - len(words), name
                    break
            rest = [*gaps[:place], [*gap[:start], *gap[at + 1 :]], *gaps[place + 1 :]]
            return [list(g) for g in rest], Quantity(bound, number)  # type: ignore[arg-type]
    return [list(gap) for gap in gaps], None


def _mutual(words: Sequence[_Item]) -> bool:
    """ "A and B are married", "A and B starred in the same film": of each other."""
    said = {item.low for item in words}
    if said & {"same", "together", "each", "another"}:
        return True
    return bool(said & {"are", "were"}) and not said & {"a", "an"} and 1 < len(words) <= 3


def _claim(gaps: Sequence[Sequence[_Item]], members: Sequence[_Item], *, shared: bool = False) -> Claim:
    text, parts, begins = "", [], None
    for place, gap in enumerate(gaps):
        if shared and place == len(gaps) - 2:
            begins = len(text)
        text = _joined(text, (item.text for item in gap))
        if place < len(members):
            name = members[place]
            text = _joined(text, [name.text])
            mention = name.mention if name.mention is not None and name.mention >= 0 else None
            parts.append(Part(len(text) - len(name.text), len(text), mention))
    return Claim(text, tuple(parts), shared=begins)


def _joined(text: str, words: Iterable[str]) -> str:
    for word in words:
        space = " " if text and word not in ("'s", "\u2019s", ",", ";", ":") else ""
        text += space + word
    return text
