"""What the driver returns: values as plain ones that need neither driver nor database, and plans as text."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import Any

from clew.tools.graph.store.far_times import time_text

_GEOGRAPHIC = (4326, 4979)
"""The reference systems of points with longitude and latitude (WGS 84)."""
_FRACTION = re.compile(r"\.(\d*?)0+(?!\d)")
_KEPT_PLANS, _PLAN_SECONDS = 256, 300.0
"""How many plans of queries are kept, and for how long."""
_PLAIN = (str, int, float, bool, type(None), bytes)


def plain(value: Any) -> Any:
    """A value without driver types.

    A node becomes the map of its properties; a relationship `[start, type, end]` and a path
    `[node, type, node, …]`, with nodes as maps; dates, times and durations, however far, become ISO 8601 text without
    zeros behind the seconds; a point the text of its coordinates: "latitude 48.87, longitude 2.35", or "x 1.0, y 2.0".
    """
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return _from_driver(value)


def _from_driver(value: Any) -> Any:
    from neo4j.graph import Node, Path, Relationship
    from neo4j.spatial import Point

    if isinstance(value, Node):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, Relationship):
        return [plain(value.start_node), value.type, plain(value.end_node)]
    if isinstance(value, Path):
        steps: list[Any] = [plain(value.start_node)]
        for relationship, node in zip(value.relationships, value.nodes[1:], strict=True):
            steps += [relationship.type, plain(node)]
        return steps
    if isinstance(value, Point):
        names = ("longitude", "latitude", "height") if value.srid in _GEOGRAPHIC else ("x", "y", "z")
        told = [f"{name} {number}" for name, number in zip(names, value, strict=False)]
        return ", ".join([told[1], told[0], *told[2:]] if names[0] == "longitude" else told)
    if (raw := getattr(value, "raw_data", None)) is not None:  # The driver could not read it.
        return time_text(raw)
    if hasattr(value, "iso_format"):
        return _whole(value.iso_format())
    if hasattr(value, "isoformat"):
        return _whole(value.isoformat())
    return str(value)


def _whole(time: str) -> str:
    """A time without zeros at the end of its fraction of a second."""
    return _FRACTION.sub(lambda fraction: f".{fraction[1]}" if fraction[1] else "", time)


def plain_row(record: Any) -> dict[str, Any]:
    """A row of the driver with plain values."""
    # The record's own methods refuse a row with a value that the driver could not read.
    return {key: plain(value) for key, value in zip(record.keys(), tuple.__iter__(record), strict=True)}


def operators(plan: Mapping[str, Any]) -> set[str]:
    """The kinds of operators in a plan (Neo4j writes them with the database's name: `LoadCSV@neo4j`)."""
    found = {str(plan.get("operatorType", "")).partition("@")[0]}
    return found.union(*map(operators, plan.get("children") or ()))


def plan_text(plan: Mapping[str, Any], depth: int = 0) -> str:
    """A plan as text.

    ArcadeDB's plan is text already. Neo4j's is a tree of operators (`ProduceResults@neo4j`), written one a line and
    indented, because its own drawing of the tree is 100 columns wide.
    """
    arguments = plan.get("args") or plan.get("arguments") or {}
    text = arguments.get("string-representation")
    if text and "@" not in str(plan.get("operatorType", "")):
        return str(text)
    rows = arguments.get("EstimatedRows")
    estimate = f" (about {float(rows):.0f} rows)" if isinstance(rows, (int, float)) else ""
    line = f"{'  ' * depth}{plan.get('operatorType', '')} {arguments.get('Details', '')}".rstrip() + estimate
    return "\n".join([line, *(plan_text(child, depth + 1) for child in plan.get("children") or ())])


class KeptPlans:
    """Plans of queries, kept for a while, since they change with the graph. Questions differ in parameters more than in
    queries."""

    def __init__(self) -> None:
        self._plans: dict[str, tuple[float, str]] = {}
        """By query, when its plan was read, and the plan."""

    def of(self, cypher: str, read: Callable[[], str]) -> str:
        """The plan of a query, which `read` reads."""
        read_at, text = self._plans.get(cypher, (float("-inf"), ""))
        if time.monotonic() - read_at < _PLAN_SECONDS:
            return text
        text = read()
        self._plans = self._plans if len(self._plans) < _KEPT_PLANS else {}
        self._plans[cypher] = time.monotonic(), text
        return text
