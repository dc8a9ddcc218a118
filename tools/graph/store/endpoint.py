"""The two files by which clients find the embedded server: its addresses, and the secret that they show it.

The addresses are signed with the secret, so that damage to either file is noticed: nobody is shown the secret, and no
process is ended, because a damaged file says so. A server of a version that does not sign is found, too. A client that
cannot use the files asks the server to write both again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

ENDPOINT, SECRET = "endpoint.json", "secret"
_ASKED = "asked"
_SIGNATURE = "signature"
_SECRET_FORM = re.compile(rb"[\w-]{43}\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The addresses of a running embedded server, and the administrator's password."""

    host: str
    bolt_port: int
    http_port: int
    pid: int
    started: float
    """Seconds since the epoch."""
    secret: str = field(repr=False)

    @property
    def bolt_url(self) -> str:
        return f"bolt://{self.host}:{self.bolt_port}"

    @property
    def http_url(self) -> str:
        return f"http://{self.host}:{self.http_port}"


class Files(NamedTuple):
    """Both files as they are at one moment; None for one that is missing."""

    endpoint: bytes | None
    secret: bytes | None

    @property
    def password(self) -> str | None:
        """The secret; None unless it has the form of one."""
        return self.secret.decode().strip() if self.secret and _SECRET_FORM.fullmatch(self.secret) else None

    def read(self) -> Endpoint | None:
        """The endpoint; None unless the secret has signed it."""
        where, password = self._where(), self.password
        if where is None or password is None:
            return None
        signature = where.pop(_SIGNATURE, None)
        if signature is None:  # A server of an earlier version does not sign.
            return Endpoint(**where, secret=password) if _is_unsigned(where) else None
        signed = hmac.compare_digest(str(signature).encode(), _signature(where, password).encode())
        return Endpoint(**where, secret=password) if signed else None

    def damaged(self, later: Files) -> list[str]:
        """The names of the files that were damaged, which `later` are not: those without their form, or else those that
        have changed because they did not belong together."""
        spoilt = [ENDPOINT] if self.endpoint is not None and self._where() is None else []
        spoilt += [SECRET] if self.secret is not None and self.password is None else []
        if spoilt or self.endpoint is None or self.read():
            return spoilt
        changes = zip((ENDPOINT, SECRET), self, later, strict=True)
        return [name for name, before, after in changes if before != after]

    def _where(self) -> dict[str, Any] | None:
        with suppress(ValueError):
            where = json.loads(self.endpoint or b"")
            return where if isinstance(where, dict) else None
        return None


def _is_unsigned(where: dict[str, Any]) -> bool:
    """Whether it is all that an endpoint file without a signature has."""
    types = {name: type(value) for name, value in where.items()}
    return types == {"host": str, "bolt_port": int, "http_port": int, "pid": int, "started": float}


def _signature(where: dict[str, Any], secret: str) -> str:
    return hmac.new(secret.encode(), json.dumps(where, sort_keys=True).encode(), hashlib.sha256).hexdigest()


def found_in(place: Path) -> Files:
    """The files of a server's folder."""
    return Files(_content(place / ENDPOINT), _content(place / SECRET))


def _content(path: Path) -> bytes | None:
    with suppress(OSError):
        return path.read_bytes()
    return None


def stored_secret(place: Path) -> str:
    """The administrator's password, which is stored because the engine has its hash; a new one unless there is one."""
    if password := found_in(place).password:
        return password
    password = secrets.token_urlsafe(32)
    private_file(place / SECRET, password)
    return password


def publish(place: Path, endpoint: Endpoint) -> None:
    """Write both files, as far as they are not so already."""
    where = asdict(endpoint)
    where.pop("secret")
    signed = {**where, _SIGNATURE: _signature(where, endpoint.secret)}
    present = found_in(place)
    if present.password != endpoint.secret:
        private_file(place / SECRET, endpoint.secret)
    if present.read() != endpoint:
        private_file(place / ENDPOINT, json.dumps(signed))
    (place / _ASKED).unlink(missing_ok=True)


def ask(place: Path) -> None:
    """Ask the server of a folder to publish its endpoint again."""
    with suppress(OSError):
        (place / _ASKED).touch()


def is_asked(place: Path) -> bool:
    """Whether a client has asked for the endpoint."""
    return (place / _ASKED).exists()


def private_file(path: Path, text: str) -> None:
    """Write `text` to `path` atomically, readable by its owner alone."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
