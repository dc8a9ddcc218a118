"""The connection to a Clew home: the settings, the database with its graphs, the sessions and the traces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from clew.app.container import Container
from clew.app.progress import Progress, Silent
from clew.app.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from clew.app.sessions.store import Sessions
    from clew.app.traces.store import TraceStore
    from clew.graphs.context import Context
    from clew.tools.graph.store.graph_store import GraphInfo

_SETTINGS = {
    "url": "database_url", "user": "database_user", "password": "database_password", "base_url": "model_base_url",
    "api_key": "model_api_key",
}  # fmt: skip
"""Short names of settings."""


class Connection:
    """What `Client` and its graphs share: the parts of one Clew home. Safe for several threads."""

    def __init__(self, settings: Settings | None = None, progress: Progress | None = None, **options: Any) -> None:
        if settings is None:
            settings = load_settings(**{_SETTINGS.get(name, name): value for name, value in options.items()})
        self._container = Container(settings, progress or Silent())
        self.context_source: Callable[[str], Context] | None = None
        """Opens graphs in place of `context`, for a server that keeps them open."""
        self._closed = False

    @property
    def settings(self) -> Settings:
        return self._container.settings

    @property
    def progress(self) -> Progress:
        return self._container.progress

    @property
    def container(self) -> Container:
        """The parts behind the client, for Clew's own front ends."""
        return self._container

    @property
    def sessions(self) -> Sessions:
        """The conversations that are kept, by name."""
        return self._container.sessions

    @property
    def traces(self) -> TraceStore:
        """The traces of the latest questions."""
        return self._container.traces

    def graphs(self) -> list[GraphInfo]:
        """Name, numbers of nodes and relationships, and version of every graph, sorted by name."""
        return sorted(self._container.database.graphs(), key=lambda graph: graph.name)

    def graph_name(self, given: str | None) -> str:
        """`given`, or the name of the only graph. Raises BadInput where there are several, UnknownGraph where none."""
        return self._container.graph_name(given)

    def drop(self, name: str) -> None:
        """Remove a graph, its documents and all that is derived from it. Raises UnknownGraph."""
        self._container.drop(name)

    def context(self, name: str) -> Context:
        """What the question graph needs to ask a graph as it is now, opened anew where the graph has changed.

        Raises:
            UnknownGraph: There is no graph of that name.
            BadInput: Its import was interrupted.
        """
        if self.context_source is not None:
            return self.context_source(name)
        opened = self._container.context(name)
        if opened.tools.schema.version != self._container.store(name).version():
            self._container.forget(name)
            opened = self._container.context(name)
        return opened

    def rename_session(self, session: str, name: str) -> str:
        """Rename a conversation and its traces; that of a server's user stays theirs.

        Returns:
            The new name, with the user's name before it.

        Raises:
            UnknownSession: There is no such conversation.
            BadInput: The name cannot be used, or is taken.
        """
        from clew.app.sessions.store import checked_name

        owner, slash, _ = session.rpartition("/")
        renamed = f"{owner}{slash}{checked_name(name)}"
        self._container.rename_session(session, renamed)
        return renamed

    def delete_session(self, session: str) -> None:
        """Delete a conversation and its traces. Raises UnknownSession."""
        self._container.delete_session(session)

    def export_session(self, session: str, *, as_json: bool = False) -> str:
        """A conversation as Markdown, or as JSON with all that its answers hold. Raises UnknownSession."""
        from clew.app.sessions import export

        turns = self.sessions.turns(session)
        return (export.as_json if as_json else export.as_markdown)(session, turns)

    def close(self) -> None:
        """Close the connections and files. The embedded database goes on for other processes until it is idle."""
        if not self._closed:
            self._container.close()
            self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(home={str(self.settings.home)!r}, url={self.settings.database_url!r})"
