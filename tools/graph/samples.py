"""What is counted of the properties of some nodes of a label, from which their names are chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SAMPLE = 2000
"""Nodes of each label that are sampled."""
_OPAQUE = re.compile(r"[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}|[0-9a-f]{24}")


@dataclass(slots=True)
class Column:
    """The values of one property in a sample: sums over them, and the hashes of texts and numbers."""

    count: int = 0
    length: int = 0
    words: int = 0
    texts: bool = True
    scalars: bool = True
    """Whether all values are texts or whole numbers."""
    lettered: int = 0
    worded: int = 0
    """Those with letters and without digits."""
    opaque: int = 0
    """Those that programs made: UUIDs and long hexadecimal numbers."""
    distinct: set[int] = field(default_factory=set)

    def add(self, value: Any) -> None:
        self.count += 1
        self.texts = self.texts and isinstance(value, str)
        if isinstance(value, str):
            self.length += len(value)
            self.words += value.count(" ") + 1
            lettered = any(letter.isalpha() for letter in value)
            self.lettered += lettered
            self.opaque += _OPAQUE.fullmatch(value) is not None
            self.worded += lettered and not any(map(str.isdigit, value))
        if isinstance(value, str | int) and not isinstance(value, bool):
            self.distinct.add(hash(value))
        else:
            self.scalars = False

    @property
    def unique(self) -> float:
        return len(self.distinct) / self.count


@dataclass(slots=True)
class Sample:
    """The properties of up to SAMPLE nodes of one label."""

    label: str
    ordered: bool = False
    """Whether the order of the properties is that of the columns of a table."""
    nodes: int = 0
    columns: dict[str, Column] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        return self.nodes >= SAMPLE

    def add(self, properties: Mapping[str, Any]) -> None:
        self.nodes += 1
        for name, value in properties.items():
            self.columns.setdefault(name, Column()).add(value)
