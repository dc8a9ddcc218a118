"""The application's composition: the parts that graphs share, the files of each graph, and what questions to it need.

Everything is opened when it is first used, so that a command loads only what it needs.
"""

from __future__ import annotations

import shutil
from threading import RLock
from typing import TYPE_CHECKING, Any

from clew.app.parts import Parts
from clew.app.progress import Progress
from clew.app.settings import Settings

if TYPE_CHECKING:
    from clew.app.graph_files import GraphFiles
    from clew.graphs.context import Context
    from clew.tools.learning.teaching.learned_ranker import BaseRanker


class Container(Parts):
    """The parts, and the graphs. Safe for several threads; close it after use."""

    def __init__(self, settings: Settings, progress: Progress) -> None:
        super().__init__(settings, progress)
        self._contexts: dict[str, Context] = {}
        self._opening = RLock()

    def files(self, name: str) -> GraphFiles:
        """What is derived from a graph and kept in its folder; the graph need not exist."""
        from clew.app.graph_files import GraphFiles

        return GraphFiles(self, name)

    def context(self, name: str) -> Context:
        """Everything that a question to this graph needs; made once. Raises UnknownGraph and BadInput."""
        if (opened := self._contexts.get(name)) is not None:
            return opened
        from clew.app.graph_context import graph_context

        with self._opening:  # Not `lock`: building indexes takes minutes, and other graphs are asked meanwhile.
            if name not in self._contexts:
                self._contexts[name] = graph_context(self.files(name))
            return self._contexts[name]

    def untaught_ranker(self, name: str) -> BaseRanker:
        """The ranker of a graph without what it was taught."""
        from clew.tools.learning.teaching.learned_ranker import LearnedRanker

        ranker: Any = self.context(name).tools.ranker
        return ranker.untaught if isinstance(ranker, LearnedRanker) else ranker

    def forget(self, name: str) -> None:
        """Make a new context of a graph when it is next needed."""
        self._contexts.pop(name, None)

    def drop(self, name: str) -> None:
        """Remove a graph and all that is derived from it. Raises UnknownGraph."""
        self.database.drop(name)
        self._stores.pop(name, None)
        self._contexts.pop(name, None)
        shutil.rmtree(self.folder(name), ignore_errors=True)

    def rename_session(self, thread: str, name: str) -> None:
        """Rename a conversation and its traces. Raises UnknownSession or BadInput."""
        self.sessions.rename(thread, name)
        self.traces.renamed(thread, name)

    def delete_session(self, thread: str) -> None:
        """Delete a conversation and its traces. Raises UnknownSession."""
        self.sessions.delete(thread)
        self.traces.forget(thread)

    def close(self) -> None:
        self.__dict__.pop("sessions", None)
        self.__dict__.pop("recorder", None)
        for part in ("exporter", "models", "traces", "conversations", "database"):
            if (opened := self.__dict__.pop(part, None)) is not None:
                opened.close()
        self._stores.clear()
        self._contexts.clear()
