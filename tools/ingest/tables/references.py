"""Columns that refer to the rows of a table: declared, or by inclusion of their values and agreement of their names.

Inclusion alone proves nothing: the numbers from 1 to 8 are among the keys of every larger table. So a column must also
be called like the table or its key, like a part of it (`original_language_id`), like a person in a table of people
(`created_by`), or like a row of the same table (`parent_id`). The weaker the agreement of the names, the more the
values have to say: codes such as K05, all of which are keys of a table, need no name. If two tables fit equally well,
neither is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clew.tools.ingest.tables import table_words
from clew.tools.ingest.tables.keys import Key, home_of
from clew.tools.ingest.tables.people import (
    acts,
    are_alike,
    done_by_others,
    holds_people,
    is_house,
    is_person,
    rows_say,
    says_role,
)
from clew.tools.ingest.tables.statistics import Statistics
from clew.tools.ingest.tables.table_words import Words

KEY_KINDS = ("integer", "text")
"""The kinds of values that keys have."""
_OWN_ROWS = frozenset({
    "parent", "reports", "manager", "mgr", "supervisor", "boss", "superior", "superordinate", "predecessor",
    "successor", "previous", "next", "reply", "replace", "replaces", "replaced", "root", "mentor", "ancestor",
    "sibling", "spouse", "chief", "duplicate", "duplicates", "original", "copied", "cloned", "forked", "merged",
    "superseded", "supersedes", "follows", "precedes", "succeeds", "continues", "extends",
})  # fmt: skip
"""Words by which rows refer to others of the same table."""
_SAME, _EQUAL, _NAMED, _PART, _HEAD, _STEM, _OWN, _ROLE, _NUMBERED = 1.0, 0.97, 0.95, 0.9, 0.8, 0.6, 0.7, 0.5, 0.4
SURE = _STEM
"""How well names and values must agree for a reference to tell what others of its row are."""
_CODED = 0.3
_LEAST_SHARE = {_SAME: 0.5, _EQUAL: 0.5, _NAMED: 0.5, _PART: 0.9, _HEAD: 0.95}
"""Share of a column's distinct values that must be among the keys, by the agreement of the names; 1 for weaker ones."""
_COVERED = 0.5
"""Share of the keys that must occur, where only a common stem speaks for a table."""
_MORE = 2.5
"""How many times more of the keys of one table than of another must occur to tell them apart."""
_MANY, _HIGH = 50, 1000
"""The least key of a table from which on its keys are too large to be counts."""
_HIGH_OF_PEOPLE = 100
"""The same where the column is called after a person, or like a key."""
_BY_CHANCE = 0.05
_LEAST_CODES, _SPARSE, _FIRST = 3, 2, 4
"""How many times more numbers there are than occur, and the least one, where they count nothing."""
_NUMBERS = frozenset({"n", "numero", "número", "numéro", "nummer"})
"""Words that begin or end the name of a key, but also that of a count: they tell only where both names are the same."""
_COUNTING = frozenset({"max", "min", "num", "total", "count", "avg", "limit", "counted", "played", "won", "lost"})
_CODE_WORDS = ("code", "abbreviation", "iso", "symbol", "initials", "login", "username", "handle", "nickname")
MAIL = ("email", "mail")
_SURE_WORDS = frozenset({"id", "key", "code", "fk", "uuid", "guid", "ref"})


@dataclass(frozen=True, slots=True)
class Reference:
    """A column (or several) of one table whose values are keys of another."""

    columns: tuple[str, ...]
    table: str
    key: tuple[str, ...]
    why: str
    strength: float = 1.0
    complete: bool = True  # Else values that are not found stay texts.


