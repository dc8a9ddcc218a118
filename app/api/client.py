"""`clew.Client` and `clew.connect`: where the use of Clew begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from clew.app.api.graph import Graph
from clew.app.container import Container
from clew.app.progress import NoProgress, Progress
from clew.app.settings import Settings, load_settings

if TYPE_CHECKING:
    from langchain_neo4j import Neo4jGraph

    from clew.app.doctor.findings import Finding

_SETTINGS = {
    "url": "database_url", "user": "database_user", "password": "database_password", "base_url": "model_base_url",
    "api_key": "model_api_key",
}  # fmt: skip
"""Short names of settings."""


class Client(Container):
    """The graphs, sessions and traces of one Clew home. Safe for several threads; close it after use.

    Opening it is cheap: the database, the indexes and the models are loaded when they are first needed.

    Its public methods are `graph`, `graphs`, `drop`, `rename_session`, `delete_session`, `export_session`, `replay` and
    `fork`, `examine`, and its properties `settings`, `sessions` and `traces`. What else it has serves Clew itself, and
    may change.

    Args:
        settings: All settings; None reads `options` and the environment (docs/cli.md lists the variables).
        progress: Receives the progress of imports and indexing; None shows nothing.
        **options: Settings by name, such as `home`, `model`, `generator` or `question_seconds`, and the short names
            `url`, `user` and `password` (of the database), `base_url` and `api_key` (of the model).

    Raises:
        BadInput: A setting cannot be used.

    Example:
        >>> with clew.Client(home="/srv/clew") as client:
        ...     [graph.name for graph in client.graphs()]
        ['films']
    """

    def __init__(self, settings: Settings | None = None, progress: Progress | None = None, **options: Any) -> None:
        if settings is None:
            settings = load_settings(**{_SETTINGS.get(name, name): value for name, value in options.items()})
        super().__init__(settings, progress or NoProgress())

    def examine(self, graph: str | None = None, *, repair: bool = False) -> Iterator[Finding]:
        """What of the home is sound, stale or damaged, part after part (`clew doctor`).

        Args:
            graph: Only this graph and what all graphs share; None for all graphs.
            repair: Make again what is not sound and can be made again.

        Raises:
            UnknownGraph: There is no graph of that name.
        """
        from clew.app.doctor.examination import examine

        return examine(self, graph, repair=repair)

    def graph(self, name: str | None = None) -> Graph:
        """A graph by name; with None the only one. Nothing is opened before it is used."""
        return Graph(self, name)


def connect(graph: str | Neo4jGraph | None = None, *, progress: Progress | None = None, **options: Any) -> Graph:
    """A graph to ask. Use it in a `with` block, or call its `close`.

    Nothing is opened before the graph is first used, so that it need not exist yet: `import_files` creates it.

    Args:
        graph: The graph's name; None means the only one. A `Neo4jGraph` of langchain-neo4j stands for the graph in its
            database, and its connection is used; it stays yours to close.
        progress: Receives the progress of imports and indexing; None shows nothing.
        **options: Settings, as `Client` takes them: `url="bolt://…"` for a database server in place of the embedded
            one, `home=…` for the folder of databases and indexes, `model="gpt-4.1-mini"` to answer with a language
            model, and any other by its name.

    Raises:
        BadInput: A setting cannot be used, or `graph` is no graph.

    Example:
        >>> with clew.connect("films") as films:
        ...     films.ask("who directed Heat?")[0].name
        'Michael Mann'
    """
    if graph is None or isinstance(graph, str):
        return Graph(Client(progress=progress, **options), graph, owns_client=True)
    from clew.app.api.neo4j_graph import connected

    given = connected(graph)
    client = Client(progress=progress, **{**options, "url": given.url})
    client.__dict__["database"] = given.database  # In place of the one that would be opened.
    return Graph(client, given.name, owns_client=True)
