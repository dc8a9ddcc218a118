"""The hops that a schema allows, and how likely one follows another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from clew.tools.graph.schema import Property, Schema
from clew.tools.queries.space.query import Hop

OWN_SHARE = 0.2
"""A hop is also offered per target label where it reaches at least this share of the label's nodes …"""
HOP_SHARE = 0.25
"""… or where the label makes up at least this share of the hop's targets. Rarer ends are noise of the data."""
NOT_ANSWERS = frozenset({"id", "name", "fullname", "displayname", "nodeid", "aliases", "labels"})
MAX_EXAMPLE = 60
"""A text property whose examples are longer than this many characters is prose, not an answer."""


class Moves:
    """Every hop of a schema in both directions, the properties at which a path can end, and the joins between them.

    `hops[i]` is step i; `properties[j]` is step len(hops) + j.
    """

    def __init__(self, schema: Schema, naming: Mapping[str, tuple[str, ...]] | None = None) -> None:
        """`naming` says which properties name the nodes of a label; they are no answers of their own."""
        self.labels = tuple(schema.labels)
        self.label_ids: Mapping[str, int] = {label: i for i, label in enumerate(self.labels)}
        sizes = np.array([max(1, schema.labels[label]) for label in self.labels], dtype=float)
        self.hops: list[Hop] = []
        targets: list[npt.NDArray[np.float64]] = []
        starts: list[npt.NDArray[np.float64]] = []
        for (relation, forward), ends in _ends(schema).items():
            for hop, reached in _variants(relation, forward, ends, schema.labels):
                self.hops.append(hop)
                share, start = np.zeros(len(self.labels)), np.zeros(len(self.labels))
                for (source, target), count in ends.items():
                    if target in reached:
                        share[self.label_ids[target]] += count
                        start[self.label_ids[source]] += count
                targets.append(share / share.sum())
                starts.append(np.minimum(1.0, start / sizes))
        names = naming or {}
        self.properties = [p for p in schema.properties if _answers(p) and p.name not in names.get(p.label, ())]
        shape = (len(self.hops), len(self.labels))
        self.targets = np.array(targets).reshape(shape)
        """Shape (hops, labels): the share of the hop's targets that carry the label."""
        self.starts = np.array(starts).reshape(shape)
        """Shape (hops, labels): an upper estimate of the share of the label's nodes that have the hop."""
        has = np.zeros((len(self.properties), len(self.labels)))
        for row, prop in enumerate(self.properties):
            has[row, self.label_ids[prop.label]] = 1.0
        self.joins: npt.NDArray[np.float64] = self.targets @ np.concatenate([self.starts, has]).T
        """Shape (hops, hops + properties): how likely a node that a hop reaches has the next step."""

    def ending(self, step: int) -> str:
        """The label at which a step ends; a property ends at the label that has it."""
        return self.hops[step].target if step < len(self.hops) else self.properties[step - len(self.hops)].label

    def named_as_needed(self, hop: Hop) -> Hop:
        """A hop with the label of its end in the form of `hops`: named only if that excludes something."""
        same = [h for h in self.hops if h.relation == hop.relation and h.forward == hop.forward]
        named = [h for h in same if h.typed and h.target == hop.target]
        return (named or [h for h in same if not h.typed] or [hop])[0]

    def starting_at(self, label: str) -> list[int]:
        """The steps that nodes of a label can have by the schema."""
        column = self.label_ids.get(label)
        if column is None:
            return []
        hops = np.flatnonzero(self.starts[:, column] > 0).tolist()
        return hops + [len(self.hops) + i for i, p in enumerate(self.properties) if p.label == label]


def _ends(schema: Schema) -> dict[tuple[str, bool], dict[tuple[str, str], int]]:
    """Per relation and direction: counts per (label it starts from, label it leads to)."""
    found: dict[tuple[str, bool], dict[tuple[str, str], int]] = defaultdict(lambda: defaultdict(int))
    for relation in schema.relations:
        found[relation.type, True][relation.source, relation.target] += relation.count
        found[relation.type, False][relation.target, relation.source] += relation.count
    return found


def _variants(
    relation: str, forward: bool, ends: Mapping[tuple[str, str], int], sizes: Mapping[str, int]
) -> list[tuple[Hop, set[str]]]:
    """The hop with its end left open, and one per label where several labels of weight share the end."""
    reached: dict[str, int] = defaultdict(int)
    for (_, target), count in ends.items():
        reached[target] += count
    total = sum(reached.values())
    weighty = [
        label
        for label, count in reached.items()
        if count >= OWN_SHARE * max(1, sizes.get(label, 0)) or count >= HOP_SHARE * total
    ]
    main = max(reached, key=lambda label: reached[label])
    hops = [(Hop(relation, forward, main), set(reached))]
    if len(weighty) > 1:
        hops += [(Hop(relation, forward, label, typed=True), {label}) for label in weighty]
    return hops


def _answers(prop: Property) -> bool:
    """Whether a property can be an answer of its own: not a name, not prose, not a list of aliases."""
    folded = prop.name.replace("_", "").lower()
    if folded in NOT_ANSWERS or folded == f"{prop.label.lower()}name" or prop.type.startswith("LIST"):
        return False
    return not any(isinstance(example, str) and len(example) > MAX_EXAMPLE for example in prop.examples)
