"""Columns whose value is always that of one of two others in its row: the `winner_id` of matches between two teams.

Names say little here: a winner may be a person or a team. The rows say it for certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from clew.tools.ingest.tables.references import KEY_KINDS, SURE, Reference
from clew.tools.ingest.tables.statistics import Statistics


def chosen(statistics: Statistics, table: str, found: Sequence[Reference]) -> list[Reference]:
    """The references of a table, with those that its rows choose from two others.

    Args:
        statistics: Counts of the values.
        table: The table.
        found: Its references by names and values.
    """
    sure = {each.columns[0]: each for each in found if len(each.columns) == 1 and each.strength >= SURE}
    told = {reference.columns: reference for reference in _chosen(statistics, table, sure)}
    kept = [told.pop(each.columns, each) for each in found]
    order = list(statistics.tables[table].types)
    return sorted([*kept, *told.values()], key=lambda each: order.index(each.columns[0]))


def _chosen(statistics: Statistics, table: str, sure: dict[str, Reference]) -> Iterator[Reference]:
    types = statistics.tables[table].types
    for column in (name for name, kind in types.items() if name not in sure and kind.kind in KEY_KINDS):
        for one, other in combinations(sure.values(), 2):
            pair = one.columns[0], other.columns[0]
            if (one.table, one.key) == (other.table, other.key) and statistics.is_one_of(table, column, pair):
                yield Reference((column,), one.table, one.key, f"always {pair[0]} or {pair[1]}", SURE)
                break
