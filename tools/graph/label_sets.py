"""Nodes with several labels: which label counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from clew.tools.graph.identifiers import identifier_words

_GENERIC = frozenset({"entity", "node", "resource", "thing", "object", "vertex", "base"})
_FEW = 0.05
"""The share of a label's nodes that may differ from the rest: data has exceptions."""


def counting_labels(sets: Mapping[frozenset[str], int]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Of each node one label counts: the widest, but not one that only says what several others have in common.

    Of Person and Actor, Person counts if some persons are no actors, or if actors may be directors too. Of Entity,
    Person and City, where each entity is either a person or a city, Person and City count.

    Args:
        sets: the sets of labels that nodes have, with their numbers of nodes.

    Returns:
        The labels that count, so that the first of them that a node has is its label; and those to hide, which other
        software marks its nodes with.
    """
    counts: dict[str, int] = defaultdict(int)
    for labels, n in sets.items():
        for label in labels:
            counts[label] += n
    common = {label for label in counts if _is_common(label, counts, sets)}
    order = sorted(counts, key=lambda label: (label in common, _is_generic(label), -counts[label], label))
    first = {next(label for label in order if label in labels) for labels in sets}
    hidden = frozenset(label for label in counts if label.startswith("_") and label not in first)
    return tuple(label for label in order if label in first), hidden


def _is_common(label: str, counts: Mapping[str, int], sets: Mapping[frozenset[str], int]) -> bool:
    """Whether a label only says what several others have in common, none of which shares nodes with another."""
    own = {labels: n for labels, n in sets.items() if label in labels}
    within: dict[str, int] = defaultdict(int)
    for labels, n in own.items():
        for other in labels - {label}:
            within[other] += n
    parts = {other for other, n in within.items() if n >= (1 - _FEW) * counts[other] and n < (1 - _FEW) * counts[label]}
    largest = {each for each in parts if not any(_is_part(each, other, counts, own) for other in parts - {each})}
    covered = sum(n for labels, n in own.items() if labels & largest)
    shared = sum(n for labels, n in own.items() if len(labels & largest) > 1)
    few = _FEW * counts[label]
    return len(largest) > 1 and covered >= counts[label] - few and shared <= few


def _is_part(label: str, other: str, counts: Mapping[str, int], sets: Mapping[frozenset[str], int]) -> bool:
    both = sum(n for labels, n in sets.items() if label in labels and other in labels)
    return both >= (1 - _FEW) * counts[label] and counts[other] > counts[label]


def _is_generic(label: str) -> bool:
    return label.startswith("_") or " ".join(identifier_words(label)).strip() in _GENERIC