def find(statistics: Statistics, table: str, keys: Mapping[str, Key]) -> list[Reference]:
    """The references of a table, in the order of its columns."""
    found: list[Reference] = []
    declared = statistics.tables[table].source.references
    for each in declared:
        if each.table in statistics.tables and set(each.columns) <= set(statistics.tables[table].types):
            key = each.key or keys[each.table].columns
            among, distinct = statistics.found_in(table, each.columns, each.table, key)
            found.append(Reference(each.columns, each.table, key, reason("declared", among, distinct)))
    taken = {column for each in found for column in each.columns}
    for column, kind in statistics.tables[table].types.items():
        usable = kind.kind in KEY_KINDS or not statistics.values(table, column)
        if column in taken or not usable:
            continue
        if reference := _single(statistics, table, column, keys):
            found.append(reference)
    return sorted(found, key=lambda each: list(statistics.tables[table].types).index(each.columns[0]))


def _single(statistics: Statistics, table: str, column: str, keys: Mapping[str, Key]) -> Reference | None:
    """The table to which a column refers, if one fits best."""
    candidates = []
    for other, key in keys.items():
        if len(key.columns) != 1 or (other == table and key.columns == (column,)):
            continue
        for target in (key.columns[0], *_alternatives(statistics, other, key)):
            strength, said = _agreement(statistics, table, column, other, target, keys)
            if strength and (other, target) != (table, column):
                reference = _checked(statistics, table, column, other, target, strength, said)
                if reference is not None:
                    candidates.append(reference)
    if not candidates:
        return None
    best = max(each.strength for each in candidates)
    fitting = [each for each in candidates if each.strength == best]
    if len({each.table for each in fitting}) > 1:
        home = [each for each in fitting if home_of(statistics, column) == each.table]
        fitting = home or (_likeliest(statistics, table, column, fitting) if best < _OWN else [])
    return fitting[0] if fitting else None


def _likeliest(statistics: Statistics, table: str, column: str, fitting: Sequence[Reference]) -> list[Reference]:
    """Of several tables of people the one most of whose rows occur; else the people of the organisation itself."""
    covers = [_covers(statistics, table, column, each.table, each.key[0]) for each in fitting]
    first, second = sorted(covers, reverse=True)[:2]
    if first >= _MORE * second:
        return [fitting[covers.index(first)]]
    own = [each for each in fitting if is_house(statistics, each.table)]
    return own if len(own) == 1 and not done_by_others(statistics.words(column)) else []


def _covers(statistics: Statistics, table: str, column: str, other: str, key: str) -> float:
    """The share of another table's keys that occur in a column."""
    among, _ = statistics.found_in(table, [column], other, [key])
    return among / max(1, statistics.distinct(other, [key]))


def _alternatives(statistics: Statistics, table: str, key: Key) -> list[str]:
    """Other columns by which rows are looked up: a code or a name that is unique."""
    found = []
    for column, kind in statistics.tables[table].types.items():
        words = statistics.words(column)
        usual = words[-1] in (*_CODE_WORDS, *MAIL, "name") or words == statistics.noun(table)
        if column not in key.columns and kind.kind == "text" and usual and statistics.is_unique(table, [column]):
            found.append(column)
    return found


