"""The progress of writing the staged records: batch after batch from the first that the journal does not have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from operator import attrgetter

from clew.tools.arrays.index_files import Stage
from clew.tools.graph.naming import Naming
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest.batches import Batch, batches
from clew.tools.ingest.bulk_writing import MOST_BATCHES, BulkWriter
from clew.tools.ingest.changes import Owned
from clew.tools.ingest.journal import Journal, Pending
from clew.tools.ingest.report import ImportReport
from clew.tools.ingest.staging import Staging
from clew.tools.ingest.writing import Writer


class Progress:
    """Writes the batches of an import."""

    def __init__(
        self, store: GraphStore, journal: Journal, staging: Staging, pending: Pending, batch_size: int
    ) -> None:
        self._store = store
        self._journal = journal
        self._staging = staging
        self._fresh = pending.fresh
        self._committed = pending.committed
        self._batch_size = batch_size
        self._in_doubt = self._found_in_doubt()
        self._bulk = store.bulk_load() if pending.fresh and store.scope is None else None

    def start_over_unless_whole(self) -> None:
        """Write to an empty graph, from the first batch, where a database that ended during a bulk load has left
        relationships that only one of their ends knows."""
        relation = next((batch.relation for batch in self._in_doubt), "")
        if not relation or self._bulk is None:
            return
        self._bulk.wait()
        if not self._bulk.is_whole(relation):
            self._journal.commit(0)
            self._committed = 0
            self._in_doubt = self._found_in_doubt()
            self._bulk.recreate()

    def write(self, report: ImportReport, owned: Owned | None, stage: Stage) -> None:
        """Write the batches that the journal does not have, and note each; `owned` is what the tables decide alone."""
        staging = self._staging
        namings = {label: Naming.from_json(each) for label, each in staging.get_object("namings").items()}
        properties = owned.properties if owned is not None and report.updates else {}
        writer = Writer(self._store, staging.db, namings, properties)
        bulk = BulkWriter(self._bulk, staging.db) if self._bulk is not None else None
        totals = {
            "Removing": staging.count("gone_edges") + staging.count("gone_nodes"),
            "Writing nodes": staging.count("node_order"),
            "Writing relationships": staging.count("edge_order"),
        }
        for what, group in groupby(batches(staging.db, self._batch_size), attrgetter("task")):
            with stage(what, what.split()[-1].lower(), totals[what]) as advance:
                listed = list(group)
                left = [batch for batch in listed if batch.number >= self._committed]
                done = sum(batch.size for batch in listed) - sum(batch.size for batch in left)
                for batch in self._written(left, writer, bulk):
                    self._journal.commit(batch.number + 1)
                    done += batch.size
                    advance(done)

    def _written(self, left: list[Batch], writer: Writer, bulk: BulkWriter | None) -> Iterator[Batch]:
        if bulk is None:
            yield from writer.write_all(left, self._is_careful)
            return
        for is_bulk, group in groupby(left, lambda batch: bulk.takes(batch) and not self._is_careful(batch)):
            write = bulk.write_all if is_bulk else partial(writer.write_all, careful=self._is_careful)
            yield from write(group)

    def _is_careful(self, batch: Batch) -> bool:
        """Whether records of the batch may be in the graph already."""
        return not self._fresh or batch in self._in_doubt

    def _found_in_doubt(self) -> list[Batch]:
        """The batches that may have been written before an interruption without a note of it."""
        found: list[Batch] = []
        for batch in batches(self._staging.db, self._batch_size):
            if batch.number < self._committed:
                continue
            if found and (batch.kind != "edges" or batch.relation != found[0].relation or len(found) == MOST_BATCHES):
                break
            found.append(batch)
        return found
