"""Checking a plan against a schema before any of it runs: what has one right way is corrected, the rest is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clew.tools.cypher_repair.draft import NameLookup
from clew.tools.cypher_repair.vocabulary import closest_identifier
from clew.tools.errors import ClewError, QueryFailed
from clew.tools.graph.entity import Candidate
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Schema
from clew.tools.queries.plans.plan import (
    LONGEST_TEXT,
    MOST_K,
    MOST_ROWS,
    MOST_STEPS,
    Match,
    Narrowing,
    Nodes,
    Plan,
    Predicate,
    Search,
    Step,
    Traverse,
    starts_from,
)
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.plans.step_cypher import checked_cypher
from clew.tools.queries.space.query import Order

MOST_CONDITIONS = 8
MOST_PARAMETERS = 20
_NAME = re.compile(r"[^\W\d]\w{0,39}\Z")
_LISTED = 12


class PlanRefused(ClewError):
    """A plan that is not run; the message says why, in words that its author can use."""


@dataclass(frozen=True, slots=True)
class CheckedPlan:
    """A plan that may be run: its steps are in an order in which each comes after those that it starts from."""

    plan: Plan
    changes: tuple[str, ...] = ()
    """What was corrected, and why."""
    anchors: tuple[Candidate, ...] = ()
    """The entities that the names in its queries stand for."""


def check(plan: Plan, schema: Schema, terms: NodeTerms, names: NameLookup) -> CheckedPlan:
    """The plan corrected. Pure but for `names`, which looks up what a literal may name. Raises PlanRefused."""
    _refuse_unfit_names(plan)
    changes: list[str] = []
    ordered = _ordered(plan, changes)
    checker = _Checker(schema, terms, names, changes)
    for step in ordered:
        checker.step(step)
    steps = tuple(checker.done.values())
    return CheckedPlan(Plan(steps, plan.answer), tuple(dict.fromkeys(changes)), tuple(checker.anchors.values()))


def _refuse_unfit_names(plan: Plan) -> None:
    if not plan.steps:
        raise PlanRefused("The plan has no steps.")
    if len(plan.steps) > MOST_STEPS:
        raise PlanRefused(f"The plan has {len(plan.steps)} steps; {MOST_STEPS} are the most.")
    names = [step.name for step in plan.steps]
    for name in names:
        if not _NAME.match(name):
            raise PlanRefused(f"“{name[:40]}” is not a name for a step.", "Use letters, digits and _.")
        if names.count(name) > 1:
            raise PlanRefused(f"Several steps are called “{name}”.")
    for step in plan.steps:
        for before in starts_from(step):
            if before not in names:
                raise PlanRefused(f"Step “{step.name}” starts from “{before[:40]}”, and no step is called so.")
    if plan.answer not in names:
        raise PlanRefused(f"The answer is “{plan.answer[:40]}”, and no step is called so.")


def _ordered(plan: Plan, changes: list[str]) -> list[Step]:
    """The steps that the answer rests on, each after those that it starts from."""
    steps, found, open_ = plan.by_name, dict[str, Step](), list[str]()

    def visit(name: str) -> None:
        if name in open_:
            circle = " → ".join([*open_[open_.index(name) :], name])
            raise PlanRefused(f"Steps start from each other: {circle}.")
        if name in found:
            return
        open_.append(name)
        for before in starts_from(steps[name]):
            visit(before)
        found[name] = steps[open_.pop()]

    for step in plan.steps:
        visit(step.name)
    needed = _needed(plan)
    for name in found:
        if name not in needed:
            changes.append(f"step “{name}” left out: the answer does not rest on it")
    return [step for name, step in found.items() if name in needed]


def _needed(plan: Plan) -> set[str]:
    steps, found, waiting = plan.by_name, set[str](), [plan.answer]
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += starts_from(steps[name])
    return found


@dataclass(slots=True)
class _Checker:
    """Checks one step after the other."""

    schema: Schema
    terms: NodeTerms
    names: NameLookup
    changes: list[str]
    done: dict[str, Step] = field(default_factory=dict)
    anchors: dict[str, Candidate] = field(default_factory=dict)

    def step(self, step: Step) -> None:
        if isinstance(step, Search):
            checked: Step = self._search(step)
        elif isinstance(step, Match):
            checked = self._match(step)
        elif isinstance(step, Nodes):
            checked = self._nodes(step)
        elif isinstance(step, Traverse):
            checked = self._along(step)
        else:
            checked = replace(step, narrowing=self._narrowing(step.name, step.narrowing, step.query.answer_label))
        self.done[step.name] = checked

    def _search(self, step: Search) -> Search:
        text = " ".join(step.text.split())
        if not text:
            raise PlanRefused(f"Step “{step.name}” searches for nothing.", "Give it a text.")
        if len(text) > LONGEST_TEXT:
            text = text[:LONGEST_TEXT]
            self.changes.append(f"the text of “{step.name}” cut to {LONGEST_TEXT} characters")
        k = min(max(step.k, 1), MOST_K)
        if k != step.k:
            self.changes.append(f"k of “{step.name}” is {k}")
        label = self._label(step.name, step.label)
        properties = tuple(dict.fromkeys(self._text_property(step.name, p, label) for p in step.properties))
        narrowing = self._narrowing(step.name, step.narrowing, label)
        return replace(step, text=text, k=k, label=label, properties=properties, narrowing=narrowing)

    def _nodes(self, step: Nodes) -> Nodes:
        label = self._label(step.name, step.label)
        if label is None and step.within is None:
            raise PlanRefused(f"Step “{step.name}” says neither a label nor a step to start from.")
        return replace(step, label=label, narrowing=self._narrowing(step.name, step.narrowing, label))

    def _along(self, step: Traverse) -> Traverse:
        if not any(relation.type == step.hop.relation for relation in self.schema.relations):
            raise PlanRefused(f"The graph has no relationship type “{step.hop.relation[:60]}”.")
        if step.hop.target not in self.schema.labels:
            raise PlanRefused(f"The graph has no label “{step.hop.target[:60]}”.")
        return replace(step, narrowing=self._narrowing(step.name, step.narrowing, step.hop.target))

    def _match(self, step: Match) -> Match:
        parameters = _plain_parameters(step)
        given = {**parameters, **{key: [] for key in step.bound}}
        try:
            found = checked_cypher(step.cypher, given, self.schema, self.terms, self.names)
        except QueryFailed as error:
            raise PlanRefused(f"Step “{step.name}”: {error.message}", error.remedy) from None
        self.changes += [f"“{step.name}”: {change}" for change in found.changes]
        self.anchors |= {each.entity.id: each for each in found.anchors}
        own = {key: value for key, value in found.parameters.items() if key not in step.bound}
        narrowing = self._narrowing(step.name, step.narrowing, None)
        return replace(step, cypher=found.cypher, parameters=own, narrowing=narrowing)

    def _narrowing(self, name: str, narrowing: Narrowing, label: str | None) -> Narrowing:
        if len(narrowing.where) > MOST_CONDITIONS:
            raise PlanRefused(f"Step “{name}” has more than {MOST_CONDITIONS} conditions.")
        where = tuple(self._condition(name, predicate, label) for predicate in narrowing.where)
        order, top = narrowing.order, narrowing.top
        if order is not None and isinstance(order.by, str):
            order = Order(self._property(name, order.by, label).name, order.descending)
        if top is not None and not 1 <= top <= MOST_ROWS:
            top = min(max(top, 1), MOST_ROWS)
            self.changes.append(f"top of “{name}” is {top}")
        return Narrowing(where, order, top)

    def _condition(self, name: str, predicate: Predicate, label: str | None) -> Predicate:
        owned = self._property(name, predicate.property, label)
        found = typed(predicate, owned)
        if isinstance(found, str):
            raise PlanRefused(f"Step “{name}”: {found}.")
        if found.value != predicate.value:
            self.changes.append(f"“{name}”: {owned.name} is compared with {found.value!r}")
        return found

    def _label(self, name: str, label: str | None) -> str | None:
        if label is None:
            return None
        found = closest_identifier(label, self.schema.labels)
        if found is None:
            raise PlanRefused(f"The graph has no label “{label[:60]}”.", f"It has {_some(self.schema.labels)}.")
        if found != label:
            self.changes.append(f"label “{label}” of “{name}” is “{found}”")
        return found

    def _text_property(self, name: str, said: str, label: str | None) -> str:
        return self._property(name, said, label, lambda own: "STRING" in own.type).name

    def _property(
        self, name: str, said: str, label: str | None, fits: Callable[[Property], bool] = lambda _: True
    ) -> Property:
        """The property of a label that is meant; without a label, that of any."""
        own = [each for each in self.schema.properties if label in (None, each.label) and fits(each)]
        found = closest_identifier(said, dict.fromkeys(each.name for each in own))
        if found is None:
            of = label or "any node"
            raise PlanRefused(
                f"Step “{name}”: there is no property “{said[:60]}” of {of} that fits.",
                f"There is {_some({each.name for each in own})}." if own else "",
            )
        if found != said:
            self.changes.append(f"property “{said}” of “{name}” is “{found}”")
        return next(each for each in own if each.name == found)


def _plain_parameters(step: Match) -> dict[str, Any]:
    """The values that the plan gives itself: texts, numbers, truth values, and lists of these."""
    if len(step.parameters) + len(step.bound) > MOST_PARAMETERS:
        raise PlanRefused(f"Step “{step.name}” has more than {MOST_PARAMETERS} parameters.")
    for key, value in step.parameters.items():
        parts: Sequence[Any] = value if isinstance(value, list) else [value]
        fits = all(isinstance(part, str | int | float | bool) and len(str(part)) <= LONGEST_TEXT for part in parts)
        large = any(isinstance(part, int) and abs(part) >= 2**63 for part in parts)
        if not fits or large or len(parts) > MOST_ROWS:
            raise PlanRefused(f"The parameter ${key[:40]} of step “{step.name}” is not a plain value.")
    return dict(step.parameters)


def _some(names: Collection[str] | Mapping[str, Any]) -> str:
    shown = sorted(names)[:_LISTED]
    return ", ".join(shown) + (f" and {len(names) - len(shown)} more" if len(names) > len(shown) else "")
