"""Documents that are added beside a graph: files, and what LangChain's loaders yield."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.tools.documents import adding, loading
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.reading.options import ReadingOptions
from clew.tools.documents.sources import find_sources

if TYPE_CHECKING:
    from clew.app.graph_files import GraphFiles
    from clew.tools.documents.adding import AddReport
    from clew.tools.documents.loading import Loader


def add_loaded(files: GraphFiles, loaders: Sequence[Loader], report: AddReport, chunking: dict[str, Any]) -> None:
    """Add what LangChain's loaders yield; `add_files` indexes it."""

    store, parts = files.documents(), files.parts
    cut = Chunking(**chunking) if chunking else adding.last_chunking(store)
    for loader in loaders:
        with parts.progress.task("Adding documents", "documents", None) as advance:
            loading.add_loaded(store, loader, cut, parts.embedder, advance, report)


def add_files(
    files: GraphFiles,
    paths: Sequence[Path],
    report: AddReport,
    encoding: str | None,
    follow_links: bool,
    chunking: dict[str, Any],
) -> None:
    """Add files, link their chunks to the graph and index them. `report` is filled as it goes, so that it is right
    after an interruption, too. Raises BadInput."""
    store, parts = files.documents(), files.parts
    cut = Chunking(**chunking) if chunking else adding.last_chunking(store)
    sources = find_sources(paths, follow_links=follow_links)
    settings = parts.settings
    options = ReadingOptions(
        encoding, settings.document_memory_mb, settings.document_seconds, settings.document_text_mb
    )
    with parts.progress.task("Adding documents", "files", len(sources.files)) as advance:
        adding.add_documents(store, sources, cut, parts.embedder, advance, report, options)
    if files.linked_documents().totals().documents:
        collection = files.collection()
        _ = collection.index
        if (splits := collection.keyword_splits) is not None:
            collection.keywords(splits)
        made = collection.store.extractions.settings
        if made is not None and made.by == "model":  # A skeleton by rules is made when it is measured.
            _ = collection.skeleton
