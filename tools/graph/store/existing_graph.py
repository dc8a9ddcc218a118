"""Graphs that Clew did not import: the properties that name the nodes of each label, by the import's rules."""

from __future__ import annotations

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.naming import SAMPLE, Sample, choose_namings
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.store.graph_store import GraphStore


def sample_label(store: GraphStore, label: str, without: str = "") -> Sample:
    """A sample of the stored nodes of a label; the property `without` is left out."""
    sample = Sample(label)
    for row in store.scan(f"MATCH (n:{quoted(label)}) RETURN properties(n) AS properties LIMIT {SAMPLE}"):
        sample.add({name: value for name, value in row["properties"].items() if name != without})
    return sample


def existing_graph_terms(store: GraphStore) -> NodeTerms:
    """The terms of a graph that Clew did not import, from a bounded sample of every label."""
    labels = [str(row["label"]) for row in store.scan("MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label")]
    namings = choose_namings((sample_label(store, label) for label in labels), {})
    return NodeTerms(imported=False, names={label: naming.name for label, naming in namings.items()})
