"""Names that earlier releases stored, and what is called so today: nodes of the question graph, keys of answers."""

from __future__ import annotations

from typing import Any

_NODES = {"ground": "link_entities"}
_KEYS_OF_ANSWERS = {"told": "detail"}


def present_name(step: str) -> str:
    """A node or a step ("link#2") of a stored run, as the graph calls it today."""
    node, mark, number = step.partition("#")
    return _NODES.get(node, node) + mark + number


def stored_names(node: str) -> set[str]:
    """The names under which runs of a node may be stored."""
    return {node, *(former for former, name in _NODES.items() if name == node)}


def with_present_names(value: dict[str, Any]) -> dict[str, Any]:
    """An object of stored JSON by today's names, if it is a step, a fork or an answer; the `object_hook` of
    `json.loads`."""
    if "name" in value and not _KEYS_OF_ANSWERS.keys().isdisjoint(value):
        return {_KEYS_OF_ANSWERS.get(key, key): each for key, each in value.items()}
    if value.keys() >= {"node", "iteration"}:
        return {**value, "node": present_name(value["node"])}
    if value.keys() == {"from", "set"}:
        return {**value, "from": present_name(value["from"])}
    return value
