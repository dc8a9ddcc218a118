"""The parts that a reading is composed of: a span of the question, its meaning, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

from clew.tools.queries.reading.forms.form import Form, Nodes, Path
from clew.tools.queries.reading.forms.functions import AVERAGES, Function, PeriodUnit
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import Scalar

Wild = Literal["", "who", "where", "what"]
Feature = tuple[str, float]
"""A reason for or against a reading and how strong it is; the weights are in scoring.py."""


_NEARLY = 0.5
"""Cost of a link below which a name is spelled nearly as in the graph."""


@dataclass(frozen=True, slots=True)
class PropertyChoice:
    """A property that words may mean."""

    label: str
    name: str
    cost: float
    """0 for its own name; more for a synonym or a part of its name."""
    descending: bool = True
    """Of a superlative: whether the greatest is meant."""
    of_relation: bool = False
    kind: str = "number"
    scale: float = 1.0
    """How much of the property's unit makes one of the unit that was said: 100 for metres of `height_cm`."""

    @property
    def turned(self) -> PropertyChoice:
        """The same for the other end: the least of "largest"."""
        return replace(self, descending=not self.descending)


@dataclass(frozen=True, slots=True)
class Noun:
    """A set of nodes, and how it was written."""

    nodes: Nodes
    plural: bool = False
    asked: bool = False
    """Whether "which" or "what" stands before it."""
    named: bool = False
    """Whether it is a name or a value, rather than a kind of thing."""
    role: Path | None = None
    """The path from the set that it is the "capital" or the "director" of; it stands among the links already."""
    wild: Wild = ""
    """A question word instead of a noun: its label is whatever fits."""
    members: tuple[Nodes, ...] = ()
    """The sets that "and" or "or" joins …"""
    every: bool = False
    """… and whether each of them is meant ("and")."""
    denied: tuple[Nodes, ...] = ()
    """Others of its kind of which the opposite is said: "Y" of "who ordered X but not Y"."""
    each: bool = False
    """Whether a number is given for each of them ("per customer")."""
    limit: int | None = None
    """How many are asked for ("the top 3 products"), while nothing orders them yet."""
    superlative: Superlative | None = None
    """What ordered it, while another property may still be named ("largest … by population")."""


@dataclass(frozen=True, slots=True)
class PropertyNoun:
    """The name of a property; `function` where "average" or "total" stands before it."""

    choices: tuple[PropertyChoice, ...]
    function: Function | None = None
    quantity: bool = False
    """ "how many people", "how long": asks for the property."""
    also: tuple[tuple[PropertyChoice, ...], ...] = ()
    """Further properties that are asked for ("rank and pay"), each with its choices."""


@dataclass(frozen=True, slots=True)
class Superlative:
    """ "largest", "most", "second highest", "top 3"."""

    choices: tuple[PropertyChoice, ...]
    counts: bool = False
    """ "most" and "fewest", which compare numbers of things."""
    descending: bool = True
    limit: int = 1
    skip: int = 0
    lasting: bool = False
    """ "has been there the longest": by when it began."""


@dataclass(frozen=True, slots=True)
class Direction:
    """ "highest first", "in descending order", "from longest to shortest": which way a list is ordered."""

    descending: bool
    choices: tuple[PropertyChoice, ...] = ()
    """The properties that its adjective means: of "longest first"."""


@dataclass(frozen=True, slots=True)
class Sorting:
    """ "runtime, highest first": what a list is ordered by."""

    choices: tuple[PropertyChoice, ...]
    descending: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """ "the largest population", "the most rivers": what a set is ordered by."""

    superlative: Superlative
    choices: tuple[PropertyChoice, ...] = ()
    counted: Nodes | None = None
    function: Function | None = None
    """ "the highest average price" …"""
    of: Nodes | None = None
    """… "of the products"."""


