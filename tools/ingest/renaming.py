"""Giving staged labels, relationship types and properties names that the graph's engine can store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from clew.tools.graph.schema import label_counts, relation_counts
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest.changes import Owned
from clew.tools.ingest.staging import Staging
from clew.tools.ingest.stored_names import stored_property, stored_type

_TOLD = 12


@dataclass(slots=True)
class Renaming:
    """The names of an import, each with the one under which it is stored."""

    labels: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """For people: one line for each new name."""

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values; `Renaming(**…)` reads it back."""
        return asdict(self)

    def name_properties(self, given: Mapping[str, str]) -> dict[str, str]:
        """Label to the property that names its nodes, or several joined by `+`, by their stored names."""
        return {
            self.labels.get(label, label): "+".join(map(stored_property, names.split("+")))
            for label, names in given.items()
        }

    def owned(self, owned: Owned) -> Owned:
        """What the tables decide alone, by the stored names."""
        labels, types = self.labels, self.types
        return Owned(
            frozenset(labels.get(each, each) for each in owned.labels),
            frozenset((types.get(t, t), labels.get(a, a), labels.get(b, b)) for t, a, b in owned.types),
            {labels.get(each, each): tuple(map(stored_property, names)) for each, names in owned.properties.items()},
        )


def rename(
    store: GraphStore,
    staging: Staging,
    owned: Owned | None,
    name_properties: Mapping[str, str],
    *,
    fresh: bool,
) -> Renaming:
    """Rename what the engine cannot store.

    Args:
        store: the graph, which is only read.
        staging: the records.
        owned: what the tables decide alone; its names count although the records may have none of them.
        name_properties: by label, as for `owned`.
        fresh: whether the graph is empty, or will be before the first write.
    """
    owned = owned or Owned()
    ends = (label for _type, *labels in owned.types for label in labels)
    staged = _staged_labels(staging)
    labels = _stored({*staged, *owned.labels, *ends, *name_properties}, store)
    types = _stored({*staging.relation_ids, *(kind for kind, *_ends in owned.types)}, store)
    changed = {
        "labels": {name: labels[name] for name in sorted(staged) if labels[name] != name},
        "relationship types": {name: types[name] for name in sorted(staging.relation_ids) if types[name] != name},
        "properties": staging.renamed_properties,
    }
    for label, stored in changed["labels"].items():
        staging.rename_label(label, stored)
    for relation, stored in changed["relationship types"].items():
        staging.rename_relation(relation, stored)
    renamed = Renaming(labels, types, [_told(kind, names) for kind, names in changed.items() if names])
    if store.engine == "arcadedb":
        _rename_clashes(store, staging, renamed, fresh=fresh)
    return renamed


def _staged_labels(staging: Staging) -> set[str]:
    return {str(label) for (label,) in staging.db.execute("SELECT DISTINCT label FROM nodes")}


def _stored(names: Iterable[str], store: GraphStore) -> dict[str, str]:
    return {name: stored_type(name, store.engine) for name in names}


def _told(kind: str, names: Mapping[str, str]) -> str:
    shown = [f"{name} as {stored}" for name, stored in names.items()][:_TOLD]
    more = f" and {len(names) - _TOLD:,} more" if len(names) > _TOLD else ""
    return f"The database does not take some {kind} as they are; stored are {', '.join(shown)}{more}."


def _rename_clashes(store: GraphStore, staging: Staging, renamed: Renaming, *, fresh: bool) -> None:
    """In ArcadeDB a label and a relationship type cannot have the same name: rename the new one of the two."""
    staged_labels, staged_types = _staged_labels(staging), set(staging.relation_ids)
    new_labels, new_types = {*staged_labels, *renamed.labels.values()}, {*staged_types, *renamed.types.values()}
    known_labels = set() if fresh else set(label_counts(store))
    known_types = set() if fresh else set(relation_counts(store))
    for label in sorted((new_labels - known_labels) & (new_types | known_types)):
        _follow(renamed.labels, label)
        if label in staged_labels:
            staging.rename_label(label, f"{label}_")
            renamed.notes.append(f"The label {label} became {label}_, since a relationship type is called {label}.")
    for relation in sorted(new_types & known_labels):
        _follow(renamed.types, relation)
        if relation in staged_types:
            staging.rename_relation(relation, f"{relation}_")
            renamed.notes.append(
                f"The relationship type {relation} became {relation}_, since a label is called {relation}."
            )


def _follow(renamed: dict[str, str], name: str) -> None:
    """Note that what is stored as `name` so far is stored as `name_`."""
    renamed.update({each: f"{name}_" for each, stored in renamed.items() if stored == name})
