"""The parts of a parsed query: variables, patterns, projections, uses of properties and labels. Positions are indices
into the tokens of the query."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from clew.tools.cypher.lexer import Token

VariableKind = Literal["node", "relationship", "other"]


@dataclass(slots=True, eq=False)
class Variable:
    """A variable of the query; equal names in different scopes are different variables."""

    name: str
    kind: VariableKind = "other"
    nodes: list[NodePattern] = field(default_factory=list)
    """The node patterns with this variable."""
    relationships: list[RelationshipPattern] = field(default_factory=list)

    @property
    def labels(self) -> set[str]:
        """The labels of all its patterns."""
        return {label.name for node in self.nodes for label in node.labels}

    @property
    def types(self) -> set[str]:
        return {kind.name for relationship in self.relationships for kind in relationship.types}


Environment = dict[str, Variable]


@dataclass(slots=True, eq=False)
class NodePattern:
    """`(variable:Label {key: value} WHERE …)`. A pattern without a variable gets an unnamed one."""

    first: int
    """The opening parenthesis."""
    last: int = 0
    """The closing parenthesis."""
    variable: Variable = field(default_factory=lambda: Variable("", "node"))
    named: Token | None = None
    labels: list[Token] = field(default_factory=list)
    label_span: tuple[int, int] | None = None
    """From the colon to the position after the label expression."""
    plain_labels: bool = True
    """Whether the labels are joined by colons only, so that the node has all of them."""
    negated_labels: bool = False
    properties: PropertyMap | None = None
    conditioned: bool = False
    """Whether it has a WHERE of its own."""
    clause: int = 0
    """The number of its MATCH clause, from 1; 0 within an expression."""


@dataclass(slots=True, eq=False)
class RelationshipPattern:
    """`<-[variable:TYPE|OTHER*1..2 {…}]->` between two node patterns of a chain."""

    first: int
    last: int = 0
    """The token after it."""
    variable: Variable = field(default_factory=lambda: Variable("", "relationship"))
    named: Token | None = None
    types: list[Token] = field(default_factory=list)
    type_span: tuple[int, int] | None = None
    bracket: int | None = None
    """The opening bracket, if there is one."""
    star: tuple[int, int] | None = None
    """The star and the position after the range of a variable length."""
    least: int = 1
    most: int | None = 1
    """None if it has no upper bound."""
    left: bool = False
    right: bool = False
    properties: PropertyMap | None = None

    @property
    def directed(self) -> bool:
        return self.left != self.right


@dataclass(slots=True, eq=False)
class PropertyMap:
    """`{key: value, …}` of a pattern: the positions of keys and values."""

    first: int
    last: int
    """The closing brace."""
    entries: list[tuple[int, int, int]] = field(default_factory=list)
    """Key, first token of the value, position after the value."""


@dataclass(slots=True, eq=False)
class Chain:
    """Node patterns connected by relationship patterns."""

    nodes: list[NodePattern]
    relationships: list[RelationshipPattern]
    first: int
    last: int
    """The token after it."""
    clause: int
    """The number of its MATCH clause, as for nodes."""
    nested: bool = False
    """Whether it is in a subquery."""
    shortest: bool = False

    @property
    def variables(self) -> set[Variable]:
        """The variables of its nodes and relationships."""
        return {node.variable for node in self.nodes} | {each.variable for each in self.relationships}


@dataclass(frozen=True, slots=True)
class VariableUse:
    """`variable.name` or `variable:Label` in an expression."""

    variable: Variable
    place: int
    """The position of the property or label."""


@dataclass(frozen=True, slots=True)
class PatternCall:
    """`size(pattern)`, `exists(pattern)` or `exists(n.property)`, the syntax before Neo4j 5."""

    function: str
    first: int
    """The function's name."""
    last: int
    """The closing bracket."""
    pattern: bool


@dataclass(frozen=True, slots=True)
class Item:
    """One column of a projection."""

    first: int
    last: int
    """The position after the expression."""
    alias: Token | None
    variable: Variable | None
    """The variable, if the expression is a variable or a property of one."""
    property: int | None = None
    """The position of the property name, if it is a property."""
    aggregates: bool = False


@dataclass(slots=True, eq=False)
class Projection:
    """A WITH or RETURN."""

    keyword: str
    first: int
    """The keyword."""
    items: list[Item] = field(default_factory=list)
    items_end: int = 0
    """The position after the last item."""
    star: bool = False
    distinct: bool = False
    limited: bool = False
    """Whether it has LIMIT or SKIP."""

    @property
    def aggregates(self) -> bool:
        return any(item.aggregates for item in self.items)


@dataclass(slots=True, eq=False)
class ParsedQuery:
    """A parsed query."""

    cypher: str
    tokens: list[Token]
    chains: list[Chain] = field(default_factory=list)
    property_uses: list[VariableUse] = field(default_factory=list)
    label_uses: list[VariableUse] = field(default_factory=list)
    calls: list[PatternCall] = field(default_factory=list)
    projections: list[Projection] = field(default_factory=list)
    """The projections of the outermost query."""
    parameters: list[str] = field(default_factory=list)
    procedures: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    """Names of functions in lower case, with their namespaces."""
    wheres: list[int] = field(default_factory=list)
    """Numbers of the MATCH clauses that have a WHERE."""
    unions: int = 0
    """Number of UNIONs in the outermost query."""
    subqueries: int = 0
    """Number of CALL { … } in all queries."""
    unwinds: int = 0

    @property
    def nodes(self) -> list[NodePattern]:
        return [node for chain in self.chains for node in chain.nodes]

    @property
    def relationships(self) -> list[RelationshipPattern]:
        return [relationship for chain in self.chains for relationship in chain.relationships]

    @property
    def patterns(self) -> list[NodePattern | RelationshipPattern]:
        return [*self.nodes, *self.relationships]

    def link_variables(self) -> None:
        """Set the patterns of every variable."""
        for node in self.nodes:
            node.variable.kind = "node"
            node.variable.nodes.append(node)
        for relationship in self.relationships:
            relationship.variable.kind = "relationship"
            relationship.variable.relationships.append(relationship)

    @property
    def variables(self) -> list[Variable]:
        """All node variables, in the order of the text."""
        return list(dict.fromkeys(node.variable for node in self.nodes))
