"""Relation paths as models write them, parsed into chains of relations that exist in the schema and can be followed.

A path is written as `STOPS_AT -> LOCATED_IN`, with marks for a relation followed backwards (`^STOPS_AT`, `inverse of
STOPS_AT`), as a pattern of Cypher, or with labels and names in between. Names are corrected if the correction is
unambiguous. Paths that cannot be followed from the labels of the entities are left out. Source: ByoKG-RAG section 3.3,
which follows the relations of a path from the linked entities.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from clew.agents.evidence import RelationStep
from clew.agents.linking.relation_names import RelationNames

LONGEST_PATH = 6
"""Relations of one path."""
_LONGEST_LINE = 500
_MOST_READINGS = 8
"""Of one path, where names in it are ambiguous."""

_CYPHER = re.compile(r"(<)?[ \t]?-[ \t]?\[([^\[\]]{0,200})\][ \t]?-[ \t]?(>)?")
_DASHED = re.compile(r"(?:(?<=[\s)])|^)(<)?-{1,2}([\w:.`][^\s<>\[\]()]{0,100}?)-{1,2}(>)?(?=[\s(]|$)")
_ARROW = re.compile(
    r"(<?[-\u2013\u2014=]{1,3}>|[\u2192\u27f6\u2794\u21d2\u00bb]|<[-\u2013\u2014=]{1,3}|[\u2190\u27f5\u21d0])"
)
_BACK = ("<-", "<=", "<\u2013", "<\u2014", "\u2190", "\u27f5", "\u21d0")
_LED_IN = re.compile(
    r"^\s*(?:(?:relation(?:ship)?|reasoning|meta)?[ -]?(?:path|chain|hops?|route)\s*\d*\s*[:=]"
    r"|\d+\s*[-_ ]?hops?\s*:)\s*",
    re.IGNORECASE,
)
_MARK_BEFORE = re.compile(
    r"^(?:[\^~!]|(?:inverse|inv|reverse|reversed)(?:\s*\(\s*|\s+of\s+|[\s:_]+))\s*", re.IGNORECASE
)
_MARK_AFTER = re.compile(
    r"(?:\^\{?-1\}?|\u207b\u00b9|\s*[(\[](?:inverse|inv|reversed?|backwards?|incoming|in)[)\]]|[_\s-](?:inverse|inv|reversed?))$",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\s*(?:[(\[#].*|\s[-\u2013\u2014]\s.*|//.*|:\s.*)$")
_PLACEHOLDER = re.compile(
    r"\?.*|[a-z]\d?|answers?|entity|target|result|topic entity|start|end|\.{3}|\u2026|", re.IGNORECASE
)
_SIGNS = "-:()[]<>`\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb*., \t"
_SEPARATOR = re.compile(r"\s*(?:/|,|;|\bthen\b|\s\.\s)\s*")


@dataclass(frozen=True, slots=True)
class _Step:
    """One relation as it was written."""

    words: tuple[str, ...]
    """Alternatives of Cypher's `A|B`; usually one."""
    forward: bool | None


