"""Events of which one side wins: which relations lead to the sides, and which property tells the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.graph.schema import Schema
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Link, Nodes, Step
from clew.tools.queries.sided import OPPOSITE, VERBS, Sided


@dataclass(frozen=True, slots=True)
class Contest:
    """One kind of such events."""

    source: str
    """The label of the events."""
    target: str
    """The label of the sides."""
    relation: str
    result: Sided

    def side(self, nodes: Nodes, outcome: str = "") -> Link:
        """From events to a side, which has an outcome."""
        return Link((Step(self.relation, True, self.target),), nodes, conditions=self._with(outcome))

    def played(self, events: Nodes, outcome: str = "") -> Link:
        """From a side to events, in which it has an outcome."""
        return Link((Step(self.relation, False, self.source),), events, conditions=self._with(outcome))

    def _with(self, outcome: str) -> tuple[Predicate, ...]:
        return (Predicate(self.result, "=", outcome, "text"),) if outcome else ()


def contests(schema: Schema) -> tuple[Contest, ...]:
    """The contests of a schema with its wider relations."""
    results = {each.label: each.name for each in schema.relation_properties if isinstance(each.name, Sided)
               and each.name.told == "outcome"}  # fmt: skip
    ends = dict.fromkeys((each.source, each.target, each.type) for each in schema.relations)
    return tuple(Contest(*end, results[end[2]]) for end in ends if end[2] in results)


def outcome_of(said: Sequence[str]) -> str | None:
    """The outcome that a verb gives to its subject: a win for "beat", a loss for "beaten by"."""
    found = next((each for word in said for each, verbs in VERBS.items() if word in verbs.split()), None)
    return OPPOSITE[found] if found is not None and "by" in said else found
