"""What a query returns, as plain values that need neither the driver nor the database."""

from __future__ import annotations

from typing import Any

_PLAIN = (str, int, float, bool, type(None), bytes)


def plain(value: Any) -> Any:
    """A value without driver types.

    A node becomes the map of its properties; a relationship `[start, type, end]` and a path
    `[node, type, node, …]`, with nodes as maps; dates, times and durations become ISO 8601 text; a point the list
    of its coordinates.
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
        return list(value)
    if hasattr(value, "iso_format"):
        return value.iso_format()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return str(value)
