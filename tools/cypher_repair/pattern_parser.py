"""Parsing of patterns: nodes, relationships, and the chains that they form."""

from __future__ import annotations

from clew.tools.cypher.lexer import Refused, Token, token_at
from clew.tools.cypher_repair.syntax import (
    Chain,
    Environment,
    NodePattern,
    ParsedQuery,
    PropertyMap,
    RelationshipPattern,
    Variable,
)

_CLAUSES = frozenset({
    "MATCH", "OPTIONAL", "WHERE", "WITH", "RETURN", "UNWIND", "CALL", "UNION", "ORDER", "SKIP", "OFFSET", "LIMIT",
    "YIELD",
})  # fmt: skip
_NEGATING = frozenset({"!", "%"})


class PatternParser:
    """Moves over the tokens of `query` and parses patterns; `value` parses the expressions within them."""

    def __init__(self, query: ParsedQuery) -> None:
        self.query = query
        self.tokens = query.tokens
        self.at = 0

    def peek(self, ahead: int = 0) -> Token:
        """The token `ahead` positions after the current one."""
        return token_at(self.tokens, self.at + ahead)

    def take(self) -> int:
        """The position of the current token, which is consumed."""
        self.at += 1
        return self.at - 1

    def sees(self, *texts: str) -> bool:
        """Whether these keywords and signs come next."""
        return all(self.peek(i).upper == text for i, text in enumerate(texts))

    def skip(self, *texts: str) -> bool:
        """Consume these tokens if they come next."""
        if not self.sees(*texts):
            return False
        self.at += len(texts)
        return True

    def expect(self, text: str) -> int:
        if not self.sees(text):
            raise self.refusal(f"“{text}” is missing")
        return self.take()

    def take_name(self) -> Token:
        if not self.peek().is_name:
            raise self.refusal("a name is missing")
        return self.tokens[self.take()]

    def at_clause(self) -> bool:
        """Whether a clause starts here; a word that can only be a name starts none."""
        word, before, after = self.peek().upper, self.peek(-1).upper, self.peek(1).upper
        if word not in _CLAUSES or before in {".", ":", "$", "|", "&", "AS"} or after in {".", ":"}:
            return False
        return not (word == "WITH" and before in {"STARTS", "ENDS"})

    def refusal(self, what: str) -> Refused:
        """A Refused with the position in the text."""
        token = self.peek()
        near = self.query.cypher[token.start : token.start + 30].split("\n")[0] if token.kind else ""
        where = f"at “{near}”" if near else "at its end"
        return Refused(f"The query cannot be read {where}: {what}.", cypher=self.query.cypher)

    def value(self, environment: Environment, stops: frozenset[str]) -> None:
        """Parse an expression."""
        raise NotImplementedError

    def chain(self, environment: Environment, clause: int = 0) -> Chain:
        """Parse a chain of at least one node. Raises Refused if there is none."""
        first = self.at
        nodes, relationships = [self._node(environment, clause)], []
        while self.at_relationship():
            relationships.append(self._relationship(environment))
            nodes.append(self._node(environment, clause))
        chain = Chain(nodes, relationships, first, self.at, clause)
        self.query.chains.append(chain)
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
    """The variable of that name; a new one unless an earlier clause has bound it."""
    return environment.setdefault(name, Variable(name))