@dataclass(slots=True)
class Reading:
    """The parsed paths of a reply."""

    paths: list[list[RelationStep]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    near: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Maps an unknown relation name to the nearest relations."""


def read_paths(
    lines: Iterable[str],
    names: RelationNames,
    starts: Collection[str] = (),
    is_entity: Callable[[str], bool] = lambda _: False,
) -> Reading:
    """Parse paths into chains that can be followed, each once, with a note on every correction.

    Args:
        lines: One path each.
        names: The relations of the schema.
        starts: Labels of the linked entities; empty if unknown.
        is_entity: Whether words of a path are the name of an entity.
    """
    reading = Reading()
    for line in lines:
        for path in _read(line[:_LONGEST_LINE], names, starts or names.labels, is_entity, reading):
            if path not in reading.paths:
                reading.paths.append(path)
    return reading


def _read(
    line: str, names: RelationNames, starts: Collection[str], is_entity: Callable[[str], bool], reading: Reading
) -> list[list[RelationStep]]:
    resolved: list[tuple[tuple[str, ...], bool | None]] = []
    for step in _steps(_LED_IN.sub("", line), names):
        kinds, inverse = _resolved(step.words, names, is_entity, reading)
        if kinds is None:
            reading.notes.append(f"path “{line}” left out: the graph has no relation “{step.words[0]}”")
            return []
        if kinds:
            resolved.append((kinds, step.forward if not inverse else step.forward is False))
    if not 0 < len(resolved) <= LONGEST_PATH:
        why = "it is too long" if resolved else "it names no relation"
        reading.notes.append(f"path “{line}” left out: {why}")
        return []
    found = []
    marks = [forward for _, forward in resolved]
    for kinds in islice(product(*(kinds for kinds, _ in resolved)), _MOST_READINGS):
        path, note = _walkable(kinds, marks, names, starts)
        found += [path] if path else []
        reading.notes += [f"path “{line}” {note}"] if path and note else []
    if not found:
        reading.notes.append(f"path “{line}” left out: it leads nowhere from {_listed(starts)}")
    return found


def _steps(line: str, names: RelationNames) -> list[_Step]:
    for pattern in (_CYPHER, _DASHED):
        matches = list(pattern.finditer(line))
        if matches and (pattern is _CYPHER or any(match.group(1) or match.group(3) for match in matches)):
            return [_Step(_types(match.group(2)), _arrow(match.group(1), match.group(3))) for match in matches]
    pieces = [piece for part in _SEPARATOR.split(line) if (piece := _trimmed(part))]
    if len(pieces) > 1 and all(_exact_variants(piece, names)[0] for piece in pieces):
        return [_Step((piece,), None) for piece in pieces]
    steps = []
    back = False
    for piece in _ARROW.split(line):
        if _ARROW.fullmatch(piece):
            back = piece.startswith(_BACK) and not piece.endswith(">")
        elif word := _trimmed(piece):
            steps.append(_Step(_types(word) if "|" in word else (word,), False if back else None))
    return steps


def _arrow(left: str | None, right: str | None) -> bool | None:
    return None if bool(left) == bool(right) else bool(right)


def _types(inside: str) -> tuple[str, ...]:
    """`r:STOPS_AT|:CALLS_AT*1..2 {since: 3}` to its types."""
    typed = inside.split(":", 1)[-1] if ":" in inside else inside
    words = [_trimmed(re.split(r"[*{]", each, maxsplit=1)[0]) for each in typed.split("|")[:4]]
    return tuple(word for word in words if word) or ("",)


def _trimmed(word: str) -> str:
    """A word without the punctuation around it, unless that marks a relation followed backwards."""
    word = word.strip()
    return word if _MARK_AFTER.search(word) else word.strip(_SIGNS)


def _resolved(
    words: Sequence[str], names: RelationNames, is_entity: Callable[[str], bool], reading: Reading
) -> tuple[tuple[str, ...] | None, bool]:
    """The types that the words stand for (none for words that are no relation but may occur in a path, None for unknown
    words), and whether they have the mark of a relation followed backwards."""
    kinds: dict[str, None] = {}
    inverse = passed = False
    for word in words:
        found, marked = _exact_variants(word, names)
        if not found and (_PLACEHOLDER.fullmatch(word) or names.is_label(word) or is_entity(word)):
            passed = bool(word)
            continue
        if not found and names.is_property(word):
            reading.notes.append(f"“{word}” is a property, no relation")
            passed = True
            continue
        if not found and (near := _near_variant(word, names)):
            found, marked = (near[0],), near[1]
            reading.notes.append(f"relation “{word}” read as {near[0]}")
        if not found and word:
            reading.near[word] = tuple(kind for kind, _ in names.by_spelling(word, 3))
        kinds.update(dict.fromkeys(found))
        inverse |= marked
    return (tuple(kinds) if kinds else () if passed else None), inverse


def _variants(word: str) -> list[tuple[str, bool]]:
    """The word as it is, without a mark of inversion, without a remark; and whether the mark was there."""
    found = [(word, False)]
    for plain in (word, _REMARK.sub("", word)):
        bare = _MARK_AFTER.sub("", _MARK_BEFORE.sub("", plain)).strip(_SIGNS)
        marked = bool(_MARK_BEFORE.search(plain) or _MARK_AFTER.search(plain))
        found += [(bare, marked)] if bare else []
    return list(dict.fromkeys(found))


def _exact_variants(word: str, names: RelationNames) -> tuple[tuple[str, ...], bool]:
    if names.has(word):
        return (word,), False
    for variant, marked in sorted(_variants(word), key=lambda each: not each[1]):  # a mark is not a part of a name
        if found := names.exactly(variant):
            return found, marked
    return (), False


def _near_variant(word: str, names: RelationNames) -> tuple[str, bool] | None:
    for variant, marked in reversed(_variants(word)):
        if len(variant) > 2 and (near := names.nearly(variant)):
            return near, marked
    return None


def _walkable(
    kinds: Sequence[str], marks: Sequence[bool | None], names: RelationNames, starts: Collection[str]
) -> tuple[list[RelationStep], str]:
    """The chain with the directions that the schema determines; without its marks, or from its other end, if it can be
    followed only so."""
    unmarked = [None] * len(kinds)
    turned = [None if mark is None else not mark for mark in reversed(marks)]
    ways = [(kinds, marks, "")]
    ways += [(kinds, unmarked, "goes the other way along some relation")] if any(m is not None for m in marks) else []
    ways += [(kinds[::-1], each, "was turned round") for each in (turned, unmarked)]
    for sequence, required, note in ways:
        if directions := _directions(sequence, required, names, starts):
            steps: list[RelationStep] = [
                {"relation": kind, "forward": forward} for kind, forward in zip(sequence, directions, strict=True)
            ]
            return steps, note if list(sequence) != list(kinds) or required is not marks else ""
    return [], ""


def _directions(
    kinds: Sequence[str], marks: Sequence[bool | None], names: RelationNames, starts: Collection[str]
) -> list[bool | None]:
    """For each relation its only direction in a walk through the schema, None if both occur; empty if there is no
    walk."""
    options = [[True, False] if mark is None else [mark] for mark in marks]
    reached = [set(starts)]
    for kind, forwards in zip(kinds, options, strict=True):
        reached.append({to for forward in forwards for at, to in _moves(names, kind, forward) if at in reached[-1]})
    if not reached[-1]:
        return []
    found: list[bool | None] = []
    after = reached[-1]
    for i in range(len(kinds) - 1, -1, -1):
        used = {
            forward: {at for at, to in _moves(names, kinds[i], forward) if at in reached[i] and to in after}
            for forward in options[i]
        }
        possible = [forward for forward, at in used.items() if at]
        found.append(possible[0] if len(possible) == 1 else None)
        after = set().union(*used.values())
    return found[::-1]


def _moves(names: RelationNames, kind: str, forward: bool) -> Sequence[tuple[str, str]]:
    ends = names.ends(kind)
    return ends if forward else [(target, source) for source, target in ends]


def _listed(labels: Collection[str]) -> str:
    shown = sorted(labels)[:5]
    return ", ".join(shown) + (", …" if len(labels) > len(shown) else "") if shown else "anything"
