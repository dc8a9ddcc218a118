"""Why a server cannot be used, or refuses a request: the driver's errors in words, each with a remedy."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

from clew.tools.errors import ClewError, DatabaseUnavailable, QueryForbidden

_BY_CODE = {
    "Security.Unauthorized": (
        "The database refused the credentials.",
        "Check user and password: CLEW_DATABASE_USER and CLEW_DATABASE_PASSWORD, or CLEW_READER_USER and "
        "CLEW_READER_PASSWORD.",
    ),
    "Security.CredentialsExpired": (
        "The password of this user has to be changed before it can be used.",
        "Run ALTER CURRENT USER SET PASSWORD FROM 'old' TO 'new' on the database `system`.",
    ),
    "Security.AuthenticationRateLimit": (
        "The database refuses this user for some seconds, after too many wrong passwords.",
        "Wait, and check CLEW_DATABASE_USER and CLEW_DATABASE_PASSWORD.",
    ),
    "Security.TokenExpired": ("The credentials have expired.", "Sign in to the database again."),
    "Security.AuthorizationExpired": ("The credentials have expired.", "Sign in to the database again."),
    "Database.DatabaseNotFound": (
        "The server has no such database",
        "`clew graphs` lists the databases that this user may read; a user's home database must exist.",
    ),
    "General.ForbiddenOnReadOnlyDatabase": (
        "The database is read-only",
        "Questions are answered, but an import needs a database that may be written "
        "(ALTER DATABASE … SET ACCESS READ WRITE, or server.databases.writable).",
    ),
    "Cluster.NotALeader": (
        "This server of a cluster does not write",
        "Use an address that begins with neo4j:// or neo4j+s://, which finds the one that does.",
    ),
    "General.DatabaseUnavailable": ("The database is stopped or still starting", "Start it, or try again later."),
}
"""By the end of the server's code, what is wrong and the remedy. The server's words follow what ends no sentence."""
_FORBIDDEN = (
    "Questions need the rights ACCESS and MATCH, and TRAVERSE and READ of all labels. An import also needs CREATE, "
    "DELETE, SET LABEL, SET PROPERTY, NAME MANAGEMENT, INDEX and CONSTRAINT. Use a user who has them "
    "(CLEW_DATABASE_USER), or let an administrator grant them."
)


def refusal(code: str, message: str, cypher: str) -> ClewError | None:
    """The error of a server's code that says that the user or the database does not allow something; None of others."""
    end = ".".join(code.split(".")[-2:])
    if end == "Security.Forbidden":
        return QueryForbidden(f"The user of the database may not do this: {message}", _FORBIDDEN, cypher=cypher)
    if end not in _BY_CODE:
        return None
    wrong, remedy = _BY_CODE[end]
    return DatabaseUnavailable(wrong if wrong.endswith(".") else f"{wrong}: {message}", remedy)


def unreachable(error: BaseException) -> DatabaseUnavailable:
    """The error of a server to which there is no connection, by its cause."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return DatabaseUnavailable(
                f"The certificate of the database's server is not trusted: {cause.verify_message}.",
                "Let SSL_CERT_FILE name a file with the certificate of its authority, or accept any certificate with "
                "bolt+ssc:// or neo4j+ssc://.",
            )
        if isinstance(cause, ssl.SSLError):
            return DatabaseUnavailable(
                "The database's server does not use TLS at this address.",
                "Use bolt:// or neo4j:// (without +s), or the port at which it uses TLS.",
            )
        if isinstance(cause, socket.gaierror):
            return DatabaseUnavailable(
                f"The name of the database's server is not known: {_first_line(error)}.", "Check CLEW_DATABASE_URL."
            )
        if "handshake response" in str(cause):
            return DatabaseUnavailable(
                "What answers at the database's address does not speak Bolt without TLS.",
                "If the server requires TLS, use bolt+s:// or neo4j+s:// (as Aura does). Check the port: Bolt is at "
                "7687, and HTTP at 7474.",
            )
    if "routing" in str(error):
        return DatabaseUnavailable(
            f"The database does not answer: {_first_line(error)}.",
            "If it is a single server, use bolt:// in place of neo4j://; else check that it runs, and its address.",
        )
    return DatabaseUnavailable(
        f"The database does not answer: {error}.",
        "Check that it runs (`clew database status` shows the embedded one), and the address in CLEW_DATABASE_URL.",
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what it was raised from, and the parts of groups."""
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for each in error.exceptions:
                yield from _causes(each)
        error = error.__cause__ or error.__context__


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0].rstrip(".")
