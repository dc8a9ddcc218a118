"""What the values of the tables say: distinct ones, missing ones, and which are among those of another column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from clew.tools.graph.naming import Naming, choose_namings
from clew.tools.graph.samples import SAMPLE, Sample
from clew.tools.ingest.tables import table_words
from clew.tools.ingest.tables.column_types import joined_text, quoted, unnested
from clew.tools.ingest.tables.short_names import ShortNames
from clew.tools.ingest.tables.workspace import LINE, Workspace

_CERTAINLY_REPEATED = 0.85
"""Below this share of distinct values by DuckDB's estimate, whose error is a few per cent, nothing is counted."""

_YEARS = re.compile(r"[\W_]+(19|20)?\d\d([\W_]+(19|20)?\d\d)?[\W_]*$")
"""How the name of a sheet ends that says of which years it is: "Bookings 24-25"."""
_FEW = 50
"""Rows that are looked at first."""
_LEAST_CHOICES = 5
"""Rows that must choose one of two columns, at least."""


class Statistics:
    """Counts of the values in a workspace, each made once."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.tables = workspace.tables
        self._filled: dict[str, dict[str, tuple[int, int]]] = {}
        self._distinct: dict[tuple[str, tuple[str, ...]], int] = {}
        self._name_columns: dict[str, tuple[str, ...]] = {}
        self._shares: dict[tuple[str, tuple[str, ...], str, tuple[str, ...]], tuple[int, int]] = {}

    @cached_property
    def _short_names(self) -> ShortNames:
        return ShortNames({
            table_words.squashed(table_words.noun(name.removeprefix(self._prefix))): table.types
            for name, table in self.tables.items()
        })  # fmt: skip

    def readable(self, column: str) -> str:
        """The name of a column with its words apart: `invoice_date` of INVDT."""
        return self._short_names.readable(column)

    def words(self, column: str) -> table_words.Words:
        """The words of the name of a column."""
        return table_words.words(self.readable(column))

    def property(self, column: str) -> str:
        """The name of the property that a column becomes: `invoiceDate` of INVDT; a name that is no short one stays."""
        return self._short_names.property(column) or table_words.property_name(column)

    def core(self, column: str) -> tuple[table_words.Words, bool]:
        """The words of a column, without those that make it a key, and whether it had any."""
        core, had = table_words.without_key_words(self.readable(column), self.nouns)
        return table_words.singular(core), had

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The nouns of all tables, each as one word."""
        return frozenset(table_words.squashed(self.noun(name)) for name in self.tables)

    @cached_property
    def _prefix(self) -> str:
        """What the names of at least three tables begin with, up to an underscore: `shop_` of a Django application."""
        first, line, _rest = next(iter(self.tables)).partition("_")
        prefix = first + line
        all_have = line and all(name.removeprefix(prefix) != name for name in self.tables)
        return prefix if all_have and len(self.tables) >= 3 else ""

    @cached_property
    def _short(self) -> dict[str, str]:
        bare = {name: _YEARS.sub("", name) or name for name in self.tables}
        times = Counter(bare.values())
        named = {name: each if times[each] == 1 else name for name, each in bare.items()}
        short = {name: self._short_names.table(each.removeprefix(self._prefix)) for name, each in named.items()}
        nouns = {table_words.squashed(table_words.noun(name)) for name in short.values()}
        return {name: table_words.apart(each, nouns) for name, each in short.items()}

    def short(self, table: str) -> str:
        """The name of a table without what all names begin with, and with its words apart."""
        return self._short[table]

    def noun(self, table: str) -> table_words.Words:
        """What one row of a table is."""
        return table_words.noun(self.short(table))

    def _estimates(self, table: str) -> dict[str, tuple[int, int]]:
        """Column to (values, distinct values by estimate)."""
        if table not in self._filled:
            names = list(self.tables[table].types)
            parts = ", ".join(f"count({quoted(n)}), approx_count_distinct({quoted(n)})" for n in names)
            row = self.workspace.rows(f"SELECT {parts} FROM {quoted(table)}")[0]
            self._filled[table] = {name: (row[2 * i], row[2 * i + 1]) for i, name in enumerate(names)}
        return self._filled[table]

    def values(self, table: str, column: str) -> int:
        """The number of rows with a value."""
        return self._estimates(table)[column][0]

    def distinct(self, table: str, columns: Sequence[str]) -> int:
        """The number of distinct values (or combinations, without those that miss a value)."""
        key = table, tuple(columns)
        if key not in self._distinct:
            listed = ", ".join(map(quoted, columns))
            filled = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in columns)
            query = f"SELECT count(*) FROM (SELECT DISTINCT {listed} FROM {self.items(table, columns)} WHERE {filled})"
            self._distinct[key] = self.workspace.number(query)
        return self._distinct[key]

    def is_unique(self, table: str, columns: Sequence[str], share: float = 1.0) -> bool:
        """Whether every row has a value of its own in these columns, or at least this share of the rows."""
        rows = self.tables[table].rows
        least = share * rows
        if rows == 0 or any(self.values(table, name) < least for name in columns):
            return False
        if len(columns) == 1 and self._estimates(table)[columns[0]][1] < _CERTAINLY_REPEATED * least:
            return False
        return self.distinct(table, columns) >= least

    def range(self, table: str, column: str) -> tuple[int, int]:
        """The least and the largest value of a column of integers; 0 and 0 where it has none."""
        query = f"SELECT coalesce(min({quoted(column)}), 0), coalesce(max({quoted(column)}), 0) FROM {quoted(table)}"
        least, most = self.workspace.rows(query)[0]
        return least, most

    def are_codes(self, table: str, column: str) -> bool:
        """Whether every value is a code: without spaces, with a digit and a letter, as nothing that is counted or told
        has, or a few capitals."""
        value = quoted(column)
        query = (
            f"SELECT bool_and((regexp_matches({value}, '^\\S*\\pL\\S*$') AND regexp_matches({value}, '\\d')) "
            f"OR regexp_matches({value}, '^\\p{{Lu}}{{2,5}}$')) FROM {quoted(table)} WHERE {value} IS NOT NULL"
        )
        return bool(self.workspace.rows(query)[0][0])

    def found_in(self, table: str, columns: Sequence[str], other: str, key: Sequence[str]) -> tuple[int, int]:
        """(distinct values of the columns that are among those of the other table's, all distinct values). One column
        may hold what several of the other table hold, joined by a blank."""
        known = table, tuple(columns), other, tuple(key)
        if known not in self._shares:
            mine = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in columns)
            theirs = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in key)
            theirs = joined_text(key) if len(columns) == 1 else theirs
            filled = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in columns)
            query = (
                f"SELECT count(*) FROM (SELECT {mine} FROM {self.items(table, columns)} WHERE {filled} "
                f"INTERSECT SELECT {theirs} FROM {quoted(other)})"
            )
            self._shares[known] = self.workspace.number(query), self.distinct(table, columns)
        return self._shares[known]

    def may_be_in(self, table: str, column: str, other: str, key: Sequence[str], least: float = 1.0) -> bool:
        """Whether this share of a column's values may be among those of the other table's, by their estimated number
        and a few of them. It looks at few rows, so that `found_in` need not look at all."""
        listed = self.is_list(table, column)
        if not listed and _CERTAINLY_REPEATED * least * self._estimates(table)[column][1] > self.tables[other].rows:
            return False
        few = (
            f"SELECT DISTINCT {joined_text([column])} AS value FROM (SELECT {quoted(column)} "
            f"FROM {self.items(table, [column])} WHERE {quoted(column)} IS NOT NULL LIMIT {_FEW})"
        )
        known = f"value IN (SELECT {joined_text(key)} FROM {quoted(other)})"
        found, every = self.workspace.rows(f"SELECT count(*) FILTER (WHERE {known}), count(*) FROM ({few})")[0]
        return bool(found >= least * every)

    def is_list(self, table: str, column: str) -> bool:
        """Whether the cells of a column hold several values."""
        return self.tables[table].types[column].kind == "list"

    def items(self, table: str, columns: Sequence[str]) -> str:
        """SQL: the rows of a table, once for each value of a column with lists."""
        return unnested(quoted(table), [name for name in columns if self.is_list(table, name)])

    def is_one_of(self, table: str, column: str, pair: tuple[str, str]) -> bool:
        """Whether every value of a column, of at least five, is that of one or of the other of two columns of its row,
        and each of these is it sometimes."""
        one, other = (f"CAST({quoted(column)} AS VARCHAR) = CAST({quoted(name)} AS VARCHAR)" for name in pair)
        query = (
            f"SELECT count(*), count(*) FILTER (WHERE {one}), count(*) FILTER (WHERE {other}), "
            f"count(*) FILTER (WHERE {one} OR {other}) FROM {quoted(table)} WHERE {quoted(column)} IS NOT NULL"
        )
        filled, first, second, either = self.workspace.rows(query)[0]
        return bool(filled >= _LEAST_CHOICES and either == filled and 0 < first < filled and 0 < second < filled)

    def name_columns(self, table: str) -> tuple[str, ...]:
        """The columns of texts that name the rows of a table, joined by a blank; none where rows share a name."""
        if table not in self._name_columns:
            types = self.tables[table].types
            names = self.naming(table, table_words.label(self.short(table)), list(types)).name
            texts = all(types[name].kind == "text" for name in names)
            self._name_columns[table] = names if names and texts and self.is_unique(table, names) else ()
        return self._name_columns[table]

    def naming(self, table: str, label: str, columns: Sequence[str]) -> Naming:
        """Which of the columns name the rows, are aliases, and hold running text."""
        said = list(map(self.readable, columns))
        unique = [name if said.count(one) > 1 else one for one, name in zip(said, columns, strict=True)]
        sample, readable = Sample(label, ordered=True), dict(zip(unique, columns, strict=True))
        listed = ", ".join(map(quoted, columns)) or LINE
        for row in self.workspace.rows(f"SELECT {listed} FROM {quoted(table)} ORDER BY {LINE} LIMIT {SAMPLE}"):
            sample.add({name: value for name, value in zip(readable, row, strict=False) if value is not None})
        chosen = choose_namings([sample], {})[label]
        columns_of = {part: [readable[name] for name in names] for part, names in chosen.to_json().items()}
        return Naming.from_json(columns_of)
