"""A graph in memory that understands the few statements that an import sends, and can fail on purpose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.store.graph_store import Engine, Limits, Rows

_ENTRY = re.compile(r"`((?:[^`]|``)+)`: row\[(\d+)\]")
_CREATE_NODES = re.compile(r"UNWIND \$rows AS row CREATE \(n:`(?P<label>[^`]+)`(?::`[^`]+`)? \{(?P<map>.*)\}\)\Z")
_UPDATE = re.compile(r"UNWIND \$rows AS row MATCH \(n:`[^`]+`(?::`[^`]+`)? \{nodeId: row\[0\]\}\) SET n \+= row\[1\]\Z")
_CREATE_EDGES = re.compile(r".*CREATE \(a\)-\[:`(?P<type>[^`]+)`(?: \{(?P<map>.*)\})?\]->\(b\)\Z")
_ENDS = re.compile(r"MATCH \(a:`(?P<a>[^`]+)`[^)]*\)(?: USING INDEX SEEK \S+)? MATCH \(b:`(?P<b>[^`]+)`[^)]*\)")
_DELETE_EDGES = re.compile(r".*MATCH \(a\)-\[r:`(?P<type>[^`]+)`\]->\(b\) DELETE r\Z")
_PRESENT_EDGES = re.compile(r".*MATCH \(a\)-\[r:`(?P<type>[^`]+)`\]->\(b\) RETURN row\[0\]")
_PRESENT_NODES = re.compile(r"UNWIND \$keys AS key MATCH \(n:`(?P<label>[^`]+)`[^)]*\).* RETURN key\Z")
_KEYS = re.compile(r"MATCH \(n:`(?P<label>[^`]+)`[^)]*\) RETURN n.nodeId AS key\Z")


class FakeGraph:
    """A GraphStore. `before_write` and `after_write` are called with the number of the write, and may raise."""

    def __init__(self, engine: Engine = "arcadedb", scope: str | None = None) -> None:
        self.name = "fake"
        self.engine: Engine = engine
        self.scope = scope
        self.terms = NodeTerms(scope)
        self.nodes: dict[str, tuple[str, dict[str, Any]]] = {}
        self.edges: list[tuple[str, str, str, dict[str, Any]]] = []
        self.indexes: set[tuple[str, str]] = set()
        self.writes = 0
        self.before_write: Callable[[int], None] = lambda _number: None
        self.after_write: Callable[[int], None] = lambda _number: None
        self._version = ""

    def version(self) -> str:
        return self._version

    def set_version(self, version: str) -> None:
        self._version = version

    def bulk_load(self) -> None:
        return None

    def ensure_index(self, label: str, property_name: str) -> None:
        self.indexes.add((label, property_name))

    def plan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> str:
        return ""

    def read(self, cypher: str, parameters: Mapping[str, Any] | None = None, limits: Limits | None = None) -> Rows:
        raise AssertionError("an import does not read as a question does")

    def write(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> dict[str, int]:
        self.writes += 1
        self.before_write(self.writes)
        self._apply(cypher, parameters or {})
        self.after_write(self.writes)
        return {}

    def _apply(self, cypher: str, parameters: Mapping[str, Any]) -> None:
        rows = parameters.get("rows", [])
        if match := _CREATE_NODES.match(cypher):
            for row in rows:
                properties = _properties(match["map"], row)
                assert properties["nodeId"] not in self.nodes, "a node was created twice"
                self.nodes[properties["nodeId"]] = (match["label"], properties)
        elif _UPDATE.match(cypher):
            for key, added in rows:
                self.nodes[key][1].update(added)
                for name in [name for name, value in added.items() if value is None]:
                    del self.nodes[key][1][name]
        elif cypher.endswith("DETACH DELETE n") and rows:
            gone = {row[0] for row in rows}
            self.nodes = {key: node for key, node in self.nodes.items() if key not in gone}
            self.edges = [edge for edge in self.edges if not {edge[0], edge[2]} & gone]
        elif match := _DELETE_EDGES.match(cypher):
            pairs = {(row[0], row[1]) for row in rows}
            self.edges = [e for e in self.edges if e[1] != match["type"] or (e[0], e[2]) not in pairs]
        elif match := _CREATE_EDGES.match(cypher):
            ends = _ENDS.search(cypher)
            assert ends is not None
            for row in rows:
                assert self.nodes[row[0]][0] == ends["a"]
                assert self.nodes[row[1]][0] == ends["b"]
                self.edges.append((row[0], match["type"], row[1], _properties(match["map"] or "", row)))
        elif "DETACH DELETE" in cypher:
            self.nodes.clear()
            self.edges.clear()
        else:
            raise AssertionError(f"unknown statement: {cypher}")

    def scan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        return iter(list(self._rows(cypher, parameters or {})))

    def _rows(self, cypher: str, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        if "LIMIT 1" in cypher:
            yield from [{"one": 1}] if self.nodes else []
        elif cypher.endswith("RETURN count(n) AS n"):
            yield {"n": len(self.nodes)}
        elif cypher.endswith("RETURN count(n.clewChunk) AS n"):
            yield {"n": 0}
        elif cypher.endswith("RETURN count(r) AS n"):
            yield {"n": len(self.edges)}
        elif "UNWIND labels(n)" in cypher:
            labels = [label for label, _properties in self.nodes.values()]
            yield from ({"label": label, "n": labels.count(label)} for label in set(labels))
        elif "RETURN type(r)" in cypher:
            types = [edge[1] for edge in self.edges]
            yield from ({"type": kind, "n": types.count(kind)} for kind in set(types))
        elif match := _KEYS.match(cypher):
            yield from ({"key": key} for key, (label, _) in self.nodes.items() if label == match["label"])
        elif match := _PRESENT_NODES.match(cypher):
            there = {key for key, (label, _) in self.nodes.items() if label == match["label"]}
            yield from ({"key": key} for key in parameters["keys"] if key in there)
        elif cypher.endswith("--(m) RETURN labels(m) AS labels, m.nodeId AS key"):
            ends = [(edge[0], edge[2]) for edge in self.edges]
            found = [b for a, b in ends if a in parameters["keys"]] + [a for a, b in ends if b in parameters["keys"]]
            yield from ({"labels": [self.nodes[key][0]], "key": key} for key in found)
        elif match := _PRESENT_EDGES.match(cypher):
            pairs = {(row[0], row[1]) for row in parameters["rows"]}
            for source, kind, target, properties in self.edges:
                if kind == match["type"] and (source, target) in pairs:
                    yield {"source": source, "target": target, "properties": properties}
        else:
            raise AssertionError(f"unknown query: {cypher}")

    def triples(self) -> list[tuple[str, str, str]]:
        return sorted((source, kind, target) for source, kind, target, _properties in self.edges)

    def labels(self) -> dict[str, str]:
        return {key: label for key, (label, _properties) in self.nodes.items()}


def _properties(text: str, row: list[Any]) -> dict[str, Any]:
    entries = {name.replace("``", "`"): row[int(place)] for name, place in _ENTRY.findall(text)}
    return {name: value for name, value in entries.items() if value is not None}
