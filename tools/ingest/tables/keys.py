"""The column that identifies the rows of a table: declared, or unique, complete, and named like a key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from clew.tools.ingest.tables import table_words
from clew.tools.ingest.tables.statistics import Statistics
from clew.tools.ingest.tables.table_words import KEY_WORDS

_NEARLY = 0.9
"""Share of distinct values at which a column called like the table's key is one, with a few rows given twice."""
_ENOUGH_ROWS = 10
_USUAL = frozenset({
    "code", "key", "name", "isbn", "sku", "slug", "iata", "icao", "iso", "username", "login", "email", "abbreviation",
})  # fmt: skip
_PARTS = KEY_WORDS | {"line", "seq", "sequence", "year", "position", "item", "version"}
"""Words in the names of columns that are parts of combined keys."""
_KINDS = ("integer", "text")
_MOST_COMBINED = 6
_FEW_NAMES = 5


@dataclass(frozen=True, slots=True)
class Key:
    """The columns that identify the rows of a table."""

    columns: tuple[str, ...]
    why: str


def single_keys(statistics: Statistics) -> dict[str, Key]:
    """The declared or single-column key of each table that has one."""
    found: dict[str, Key] = {}
    for name, table in statistics.tables.items():
        if table.source.key and all(column in table.types for column in table.source.key):
            found[name] = Key(table.source.key, "declared")
            continue
        ranks = {column: _rank(statistics, name, column) for column in table.types}
        best = max(ranks, key=lambda column: ranks[column], default=None)
        if best is not None and ranks[best]:
            found[name] = Key((best,), _why(statistics, name, best))
    return found


def home_of(statistics: Statistics, column: str) -> str | None:
    """The table whose own key a column is called after: `territoryID` belongs to territories, and `series_id` to the
    only table of some series, such as `tv_series`, that begins with it."""
    core, had = statistics.core(column)
    if not had:
        return None
    nouns = {name: statistics.noun(name) for name in statistics.tables}
    same = next((name for name, noun in nouns.items() if noun == core), None)
    if same is not None:
        return same
    kinds = [name for name, noun in nouns.items()
             if noun[-len(core) :] == core and column == next(iter(statistics.tables[name].types))]  # fmt: skip
    return kinds[0] if len(kinds) == 1 else None


def combined_key(statistics: Statistics, table: str, references: Sequence[str]) -> Key | None:
    """Two or three columns that together identify the rows, references first; None where there are none.

    Args:
        statistics: the counts of the values.
        table: a table without a key of one column.
        references: its columns that refer to other tables.
    """
    types = statistics.tables[table].types
    named = [
        name
        for place, (name, type) in enumerate(types.items())
        if name not in references
        and (_is_part(statistics.words(name), type.kind) or (place < 2 and type.kind in _KINDS))
    ]
    candidates = [*references, *named][:_MOST_COMBINED]
    for size in (2, 3):
        for columns in combinations(candidates, size):
            if set(columns) & set(references) and statistics.is_unique(table, columns):
                ordered = tuple(name for name in types if name in columns)
                return Key(ordered, "together unique: " + ", ".join(ordered))
    return None


def _is_part(words: Sequence[str], kind: str) -> bool:
    if kind == "date":
        return True
    return kind in _KINDS and bool(set(words) & _PARTS)


def _rank(statistics: Statistics, table: str, column: str) -> float:
    """How much speaks for a column as the key of its table; 0 if it is none."""
    types = statistics.tables[table].types
    if types[column].kind not in _KINDS or column in statistics.tables[table].left_out:
        return 0
    rank = _named_like_a_key(statistics, table, column, first=column == next(iter(types)))
    if not rank or statistics.is_unique(table, [column]):
        return rank
    many = statistics.tables[table].rows >= _ENOUGH_ROWS
    return rank if rank >= 3 and many and statistics.is_unique(table, [column], _NEARLY) else 0


def _named_like_a_key(statistics: Statistics, table: str, column: str, *, first: bool) -> float:
    noun = statistics.noun(table)
    core, had = statistics.core(column)
    home = home_of(statistics, column)
    if home is not None and home != table:
        # The other table's key: this table's own only where each of its rows extends one of the other's.
        linking = sum(home_of(statistics, other) not in (None, table) for other in statistics.tables[table].types)
        return 0.9 if first and linking == 1 else 0
    in_a_role = had and len(core) > 1 and core != noun and not (first and core[-len(noun) :] == noun)
    if in_a_role and any(core[-len(each) :] == each for each in map(statistics.noun, statistics.tables)):
        return 0  # Called after a row and its role (`required_course_code`, `parent_topic_id`): it refers to that row.
    words = statistics.words(column)
    if words in (("id",), ("uuid",), ("guid",)) or (had and core == noun):
        return 4 if words[-1] != "number" else 3
    if had and (core == noun[-len(core) :] or table_words.is_abbreviation(core, noun)):
        return 3
    if words[-1] in ("id", "uuid", "guid") or table_words.squashed(words) in (f"{table_words.squashed(noun)}id",):
        return 2 if first else 1.5
    if first and (had or words[-1] in KEY_WORDS):
        return 1.8
    if core == noun or words[-1] in _USUAL or words[0] in _USUAL:
        return 1.2 if first else 1
    if first and (_holds_codes(statistics, table, column) or _is_referred_to(statistics, table, column)):
        return 1.1  # The ear tags of sheep, or the bibs of runners, whose names happen to be distinct.
    return 0.5 if first and not names_others(statistics, table, column) else 0


def names_others(statistics: Statistics, table: str, column: str) -> bool:
    """Whether all texts of a column are names of some rows of another table: the records that were lent, each once."""
    if statistics.tables[table].types[column].kind != "text" or statistics.values(table, column) < _FEW_NAMES:
        return False
    for other in statistics.tables:
        names = statistics.name_columns(other) if other != table else ()
        if names and statistics.may_be_in(table, column, other, names):
            among, distinct = statistics.found_in(table, [column], other, names)
            if among == distinct < statistics.distinct(other, names):
                return True
    return False


def _holds_codes(statistics: Statistics, table: str, column: str) -> bool:
    return statistics.tables[table].types[column].kind == "text" and statistics.are_codes(table, column)


def _is_referred_to(statistics: Statistics, table: str, column: str) -> bool:
    """Whether a column of another table has the same name, and no other values."""
    for other, there in statistics.tables.items():
        for name in there.types if other != table else ():
            if statistics.words(name) == statistics.words(column) and statistics.values(other, name):
                among, distinct = statistics.found_in(other, [name], table, [column])
                if among == distinct:
                    return True
    return False


def _why(statistics: Statistics, table: str, column: str) -> str:
    rows, distinct = statistics.tables[table].rows, statistics.distinct(table, [column])
    if distinct < rows:
        return f"named as the key; {rows - distinct:,} of {rows:,} rows repeat a value or have none, and are skipped"
    return f"unique in {rows:,} rows"
