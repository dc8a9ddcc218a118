"""The clauses of a statement, each with its own subject and verb.

A clause that begins with "and" or a comma takes the subject of the clause before, one that begins with "who" or "which"
the name before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from clew.agents.verifying.sentence import (
    BE,
    CLAUSE,
    HAVE,
    NEGATIVE,
    PARTICIPLES,
    RELATIVE,
    Group,
    Item,
    begins_clause,
    verbal,
)

_SOMETHING = frozenset({"a", "an", "some", "someone", "somebody", "something", "another"})


@dataclass(slots=True)
class Clause:
    """Alternating words and groups of names; words come first and last."""

    gaps: list[list[Item]] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    shared: bool = False
    """The words about the last group are about an unnamed thing, like those about the others."""


def clauses_of(groups: Sequence[Group], gaps: Sequence[list[Item]]) -> list[Clause]:
    """The clauses, each with its own subject."""
    clauses: list[Clause] = []
    current = Clause([_without_opening(gaps[0])], [])
    subject = Clause()
    for place, group in enumerate(groups):
        current.groups.append(group)
        following = gaps[place + 1]
        last = place + 1 == len(groups)
        rest: list[Item] = []
        if len(current.groups) > 1 or clauses or last:
            rest, following = _parted(following)
        if not subject.groups:
            subject = _subject(current, following)
        elif len(current.groups) == 2 and not clauses and names_its(current.gaps[1]):
            subject = Clause([[]], [group])
        begins = begins_clause(following) and (len(following) > 1 or not last)
        if len(current.groups) == 1 and not clauses and not last and begins:
            following, begins = _stripped(following), False  # "A, which was directed by B": still the first claim
        if not begins:
            current.gaps.append([*rest, *following])
            continue
        current.gaps.append(rest)
        clauses.append(current)
        opening = _stripped(following)
        if not last and _own_subject(opening, gaps[place + 2]):
            current = Clause([opening], [])
            subject = Clause()
        elif _shares_unnamed(current, opening, last):
            current = Clause([*current.gaps[:-1], opening], list(current.groups), shared=True)
            clauses.pop()
        else:
            if _is_relative(following):
                subject = Clause([[]], [Group(group.members[-1:], (False,))])
            current = _with_subject(subject, opening)
    if len(current.gaps) > len(current.groups):
        clauses.append(current)
    _complete(clauses)
    return [part for clause in clauses for part in _unfolded(clause)]


def _is_relative(gap: Sequence[Item]) -> bool:
    """Whether a clause is about the name before it: "who …", but not "and who …"."""
    joined = len(gap) > 1 and gap[0].low in ("and", "but") and gap[1].low in RELATIVE
    return any(item.low in RELATIVE for item in gap[:3]) and not joined


def _with_subject(subject: Clause, opening: list[Item]) -> Clause:
    """The beginning of a clause without a subject of its own."""
    count = len(subject.groups)
    tail = subject.gaps[count] if len(subject.gaps) > count else []
    return Clause([*map(list, subject.gaps[:count]), [*tail, *opening]], list(subject.groups))


def _complete(clauses: Sequence[Clause]) -> None:
    """ "… was directed by B, not by C": a clause of small words takes the verb of the one before."""
    for before, clause in pairwise(clauses):
        if len(clause.groups) < 2 or len(before.groups) < 2:
            continue
        gap = clause.gaps[1]
        small = NEGATIVE | {"by", "in", "at", "to", "of", "from", "for", "on", "as", "instead", "rather", "than"}
        if all(item.low in small for item in gap):
            clause.gaps[1] = [*(item for item in gap if item.low in NEGATIVE), *before.gaps[1]]


def _without_opening(gap: Sequence[Item]) -> list[Item]:
    return [item for item in gap if item.low not in ("both", "either", "neither")]


def _subject(clause: Clause, following: Sequence[Item]) -> Clause:
    """The subject of later clauses without their own: "the director of A", "A's director"."""
    tail: list[Item] = []
    if following and following[0].text in ("'s", "\u2019s"):
        for item in following:
            if verbal(item.low):
                break
            tail.append(item)
    return Clause([list(clause.gaps[0]), tail], list(clause.groups))


def names_its(gap: Sequence[Item]) -> bool:
    """Whether the words between two names say that the first one has the second: "A's flight B is …" is about B."""
    return bool(gap) and gap[0].text in ("'s", "\u2019s") and not any(verbal(item.low) for item in gap)


def _parted(gap: list[Item]) -> tuple[list[Item], list[Item]]:
    """The words of the clause before, and those that begin another: "… *genre* and was filmed in"."""
    for at in range(1, len(gap) - 1):
        following = gap[at + 1].low
        if gap[at].low in CLAUSE and (verbal(following) or following in RELATIVE or following in CLAUSE | {"also"}):
            return gap[:at], gap[at:]
    return [], gap


def _stripped(gap: Sequence[Item]) -> list[Item]:
    """The words without those that only join clauses."""
    rest = list(gap)
    while rest and rest[0].low in CLAUSE | RELATIVE | {"also", "it", "he", "she", "they"}:
        rest.pop(0)
    return rest


def _own_subject(opening: Sequence[Item], following: Sequence[Item]) -> bool:
    """Whether a clause has its own subject: "and the director of C was born in D", "and C wrote D"."""
    return bool(following) and not begins_clause(following) and not (opening and verbal(opening[0].low))


def _shares_unnamed(clause: Clause, opening: Sequence[Item], last: bool) -> bool:
    """ "A acted in a film directed by B *and written by C*" is about the film, as A cannot be both."""
    if last or len(clause.groups) != 2 or not opening:
        return False
    words = [item.low for item in clause.gaps[1]]
    verb = opening[0].low
    # "is a …" describes A, and no other thing
    unnamed = any(word in _SOMETHING and before not in BE for before, word in pairwise(["", *words]))
    passive = verb not in BE | HAVE and (verb.endswith(("ed", "en", "ing")) or verb in PARTICIPLES)
    return unnamed and passive and opening[-1].low in ("by", "in", "at", "on", "to", "from", "of", verb)


def _unfolded(clause: Clause) -> list[Clause]:
    """ "A directed a film and was born in B" is two; "A directed and wrote B" is two with one object."""
    head, gap = clause.gaps[0], [item for words in clause.gaps[1:2] for item in words]

    def with_verb(words: list[Item]) -> Clause:
        return Clause([head, words, *clause.gaps[2:]], clause.groups)

    for at in range(1, len(gap) - 1):
        if gap[at].low != "and" or not verbal(gap[at + 1].low):
            continue
        before, after = gap[:at], gap[at + 1 :]
        content = [item for item in before if item.low not in BE | HAVE | NEGATIVE]
        if len(content) > 1 or len(clause.groups) <= 1:
            return [Clause([head, before], clause.groups[:1]), *_unfolded(with_verb(after))]
        same_end = after[-1:] if after[-1].low in ("by", "in", "at", "to", "of", "for") else []
        shared = [item for item in before if item.low in BE]
        return [with_verb([*before, *same_end]), with_verb([*shared, *after])]
    return [clause]
