"""Where the server may stand, and by which names it is known."""

from __future__ import annotations

import socket
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from clew.tools.errors import BadInput

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Hosts:
    """The names that a request may say it is for. A page of another site, whose name was made to point here (DNS
    rebinding), says its own."""

    bound: str
    named: frozenset[str] = frozenset()

    def knows(self, header: str) -> bool:
        """Whether a `Host` header names this server."""
        try:
            name = urlsplit(f"//{header}").hostname
        except ValueError:
            return False
        if name is None or "@" in header or "/" in header:
            return False
        if name in _HERE or name == self.bound.lower() or name in self.named:
            return True
        return not is_loopback(self.bound) and _is_address(name)

    def knows_origin(self, header: str, host: str) -> bool:
        """Whether an `Origin` header is that of a page of this server."""
        parts = urlsplit(header) if header.isascii() else None
        return parts is not None and parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def hosts_of(bound: str, named: Collection[str]) -> Hosts:
    return Hosts(bound, frozenset(name.strip().lower() for name in named if name.strip()))


def bound_socket(host: str, port: int, *, has_tokens: bool) -> socket.socket:
    """The socket to serve on; port 0 takes a free one. Raises BadInput where that cannot be, or where others could ask
    without a token."""
    if not (has_tokens or is_loopback(host)):
        raise BadInput(
            f"On {host} others can ask, and there are no tokens.",
            "Make one (clew serve token add NAME), or serve on 127.0.0.1.",
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(256)
    except OSError as error:
        bound.close()
        raise BadInput(f"{host}:{port} cannot be served on: {error.strerror}.", "Choose another --port.") from None
    return bound


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
