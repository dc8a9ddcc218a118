"""Graphs that Clew did not import: which label of a node counts, and which properties hold names and texts.

The mapping file of the graph decides where it says something (docs/neo4j.md), and the import's rules else.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from clew.tools.atomic_files import write_text
from clew.tools.errors import BadInput, QueryFailed
from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.label_sets import counting_labels
from clew.tools.graph.naming import Naming, choose_namings
from clew.tools.graph.node_terms import VECTORS, NodeTerms
from clew.tools.graph.samples import SAMPLE, Sample
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.graph.store.mapping_file import NameMapping
from clew.tools.graph.store.neo4j_catalogue import scope_of

ANY = NodeTerms()
"""Of a database with one graph."""
Keys = Mapping[str, Collection[str]]
"""Label to the properties that a constraint keeps unique."""


def sample_label(store: GraphStore, label: str, terms: NodeTerms = ANY, without: str = "") -> Sample:
    """A sample of the stored nodes of a label; the property `without` is left out."""
    sample = Sample(label)
    cypher = (
        f"MATCH {terms.node('n', label)} WITH n LIMIT {SAMPLE} RETURN properties(n) AS properties, "
        "[key IN keys(n) WHERE valueType(n[key]) STARTS WITH 'STRING'] AS texts"
    )
    for row in store.scan(cypher):
        texts = set(row["texts"])
        sample.add({
            name: _TypedValue(value) if isinstance(value, str) and name not in texts else value
            for name, value in row["properties"].items()
            if name != without
        })  # fmt: skip
    return sample


@dataclass(frozen=True, slots=True)
class _TypedValue:
    """A value that is not a text in the database, such as a date."""

    text: str


class ExistingGraph:
    """What Clew knows of a graph that it did not import. It is found once for each version of the graph."""

    def __init__(self, mapping: Path | None) -> None:
        """`mapping` is the mapping file of the graph, which need not exist; what is found is kept beside it."""
        self._mapping = mapping
        self._mapped = NameMapping.read(mapping)
        self._terms: NodeTerms | None = None

    def version(self, of_graph: str) -> str:
        """The version of the graph with what its mapping file says now. Raises BadInput."""
        if (mapped := NameMapping.read(self._mapping)) != self._mapped:
            self._mapped, self._terms = mapped, None
        return f"{of_graph}-{mapped.digest}" if mapped.digest else of_graph

    def terms(self, store: GraphStore) -> NodeTerms:
        """The Cypher expressions for its nodes. Raises BadInput."""
        if self._terms is None:
            version = store.version()
            kept = self._mapping and self._mapping.with_name("terms.json")
            self._terms = _kept_terms(kept, version) or existing_graph_terms(store, self._mapped)
            if kept:
                _keep(kept, version, self._terms)
        return self._terms


def _kept_terms(path: Path | None, version: str) -> NodeTerms | None:
    """The terms that were found earlier for this version of the graph."""
    if path is None:
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["version"] != version:
            return None
        names, others, texts = (
            {label: tuple(properties) for label, properties in found[each].items()}
            for each in ("names", "others", "texts")
        )
        labels, hidden, beside = tuple(found["labels"]), frozenset(found["hidden"]), tuple(found["beside"])
        return NodeTerms(None, False, names, others, texts, labels, hidden, beside)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # There are none, or those of another release.


def _keep(path: Path, version: str, terms: NodeTerms) -> None:
    record = {**asdict(terms), "hidden": sorted(terms.hidden), "version": version}
    write_text(path, json.dumps(record, ensure_ascii=False))


def existing_graph_terms(store: GraphStore, mapped: NameMapping) -> NodeTerms:
    """The terms of a graph that Clew did not import, from a bounded sample of every label.

    Raises BadInput where the mapping file names a label or property that the graph does not have.
    """
    sets: dict[frozenset[str], int] = defaultdict(int)
    kept = [scope_of(row["name"]) for row in store.scan("MATCH (g:ClewGraph) RETURN g.name AS name ORDER BY name")]
    alone = NodeTerms(imported=False, beside=tuple(kept))
    for row in store.scan(f"MATCH {alone.node('n')} RETURN labels(n) AS labels, count(*) AS n"):
        if not any(label.startswith(VECTORS) for label in row["labels"]):
            sets[frozenset(row["labels"])] += row["n"]
    sets.pop(frozenset(), None)
    labels = sorted(frozenset().union(*sets))
    samples = {label: sample_label(store, label, alone) for label in labels}
    _check_against(mapped, samples)
    keys = _unique(store)
    chosen = choose_namings(samples.values(), {})
    namings = {label: _mapped(chosen[label], samples[label], keys.get(label, ()), mapped) for label in labels}
    counting, hidden = counting_labels(sets)
    return NodeTerms(
        imported=False,
        names={label: naming.name for label, naming in namings.items()},
        others={label: naming.aliases for label, naming in namings.items() if naming.aliases},
        texts={label: said["texts"] for label, said in mapped.properties.items() if "texts" in said},
        labels=counting if any(len(each) > 1 for each in sets) else (),
        hidden=hidden,
        beside=alone.beside,
    )


def _check_against(mapped: NameMapping, samples: Mapping[str, Sample]) -> None:
    for label, said in mapped.properties.items():
        if label not in samples:
            raise BadInput(f"The mapping names the label {label}, which the graph does not have.", _listed(samples))
        for name in (name for names in said.values() for name in names):
            if name not in samples[label].columns:
                has = _listed(samples[label].columns)
                raise BadInput(f"The mapping names {label}.{name}, which no node has of those looked at.", has)


def _listed(names: Iterable[str]) -> str:
    return f"There is {', '.join(sorted(names))}."


def _mapped(naming: Naming, sample: Sample, unique: Collection[str], mapped: NameMapping) -> Naming:
    """The naming of a label, with what the mapping file says before what was found."""
    said = mapped.properties.get(sample.label, {})
    name = said.get("name") or naming.name or naming.otherwise or _key(sample, unique)
    codes = tuple(key for key in sorted(unique) if key in sample.columns and sample.columns[key].lettered)
    others = said.get("aliases", tuple(dict.fromkeys((*naming.aliases, *codes))))
    return Naming(name, tuple(each for each in others if each not in name))


def _key(sample: Sample, unique: Collection[str]) -> tuple[str, ...]:
    """The property that identifies the nodes of a label: one that a constraint keeps unique, or one called so."""
    own = "".join(identifier_words(sample.label))
    called = {"id", f"{own}id", "code", f"{own}code", "key", "number", f"{own}number", f"{own}no"}
    for known in (unique, [name for name in sample.columns if name.replace("_", "").lower() in called]):
        for name in known:
            column = sample.columns.get(name)
            if column is not None and column.scalars and len(column.distinct) == column.count == sample.nodes:
                return (name,)
    return ()


def _unique(store: GraphStore) -> Keys:
    """The properties that alone identify the nodes of a label, by the constraints of the database."""
    found: dict[str, list[str]] = defaultdict(list)
    cypher = "SHOW CONSTRAINTS YIELD type, labelsOrTypes, properties"
    try:
        for row in store.scan(cypher):
            if row["type"] in ("UNIQUENESS", "NODE_KEY") and len(row["properties"]) == 1:
                found[row["labelsOrTypes"][0]] += row["properties"]
    except QueryFailed:
        return {}  # The server has no such command, or does not allow it.
    return found


def only_read(name: str) -> BadInput:
    """What is raised where a graph that Clew did not make should be written to."""
    message = f"The graph “{name}” was not made by Clew, which therefore only reads it."
    return BadInput(message, "Import into a graph of another name.")
