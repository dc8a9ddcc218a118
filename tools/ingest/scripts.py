"""Running Cypher scripts, and giving the nodes that they make an id and a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.errors import DatabaseUnavailable, QueryFailed
from clew.tools.graph import naming
from clew.tools.graph.naming import SAMPLE, Naming, Sample
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest.formats import cypher_script
from clew.tools.ingest.formats.cypher_script import Statement
from clew.tools.ingest.report import Progress

_ROWS = 5000


@dataclass(frozen=True, slots=True)
class Located:
    """A statement and the file it stands in."""

    file: Path
    statement: Statement


def read(paths: Sequence[Path]) -> list[Located]:
    """The statements of all scripts, checked; see `cypher_script.read`."""
    return [Located(path, statement) for path in paths for statement in cypher_script.read(path)]


def run(store: GraphStore, statements: Sequence[Located], progress: Progress) -> None:
    """Run the statements one by one.

    An index or constraint that the engine does not know is passed over: it makes queries faster or data stricter,
    and Clew makes its own indexes. Raises QueryFailed naming the file and line of any other statement that fails.
    """
    progress.start(len(statements), "statements")
    for number, located in enumerate(statements):
        try:
            store.write(located.statement.text)
        except DatabaseUnavailable:
            raise
        except QueryFailed as error:
            if not located.statement.is_schema:
                raise _failed(located, number, error) from error
        progress.advance(1)
    progress.done()


def _failed(located: Located, done: int, error: QueryFailed) -> QueryFailed:
    return QueryFailed(
        f"{located.file}:{located.statement.line}: {error.message}",
        f"Correct the statement. In a graph that was empty nothing is left; elsewhere {done} statements have been run.",
        cypher=error.cypher,
    )


def complete_nodes(store: GraphStore, digest: str, given: Mapping[str, str]) -> dict[str, str]:
    """Set `nodeId`, `name` and `aliases` where nodes lack them; returns the naming property of each label."""
    labels = [row["label"] for row in store.scan("MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label AS label")]
    namings = naming.choose([_sample(store, label) for label in labels], given)
    for label in labels:
        rows = store.scan(
            f"MATCH (n:{quoted(label)}) WHERE n.nodeId IS NULL OR n.name IS NULL "
            "RETURN elementId(n) AS element, properties(n) AS properties"
        )
        # all rows are read before the first is written, a few dozen bytes each: scripts are small
        written = [_row(label, digest, number, row, namings[label]) for number, row in enumerate(rows)]
        for batch in _chunks(written, _ROWS):
            store.write("UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row[0] SET n += row[1]", {"rows": batch})
    return {label: "+".join(each.name) for label, each in namings.items() if each.name}


def _sample(store: GraphStore, label: str) -> Sample:
    sample = Sample(label)
    for row in store.scan(f"MATCH (n:{quoted(label)}) RETURN properties(n) AS properties LIMIT {SAMPLE}"):
        sample.see({name: value for name, value in row["properties"].items() if name != "nodeId"})
    return sample


def _row(label: str, digest: str, number: int, row: dict[str, Any], chosen: Naming) -> list[Any]:
    """[element, what to set]."""
    properties = row["properties"]
    key = properties.get("nodeId", f"{label}:{digest[:8]}.{number}")
    added: dict[str, Any] = {"nodeId": str(key), "name": chosen.name_of(properties, str(key))}
    if aliases := chosen.aliases_of(properties):
        added["aliases"] = aliases
    return [row["element"], added]


def _chunks(rows: Iterable[list[Any]], size: int) -> Iterator[list[list[Any]]]:
    iterator = iter(rows)
    while chunk := list(islice(iterator, size)):
        yield chunk
