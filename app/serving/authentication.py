"""Who sends a request: tokens, what their users may ask, and how often.

`CLEW_HOME/tokens.json` holds `{"tokens": [{"id", "user", "sha256", "graphs", "per_minute", "created", "may_import"}]}`.
A token is 32 random bytes: its plain SHA-256 hash reveals nothing, and a slow hash would only make denial of service
easier.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from math import ceil
from pathlib import Path
from threading import Lock
from typing import Any

import filelock
from starlette.requests import Request

from clew.app.files import write_text
from clew.app.sessions.store import checked_name, thread_of
from clew.tools.errors import BadInput

_PREFIX = "clew_"
_USER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LOOKED_AT_EVERY = 0.5
"""Seconds between two looks at the file: a revoked token is refused from then on."""


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
    """One entry of the token file."""

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


class TokenFile:
    """The tokens in the file `path`. Safe for several threads and processes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._seen: tuple[int, int] | None = None
        self._looked = float("-inf")
        self._tokens: tuple[Token, ...] = ()
        self._exists = False

    def all(self) -> tuple[Token, ...]:
        """The tokens in the file now. Raises BadInput if it cannot be read."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as error:
            raise self._unreadable(str(error)) from None
        try:
            return tuple(_token(entry) for entry in json.loads(text)["tokens"])
        except (ValueError, KeyError, TypeError) as error:
            raise self._unreadable(f"{type(error).__name__}: {error}") from None

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
            raise BadInput(f"{user!r} is no name of a user.", "Use letters, digits, “.”, “-” and “_”; 64 at most.")
        secret = _PREFIX + secrets.token_urlsafe(32)
        token = Token(
            secrets.token_hex(4), user, _hashed(secret), graphs, per_minute, round(time.time(), 3), may_import
        )
        with self._writing():
            self._write((*self.all(), token))
        return token, secret

    def revoke(self, id: str) -> Token:
        """Remove a token. Raises BadInput if no token has that id."""
        with self._writing():
            tokens = self.all()
            found = [token for token in tokens if token.id == id]
            if not found:
                raise BadInput(f"There is no token {id!r}.", "`clew serve token list` shows the tokens.")
            self._write(tuple(token for token in tokens if token.id != id))
        return found[0]

    def caller(self, secret: str) -> Caller | None:
        """The caller with that secret; None if it is unknown or the file cannot be read.

        Compares with every token, in time that does not depend on common prefixes.
        """
        presented, found = _hashed(secret), None
        for token in self._current():
            if hmac.compare_digest(token.sha256, presented):
                found = token
        return found.caller if found else None

    @property
    def there(self) -> bool:
        """Whether the token file exists, even if it is damaged or empty."""
        self._current()
        return self._exists

    def _current(self) -> tuple[Token, ...]:
        with self._lock:
            now = time.monotonic()
            if now - self._looked < _LOOKED_AT_EVERY:
                return self._tokens
            self._looked = now
            try:
                stat = self.path.stat()
                seen, self._exists = (stat.st_mtime_ns, stat.st_ino), True
                if seen != self._seen:
                    self._tokens, self._seen = self.all(), seen
            except (OSError, BadInput) as error:
                self._exists = self._exists or not isinstance(error, FileNotFoundError)
                self._tokens, self._seen = (), None  # A damaged or missing file lets nobody in.
            return self._tokens

    def _writing(self) -> Any:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return filelock.FileLock(self.path.with_name(f".{self.path.name}.lock"))

    def _write(self, tokens: tuple[Token, ...]) -> None:
        text = json.dumps({"tokens": [asdict(token) for token in tokens]}, indent=2) + "\n"
        write_text(self.path, text, mode=0o600)

    def _unreadable(self, why: str) -> BadInput:
        return BadInput(f"{self.path} holds no tokens that can be read: {why}.", "Restore it, or remove it.")


@dataclass(frozen=True, slots=True)
class SingleToken:
    """One secret for all callers, or none, in place of a token file."""

    secret: str | None

    @property
    def there(self) -> bool:
        return self.secret is not None

    def caller(self, secret: str) -> Caller | None:
        known = self.secret is not None and hmac.compare_digest(_hashed(self.secret), _hashed(secret))
        return Caller() if known else None


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


@dataclass(slots=True)
class RateLimits:
    """Requests a minute of every token with a limit: a bucket that fills evenly and holds a minute's requests. Used by
    one thread."""

    clock: Callable[[], float] = time.monotonic
    _buckets: dict[str, _Bucket] = field(default_factory=dict)

    def wait(self, caller: Caller) -> int:
        """Seconds until the caller may send a request; 0 counts this request and admits it."""
        if caller.per_minute is None:
            return 0
        now, most = self.clock(), float(caller.per_minute)
        bucket = self._buckets.setdefault(caller.token, _Bucket(most, now))
        bucket.tokens = min(most, bucket.tokens + (now - bucket.at) * most / 60)
        bucket.at = now
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return 0
        return max(1, ceil((1 - bucket.tokens) * 60 / most))


def _token(entry: Any) -> Token:
    graphs, per_minute = entry["graphs"], entry["per_minute"]
    if not (re.fullmatch(r"[0-9a-f]{64}", entry["sha256"]) and _USER.fullmatch(entry["user"])):
        raise ValueError("a token has no hash or no user")
    if not (graphs is None or (isinstance(graphs, list) and all(isinstance(name, str) for name in graphs))):
        raise ValueError("the graphs of a token are no list of names")
    if not (per_minute is None or (isinstance(per_minute, int) and per_minute > 0)):
        raise ValueError("the rate of a token is no number")
    known = None if graphs is None else tuple(graphs)
    may_import = entry.get("may_import", False) is True
    return Token(
        str(entry["id"]), entry["user"], entry["sha256"], known, per_minute, float(entry["created"]), may_import
    )


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
