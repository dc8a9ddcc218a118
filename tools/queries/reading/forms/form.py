"""The logical form of a question: sets of nodes, how they are related, and what is asked of them.

A form is a tree. Its root asks for nodes, a value, a number or a truth; every set has a label, conditions, links to
others, and at most one order. The constructs are those of lambda DCS (Liang 2013) with properties for numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from clew.tools.graph.entity import Entity
from clew.tools.queries.calculated import Operator
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.functions import Function, PeriodUnit
from clew.tools.queries.reading.forms.hashed_once import HashedOnce
from clew.tools.queries.space.query import Comparison

DEEPEST = 12
"""How often a step is taken, at most, where it may be taken several times."""
_MOST_KEPT = 20_000  # Steps and paths of which the other way is remembered.


@dataclass(frozen=True, slots=True)
class Step(HashedOnce):
    """One relationship type along a path."""

    relation: str
    forward: bool
    target: str
    """The label that it leads to."""
    either: bool = False
    """Whether its direction means nothing ("borders", "married to")."""

    def back(self, label: str) -> Step:
        """The same step the other way, to the label that it starts from."""
        return _back(self, label)


@lru_cache(maxsize=_MOST_KEPT)
def _back(step: Step, label: str) -> Step:
    return Step(step.relation, step.either or not step.forward, label, step.either)


Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A number or text of each node of a set: a property of its own, or one worked out over what it is linked to."""

    property: str | None = None
    """None counts the linked nodes."""
    function: Function | None = None
    """How several values of linked nodes become one; None lists them."""
    link: Link | None = None
    """The nodes that the value is of, if not of the node itself."""
    edge: str | None = None
    """The relationship type of `link`, or of `step`, whose property `property` is."""
    kind: str = "number"
    """"number", "date", "text" …, of the property; or LENGTH."""
    period: PeriodUnit = ""
    """Of a date or a year: the part of it that is meant."""
    step: Step | None = None
    """From the linked nodes to where the relationship leads: the revenue of a customer, by the lines of its orders."""
    since: tuple[str, Operator, bool] | None = None
    """A date of the node itself, from which the time to that of linked nodes is told, its unit, and whether back."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A property compared with a value, or with the value of other nodes."""

    predicate: Predicate | None = None
    test: Literal["IS NULL", "IS NOT NULL", "STARTS WITH", "ENDS WITH", "CONTAINS"] | None = None
    property: str = ""
    text: str = ""
    comparison: Comparison = "="
    than: Nodes | None = None
    """The nodes with whose value it is compared; of several the greatest or the least, whichever is harder."""
    value: Value | None = None
    """What is compared with that of `than`, with the value of `predicate`, or with `other`, where it is no property of
    the node: a number of things, a total, a value of a relationship; or with `beyond`, another such number."""
    beyond: Value | None = None
    alternatives: tuple[Predicate, ...] = ()
    negated: bool = False
    average: bool = False
    """Whether the value of `than` is the average of theirs."""
    other: str = ""
    """Another property of the same node, with whose value it is compared, or `value` is: without a link that of all
    nodes with the same `property`; or, where `path` leads …"""
    path: Path = ()
    """… to other nodes, a property of any of those: "older than their boss"."""


@lru_cache(maxsize=_MOST_KEPT)
def turned(path: Path, start: str) -> Path:
    """A path from a label seen from its other end."""
    labels = [start, *(step.target for step in path[:-1])]
    return tuple(step.back(label) for step, label in zip(reversed(path), reversed(labels), strict=True))


@dataclass(frozen=True, slots=True)
class Link(HashedOnce):
    """The relation of a set to another: some of the others, none of them, or so many."""

    path: Path
    other: Nodes
    negated: bool = False
    count: tuple[Comparison, int] | None = None
    conditions: tuple[Predicate, ...] = ()
    """On properties of the path's last relationship."""
    deep: bool = False
    """Whether its one step may be taken several times: "depends on it, directly or indirectly"."""

    @property
    def positive(self) -> bool:
        """Whether there is a node that it leads to."""
        return not self.negated and self.count is None

    @property
    def no_others(self) -> bool:
        """Whether it says that nothing but some nodes is linked: "that only supply seafood"."""
        return self.negated and bool(self.other.without) and replace(self.other, without=()).bare

    @property
    def open(self) -> bool:
        """Whether it only says that there is a node that it leads to."""
        return self.positive and self.other.bare and not self.conditions

    @property
    def named(self) -> bool:
        """Whether the linked set comes down to names, from which a database can start."""
        if not self.positive:
            return False
        return bool(self.other.entities) or any(each.named for each in self.other.links)


@dataclass(frozen=True, slots=True)
class Order:
    """The first `limit` nodes by a value, with all that are as high as the last one where `ties`."""

    by: Value
    descending: bool
    limit: int | None = 1
    skip: int = 0
    ties: bool = True
    per: Path = ()
    """To the nodes for each of which the first ones are meant: "in each category"; with `per_property` …"""
    per_property: str = ""
    """… for each value of a property there, or of the nodes themselves …"""
    per_period: PeriodUnit = ""
    """… or, of a date, for each year or month."""

    @property
    def grouped(self) -> bool:
        """Whether the first ones of each of several are meant."""
        return bool(self.per or self.per_property)

    @property
    def way(self) -> str:
        """The direction in Cypher."""
        return "DESC" if self.descending else "ASC"


