"""Chunks halved again and again, so that what is shown of them says little else (KET-RAG, section 5.1)."""

from __future__ import annotations


def sub_chunks(text: str, splits: int) -> list[str]:
    """The text in 2^splits parts of about as many words, none of them empty; white space
    is made single. As it is where `splits` is 0."""
    if splits <= 0:
        return [text] if text.strip() else []
    parts = [text.split()]
    for _ in range(splits):
        parts = [half for part in parts for half in (part[: (len(part) + 1) // 2], part[(len(part) + 1) // 2 :])]
    return [" ".join(part) for part in parts if part]
