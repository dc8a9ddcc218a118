"""Contexts for tests, made and changed by the names of their parts, wherever those stand."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, cast

from clew.graphs.context import Context, GraphTools
from clew.graphs.run import Run

_TOOLS = {field.name for field in fields(GraphTools)}
_RUN = {field.name for field in fields(Run)}


def context_of(**parts: Any) -> Context:
    """A context of these tools, settings and parts of the run."""
    tools = GraphTools(**{name: part for name, part in parts.items() if name in _TOOLS})
    run = Run(**{name: part for name, part in parts.items() if name in _RUN})
    rest: dict[str, Any] = {name: part for name, part in parts.items() if name not in _TOOLS | _RUN}
    return Context(**{"tools": tools, "run": run, **rest})


def altered(context: Context, **parts: Any) -> Context:
    """The context with other parts."""
    tools = {name: part for name, part in parts.items() if name in _TOOLS}
    run = {name: part for name, part in parts.items() if name in _RUN}
    rest = {name: part for name, part in parts.items() if name not in _TOOLS | _RUN}
    return cast(Context, replace(context, **{
        "tools": replace(context.tools, **tools), "run": replace(context.run, **run), **rest
    }))  # fmt: skip
