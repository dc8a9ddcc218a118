"""Reading graphs that were in the database before Clew came: which property names the nodes of each label."""

from __future__ import annotations

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.naming import SAMPLE, Sample, choose
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.store.graph_store import GraphStore


def terms(store: GraphStore) -> NodeTerms:
    """The terms of a graph that Clew did not import, from a bounded sample of every label."""
    labels = [str(row["label"]) for row in store.scan("MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label")]
    samples = []
    for label in labels:
        sample = Sample(label)
        for row in store.scan(f"MATCH (n:{quoted(label)}) RETURN properties(n) AS properties LIMIT {SAMPLE}"):
            sample.see(row["properties"])
        samples.append(sample)
    return NodeTerms(imported=False, names={label: naming.name for label, naming in choose(samples, {}).items()})
