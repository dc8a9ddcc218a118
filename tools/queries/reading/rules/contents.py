"""What is in something: "what was in order 17" asks for the things that the order has, so and so many of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Link, Nodes, Path, turned
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun
from clew.tools.queries.reading.forms.quantities import is_quantity
from clew.tools.queries.reading.rules.grammar import Grammar

_IN = ("in", "on", "inside")
_GUESS = 0.3
_FURTHER = 0.2
"""What it costs more that the quantities are of nodes, such as order lines, and not of relationships."""


def contents(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "what was" + "in" + "order 17"."""
    what, holder = left.meaning, right.meaning
    if what.wild != "what" or not holder.nodes.entities or not between.says(*_IN) or between.heavy or between.negated:
        return
    for path, cost in _held(holder.nodes.label, grammar):
        held = Nodes(path[-1].target).linked(Link(turned(path, holder.nodes.label), holder.nodes))
        yield grammar.item(
            left, right, replace(what, nodes=held, wild="", plural=True, asked=True), ("guess", cost), ("wild", -1.5)
        )


def _held(label: str, grammar: Grammar) -> Iterator[tuple[Path, float]]:
    """The ways from a label to things of which it has a quantity."""
    counted = {c.label for c in grammar.words.choices if c.kind == "number" and is_quantity(c.name)}
    for step in grammar.joins.from_label(label):
        if step.relation in counted:
            yield (step,), _GUESS
        elif step.target in counted:
            for further in grammar.joins.from_label(step.target):
                if further.target not in (label, *grammar.words.persons):
                    yield (step, further), _GUESS + _FURTHER
