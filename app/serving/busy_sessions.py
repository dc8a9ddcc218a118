"""Which conversations a question is being answered in: at most one at a time, at all servers together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clew.app.serving.errors import Busy

if TYPE_CHECKING:
    from clew.tools.state.claims import Claims


@dataclass
class BusySessions:
    """Made and used on one event loop."""

    claims: Claims | None = None
    """Those that servers share; without them, this process is the only one."""
    _here: set[str] = field(default_factory=set)
    _asking: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "claims"))
    """Has the connection of the claims."""

    @asynccontextmanager
    async def alone(self, thread: str | None) -> AsyncIterator[None]:
        """Raises Busy while a question of the same conversation is being answered, and DatabaseUnavailable."""
        if thread is None:
            yield
            return
        if thread in self._here:
            raise _busy()
        self._here.add(thread)
        try:
            if self.claims is None:
                yield
            else:
                async with self._claimed(self.claims, thread):
                    yield
        finally:
            self._here.discard(thread)

    def close(self) -> None:
        """Hold nothing any more."""
        self._asking.shutdown()
        if self.claims is not None:
            self.claims.close()

    @asynccontextmanager
    async def _claimed(self, claims: Claims, thread: str) -> AsyncIterator[None]:
        taking = self._asked(claims.take, thread)
        try:
            taken = await asyncio.shield(taking)
        except asyncio.CancelledError:  # The claim may be made all the same.
            taking.add_done_callback(lambda done: _give_if_taken(done, self._asked, claims, thread))
            raise
        if not taken:
            raise _busy()
        try:
            yield
        finally:
            await asyncio.shield(self._asked(claims.give, thread))

    def _asked(self, call: Callable[[str], Any], thread: str) -> asyncio.Future[Any]:
        return asyncio.get_running_loop().run_in_executor(self._asking, call, thread)


def _give_if_taken(done: asyncio.Future[Any], ask: Callable[..., Any], claims: Claims, thread: str) -> None:
    with suppress(Exception):
        if done.result():
            ask(claims.give, thread)


def _busy() -> Busy:
    return Busy("A question of this session is still being answered.", "Wait for it, or cancel it.")
