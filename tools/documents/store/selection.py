"""Selecting documents: by id or its beginning, by path, by folder, or by a pattern of paths."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fnmatch import fnmatchcase

from clew.tools.documents.store.records import Document
from clew.tools.errors import BadInput

_PREFIX = "document:"
_SHORTEST = 4
"""Letters of an id's beginning."""


def selected(documents: Sequence[Document], selectors: Sequence[str]) -> list[Document]:
    """The documents that match any of `wanted`, each once.

    A pattern has *, ? or […]; * also matches folders. Raises BadInput for one that matches none, or begins several ids.
    """
    found: dict[str, Document] = {}
    for each in selectors:
        means = _meant(documents, each)
        if not means:
            raise BadInput(f"No document is called {each}.", "See `clew documents list`.")
        found.update((document.id, document) for document in means)
    return list(found.values())


def one_selected(documents: Sequence[Document], selectors: str) -> Document:
    """The only document that matches. Raises BadInput where `wanted` matches none or several."""
    found = selected(documents, [selectors])
    if len(found) > 1:
        raise BadInput(f"{selectors} means {len(found)} documents.", "Name one by its id: `clew documents list`.")
    return found[0]


def short_id(document: Document) -> str:
    """The beginning of an id, which is enough to select it."""
    return document.id.removeprefix(_PREFIX)[:10]


def _meant(documents: Sequence[Document], selectors: str) -> list[Document]:
    if not selectors:
        return []
    path = os.path.abspath(selectors)
    resolved = os.path.realpath(selectors)
    by_path = [
        each
        for each in documents
        if each.source in (selectors, path, resolved) or each.source.startswith((path + os.sep, resolved + os.sep))
    ]
    beginning = selectors.removeprefix(_PREFIX)
    by_id = [
        each
        for each in documents
        if len(beginning) >= _SHORTEST and each.id.removeprefix(_PREFIX).startswith(beginning)
    ]
    if len(by_id) > 1:
        raise BadInput(f"{selectors} begins the ids of {len(by_id)} documents.", "Give more of it.")
    by_pattern = [each for each in documents if _is_pattern(selectors) and fnmatchcase(each.source, path)]
    return by_path or by_id or by_pattern


def _is_pattern(selectors: str) -> bool:
    return any(sign in selectors for sign in "*?[")
