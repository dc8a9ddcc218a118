"""Running Cypher scripts, and giving the nodes that they create an id and a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.tools.arrays.index_files import Stage
from clew.tools.cypher.quoting import quoted
from clew.tools.errors import DatabaseUnavailable, QueryFailed
from clew.tools.graph.naming import Naming, choose_namings
from clew.tools.graph.store.existing_graph import sample_label
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest.formats.cypher_script import Statement

_ROWS = 5000


def run(store: GraphStore, statements: Sequence[Statement], stage: Stage) -> None:
    """Run the statements one by one.

    An index or constraint that the engine does not know is skipped: it makes queries faster or data stricter, and
    Clew makes its own indexes.

    Raises:
        QueryFailed: names the file and line of any other statement that fails.
    """
    with stage("Writing statements", "statements", len(statements)) as advance:
        for done, statement in enumerate(statements):
            try:
                store.write(statement.text)
            except DatabaseUnavailable:
                raise
            except QueryFailed as error:
                if not statement.is_schema:
                    raise QueryFailed(
                        f"{statement.file}:{statement.line}: {error.message}",
                        "Correct the statement. A graph that was empty is empty again; in another graph the first "
                        f"{done} statements have been run.",
                        cypher=error.cypher,
                    ) from error
            advance(done + 1)


def complete_nodes(store: GraphStore, digest: str, given: Mapping[str, str]) -> dict[str, str]:
    """Set `nodeId`, `name` and `aliases` where nodes lack them; returns the naming property of each label."""
    labels = [row["label"] for row in store.scan("MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label AS label")]
    namings = choose_namings([sample_label(store, label, without="nodeId") for label in labels], given)
    for label in labels:
        rows = store.scan(
            f"MATCH (n:{quoted(label)}) WHERE n.nodeId IS NULL OR n.name IS NULL "
            "RETURN elementId(n) AS element, properties(n) AS properties"
        )
        # All rows are read before the first is written, a few dozen bytes each: scripts are small.
        changes = [_change(label, digest, number, row, namings[label]) for number, row in enumerate(rows)]
        for start in range(0, len(changes), _ROWS):
            cypher = "UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row[0] SET n += row[1]"
            store.write(cypher, {"rows": changes[start : start + _ROWS]})
    return {label: "+".join(each.name) for label, each in namings.items() if each.name}


def _change(label: str, digest: str, number: int, row: dict[str, Any], naming: Naming) -> list[Any]:
    """[element id, properties to set]."""
    properties = row["properties"]
    key = properties.get("nodeId", f"{label}:{digest[:8]}.{number}")
    added: dict[str, Any] = {"nodeId": str(key), "name": naming.name_of(properties, str(key))}
    if aliases := naming.aliases_of(properties):
        added["aliases"] = aliases
    return [row["element"], added]
