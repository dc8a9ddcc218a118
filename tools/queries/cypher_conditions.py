"""The conditions of a Cypher query as those of a logical form.

In: a parsed query. Out: for each variable its conditions and names, and the patterns in WHERE with whether they are
negated. What AND joins are conditions of their own; OR may join values of one property, which are its alternatives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from clew.tools.cypher.lexer import Token, number_value, string_value
from clew.tools.cypher_repair.syntax import Chain, ParsedQuery, Variable
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Condition

NAME = "name"
_COMPARISONS = frozenset({"=", "<>", "<", "<=", ">", ">="})
_ENDS = frozenset({"MATCH", "OPTIONAL", "RETURN"})
Part = tuple[int, int]
"""The positions of the first token of a condition, and of that after it."""


class NoWords(Exception):
    """A query has no logical form; the message says which part of it has none."""


@dataclass(eq=False)
class CypherConditions:
    """What the WHERE clauses and the property maps of a query say of its variables."""

    query: ParsedQuery
    conditions: dict[Variable, list[Condition]] = field(default_factory=dict)
    names: dict[Variable, list[tuple[str, ...]]] = field(default_factory=dict)
    """Each of a variable's names, or several of which it has one."""
    patterns: dict[Chain, bool] = field(default_factory=dict)
    """The patterns in WHERE, and whether the nodes must not match them."""

    def read(self) -> None:
        """Raises NoWords."""
        tokens = self.query.tokens
        for start in [place for place, token in enumerate(tokens) if token.upper == "WHERE"]:
            end = next((p for p in range(start, len(tokens)) if tokens[p].upper in _ENDS), len(tokens))
            self._take((start + 1, end))
        for node in self.query.nodes:
            for key, first, last in node.properties.entries if node.properties else ():
                self._add(node.variable, self._compared(tokens[key].name, "=", tokens[first:last]))

    def _take(self, part: Part, negated: bool = False) -> None:
        first, last = part = self._bare(part)
        chain = next((each for each in self.query.chains if (each.first, each.last) == part and not each.clause), None)
        if chain is not None:
            new = [node for node in chain.nodes if not any(each.clause for each in node.variable.nodes)]
            if negated and not (len(chain.nodes) == 2 and len(new) == 1):
                raise NoWords("NOT has words before a pattern of one relationship, with one new node.")
            self.patterns[chain] = negated
        elif len(parts := self._split(part, "OR")) > 1:
            if negated or any(len(self._split(each, "AND")) > 1 for each in parts):
                raise NoWords("OR has words between values of one property only.")
            self._add(*self._one_of([self._simple(self._bare(each)) for each in parts]))
        elif len(parts := self._split(part, "AND")) > 1:
            if negated:
                raise NoWords("NOT has words before one condition only.")
            for each in parts:
                self._take(each)
        elif self.query.tokens[first].upper == "NOT":
            self._take((first + 1, last), not negated)
        else:
            variable, condition = self._simple(part)
            if negated and condition.test in ("IS NULL", "IS NOT NULL"):
                condition = replace(condition, test="IS NULL" if condition.test == "IS NOT NULL" else "IS NOT NULL")
            elif negated:
                condition = replace(condition, negated=True)
            self._add(variable, condition)

    def _bare(self, part: Part) -> Part:
        """Without brackets around the whole."""
        first, last = part
        while self.query.tokens[first].text == "(" and self._closing(first) == last - 1:
            if any(node.first == first for node in self.query.nodes):
                break
            first, last = first + 1, last - 1
        return first, last

    def _closing(self, opening: int) -> int:
        return next((p for p, depth in self._depths((opening, len(self.query.tokens))) if depth == 0), -1)

    def _depths(self, part: Part) -> Iterator[tuple[int, int]]:
        """Each position, with how many brackets are open after its token."""
        depth = 0
        for place in range(*part):
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(self.query.tokens[place].text, 0)
            yield place, depth

    def _split(self, part: Part, word: str) -> list[Part]:
        places = [p for p, depth in self._depths(part) if depth == 0 and self.query.tokens[p].upper == word]
        return list(zip([part[0], *(place + 1 for place in places)], [*places, part[1]], strict=True))

    def _simple(self, part: Part) -> tuple[Variable, Condition]:
        """`variable.property = value`, IS NULL, IN [values], CONTAINS and the like."""
        given = self.query.tokens[slice(*part)]
        variable = self.variable(given[0]) if len(given) > 3 and given[1].text == "." else None
        if variable is None:
            raise NoWords(f"The condition {_told(given)} has no words.")
        name, sign = given[2].name, given[3].upper
        if sign == "IS" and given[-1].upper == "NULL":
            return variable, Condition(test="IS NULL" if len(given) == 5 else "IS NOT NULL", property=name)
        return variable, self._compared(name, sign, given[4:])

    def _compared(self, name: str, sign: str, value: Sequence[Token]) -> Condition:
        if sign in ("STARTS", "ENDS") and len(value) == 2 and isinstance(text := _value(value[1:]), str):
            return Condition(test="STARTS WITH" if sign == "STARTS" else "ENDS WITH", property=name, text=text)
        if sign == "IN" and value[0].text == "[" and value[-1].text == "]" and len(value) > 2:
            values = [_value([each]) for each in value[1:-1:2]]
            is_known, sign = all(each.text == "," for each in value[2:-1:2]), "="
        else:
            values, is_known = [_value(value)], sign in _COMPARISONS or sign == "CONTAINS"
        if not is_known or None in values:
            raise NoWords(f"{name} {sign} {_told(value)} has no words.")
        first, *others = [Predicate(name, cast("Any", sign), cast("Any", each)) for each in values]
        return Condition(first, property=name, alternatives=tuple(others))

    def _one_of(self, found: Sequence[tuple[Variable, Condition]]) -> tuple[Variable, Condition]:
        """Conditions that OR joins."""
        predicates = [p for _, each in found if each.predicate for p in (each.predicate, *each.alternatives)]
        kinds = {(variable, each.property, each.test) for variable, each in found}
        if len(kinds) > 1 or any(each.test for _, each in found) or {p.comparison for p in predicates} != {"="}:
            raise NoWords("OR has words between values of one property only.")
        (variable, first), *_ = found
        return variable, replace(first, alternatives=tuple(predicates[1:]))

    def _add(self, variable: Variable, condition: Condition) -> None:
        values = [
            p.value for p in (condition.predicate, *condition.alternatives) if p is not None and p.comparison == "="
        ]
        named = condition.property == NAME and values and not condition.negated
        if named and all(isinstance(each, str) for each in values):
            self.names.setdefault(variable, []).append(tuple(map(str, values)))
        else:
            self.conditions.setdefault(variable, []).append(condition)

    def variable(self, token: Token) -> Variable | None:
        """The variable of this name."""
        return next((each for each in self.query.variables if each.name == token.name), None)


def _told(part: Sequence[Token]) -> str:
    return " ".join(each.text for each in part)


def _value(part: Sequence[Token]) -> str | int | float | bool | None:
    if len(part) == 1:
        token = part[0]
        if token.kind == "string":
            return string_value(token)
        return {"TRUE": True, "FALSE": False}.get(token.upper, number_value(token.text))
    if len(part) == 2 and part[0].text == "-" and (number := number_value(part[1].text)) is not None:
        return -number
    return None
