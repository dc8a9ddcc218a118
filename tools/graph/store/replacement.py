"""The replacement of a graph: its new content is built beside the old, and takes its place when it is whole."""

from __future__ import annotations

from clew.tools.graph.store.bolt import BoltDatabase, BoltStore
from clew.tools.graph.store.connection import Connection
from clew.tools.graph.store.graph_entries import entry_after


class Replacement:
    """The new content of one graph, which exists. No two processes may replace the content of a graph at once."""

    def __init__(self, database: BoltDatabase, name: str) -> None:
        self._database = database
        self._name = name

    def begun(self) -> BoltStore | None:
        """The store of new content that an interrupted replacement has left; None if there is none."""

        def find(connection: Connection) -> BoltStore | None:
            *_, latest = connection.entries.of(self._name)
            is_graph = latest == connection.entries.current(self._name)
            return None if is_graph else BoltStore(self._database, self._name, connection, latest)

        return self._database.ask(find)

    def begin(self) -> BoltStore:
        """The store of new, empty content; the first finished version that it is given makes it the graph's."""
        self.discard()

        def create(connection: Connection) -> BoltStore:
            entry = entry_after(connection.entries.current(self._name))
            connection.catalogue.create(entry)
            return BoltStore(self._database, self._name, connection, entry)

        return self._database.ask(create)

    def discard(self) -> bool:
        """Remove what is not the graph's content any more, or not yet; returns whether there was anything."""
        return self._database.ask(
            lambda connection: connection.entries.drop_others(self._name, connection.entries.current(self._name))
        )
