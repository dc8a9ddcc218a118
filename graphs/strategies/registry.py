"""The one table of retrieval strategies."""

from __future__ import annotations

from importlib import import_module

from clew.graphs.strategies import STRATEGIES
from clew.graphs.strategies.strategy import Strategy

REGISTRY: dict[str, Strategy] = {name: import_module(f"clew.graphs.strategies.{name}").STRATEGY for name in STRATEGIES}
"""By name, in the order of `STRATEGIES`. An entry that is added before a graph is built becomes part of the graph."""
