"""The errors that reach a user: one sentence about what is wrong, and one about what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Literal


class ClewError(Exception):
    """Base of all errors that Clew raises deliberately; the command line prints them without a traceback.

    Attributes:
        message: what is wrong.
        remedy: what the user can do; "" where there is nothing to do.
        exit_code: the exit status of the process.
    """

    exit_code = 1

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}\n{self.remedy}" if self.remedy else self.message


class BadInput(ClewError):
    """A file or argument cannot be used; the message names the file and, where there is one, the line."""


class DiskFull(ClewError):
    """There is no space left; `where` is the file or the folder."""

    def __init__(self, where: str | Path) -> None:
        super().__init__(
            f"The disk is full: there is no space left to write {where}.",
            "Free some space there, or choose another folder (--home, CLEW_HOME), then do the same again.",
        )


class DamagedFile(ClewError):
    """A file that Clew keeps was damaged; it has been set aside, and trying again works."""


class TooManyBadLines(BadInput):
    """More lines of an import cannot be used than it may skip: `bad` of `lines`."""

    def __init__(self, message: str, remedy: str = "", *, bad: int, lines: int) -> None:
        super().__init__(message, remedy)
        self.bad, self.lines = bad, lines


class BoundPassed(BadInput):
    """Reading a file takes more than it may; `bound` is what of."""

    def __init__(self, message: str, remedy: str = "", *, bound: Literal["memory", "time", "text"]) -> None:
        super().__init__(message, remedy)
        self.bound = bound


class UnknownGraph(ClewError):
    """The database has no graph of that name."""


class DatabaseUnavailable(ClewError):
    """The database does not answer, cannot be started, or rejects the credentials."""


class StoreUnavailable(ClewError):
    """A vector store does not answer, or refuses a request."""


class QueryFailed(ClewError):
    """The database rejected a query; `cypher` is the text it rejected."""

    def __init__(self, message: str, remedy: str = "", *, cypher: str = "") -> None:
        super().__init__(message, remedy)
        self.cypher = cypher


class QueryTimeout(QueryFailed):
    """A query ran past its time limit and was stopped by the database."""


class QueryForbidden(QueryFailed):
    """A query tried to write, or to use something that a question may not use."""
