"""Creating the indexes that imports and questions look nodes up in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.tools.graph.store.faults import retry_transient
from clew.tools.graph.store.graph_store import Engine

if TYPE_CHECKING:
    from neo4j import Session


_POPULATED = 600
"""Seconds for filling an index."""


def await_index(session: Session, name: str) -> None:
    """Wait until Neo4j has filled one index. An index of others is not waited for: it may itself wait for this session,
    if it belongs to a constraint that is being created."""
    from neo4j.exceptions import ClientError

    try:
        session.run("CALL db.awaitIndex($name, $seconds)", name=name.strip("`"), seconds=_POPULATED).consume()
    except ClientError as error:  # An index for the same has another name.
        if "No such index" not in (error.message or ""):
            raise


def create_index(session: Session, statement: str, engine: Engine) -> None:
    """Run a statement that creates an index, and wait until queries use it."""
    from neo4j.exceptions import ClientError

    try:
        retry_transient(lambda: session.run(statement).consume())
    except ClientError as error:  # In spite of IF NOT EXISTS, where another process creates it right now.
        if error.code != "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists":
            raise
    if engine == "neo4j":
        await_index(session, statement.split()[2])
        # Called again after a load, this lets the planner see that the index is no longer empty.
        session.run("CALL db.prepareForReplanning()").consume()
