"""Creating the indexes that imports and questions look nodes up in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.tools.graph.store.faults import retry_transient
from clew.tools.graph.store.graph_store import Engine

if TYPE_CHECKING:
    from neo4j import Session


def create_index(session: Session, statement: str, engine: Engine) -> None:
    """Run a statement that creates an index, and wait until queries use it."""
    from neo4j.exceptions import ClientError

    try:
        retry_transient(lambda: session.run(statement).consume())
    except ClientError as error:  # In spite of IF NOT EXISTS, where another process creates it right now.
        if error.code != "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists":
            raise
    if engine == "neo4j":
        session.run("CALL db.awaitIndexes(600)").consume()
        # Called again after a load, this lets the planner see that the index is no longer empty.
        session.run("CALL db.prepareForReplanning()").consume()