@dataclass(frozen=True, slots=True)
class Comparator:
    """ "more than", "at least", "older than"; `choices` are the properties of the adjective."""

    comparison: Comparison
    choices: tuple[PropertyChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class Number:
    """A number, a date or a quoted text."""

    value: Scalar
    date: bool = False
    text: bool = False


@dataclass(frozen=True, slots=True)
class ConditionNoun:
    """A condition on a property, of whichever label has it: each choice with its test."""

    choices: tuple[PropertyChoice, ...]
    comparison: Comparison = "="
    values: tuple[Scalar, ...] = ()
    than: Nodes | None = None
    counted: Nodes | None = None
    """What the two have so many of: "more players than X"."""
    test: Literal["", "IS NULL", "IS NOT NULL", "STARTS WITH", "ENDS WITH", "CONTAINS"] = ""
    upper: Scalar | None = None
    """The second end of "between"."""
    average: bool = False
    """Whether it is compared with the average of `than`, or of all of its kind: "above average"."""
    others: tuple[PropertyChoice, ...] = ()
    """The property of the same thing that it is compared with: "below the minimum stock"."""
    path: Path = ()
    """The way from each to the one of its own kind that it is compared with: "older than their boss"."""
    function: Function | None = None
    """How values of what is linked become the one that is compared: "whose total freight is over 1000" …"""
    of: Nodes | None = None
    """… and the set that is linked, where it is said: "the average weight of their patients". With `average`, what
    those have in common of whom it is the average: "above the average of their department" …"""
    alike: tuple[PropertyChoice, ...] = ()
    """… or the property of which they have the same value."""
    winning: bool = False
    """Whether a verb says it: "won" is place 1."""


@dataclass(frozen=True, slots=True)
class Grouped:
    """ "orders per customer": a set, and what its number is given for."""

    counted: Nodes
    path: Path
    """From the groups to what is counted."""
    by: Nodes


@dataclass(frozen=True, slots=True)
class GroupedBy:
    """ "customers per country": a set, and the property for each value of which a number is given."""

    counted: Nodes
    property: str
    path: Path = ()
    """To the nodes whose property it is; empty for their own."""
    period: PeriodUnit = ""
    """Of a date: the part of it that is meant."""


@dataclass(frozen=True, slots=True)
class Period:
    """ "year" of "per year" or "which year"."""

    unit: PeriodUnit


@dataclass(frozen=True, slots=True)
class Share:
    """ "what percentage of the films", before it is said which."""

    noun: Noun


@dataclass(frozen=True, slots=True)
class CountOf:
    """ "more than three rivers", "no rivers"."""

    comparison: Comparison
    number: int
    nodes: Nodes


@dataclass(frozen=True, slots=True)
class Operator:
    """ "how many", "number of", "average", "total", "each"."""

    function: Function | Literal["each", "first"]
    limit: int = 0
    """Of "first": how many ("the top 3")."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole question, or a statement."""

    form: Form


Meaning = (
    Noun
    | PropertyNoun
    | Superlative
    | Direction
    | Sorting
    | Ranking
    | Comparator
    | Number
    | ConditionNoun
    | Grouped
    | GroupedBy
    | Period
    | Share
    | CountOf
    | Operator
    | Whole
)


M = TypeVar("M", bound=Meaning, covariant=True)


@dataclass(frozen=True, slots=True)
class Item(Generic[M]):
    """tokens[first:last] and what they mean."""

    first: int
    last: int
    meaning: M
    cost: float
    features: tuple[Feature, ...] = ()


AnyItem = Item[Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """One logical form of a question."""

    form: Form
    cost: float
    """Of agreement between the question and the form; 0 is perfect."""
    features: tuple[Feature, ...]
    unexplained: tuple[str, ...]
    """Words of the question that the form does not explain."""


def is_worked_out(ranking: Ranking) -> bool:
    """Whether it is of a total or an average."""
    return ranking.function in ("sum", *AVERAGES)


def is_name(item: AnyItem) -> bool:
    """Whether an anchor is a name as the graph spells it, or nearly so."""
    return isinstance(item.meaning, Noun) and bool(item.meaning.nodes.entities) and item.cost < _NEARLY


def is_kind(item: AnyItem) -> bool:
    """Whether it is the full name of a label of several words."""
    noun = item.meaning if isinstance(item.meaning, Noun) else None
    bare = noun is not None and noun.nodes.bare and not noun.wild and noun.role is None
    return bare and not item.cost and item.last - item.first > 1
