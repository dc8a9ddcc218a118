"""The graphs that the warm process keeps open for its children."""

from __future__ import annotations

import pickle
import socket
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from clew.app.api.client import Client
    from clew.app.progress import Advance
    from clew.app.settings import Settings

GRAPHS_OPEN = 4
_QUESTION = "Which is the largest?"
"""Read once for each graph: the first question loads lists of words."""
_MOST_ANNOUNCED = 1 << 16


class WarmGraphs:
    """A client with open graphs and no connections. A child takes it over where its settings are the same.

    A child that has opened a graph announces it, and the warm process opens the same graph for the children that
    follow. Whatever may have changed since, the graph's version, its glosses, what it was taught, the child looks at
    again (`Container.context`).
    """

    def __init__(self) -> None:
        self._client: Client | None = None
        self._names: list[str] = []
        """The open graphs, that of the latest command last."""
        self._to_search: list[str] = []
        """Those whose documents were not searched yet."""
        self.announced, self._announcer = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        """`announced` is readable when a child has opened a graph."""
        self._announcer.setblocking(False)

    def open_announced(self) -> None:
        """Open the graph that a child has opened. One whose opening shows anything, such as the progress of an index
        that is built or a note, is left to the children."""
        settings, name = pickle.loads(self.announced.recv(_MOST_ANNOUNCED))
        if (client := self._client_for(settings)) is None:
            return
        if client.settings.vectors or (client.files(name).folder / "dense").exists():
            return  # Its database has threads, or the connections to it are no other process's.
        try:
            reader = client.context(name).tools.reader
            client.answering_graph  # noqa: B018  (compiled when it is first used)
            client.graph(name).link(_QUESTION)
            if reader is not None:
                reader.read(_QUESTION, ())
        except Exception:
            client.forget(name)
        client.disconnect()
        self._to_search = [name]
        self._names = [*(each for each in self._names if each != name), name]
        for old in self._names[:-GRAPHS_OPEN]:
            client.forget(old)
        del self._names[:-GRAPHS_OPEN]

    @property
    def is_ready(self) -> bool:
        """Whether nothing is left to do in advance."""
        return not self._to_search

    def search_documents(self) -> None:
        """Search the documents beside the graph that was opened last: the first search compiles functions."""
        name = self._to_search.pop()
        if self._client is None or name not in self._client.open_now:
            return
        documents = self._client.context(name).tools.documents
        self._client.disconnect()
        if documents is not None and documents.is_ready:
            index = documents.index
            index.search(index.sources.store[0].text)

    def _client_for(self, settings: Settings) -> Client | None:
        """The one client; None for settings with which opening a graph starts threads."""
        from clew.app.api.client import Client

        if settings.model or settings.models or settings.generator or settings.node_reasoner or settings.otel:
            return None
        if self._client is None or self._client.settings != settings:
            self._client, self._names = Client(settings, _HiddenProgress()), []
        return self._client

    def client(self, settings: Settings) -> Client:
        """In a child, the client for its command."""
        from clew.app.cli.invocation import new_client
        from clew.app.cli.progress_bars import ProgressBars

        if self._client is not None and self._client.settings == settings:
            client = self._client
            client.progress = ProgressBars()
        else:
            client = new_client(settings)
        client.keep_open(0.0, lambda name: self._opened(settings, name))
        return client

    def _opened(self, settings: Settings, name: str) -> None:
        with suppress(OSError):
            self._announcer.send(pickle.dumps((settings, name)))


class _ShowsProgress(Exception):
    """Opening a graph has something to show."""


class _HiddenProgress:
    """The progress of a process that shows nothing and does not wait."""

    def task(self, label: str, unit: str, total: int | None = None) -> AbstractContextManager[Advance]:
        self.note(label)

    def note(self, text: str) -> NoReturn:
        raise _ShowsProgress(text)
