"""What has changed in a graph since an index of it was built, read from the graph node by node."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clew.tools.graph.changed_nodes import SHARE, Change, ChangedNodes, scan_edges

if TYPE_CHECKING:
    from clew.tools.graph.schema import Schema
    from clew.tools.graph.snapshot.builder import NodeRow
    from clew.tools.graph.store.graph_store import GraphStore
    from clew.tools.linking.tables import IndexedNode
    from clew.tools.text_search.arrays import TextArrays
    from clew.tools.text_search.source import TextNode, TextProperties


class GraphChanges:
    """The changes up to one version of a graph; each method is the `since` of an index."""

    def __init__(self, folder: Path, store: GraphStore, schema: Schema) -> None:
        """`folder` is the graph's."""
        self._notes = ChangedNodes(folder / "import" / "changed")
        self._store = store
        self._schema = schema

    def names(self, version: str, count: int) -> Change[IndexedNode] | None:
        """For the index of names."""
        from clew.tools.linking.tables import indexed_nodes

        if (ids := self._ids(version, count)) is None:
            return None
        nodes = list(indexed_nodes(self._store, self._schema, degrees=True, among=ids))
        return Change(_all(ids), nodes)

    def triples(self, version: str, count: int) -> Change[NodeRow] | None:
        """For the snapshot."""
        from clew.tools.linking.tables import indexed_nodes

        if (ids := self._ids(version, count)) is None:
            return None
        nodes = [(node.id, node.name, node.label) for node in indexed_nodes(self._store, self._schema, among=ids)]
        return Change(_all(ids), nodes, list(scan_edges(self._store, ids)))

    def texts(self, index: TextArrays, properties: TextProperties) -> Change[TextNode] | None:
        """For the index of texts, if the same `properties` as before hold text."""
        from clew.tools.text_search.source import text_nodes

        ids = self._ids(index.version, len(index))
        labels = set(index.labels) & self._schema.labels.keys()
        now = {label: properties.by_label[label] for label in properties.by_label if label in labels}
        before = {label: names for label, names in index.text_properties.items() if label in labels}
        if ids is None or now != before or index.rich_labels & labels != properties.rich & labels:
            return None
        return Change(_all(ids), list(text_nodes(self._store, self._schema, properties, ids)))

    def _ids(self, version: str, count: int) -> dict[str, list[str]] | None:
        """The ids by label that may differ from an index of `count` nodes; None where it is to be made anew."""
        if not self._store.terms.imported:
            return None
        found = self._notes.between(version, self._schema.version)
        return found if found is not None and sum(map(len, found.values())) <= SHARE * count else None


def _all(ids: dict[str, list[str]]) -> frozenset[str]:
    return frozenset(key for keys in ids.values() for key in keys)
