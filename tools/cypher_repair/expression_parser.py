"""Parsing of expressions, to find their patterns, subqueries, properties, labels and parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.tools.cypher.lexer import Refused
from clew.tools.cypher_repair.pattern_parser import PatternParser
from clew.tools.cypher_repair.syntax import Chain, Environment, PatternCall, Variable, VariableUse

_SUBQUERIES = frozenset({"EXISTS", "COUNT", "COLLECT"})
_WITH_PATTERN = frozenset({"size", "exists"})
_SHORTEST = frozenset({"shortestpath", "allshortestpaths"})
_OPERATORS = frozenset({
    "AND", "OR", "XOR", "NOT", "IN", "IS", "NULL", "STARTS", "ENDS", "WITH", "CONTAINS", "CASE", "WHEN", "THEN", "ELSE",
    "END", "TRUE", "FALSE", "DISTINCT", "ASC", "DESC", "ASCENDING", "DESCENDING", "ALL", "NORMALIZED",
})  # fmt: skip
_NO_FUNCTIONS = _OPERATORS - {"ALL"}
_CLOSING = frozenset({")", "]", "}"})
_COMMA = frozenset({","})


class ExpressionParser(PatternParser):
    """Parses expressions; `subquery` parses the query inside a subquery."""

    def subquery(self, environment: Environment) -> None:
        """Parse `{ … }`."""
        raise NotImplementedError

    def value(self, environment: Environment, stops: frozenset[str]) -> None:
        """Parse an expression: up to a closing bracket, a clause, or one of the `stops` at its own depth."""
        while (token := self.peek()).kind:
            if token.upper in _CLOSING or token.upper in stops or self.at_clause():
                return
            self._step(environment)

    def _step(self, environment: Environment) -> None:
        token = self.peek()
        if token.upper == "(":
            self._round(environment)
        elif token.upper == "[":
            self._square(environment)
        elif token.upper == "{":
            self._curly(environment)
        elif token.upper == "$":
            self.take()
            self.query.parameters.append(self._parameter())
        elif token.is_name and self.peek(-1).upper != ".":
            self._word(environment)
        else:
            self.take()

    def _parameter(self) -> str:
        token = self.peek()
        if token.kind == "number":
            return self.tokens[self.take()].text
        return self.take_name().name

    def _word(self, environment: Environment) -> None:
        token = self.peek()
        if token.upper in _SUBQUERIES and self.peek(1).upper == "{":
            self.take()
            self.subquery(environment)
        elif self.peek(1).upper == "(" and token.upper not in _NO_FUNCTIONS:
            self._call(environment)
        elif token.kind == "word" and token.upper in _OPERATORS and token.text not in environment:
            self.take()
        elif self.peek(1).upper == "." and self.peek(2).is_name:
            self._dotted(environment)
        elif self.peek(1).upper == ":" and self.peek(2).is_name:
            variable = environment.get(token.name)
            self.at += 2
            self._label_names(variable)
        elif self.peek(1).upper == "{":
            self.take()
            self._projection_map(environment, environment.get(token.name))
        else:
            self.take()

    def _label_names(self, variable: Variable | None) -> None:
        """Parse the labels of `n:A:B` or `n:A|B`, from the first name on."""
        while True:
            if variable is not None:
                self.query.label_uses.append(VariableUse(variable, self.at))
            self.take_name()
            if not (self.peek().upper in {":", "&"} or (self.sees("|") and self.peek(1).is_name and self._labels_on())):
                return
            self.take()

    def _labels_on(self) -> bool:
        """Whether `|` joins labels; in a comprehension it ends the condition."""
        return self._comprehensions == 0

    _comprehensions = 0

    def _dotted(self, environment: Environment) -> None:
        """Parse `variable.property`, or a function with a namespace."""
        variable = environment.get(self.peek().name)
        end = 2
        while self.peek(end + 1).upper == "." and self.peek(end + 2).is_name:
            end += 2
        if self.peek(end + 1).upper == "(" and variable is None:
            name = "".join(self.peek(i).name if i % 2 == 0 else "." for i in range(end + 1))
            self.query.functions.append(name.lower())
            self.at += end + 1
            self._round(environment)
            return
        if variable is not None:
            self.query.property_uses.append(VariableUse(variable, self.at + 2))
        self.at += 3

    def _call(self, environment: Environment) -> None:
        """Parse a function call with its arguments."""
        first = self.at
        name = self.tokens[self.take()].name.lower()
        self.query.functions.append(name)
        if name in _SHORTEST:
            self.expect("(")
            self.chain(dict(environment)).shortest = True
            self.expect(")")
            return
        if name in _WITH_PATTERN and self.peek(1).upper == "(":
            self.take()
            if self._pattern(environment):
                self.query.calls.append(PatternCall(name, first, self.expect(")"), True))
                return
            self.at -= 1
        self._arguments(environment)
        is_property = self.at - first == 6 and self.peek(-3).upper == "."
        if name == "exists" and is_property:
            self.query.calls.append(PatternCall(name, first, self.at - 1, False))

    def _round(self, environment: Environment) -> None:
        """Parse a pattern, or an expression in parentheses."""
        if not self._pattern(environment):
            self._arguments(environment)

    def _pattern(self, environment: Environment) -> bool:
        """Parse a pattern of two or more nodes, if there is one. If the tokens look like a pattern but cannot be
        parsed, the query is refused, because it would run without the corrections that patterns need."""
        found = self._attempt(dict(environment), lambda chain: bool(chain.relationships))
        if not found and self._looks_like_pattern():
            raise self.refusal("a pattern is not understood")
        return found

    def _looks_like_pattern(self) -> bool:
        """Whether the start of a relationship follows after the closing parenthesis."""
        start, depth = self.at, 0
        for place in range(start, len(self.tokens)):
            text = self.tokens[place].upper
            depth += (text in {"(", "[", "{"}) - (text in _CLOSING)
            if depth == 0:
                self.at = place + 1
                found = self.at_relationship() and not (self.sees("-", "[") and not self._is_relationship())
                self.at = start
                return found
        return False

    def _is_relationship(self) -> bool:
        """Whether `-[` starts a relationship (`-[…]-`), and not a subtraction of a list."""
        depth = 0
        for place in range(self.at + 1, len(self.tokens)):
            text = self.tokens[place].upper
            depth += (text == "[") - (text == "]")
            if depth == 0:
                return place + 1 < len(self.tokens) and self.tokens[place + 1].upper == "-"
        return True

    def _arguments(self, environment: Environment) -> None:
        self.expect("(")
        self._listed(self._local(environment), ")")
        self.expect(")")

    def _square(self, environment: Environment) -> None:
        """Parse a list, a comprehension, an index or a slice."""
        self.take()
        self._comprehensions += 1
        if self._pattern_comprehension(environment):
            self._comprehensions -= 1
            return
        self._listed(self._local(environment), "]")
        self._comprehensions -= 1
        self.expect("]")

    def _pattern_comprehension(self, environment: Environment) -> bool:
        start = self.at
        named = self.peek().is_name and self.peek(1).upper == "=" and self.peek(2).upper == "("
        inner = dict(environment)
        if named:
            inner[self.peek().name] = Variable(self.peek().name)
            self.at += 2
        if not self.sees("("):
            self.at = start
            return False
        if not self._attempt(inner, lambda chain: bool(chain.relationships) and (self.sees("WHERE") or self.sees("|"))):
            self.at = start
            return False
        if self.skip("WHERE"):
            self.value(inner, frozenset({"|"}))
        self.expect("|")
        self.value(inner, frozenset())
        self.expect("]")
        return True

    def _listed(self, environment: Environment, closing: str) -> None:
        """Parse values up to a closing bracket, separated by commas, `|`, `..` and WHERE."""
        while self.peek().kind and not self.sees(closing):
            place = self.at
            self.value(environment, frozenset({",", "|"}))
            if not (self.skip(",") or self.skip("|") or self.skip("WHERE")) and self.at == place:
                raise self.refusal(f"“{closing}” is missing")

    def _local(self, environment: Environment) -> Environment:
        """The scope inside a bracket: `x IN …` and `total = 0, x IN …` bind variables of their own."""
        inner = dict(environment)
        if self.peek().is_name and self.peek(1).upper == "IN" and not self._is_known(environment):
            inner[self.peek().name] = Variable(self.peek().name)
        if self.peek().is_name and self.peek(1).upper == "=" and self.peek(3).upper == ",":
            inner[self.peek().name] = Variable(self.peek().name)
            if self.peek(4).is_name and self.peek(5).upper == "IN":
                inner[self.peek(4).name] = Variable(self.peek(4).name)
        return inner

    def _is_known(self, environment: Environment) -> bool:
        """`[x IN xs WHERE …]` binds x, while `(x IN xs)` refers to an existing x."""
        return self.peek(-1).upper == "(" and not self.peek(-2).is_name and self.peek().name in environment

    def _curly(self, environment: Environment) -> None:
        """Parse a map."""
        self.take()
        while not self.sees("}"):
            self.take_name()
            self.expect(":")
            self.value(environment, _COMMA)
            if not self.skip(","):
                break
        self.expect("}")

    def _projection_map(self, environment: Environment, variable: Variable | None) -> None:
        """Parse `n {.name, .*, other: expression, x}`."""
        self.expect("{")
        while not self.sees("}"):
            if self.skip("."):
                if variable is not None and self.peek().is_name:
                    self.query.property_uses.append(VariableUse(variable, self.at))
                self.take()
            else:
                self.take_name()
                if self.skip(":"):
                    self.value(environment, _COMMA)
            if not self.skip(","):
                break
        self.expect("}")

    def _attempt(self, environment: Environment, wanted: Callable[[Chain], bool]) -> bool:
        """Parse a chain that satisfies `wanted`; otherwise restore the position."""
        start, query = self.at, self.query
        lists: tuple[list[Any], ...] = (
            query.chains, query.property_uses, query.label_uses, query.calls, query.parameters, query.functions,
            query.wheres, query.procedures,
        )  # fmt: skip
        sizes = [len(each) for each in lists]
        try:
            if wanted(self.chain(environment)):
                return True
        except Refused:
            pass
        self.at = start
        for each, size in zip(lists, sizes, strict=True):
            del each[size:]
        return False
