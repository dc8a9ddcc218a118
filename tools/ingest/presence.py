"""Which of the staged nodes the graph has already, and under which label."""

from __future__ import annotations

from pathlib import Path

from clew.tools.graph.node_terms import node_pattern
from clew.tools.graph.schema import label_counts
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest import target
from clew.tools.ingest.staging import Staging

_AT_ONCE = 5000
_NOTED = """
    UPDATE nodes SET present = 1, label = noted.label FROM was.nodes AS noted WHERE noted.key = nodes.key;
"""


def mark(staging: Staging, store: GraphStore, noted: Path | None) -> None:
    """Mark the staged nodes that the graph has. All its keys are read only where it is smaller than the import.

    Args:
        staging: the records.
        store: the graph.
        noted: the file of what earlier imports of tables have put into the graph; None if it is not of this version.
    """
    db = staging.db
    if noted is not None:
        db.execute("ATTACH ? AS was", (str(noted),))
        db.executescript(_NOTED)
        db.execute("DETACH was")
    left = [key for (key,) in db.execute("SELECT key FROM nodes WHERE NOT present")]
    if not left:
        return
    labels = label_counts(store)
    if len(left) * len(labels) > sum(labels.values()):
        for label in labels:
            staging.mark_present(label, target.keys(store, label))
        return
    for label in labels:
        match = node_pattern("n", label, store.scope, properties="nodeId: key")
        for first in range(0, len(left), _AT_ONCE):
            given = {"keys": left[first : first + _AT_ONCE]}
            rows = store.scan(f"UNWIND $keys AS key MATCH {match} RETURN key", given)
            staging.mark_present(label, [row["key"] for row in rows])
