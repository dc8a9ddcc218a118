"""Who sends a request: tokens, and what their users may ask.

`CLEW_HOME/tokens.json`, or a table that several servers share, holds `{"tokens": [{"id", "user", "sha256", "graphs",
"per_minute", "created", "may_import"}]}`. A token is 32 random bytes: its plain SHA-256 hash reveals nothing, and a
slow hash would only make denial of service easier.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import filelock
from starlette.requests import Request

from clew.app.sessions.store import checked_name, thread_of
from clew.tools.atomic_files import write_text
from clew.tools.errors import BadInput

_PREFIX = "clew_"
_USER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LOOKED_AT_EVERY = 0.5
"""Seconds between two looks at what is stored: a revoked token is refused from then on."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The user who sends a request."""

    owner: str | None = None
    """The user's name, which separates sessions and traces; None for a user of this machine without a token, who sees
    what the terminal shows."""
    graphs: frozenset[str] | None = None
    """The graphs that the user may ask; None for all."""
    per_minute: int | None = None
    """Requests a minute; None for no limit."""
    token: str = ""
    """The id of the token."""
    imports: bool = False
    """Whether the token allows imports."""

    @property
    def may_import(self) -> bool:
        """Whether the user may import, and add and remove documents and graphs."""
        return self.imports or not self.token

    @property
    def may_connect(self) -> bool:
        """Whether the user may name databases and files that the server's machine reaches."""
        return not self.token

    def may_ask(self, graph: str) -> bool:
        return self.graphs is None or graph in self.graphs

    def thread(self, session: str) -> str:
        """The thread of the caller's session of that name. Raises BadInput."""
        return thread_of(self.owner, checked_name(session))


def caller_of(request: Request) -> Caller:
    """The caller that the middleware authenticated."""
    caller: Caller = request.state.caller
    return caller


@dataclass(frozen=True, slots=True)
class Token:
    """One stored entry."""

    id: str
    user: str
    sha256: str
    graphs: tuple[str, ...] | None
    """None for all graphs."""
    per_minute: int | None
    created: float
    may_import: bool = False

    @property
    def caller(self) -> Caller:
        graphs = None if self.graphs is None else frozenset(self.graphs)
        return Caller(self.user, graphs, self.per_minute, self.id, self.may_import)


