"""Clew in LangChain: retrievers, a loader of chunks, embeddings, and tools for agents.

from langchain.agents import create_agent

films = clew.connect("films")
agent = create_agent("openai:gpt-4.1-mini", clew.langchain.tools(films))
retriever = clew.langchain.ClewRetriever(graph=films)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Annotated, Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import ConfigDict, Field

from clew.app.api.evidence import Evidence, Mention
from clew.app.api.graph import Graph
from clew.app.api.results import AskResult, VerifyResult
from clew.tools.documents.chunk import Chunk
from clew.tools.embedding import query_vectors
from clew.tools.errors import ClewError

__all__ = ["ChunkLoader", "ChunkRetriever", "ClewEmbeddings", "ClewRetriever", "tools"]

ANSWERS, EVIDENCE, ROWS, MOST_ROWS = 50, 20, 50, 500
"""What a tool returns at most: answers, facts, rows where the model does not say, and rows where it does."""


class ClewRetriever(BaseRetriever):
    """Retrieves answers from a knowledge graph, and passages from the documents beside it.

    A document is an answer with the facts that support it (`metadata["kind"]` is "answer"), or a passage ("passage").
    Answers come first; without any, the documents are the passages and facts that were found.

    Example:
        >>> ClewRetriever(graph=clew.connect("films")).invoke("who directed Heat?")[0].page_content
        'Michael Mann\\nHeat —directed_by→ Michael Mann'
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    graph: Graph
    k: int = Field(default=20, ge=1)
    """Documents at most."""
    method: str | None = None
    """A paper's method, such as "byokg" (docs/methods.md); None lets the question decide, and adds a search in the
    documents beside the graph where there are some and no passage was found."""
    strategies: tuple[str, ...] | None = None
    """Retrieval strategies to run, in place of a method."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.graph.ask(query, method=self.method, strategies=self.strategies)
        passages = [item for item in found.evidence if item.is_passage]
        if not passages and self.strategies is None and self.method is None and len(self.graph.documents):
            more = self.graph.ask(query, strategies=["documents"])
            passages = [item for item in more.evidence if item.is_passage]
        documents = [*_answers(found), *(_passage(item, found.graph) for item in passages)]
        return documents[: self.k]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        from asyncio import to_thread

        return await to_thread(self._get_relevant_documents, query, run_manager=run_manager.get_sync())


class ChunkRetriever(BaseRetriever):
    """Retrieves chunks of the documents beside a graph, best first; no answer is read from them.

    Example:
        >>> ChunkRetriever(graph=clew.connect("films"), k=4, options={"mode": "sage"}).invoke("who lent the camera?")
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    graph: Graph
    k: int = Field(default=10, ge=1)
    """Chunks."""
    options: dict[str, Any] = Field(default_factory=dict)
    """How they are searched: the fields of `clew.tools.documents.search_options.SearchOptions`."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        hits = self.graph.documents.search(query, self.k, **self.options)
        return [_chunk(hit.chunk, self.graph.name, {"score": hit.score}) for hit in hits]


class ChunkLoader(BaseLoader):
    """Loads all chunks of the documents beside a graph, for another vector store, say. They come as a stream.

    Example:
        >>> store.add_documents(ChunkLoader(clew.connect("films")).load())
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def lazy_load(self) -> Iterator[Document]:
        """Yield each chunk as a document, with the file that it comes from as `source` in its metadata."""
        kept = self._graph.documents.store
        sources = {document.id: document.source for document in kept.documents()}
        for chunk in kept.chunks():
            yield _chunk(chunk, self._graph.name, {"source": sources.get(chunk.document, "")})


