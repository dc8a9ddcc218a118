"""The application's composition: the parts that graphs share, the files of each graph, and what questions to it need.

Everything is opened when it is first used, so that a command loads only what it needs.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, Self

from clew.app.parts import Parts
from clew.app.progress import Progress
from clew.app.settings import Settings
from clew.app.traces.redaction import redacted
from clew.tools.errors import StoreUnavailable, UnknownGraph

if TYPE_CHECKING:
    from types import TracebackType

    from clew.app.graph_files import GraphFiles
    from clew.app.traces.replaying import Replayer, ReplayResult
    from clew.graphs.context import Context
    from clew.tools.graph.store.graph_store import GraphInfo
    from clew.tools.queries.ranking.ranker import QueryRanker


@dataclass(slots=True)
class _OpenGraph:
    lock: Lock = field(default_factory=Lock)
    """Held while the graph is opened: one thread opens it, and the others wait."""
    context: Context | None = None
    checked: float = float("-inf")
    """When its version was last compared with the database's, on the clock of `time.monotonic`."""
    changes: tuple[int | None, ...] = ()
    """When its files had changed last as it was opened (`GraphFiles.changes`)."""


class Container(Parts):
    """The parts, the graphs, the sessions and the traces of one Clew home. Safe for several threads; close it after
    use."""

    def __init__(self, settings: Settings, progress: Progress) -> None:
        super().__init__(settings, progress)
        self._files: dict[str, GraphFiles] = {}
        self._graphs: dict[str, _OpenGraph] = {}
        self._opening = RLock()
        self._recheck_seconds = 0.0
        self._after_opening: Callable[[str], None] | None = None
        self.being_opened: str | None = None
        """The graph that is being opened."""

    def graphs(self) -> list[GraphInfo]:
        """Name, numbers of nodes and relationships, and version of every graph, sorted by name."""
        return sorted(self.database.graphs(), key=lambda graph: graph.name)

    def files(self, name: str) -> GraphFiles:
        """The files of a graph: schema, indexes, documents. The graph need not exist."""
        from clew.app.graph_files import GraphFiles

        if (files := self._files.get(name)) is None:
            files = self._files.setdefault(name, GraphFiles(self, name))
        return files

    def context(self, name: str) -> Context:
        """Everything that a question to this graph needs, opened anew where the graph has changed.

        Raises:
            UnknownGraph: There is no graph of that name.
            BadInput: Its import was interrupted.
        """
        opened = self._graphs.setdefault(name, _OpenGraph())
        with opened.lock:
            try:
                return self._current(name, opened)
            except UnknownGraph:
                self.forget(name)
                raise

    def _current(self, name: str, opened: _OpenGraph) -> Context:
        from clew.app.graph_context import graph_context

        now = time.monotonic()
        if opened.context is not None and now - opened.checked < self._recheck_seconds:
            return opened.context
        changes = self.files(name).changes
        version = None if opened.context is None else opened.context.tools.schema.version
        if opened.context is None or version != self.store(name).version() or changes != opened.changes:
            with self._opening:  # Not `lock`: building indexes takes minutes, and other graphs are asked meanwhile.
                self.being_opened = name
                try:
                    opened.context = graph_context(self.files(name))
                finally:
                    self.being_opened = None
                if self._after_opening is not None:
                    self._after_opening(name)
            opened.changes = changes
        opened.checked = now
        return opened.context

    def keep_open(self, recheck_seconds: float, after_opening: Callable[[str], None] | None = None) -> None:
        """Check at most every `recheck_seconds` whether a graph has changed, not at every question; and call
        `after_opening` with the name of every graph that is opened."""
        self._recheck_seconds, self._after_opening = recheck_seconds, after_opening

    @property
    def open_now(self) -> list[str]:
        """The names of the open graphs, sorted."""
        return sorted(name for name, opened in list(self._graphs.items()) if opened.context is not None)

    def untaught_ranker(self, name: str) -> QueryRanker:
        """The ranker of a graph as it was before teaching."""
        from clew.tools.learning.teaching.learned_ranker import LearnedRanker

        ranker: Any = self.context(name).tools.ranker
        return ranker.untaught if isinstance(ranker, LearnedRanker) else ranker

    def forget(self, name: str) -> None:
        """Open a graph anew when it is next needed."""
        self._graphs.pop(name, None)
        self._stores.pop(name, None)

    def drop(self, name: str) -> None:
        """Remove a graph, its documents and all that is derived from it. Raises UnknownGraph."""
        self.database.drop(name)
        try:
            self.vectors(name).drop()
        except StoreUnavailable as error:
            self.progress.note(f"The vectors of {name} are left: {error.message}")
        self._files.pop(name, None)
        self.forget(name)
        shutil.rmtree(self.folder(name), ignore_errors=True)

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
        self.sessions.rename(session, renamed)
        self.traces.renamed(session, renamed)
        return renamed

    def delete_session(self, session: str) -> None:
        """Delete a conversation and its traces. Raises UnknownSession."""
        self.sessions.delete(session)
        self.traces.forget(session)

    def export_session(self, session: str, *, as_json: bool = False, owner: str | None = None) -> str:
        """A conversation as Markdown, or as JSON with all that its answers hold. Raises UnknownSession.

        Args:
            session: Its name.
            as_json: The format.
            owner: The user of a server whose conversation it is.
        """
        from clew.app.sessions import export
        from clew.app.sessions.store import thread_of

        turns = self.sessions.turns(thread_of(owner, session))
        return (export.as_json if as_json else export.as_markdown)(session, turns)

    def replay(self, id: str, **options: Any) -> ReplayResult:
        """Ask again what a run asked, and compare the answers.

        Args:
            id: Of the run's trace; a unique prefix is enough.
            **options: See `Replayer`: `owner`, `capped` and `cancelled`.

        Raises:
            BadInput: There is no such trace.
            UnknownGraph: The graph of the run does not exist any more.
        """
        return self._replayer(options).replay(id)

    def fork(self, id: str, step: str, changes: Mapping[str, Any], **options: Any) -> ReplayResult:
        """Continue a run from one of its steps with changes, and compare the answers.

        Args:
            id: Of the run's trace; a unique prefix is enough.
            step: The last step to keep, such as "link_entities" or, of several, "assess#2".
            changes: `strategies`, `entity:WORDS` (the id of the entity that these words of the question name), and
                limits: `seconds`, `rows`, `tokens`, `iterations`, `calls`.
            **options: As for `replay`.

        Raises:
            BadInput: There is no such trace or step, or it does not allow such a change.
            UnknownGraph: The graph of the run does not exist any more.
        """
        from clew.app.traces.forking import Fork

        return self._replayer(options).fork(id, Fork.of(step, changes))

    def _replayer(self, options: Mapping[str, Any]) -> Replayer:
        from clew.app.traces.replaying import Replayer

        return Replayer(self.recorder, self.context, **options)

    def disconnect(self) -> None:
        """Close the connections, and keep the graphs open, which connect again when they are used."""
        for part in ("traces", "database", "state"):
            if (opened := self.__dict__.get(part)) is not None:
                opened.close()

    def close(self) -> None:
        """Close the connections and files. The embedded database keeps running until it is idle."""
        self.__dict__.pop("sessions", None)
        self.__dict__.pop("recorder", None)
        for part in ("exporter", "models", "traces", "conversations", "database", "state"):
            if (opened := self.__dict__.pop(part, None)) is not None:
                opened.close()
        self._stores.clear()
        self._graphs.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        url = self.settings.database_url
        return f"{type(self).__name__}(home={str(self.settings.home)!r}, url={url and redacted(url)!r})"
