"""The records of one node, such as the lines of RDF that describe it, as one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from clew.tools.ingest.formats import values
from clew.tools.ingest.records import NAME_CANDIDATES

Part = tuple[int, str, str, int, int]
"""One record of a node: node id, labels and properties as JSON, place, and whether it is partial."""


def merge(rows: Iterable[Part]) -> tuple[str | None, str | None, str | None, list[tuple[int, int]]]:
    """The records of one node as one.

    Returns (label, further labels as JSON, properties as JSON, [(place of the first, place of a duplicate)]).
    """
    labels: dict[str, None] = {}
    found: dict[str, Any] = {}
    doubles: list[tuple[int, int]] = []
    whole: int | None = None
    for _node, label_text, property_text, place, partial in rows:
        if not partial and whole is not None:
            doubles.append((whole, place))
            continue
        if not partial:
            whole = place
        labels.update(dict.fromkeys(json.loads(label_text)))
        for name, value in values.load(property_text).items():
            found[name] = joined(found[name], value) if name in found else value
    _name_from_candidates(found)
    first, *others = labels or [None]
    more = json.dumps(others, ensure_ascii=False) if others else None
    stored = {name: _uniform(value) for name, value in found.items()}
    return first, more, values.dump(stored) if stored else None, doubles


def joined(old: Any, new: Any) -> Any:
    """Two facts of one property: a list of both, without duplicates."""
    listed = list(old) if isinstance(old, list) else [old]
    listed += [value for value in (new if isinstance(new, list) else [new]) if value not in listed]
    return listed if len(listed) > 1 or isinstance(old, list) else listed[0]


def _uniform(value: Any) -> Any:
    """Lists of one kind only, as databases want them: numbers together as floats, anything else as text."""
    if not isinstance(value, list):
        return value
    kinds = {type(item) for item in value}
    if len(kinds) <= 1:
        return value
    return [float(item) for item in value] if kinds == {int, float} else [str(item) for item in value]


def _name_from_candidates(found: dict[str, Any]) -> None:
    """Turn the candidates for a name into `name` and `aliases`."""
    candidates = found.pop(NAME_CANDIDATES, None)
    if candidates:
        ordered = sorted(candidates, key=lambda candidate: candidate[0])
        texts = list(dict.fromkeys(text for _rank, text in ordered))
        found["name"] = texts[0]
        if texts[1:]:
            found["aliases"] = joined(texts[1:], found.get("aliases", []))
