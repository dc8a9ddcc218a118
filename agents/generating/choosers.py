"""The chooser that a setting names: a model in this process, or one behind a server."""

from __future__ import annotations

from typing import Unpack
from urllib.parse import urlsplit

from clew.agents.generating.chooser import Chooser, LocalChooser
from clew.agents.generating.served_choosers import OpenAIChooser, ServiceChooser
from clew.tools.errors import BadInput
from clew.tools.learning.generation.chosen import Decoding
from clew.tools.learning.generation.load_options import LoadOptions


def chooser_of(
    where: str,
    adapter: str | None = None,
    *,
    token: str | None = None,
    decoding: Decoding = "exact",
    **options: Unpack[LoadOptions],
) -> Chooser:
    """The chooser that a setting names.

    Args:
        where: The address of an OpenAI-compatible server (it ends in /v1) or of `clew generator serve`, else a folder
            or the name of a model.
        adapter: A LoRA adapter; at an OpenAI-compatible server, the name of the model.
        token: Of the server.
        decoding: How a model in this process chooses; a server has its own way.
        **options: How a model in this process is loaded.

    Raises:
        BadInput: `where` is an address, but not of the web.
    """
    if not where.startswith(("http://", "https://")):
        if "://" in where:
            raise BadInput(
                f"{where} is neither a model nor a web address.", "Addresses begin with http:// or https://."
            )
        return LocalChooser(where, adapter, decoding, options)
    if urlsplit(where).path.rstrip("/").endswith("/v1"):
        return OpenAIChooser(where, adapter, token)
    return ServiceChooser(where, token)
