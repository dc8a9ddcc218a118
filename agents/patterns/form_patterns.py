"""Pattern graphs of logical forms, without a model: paths, stars, conjunctions and cycles.

Every set of the form is a node, every relation between two sets an edge for each of its steps. A set of entities is a
known node; the same entities are one node wherever the form speaks of them, which closes cycles. What a pattern cannot
say (conditions, order, numbers, absence) stays with the form. Source: SimGRAG sections 4.1 and 4.3.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.agents.patterns.pattern_writer import WrittenPattern
from clew.tools.errors import BadInput
from clew.tools.graph.entity import Entity
from clew.tools.patterns import Pattern, PatternEdge, PatternNode
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Step
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.space.words import noun_of

ASKED = 0
"""The place of the node that a form asks for, or whose value or number it asks for."""


@dataclass(frozen=True, slots=True)
class FormPattern:
    """The pattern of a form."""

    written: WrittenPattern
    entities: dict[int, tuple[Entity, ...]]
    """The nodes that each known node of the pattern stands for, by its place."""
    labels: dict[int, str]
    """The label of each node of the pattern, as the form has it."""
    whole: bool
    """Whether the bindings of the asked node are all that the form asks for."""


def of_form(form: Form) -> FormPattern | None:
    """The pattern of a form; None if it has no relation or no entity, or is larger than patterns may be."""
    builder = _Builder()
    builder.place(form.nodes)
    if not builder.edges or not builder.entities:
        return None
    try:
        pattern = Pattern(tuple(builder.nodes), tuple(builder.edges), ASKED)
    except BadInput:
        return None
    whole = builder.whole and form.asks == "nodes" and not (form.columns or form.limit)
    return FormPattern(WrittenPattern(pattern, (words(form),)), builder.entities, builder.labels, whole)


@dataclass(slots=True)
class _Builder:
    nodes: list[PatternNode] = field(default_factory=list)
    edges: list[PatternEdge] = field(default_factory=list)
    entities: dict[int, tuple[Entity, ...]] = field(default_factory=dict)
    labels: dict[int, str] = field(default_factory=dict)
    whole: bool = True

    def place(self, nodes: Nodes) -> int:
        """The place of a set, which is added with all that it is linked to."""
        known = (place for place, entities in self.entities.items() if entities == nodes.entities)
        place = next(known, None) if nodes.entities else None
        if place is None:
            place = self._node(nodes.label, nodes.entities)
        self._describe(nodes, place)
        return place

    def _node(self, label: str, entities: tuple[Entity, ...] = ()) -> int:
        place = len(self.nodes)
        self.nodes.append(PatternNode(entities[0].name if entities else None, noun_of(label)))
        self.labels[place] = label
        if entities:
            self.entities[place] = entities
        return place

    def _describe(self, nodes: Nodes, place: int) -> None:
        """Add the relations of a set. An intersection with another set is both sets' relations at one node."""
        self.whole = self.whole and not (nodes.conditions or nodes.order or nodes.without or nodes.either)
        for link in nodes.links:
            if link.positive and not link.deep:
                self._relation(link, place)
            self.whole = self.whole and link.positive and not (link.conditions or link.deep)
        for other in nodes.within:
            self.whole = self.whole and not other.entities
            self._describe(other, place)

    def _relation(self, link: Link, start: int) -> None:
        at = start
        for step in link.path[:-1]:
            following = self._node(step.target)
            self._edge(at, following, step)
            at = following
        self._edge(at, self.place(link.other), link.path[-1])

    def _edge(self, start: int, end: int, step: Step) -> None:
        head, tail = (start, end) if step.forward else (end, start)
        self.edges.append(PatternEdge(head, tail, step.relation, directed=not step.either))
