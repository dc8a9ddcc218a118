"""Addresses of servers in settings, checked before anything is connected. Each function raises ValueError."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import SplitResult, urlsplit

_BOLT = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


def web_address(value: str | None) -> str | None:
    """That of a web server, with or without user and password."""
    if value is not None:
        _parts(
            value, ("http", "https"), "is not a web address; it starts with http:// or https:// and usually ends in /v1"
        )
    return value


def bolt_address(value: str | None) -> str | None:
    """That of a database, whose user and password have settings of their own."""
    wrong = f"is not a Bolt address; it starts with one of {', '.join(scheme + '://' for scheme in _BOLT)}"
    if value is not None and "@" in _parts(value, _BOLT, wrong).netloc:
        raise ValueError("names a user; CLEW_DATABASE_USER and CLEW_DATABASE_PASSWORD do")
    return value


def _parts(url: str, schemes: Sequence[str], wrong: str) -> SplitResult:
    parts = urlsplit(url)
    if parts.scheme not in schemes or not parts.hostname or parts.port == 0:  # A port that is none raises ValueError.
        raise ValueError(wrong)
    return parts