def _agreement(
    statistics: Statistics, table: str, column: str, other: str, target: str, keys: Mapping[str, Key]
) -> tuple[float, str]:
    """How well the name of a column agrees with a table and its key, and how; 0 for not at all."""
    core, had = statistics.core(column)
    noun = statistics.noun(other)
    mine, theirs = statistics.words(column), statistics.words(target)
    is_key = keys[other].columns == (target,)
    own_key, home = table in keys and keys[table].columns == (column,), home_of(statistics, column)
    if own_key and (home is None or home == table):
        return 0, ""
    if core == noun and (had or table != other):
        return (_NAMED if home != other else _SAME), "the same name"
    if not is_key:
        short = theirs[-1] in _CODE_WORDS and acts(statistics, other) and is_person(core, True)
        return (_ROLE, f"a person, by {target}") if short or theirs[-1] in MAIL else (0, "")
    specific = len(theirs) > 1 or table_words.squashed(theirs) not in (*table_words.KEY_WORDS, "name", "title")
    if specific and mine == theirs and table != other:
        says_key = had or (len(mine) > 1 and bool({mine[0], mine[-1]} & _NUMBERS))
        return (_EQUAL if says_key else _PART), "the name of the key"
    if _is_compound(mine, theirs) and (table == other or home is None) and not own_key:
        return _PART, f"ends like {target}"
    if len(core) > len(noun) and core[-len(noun) :] == noun and (had or len(core) <= len(noun) + 2):
        return _PART, f"named after {other}"
    if len(theirs) > 1 and len(mine) > len(theirs) and mine[-len(theirs) :] == theirs:
        return _PART, f"ends like {target}"
    if table == other and not own_key and set(core) & _OWN_ROWS:
        return _OWN, "a row of the same table, by its name"
    if table != other and had and (core == noun[-len(core) :] or table_words.is_abbreviation(core, noun)):
        return _HEAD, f"short for {' '.join(noun)}"
    kinds = [name for name in statistics.tables if statistics.noun(name)[-1] == core[-1]]
    if table != other and had and kinds == [other] and len(core) > 1:
        return _HEAD, f"one of the {other}"  # The `origin_zoo_id` of animals, beside `partner_zoos`.
    if table != other and _stem(core, noun) and not set(core) & _COUNTING:
        return _STEM, f"the same stem as {' '.join(noun)}"
    is_done = core[-1] in ("by", "to")
    if (is_done or (had and table != other)) and is_person(core, had) and acts(statistics, other):
        said = rows_say(statistics, table, column, other, target, core)
        strength = _ROLE if holds_people(statistics, other) else _ROLE - 0.05
        return (_ROLE + 0.05 if said else strength), said or "a person, by its name"
    if table != other and is_person(core[-1:], True) and acts(statistics, other) and not set(core) & _COUNTING:
        return _NUMBERED, "a person, by its name and its numbers"
    if (had or statistics.tables[table].types[column].kind == "text") and not own_key:
        return _CODED, "codes of the key"
    return 0, ""


def _is_compound(column: Words, key: Words) -> bool:
    """Whether one word of a column is a compound of the key's, and the rest is the same: `oberkategorie_id`."""
    if len(column) != len(key) or len(key) < 2 or column[1:] != key[1:]:
        return False
    return len(key[0]) >= 5 and column[0] != key[0] and column[0].endswith(key[0])


def _stem(core: Words, noun: Words) -> bool:
    """Whether a column and a table share their beginning: `shipVia`, shippers."""
    short, long = sorted((core[0], noun[0]), key=len)
    return len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= 3


def _checked(
    statistics: Statistics, table: str, column: str, other: str, target: str, strength: float, said: str
) -> Reference | None:
    """The reference with its share, if the values bear out what the names say."""
    kinds = statistics.tables[table].types[column].kind, statistics.tables[other].types[target].kind
    among, distinct = statistics.found_in(table, [column], other, [target])
    if not distinct:
        return Reference((column,), other, (target,), reason(said, 0, 0), strength) if strength >= _PART else None
    share = among / distinct
    if share < _LEAST_SHARE.get(strength, 1.0):
        return None
    covers = _covers(statistics, table, column, other, target)
    numbers = kinds == ("integer", "integer") and strength not in (_OWN, _EQUAL)
    if numbers and not _is_surely_key(statistics, column, statistics.words(target)):
        spread = among >= _MANY and _reaches(statistics, table, column, other, target)
        person = strength <= _ROLE + 0.05
        alike = strength == _NUMBERED and are_alike(statistics, table, column, other, target)
        single = alike or _names_one_row(statistics, table, column, person)
        no_counts = single or _are_no_counts(statistics, other, target, among, person)
        if share < 1 or not (covers >= _COVERED or spread or no_counts):
            return None
    if strength == _STEM and covers < _COVERED:
        return None
    if strength == _CODED and (distinct < _LEAST_CODES or not _are_codes(statistics, table, column, other, target)):
        return None
    if "text" in kinds and share < 0.9 and strength < _EQUAL:
        return None
    complete = share == 1 or kinds[0] != "text" or statistics.name_columns(other) != (target,)
    return Reference((column,), other, (target,), reason(said, among, distinct), strength, complete)


