"""The chooser that a setting names: a model in this process, or one behind a server."""

from __future__ import annotations

from urllib.parse import urlsplit

from clew.agents.generating.chooser import Chooser, LocalChooser
from clew.agents.generating.served_choosers import OpenAIChooser, ServiceChooser
from clew.tools.errors import BadInput


def chooser_of(
    where: str,
    adapter: str | None = None,
    *,
    device: str | None = None,
    dtype: str | None = None,
    four_bit: bool = False,
    downloads: bool = False,
    token: str | None = None,
) -> Chooser:
    """The chooser that a setting names.

    Args:
        where: The address of an OpenAI-compatible server (it ends in /v1) or of `clew generator serve`, else a folder
            or the name of a model.

    Raises:
        BadInput: `where` is an address, but not of the web.
    """
    if not where.startswith(("http://", "https://")):
        if "://" in where:
            raise BadInput(
                f"{where} is neither a model nor a web address.", "Addresses begin with http:// or https://."
            )
        return LocalChooser(where, adapter, device, dtype, four_bit, downloads)
    if urlsplit(where).path.rstrip("/").endswith("/v1"):
        return OpenAIChooser(where, adapter, token)
    return ServiceChooser(where, token)
