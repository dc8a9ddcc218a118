"""Which words of a query are names for certain, whatever keyword they spell: `RETURN film.set AS set ORDER BY set`.

Cypher has hardly any reserved words, so `WITH n, with SET n.x = 1` sets a property behind a variable called `with`.
A clause is distinguished from a name by what stands before: two operands never follow each other, so a keyword behind a
complete operand is a keyword, and the word behind one that must go on with an expression is a name. Where neither what
stands before nor what follows decides, a word is not a name for certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Token(NamedTuple):
    """A token as the guard compares it."""

    kind: str
    text: str
    """A word in capitals, a quoted name without its backticks, a mark as it is, "" for a string."""


_BEFORE = frozenset({":", "$", ",", "(", "[", "=", "&", "<", "<>", "<=", ">=", "=~", "/", "^"})
"""Marks behind which no clause begins; `%` may be a label: `n:A&% SET …`."""
_BEHIND = frozenset({",", ")", "]", "}", "=", "<>", "<", ">", "<=", ">=", "=~", "*", "/", "%", "^"})
"""Marks with which nothing goes on that a clause that writes could begin with."""
_EXPECTING = frozenset({"RETURN", "WITH", "WHERE", "AND", "OR", "XOR", "IN", "CONTAINS", "UNWIND", "WHEN", "THEN",
                        "ELSE", "LIMIT", "SKIP", "YIELD"})  # fmt: skip
"""Keywords that stand behind a complete operand or clause, and go on with a name or an expression."""
_COMPLETE = frozenset({"NULL", "TRUE", "FALSE", "END", "ASC", "ASCENDING", "DESC", "DESCENDING"})
"""Words that end an operand, be they names or not."""
_PREFIXES = frozenset({"NOT", "CASE", "DISTINCT", "ALL", "ANY", "AS"})
"""Words that an operand may begin with, so that another word may follow."""
_OPERAND_BEHIND = frozenset({"$", ",", "(", "[", ":"})
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


class Names:
    """Tells the names among the words of a query."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._ends: list[bool] = []
        """By token: whether an operand, or a pattern, is complete with it, so that no other one can follow."""
        self._expects: list[bool] = []
        """By token: whether it is for certain a keyword that goes on with an expression."""
        self._inside: list[str] = []
        """By token: the innermost bracket around it."""
        brackets: list[str] = []
        for index, token in enumerate(tokens):
            if token.kind == "mark" and token.text in _CLOSE and brackets:
                brackets.pop()
            self._inside.append(brackets[-1] if brackets else "")
            if token.kind == "mark" and token.text in _OPEN:
                brackets.append(token.text)
            self._expects.append(self._is_expecting(index))
            self._ends.append(self._is_end(index))

    def __contains__(self, index: int) -> bool:
        """Whether the word at `index` can only be a name: a label, a property, a key, a parameter, a variable."""
        tokens = self._tokens
        before, after = token_at(tokens, index - 1), token_at(tokens, index + 1)
        if after.kind == "mark" and after.text in (":", "."):
            return True
        if before.kind == "mark" and before.text == ".":
            return token_at(tokens, index - 2).kind != "number"
        if self._inside[index] == "[" or self._is_alias(index) or (before.kind == "mark" and before.text in _BEFORE):
            return True
        if before == Token("mark", "|") and _in_labels(tokens, index):
            return tokens[index].text != "FOREACH"
        if before == Token("mark", "!") and token_at(tokens, index - 2).text in (":", "&"):  # not `:: INTEGER! SET …`
            return True
        if tokens[index].text == "TRANSACTIONS":
            return False
        expected = index > 0 and self._expects[index - 1]
        return expected or not after.kind or (after.kind == "mark" and after.text in _BEHIND) or self._is_ordered(index)

    def _is_ordered(self, index: int) -> bool:
        """Whether `ORDER BY` or `LIMIT 5` follows, as in `RETURN DISTINCT set ORDER BY set`: no clause that writes goes
        on with a variable and another word or number."""
        first, second = token_at(self._tokens, index + 1), token_at(self._tokens, index + 2)
        if first == Token("word", "ORDER"):
            return second == Token("word", "BY")
        return first.kind == "word" and first.text in ("LIMIT", "SKIP") and second.kind == "number"

    def _is_expecting(self, index: int) -> bool:
        word, before = self._tokens[index], token_at(self._tokens, index - 1)
        if word.kind != "word":
            return False
        if word.text == "BY":
            return before == Token("word", "ORDER")
        if word.text not in _EXPECTING:
            return False
        if word.text == "WHEN" and before == Token("word", "CASE"):
            return True
        return index == 0 or before == Token("mark", "{") or self._ends[index - 1]

    def _is_alias(self, index: int) -> bool:
        """Whether the word before is an `AS` that gives a name to what stands before it, not a variable called `as`."""
        return index > 1 and self._tokens[index - 1] == Token("word", "AS") and self._ends[index - 2]

    def _is_end(self, index: int) -> bool:
        token, before = self._tokens[index], token_at(self._tokens, index - 1)
        if token.kind == "mark":
            return token.text in _CLOSE
        if token.kind not in ("word", "quoted"):
            return token.kind in ("string", "number")
        if before.kind == "mark" and before.text == ".":
            return token_at(self._tokens, index - 2).kind != "number"
        if token.kind == "word" and token.text in _COMPLETE:
            return True
        if before == Token("word", "AS"):
            return self._is_alias(index)
        if token.kind == "word" and token.text in _PREFIXES:
            return False
        return (before.kind == "mark" and before.text in _OPERAND_BEHIND) or (index > 0 and self._expects[index - 1])


def _in_labels(tokens: Sequence[Token], index: int) -> bool:
    """Whether the `|` before `index` separates relationship types or labels: `:A|B`, `:A|:B`, not `x IN xs | …`."""
    position = index - 2
    while token_at(tokens, position).kind in ("word", "quoted") and token_at(tokens, position - 1).text in ("|", "&"):
        position -= 2
    return token_at(tokens, position - 1) == Token("mark", ":")


def token_at(tokens: Sequence[Token], index: int) -> Token:
    """The token at `index`, an empty one beyond the ends."""
    return tokens[index] if 0 <= index < len(tokens) else Token("", "")
