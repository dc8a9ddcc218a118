"""Which property of a label a question speaks of: by its words, by what is said for it, and by its type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property, Schema
from clew.tools.queries.lexical import stem
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import kind_of, typed
from clew.tools.queries.plans.value_constraints import OrderConstraint, ValueConstraint
from clew.tools.queries.ranking.similarity import SchemaPhrases
from clew.tools.queries.space.moves import Moves
from clew.tools.queries.space.query import Hop, Order
from clew.tools.queries.values import DATES, NUMBERS, Scalar, holds_years

LEAST_FIT = 0.55
"""Cosine, or share of words, from which on a property is taken for the one that is spoken of."""
ONLY_TIME = 0.6
"""How well the times of a label fit a date, whatever they are called."""
_LATER = 0.01
"""Less for every later name."""


@dataclass(frozen=True, slots=True)
class PropertyChooser:
    """Chooses among the properties of one graph."""

    schema: Schema
    moves: Moves
    phrases: SchemaPhrases

    def predicate(self, label: str, constraint: ValueConstraint) -> Predicate | None:
        """The condition on a property of the label; None where none fits."""
        fitting = [each for each in self.schema.properties if each.label == label and _compares(each, constraint.value)]
        times = [each for each in fitting if _is_time(each)]
        offered = times if constraint.of_time else [e for e in fitting if e not in times] or fitting
        best = _exactly(constraint.exact, offered) or self._best(constraint.names, offered)
        if best is None and constraint.of_time and times:
            best = (times[0], ONLY_TIME) if len(times) == 1 else self._best(("date", "year"), times)
        if best is None:
            return None
        found = typed(Predicate(best[0].name, constraint.comparison, constraint.value), best[0])
        return found if isinstance(found, Predicate) else None

    def order(self, label: str, constraint: OrderConstraint) -> Order | None:
        """What to order by: a property of the label, or for what can be counted the number of neighbours."""
        ordered = [e for e in self.schema.properties if e.label == label and (_is_time(e) or e.type in NUMBERS)]
        best = _exactly(constraint.exact, ordered) or self._best(constraint.names, ordered)
        if best is None and constraint.of_time and (times := [each for each in ordered if _is_time(each)]):
            best = self._best(("date", "year"), times) or (times[0], ONLY_TIME)
        by: str | Hop | None = best[0].name if best else None
        if (
            constraint.counted
            and (hop := self._counted(label, constraint.names))
            and hop[1] > (best[1] if best else 0.0)
        ):
            by = hop[0]
        return None if by is None else Order(by, constraint.descending)

    def _counted(self, label: str, names: Sequence[str]) -> tuple[Hop, float] | None:
        steps = [step for step in self.moves.starting_at(label) if step < len(self.moves.hops)]
        if not steps:
            return None
        near = self.phrases.compare(list(names))
        fits = [
            (float(max(near.steps[i][s], near.labels[i][self.moves.label_ids[self.moves.ending(s)]])) - _LATER * i, s)
            for i in range(len(names))
            for s in steps
        ]
        fit, step = max(fits)
        return (self.moves.hops[step], fit) if fit >= LEAST_FIT else None

    def _best(self, names: Sequence[str], offered: Sequence[Property]) -> tuple[Property, float] | None:
        if not names or not offered:
            return None
        rows = {(each.label, each.name): len(self.moves.hops) + i for i, each in enumerate(self.moves.properties)}
        near = self.phrases.compare(list(names)).steps
        best: tuple[Property, float] | None = None
        for each in offered:
            row = rows.get((each.label, each.name))
            own = {stem(word) for word in identifier_words(each.name)}
            for i, name in enumerate(names):
                same = own >= {stem(word) for word in name.split()}
                fit = (1.0 if same else 0.0 if row is None else float(near[i, row])) - _LATER * i
                if fit >= LEAST_FIT and (best is None or fit > best[1]):
                    best = (each, fit)
        return best


def _exactly(names: Sequence[str], offered: Sequence[Property]) -> tuple[Property, float] | None:
    """The property that is called so, the longer name first."""
    for name in names:
        said = {stem(word) for word in name.split()}
        for each in offered:
            if {stem(word) for word in identifier_words(each.name)} == said:
                return each, 1.0
    return None


def _compares(owned: Property, value: Scalar) -> bool:
    return kind_of(owned, value) in ("number", "written number", "date")


def _is_time(owned: Property) -> bool:
    if owned.type in DATES:
        return True
    if owned.type == "INTEGER" and holds_years(owned):
        return bool({"year", "date", "time", "since"} & set(identifier_words(owned.name))) or min(owned.examples) > 1400
    return owned.type == "STRING" and kind_of(owned, "2000-01-01") == "date"
