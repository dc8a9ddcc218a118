"""The graphs of a server, and the entries of its catalogue that hold their content.

The entry of a graph has its name, until its content is replaced: the new content is written beside it, to an entry
`NAME.clew2`, and so on. The graph is its latest entry with the version of a finished import. To set that version, one
transaction, puts the new content in the place of the old.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from clew.tools.errors import BadInput, QueryFailed, UnknownGraph
from clew.tools.graph.store.graph_store import UNFINISHED, GraphInfo

if TYPE_CHECKING:
    from clew.tools.graph.store.arcadedb import ArcadeDB
    from clew.tools.graph.store.neo4j_catalogue import Neo4jCatalogue

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_LATER = re.compile(rf"(?P<graph>{_NAME.pattern})\.clew(?P<number>[1-9]\d*)")
_NO_VERSION = "counts-"
"""How the version of an entry begins that holds none."""


def checked_name(name: str) -> str:
    """A name that a graph can have. Raises BadInput."""
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"“{name}” cannot be the name of a graph.",
            "Use up to 60 letters (a to z), digits, `-` and `_`, beginning with a letter or a digit.",
        )
    return name


def graph_of(entry: str) -> str:
    """The name of the graph that an entry belongs to."""
    match = _LATER.fullmatch(entry)
    return match["graph"] if match else entry


def entry_after(entry: str) -> str:
    """The name of the entry that can replace this one."""
    return f"{graph_of(entry)}.clew{_number(entry) + 1}"


class GraphEntries:
    """The graphs of one server, by the entries of its catalogue."""

    def __init__(self, catalogue: ArcadeDB | Neo4jCatalogue) -> None:
        self._catalogue = catalogue

    def names(self) -> list[str]:
        """The names of the graphs."""
        return sorted(set(map(graph_of, self._catalogue.names())))

    def graphs(self) -> list[GraphInfo]:
        """The graphs with their sizes."""
        found = {each.name: each for each in self._catalogue.graphs()}
        shown = []
        for name in sorted(set(map(graph_of, found))):
            entry = _current(_of(name, list(found)), lambda each: found[each].version)
            shown.append(replace(found[entry], name=name))
        return shown

    def of(self, name: str) -> list[str]:
        """The entries of a graph, the earliest first; empty where there is no such graph."""
        return _of(name, self._catalogue.names())

    def current(self, name: str) -> str:
        """The entry that is the graph. Raises UnknownGraph."""
        names = self._catalogue.names()
        if found := _of(name, names):
            return _current(found, self.version)
        if listed := ", ".join(sorted(set(map(graph_of, names)))):
            raise UnknownGraph(f"There is no graph “{name}”.", f"Graphs in this database: {listed}.")
        sample = ", and `make demo` the sample graph" if name == "demo" else ""
        raise UnknownGraph(f"There is no graph “{name}” yet.", f"`clew import FILE --graph {name}` makes one{sample}.")

    def ensure(self, name: str) -> None:
        """Create the graph where it is missing, though another process may do so at the same moment."""
        if not self.of(name):
            try:
                self._catalogue.create(name)
            except QueryFailed:
                if not self.of(name):
                    raise

    def version(self, entry: str) -> str:
        """The version of an entry; "" where it has gone."""
        try:
            return self._catalogue.version(entry)
        except QueryFailed:
            return ""

    def drop(self, name: str) -> None:
        """Remove a graph and everything in it. Raises UnknownGraph."""
        current = self.current(name)
        self.drop_others(name, current)  # First: after an interruption, no earlier content comes back.
        self._catalogue.drop(current)

    def drop_others(self, name: str, kept: str) -> bool:
        """Remove the other entries of a graph; returns whether there were any."""
        others = [entry for entry in self.of(name) if entry != kept]
        for entry in others:
            self._catalogue.drop(entry)
        return bool(others)


def _of(name: str, entries: Sequence[str]) -> list[str]:
    return sorted((entry for entry in entries if graph_of(entry) == name), key=_number)


def _current(entries: Sequence[str], version_of: Callable[[str], str]) -> str:
    """Of the entries of one graph, the latest that is finished, or else the earliest."""
    for entry in reversed(entries[1:]):
        version = version_of(entry)
        if version and not version.startswith((UNFINISHED, _NO_VERSION)):
            return entry
    return entries[0]


def _number(entry: str) -> int:
    match = _LATER.fullmatch(entry)
    return int(match["number"]) if match else 1
