"""The slots of an analytic question: what is asked, for each of what, and what is measured."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.floating.parts import Words
from clew.tools.queries.reading.forms.form import Nodes, Path
from clew.tools.queries.reading.forms.functions import Function, PeriodUnit
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Feature, PropertyChoice
from clew.tools.queries.values import Scalar

MEASURED = ("number", "written number")
"""Kinds of properties that can be measured."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a number is given for each of: nodes of a label, values of a property, or periods of the facts' date."""

    words: Words
    label: str = ""
    choice: PropertyChoice | None = None
    period: PeriodUnit = ""
    role: Path = ()
    """Of nodes that are called by what they are for others, such as the drivers of deliveries, the way to these."""
    features: tuple[Feature, ...] = ()


@dataclass(frozen=True, slots=True)
class Aim:
    """Whether one number is asked for, a number for each of several, or the best of these."""

    kind: Literal["number", "each", "best", "those", "compare", "over"]
    """"those" asks for what the facts refer to: who has handed in a claim; "compare" whether one of two has more;
    "over" those whose number is above, or below, an amount."""
    words: Words
    dimension: Dimension | None = None
    descending: bool = True
    limit: int = 1
    totalled: bool = False
    """Whether amounts are added up: of "most", or of "best", which may be so by any …"""
    amounts: bool = False
    """… and whether "most" or "least" is said."""
    choices: tuple[PropertyChoice, ...] = ()
    """What an adjective, such as "most expensive", means; empty where "most" or "highest" says nothing of it."""
    denied: bool = False
    """Whether those are asked for that have no such facts."""
    compared: tuple[Nodes, ...] = ()
    """The two that are compared …"""
    values: tuple[Scalar, ...] = ()
    """… or the values of the dimension's property."""
    bound: ConditionNoun | None = None
    """The amount of "over"."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What is worked out over facts: a function of a property, or their number."""

    label: str
    """The facts, or the type of the relationships."""
    choice: PropertyChoice | None
    function: Function
    words: Words
    features: tuple[Feature, ...] = ()


def words_of(item: AnyItem) -> Words:
    """The places of an item's words."""
    return frozenset(range(item.first, item.last))


def places(tokens: Sequence[Token], texts: Collection[str]) -> Words:
    """Where one of some words stands."""
    return frozenset(i for i, token in enumerate(tokens) if token.text in texts)
