"""The embedder that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.app.settings import Settings
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.tools.embedding import Embedder


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
