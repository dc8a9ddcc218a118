"""The database of a `Neo4jGraph` of langchain-neo4j, taken over as it is connected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clew.tools.errors import BadInput
from clew.tools.graph.store import lent_database

if TYPE_CHECKING:
    from langchain_neo4j import Neo4jGraph

    from clew.tools.graph.store.bolt import BoltDatabase


@dataclass(frozen=True, slots=True)
class Connected:
    """Where a graph is."""

    database: BoltDatabase
    url: str
    name: str
    """Of the graph: that of its database."""


def connected(graph: Neo4jGraph | Any) -> Connected:
    """What a `Neo4jGraph` is connected to.

    Raises:
        BadInput: `graph` is something else, or its server does not answer.
    """
    from neo4j.exceptions import DriverError, Neo4jError

    driver, name = getattr(graph, "_driver", None), getattr(graph, "_database", None)
    if driver is None or not isinstance(name, str) or not hasattr(driver, "get_server_info"):
        raise BadInput(
            f"{type(graph).__name__} is neither the name of a graph nor a Neo4jGraph.",
            "Give clew.connect a name, or langchain_neo4j.Neo4jGraph(url=…, username=…, password=…).",
        )
    try:
        host, port = driver.get_server_info().address[:2]
    except (DriverError, Neo4jError) as error:
        raise BadInput(f"The server of the Neo4jGraph does not answer: {error}.", "Connect it anew.") from None
    url = f"bolt://{f'[{host}]' if ':' in str(host) else host}:{port}"
    return Connected(lent_database(url, driver), url, name)
