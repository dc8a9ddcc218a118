"""The verdict on a claim that was read as a logical form.

The claim is supported if the form has a result. Otherwise each part of the form (a relation, a condition, a set that
the thing should be in) is asked about without its value. If the graph has something else there, the claim is refuted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Any

from clew.agents.verifying.claims import Claim
from clew.agents.verifying.verdicts import REFUTED, SUPPORTED, UNKNOWN, Finding
from clew.graphs.form_support import query_of, support
from clew.graphs.verify.lookup import MOST_NAMED, ClaimLookup, make_finding
from clew.tools.graph.entity import Entity
from clew.tools.graph.identifiers import spoken
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Path, Value, turned
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reading
from clew.tools.queries.space.query import Comparison

_ONE = 1.05
"""Mean number of facts of a kind from which a node may have several."""
_FEW, _SEVERAL = 1.5, 3.0
"""Ratios of the fan-in of a path to its fan-out."""
_NEARLY_ALL = 0.8


@dataclass(slots=True)
class FormCheck:
    """The check of a claim by one of its readings."""

    lookup: ClaimLookup
    claim: Claim
    reading: Reading
    sure: float | None = None
    """The confidence in the reading; None for that of its cost."""

    @property
    def _sure(self) -> float:
        by_cost = 1 / (1 + exp(1.6 * (self.reading.cost - 1.8)))
        return round(by_cost if self.sure is None else self.sure, 4)

    def _finding(self, verdict: Any, reason: str, triplets: Sequence[Triplet] = ()) -> Finding:
        keys = self.lookup.add_evidence(triplets)
        return make_finding(self.claim, verdict, self._sure, reason, words(self.reading.form), keys)

    def supported(self) -> Finding | None:
        form = self.reading.form
        if form.bound is not None:
            known = self._number()
            if known is None or not _compares(known, *form.bound):
                return None
            return self._finding(SUPPORTED, f"{words(_number_form(form))} in the graph: {_spelt(known)}.")
        if form.whole is not None and not self._all(form):
            return None
        rows = self._rows(form.nodes)
        if not rows:
            return None
        triplets = self._support(form.nodes, rows)
        facts = "; ".join(f"{t.head.name} \u2014 {t.relation} \u2192 {t.tail.name}" for t in triplets[:3])
        names = self._names(rows)
        return self._finding(SUPPORTED, f"The graph has {facts or names}.", triplets)

    def refuted(self) -> Finding:
        """Refuted if the graph has something else in the place of a part, else not known."""
        form = self.reading.form
        if form.bound is not None:
            known, number = self._number(), words(_number_form(form))
            if known is None:
                return self._finding(UNKNOWN, f"The graph has no {number[:1].lower()}{number[1:]}.")
            return self._finding(REFUTED, f"{number} in the graph: {_spelt(known)}.")
        if form.whole is not None:
            return self._exceptions(form.whole, form.nodes)
        nodes = form.nodes
        for link in nodes.links:
            if (found := self._turned(nodes, link)) is not None:
                return found
        parts = list(_without_one(nodes))
        for rest, part in parts if nodes.entities else parts[:1]:
            if not self._rows(rest):
                rest = Nodes(nodes.label, nodes.entities)
            if rest.bare or not self._rows(rest):
                continue
            if (found := self._instead(rest, part, nodes)) is not None:
                return found
        exists = not nodes.entities and len(nodes.links) == 1 and not nodes.conditions and not nodes.within
        if exists and self._rows(nodes.links[0].other):
            return self._finding(REFUTED, f"The graph has none: {words(Form('nodes', nodes))}.")
        if (found := self._far_end(nodes)) is not None:
            return found
        if (wrong := next((e for e, label in _named_as(nodes) if e.label != label), None)) is not None:
            return self._finding(REFUTED, f"In the graph {wrong.name} is a {wrong.label}.")
        return self._finding(UNKNOWN, f"The graph does not have what decides it: {words(form)}.")

    def _all(self, form: Form) -> bool:
        rows = self._read(form)
        return bool(rows) and bool(rows[0]["value"])

    def _exceptions(self, whole: Nodes, nodes: Nodes) -> Finding:
        """Those of the whole set of which it is not so."""
        others = replace(whole, without=(*whole.without, nodes))
        rows = self._rows(others)
        if not rows:
            return self._finding(UNKNOWN, f"The graph has no {words(Form('nodes', whole)).lower()}.")
        return self._finding(REFUTED, f"It is not so of {self._names(rows)}.", self._support(whole, rows))

    # ---- parts ------------------------------------------------------------------------------------------------------

    def _instead(self, rest: Nodes, part: Nodes | Condition | Link, nodes: Nodes) -> Finding | None:
        match part:
            case Nodes():
                rows = self._rows(part)
                return self._finding(REFUTED, f"{words(Form('nodes', part))}: {self._names(rows)}.") if rows else None
            case Condition():
                return self._other_value(rest, part)
            case Link():
                return self._other_end(rest, part)

    def _other_value(self, rest: Nodes, part: Condition) -> Finding | None:
        name = part.property or (part.predicate.property if part.predicate else "")
        own = part.value or Value(name)
        values = self._values(rest, own)
        than = self._values(part.than, own) if part.than is not None else []
        if not values or (part.than is not None and not than):
            return None
        text = f"{words(Form('value', rest, own))} in the graph: {', '.join(map(_spelt, values[:MOST_NAMED]))}"
        if part.than is not None:
            text += f"; {words(Form('value', part.than, own))}: {_spelt(than[0])}"
        triplets = [Triplet(e, name, Entity(_spelt(v), _spelt(v), "value")) for e in rest.entities[:1] for v in values]
        return self._finding(REFUTED, f"{text[:1].upper()}{text[1:]}.", triplets[:MOST_NAMED])

    def _other_end(self, rest: Nodes, part: Link) -> Finding | None:
        if part.conditions:
            return self._other_edge_value(rest, part)
        back = turned(part.path, rest.label)
        others = [part.other] if part.count is not None else [Nodes(label) for label in self._ends(part.path)]
        reached = [other.linked(Link(back, rest)) for other in others]
        found = [(each, self._rows(each)) for each in reached]
        chosen, rows = next(((each, rows) for each, rows in found if rows), found[0])
        if part.count is None and {str(row["id"]) for row in rows} & {entity.id for entity in part.other.entities}:
            return None  # The graph has the claimed fact itself, on another way than the form's.
        if part.count is not None:
            return self._finding(REFUTED, f"The graph has {len(rows)}: {self._names(rows) or 'none'}.",
                                 self._support(chosen, rows))  # fmt: skip
        if not rows:
            if part.other.bare:
                return self._finding(REFUTED, f"The graph has none: {words(Form('nodes', chosen))}.")
            return None
        if not part.other.entities and not part.other.bare and not self._rows(part.other):
            return None
        triplets = self._support(chosen, rows)
        reason = f"{words(Form('nodes', chosen))} in the graph: {self._names(rows)}."
        return self._finding(REFUTED, reason, triplets)

    def _other_edge_value(self, rest: Nodes, part: Link) -> Finding | None:
        """The values that the relationship's property has instead."""
        name, link = part.conditions[0].property, replace(part, conditions=())
        rows = self._rows(rest.linked(link))
        found = self._read(Form("value", rest, Value(name, "max", link, part.path[-1].relation))) if rows else []
        values = list(dict.fromkeys(_spelt(row["value"]) for row in found))
        if not values:
            return None
        reason = f"The {spoken(name)} in the graph: {', '.join(values[:MOST_NAMED])}."
        return self._finding(REFUTED, reason, self._support(rest.linked(link), rows))

    def _ends(self, path: Path) -> list[str]:
        """The labels that the last relation of a path leads to, its own first."""
        last, relations = path[-1], self.lookup.context.tools.schema.relations
        ends = [r.target if last.forward else r.source for r in relations if r.type == last.relation]
        if last.either:
            ends += [r.source for r in relations if r.type == last.relation]
        return list(dict.fromkeys([last.target, *ends]))

    def _turned(self, nodes: Nodes, link: Link) -> Finding | None:
        """The reversed fact: "B is the sequel of A", "the film directed its director"."""
        if len(link.path) != 1 or link.path[0].either or not nodes.entities or not link.other.entities:
            return None
        step, label, far = link.path[0], nodes.entities[0].label, link.other.entities[0].label
        turned = replace(step, forward=not step.forward, target=far)
        other = Nodes(far, link.other.entities)
        reversed_ = Nodes(label, nodes.entities, links=(Link((turned,), other),))
        rows = self._rows(reversed_)
        if not rows:
            return None
        triplets = self._support(reversed_, rows)
        fact = (
            f"{triplets[0].head.name} \u2014 {triplets[0].relation} \u2192 {triplets[0].tail.name}" if triplets else ""
        )
        return self._finding(REFUTED, f"It is the other way round: {fact}.", triplets)

    def _far_end(self, nodes: Nodes) -> Finding | None:
        """Other things in the place of the named one, if the graph has all of them."""
        if not nodes.entities or not nodes.links or not self._is_complete(nodes):
            return None
        others = replace(nodes, entities=())
        rows = self._rows(others)
        if not rows or {str(row["id"]) for row in rows} & {entity.id for entity in nodes.entities}:
            return None
        reason = f"{words(Form('nodes', others))} in the graph: {self._names(rows)}."
        return self._finding(REFUTED, reason, self._support(others, rows))

    def _is_complete(self, nodes: Nodes) -> bool:
        """Whether the graph probably has all facts at the far end of a path.

        This is so if few nodes lead there (a film has few directors), or several do and nearly every node of that label
        has some (the cast of a film). The natives of a city, in contrast, are never complete.
        """
        tools, link = self.lookup.context.tools, nodes.links[0]
        if any(e.label != label for e, label in _named_as(nodes)):
            return True
        if tools.patterns is None:
            return False
        snapshot = tools.patterns.snapshot
        numbers = {name: number for number, name in enumerate(snapshot.relations)}
        ahead = back = 1.0
        for step in link.path:
            number, mask = numbers[step.relation], 1 if step.forward else 2
            ahead, back = ahead * snapshot.fan(number, mask), back * snapshot.fan(number, 3 - mask)
        if ahead <= _ONE and back > _FEW and not link.conditions:
            return False  # Each has one such fact at most, and this one has none: a service without a driver.
        last = link.path[-1]
        owners = int(snapshot.fans[2 * numbers[last.relation] + int(last.forward), 1])
        covered = owners / max(tools.schema.labels.get(link.other.label, 1), 1)
        return back <= (_SEVERAL if covered >= _NEARLY_ALL else _FEW) * ahead

    # ---- the graph --------------------------------------------------------------------------------------------------

    def _rows(self, nodes: Nodes) -> list[dict[str, Any]]:
        return self._read(Form("nodes", nodes))

    def _values(self, nodes: Nodes, value: Value) -> list[Any]:
        rows = self._read(Form("value", nodes, value))
        return [each for row in rows for each in (row["value"] if isinstance(row["value"], list) else [row["value"]])]

    def _number(self) -> float | None:
        rows = self._read(_number_form(self.reading.form))
        value = rows[0]["value"] if rows else None
        return None if value is None else float(value)

    def _read(self, form: Form) -> list[dict[str, Any]]:
        context = self.lookup.context
        query = query_of(form, context)
        return list(context.tools.store.read(query.cypher, query.parameters, context.limits(200)).records)

    def _support(self, nodes: Nodes, rows: Sequence[dict[str, Any]]) -> list[Triplet]:
        ids = [str(row["id"]) for row in rows[:MOST_NAMED]]
        triplets = support(nodes, ids, self.lookup.context)
        for each in nodes.conditions:
            name = each.property or (each.predicate.property if each.predicate else "")
            for entity in nodes.entities[:1] if name else ():
                values = self._values(Nodes(nodes.label, nodes.entities), Value(name))
                triplets += [Triplet(entity, name, Entity(_spelt(v), _spelt(v), "value")) for v in values[:1]]
        return triplets

    @staticmethod
    def _names(rows: Sequence[dict[str, Any]]) -> str:
        names = list(dict.fromkeys(str(row["name"]) for row in rows))
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        return ", ".join(names[:MOST_NAMED]) + more


