"""Clew answers questions over a knowledge graph, and shows the thread that led to each answer.

    import clew

    with clew.connect("films") as films:
        found = films.ask("who directed Heat?")
        print(found[0].name, found.confidence, found.cypher)

`docs/python.md` is the guide. Importing this package loads nothing else; each name below is loaded when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew import langchain
    from clew.app.api.client import Client, connect
    from clew.app.api.documents import Documents
    from clew.app.api.evidence import Answer, Candidate, Entity, Evidence, Mention, PassageSpan
    from clew.app.api.graph import Graph
    from clew.app.api.results import AskResult, Claim, Event, QueryResult, VerifyResult
    from clew.app.api.subgraph import question_graph
    from clew.app.training.definitions import Definition
    from clew.tools.errors import (
        BadInput,
        ClewError,
        DatabaseUnavailable,
        QueryFailed,
        QueryForbidden,
        QueryTimeout,
        UnknownGraph,
    )

__all__ = [
    "Answer",
    "AskResult",
    "BadInput",
    "Candidate",
    "Claim",
    "ClewError",
    "Client",
    "DatabaseUnavailable",
    "Definition",
    "Documents",
    "Entity",
    "Event",
    "Evidence",
    "Graph",
    "Mention",
    "PassageSpan",
    "QueryFailed",
    "QueryForbidden",
    "QueryResult",
    "QueryTimeout",
    "UnknownGraph",
    "VerifyResult",
    "connect",
    "langchain",
    "question_graph",
]

_NAMES = {
    "clew.app.api.client": ("Client", "connect"),
    "clew.app.api.documents": ("Documents",),
    "clew.app.api.graph": ("Graph",),
    "clew.app.api.evidence": ("Answer", "Candidate", "Entity", "Evidence", "Mention", "PassageSpan"),
    "clew.app.api.results": ("AskResult", "Claim", "Event", "QueryResult", "VerifyResult"),
    "clew.app.api.subgraph": ("question_graph",),
    "clew.app.training.definitions": ("Definition",),
    "clew.tools.errors": (
        "BadInput", "ClewError", "DatabaseUnavailable", "QueryFailed", "QueryForbidden", "QueryTimeout", "UnknownGraph",
    ),
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name == "langchain":
        return import_module("clew.langchain")
    if name == "__version__":
        from importlib.metadata import version

        return version("clew")
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
