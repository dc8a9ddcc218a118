"""Cypher as a logical form, so that a query can be put in words.

One MATCH whose relationships join its nodes as a tree, conditions that are joined by AND, and one column of nodes, of a
property or of a number have a form; other queries have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from clew.tools.cypher.lexer import Refused, Token, number_value, string_value, token_at
from clew.tools.cypher_repair.directions import Labels, possible_labels
from clew.tools.cypher_repair.query_parser import parse
from clew.tools.cypher_repair.syntax import Item, ParsedQuery, RelationshipPattern, Variable
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Schema
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Condition, Form, Function, Link, Nodes, Order, Step, Value

_COMPARISONS = frozenset({"=", "<>", "<", "<=", ">", ">="})
_FUNCTIONS: dict[str, Function] = {"COUNT": "count", "SUM": "sum", "AVG": "avg", "MIN": "min", "MAX": "max"}
_NAME = "name"


class NoWords(Exception):
    """A query has no logical form; the message says which part of it has none."""


def form_of_cypher(cypher: str, schema: Schema) -> Form:
    """The logical form of a query. Its entities have no ids. Raises NoWords."""
    try:
        query = parse(cypher.rstrip().removesuffix(";"))
    except Refused as error:
        raise NoWords(error.message) from None
    return _Reader(query, possible_labels(query, schema)).form()


@dataclass(eq=False)
class _Reader:
    query: ParsedQuery
    labels: Labels
    conditions: dict[Variable, list[Condition]] = field(default_factory=dict)
    names: dict[Variable, list[str]] = field(default_factory=dict)
    seen: set[Variable] = field(default_factory=set)

    def form(self) -> Form:
        self._check()
        for place, part in enumerate(self._conjuncts()):
            self._compare(part, place)
        for node in self.query.nodes:
            for key, first, last in node.properties.entries if node.properties else ():
                self._property(node.variable, self.query.tokens[key].name, "=", self.query.tokens[first:last])
        returned = self.query.projections[0]
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
        if order is not None and order.by.property != _NAME:
            nodes = replace(nodes, order=replace(order, limit=limit))
        elif limit is not None and function:
            raise NoWords("A limit of a number has no words.")
        if function:
            return Form("number", nodes, Value(inside) if inside else None, function)
        columns = [self.query.tokens[item.property].name for item in returned.items if item.property is not None]
        others = tuple(Value(name) for name in columns if name != _NAME)
        some = limit if order is None else None
        if head.property is None or self.query.tokens[head.property].name == _NAME:
            return Form("nodes", nodes, limit=some, columns=others)
        return Form("value", nodes, others[0], limit=some, columns=others[1:])

    def _check(self) -> None:
        query = self.query
        words = {token.upper for token in query.tokens}
        beyond = words & {"OPTIONAL", "WITH", "OR", "XOR", "NOT", "UNWIND", "UNION", "CASE", "SKIP", "EXISTS", "IN"}
        beyond -= {"WITH"} if len(query.projections) == 1 else set()
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

    def _conjuncts(self) -> Iterator[Sequence[Token]]:
        """The parts of WHERE that AND joins."""
        tokens, part, inside = self.query.tokens, list[Token](), False
        for token in tokens:
            if token.upper in ("WHERE", "MATCH", "RETURN", "AND"):
                if inside and part:
                    yield part
                part, inside = [], token.upper == "WHERE" or (token.upper == "AND" and inside)
            elif inside:
                part.append(token)

    def _compare(self, part: Sequence[Token], place: int) -> None:
        """Takes `variable.property = value`, or IS NULL."""
        variable = self._variable(part[0]) if len(part) > 3 and part[1].text == "." else None
        if variable is None:
            raise NoWords(f"The condition {' '.join(each.text for each in part)} has no words.")
        name, sign = part[2].name, part[3].upper
        if sign == "IS" and part[-1].upper == "NULL":
            test: Any = "IS NULL" if len(part) == 5 else "IS NOT NULL"
            self.conditions.setdefault(variable, []).append(Condition(test=test, property=name))
            return
        self._property(variable, name, sign, part[4:])

    def _property(self, variable: Variable, name: str, sign: str, value: Sequence[Token]) -> None:
        plain = _value(value)
        if plain is None or sign not in _COMPARISONS:
            raise NoWords(f"{name} {sign} {' '.join(each.text for each in value)} has no words.")
        if name == _NAME and sign == "=" and isinstance(plain, str):
            self.names.setdefault(variable, []).append(plain)
        else:
            predicate = Predicate(name, cast("Any", sign), plain)
            self.conditions.setdefault(variable, []).append(Condition(predicate, property=name))

    def _variable(self, token: Token) -> Variable | None:
        return next((each for each in self.query.variables if each.name == token.name), None)

    def _function(self, head: Item) -> tuple[Function | None, Variable | None, str]:
        """The function of the first column, with what it is of: nodes, or a property of them."""
        part = self.query.tokens[head.first : head.last]
        function = _FUNCTIONS.get(part[0].upper)
        if function is None or len(part) < 4:
            return None, None, ""
        if part[2].upper == "DISTINCT" and function != "count":
            raise NoWords("Only count(DISTINCT …) has words.")
        inside = [each for each in part[2:-1] if each.upper != "DISTINCT"]
        variable = self._variable(inside[0])
        if function == "count" and inside[0].text == "*" and len(self.query.chains[0].nodes) == 1:
            variable = self.query.chains[0].nodes[0].variable
        name = inside[2].name if len(inside) == 3 and inside[1].text == "." else ""
        if variable is None or (function == "count") == bool(name):
            raise NoWords(f"{' '.join(each.text for each in part)} has no words.")
        return function, variable, name

    def _once(self, nodes: Nodes, head: Item) -> bool:
        """Whether a function is of every node once."""
        distinct = any(each.upper == "DISTINCT" for each in self.query.tokens[head.first : head.last])
        named = all(link.other.entities and not link.other.links for link in nodes.links)
        return named or (distinct and self.query.tokens[head.first].upper == "COUNT")

    def _tail(self, root: Variable) -> tuple[Order | None, int | None]:
        """ORDER BY and LIMIT."""
        end = self.query.projections[0].items_end
        rest = self.query.tokens[end:]
        order, limit = None, None
        if rest and rest[0].upper == "ORDER":
            if len(rest) < 5 or self._variable(rest[2]) is not root or rest[3].text != ".":
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
                        links.append(Link((step,), other))
        names = self.names.get(variable, [])
        if len(names) > 1:
            raise NoWords("One node has two names in it.")
        entities = tuple(Entity("", name, label) for name in names)
        return Nodes(label, entities, tuple(self.conditions.get(variable, ())), tuple(links))

    def _label(self, variable: Variable) -> str:
        named = [label.name for node in variable.nodes for label in node.labels]
        found = list(dict.fromkeys(named)) or sorted(self.labels.get(variable) or ())
        if len(found) != 1:
            raise NoWords(f"{variable.name or 'A node'} needs one label.")
        return found[0]


def _value(part: Sequence[Token]) -> str | int | float | bool | None:
    if len(part) == 1:
        token = part[0]
        if token.kind == "string":
            return string_value(token)
        return {"TRUE": True, "FALSE": False}.get(token.upper, number_value(token.text))
    if len(part) == 2 and part[0].text == "-" and (number := number_value(part[1].text)) is not None:
        return -number
    return None


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
    conditions = [
        replace(each, predicate=replace(each.predicate, kind=None) if each.predicate else None, property=_name(each))
        for each in nodes.conditions
    ]
    return replace(
        nodes,
        entities=tuple(sorted((replace(e, id="") for e in nodes.entities), key=repr)),
        conditions=tuple(sorted(conditions, key=repr)),
        links=tuple(sorted(links, key=repr)),
        order=replace(nodes.order, by=replace(nodes.order.by, kind=""), ties=False) if nodes.order else None,
    )


def _name(each: Condition) -> str:
    return each.property or (each.predicate.property if each.predicate else "")
