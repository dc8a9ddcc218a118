"""How many tokens a text takes, without a download.

Counted by the encoding that the settings name (`token_encoding`); else by tiktoken where it is installed and its
encoding file is already on the machine and intact (tiktoken would fetch it otherwise); else estimated as one token for
four characters, which suits English text.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from math import ceil
from pathlib import Path

from clew.tools.embedding.token_encoding import count_by

ENCODING = "o200k_base"
_ADDRESS = f"https://openaipublic.blob.core.windows.net/encodings/{ENCODING}.tiktoken"
"""Never opened: tiktoken names the cached file by its hash."""
_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
_CHARACTERS_PER_TOKEN = 4


def fitting(texts: Iterable[tuple[str, str]], budget: int) -> list[str]:
    """The keys of the leading (key, text) pairs that fit into `budget` tokens together; texts are never cut."""
    pairs = list(texts)
    if sum(len(text.encode()) for _, text in pairs) <= budget:
        return [key for key, _ in pairs]  # a token is at least one byte
    count, left, kept = counter(), budget, []
    for key, text in pairs:
        left -= count(text)
        if left < 0:
            break
        kept.append(key)
    return kept


_chosen: str | None = None


def use(encoding: str | None) -> None:
    """Count by this encoding from now on, in the whole process (`count_by`); None for the default."""
    global _chosen
    if encoding != _chosen:
        _chosen = encoding
        counter.cache_clear()


def counted_by() -> str:
    """What counts the tokens, in words."""
    if _chosen is not None:
        return _chosen
    return f"an estimate, {_CHARACTERS_PER_TOKEN} characters a token" if counter() is estimate else ENCODING


@cache
def counter() -> Callable[[str], int]:
    """Counts or estimates the tokens of a text. Raises BadInput where the encoding that was chosen cannot be used."""
    if _chosen is not None:
        return count_by(_chosen)
    if importlib.util.find_spec("tiktoken") is None or not _on_this_machine():
        return estimate
    import tiktoken

    encode = tiktoken.get_encoding(ENCODING).encode_ordinary
    return lambda text: len(encode(text))


def estimate(text: str) -> int:
    """The number of tokens of a text, by its length alone."""
    return ceil(len(text) / _CHARACTERS_PER_TOKEN)


def _on_this_machine() -> bool:
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    cached = Path(folder or Path(tempfile.gettempdir()) / "data-gym-cache")
    file = cached / hashlib.sha1(_ADDRESS.encode(), usedforsecurity=False).hexdigest()
    return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == _SHA256
