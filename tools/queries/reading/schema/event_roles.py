"""Events as nodes, with who does and who suffers what a verb says: a Match with a winner and a loser, a Slaying with a
slayer and a victim."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache

from clew.tools.queries.lexical import stem
from clew.tools.queries.reading.english.words import event_roles
from clew.tools.queries.reading.forms.form import Path, Step
from clew.tools.queries.reading.forms.items import Feature
from clew.tools.queries.reading.forms.wider_labels import MOST_ENDS, either_of
from clew.tools.queries.reading.schema.joins import Joins
from clew.tools.queries.relation_names import relation_words, types_of

_LEAST_VERB = 4
_WAYS, _DONE = frozenset({"to", "from"}), ("ed", "en", "nt", "id", "ld")
"""Words that say a side alone, or behind what was done: "sent to", but not "reply to"."""
_Roles = tuple[frozenset[str], frozenset[str]]
"""What the relations to who does it, and to the other one, are called."""


def role_paths(joins: Joins, source: str, target: str, said: tuple[str, ...]) -> list[Path]:
    """The paths of two steps between the ends of the events that a verb tells of.

    Args:
        joins: The steps between labels.
        source: The label at the beginning.
        target: The label at the end.
        said: The words of the verb.
    """
    if _roles_of(said) is None:
        return []
    ahead = [first for first in joins.from_label(source) if not first.forward and first.target not in (source, target)]
    ways = [(first, second) for first in ahead for second in joins.direct(first.target, target)]
    return _of_both([path for path in ways if tells_roles(path, said)])


def _of_both(paths: list[Path]) -> list[Path]:
    """Where some paths lead by relations to both ends alike, only those."""
    return [path for path in paths if _is_both(path)] or paths


def _is_both(path: Path) -> bool:
    return all(len(types_of(step.relation)) > 1 for step in path)


def asked_roles(joins: Joins, target: str, said: tuple[str, ...]) -> list[tuple[str, Path]]:
    """What a question word may ask for, with the ways from there: what one slew may be heroes, or creatures."""
    ends: dict[tuple[Step, str], list[str]] = defaultdict(list)
    steps = joins.from_label(target) if _roles_of(said) is not None else ()
    ways = [(first, last) for last in steps if not last.forward for first in joins.from_label(last.target)]
    told = [
        (first, last)
        for first, last in ways
        if first.forward and tells_roles((first.back(last.target), last.back(target)), said)
    ]
    whole = [each for each in told if _is_both(each)]
    for first, last in whole or told:
        ends[last, first.relation].append(first.target)
    found: list[tuple[str, Path]] = []
    for (last, relation), labels in ends.items():
        source = either_of(sorted(set(labels))) if len(set(labels)) <= MOST_ENDS else labels[0]
        found.append((source, (Step(relation, False, last.target), last.back(target))))
    return found


def tells_roles(path: Path, said: tuple[str, ...]) -> bool:
    """Whether a path leads from one end of an event to the other, as a verb says."""
    roles = _roles_of(said) if len(path) == 2 else None
    if roles is None or path[0].forward or not path[1].forward:
        return False
    doer, other = roles
    if any(len(types_of(step.relation)) > 1 for step in path):
        return path[0].relation == path[1].relation and is_mutual(said)
    first, second = map(_called, path)
    if first == second:
        return False
    return bool((first & doer and second & other) or (first & other and second & doer))


def role_direction(path: Path, said: tuple[str, ...], subject: bool) -> list[Feature]:
    """What it costs that a path begins at the wrong end of an event.

    Args:
        path: The path.
        said: The words of the verb.
        subject: Whether what the path begins at stands before the verb.
    """
    if is_mutual(said):
        return []
    roles = _roles_of(said)
    does = roles is not None and bool(_called(path[0]) & roles[0])
    return [] if does == (subject != ("by" in said)) else [("subject", 2.0)]


def told_side(path: Path, said: tuple[str, ...], *, does: bool) -> bool | None:
    """Whether a step leads to the side that a verb means: the recipient, of the letters that Ann received. None where
    the verb or the relation tells nothing.

    Args:
        path: The way from the events.
        said: The words of the verb.
        does: Whether what it leads to does what the verb says, but for "by".
    """
    roles = _roles_of(said) if len(path) == 1 and path[0].forward and not is_mutual(said) else None
    if roles is None or len(types_of(path[0].relation)) > 1:
        return None
    called = _called(path[0])
    own, other = roles if does or "by" in said else roles[::-1]
    return None if bool(called & own) == bool(called & other) else bool(called & own)


def is_mutual(said: tuple[str, ...]) -> bool:
    """Whether a verb says the same of both: "face", "play against"."""
    roles = _roles_of(said)
    return roles is not None and roles[0] == roles[1]


def is_role(step: Step, said: tuple[str, ...]) -> bool:
    """Whether a step leads from an event to one of two that do something to each other, as a verb says."""
    roles = _roles_of(said)
    return roles is not None and step.forward and is_mutual(said) and bool(_called(step) & roles[0])


def _called(step: Step) -> frozenset[str]:
    words = [word for each in types_of(step.relation) for word in relation_words(each)]
    behind = len(words) > 1 and words[-1] in _WAYS and not words[-2].endswith(_DONE)
    return frozenset(words[:-1] if behind else words)


def _roles_of(said: tuple[str, ...]) -> _Roles | None:
    known = next((found for word in said if (found := _by_verb().get(stem(word))) is not None), None)
    return known or (_by_endings(said[0]) if said and (len(said) == 1 or said[-1] == "by") else None)


@lru_cache(maxsize=4096)
def _by_endings(verb: str) -> _Roles | None:
    """The reporter and the reported of "reported"."""
    bases = [base for base in (verb, verb.removesuffix("s"), verb.removesuffix("d"), verb.removesuffix("ed"))
             if len(base) >= _LEAST_VERB]  # fmt: skip
    doer = frozenset(base.removesuffix("e") + ending for base in bases for ending in ("er", "or"))
    other = frozenset(base.removesuffix("e") + ending for base in bases for ending in ("ed", "ee"))
    return (doer, other) if bases else None


@cache
def _by_verb() -> dict[str, _Roles]:
    return {
        stem(verb): (frozenset(row["doer"]), frozenset(row.get("other", row["doer"])))
        for row in event_roles()
        for verb in row["verbs"]
    }
