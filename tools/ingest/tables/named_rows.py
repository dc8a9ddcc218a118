"""Columns that hold the names of rows instead of their keys: the `picked_by` of harvests, in which tenants are named.
Cells may also list several names or keys: the guests of an evening.

People who keep tables by hand write "Ann Lee", and not 106. That all texts of a column name rows of one table hardly
happens by chance, but two kinds of columns share their words with others without referring to anything: places and
categories. So a column must also be called like the table, or hold names of several words, or name people, or list
keys and names that many rows have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from clew.tools.ingest import relation_words
from clew.tools.ingest.tables.column_types import quoted
from clew.tools.ingest.tables.keys import Key, names_others
from clew.tools.ingest.tables.people import acts
from clew.tools.ingest.tables.references import MAIL, Reference, reason
from clew.tools.ingest.tables.statistics import Statistics

_CALLED, _PEOPLE, _WORDED = 0.8, 0.55, 0.5
"""How well names and values agree: the column is called like the table, names people, and has names of words."""
_LISTED = 0.5
"""The same of a list of words that are all keys or names of rows: the services that a service depends on."""
_NUMBER = re.compile(r"[ _]?\d+$")
_LEAST_NAMES = 3
_LEAST_LISTED = 5
_LEAST_WORDED = 0.5
"""Distinct values of a column that is not called like the table, and the share of them that have several words."""
_LEAST_FOUND = 0.75
"""The share of a column's names that must be rows of a table which it is called like, or of a table of people: others
may take part, such as guests."""
_PLACES = frozenset({"Place", "Town", "City", "Village", "Country", "County", "Region", "State", "District", "Street"})

_ANY_PLACE = frozenset({"place", "location", "venue", "site", "where"})
"""Words for a place of any kind, which a row of a table may be."""


def named(statistics: Statistics, table: str, found: Sequence[Reference], keys: Mapping[str, Key]) -> list[Reference]:
    """The references of a table with those that its columns make by names.

    Args:
        statistics: Counts of the values.
        table: The table.
        found: Its references by keys.
        keys: The keys of all tables.
    """
    taken = {column for each in found for column in each.columns}
    names = statistics.name_columns(table)
    names = () if table not in keys and len(names) == 1 and names_others(statistics, table, names[0]) else names
    own = {*names, *(keys[table].columns if table in keys else ())}
    codes = {other: key.columns for other, key in keys.items() if len(key.columns) == 1}
    more = []
    for column, kind in statistics.tables[table].types.items():
        if (
            kind.kind in ("text", "list")
            and column not in taken | own
            and (best := _best(statistics, table, column, codes))
        ):
            more.append(best)
    more += _siblings(statistics, table, [*found, *more])
    order = list(statistics.tables[table].types)
    return sorted([*found, *more], key=lambda each: order.index(each.columns[0]))


def _siblings(statistics: Statistics, table: str, found: Sequence[Reference]) -> Iterator[Reference]:
    """The third glaze of a pot, where the first two refer to glazes: few pots have one."""
    taken = {column for each in found for column in each.columns}
    for column in statistics.tables[table].types:
        base = _NUMBER.sub("", column)
        like = next((each for each in found if each.columns[1:] == () and base != column
                     and _NUMBER.sub("", each.columns[0]) == base), None)  # fmt: skip
        if like is None or column in taken:
            continue
        among, distinct = statistics.found_in(table, [column], like.table, like.key)
        if among and among == distinct:
            yield replace(like, columns=(column,), why=reason(f"as {like.columns[0]}", among, distinct))


def _best(statistics: Statistics, table: str, column: str, codes: Mapping[str, tuple[str, ...]]) -> Reference | None:
    """The table whose rows a column names, or whose keys it lists; None where two fit equally well."""
    fitting: list[tuple[float, float, Reference]] = []
    names = ((other, statistics.name_columns(other)) for other in statistics.tables)
    targets = [(other, columns) for other, columns in names if other != table or column not in columns]
    listed = statistics.is_list(table, column)
    targets += [(other, key) for other, key in codes.items()
                if listed or (other != table and statistics.tables[other].types[key[0]].kind == "text")]  # fmt: skip
    targets += [(other, (each,)) for other in statistics.tables if listed for each in _addresses(statistics, other)]
    for other, target in dict.fromkeys(targets):
        least = 1.0 if listed else _LEAST_FOUND
        filled = target and statistics.values(table, column)
        if not (filled and statistics.may_be_in(table, column, other, target, least)):
            continue
        among, distinct = statistics.found_in(table, [column], other, target)
        strength = _strength(statistics, table, column, other)
        complete = among == distinct
        some = among >= max(_LEAST_NAMES, least * distinct) and strength >= _PEOPLE
        if not strength or not (complete or some):
            continue
        by_name = target == statistics.name_columns(other)
        why = reason("names of the rows" if by_name else "keys of the rows", among, distinct)
        share = among / statistics.distinct(other, target)
        fitting.append((strength, share, Reference((column,), other, target, why, strength, complete)))
    fitting.sort(key=lambda each: each[:2], reverse=True)
    if not fitting or (len(fitting) > 1 and fitting[0][:2] == fitting[1][:2]):
        return None
    return fitting[0][2]


def _addresses(statistics: Statistics, table: str) -> list[str]:
    """The columns of a table with an e-mail address for each row."""
    mail = [column for column in statistics.tables[table].types if statistics.words(column)[-1] in MAIL]
    return [column for column in mail if statistics.is_unique(table, [column])]


def _strength(statistics: Statistics, table: str, column: str, other: str) -> float:
    """How well a column whose texts are all names of another table's rows agrees with that table; 0 for not."""
    core, _had = statistics.core(column)
    noun = statistics.noun(other)
    if table != other and (core[-len(noun) :] == noun or core == noun[-len(core) :]):
        return _CALLED
    if statistics.distinct(table, [column]) < _LEAST_NAMES or _says_a_place(column):
        return 0
    if acts(statistics, other):
        return _PEOPLE
    if _worded(statistics, table, column) >= _LEAST_WORDED:
        return _WORDED
    many = statistics.distinct(table, [column]) >= _LEAST_LISTED
    return _LISTED if many and statistics.is_list(table, column) else 0


def _says_a_place(column: str) -> bool:
    """Whether a column is called like a place, such as a town: towns may be called as the rows of any table."""
    words = relation_words.words(column)
    guess = relation_words.guess(column, "object") if len(words) > 1 or words[0] not in _ANY_PLACE else None
    return guess is not None and guess.name in _PLACES


def _worded(statistics: Statistics, table: str, column: str) -> float:
    """The share of a column's distinct values that have several words."""
    value = quoted(column)
    distinct = f"SELECT DISTINCT trim({value}) AS value FROM {statistics.items(table, [column])}"
    query = f"SELECT avg(CASE WHEN contains(value, ' ') THEN 1 ELSE 0 END) FROM ({distinct}) WHERE value IS NOT NULL"
    return float(statistics.workspace.rows(query)[0][0] or 0)
