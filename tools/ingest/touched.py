"""The nodes that an import into a graph with content adds, changes or removes, or whose relationships it changes: what
indexes of the version before have to read again (`tools.graph.changed_nodes`)."""

from __future__ import annotations

from pathlib import Path

from clew.tools.graph.changed_nodes import MOST, ChangedNodes
from clew.tools.graph.node_terms import node_pattern
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest import versions
from clew.tools.ingest.journal import Pending
from clew.tools.ingest.staging import Staging

_AT_ONCE = 5000
_TOUCHED = """
    CREATE TABLE touched (label TEXT, key TEXT, PRIMARY KEY (label, key)) WITHOUT ROWID;
    INSERT INTO touched SELECT o.label, n.key FROM node_order o JOIN nodes n ON n.id = o.node;
    INSERT OR IGNORE INTO touched SELECT label, key FROM gone_nodes;
    INSERT OR IGNORE INTO touched SELECT source_label, source FROM gone_edges;
    INSERT OR IGNORE INTO touched SELECT target_label, target FROM gone_edges;
    INSERT OR IGNORE INTO touched SELECT o.source_label, n.key FROM edge_order o JOIN nodes n ON n.id = o.source;
    INSERT OR IGNORE INTO touched SELECT o.target_label, n.key FROM edge_order o JOIN nodes n ON n.id = o.target;
"""


def collect(staging: Staging, store: GraphStore, *, fresh: bool) -> None:
    """Put the touched nodes into the staging database, before anything is written; none where they are too many,
    or all of a `fresh` graph.

    With a node that is removed go all of its relationships, also those of other imports.
    """
    if fresh or staging.count("node_order") > MOST or staging.count("edge_order") > MOST:
        return
    staging.db.executescript(_TOUCHED)
    gone = list(staging.db.execute("SELECT label, key FROM gone_nodes ORDER BY label"))
    for label in dict.fromkeys(label for label, _ in gone):
        keys = [key for of, key in gone if of == label]
        match = f"MATCH {node_pattern('n', label, store.scope, properties='nodeId: key')}--(m)"
        cypher = f"UNWIND $keys AS key {match} RETURN labels(m) AS labels, m.nodeId AS key"
        for first in range(0, len(keys), _AT_ONCE):
            rows = store.scan(cypher, {"keys": keys[first : first + _AT_ONCE]})
            neighbours = [(label, row["key"]) for row in rows for label in row["labels"] if row["key"] is not None]
            staging.db.executemany("INSERT OR IGNORE INTO touched VALUES (?, ?)", neighbours)


def note(staging: Staging, folder: Path, pending: Pending) -> None:
    """Note the touched nodes in a file for the indexes, before the graph gets its new version."""
    if staging.db.execute("SELECT 1 FROM sqlite_master WHERE name = 'touched'").fetchone() is not None:
        version = versions.finished(pending.digest, pending.version_before, fresh=False)
        touched = staging.db.execute("SELECT label, key FROM touched")
        ChangedNodes(folder).note(version, pending.version_before, touched)
