"""The embedder that the settings name, and where its vectors are searched."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from clew.app.settings import Settings
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.tools.embedding import Embedder
    from clew.tools.embedding.vector_store import VectorPlace
    from clew.tools.graph.store.bolt import BoltDatabase


def embedder_of(settings: Settings) -> Embedder:
    """What searches by meaning: the model that the settings name, or the packaged one. Raises BadInput."""
    if settings.embedder is None:
        if settings.embedder_base_url is not None:
            raise BadInput("CLEW_EMBEDDER_BASE_URL is set, but no model.", "Name it: CLEW_EMBEDDER=MODEL.")
        from clew.tools.embedding import shared_minilm

        return shared_minilm()
    if settings.embedder_base_url is not None:
        from clew.tools.embedding.endpoint import EndpointEmbedder

        key = settings.embedder_api_key
        return EndpointEmbedder(settings.embedder, settings.embedder_base_url, key.get_secret_value() if key else None)
    from clew.tools.embedding.sentence_model import SentenceModel

    return SentenceModel(
        settings.embedder, downloads=settings.allow_downloads, trust_remote_code=settings.trust_remote_code
    )


def vectors_of(settings: Settings, graph: str, database: Callable[[], BoltDatabase]) -> VectorPlace:
    """Where the vectors of a graph are searched: in the home, in its Neo4j, or on a Chroma server. Raises BadInput."""
    from clew.tools.embedding.chroma import HOME, ChromaServer

    if settings.vectors is None:
        return HOME
    if settings.vectors != "neo4j":
        token = settings.vectors_token
        return ChromaServer(settings.vectors, graph, token.get_secret_value() if token else None)
    if settings.database_url is None:
        raise BadInput("CLEW_VECTORS=neo4j needs a Neo4j database.", "Name its address: CLEW_DATABASE_URL.")
    from clew.tools.graph.store.vector_index import Neo4jPlace

    return Neo4jPlace(database(), graph)
