"""The result of an import."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from clew.tools.ingest.inverses import Folded
from clew.tools.ingest.records import BadLine

KEPT_BAD_LINES = 20
_SHOWN = 12

Status = Literal["imported", "added", "updated", "continued", "unchanged"]


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Values of columns of a table that refer to rows that are not there."""

    columns: tuple[str, ...]
    target: str
    """The other table."""
    rows: int
    examples: tuple[str, ...] = ()
    """The first of them, with their lines."""

    def line(self) -> str:
        """For people."""
        verb = "row has" if self.rows == 1 else "rows have"
        said = f"{self.rows:,} {verb} a {'+'.join(self.columns)} that no row of {self.target} has"
        return f"{said}, and no relationship by it: {', '.join(self.examples)}"


@dataclass(frozen=True, slots=True)
class TableCount:
    """What became of the rows of one table: `rows` is the sum of `used` and `skipped`."""

    table: str
    file: str
    rows: int
    used: int
    skipped: int
    nodes: int
    relationships: int
    unmatched: tuple[Unmatched, ...] = ()

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> TableCount:
        unmatched = (
            Unmatched(tuple(each["columns"]), each["target"], each["rows"], tuple(each["examples"]))
            for each in found["unmatched"]
        )
        return cls(**{**found, "unmatched": tuple(unmatched)})

    def lines(self) -> list[str]:
        """For people: the rows, and the values that match nothing."""
        skipped = f", {self.skipped:,} skipped" if self.skipped else ""
        counts = [f"{n:,} {noun}" for n, noun in ((self.nodes, "nodes"), (self.relationships, "relationships")) if n]
        said = [f"{self.table}: {self.rows:,} rows{skipped}; {' and '.join(counts) or 'nothing'}."]
        return said + [f"  {each.line()}" for each in self.unmatched]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of one import. Counts are of the files' content, not of what was in the graph before."""

    graph: str
    status: Status = "imported"
    formats: tuple[str, ...] = ()
    """Each format that was recognised and by what, with its files."""
    lines: int = 0
    """Lines or records read."""
    nodes: int = 0
    edges: int = 0
    labels: dict[str, int] = field(default_factory=dict)
    relations: dict[str, int] = field(default_factory=dict)
    present: int = 0
    """Nodes that the graph had already."""
    repeated: int = 0
    """Edges given more than once, and kept once."""
    folded: tuple[Folded, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    """From label to the property, or properties joined by `+`, that names its nodes."""
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """From label to its properties with running text."""
    bad: int = 0
    bad_lines: tuple[BadLine, ...] = ()
    """The first KEPT_BAD_LINES of them."""
    notes: tuple[str, ...] = ()
    tables: tuple[TableCount, ...] = ()
    """What became of the rows of each table."""
    updates: dict[str, int] = field(default_factory=dict)
    """How many nodes and relationships an import of changed tables added, changed and removed."""
    version: str = ""
    seconds: float = 0.0

    @property
    def content(self) -> str:
        """What the files were read as: the labels, types, names and texts."""
        return json.dumps([self.labels, self.relations, self.names, self.texts], sort_keys=True)

    def finished(self, status: Status, seconds: float) -> ImportReport:
        """The report with the outcome of the import and its duration."""
        return replace(self, status=status, seconds=seconds)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values; `from_json` reads it back."""
        return asdict(self) | {"bad_lines": [line._asdict() for line in self.bad_lines]}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> ImportReport:
        return cls(**{
            **found,
            "formats": tuple(found["formats"]),
            "folded": tuple(Folded(**each) for each in found["folded"]),
            "bad_lines": tuple(BadLine(**each) for each in found["bad_lines"]),
            "texts": {label: tuple(names) for label, names in found["texts"].items()},
            "notes": tuple(found["notes"]),
            "tables": tuple(TableCount.from_json(each) for each in found.get("tables", ())),
        })  # fmt: skip

    def summary_lines(self) -> list[str]:
        """For people: one fact a line."""
        if self.status == "unchanged":
            return [f"{self.graph}: these files are imported already; nothing changed."]
        said = [f"Read as {each}." for each in self.formats[:_SHOWN]]
        said += [
            f"{folded.relation} was folded into {folded.base}: {folded.edges:,} relationships, "
            f"{folded.repeated:,} of them repeats."
            for folded in self.folded
        ]
        if self.repeated:
            said.append(f"{self.repeated:,} relationships were given more than once and kept once.")
        said.append(f"Labels: {_counted(self.labels)}.")
        said.append(f"Relationships: {_counted(self.relations)}.")
        if self.names:
            said.append("Names from: " + _listed([f"{label}.{name}" for label, name in self.names.items()]) + ".")
        if self.texts:
            texts = [f"{label}.{name}" for label, names in self.texts.items() for name in names]
            said.append(f"Running text in: {_listed(texts)}.")
        said += [line for each in self.tables for line in each.lines()]
        said += self.notes
        if self.bad:
            said.append(f"Bad lines left out: {self.bad:,}")
            said += [f"  {line}" for line in self.bad_lines]
            if self.bad > len(self.bad_lines):
                said.append(f"  … and {self.bad - len(self.bad_lines):,} more")
        said.append(self._last_line())
        return said

    def _last_line(self) -> str:
        verb = {"imported": "Imported", "added": "Added", "continued": "Finished the import of"}.get(self.status, "")
        had = f" ({self.present:,} of the nodes were there already)" if self.present else ""
        took = f"in {self.seconds:.1f} s"
        if self.status == "updated":
            said = ", ".join(f"{n:,} {what}" for what, n in self.updates.items() if n)
            return f"Updated {self.graph}: {said} {took}."
        if self.status != "continued" and self.seconds > 0:
            took += f" ({(self.nodes + self.edges) / self.seconds:,.0f} a second)"
        return f"{verb} {self.nodes:,} nodes and {self.edges:,} relationships{had} {took}."


def _counted(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return _listed([f"{name} {n:,}" for name, n in ordered]) or "none"


def _listed(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
