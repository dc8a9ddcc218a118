"""The embedded database of a Clew home, as its clients see it: started when needed, and kept from stopping as idle."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from clew.tools.full_disk import writing_in
from clew.tools.graph.store import daemon
from clew.tools.graph.store.arcadedb import READER, reader_password
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.connection import Connection, Server

T = TypeVar("T")
_TOUCH_EVERY_S = 15.0


class HomeDatabase(BoltDatabase):
    """The database in a home. Every method raises DiskFull where the disk of the home is full."""

    def __init__(self, home: Path, heap: str) -> None:
        super().__init__(self._start, self._touch)
        self._home = home
        self._heap = heap
        self._touched = 0.0

    def ask(self, request: Callable[[Connection], T], cypher: str = "") -> T:
        with writing_in(daemon.folder(self._home)):
            return super().ask(request, cypher)

    def _start(self) -> Server:
        endpoint = daemon.ensure_running(self._home, heap=self._heap)
        reader = (READER, reader_password(endpoint.secret))
        may_blame = partial(daemon.may_blame, self._home, endpoint.pid)
        return Server(endpoint.bolt_url, "root", endpoint.secret, reader, endpoint.http_url, may_blame)

    def _touch(self) -> None:
        now = time.monotonic()
        if now - self._touched > _TOUCH_EVERY_S:
            self._touched = now
            daemon.touch(self._home)
