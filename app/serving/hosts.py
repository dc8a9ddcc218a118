"""The host names under which a server may be addressed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Hosts:
    """The names that a request's `Host` header may have. With DNS rebinding, the page of another site has a name of its
    own that points here."""

    bound: str
    """The address served on; "*" accepts any name."""
    named: frozenset[str] = frozenset()

    def knows(self, header: str) -> bool:
        """Whether a `Host` header names this server."""
        if self.bound == "*":
            return True
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
        """Whether an `Origin` header belongs to a page of this server."""
        parts = urlsplit(header) if header.isascii() else None
        return parts is not None and parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def hosts_of(bound: str, named: Collection[str]) -> Hosts:
    """The hosts of a server that is bound to one address, with those that its user named."""
    return Hosts(bound, frozenset(name.strip().lower() for name in named if name.strip()))


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