@dataclass(frozen=True, slots=True)
class Nodes(HashedOnce):
    """A set of nodes of one label."""

    label: str
    entities: tuple[Entity, ...] = ()
    """Any one of these; none for all nodes of the label."""
    conditions: tuple[Condition, ...] = ()
    links: tuple[Link, ...] = ()
    order: Order | None = None
    without: tuple[Nodes, ...] = ()
    """Nodes of the same label that are left out."""
    within: tuple[Nodes, ...] = ()
    """Sets of the same label that the nodes must belong to; an order there is over the whole set."""
    either: tuple[Nodes, ...] = ()
    """Sets of the same label to one of which, at least, the nodes must belong."""

    @property
    def bare(self) -> bool:
        """Whether it is all nodes of its label."""
        parts = (self.entities, self.conditions, self.links, self.order, self.without, self.within, self.either)
        return not any(parts)

    @property
    def needs_list(self) -> bool:
        """Whether it is ordered, or compared with another set, inside, so that no single pattern matches it."""
        if self.order is not None or any(each.than or each.value for each in self.conditions):
            return True
        return any(link.deep or link.other.needs_list for link in self.links) or any(
            each.needs_list for each in self.without + self.within + self.either
        )

    def linked(self, link: Link) -> Nodes:
        """With a further link; one to anything at all adds nothing to one that says what it leads to."""
        if link in self.links or (link.open and any(each.path == link.path and each.positive for each in self.links)):
            return self
        return replace(self, links=(*self.links, link))

    def where(self, *conditions: Condition) -> Nodes:
        """With further conditions; two values for one text are alternatives: "the restaurants and shops"."""
        kept = list(self.conditions)
        for each in conditions:
            same = next((i for i, known in enumerate(kept) if _of_one_text(known, each)), None)
            if same is None:
                kept.append(each)
            elif each.predicate not in (kept[same].predicate, *kept[same].alternatives) and each.predicate is not None:
                others = (*kept[same].alternatives, each.predicate, *each.alternatives)
                kept[same] = replace(kept[same], alternatives=others)
        return replace(self, conditions=tuple(kept))


def _of_one_text(one: Condition, other: Condition) -> bool:
    """Whether two conditions give one property, which holds a single text, its value."""
    tests = (one.predicate, other.predicate)
    plain = all(each is not None and each.comparison == "=" and each.kind == "text" for each in tests)
    return plain and one.property == other.property and not (one.negated or other.negated)


@dataclass(frozen=True, slots=True)
class Since(HashedOnce):
    """A date of a set, from which the time to another date is told."""

    nodes: Nodes
    value: Value
    unit: Operator


Asks = Literal["nodes", "value", "number", "groups", "truth"]


@dataclass(frozen=True, slots=True)
class Form(HashedOnce):
    """What a question asks.

    `nodes` asks for the nodes; "value" for `value` of each; "number" for `function` over `value` (or over the nodes,
    counted); "groups" for that number per node of `nodes`, or per value of `group`; "truth" whether there are any.
    """

    asks: Asks
    nodes: Nodes
    value: Value | None = None
    function: Function | None = None
    group: str | None = None
    """The property for each value of which the number is given."""
    group_path: Path = ()
    """To the nodes whose property `group` is; empty for their own."""
    limit: int | None = None
    """How many are asked for, where nothing orders them."""
    columns: tuple[Value, ...] = ()
    """Values that are told beside each node, or beside `value`."""
    period: PeriodUnit = ""
    """Of a `group` that is a date or a year: the part of it for which the number is given."""
    group_edge: bool = False
    """Whether `group` is a property of the relationships of `value`."""
    best: Literal["", "highest", "lowest"] = ""
    """Of numbers for each value of `group`: that the `limit` highest, or lowest, are asked for."""
    whole: Nodes | None = None
    """Of a "share": the set of which `nodes` are a percentage; of a "truth": the set all of which they must be."""
    bound: tuple[Comparison, float] | None = None
    """What the number of a value of `group` must be; with "number", that of such values is asked. Of a "truth": what
    the number of `nodes`, or `function` over `value`, must be."""
    since: Since | None = None
    """Another date, from which the time to the date that is `value` is asked."""
    versus: tuple[Form, Comparison] | None = None
    """Another number: how much that of this form differs from it is asked; with "truth", how the two must compare."""

    @property
    def entities(self) -> tuple[Entity, ...]:
        """All entities that the form speaks of."""
        roots = [each.nodes for each in (self, self.since, self.versus and self.versus[0]) if each is not None]
        return tuple(dict.fromkeys(entity for root in roots for each in sets(root) for entity in each.entities))

    @property
    def plain(self) -> bool:
        """Whether it asks for nodes by relations alone."""
        further = self.columns or self.nodes.order or self.nodes.conditions
        return self.asks == "nodes" and not further and all(link.positive for link in self.nodes.links)

    @property
    def hops(self) -> int:
        return sum(len(link.path) for nodes in sets(self.nodes) for link in nodes.links)


def sets(nodes: Nodes) -> list[Nodes]:
    """A set, and all sets that it is related to or compared with."""
    return [nodes, *(each for child in _children(nodes) for each in sets(child))]


def _children(nodes: Nodes) -> list[Nodes]:
    found = [link.other for link in nodes.links]
    found += [c.than for c in nodes.conditions if c.than is not None]
    if nodes.order is not None and nodes.order.by.link is not None:
        found.append(nodes.order.by.link.other)
    return [*found, *nodes.without, *nodes.within, *nodes.either]
