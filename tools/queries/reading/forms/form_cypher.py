"""A logical form as Cypher: what is asked of its sets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.queries.calculated import span
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Since, Value
from clew.tools.queries.reading.forms.order_cypher import applied, best_rows, listing, over, own_value, shares
from clew.tools.queries.reading.forms.period_cypher import days_apart, in_period, period_order
from clew.tools.queries.reading.forms.rendered import Rendered
from clew.tools.queries.reading.forms.set_cypher import SetRenderer
from clew.tools.queries.reading.forms.told_values import as_stored, told_values
from clew.tools.queries.reading.forms.wider_labels import Wider
from clew.tools.queries.space.query import Comparison

WITNESSES = 6
"""Nodes that are named with "yes, there are", and one more that tells whether there are more."""


def render(form: Form, terms: NodeTerms, wider: Wider) -> Rendered:
    """The query of a form; its rows have `id`, `name` and `label` for nodes, else `value`."""
    return _FormRenderer(terms, wider, dict(terms.parameters)).query(form)


@dataclass(slots=True)
class _FormRenderer(SetRenderer):
    """Writes what a form asks for behind the clauses of its sets."""

    def query(self, form: Form) -> Rendered:
        if form.versus is not None:
            return self._of_two(form, *form.versus)
        for value in (form.value, *form.columns, *([form.since.value] if form.since is not None else ())):
            self.collect_linked(value)
        since = None if form.since is None else self._earliest(form.since)
        node = self.set_of(form.nodes)
        if since is not None:
            return self._time_since(form, *since, node)
        kinds = {
            "value": self._value, "number": self._number, "groups": self._groups, "nodes": self._listed,
            "truth": self._truth,
        }  # fmt: skip
        return kinds[form.asks](form, node)

    def _of_two(self, form: Form, other: Form, comparison: Comparison) -> Rendered:
        """How two numbers compare, or by how much they differ; a number of nothing is missing."""
        written: list[str] = []
        for each, name in ((form, "WITH value AS one"), (other, "WITH one, value AS other")):
            self.lines, self.lists = [], []
            number = self.query(replace(each, asks="number", versus=None)).cypher
            written += [f"CALL {{ {number} }}", name]
        self.lines = written
        value = f"one {comparison} other" if form.asks == "truth" else "abs(one - other)"
        return self._rendered(f"RETURN {value} AS value", "difference")

    def _truth(self, form: Form, node: str) -> Rendered:
        """No row where all of none are asked about, a missing value where the number of nothing is."""
        if form.whole is not None:
            part, every = self._part_of(form.whole, node)
            return self._rendered(f"RETURN {part} = {every} AS value", "value")
        if form.bound is None and form.nodes.entities:
            return self._rendered(f"RETURN count({node}) > 0 AS value", "value")
        if form.bound is None:
            name = self.terms.name(node)
            self.lines.append(f"WITH DISTINCT {node} ORDER BY {name} LIMIT {WITNESSES}")
            return self._rendered(f"WITH collect({name}) AS named RETURN size(named) > 0 AS value, named", "value")
        comparison, number = form.bound
        counted = f"count(DISTINCT {node})" if form.value is None else self._over(form, form.value, node)
        self.lines.append(f"WITH {counted} AS number")
        said = f"number {comparison} {number!r}"
        if comparison == "=" and form.value is not None:  # As many decimals as were said.
            decimals = len(f"{number!r}".partition(".")[2].rstrip("0"))
            said = f"abs(number - {number!r}) <= {0.5 * 10**-decimals!r}"
        return self._rendered(f"RETURN {said} AS value", "value")

    def _listed(self, form: Form, node: str) -> Rendered:
        key, order = listing(form.nodes.order, self.terms.name("each"))
        told, limit = self._told(form, node), f" LIMIT {form.limit}" if form.limit else ""
        return self._rendered(f"RETURN {self._shown(node)}{key}{told}{order}{limit}", form.nodes.label)

    def _told(self, form: Form, node: str) -> str:
        """The values beside an answer, as one list."""
        values = [self._of(as_stored(each), node) for each in told_values(form)]
        return f", [{', '.join(values)}] AS told" if values else ""

    def _value(self, form: Form, node: str) -> Rendered:
        assert form.value is not None
        value, shown = self._of(as_stored(form.value), node), f"{self.terms.name(node)} AS of{self._told(form, node)}"
        given = "value <> []" if form.value.link is not None and form.value.function is None else "value IS NOT NULL"
        self.lines.append(f"WITH {node}, {value} AS value WHERE {given}")
        order = form.nodes.order
        first = f"value {order.way}, of" if order is not None and order.by == form.value else "of"
        return self._rendered(f"RETURN DISTINCT value, {shown} ORDER BY {first}", form.value.property or "number")

    def _earliest(self, since: Since) -> tuple[str, Since]:
        """The variable of the date from which a time is told."""
        node = self.set_of(since.nodes)
        own, name = self._of(since.value, node), self._name("since")
        if since.value.link is not None and since.value.function is None:
            own = f"head({own})"
        self.lines.append(f"WITH {self._kept}min({own}) AS {name}")
        self.lists.append(name)
        return name, since

    def _time_since(self, form: Form, name: str, since: Since, node: str) -> Rendered:
        """The time from one date to another."""
        assert form.value is not None
        own = self._of(form.value, node)
        if form.value.link is not None and form.value.function is None:
            own = f"head({own})"
        self.lines.append(
            f"WITH DISTINCT {node}, {name}, {own} AS until WHERE until IS NOT NULL AND {name} IS NOT NULL"
        )
        self.lines.append(f"WITH {node}, {span(since.unit, name, 'until')} AS value")
        return self._rendered(f"RETURN DISTINCT value, {self.terms.name(node)} AS of ORDER BY of", since.unit)

    def _number(self, form: Form, node: str) -> Rendered:
        if form.whole is not None:
            return self._share(form.whole, node)
        if form.group is not None:
            self._by_property(form, form.group, node)
            return self._rendered("RETURN count(name) AS value", f"number of {form.group}")
        if form.value is None:
            return self._rendered(f"RETURN count(DISTINCT {node}) AS value", f"number of {form.nodes.label}")
        number = self._over(form, form.value, node)
        return self._rendered(f"RETURN {number} AS value ORDER BY value", form.value.property or "number")

    def _over(self, form: Form, value: Value, node: str) -> str:
        """A function over the values of a set, as an expression."""
        self.lines.append(f"WITH DISTINCT {node}, {self._of(value, node)} AS own")
        if value.link is not None and value.function is None:  # Over all linked values, not one of each node.
            self.lines.append("UNWIND own AS each WITH each AS own")
        if form.function == "difference" and value.kind == "date":
            self.lines.append("WITH min(own) AS first, max(own) AS last")
            return days_apart("first", "last", value.period)
        return over(form.function, self.lines)

    def _groups(self, form: Form, node: str) -> Rendered:
        if form.group is not None:
            self._by_property(form, form.group, node)
            self.lines += shares("name") if form.function == "share" else []
            order = period_order("name", form.period) if form.period else "value DESC, name"
            if form.best:
                self.lines += best_rows(form.best, form.limit or 1)
                order = f"value {'DESC' if form.best == 'highest' else 'ASC'}, name"
            told = ", told" if form.columns else ""
            return self._rendered(f"RETURN name, value{told} ORDER BY {order}", form.group, "n")
        assert form.value is not None
        self.lines.append(f"WITH DISTINCT {node}, {self._of(form.value, node)} AS value")
        self.lines.append(f"WITH * WHERE value {'> 0' if form.value.function == 'count' else 'IS NOT NULL'}")
        self.lines += shares(node) if form.function == "share" else []
        return self._rendered(f"RETURN {self._shown(node)}, value ORDER BY value DESC, name", form.nodes.label, "n")

    def _by_property(self, form: Form, group: str, node: str) -> None:
        """Rows of the values of a property, as `name`, and their numbers, as `value`."""
        if form.group_edge and form.value is not None:
            self._by_relationship(form, form.value, group, node)
            return
        number, kept, owner = (count := f"count(DISTINCT {node})"), node, node
        if form.value is not None:
            self.lines.append(f"WITH DISTINCT {node}, {self._of(form.value, node)} AS own")
            number, kept = applied(form.function or "sum", "own"), f"{node}, own"
        elif form.columns:
            self.lines.append(f"WITH DISTINCT {node}")
        of = [each.property and applied(each.function or "sum", self._of(each, node)) for each in form.columns]
        told = f", [{', '.join(each or count for each in of)}] AS told" if of else ""
        if form.group_path:
            pattern, owner = self._pattern(node, Link(form.group_path, Nodes(form.group_path[-1].target)))
            self.lines += [f"MATCH {pattern}", f"WITH DISTINCT {kept}, {owner}"]
        named = f"{owner}.{quoted(group)}"
        if form.period:
            named = in_period(named, form.period)
        else:
            self.lines.append(f"UNWIND [] + {named} AS each")  # Of a list, each value makes a group.
            named = "each"
        self.lines.append(f"WITH {named} AS name, {number} AS value{told}")
        bound = "" if form.bound is None else f" AND value {form.bound[0]} {form.bound[1]!r}"
        self.lines.append(f"WITH * WHERE name IS NOT NULL AND value IS NOT NULL{bound}")

    def _by_relationship(self, form: Form, value: Value, group: str, node: str) -> None:
        """The same for a property of relationships."""
        assert value.link is not None
        match, end = self._matched(value.link, node, None)
        match, edge = self._with_edge(match, end, value.edge or "")
        number = applied(form.function or "count", edge if value.property is None else own_value(value, edge))
        self.lines += [match, f"WITH DISTINCT {edge}"]
        self.lines.append(f"WITH {in_period(f'{edge}.{quoted(group)}', form.period)} AS name, {number} AS value")
        self.lines.append("WITH * WHERE name IS NOT NULL AND value IS NOT NULL")

    def _shown(self, node: str) -> str:
        return f"{self.terms.id(node)} AS id, {self.terms.name(node)} AS name, {self.terms.label(node)} AS label"

    def _rendered(self, returning: str, *columns: str) -> Rendered:
        return Rendered("\n".join([*self.lines, returning]), self.parameters, columns)

    def _share(self, whole: Nodes, node: str) -> Rendered:
        """How many of a set are in another, in percent; no row where the set is empty."""
        part, every = self._part_of(whole, node)
        return self._rendered(f"RETURN round(10000.0 * {part} / {every}) / 100 AS value", "percent")

    def _part_of(self, whole: Nodes, node: str) -> tuple[str, str]:
        """The variables of the number of nodes and of those of the whole set; no row where that is empty."""
        part = self._name("part")
        self.lines.append(f"WITH count(DISTINCT {node}) AS {part}")
        self.lists.append(part)
        every = self.set_of(whole)
        self.lines.append(f"WITH {part}, count(DISTINCT {every}) AS every WHERE every > 0")
        return part, "every"
