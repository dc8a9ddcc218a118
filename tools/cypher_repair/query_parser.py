"""Parsing of a whole query: its clauses, and the variables in the scope of each."""

from __future__ import annotations

from clew.tools.cypher.lexer import Refused, code_tokens
from clew.tools.cypher_repair.expression_parser import ExpressionParser
from clew.tools.cypher_repair.syntax import Environment, Item, ParsedQuery, Projection, Variable

_BEGINNINGS = frozenset({"MATCH", "OPTIONAL", "UNWIND", "WITH", "CALL", "RETURN"})
_AGGREGATES = frozenset({
    "count", "sum", "avg", "min", "max", "collect", "stdev", "stdevp", "percentilecont", "percentiledisc",
})  # fmt: skip
_COMMA, _ITEM = frozenset({","}), frozenset({",", "AS"})


def parse(cypher: str) -> ParsedQuery:
    """The patterns and projections of a query. Raises Refused if any part of it is not understood."""
    query = ParsedQuery(cypher, code_tokens(cypher))
    if not query.tokens:
        raise Refused("The query is empty.", cypher=cypher)
    _QueryParser(query).whole()
    query.link_variables()
    return query


class _QueryParser(ExpressionParser):
    """Parses clauses."""

    _clauses = 0
    _depth = 0

    def whole(self) -> None:
        self._query({})
        if self.peek().kind:
            raise self.refusal("no clause begins here")
        if not self.query.projections or self.query.projections[-1].keyword != "RETURN":
            raise Refused("The query has no RETURN at its end.", cypher=self.query.cypher)

    def subquery(self, environment: Environment) -> None:
        """Parse `{ … }`: a query, or only patterns."""
        self.expect("{")
        self._depth += 1
        inner = dict(environment)
        if self.peek().upper in _BEGINNINGS:
            self._query(inner)
        else:
            self._patterns(inner)
            if self.skip("WHERE"):
                self.value(inner, frozenset())
        self._depth -= 1
        self.expect("}")

    def _query(self, outer: Environment) -> Environment:
        """Parse the clauses up to a closing brace or the end; returns the columns of the last RETURN."""
        environment = dict(outer)
        while (token := self.peek()).kind and token.upper != "}":
            match token.upper:
                case "MATCH" | "OPTIONAL":
                    self._match(environment)
                case "WHERE":
                    self.take()
                    self.value(environment, frozenset())
                case "WITH" | "RETURN":
                    environment = self._projection(environment)
                    if token.upper == "RETURN" and self.peek().kind and self.peek().upper not in {"}", "UNION"}:
                        raise self.refusal("nothing but UNION may follow RETURN")
                case "UNWIND":
                    self._unwind(environment)
                case "CALL":
                    self._call_clause(environment)
                case "UNION":
                    self._union()
                    environment = dict(outer)
                case _:
                    raise self.refusal("no clause begins here")
        return environment

    def _match(self, environment: Environment) -> None:
        self.skip("OPTIONAL")
        self.expect("MATCH")
        self._patterns(environment)
        if self.sees("WHERE"):
            self.query.wheres.append(self._clauses)
        elif self.peek().kind and not self.at_clause() and not self.sees("}"):
            raise self.refusal("the pattern is not understood")

    def _patterns(self, environment: Environment) -> None:
        self._clauses += 1
        while True:
            self._one_pattern(environment)
            if not self.skip(","):
                return

    def _one_pattern(self, environment: Environment) -> None:
        if self.peek().is_name and self.peek(1).upper == "=":
            name = self.take_name().name
            environment[name] = Variable(name)
            self.take()
        if self.peek().upper in {"SHORTEST", "ANY", "ALL"} and self.peek(1).upper != "(":
            raise self.refusal("path selectors are not understood here, shortestPath((a)-[*]-(b)) is")
        shortest = self.peek().upper in {"SHORTESTPATH", "ALLSHORTESTPATHS"}
        if shortest:
            self.take()
            self.expect("(")
        elif self.sees("(", "("):
            raise self.refusal("patterns in brackets are not understood, *1..3 is")
        chain = self.chain(environment, self._clauses)
        chain.nested, chain.shortest = self._depth > 0, shortest
        if shortest:
            self.expect(")")
        if self.peek().upper in {"+", "{", "*"}:
            raise self.refusal("quantified patterns are not understood, *1..3 is")

    def _projection(self, environment: Environment) -> Environment:
        found = Projection(self.peek().upper, self.take())
        found.distinct = self.skip("DISTINCT")
        given: Environment = {}
        if self.skip("*"):
            found.star = True
            given |= environment
            self.skip(",")
        while self.peek().kind and not self.at_clause() and not self.sees("}"):
            item = self._item(environment)
            found.items.append(item)
            name = item.alias or self.tokens[item.first]
            same = item.variable is not None and item.property is None
            if name.is_name and (item.alias or same):
                given[name.name] = item.variable if same and item.variable else Variable(name.name)
            if not self.skip(","):
                break
        found.items_end = self.at
        if not found.items and not found.star:
            raise self.refusal(f"{found.keyword} has nothing to give")
        self._tail(found, environment | given)
        if self._depth == 0:
            self.query.projections.append(found)
        if found.keyword == "WITH" and self.skip("WHERE"):
            self.value(environment | given, frozenset())
        return given

    def _item(self, environment: Environment) -> Item:
        first, before = self.at, len(self.query.functions)
        self.value(environment, _ITEM)
        last = self.at
        if first == last:
            raise self.refusal("a column is missing")
        alias = self.take_name() if self.skip("AS") else None
        variable, place = None, None
        head = self.tokens[first]
        if head.is_name and (last - first == 1 or (last - first == 3 and self.tokens[first + 1].text == ".")):
            variable = environment.get(head.name)
            place = first + 2 if last - first == 3 else None
        aggregates = bool(_AGGREGATES.intersection(self.query.functions[before:]))
        return Item(first, last, alias, variable, place, aggregates)

    def _tail(self, found: Projection, environment: Environment) -> None:
        """Parse ORDER BY, SKIP and LIMIT."""
        if self.skip("ORDER", "BY"):
            self.value(environment, _COMMA)
            while self.skip(","):
                self.value(environment, _COMMA)
        while self.skip("SKIP") or self.skip("OFFSET") or self.skip("LIMIT"):
            found.limited = True
            self.value(environment, frozenset())

    def _unwind(self, environment: Environment) -> None:
        self.take()
        self.query.unwinds += 1
        self.value(environment, frozenset({"AS"}))
        self.expect("AS")
        name = self.take_name().name
        environment[name] = Variable(name)

    def _call_clause(self, environment: Environment) -> None:
        self.take()
        if self.sees("{") or self.sees("("):
            self._call_subquery(environment)
            return
        self.query.procedures.append(self._procedure())
        if self.sees("("):
            self._arguments(environment)
        if self.skip("YIELD"):
            self._yielded(environment)

    def _call_subquery(self, environment: Environment) -> None:
        self.query.subqueries += 1
        imported: Environment = {}
        if self.skip("("):
            while not self.sees(")"):
                if self.skip("*"):
                    imported |= environment
                else:
                    name = self.take_name().name
                    imported |= {name: environment[name]} if name in environment else {}
                self.skip(",")
            self.expect(")")
        self.expect("{")
        self._depth += 1
        given = self._query(environment if self.sees("WITH") else imported)
        self._depth -= 1
        self.expect("}")
        environment |= given

    def _procedure(self) -> str:
        name = self.take_name().name
        while self.skip("."):
            name += f".{self.take_name().name}"
        return name.lower()

    def _yielded(self, environment: Environment) -> None:
        while True:
            if not self.skip("*"):
                name = self.take_name().name
                name = self.take_name().name if self.skip("AS") else name
                environment[name] = Variable(name)
            if not self.skip(","):
                return

    def _union(self) -> None:
        self.take()
        if not self.skip("ALL"):
            self.skip("DISTINCT")
        if not self.peek().kind or self.peek().upper == "}":
            raise self.refusal("no query follows UNION")
        if self._depth == 0:
            self.query.unions += 1