class ClewEmbeddings(Embeddings):
    """The sentence vectors of a graph's indexes, to search in the vector store that has them (CLEW_VECTORS).

    Example:
        >>> Neo4jVector.from_existing_index(ClewEmbeddings(clew.connect("films")), "ClewVectors_films_names")
    """

    def __init__(self, graph: Graph) -> None:
        self._embedder = graph.client.embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors of length 1, one a text."""
        return [[float(number) for number in row] for row in self._embedder.embed(texts)]

    def embed_query(self, text: str) -> list[float]:
        """The vector of length 1 of a text to search with."""
        return [float(number) for number in query_vectors(self._embedder, [text])[0]]


def _chunk(chunk: Chunk, graph: str, more: Mapping[str, Any]) -> Document:
    metadata = {
        "kind": chunk.kind, "title": chunk.title, "place": chunk.place, "topic": chunk.topic,
        "document": chunk.document, "entities": list(chunk.entities), "graph": graph,
    }  # fmt: skip
    return Document(id=chunk.id, page_content=chunk.text, metadata={**metadata, **more})


def _answers(found: AskResult) -> Iterator[Document]:
    for answer in found:
        facts = [str(item) for item in answer.evidence if not item.is_passage]
        yield Document(
            page_content="\n".join([answer.name, *facts]),
            metadata={
                "kind": "answer", "name": answer.name, "id": answer.id, "label": answer.label, "score": answer.score,
                "confidence": found.confidence, "cypher": found.cypher, "graph": found.graph,
                "trace_id": found.trace_id,
            },
        )  # fmt: skip


def _passage(item: Evidence, graph: str) -> Document:
    place = "" if item.relation == "text" else item.relation
    metadata = {**item.properties, "kind": "passage", "title": item.head.name, "place": place, "score": item.score}
    return Document(page_content=item.tail.name, metadata={**metadata, "graph": graph})


def tools(graph: Graph) -> list[BaseTool]:
    """The tools of a graph for `langchain.agents.create_agent`: ask, verify, link_entities, schema and query.

    All of them only read. An error of Clew is returned to the model as text, so that it can try again.

    Example:
        >>> agent = create_agent("openai:gpt-4.1-mini", clew.langchain.tools(clew.connect("films")))
    """

    def ask(question: Annotated[str, Field(description="In plain words; names as they are usually written.")]) -> str:
        """Answer a question from the knowledge graph, with the facts and the Cypher behind the answer."""
        return _json(_asked(graph.ask(question)))

    def verify(statement: Annotated[str, Field(description="One or more claims in plain words.")]) -> str:
        """Say whether the knowledge graph supports or refutes a statement, or has not enough evidence, and why."""
        return _json(_verified(graph.verify(statement)))

    def link_entities(
        text: Annotated[str, Field(description="A question or a name, misspelt or not.")],
        limit: Annotated[int, Field(ge=1, le=20, description="Candidates for each name.")] = 3,
    ) -> str:
        """Find the nodes that the names in a text stand for: ids, labels and scores, best first."""
        return _json([_mention(mention) for mention in graph.link(text, limit)])

    def schema() -> str:
        """Labels with their properties, and between which labels each relationship type runs."""
        return graph.schema_text()

    def query(
        cypher: Annotated[str, Field(description="One Cypher query that only reads.")],
        parameters: Annotated[dict[str, Any] | None, Field(description="Values of $parameters.")] = None,
        limit: Annotated[int, Field(ge=1, le=MOST_ROWS, description="Rows at most.")] = ROWS,
    ) -> str:
        """Run a Cypher query that only reads, within 5 seconds."""
        return _json(graph.query(cypher, parameters, limit=limit).to_dict())

    return [_tool(each) for each in (ask, verify, link_entities, schema, query)]


def _tool(function: Callable[..., str]) -> BaseTool:
    """The function as a tool that returns Clew's errors to the model as text."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> str:
        try:
            return function(*args, **kwargs)
        except ClewError as error:
            raise ToolException(" ".join(str(error).split())) from error

    return StructuredTool.from_function(call, handle_tool_error=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _asked(found: AskResult) -> Mapping[str, Any]:
    return {
        "text": found.text,
        "answers": [{"name": each.name, "id": each.id, "label": each.label} for each in found.answers[:ANSWERS]],
        "answer_count": len(found),
        "evidence": [str(item) for item in found.evidence[:EVIDENCE]],
        "cypher": found.cypher,
        "confidence": found.confidence,
        "sure": found.sure,
        "reading": found.reading,
        "readings": [{"reading": each.reading, "says": each.says} for each in found.readings],
        "trace_id": found.trace_id,
    }


def _verified(found: VerifyResult) -> Mapping[str, Any]:
    return {
        "verdict": found.verdict,
        "confidence": found.confidence,
        "reason": found.reason,
        "claims": [{"claim": each.claim, "verdict": each.verdict, "reason": each.reason} for each in found.claims],
        "evidence": [str(item) for item in found.evidence[:EVIDENCE]],
        "trace_id": found.trace_id,
    }


def _mention(mention: Mention) -> Mapping[str, Any]:
    candidates = [{"id": c.id, "name": c.name, "label": c.label, "score": c.score} for c in mention.candidates]
    return {"text": mention.text, "candidates": candidates}
