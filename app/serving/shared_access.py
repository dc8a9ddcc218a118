"""Tokens and rate limits: of this home, or, where the settings name a PostgreSQL, of all servers that use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clew.app.serving.authentication import Caller, TokenFile, Tokens
from clew.app.serving.rate_limits import Bucket, RateLimits
from clew.tools.state.tables import Tables

if TYPE_CHECKING:
    from clew.app.api.client import Client

TOKENS = (
    "CREATE TABLE IF NOT EXISTS token_list (one INTEGER PRIMARY KEY, version INTEGER NOT NULL, tokens TEXT NOT NULL)"
)
LIMITS = (
    "CREATE TABLE IF NOT EXISTS rate_limits (token TEXT PRIMARY KEY, tokens REAL NOT NULL, at REAL NOT NULL, "
    "per_minute INTEGER NOT NULL)"
)


class TokenTable(Tokens):
    """The tokens in the one row of a table: the same text as in a file, and how often it was changed."""

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self._tables = tables

    @property
    def place(self) -> str:
        return self._tables.place

    def text(self) -> str | None:
        found = self._tables.rows("SELECT tokens FROM token_list")
        return str(found[0]["tokens"]) if found else None

    def mark(self) -> object:
        found = self._tables.rows("SELECT version FROM token_list")
        return found[0]["version"] if found else None

    @contextmanager
    def changing(self) -> Iterator[Callable[[str], object]]:
        with self._tables.changes() as change:
            change.lock("tokens")
            store = (
                "INSERT INTO token_list VALUES (1, 1, :text) ON CONFLICT (one) DO UPDATE SET tokens = :text, "
                "version = token_list.version + 1"
            )
            yield lambda text: change.execute(store, {"text": text})


@dataclass(slots=True)
class SharedRateLimits(RateLimits):
    """Requests a minute of every token, together at all servers, by the clock of the database."""

    tables: Tables | None = None
    shared: bool = True

    def wait(self, caller: Caller) -> int:
        """As of `RateLimits`. Safe for several threads. Raises DatabaseUnavailable."""
        assert self.tables is not None
        if caller.per_minute is None:
            return 0
        values = {"token": caller.token, "most": caller.per_minute}
        with self.tables.changes() as change:
            change.execute(
                "INSERT INTO rate_limits VALUES (:token, :most, 0, :most) ON CONFLICT (token) DO UPDATE "
                "SET per_minute = :most",  # This row is this transaction's until it ends.
                values,
            )
            [row] = change.rows(
                "SELECT tokens, at, CAST(extract(epoch FROM clock_timestamp()) AS float8) AS now FROM rate_limits "
                "WHERE token = :token",
                values,
            )
            bucket = Bucket(row["tokens"], row["at"])
            wait = bucket.wait(row["now"], caller.per_minute)
            change.execute(
                "UPDATE rate_limits SET tokens = :tokens, at = :at WHERE token = :token",
                {**values, "tokens": bucket.tokens, "at": bucket.at},
            )
        return wait


def tokens_of(client: Client) -> Tokens:
    """The tokens of servers with the settings of this client."""
    state = client.state
    return TokenFile(client.settings.home / "tokens.json") if state is None else TokenTable(state.tables(TOKENS))


def rates_of(client: Client) -> RateLimits:
    """Their rate limits."""
    return RateLimits() if client.state is None else SharedRateLimits(tables=client.state.tables(LIMITS))
