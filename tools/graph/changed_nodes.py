"""Which nodes an import has changed, so that indexes of the version before are brought up to date and not made anew.

Each import that goes on from an earlier version leaves a file with the ids of all nodes that it added, changed or
removed, or whose relationships it changed. Files of one version after the other lead from the version of an index to
that of the graph. An index reads these nodes again; a node too many costs time and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from clew.tools.arrays.checksums import sealed, unsealed
from clew.tools.atomic_files import write_text
from clew.tools.graph.node_terms import node_pattern
from clew.tools.graph.store.graph_store import GraphStore

MOST = 100_000
"""Nodes of one file. After a larger change indexes are made anew."""
SHARE = 0.2
"""Of an index's nodes: when more have changed, it is made anew, which is as fast."""
_KEPT = 200
"""Files of a graph."""
_AT_ONCE = 5000

N = TypeVar("N", covariant=True)
EdgeRow = tuple[str, str, str]
"""A head's id, a relation, a tail's id."""
ByLabel = Mapping[str, Sequence[str]]
"""Ids of nodes by label."""


@dataclass(frozen=True, slots=True)
class Change(Generic[N]):
    """What an index has to take over to be that of a later version."""

    ids: frozenset[str]
    """Of all nodes that may differ: added, changed, removed, or with other relationships."""
    nodes: Sequence[N]
    """Those of them that the graph has now."""
    edges: Sequence[EdgeRow] = ()
    """The relationships that begin or end at one of them, for an index that holds relationships."""


Since = Callable[[str, int], Change[N] | None]
"""From the version of an index and its number of nodes, what has changed until the graph's version; None where that is
unknown, or so much that the index is to be made anew."""


def unknown(version: str, count: int) -> None:
    """A `Since` for which every index is made anew."""


def scan_nodes(store: GraphStore, label: str, columns: str, among: ByLabel | None) -> Iterator[dict[str, Any]]:
    """The columns of all nodes `n` of a label; with `among`, of those with its ids."""
    if among is None:
        yield from store.scan(f"MATCH {store.terms.node('n', label)} RETURN {columns}")
        return
    keys = among.get(label, ())
    match = node_pattern("n", label, store.scope, properties="nodeId: key")
    for first in range(0, len(keys), _AT_ONCE):
        given = {"keys": list(keys[first : first + _AT_ONCE])}
        yield from store.scan(f"UNWIND $keys AS key MATCH {match} RETURN {columns}", given)


def scan_edges(store: GraphStore, among: ByLabel) -> Iterator[EdgeRow]:
    """The relationships that begin or end at nodes with these ids; one between two of them comes twice."""
    for label, keys in among.items():
        node = node_pattern("n", label, store.scope, properties="nodeId: key")
        for first in range(0, len(keys), _AT_ONCE):
            given = {"keys": list(keys[first : first + _AT_ONCE])}
            for path, head, tail in ((f"{node}-[r]->(m)", "n", "m"), (f"{node}<-[r]-(m)", "m", "n")):
                returned = f"{head}.nodeId AS head, type(r) AS relation, {tail}.nodeId AS tail"
                for row in store.scan(f"UNWIND $keys AS key MATCH {path} RETURN {returned}", given):
                    if row["head"] is not None and row["tail"] is not None:
                        yield str(row["head"]), str(row["relation"]), str(row["tail"])


class ChangedNodes:
    """The files of one graph."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def note(self, version: str, before: str, nodes: Iterable[tuple[str, str]]) -> None:
        """Note the (label, id) of what changed from the version `before` to `version`; nothing where it is too much."""
        by_label: dict[str, dict[str, None]] = {}
        for count, (label, key) in enumerate(nodes):
            if count > 4 * MOST:
                return
            by_label.setdefault(label, {})[key] = None
        if sum(map(len, by_label.values())) > MOST:
            return
        fields = {"before": before, "nodes": {label: list(keys) for label, keys in by_label.items()}}
        write_text(self._path(version), json.dumps(sealed(fields), ensure_ascii=True))
        files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
        for old in files[:-_KEPT]:
            old.unlink(missing_ok=True)

    def between(self, earlier: str, version: str) -> dict[str, list[str]] | None:
        """The ids by label of what may differ between two versions; None where that is not known, or too much."""
        found: dict[str, dict[str, None]] = {}
        for _ in range(_KEPT):
            if version == earlier:
                return {label: list(keys) for label, keys in found.items()}
            fields = self._read(version)
            if fields is None:
                return None
            for label, keys in fields["nodes"].items():
                found.setdefault(label, {}).update(dict.fromkeys(keys))
            if sum(map(len, found.values())) > MOST:
                return None
            version = fields["before"]
        return None

    def _read(self, version: str) -> dict[str, Any] | None:
        try:
            fields = unsealed(json.loads(self._path(version).read_text(encoding="ascii")))
        except (OSError, ValueError):
            return None  # There is none, or a damaged one: indexes are made anew.
        return fields if {"before", "nodes"} <= fields.keys() else None

    def _path(self, version: str) -> Path:
        return self._folder / f"{version}.json"
