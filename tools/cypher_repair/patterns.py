"""Reading patterns: nodes, relationships, and the chains that they make."""

from __future__ import annotations

from clew.tools.cypher_repair.cursor import Cursor
from clew.tools.cypher_repair.syntax import Chain, Environment, NodePattern, PropertyMap, RelationshipPattern, Variable

_NEGATING = frozenset({"!", "%"})


class Patterns(Cursor):
    """Reads patterns; what stands for a value is read by `value`."""

    def value(self, environment: Environment, stops: frozenset[str]) -> None:
        """Pass an expression (see expressions.Expressions)."""
        raise NotImplementedError

    def chain(self, environment: Environment, clause: int = 0) -> Chain:
        """A chain of at least one node. Raises QueryRejected where there is none."""
        first = self.at
        nodes, relationships = [self._node(environment, clause)], []
        while self.at_relationship():
            relationships.append(self._relationship(environment))
            nodes.append(self._node(environment, clause))
        chain = Chain(nodes, relationships, first, self.at, clause)
        self.reading.chains.append(chain)
        return chain

    def at_relationship(self) -> bool:
        dash = 1 if self.sees("<") else 0
        return self.peek(dash).upper == "-" and self.peek(dash + 1).upper in {"[", "-", ">"}

    def _node(self, environment: Environment, clause: int) -> NodePattern:
        node = NodePattern(self.expect("("), clause=clause)
        if self.peek().is_name and not (self.sees("WHERE") and self.peek(1).upper not in {")", ":", "{"}):
            node.named = self.tokens[self.take()]
            node.variable = _bound(environment, node.named.name)
        if self.sees(":"):
            self._labels(node)
        if self.sees("{"):
            node.properties = self._properties(environment)
        if self.skip("WHERE"):
            node.conditioned = True
            self.value(environment, frozenset())
        node.last = self.expect(")")
        return node

    def _labels(self, node: NodePattern) -> None:
        first, depth = self.at, 0
        while True:
            if self.sees(":"):
                node.plain_labels = node.plain_labels and depth == 0
                self.take()
            while self.peek().upper in {"!", "%", "("}:
                node.plain_labels = False
                node.negated_labels |= self.peek().upper in _NEGATING
                depth += self.tokens[self.take()].text == "("
            if self.peek(-1).upper != "%":
                node.labels.append(self.take_name())
            while depth and self.skip(")"):
                depth -= 1
            if self.peek().upper in {"|", "&"}:
                node.plain_labels = False
                self.take()
            elif not self.sees(":"):
                break
        if depth:
            raise self.refusal("a bracket of a label expression is not closed")
        node.label_span = (first, self.at)

    def _relationship(self, environment: Environment) -> RelationshipPattern:
        relationship = RelationshipPattern(self.at)
        relationship.left = self.skip("<")
        self.expect("-")
        if self.sees("["):
            relationship.bracket = self.take()
            self._inside(relationship, environment)
            self.expect("]")
        if not self.skip("-"):
            raise self.refusal("a relationship is not closed by “-”")
        relationship.right = self.skip(">")
        relationship.last = self.at
        return relationship

    def _inside(self, relationship: RelationshipPattern, environment: Environment) -> None:
        if self.peek().is_name:
            relationship.named = self.tokens[self.take()]
            relationship.variable = _bound(environment, relationship.named.name)
        if self.sees(":"):
            first = self.take()
            relationship.types.append(self.take_name())
            while self.skip("|"):
                self.skip(":")
                relationship.types.append(self.take_name())
            relationship.type_span = (first, self.at)
        if self.sees("*"):
            self._range(relationship)
        if self.sees("{"):
            relationship.properties = self._properties(environment)
        if self.skip("WHERE"):
            self.value(environment, frozenset())

    def _range(self, relationship: RelationshipPattern) -> None:
        first = self.take()
        least = self._count()
        most = self._count() if self.skip("..") else least
        relationship.least, relationship.most = 1 if least is None else least, most
        relationship.star = (first, self.at)

    def _count(self) -> int | None:
        if self.peek().kind != "number":
            return None
        text = self.tokens[self.take()].text
        if not (text.isascii() and text.isdigit() and len(text) < 4):
            raise self.refusal("a variable length needs small whole numbers")
        return int(text)

    def _properties(self, environment: Environment) -> PropertyMap:
        found = PropertyMap(self.expect("{"), 0)
        while not self.sees("}"):
            key = self.at
            self.take_name()
            self.expect(":")
            value = self.at
            self.value(environment, frozenset({","}))
            if self.at == value:
                raise self.refusal("a property has no value")
            found.entries.append((key, value, self.at))
            if not self.skip(","):
                break
        found.last = self.expect("}")
        return found


def _bound(environment: Environment, name: str) -> Variable:
    """The variable of that name, which is new unless a clause before has bound it."""
    return environment.setdefault(name, Variable(name))
