"""The documents beside a graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.tools.documents.search_options import EDGE_KINDS as EDGE_KINDS
from clew.tools.documents.search_options import MODES as MODES
from clew.tools.documents.search_options import MOST_SPLITS as MOST_SPLITS
from clew.tools.documents.search_options import EdgeKind
from clew.tools.documents.search_options import SearchOptions as SearchOptions
from clew.tools.documents.store.columns import described_columns
from clew.tools.documents.store.selection import one_selected, selected
from clew.tools.documents.store.selection import short_id as short_id
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.app.api.chunk_reading import Describing
    from clew.app.api.document_skeleton import DocumentSkeleton
    from clew.app.container import Container
    from clew.tools.documents.adding import AddReport
    from clew.tools.documents.chunk import Chunk
    from clew.tools.documents.chunk_graph.edge import Edge
    from clew.tools.documents.collection import Collection
    from clew.tools.documents.index.index import DocumentHit as DocumentHit
    from clew.tools.documents.keyword_graph.keyword_index import KeywordIndex
    from clew.tools.documents.loading import Loader
    from clew.tools.documents.publishing import Published
    from clew.tools.documents.searching import DocumentSearch
    from clew.tools.documents.skeleton.retrieval import TwoChannelContext
    from clew.tools.documents.store.extractions import Extraction
    from clew.tools.documents.store.extractions import SkeletonSettings as SkeletonSettings
    from clew.tools.documents.store.records import ChunkMention
    from clew.tools.documents.store.records import Document as Document
    from clew.tools.documents.store.store import DocumentStore


@dataclass(frozen=True, slots=True)
class ChunkDetails:
    """A chunk of a document, and what is known of it."""

    chunk: Chunk
    columns: tuple[str, ...]
    """Descriptions of the columns of a table; empty for other chunks."""
    mentions: tuple[ChunkMention, ...]
    """The nodes of the graph that it names."""
    extraction: Extraction | None
    """The entities and relations that a language model extracted from it."""

    def to_json(self, edges: Sequence[Edge] | None = None) -> dict[str, Any]:
        """Plain values, with the chunk's edges if they are given."""
        return {
            **asdict(self.chunk),
            "columns": self.columns,
            "mentions": [asdict(mention) for mention in self.mentions],
            "extraction": None if self.extraction is None else asdict(self.extraction),
            **({} if edges is None else {"edges": [edge.to_json() for edge in edges]}),
        }


