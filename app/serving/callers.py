"""Who asks: a user with a token, or whoever is on this machine where no tokens are needed."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from clew.app.sessions.store import checked_name, owned
from clew.tools.errors import ClewError


class Busy(ClewError):
    """Something else is under way that has to end first."""


class GoingAway(ClewError):
    """The server ends before it has answered."""


class UnknownTrace(ClewError):
    """No trace of that id, or not the caller's."""


@dataclass(frozen=True, slots=True)
class Caller:
    """One user of the server."""

    owner: str | None = None
    """The user's name, by which sessions and traces are kept apart; None is who is at this machine, and sees what the
    terminal sees."""
    graphs: frozenset[str] | None = None
    """The graphs that may be asked; None for all of them."""
    per_minute: int | None = None
    """Requests; None where they are not counted."""
    token: str = ""
    """The id of the token."""

    def may_ask(self, graph: str) -> bool:
        return self.graphs is None or graph in self.graphs

    def thread(self, session: str) -> str:
        """The thread of the caller's session of that name. Raises BadInput."""
        return owned(self.owner, checked_name(session))

    def session(self, thread: str | None) -> str | None:
        """The name of a session as its owner knows it."""
        return thread if thread is None or self.owner is None else thread.removeprefix(f"{self.owner}/")


def caller_of(request: Request) -> Caller:
    """As the gate found out."""
    caller: Caller = request.state.caller
    return caller
