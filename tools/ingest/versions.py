"""The versions of a graph that imports give it."""

from __future__ import annotations

import hashlib

from clew.tools.graph.store.graph_store import UNFINISHED


def unfinished(digest: str) -> str:
    """The version of a graph that was empty, while content with this digest is imported."""
    return UNFINISHED + digest[:16]


def is_unfinished(version: str) -> bool:
    """Whether a graph of that version is the unfinished beginning of an import."""
    return version.startswith(UNFINISHED)


def finished(digest: str, before: str, *, fresh: bool, content: str = "") -> str:
    """The version after an import.

    Args:
        digest: Of the imported files.
        before: The version before.
        fresh: Whether the graph was empty.
        content: The labels, types and names that the files were read as. Another release may read them otherwise, and
            indexes are of one version.
    """
    return hashlib.sha256(f"{content if fresh else before}{digest}".encode()).hexdigest()[:16]
