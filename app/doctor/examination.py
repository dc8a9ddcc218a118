"""All checks of a home, in the order in which they depend on one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from clew.app.doctor.findings import Finding, Part
from clew.app.doctor.indexes import index_parts, schema_part
from clew.app.doctor.stores import document_parts, graph_part, home_parts, written_parts

if TYPE_CHECKING:
    from clew.app.container import Container


def examine(container: Container, graph: str | None = None, *, repair: bool = False) -> Iterator[Finding]:
    """The findings, part after part.

    Args:
        container: Of the home.
        graph: Only this graph and what all graphs share; None for all graphs.
        repair: Make again what is not sound and can be made again.

    Raises:
        UnknownGraph: There is no graph of that name.
    """
    if graph is not None:
        container.store(graph)
    yield from _examined(home_parts(container), repair)
    for name in [graph] if graph else [each.name for each in container.graphs()]:
        files = container.files(name)
        whole = list(_examined([graph_part(files)], repair))
        yield from whole
        parts = chain([schema_part(files)], written_parts(files), index_parts(files), document_parts(files))
        # What is derived from a graph that has lost records shows what it has lost.
        yield from _examined(parts, repair and all(each.state == "sound" for each in whole))
        if repair:
            container.forget(name)


def _examined(parts: Iterable[Part], repair: bool) -> Iterator[Finding]:
    return (found for part in parts if (found := part.examined(repair=repair)) is not None)
