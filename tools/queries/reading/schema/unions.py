"""Steps to and from labels that stand for any of several."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from clew.tools.queries.reading.forms.form import Step
from clew.tools.queries.reading.forms.wider_labels import MOST_ENDS, either_of


def with_unions(steps: Sequence[Step]) -> list[Step]:
    """Steps behind those to all labels that one relation leads to."""
    targets: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for step in steps:
        if not step.either:
            targets[step.relation, step.forward].append(step.target)
    unions = [Step(*key, either_of(labels)) for key, labels in targets.items() if 1 < len(labels) <= MOST_ENDS]
    return [*unions, *steps]


def of_any(steps: Iterable[tuple[Step, int]]) -> list[tuple[Step, int]]:
    """The steps that nodes of any of several labels have, each once, with its relationships at all of them.

    Args:
        steps: The steps of each label, with the numbers of their relationships.
    """
    found: dict[Step, int] = defaultdict(int)
    for step, count in steps:
        found[step] += count
    return list(found.items())
