"""The driver's errors: as Clew's own, and retrying what failed only because others were at work."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from typing import TypeVar

from clew.tools.errors import ClewError, DatabaseUnavailable, QueryFailed, QueryForbidden, QueryTimeout
from clew.tools.graph.store.refusals import refusal, unreachable

T = TypeVar("T")
ATTEMPTS = 6
_LOST = re.compile(r"Database error|Record #\d+:\d+ not found")
"""What ArcadeDB says where its files lack a record."""


def retry_transient(attempt: Callable[[], T]) -> T:
    """Call `attempt`, and again a little later each time it meets a deadlock or another transient fault.

    The last fault is raised. The attempt must not have done half its work when it fails.
    """
    from neo4j.exceptions import TransientError

    for number in range(ATTEMPTS - 1):
        try:
            return attempt()
        except TransientError:
            time.sleep(0.05 * 2**number * (0.5 + random.random()))
    return attempt()


def translated(error: Exception, cypher: str = "") -> ClewError:
    """The driver's error as Clew's own."""
    from neo4j.exceptions import Neo4jError

    if not isinstance(error, Neo4jError):
        return unreachable(error)
    code, message = error.code or "", error.message or str(error)
    if refused := refusal(code, message, cypher):
        return refused
    if code.startswith("Neo.ClientError.Transaction.T") and ("TimedOut" in code or "Terminated" in code):
        return QueryTimeout(f"The query was stopped by the database: {message}", cypher=cypher)
    if code.startswith("Neo.ClientError.Security") or code == "Neo.ClientError.Statement.AccessMode":
        return QueryForbidden(f"The database does not allow this query: {message}", cypher=cypher)
    if "OutOfMemory" in code:
        message = f"The query needs more memory than the database allows: {message}"
        return QueryFailed(
            message, "Ask something narrower, or raise dbms.memory.transaction.total.max.", cypher=cypher
        )
    remedy = "The database may be damaged: `clew doctor` checks it." if _LOST.search(message) else ""
    return QueryFailed(f"The database rejected the query: {message}", remedy, cypher=cypher)


def is_unreachable(error: Exception) -> bool:
    """Whether the server could not be reached, and so has not executed the request."""
    from neo4j.exceptions import IncompleteCommit, ServiceUnavailable, SessionExpired

    if isinstance(error, IncompleteCommit):
        return False
    return isinstance(error, ServiceUnavailable | SessionExpired | DatabaseUnavailable | OSError)


def refuse_again(error: Exception, cypher: str, may_blame: Callable[[str], bool]) -> None:
    """Raise QueryFailed where the server went away after a query was sent, and `may_blame` says that it may be why.

    A query that was not sent, since there was nothing to connect to, may be sent again.
    """
    if is_unreachable(error) and "Couldn't connect" not in str(error) and may_blame(cypher):
        raise QueryFailed(
            "The database broke off while this query ran. It is not run again, since it may be the cause.",
            "Ask something narrower.",
            cypher=cypher,
        ) from error


def is_interruption(error: BaseException | None) -> bool:
    """Whether Ctrl-C caused the error: the driver that it stopped fails again as it cleans up its connection."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None