def _is_surely_key(statistics: Statistics, column: str, key: Words = ()) -> bool:
    """Whether the name says that the numbers are keys: `item_id`, or all of the key behind other words, `Recommended by
    (memb no)`; but not `item` or `item_no`, which may count."""
    (_core, had), words = statistics.core(column), statistics.words(column)
    whole = words[-1] == "by" or (1 < len(key) < len(words) and words[-len(key) :] == key)
    return whole or (had and (len(words) == 1 or bool({words[0], words[-1]} & _SURE_WORDS)))


def _are_codes(statistics: Statistics, table: str, column: str, other: str, target: str) -> bool:
    """Whether the values are codes; or high numbers, where the name says that they are keys: `dam_id`."""
    kinds = {statistics.tables[table].types[column].kind, statistics.tables[other].types[target].kind}
    if kinds == {"integer"}:
        return _is_surely_key(statistics, column) and _are_high(*statistics.range(other, target), _HIGH_OF_PEOPLE)
    return kinds == {"text"} and statistics.are_codes(table, column)


def _names_one_row(statistics: Statistics, table: str, column: str, person: bool) -> bool:
    """Whether the name speaks of one row (`gang_leader`, but not `pickers` or `max_guest`), and the numbers count
    nothing: they are few of those between the least and the largest, or, of a person, none of the first ones."""
    core, _had = statistics.core(column)
    if statistics.words(column)[-1] != core[-1] or set(core) & _COUNTING or (person and not says_role(core)):
        return False
    distinct, (least, most) = statistics.distinct(table, [column]), statistics.range(table, column)
    return distinct > 1 and (most - least + 1 >= _SPARSE * distinct or (person and least >= _FIRST))


def _reaches(statistics: Statistics, table: str, column: str, other: str, target: str) -> bool:
    """Whether the largest value is not far below the largest key: ratings from 1 to 100 are not among 5,000 keys."""
    return statistics.range(table, column)[1] >= 0.5 * statistics.range(other, target)[1]


def _are_no_counts(statistics: Statistics, table: str, key: str, among: int, person: bool) -> bool:
    """Whether the keys begin far above what is counted: a number that is one of 5001, 5002, … counts nothing. Of a
    column that is called after a person, numbers from 101 on are enough, or that so many would not all be among the
    keys by chance."""
    least, most = statistics.range(table, key)
    if _are_high(least, most, _HIGH_OF_PEOPLE if person else _HIGH):
        return True
    return person and (statistics.distinct(table, [key]) / (most - least + 1)) ** among <= _BY_CHANCE


def _are_high(least: int, most: int, bound: int) -> bool:
    """Whether keys begin too high to count anything."""
    return least >= bound and most < 10 * least


def combined(statistics: Statistics, table: str, keys: Mapping[str, Key]) -> list[Reference]:
    """References by several columns: those of another table's key, with the same names and values."""
    found = []
    types = statistics.tables[table].types
    for other, key in keys.items():
        own = keys.get(table)
        if other == table or len(key.columns) < 2 or not set(key.columns) <= set(types):
            continue
        if own is not None and set(own.columns) == set(key.columns) and table < other:
            continue
        among, distinct = statistics.found_in(table, key.columns, other, key.columns)
        if distinct and among / distinct >= _LEAST_SHARE[_PART]:
            why = reason("the names of the key", among, distinct)
            found.append(Reference(key.columns, other, key.columns, why, _PART))
    return found


def reason(said: str, among: int, distinct: int) -> str:
    """Why a column refers to a table: how the names agree, and how many of the values are found."""
    return f"{said}; {among:,} of {distinct:,} values found" if distinct else f"{said}; no values yet"
