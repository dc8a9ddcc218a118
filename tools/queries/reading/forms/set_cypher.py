"""The sets of a logical form as Cypher clauses. Names are quoted; values travel as parameters.

Sets are computed from the inside out. A set that only has to exist stands in an `EXISTS` subquery; an ordered set is
collected first, with all its ties, and the sets around it are matched against that list.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from clew.tools.graph.node_terms import NodeTerms
from clew.tools.queries.calculated import span, term
from clew.tools.queries.plans.predicates import condition
from clew.tools.queries.reading.forms.deep_cypher import AGAIN, every_step, one_step
from clew.tools.queries.reading.forms.form import DEEPEST, Condition, Link, Nodes, Order, Value
from clew.tools.queries.reading.forms.order_cypher import beside, compared, hardest, ordered, over_linked, own_value
from clew.tools.queries.reading.forms.period_cypher import in_period
from clew.tools.queries.reading.forms.wider_labels import Wider, narrowed, node_of
from clew.tools.queries.reading.forms.wider_relations import any_of


def _follows(link: Link, nodes: Nodes, place: int) -> bool:
    """Whether an open link follows from another one. In one pattern, both would need a relationship of their own."""
    others = [each for i, each in enumerate(nodes.links) if i != place and each.positive and not each.deep]
    if any(replace(each, conditions=()) == link != each for each in others):
        return True  # The same relationship, of which the other link says more.
    return link.open and any(
        each.path[: len(link.path)] == link.path and not (each.open and each.path == link.path) for each in others
    )


@dataclass(slots=True)
class SetRenderer:
    """Writes the clauses of sets one after the other, and collects the parameters."""

    terms: NodeTerms
    wider: Wider
    parameters: dict[str, Any]
    lines: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    """Variables of the nodes, or the value, of a set that was computed before."""
    collected: dict[Nodes, str] = field(default_factory=dict)
    than: dict[Condition, str] = field(default_factory=dict)
    edges: dict[str, str] = field(default_factory=dict)
    """The relationship variable of a path's end, where the relationship has conditions."""
    names: int = 0

    def set_of(self, nodes: Nodes) -> str:
        """Write the clauses that leave the nodes of a set, each once, in a variable; returns its name."""
        nested = self._nested(nodes)
        start = next((i for i, link in enumerate(nodes.links) if i not in nested and link.named), None)
        bound = {} if start is None else {start: self.set_of(nodes.links[start].other)}
        node = self._name("n")
        looked_up = self._looked_up(nodes, node)
        where = self._where(replace(nodes, entities=()) if looked_up else nodes, node, nested)
        patterns = self._patterns(nodes, node, where, nested, bound)
        if not looked_up:
            (first, *others), own = patterns or [f"({node})"], self._node(node, nodes.label)
            behind = first.removeprefix(f"({node})")
            patterns = [own + behind if behind != first else first.removesuffix(f"({node})") + own, *others]
        if patterns or where:
            matched = f"MATCH {', '.join(patterns)}" if patterns else "WITH *"
            self.lines.append(matched + (f" WHERE {' AND '.join(where)}" if where else ""))
        self.lines.append(f"WITH DISTINCT {self._kept}{node}")
        for each in nodes.conditions:
            if each.value is not None:
                alike = each.other and each.value.link is None
                own = self._of_alike(each, nodes.label, node) if alike else self._of(each.value, node)
                if each.other:
                    own, than = f"{own_value(replace(each.value, property=each.other), node)} - {own}", "0"
                elif each.beyond is not None:
                    own, than = f"{own} - {self._of(each.beyond, node)}", "0"
                else:
                    than = self.than[each] if each.predicate is None else f"${self._parameter(each.predicate.value)}"
                self.lines += compared(each, own, than, f"{self._kept}{node}")
        if nodes.order is not None:
            key = self._of(nodes.order.by, node)  # may write a clause of its own
            group = self._group(nodes.order, node)
            self.lines += ordered(nodes.order, node, key, self.terms.name(node), self._kept, group)
        return node

    def _group(self, order: Order, node: str) -> tuple[str, str] | None:
        """Of an order within groups: the clause that finds a node's group, and the group."""
        pattern, owner = self._pattern(node, Link(order.per, Nodes(order.per[-1].target))) if order.per else ("", node)
        group = term(owner, order.per_property) if order.per_property else owner
        group = in_period(group, order.per_period) if order.per_period else group
        return (f"MATCH {pattern} " if pattern else "", group) if order.grouped else None

    def _looked_up(self, nodes: Nodes, node: str) -> bool:
        """Bind a set to its entities through the index of ids, if they have one label."""
        labels = {entity.label for entity in nodes.entities}
        if len(labels) != 1 or not labels <= set(narrowed(nodes.label, self.wider)):
            return False
        ids = self._parameter([entity.id for entity in nodes.entities])
        self.lines.append(self.terms.by_ids(node, labels.pop(), ids))
        return True

    def _patterns(
        self, nodes: Nodes, node: str, where: list[str], nested: dict[int, str], bound: dict[int, str]
    ) -> list[str]:
        """The patterns of a set's links, those to sets that are bound already first; their conditions go to `where`."""
        patterns = []
        for i, link in sorted(enumerate(nodes.links), key=lambda each: each[0] not in bound):
            if link.positive and not _follows(link, nodes, i):
                pattern, end = self._pattern(node, link, bound.get(i, ""))
                patterns.append(pattern)
                where += self._on_edge(link, end) if i in bound else self._end(link, end, nested.get(i))
        return patterns

    def _nested(self, nodes: Nodes) -> dict[int, str]:
        """Sets among the linked ones that no pattern can hold, collected beforehand: place of the link → the list."""
        found = {}
        for i, link in enumerate(nodes.links):
            if link.other.needs_list:
                found[i] = self._collected(link.other)
        for each in (*nodes.without, *nodes.within, *nodes.either):
            if each.needs_list:
                self.collected[each] = self._collected(each)
        for condition_ in nodes.conditions:
            self.collect_linked(condition_.value)
            self.collect_linked(condition_.beyond)
            if condition_.than is not None:
                self._collect_value(condition_)
        self.collect_linked(nodes.order.by if nodes.order is not None else None)
        return found

    def collect_linked(self, value: Value | None) -> None:
        """Collect the set that a value is worked out over, if no pattern can hold it: before its owner is matched."""
        other = value.link.other if value is not None and value.link is not None else None
        if other is not None and other.needs_list and other not in self.collected:
            self.collected[other] = self._collected(other)

    def _collected(self, nodes: Nodes) -> str:
        node, name = self.set_of(nodes), self._name("s")
        self.lines.append(f"WITH {self._kept}collect(DISTINCT {node}) AS {name}")
        self.lists.append(name)
        return name

    def _collect_value(self, each: Condition) -> None:
        """Of several values the one that is hardest to pass."""
        assert each.than is not None
        node, name = self.set_of(each.than), self._name("v")
        own = self._of(each.value or Value(each.property), node)
        self.lines += hardest(each, own, node, name, self._kept)
        self.lists.append(name)
        self.than[each] = name

    @property
    def _kept(self) -> str:
        return "".join(f"{each}, " for each in self.lists)

    def _where(self, nodes: Nodes, node: str, nested: dict[int, str]) -> list[str]:
        where = [self._condition(each, node) for each in nodes.conditions if each.value is None]
        if nodes.entities:
            where.append(f"{self.terms.id(node)} IN ${self._parameter([e.id for e in nodes.entities])}")
        for i, link in enumerate(nodes.links):
            if link.negated:
                where.append(f"NOT {self._exists(link, node, nested.get(i))}")
            elif link.count is not None:
                comparison, number = link.count
                where.append(f"{self._count(link, node, nested.get(i))} {comparison} {number}")
        where += [f"NOT ({self._inside(each, node)})" for each in nodes.without]
        where += [self._inside(each, node) for each in nodes.within]
        where += [f"({' OR '.join(self._inside(each, node) for each in nodes.either)})"] if nodes.either else []
        return where

    def _inside(self, nodes: Nodes, node: str) -> str:
        return f"{node} IN {self.collected[nodes]}" if nodes in self.collected else self._exists_like(nodes, node)

    def _exists_like(self, nodes: Nodes, node: str) -> str:
        """That a node belongs to a set of its own label, as an expression."""
        where = self._where(nodes, node, {})
        for link in nodes.links:
            if not link.negated and link.count is None:
                where.append(self._exists(link, node, None))
        return " AND ".join(where) or "true"

    def _exists(self, link: Link, node: str, found: str | None) -> str:
        return f"EXISTS {{ {self._matched(link, node, found)[0]} }}"

    def _count(self, link: Link, node: str, found: str | None, edge: str | None = None) -> str:
        """The number of what a link leads to, or of its relationships, where `edge` is their type."""
        match, end = self._matched(link, node, found)
        if edge is not None:
            match, end = self._with_edge(match, end, edge)
        return f"COUNT {{ {match} RETURN DISTINCT {end} }}"

    def _with_edge(self, pattern: str, end: str, edge: str) -> tuple[str, str]:
        """A pattern with a variable for its relationship of a type, and the variable."""
        types = any_of(edge)
        if (known := self.edges.get(end)) and f"[{known}:{types}]" in pattern:
            return pattern, known
        name = self._name("r")
        return pattern.replace(f"[:{types}]", f"[{name}:{types}]", 1), name

    def _matched(self, link: Link, node: str, found: str | None) -> tuple[str, str]:
        """A clause that matches the far end of a link, and the end's variable."""
        pattern, end = self._pattern(node, link)
        where = self._end(link, end, found)
        return f"MATCH {pattern}" + (f" WHERE {' AND '.join(where)}" if where else ""), end

    def _end(self, link: Link, end: str, found: str | None) -> list[str]:
        """What must hold for the far end of a link, and for its relationship."""
        text = self._exists_like(link.other, end) if found is None else f"{end} IN {found}"
        return self._on_edge(link, end) + ([] if text == "true" else [text])

    def _on_edge(self, link: Link, end: str) -> list[str]:
        edge = self.edges.get(end, "")
        return [condition(each, edge, self._parameter(each.value)) for each in link.conditions]

    def _pattern(self, node: str, link: Link, bound: str = "") -> tuple[str, str]:
        """A path as a pattern from a node, and the variable of its end. Where that is bound already, the pattern begins
        there: ArcadeDB follows a pattern of several steps from its first node, be it any node of a label."""
        if link.deep and bound:
            steps, reached = every_step(link, bound, lambda: self._name("d"), self._kept)
            self.lines += steps
            return one_step(reached, link, node, AGAIN), reached
        text, end = f"({node})", node
        for i, hop in enumerate(link.path):
            last = i == len(link.path) - 1
            end = bound if last and bound else self._name("e")
            label = link.other.label if last else hop.target
            edge = self._name("r") if last and link.conditions else ""
            if edge:
                self.edges[end] = edge
            relation = f"-[{edge}:{any_of(hop.relation)}{f'*1..{DEEPEST}' if link.deep else ''}]-"
            far, forward = f"({end})" if end == bound else self._node(end, label), hop.forward != bool(bound)
            arrow = relation if hop.either else f"{relation}>" if forward else f"<{relation}"
            text = far + arrow + text if bound else text + arrow + far
        return text, end

    def _node(self, variable: str, label: str) -> str:
        return node_of(variable, narrowed(label, self.wider), self.terms)

    def _of(self, value: Value, node: str) -> str:
        if value.link is None:
            return own_value(value, node)
        collected = self.collected.get(value.link.other)
        if value.property is None:
            return self._count(value.link, node, collected, value.edge)
        pattern, end = self._pattern(node, value.link)
        owner, behind = end, ""
        if value.step is not None:
            behind, far = self._pattern(end, Link((value.step,), Nodes(value.step.target)))
            behind, owner = self._with_edge(behind, far, value.edge) if value.edge is not None else (behind, end)
        elif value.edge is not None:
            pattern, owner = self._with_edge(pattern, end, value.edge)
        pattern += behind.removeprefix(f"({end})")
        where = self._end(value.link, end, collected)
        text = f" WHERE {' AND '.join(where)}" if where else ""
        own = own_value(value, owner)
        if value.since is not None:
            ends = (own, term(node, value.since[0])) if value.since[2] else (term(node, value.since[0]), own)
            own = span(value.since[1], *ends)
        found = over_linked(value.function, own)
        kept = f"{node}, " if value.since is not None else ""
        name = self._name("linked") if any(" AS linked" in line for line in self.lines) else "linked"
        line = f"MATCH {pattern}{text} WITH DISTINCT {kept}{owner} RETURN {found} AS {name}"
        self.lines.append(f"CALL {{ WITH {self._kept if collected else ''}{node} {line} }}")
        return name

    def _of_alike(self, each: Condition, label: str, node: str) -> str:
        """The value over all nodes that have the same value of a property: the average of their type."""
        assert each.value is not None
        alike, name = self._name("a"), self._name("linked")
        same = f"{term(alike, each.property)} = {term(node, each.property)}"
        found = over_linked(each.value.function, own_value(each.value, alike))
        match = f"MATCH {self._node(alike, label)} WHERE {same} RETURN {found} AS {name}"
        self.lines.append(f"CALL {{ WITH {node} {match} }}")
        return name

    def _condition(self, each: Condition, node: str) -> str:
        text = self._compared(each, node)
        return f"NOT ({text})" if each.negated else text

    def _compared(self, each: Condition, node: str) -> str:
        if each.than is not None:
            return f"{term(node, each.property)} {each.comparison} {self.than[each]}"
        if each.other:
            there = self._pattern(node, Link(each.path, Nodes(each.path[-1].target))) if each.path else ("", node)
            return beside(each, node, *there)
        if each.predicate is not None:
            every = (each.predicate, *each.alternatives)
            parts = [condition(one, node, self._parameter(one.value)) for one in every]
            return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"
        own = term(node, each.property)
        if each.test in ("STARTS WITH", "ENDS WITH", "CONTAINS"):
            return f"toLower(toString({own})) {each.test} toLower(${self._parameter(each.text)})"
        return f"{own} {each.test}"

    def _parameter(self, value: Any) -> str:
        name = f"p{sum(1 for key in self.parameters if key.startswith('p'))}"
        self.parameters[name] = value
        return name

    def _name(self, kind: str) -> str:
        self.names += 1
        return f"{kind}{self.names}"