class Documents:
    """The documents beside a graph; iterate over it for each, take its length for their number.

    Example:
        >>> films.documents.add("notes/", "report.pdf").added
        12
        >>> [document.title for document in films.documents]
    """

    def __init__(self, client: Container, graph: str) -> None:
        self._client = client
        self.graph = graph
        self.report: AddReport | None = None
        """Of the latest `add`. It is filled while that runs, so that it also holds after an interruption."""

    @property
    def store(self) -> DocumentStore:
        """The documents with their chunks, mentions and extractions."""
        return self._client.files(self.graph).documents()

    @property
    def uploaded_folder(self) -> Path:
        """The folder that documents seem to come from which were sent to a server."""
        return self._client.folder(self.graph) / "uploaded"

    def __iter__(self) -> Iterator[Document]:
        return iter(self.store.documents())

    def __len__(self) -> int:
        return self.store.totals().documents

    def __repr__(self) -> str:
        return f"Documents({self.graph!r})"

    def add(
        self, *sources: str | Path | Loader, encoding: str | None = None, follow_links: bool = False, **chunking: Any
    ) -> AddReport:
        """Add files, folders with all that is below them, and what LangChain's document loaders yield; index them.

        Args:
            *sources: Files and folders: text, Markdown, HTML, PDF, DOCX, CSV and TSV. Unchanged files are not read
                again; a changed file replaces what was kept of it. Loaders: any with `lazy_load`
                (`langchain_core.document_loaders.BaseLoader`); texts of one `source` are one document.
            encoding: Of text files that are not UTF-8.
            follow_links: Whether symbolic links that lead out of a folder are followed.
            **chunking: `method` ("paragraph", "semantic" or "tokens") and the sizes `most`, `least` and `overlap` in
                tokens; by default as the graph's documents were cut before.

        Returns:
            What became of the files; those that cannot be read are in `bad`.
        """
        from clew.app.api.document_files import add_files, add_loaded
        from clew.tools.documents.adding import AddReport

        report, client = AddReport(), self._client
        self.report = report
        if not client.database.exists(self.graph):
            client.database.open(self.graph, create=True)
        paths = [Path(each) for each in sources if isinstance(each, str | Path)]
        loaders = [each for each in sources if not isinstance(each, str | Path)]
        files = client.files(self.graph)
        add_loaded(files, loaders, report, chunking)
        add_files(files, paths, report, encoding, follow_links, chunking)
        return report

    def show(self, id: str) -> tuple[Document, list[ChunkDetails]]:
        """A document with its chunks.

        Args:
            id: The document's id, its beginning or its path; or the id of a chunk, for this chunk alone.

        Raises:
            BadInput: No document is called so, or several are.
        """
        store = self.store
        chunks = store.get([id.partition("#")[0]])  # A sub-chunk has "#" and its number after the id.
        document = store.document(chunks[0].document) if chunks else one_selected(store.documents(), id)
        assert document is not None
        shown = chunks or list(store.chunks(document.id))
        mentions = list(store.mentions([chunk.id for chunk in shown]))
        extracted = store.extractions.of(document.id)
        return document, [
            ChunkDetails(
                chunk,
                described_columns(chunk),
                tuple(each for each in mentions if each.chunk == chunk.id),
                extracted.get(chunk.id),
            )
            for chunk in shown
        ]

    def edges(self, chunk: str, kinds: Sequence[EdgeKind] = EDGE_KINDS) -> list[Edge]:
        """The edges of a chunk in the chunk graph, with their reasons and metadata; indexes the documents if needed.

        Args:
            chunk: The chunk's id; of an unknown id there are none.
            kinds: "content", "topic", "title", "column", "names", "links", "parent".

        Raises:
            BadInput: There is no such kind of edges.
        """
        return self._collection().index.around(chunk, kinds)

    def search(self, question: str, k: int = 10, **options: Any) -> list[DocumentHit]:
        """The chunks that fit a question best.

        Args:
            question: The question.
            k: The number of chunks.
            **options: The fields of `SearchOptions`, such as `mode` ("mix", "sage" or "ket").

        Raises:
            BadInput: An option cannot be.
        """
        return self._searched(options).hits(question, k)

    def context(self, question: str, **options: Any) -> TwoChannelContext:
        """The entities, relations and chunks for a question within a number of tokens (KET-RAG, Algorithm 4).

        Args:
            question: The question.
            **options: The fields of `SearchOptions`; `tokens` is the limit λ, by default that of a question.

        Raises:
            BadInput: An option cannot be.
        """
        return self._searched(options).context(question, self._client.settings.question_tokens)

    def build_keywords(self, splits: int = 0) -> KeywordIndex:
        """Build KET-RAG's keyword channel, with progress; one that is there and fits is opened.

        Args:
            splits: How often chunks are halved (τ).

        Raises:
            BadInput: There are no documents.
        """
        return self._collection().keywords(splits)

    def remove_keywords(self) -> bool:
        """Delete the keyword channel; returns whether there was one."""
        return self._client.files(self.graph).collection().remove_keywords()

    def describing(self) -> Describing:
        """The description of chunks by a language model, to be estimated and run."""
        from clew.app.api.chunk_reading import Describing

        return Describing(self._client, self.graph)

    @property
    def skeleton(self) -> DocumentSkeleton:
        """The entities and relations of the core chunks, to be extracted by a language model or by rules."""
        from clew.app.api.document_skeleton import DocumentSkeleton

        return DocumentSkeleton(self._client, self.graph)

    def publish(self) -> Published:
        """Write the chunks into the graph's database as (:Chunk) nodes, with `MENTIONS` of the graph's nodes and
        relationships between chunks, in place of an earlier copy. Questions do not see them.

        Raises:
            BadInput: There are no documents; Clew only reads this graph; or it uses these names itself.
        """
        from clew.tools.documents.publishing import publish

        collection = self._collection()
        files, stage = self._client.files(self.graph), self._client.progress.task
        documents = files.linked_documents()
        names = files.index() if files.schema().labels else None
        return publish(files.store, documents, collection.index, names, stage)

    def unpublish(self) -> int:
        """Delete the published chunks; returns how many there were."""
        from clew.tools.documents.publishing import unpublish

        return unpublish(self._client.files(self.graph).store, self._client.progress.task)

    def _searched(self, options: dict[str, Any]) -> DocumentSearch:
        from clew.tools.documents.searching import DocumentSearch

        return DocumentSearch(self._collection(), SearchOptions(**options))

    def _collection(self) -> Collection:
        """Raises BadInput where there are no documents."""
        found = self._client.files(self.graph).collection()
        if found.empty:
            message = f"{self.graph} has no documents."
            raise BadInput(message, f"Add some: clew documents add PATH --graph {self.graph}")
        return found

    def remove(self, *selectors: str) -> int:
        """Remove documents; the files themselves stay.

        Args:
            *selectors: Ids or their beginnings, files, folders, or patterns of paths.

        Returns:
            How many were removed.

        Raises:
            BadInput: No document is called so.
        """
        return self.store.remove(document.id for document in selected(self.store.documents(), selectors))
