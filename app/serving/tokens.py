"""Tokens: who may ask, and what. Only their hashes are kept.

`CLEW_HOME/tokens.json` holds `{"tokens": [{"id", "user", "sha256", "graphs", "per_minute", "created"}]}`. A token is 32
random bytes, so a plain SHA-256 of it tells nothing, and takes no time that would be worth a denial of service.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import filelock

from clew.app.serving.callers import Caller
from clew.tools.errors import BadInput

_PREFIX = "clew_"
_USER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LOOKED_AT_EVERY = 0.5
"""Seconds after which the file is looked at again: a token that was revoked is refused from then on."""


@dataclass(frozen=True, slots=True)
class Token:
    """One line of the file."""

    id: str
    user: str
    sha256: str
    graphs: tuple[str, ...] | None
    """None for all graphs."""
    per_minute: int | None
    created: float

    @property
    def caller(self) -> Caller:
        return Caller(self.user, None if self.graphs is None else frozenset(self.graphs), self.per_minute, self.id)


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
        """As they are in the file now. Raises BadInput where it cannot be read."""
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

    def add(self, user: str, graphs: tuple[str, ...] | None = None, per_minute: int | None = None) -> tuple[Token, str]:
        """A new token, and the secret itself, which is told this once. Raises BadInput."""
        if not _USER.fullmatch(user):
            raise BadInput(f"{user!r} is no name of a user.", "Use letters, digits, “.”, “-” and “_”; 64 at most.")
        secret = _PREFIX + secrets.token_urlsafe(32)
        token = Token(secrets.token_hex(4), user, _hashed(secret), graphs, per_minute, round(time.time(), 3))
        with self._writing():
            self._write((*self.all(), token))
        return token, secret

    def revoke(self, id: str) -> Token:
        """Raises BadInput where there is none of that id."""
        with self._writing():
            tokens = self.all()
            found = [token for token in tokens if token.id == id]
            if not found:
                raise BadInput(f"There is no token {id!r}.", "`clew serve token list` shows those there are.")
            self._write(tuple(token for token in tokens if token.id != id))
        return found[0]

    def caller(self, secret: str) -> Caller | None:
        """Whose token it is; None where it is nobody's, or the file cannot be read. Every token is compared, in time
        that does not depend on what they have in common."""
        presented, found = _hashed(secret), None
        for token in self._current():
            if hmac.compare_digest(token.sha256, presented):
                found = token
        return found.caller if found else None

    @property
    def there(self) -> bool:
        """Whether there is a file of tokens, be it damaged or empty."""
        self._current()
        return self._exists

    def _current(self) -> tuple[Token, ...]:
        with self._lock:
            now = time.monotonic()
            if now - self._looked < _LOOKED_AT_EVERY:
                return self._tokens
            self._looked = now
            try:
                told = self.path.stat()
                seen, self._exists = (told.st_mtime_ns, told.st_ino), True
                if seen != self._seen:
                    self._tokens, self._seen = self.all(), seen
            except (OSError, BadInput) as error:
                self._exists = self._exists or not isinstance(error, FileNotFoundError)
                self._tokens, self._seen = (), None  # Nobody gets in by a file that is damaged or gone.
            return self._tokens

    def _writing(self) -> Any:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return filelock.FileLock(self.path.with_name(f".{self.path.name}.lock"))

    def _write(self, tokens: tuple[Token, ...]) -> None:
        text = json.dumps({"tokens": [asdict(token) for token in tokens]}, indent=2) + "\n"
        draft = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(draft, self.path)
        finally:
            draft.unlink(missing_ok=True)

    def _unreadable(self, why: str) -> BadInput:
        return BadInput(f"{self.path} holds no tokens that can be read: {why}.", "Restore it, or remove it.")


def _token(entry: Any) -> Token:
    graphs, per_minute = entry["graphs"], entry["per_minute"]
    if not (re.fullmatch(r"[0-9a-f]{64}", entry["sha256"]) and _USER.fullmatch(entry["user"])):
        raise ValueError("a token has no hash or no user")
    if not (graphs is None or (isinstance(graphs, list) and all(isinstance(name, str) for name in graphs))):
        raise ValueError("the graphs of a token are no list of names")
    if not (per_minute is None or (isinstance(per_minute, int) and per_minute > 0)):
        raise ValueError("the rate of a token is no number")
    known = None if graphs is None else tuple(graphs)
    return Token(str(entry["id"]), entry["user"], entry["sha256"], known, per_minute, float(entry["created"]))


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