def _number_form(form: Form) -> Form:
    """The number of which a form asks whether it is as said."""
    return replace(form, asks="number", bound=None)


def _without_one(nodes: Nodes) -> Iterator[tuple[Nodes, Nodes | Condition | Link]]:
    """Each part of a set, and the set without it."""
    for each in nodes.within:
        yield replace(nodes, within=tuple(other for other in nodes.within if other is not each)), each
    for condition in reversed(nodes.conditions):
        yield replace(nodes, conditions=tuple(c for c in nodes.conditions if c is not condition)), condition
    for link in reversed(nodes.links):
        yield replace(nodes, links=tuple(other for other in nodes.links if other is not link)), link


def _named_as(nodes: Nodes) -> Iterator[tuple[Entity, str]]:
    """Each entity of a form, and the label that the form gives it."""
    yield from ((entity, nodes.label) for entity in nodes.entities)
    for link in nodes.links:
        yield from _named_as(link.other)


def _compares(known: float, comparison: Comparison, said: float) -> bool:
    near = abs(known - said) <= 0.005 * abs(said) if not float(said).is_integer() else known == said
    return {
        "=": near, "<>": not near, ">": known > said, "<": known < said, ">=": known >= said, "<=": known <= said,
    }.get(comparison, False)  # fmt: skip


def _spelt(value: Any) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
