"""Cypher as a logical form, so that a query can be put in words.

One MATCH whose relationships join its nodes as a tree, conditions that are joined by AND (`cypher_conditions`), and one
column of nodes, of a property or of a number have a form, and a number for each node or for each value of a property;
other queries have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from clew.tools.cypher.lexer import Refused, number_value, token_at
from clew.tools.cypher_repair.directions import Labels, possible_labels
from clew.tools.cypher_repair.query_parser import parse
from clew.tools.cypher_repair.syntax import Item, ParsedQuery, RelationshipPattern, Variable
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Schema
from clew.tools.queries.cypher_conditions import NAME, CypherConditions
from clew.tools.queries.cypher_conditions import NoWords as NoWords
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Step, Value
from clew.tools.queries.reading.forms.functions import Function

_FUNCTIONS: dict[str, Function] = {"COUNT": "count", "SUM": "sum", "AVG": "avg", "MIN": "min", "MAX": "max"}


def form_of_cypher(cypher: str, schema: Schema) -> Form:
    """The logical form of a query. Its entities have no ids. Raises NoWords."""
    try:
        query = parse(cypher.rstrip().removesuffix(";"))
    except Refused as error:
        raise NoWords(error.message) from None
    return _Reader(query, possible_labels(query, schema), CypherConditions(query)).form()


@dataclass(eq=False)
class _Reader:
    query: ParsedQuery
    labels: Labels
    given: CypherConditions
    seen: set[Variable] = field(default_factory=set)

    def form(self) -> Form:
        self._check()
        self.given.read()
        returned = self.query.projections[0]
        if (grouped := self._groups(returned.items)) is not None:
            return grouped
        variables = {item.variable for item in returned.items if item.variable is not None}
        head = returned.items[0]
        function, counted, inside = self._function(head)
        root = counted if counted is not None else head.variable
        if root is None or root.kind != "node" or len(variables | {root}) > 1 or (function and len(returned.items) > 1):
            raise NoWords("It returns more than one kind of thing.")
        order, limit = self._tail(root)
        nodes = self._nodes(root, None)
        if function and not self._once(nodes, head):
            raise NoWords("It counts a node as often as it is matched; count(DISTINCT …) has words.")
        if self.seen != set(self.query.variables):
            raise NoWords("Its patterns do not hang together.")
        if nodes.entities and not (function or nodes.conditions or nodes.links or head.property):
            raise NoWords("It only looks a node up by its name.")
        if order is not None and order.by.property != NAME:
            nodes = replace(nodes, order=replace(order, limit=limit))
        elif limit is not None and function:
            raise NoWords("A limit of a number has no words.")
        if function:
            return Form("number", nodes, Value(inside) if inside else None, function)
        columns = [self.query.tokens[item.property].name for item in returned.items if item.property is not None]
        others = tuple(Value(name) for name in columns if name != NAME)
        some = limit if order is None else None
        if head.property is None or self.query.tokens[head.property].name == NAME:
            return Form("nodes", nodes, limit=some, columns=others)
        return Form("value", nodes, others[0], limit=some, columns=others[1:])

    def _groups(self, items: Sequence[Item]) -> Form | None:
        """The form of a number for each node or value of a property; None where something else is returned."""
        measured = [each for each in items if self._function(each)[0]]
        if len(items) != 2 or len(measured) != 1:
            return None
        function, of, name = self._function(measured[0])
        group = next(each for each in items if each is not measured[0])
        if of is None or group.variable is None or group.variable.kind != "node" or self._is_cut():
            raise NoWords("It gives numbers, and not all of them, or not for each node or value.")
        shown = self.query.tokens[group.property].name if group.property is not None else NAME
        if group.variable is of:
            nodes = self._nodes(of, None)
            form = Form("groups", nodes, Value(name) if name else None, function, shown)
            counts_once = self._once(nodes, measured[0])
        else:
            nodes = self._nodes(group.variable, None)
            link = nodes.links[0] if len(nodes.links) == 1 else None
            if link is None or shown != NAME or link.negated or of not in self._ends(group.variable):
                raise NoWords("What it counts is more than one relationship away.")
            form = Form("groups", nodes, Value(name or None, function, link))
            counts_once = not link.other.links or self._is_distinct(measured[0])
        if not counts_once or self.seen != set(self.query.variables):
            raise NoWords("It counts a node as often as it is matched; count(DISTINCT …) has words.")
        return form

    def _is_cut(self) -> bool:
        rest = self.query.tokens[self.query.projections[0].items_end :]
        return any(token.upper == "LIMIT" for token in rest)

    def _ends(self, variable: Variable) -> set[Variable]:
        """What one relationship joins with a node."""
        pairs = [
            (chain.nodes[place].variable, chain.nodes[place + 1].variable)
            for chain in self.query.chains
            for place in range(len(chain.relationships))
        ]
        return {b if a is variable else a for a, b in pairs if variable in (a, b)}

    def _check(self) -> None:
        query = self.query
        words = {token.upper for token in query.tokens}
        beyond = words & {"OPTIONAL", "XOR", "UNWIND", "UNION", "CASE", "SKIP", "EXISTS"}
        if beyond or query.subqueries or query.procedures or query.parameters or len(query.projections) != 1:
            raise NoWords(f"{', '.join(sorted(beyond)) or 'Its structure'} has no words here.")
        if query.projections[0].star:
            raise NoWords("RETURN * says not what it asks for.")
        clauses = {chain.clause for chain in query.chains}
        if not clauses or any(chain.nested or chain.shortest for chain in query.chains):
            raise NoWords("It has a pattern within an expression, or no pattern at all.")
        if any(each.star or each.properties or len(each.types) != 1 for each in query.relationships):
            raise NoWords("A relationship needs exactly one type, and neither a length nor properties.")
        if any(each.conditioned for each in query.nodes):
            raise NoWords("A condition within a pattern has no words here.")

    def _function(self, head: Item) -> tuple[Function | None, Variable | None, str]:
        """The function of the first column, with what it is of: nodes, or a property of them."""
        part = self.query.tokens[head.first : head.last]
        function = _FUNCTIONS.get(part[0].upper)
        if function is None or len(part) < 4:
            return None, None, ""
        if part[2].upper == "DISTINCT" and function != "count":
            raise NoWords("Only count(DISTINCT …) has words.")
        inside = [each for each in part[2:-1] if each.upper != "DISTINCT"]
        variable = self.given.variable(inside[0])
        if function == "count" and inside[0].text == "*" and len(self.query.chains[0].nodes) == 1:
            variable = self.query.chains[0].nodes[0].variable
        name = inside[2].name if len(inside) == 3 and inside[1].text == "." else ""
        if variable is None or (function == "count") == bool(name):
            raise NoWords(f"{' '.join(each.text for each in part)} has no words.")
        return function, variable, name

    def _once(self, nodes: Nodes, head: Item) -> bool:
        """Whether a function is of every node once."""
        named = all(link.negated or (link.other.entities and not link.other.links) for link in nodes.links)
        return named or self._is_distinct(head)

    def _is_distinct(self, head: Item) -> bool:
        part = self.query.tokens[head.first : head.last]
        return part[0].upper == "COUNT" and any(each.upper == "DISTINCT" for each in part)

    def _tail(self, root: Variable) -> tuple[Order | None, int | None]:
        """ORDER BY and LIMIT."""
        end = self.query.projections[0].items_end
        rest = self.query.tokens[end:]
        order, limit = None, None
        if rest and rest[0].upper == "ORDER":
            if len(rest) < 5 or self.given.variable(rest[2]) is not root or rest[3].text != ".":
                raise NoWords("Only an order by a property of what is returned has words.")
            way = token_at(rest, 5).upper
            order = Order(Value(rest[4].name), way in ("DESC", "DESCENDING"), None)
            rest = rest[6 if way in ("DESC", "DESCENDING", "ASC", "ASCENDING") else 5 :]
        if (
            rest
            and rest[0].upper == "LIMIT"
            and len(rest) == 2
            and isinstance(found := number_value(rest[1].text), int)
        ):
            limit, rest = found, []
        if rest:
            raise NoWords(f"{' '.join(each.text for each in rest)} has no words.")
        return order, limit

    def _nodes(self, variable: Variable, via: RelationshipPattern | None) -> Nodes:
        """The set of a variable, with all that hangs on it but what it was reached by."""
        if variable in self.seen:
            raise NoWords("Its patterns go round in a circle.")
        self.seen.add(variable)
        label = self._label(variable)
        links = []
        for chain in self.query.chains:
            for place, each in enumerate(chain.relationships):
                start, end = chain.nodes[place].variable, chain.nodes[place + 1].variable
                for here, there, forward in ((start, end, each.right), (end, start, each.left)):
                    if here is variable and each is not via:
                        other = self._nodes(there, each)
                        step = Step(each.types[0].name, forward or not each.directed, other.label, not each.directed)
                        links.append(Link((step,), other, negated=self.given.patterns.get(chain, False)))
        names = self.given.names.get(variable, [()])
        if len(names) > 1:
            raise NoWords("One node has two names in it.")
        entities = tuple(Entity("", name, label) for name in names[0])
        return Nodes(label, entities, tuple(self.given.conditions.get(variable, ())), tuple(links))

    def _label(self, variable: Variable) -> str:
        named = [label.name for node in variable.nodes for label in node.labels]
        found = list(dict.fromkeys(named)) or sorted(self.labels.get(variable) or ())
        if len(found) != 1:
            raise NoWords(f"{variable.name or 'A node'} needs one label.")
        return found[0]


def same_form(one: Form, other: Form) -> bool:
    """Whether two forms ask the same, however their parts are ordered and their answers sorted or cut off; entities are
    compared by name and label."""
    return _bare(one) == _bare(other)


def _bare(form: Form) -> Form:
    nodes, value = _plain(form.nodes), form.value
    if nodes.order is not None and nodes.order.limit is None:
        nodes = replace(nodes, order=None)
    kept = replace(value, kind="number") if value is not None else None
    return replace(form, nodes=nodes, value=kept, columns=(), limit=None)


def _plain(nodes: Nodes) -> Nodes:
    links = []
    for link in nodes.links:
        other = link.other
        for place in range(len(link.path) - 1, 0, -1):
            other = Nodes(
                link.path[place - 1].target, links=(replace(link, path=link.path[place:][:1], other=_plain(other)),)
            )
        links.append(replace(link, path=link.path[:1], other=_plain(other)))
    conditions = [_plain_condition(each) for each in nodes.conditions]
    return replace(
        nodes,
        entities=tuple(sorted((replace(e, id="") for e in nodes.entities), key=repr)),
        conditions=tuple(sorted(conditions, key=repr)),
        links=tuple(sorted(links, key=repr)),
        order=replace(nodes.order, by=replace(nodes.order.by, kind=""), ties=False) if nodes.order else None,
    )


def _plain_condition(each: Condition) -> Condition:
    given = [replace(p, kind=None) for p in (each.predicate, *each.alternatives) if p is not None]
    if not given:
        return replace(each, predicate=None, alternatives=())
    first, *others = sorted(given, key=repr)
    return replace(each, predicate=first, alternatives=tuple(others), property=each.property or first.property)
