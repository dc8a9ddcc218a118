"""The one table of retrieval strategies."""

from __future__ import annotations

from importlib import import_module

from clew.graphs.strategies import STRATEGIES
from clew.graphs.strategies.strategy import Strategy

REGISTRY: dict[str, Strategy] = {name: import_module(f"clew.graphs.strategies.{name}").STRATEGY for name in STRATEGIES}
"""By name, in the order of `STRATEGIES`. An entry that is added before a graph is built becomes part of the graph."""


def markdown_table() -> str:
    """The table of docs/strategies.md."""
    head = "| name | what it does | needs | without a model | with a model | source |\n|---|---|---|---|---|---|\n"
    return head + "".join(
        f"| `{each.name}` | {each.does} | {each.needs} | {each.without_model.value} | {each.with_model.value} "
        f"| {each.source} |\n"
        for each in REGISTRY.values()
    )
