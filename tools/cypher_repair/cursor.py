"""A place in a query's tokens, and what has been found up to it."""

from __future__ import annotations

from clew.tools.cypher.lexer import NO_TOKEN, QueryRejected, Token
from clew.tools.cypher_repair.syntax import Reading

_CLAUSES = frozenset({
    "MATCH", "OPTIONAL", "WHERE", "WITH", "RETURN", "UNWIND", "CALL", "UNION", "ORDER", "SKIP", "OFFSET", "LIMIT",
    "YIELD",
})  # fmt: skip


class Cursor:
    """Moves over the tokens of `reading`."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.tokens = reading.tokens
        self.at = 0

    def peek(self, ahead: int = 0) -> Token:
        place = self.at + ahead
        return self.tokens[place] if 0 <= place < len(self.tokens) else NO_TOKEN

    def take(self) -> int:
        """The place of the current token, which is passed."""
        self.at += 1
        return self.at - 1

    def sees(self, *texts: str) -> bool:
        """Whether the next tokens are these keywords and marks."""
        return all(self.peek(i).upper == text for i, text in enumerate(texts))

    def skip(self, *texts: str) -> bool:
        """Pass these tokens where they come next."""
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
        """Whether a clause begins here; a word that can only be a name begins none."""
        word, before, after = self.peek().upper, self.peek(-1).upper, self.peek(1).upper
        if word not in _CLAUSES or before in {".", ":", "$", "|", "&", "AS"} or after in {".", ":"}:
            return False
        return not (word == "WITH" and before in {"STARTS", "ENDS"})

    def refusal(self, what: str) -> QueryRejected:
        """An error that says where in the text."""
        token = self.peek()
        near = self.reading.cypher[token.start : token.start + 30].split("\n")[0] if token.kind else ""
        where = f"at “{near}”" if near else "at its end"
        return QueryRejected(f"The query cannot be read {where}: {what}.", cypher=self.reading.cypher)