class Tokens(ABC):
    """The tokens that are stored somewhere. Safe for several threads and processes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._seen: object = None
        self._looked = float("-inf")
        self._tokens: tuple[Token, ...] = ()
        self._exists = False

    @abstractmethod
    def text(self) -> str | None:
        """What is stored now, as JSON; None where there never was a token. Raises BadInput if it cannot be read, and
        DatabaseUnavailable."""

    @abstractmethod
    def mark(self) -> object:
        """What changes with the text; None where there never was a token. Raises as `text`, and OSError."""

    @abstractmethod
    def changing(self) -> AbstractContextManager[Callable[[str], object]]:
        """Nobody else changes the tokens within the block, which is given what stores their text."""

    @property
    @abstractmethod
    def place(self) -> str:
        """Where they are stored, for messages."""

    def all(self) -> tuple[Token, ...]:
        """The stored tokens. Raises BadInput if they cannot be read."""
        text = self.text()
        try:
            return () if text is None else tuple(_token(entry) for entry in json.loads(text)["tokens"])
        except (ValueError, KeyError, TypeError) as error:
            raise self.unreadable(f"{type(error).__name__}: {error}") from None

    def add(
        self,
        user: str,
        graphs: tuple[str, ...] | None = None,
        per_minute: int | None = None,
        *,
        may_import: bool = False,
    ) -> tuple[Token, str]:
        """Make a token. Returns it with its secret, which is not stored. Raises BadInput."""
        if not _USER.fullmatch(user):
            raise BadInput(f"{user!r} is not a name of a user.", "Use letters, digits, “.”, “-” and “_”; 64 at most.")
        secret = _PREFIX + secrets.token_urlsafe(32)
        token = Token(
            secrets.token_hex(4), user, _hashed(secret), graphs, per_minute, round(time.time(), 3), may_import
        )
        with self.changing() as write:
            write(_written((*self.all(), token)))
        return token, secret

    def revoke(self, id: str) -> Token:
        """Remove a token. Raises BadInput if no token has that id."""
        with self.changing() as write:
            tokens = self.all()
            found = [token for token in tokens if token.id == id]
            if not found:
                raise BadInput(f"There is no token {id!r}.", "`clew serve token list` shows the tokens.")
            write(_written(tuple(token for token in tokens if token.id != id)))
        return found[0]

    def caller(self, secret: str) -> Caller | None:
        """The caller with that secret; None if it is unknown or the tokens cannot be read.

        Compares with every token, in time that does not depend on common prefixes.
        """
        presented, found = _hashed(secret), None
        for token in self._current():
            if hmac.compare_digest(token.sha256, presented):
                found = token
        return found.caller if found else None

    @property
    def there(self) -> bool:
        """Whether there ever was a token, even if what is stored is damaged or empty."""
        self._current()
        return self._exists

    @property
    def fresh(self) -> bool:
        """Whether `caller` and `there` need not look at what is stored."""
        return time.monotonic() - self._looked < _LOOKED_AT_EVERY

    def _current(self) -> tuple[Token, ...]:
        with self._lock:
            if self.fresh:
                return self._tokens
            looked = time.monotonic()
            try:
                seen = self.mark()
                self._exists = self._exists or seen is not None
                if seen is None or seen != self._seen:
                    self._tokens, self._seen = self.all(), seen
            except (OSError, BadInput):
                self._exists, self._tokens, self._seen = True, (), None  # What is damaged lets nobody in.
            self._looked = looked
            return self._tokens

    def unreadable(self, why: str) -> BadInput:
        return BadInput(f"{self.place} holds no tokens that can be read: {why}.", "Restore it, or remove it.")


class TokenFile(Tokens):
    """The tokens in the file `path`."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    @property
    def place(self) -> str:
        return str(self.path)

    def text(self) -> str | None:
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise self.unreadable(str(error)) from None

    def mark(self) -> object:
        try:
            stat = self.path.stat()
        except FileNotFoundError:
            return None
        return stat.st_mtime_ns, stat.st_ino

    @contextmanager
    def changing(self) -> Iterator[Callable[[str], object]]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(self.path.with_name(f".{self.path.name}.lock")):
            yield lambda text: write_text(self.path, text, mode=0o600)


@dataclass(frozen=True, slots=True)
class SingleToken:
    """One secret for all callers, or none, in place of stored tokens."""

    secret: str | None
    fresh: bool = True

    @property
    def there(self) -> bool:
        return self.secret is not None

    def caller(self, secret: str) -> Caller | None:
        known = self.secret is not None and hmac.compare_digest(_hashed(self.secret), _hashed(secret))
        return Caller() if known else None


def _written(tokens: tuple[Token, ...]) -> str:
    return json.dumps({"tokens": [asdict(token) for token in tokens]}, indent=2) + "\n"


def _token(entry: Any) -> Token:
    graphs, per_minute = entry["graphs"], entry["per_minute"]
    if not (re.fullmatch(r"[0-9a-f]{64}", entry["sha256"]) and _USER.fullmatch(entry["user"])):
        raise ValueError("a token has no hash or no user")
    if not (graphs is None or (isinstance(graphs, list) and all(isinstance(name, str) for name in graphs))):
        raise ValueError("the graphs of a token are no list of names")
    if not (per_minute is None or (isinstance(per_minute, int) and per_minute > 0)):
        raise ValueError("the rate of a token is not a number")
    known = None if graphs is None else tuple(graphs)
    may_import = entry.get("may_import", False) is True
    return Token(
        str(entry["id"]), entry["user"], entry["sha256"], known, per_minute, float(entry["created"]), may_import
    )


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
