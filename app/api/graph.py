"""One graph: questions, statements, names, schema, Cypher, documents, imports and teaching."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from clew.app.api.asking import Asking
from clew.app.api.evidence import Mention
from clew.app.api.results import QueryResult

if TYPE_CHECKING:
    from types import TracebackType

    from clew.app.api.documents import Documents
    from clew.app.api.importing import PlannedImport
    from clew.app.container import Container
    from clew.app.graph_files import GraphFiles
    from clew.app.training.definitions import Definition
    from clew.app.training.glossing import GlossBatch
    from clew.app.training.teaching import Encoder as Encoder
    from clew.app.training.teaching import Report as Report
    from clew.app.training.teaching import Teaching as Teaching
    from clew.tools.graph.schema import Schema
    from clew.tools.ingest import ImportReport
    from clew.tools.ingest.records import Kind

PathLike = str | Path


class Graph(Asking):
    """A knowledge graph that answers questions. Safe for several threads.

    `clew.connect` and `Client.graph` make one. Methods raise `clew.ClewError` and its subclasses: `UnknownGraph`,
    `BadInput` for arguments that cannot be used, `DatabaseUnavailable`, and `QueryFailed`.
    """

    def __init__(self, client: Container, name: str | None = None, *, owns_client: bool = False) -> None:
        self.client = client
        self._name = name
        self._owns_client = owns_client

    @property
    def name(self) -> str:
        """Raises UnknownGraph or BadInput where none was given and there is not exactly one."""
        if self._name is None:
            self._name = self.client.graph_name(None)
        return self._name

    @property
    def files(self) -> GraphFiles:
        """The graph's schema, indexes and documents, for Clew's own front ends."""
        return self.client.files(self.name)

    def open(self) -> Self:
        """Load what questions need, and build what is missing; the first question does it otherwise."""
        self.client.context(self.name)
        return self

    def version(self) -> str:
        """Identifies the contents of the graph: it changes with every import. Raises UnknownGraph."""
        return self.files.store.version()

    def link(self, text: str, limit: int = 3) -> list[Mention]:
        """Find the nodes that the names in a text stand for; names may be misspelt.

        Args:
            text: A question or a name.
            limit: Candidates for each name.
        """
        from clew.agents.evidence import mention_ref
        from clew.tools.linking.mentions import find_mentions

        index = self.client.context(self.name).tools.index
        return [Mention.from_dict(dict(mention_ref(each))) for each in find_mentions(text, index, limit).mentions]

    def schema(self) -> Schema:
        """Labels, relationship types and properties, with counts and examples."""
        return self.files.schema()

    def example_questions(self) -> list[str]:
        """At most five questions that the graph can answer, as a start."""
        return self.files.example_questions()

    def schema_text(self, tokens: int = 4000) -> str:
        """The schema as text for a prompt, of at most `tokens` tokens."""
        from clew.tools.embedding.token_budget import counter
        from clew.tools.graph.schema_text import schema_text

        terms = self.files.store.terms
        return schema_text(self.schema(), count=counter(), budget=tokens, terms=terms).text

    def query(
        self, cypher: str, parameters: Mapping[str, Any] | None = None, *, limit: int = 2000, seconds: float = 5.0
    ) -> QueryResult:
        """Run a Cypher query that only reads.

        Args:
            cypher: The query, with `$name` for parameters.
            parameters: Their values.
            limit: Rows at most.
            seconds: Time at most.

        Raises:
            QueryForbidden: The query would write, or uses what a question may not use.
            QueryTimeout: It took too long.
            QueryFailed, BadInput: The database rejected it, or cannot hold a parameter (such as 2**63).

        Example:
            >>> films.query("MATCH (f:Film) RETURN f.name AS film LIMIT 2").rows
            ({'film': 'Heat'}, {'film': 'Alien'})
        """
        from clew.tools.graph.store.graph_store import Limits

        rows = self.files.store.read(cypher, parameters, Limits(seconds, limit))
        return QueryResult(tuple(rows.records), rows.truncated, rows.ms)

    def plan_import(
        self,
        *paths: PathLike,
        format: Kind | None = None,
        model: PathLike | Mapping[str, Any] | None = None,
        value_nodes: Sequence[tuple[str, str]] = (),
        suggest_names: bool = False,
        replace: bool = False,
    ) -> PlannedImport:
        """Read files and tables for an import, without writing anything; `import_files` takes the result.

        Args:
            *paths: Files, folders, wildcards, archives, and URLs of databases (docs/importing.md).
            format: The format of all files, such as "table" or "triples"; None recognises it.
            model: The graph model of the tables: a file, or its fields; None takes the last import's, or infers it.
            value_nodes: (table, column) of columns whose values become nodes of their own.
            suggest_names: Let the language model replace labels, relationship types and properties that say little.
            replace: Infer the model anew.

        Raises:
            BadInput, ModelFailed: Something cannot be used, or the language model suggests no names.
        """
        from clew.app.api.importing import Planning, plan_import

        given = Path(model) if isinstance(model, PathLike) else model
        how = Planning(format, given, tuple(value_nodes), anew=replace, suggest_names=suggest_names)
        return plan_import(self.client, self._name, paths, how)

    def import_files(
        self,
        *paths: PathLike | PlannedImport,
        labels: Mapping[tuple[str, str], str] | PathLike | None = None,
        name_properties: Mapping[str, str] | None = None,
        replace: bool = False,
        max_bad_share: float = 0.01,
        index: bool = True,
        before_writing: Callable[[], None] | None = None,
    ) -> ImportReport:
        """Import files or tables together into the graph, which is created if need be, and index its names.

        Args:
            *paths: What `plan_import` takes, or what it returned.
            labels: (relation, "subject" or "object") to the label of the nodes there, or a file of such lines.
            name_properties: Label to the property that names its nodes, several joined by `+`.
            replace: Replace what the graph holds; it stays until the new content is whole.
            max_bad_share: More bad lines than this share of all stop the import, with nothing changed.
            index: Index the names now; questions do it otherwise.
            before_writing: Called once, before the first change; what it raises ends the import with nothing changed.

        Raises:
            BadInput: A file cannot be used; nothing was changed.
        """
        from clew.app.api.importing import PlannedImport, import_files, named
        from clew.tools.ingest import ImportOptions, read_labels

        name = named(self._name)
        options = ImportOptions(
            state_dir=self.client.folder(name) / "import",
            labels=read_labels(Path(labels)) if isinstance(labels, PathLike) else dict(labels or {}),  # type: ignore[arg-type]
            name_properties=dict(name_properties or {}),
            replace=replace,
            max_bad_share=max_bad_share,
            before_writing=before_writing,
        )
        given = [each for each in paths if isinstance(each, PlannedImport)]
        others = [each for each in paths if not isinstance(each, PlannedImport)]
        with given[0] if given else self.plan_import(*others, replace=replace) as planned:
            report = import_files(self.client, name, planned, options)
        if index:
            self.index()
        return report

    def index(self, *, rebuild: bool = False, dense: bool = False, texts: bool = False) -> int:
        """Build the index of names, and what depends on it, where the graph has changed; questions do this themselves.

        Args:
            rebuild: Build it in any case.
            dense: Also embed every name; minutes for 100,000. Where that was done before, new ones are in any case.
            texts: Also index what nodes say, and which say nearly the same; minutes for 10,000 nodes.

        Returns: The number of nodes in the index.
        """
        from clew.app.dense_names import embed_names

        index = self.files.index(rebuild=rebuild)
        embed_names(self.files, only_again=not dense)
        if texts:
            self.files.similar_nodes(self.files.text_index())
        self.files.linked_documents()
        if rebuild or dense or texts:
            self.client.forget(self.name)
        return len(index)

    @property
    def has_searchable_texts(self) -> bool:
        """Whether what the nodes say can be searched without indexing it first."""
        return self.files.texts_are_ready()

    @property
    def documents(self) -> Documents:
        """The documents beside the graph, to list, add and remove."""
        from clew.app.api.documents import Documents

        return Documents(self.client, self.name)

    def teach(self, questions: Mapping[str, Sequence[str]], *, threads: int = 4, encoder: Encoder = "auto") -> Report:
        """Learn from questions with their right answers (GraphRAFT, section 4; docs/teaching.md).

        Args:
            questions: Question to the names of all its right answers.
            threads: Questions looked up at once.
            encoder: Whether the embedding model is fine-tuned: "auto", "tuned" or "frozen".

        Raises:
            BadInput: Too few questions have a query that gives their answers.
        """
        from clew.tools.learning.teaching.synthesis import Pair

        pairs = [Pair(question, tuple(answers)) for question, answers in questions.items()]
        teaching = self.teaching
        return teaching.teach(teaching.synthesise(pairs, threads), encoder=encoder)

    def write_glosses(self, *, save: bool = True) -> Iterator[GlossBatch]:
        """Let the language model write the words that people use for each relation that the graph's gloss file lacks
        (docs/glosses.md).

        Args:
            save: Add the glosses to the gloss file, call by call.

        Raises:
            BadInput, ModelFailed: No language model is named, or it cannot be used.
        """
        from clew.app.training.glossing import write_glosses

        yield from write_glosses(self.client, self.name, save=save)

    def definitions(self) -> list[Definition]:
        """The phrases that the graph's gloss file defines, with how they are read (docs/glosses.md).

        Raises:
            BadInput: The gloss file cannot be read.
        """
        from clew.app.training.definitions import definitions

        return definitions(self.client, self.name)

    def define(self, phrase: str, meaning: str) -> Definition:
        """Let a phrase stand for a set of nodes: "major city" for "a City with population > 150000".

        Raises:
            BadInput: The meaning is not read as a set of nodes; the gloss file stays as it is.
        """
        from clew.app.training.definitions import define

        return define(self.client, self.name, phrase, meaning)

    def undefine(self, phrase: str) -> None:
        """Remove a definition. Raises BadInput if there is none, or another definition uses it."""
        from clew.app.training.definitions import undefine

        undefine(self.client, self.name, phrase)

    @property
    def teaching(self) -> Teaching:
        """What the graph was taught, and its making in steps."""
        from clew.app.training.teaching import Teaching

        return Teaching(self.client, self.name)

    def close(self) -> None:
        """Close the client, where `clew.connect` made it for this graph."""
        if self._owns_client:
            self.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Graph({self._name!r}, home={str(self.client.settings.home)!r})"
