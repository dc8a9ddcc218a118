"""The documents beside a graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.app.graph_files import GraphFiles
    from clew.tools.documents.adding import AddReport
    from clew.tools.documents.store.records import Document
    from clew.tools.documents.store.store import DocumentStore


class Documents:
    """The documents beside a graph; iterate over it for each, take its length for their number.

    Example:
        >>> films.documents.add("notes/", "report.pdf").added
        12
        >>> [document.title for document in films.documents]
    """

    def __init__(self, client: Container, graph: str) -> None:
        self._client = client
        self._graph = graph

    @property
    def store(self) -> DocumentStore:
        """The documents with their chunks, mentions and extractions."""
        return self._client.files(self._graph).documents()

    def __iter__(self) -> Iterator[Document]:
        return iter(self.store.documents())

    def __len__(self) -> int:
        return self.store.totals().documents

    def __repr__(self) -> str:
        return f"Documents({self._graph!r})"

    def add(self, *paths: str | Path, encoding: str | None = None, **chunking: Any) -> AddReport:
        """Add files, and folders with all that is below them, and index them.

        Args:
            *paths: Text, Markdown, HTML, PDF, DOCX, CSV and TSV. Unchanged files are not read again; a changed file
                replaces what was kept of it.
            encoding: Of text files that are not UTF-8.
            **chunking: `method` ("paragraph", "semantic" or "tokens") and the sizes `most`, `least` and `overlap` in
                tokens; by default as the graph's documents were cut before.

        Returns:
            What became of the files; those that cannot be read are in `bad`.
        """
        from clew.tools.documents.adding import AddReport

        report, container = AddReport(), self._client
        if not container.database.exists(self._graph):
            container.database.open(self._graph, create=True)
        add_documents(container.files(self._graph), [Path(path) for path in paths], report, encoding, chunking)
        return report

    def remove(self, *wanted: str) -> int:
        """Remove documents; the files themselves stay.

        Args:
            *wanted: Ids or their beginnings, files, folders, or patterns of paths.

        Returns:
            How many were removed.

        Raises:
            BadInput: No document is called so.
        """
        from clew.tools.documents.store.selection import selected

        return self.store.remove(document.id for document in selected(self.store.documents(), wanted))


def add_documents(
    files: GraphFiles,
    paths: Sequence[Path],
    report: AddReport,
    encoding: str | None,
    chunking: dict[str, Any],
) -> None:
    """Add files, link their chunks to the graph and index them. `report` is filled as it goes, so that it is right
    after an interruption, too. Raises BadInput."""
    from clew.tools.documents import adding
    from clew.tools.documents.chunking.chunking import Chunking

    store, parts = files.documents(), files.parts
    cut = Chunking(**chunking) if chunking else adding.last_chunking(store)
    sources = adding.find_sources(paths)
    with parts.progress.task("Adding documents", "files", len(sources.files)) as advance:
        adding.add_documents(store, sources, cut, parts.embedder, advance, report, encoding)
    if files.linked_documents().totals().documents:
        collection = files.collection()
        _ = collection.index
        made = collection.store.extractions.settings
        if made is not None and made.by == "model":  # A skeleton by rules is made when it is measured.
            _ = collection.skeleton
