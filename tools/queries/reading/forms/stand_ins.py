"""Entities that are no nodes, but stand for a set that a conversation gives."""

from __future__ import annotations

from clew.tools.graph.entity import Entity

STAND_IN = "\x00"
"""The id of an entity that is no node, but stands for a set of its label."""


def stands_in(entity: Entity) -> bool:
    """Whether an entity is no node, but stands for a set."""
    return entity.id == STAND_IN
