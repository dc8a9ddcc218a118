"""The formats of files that Clew imports: one reader a format.

In: the path of a file. Out: a `Format`, whose `read` yields records. To add a format, write a module with a function
`recognise(path, sample)` and name it in `_ORDER`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from clew.tools.errors import BadInput
from clew.tools.ingest import source
from clew.tools.ingest.formats import admin_csv, cypher_script, headed_table, json_lines, networks, rdf, triples
from clew.tools.ingest.records import Format, Kind

__all__ = ["Format", "detect", "forced"]

_ORDER: tuple[Callable[[Path, Sequence[str]], Format | None], ...] = (
    json_lines.recognise,
    rdf.recognise,
    networks.recognise,
    admin_csv.recognise,
    cypher_script.recognise,
    headed_table.recognise,
    triples.recognise,
)
"""The most specific formats first."""


def detect(path: Path) -> Format:
    """The file's format, by content first and extension second.

    Raises BadInput, with what was seen, where the file is missing, empty, binary or of no known format.
    """
    source.check(path)
    sample = source.sample_lines(path)
    for recognise in _ORDER:
        if found := recognise(path, sample):
            return found
    raise BadInput(
        f"{path} is of no known format; {triples.columns_found(sample)}.",
        "Import a table with a header row, triples (3 columns by tab, comma or `|`), neo4j-admin CSV, JSON Lines, "
        "RDF (N-Triples, Turtle, RDF/XML, JSON-LD), a network (GraphML, GEXF, GML, JSON) or Cypher.",
    )


def json_graph(path: Path) -> Format | None:
    """A file of JSON as one of nodes and relationships, or of RDF; None for other JSON."""
    sample = source.sample_lines(path)
    found = (each(path, sample) for each in (json_lines.recognise, rdf.recognise, networks.recognise))
    return next(filter(None, found), None)


def forced(path: Path, kind: Kind) -> Format:
    """The file as one of a format that the user names. Raises BadInput if it cannot be read as one."""
    source.check(path)
    if kind in rdf.READERS:
        return rdf.READERS[kind](path, f"{kind}, as asked")
    sample = source.sample_lines(path)
    for recognise in _ORDER:
        found = recognise(path, sample)
        if found and found.kind == kind:
            return found
    raise BadInput(f"{path} cannot be read as {kind}; {triples.columns_found(sample)}.", "Leave out --format.")
