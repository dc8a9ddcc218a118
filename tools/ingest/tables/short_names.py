"""What short names of columns and tables say: `inv_dt` is the date of an invoice, CUSTNO a customer's number.

A part is a usual abbreviation, what the key of a table begins with (CONNO of consign), or a word. Names are written in
full only if the tables are in this style: a fifth of all columns have an abbreviation or end like CUSTNO. What all
columns of a table begin with says nothing: `cli_town` of a table `cli` is a town.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from clew.tools.graph.abbreviations import abbreviations, in_full
from clew.tools.ingest import relation_words
from clew.tools.ingest.tables import table_words
from clew.tools.ingest.tables.table_words import Words

_STYLE = 0.2
"""Share of columns that show that names are short."""
_SHOWING = ("no", "nr", "num", "nbr", "cd", "nm", "dt", "amt", "qty", "typ")
"""Endings that hardly an English word has."""
_KEY_ENDINGS = ("code", "no", "nr", "num", "nbr", "cd", "id", "key")
_LEAST_STEM, _LONGEST_STEM, _LEAST_UNKNOWN = 2, 5, 3
_OF_A_TABLE = frozenset({"name", "type", "stat", "status", "desc", "descr", "grade"})
_TABLES = {"own": "owner", "act": "activity"}
"""Tables whose short names are words of another meaning."""
_LEAST_OWN = 4
"""Columns of a table that show what all of them begin with."""
_POINTED = re.compile(r"([^\W\d_]{3,})\.(?=\W|$)")
"""A word that a point cuts short: "Prod.", "Dist. (km)"."""
_LONGEST = 12
"""Letters of a name that is taken apart."""


@dataclass(frozen=True, slots=True)
class _Table:
    plain: frozenset[str]
    whole: frozenset[str]
    sure: frozenset[str]
    done: Mapping[str, str]


@cache
def _table() -> _Table:
    text = resources.files(__package__).joinpath("short_names.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)
    plain, whole = frozenset(found["plain"]["words"]), frozenset(found["plain"]["whole"])
    return _Table(plain, whole, frozenset(found["endings"]["sure"]), found["done"])


class ShortNames:
    """The words of the columns of some tables, if their names are short."""

    def __init__(self, tables: Mapping[str, Iterable[str]]) -> None:
        """`tables` has the columns of each table, by the noun that its name is."""
        columns = {table: [*names] for table, names in tables.items()}
        every = [name for names in columns.values() for name in names]
        self._is_short = sum(map(_shows, every)) >= _STYLE * len(every) > 0
        self._nouns = _abbreviated(columns) if self._is_short else {}
        self._bare = _without_prefixes(columns)
        self._tables = [*columns]
        self.words = lru_cache(maxsize=None)(self._words)

    def readable(self, column: str) -> str:
        """The column's name with its words apart and in full: `invoice_date` of INVDT; any other name as it is."""
        return "_".join(self.words(column)) or self._bare.get(column, column)

    def table(self, name: str) -> str:
        """A table's name in full, and with the noun of another table apart: `ticket_event` of TKEVENT, whose tickets
        are TKNO."""
        lower = name.lower()
        for start, noun in self._nouns.items():
            if lower.startswith(start) and len(lower) - len(start) >= _LEAST_STEM + 2 and not noun.startswith(start):
                return f"{noun}_{lower[len(start) :]}"
        own = _TABLES.get(lower, "") if self._is_short else ""
        return own or "_".join(self._in_full(name)) or name

    def property(self, column: str) -> str:
        """The property that a column becomes, written as the column is: `invoiceDate` of INVDT, `invoice_date` of
        `inv_dt`; "" for a name that is not short."""
        words = self.words(column)
        if not words and (bare := self._bare.get(column)):
            return column if bare.lower() in _KEY_ENDINGS else bare if "_" in column else bare.lower()
        return "_".join(words) if "_" in column else "".join(words[:1]) + "".join(map(str.title, words[1:]))

    def _words(self, column: str) -> Words:
        column = self._bare.get(column, column)
        name, table = column.lower(), _table()
        if not _is_one(column):
            return self._in_full(column)
        if not self._is_short or len(name) > _LONGEST or name in table.whole:
            return ()
        found = self._known(name) or self._behind_a_stem(name)
        if len(found) > 1 and found[-1] == "by":
            found = (*found[:-2], table.done.get(found[-2], found[-2]), "by")
        return () if found == (name,) else found

    def _in_full(self, name: str) -> Words:
        """The words of a name whose parts are apart; none if it has no abbreviation. In any style, a point cuts words
        short: the producer of "Prod.", by a table."""
        parts = table_words.words(name)
        pointed = {word.lower() for word in _POINTED.findall(name)}
        full: list[str] = []
        for part in parts:
            noun = next((each for each in self._tables if each.startswith(part)), "") if part in pointed else ""
            full += [noun] if noun else in_full([part]) if part in pointed else [part]
        found = in_full(full) if self._is_short else tuple(full)
        return found if found != parts else ()

    def _known(self, name: str, *, inner: bool = False) -> Words:
        """The fewest parts that are all known."""
        if meant := self._part(name, inner=inner):
            return tuple(meant.split())
        best: Words = ()
        for at in range(2, len(name) - 1):
            first = self._part(name[:at], inner=inner)
            rest = self._known(name[at:], inner=True) if first else ()
            if rest and (not best or len(rest) + 1 < len(best)):
                best = (*first.split(), *rest)
        return best

    def _part(self, part: str, *, inner: bool) -> str:
        """What a part means: the noun of a table, unless it is how names end."""
        table = _table()
        usual = abbreviations().get(part) or (part if part in table.plain else "")
        noun = self._nouns.get(part, "")
        return (usual or noun) if inner and part in table.sure else (noun or usual)

    def _behind_a_stem(self, name: str) -> Words:
        for at in range(_LEAST_UNKNOWN, len(name) - 1):
            if at <= _LONGEST_STEM + 2 and name[at:] in _table().sure:
                return (name[:at], self._part(name[at:], inner=True))
        return ()


def _shows(name: str) -> bool:
    """Whether a name is short: it has an abbreviation, or runs into one."""
    if _is_one(name):
        return name.lower().endswith(_SHOWING)
    return any(part in abbreviations() or part in _SHOWING for part in table_words.words(name))


def _is_one(name: str) -> bool:
    """Whether a name is one word of letters, all of one case."""
    return name.isascii() and name.isalpha() and (name.isupper() or name.islower())


def _without_prefixes(tables: Mapping[str, list[str]]) -> dict[str, str]:
    """The columns that begin like all others of their table, without that. A column that several tables have is none of
    them, as it may be the key of one."""
    every = [name for columns in tables.values() for name in columns]
    found: dict[str, str] = {}
    for table, columns in tables.items():
        own = [name for name in columns if every.count(name) == 1]
        found |= {name: name[1:] for name in own if _is_one(name) and _begins_like(name.lower(), table)}
        starts = {name.partition("_")[0] for name in own}
        rests = {name: name.partition("_")[2] for name in own}
        if len(own) >= _LEAST_OWN and len(starts) == 1 and all(rests.values()):
            found |= {name: rest for name, rest in rests.items() if rest.lower() not in table_words.PREPOSITIONS}
    return found


def _begins_like(name: str, table: str) -> bool:
    """Whether the first letter of a name stands for its table: BTYPE of a boat."""
    return name[0] == table[0] and name[1:] in _OF_A_TABLE


def _abbreviated(tables: Mapping[str, list[str]]) -> dict[str, str]:
    """What the keys of the tables begin with, and the nouns of the tables: con → consign of CONNO."""
    found: dict[str, str] = {}
    for noun, columns in tables.items():
        first = columns[0].lower() if columns else ""
        stem = next((first.removesuffix(end) for end in _KEY_ENDINGS if first.endswith(end)), "")
        if len(stem) >= _LEAST_STEM and _is_one(columns[0]) and (meant := _shortened(stem, noun)):
            found.setdefault(stem, relation_words.singular(meant))
    return found


def _shortened(stem: str, noun: str) -> str:
    """The noun whose letters a stem has in their order, from its first one on; or the part of it that begins so."""
    letters = iter(noun)
    if stem[0] == noun[0] and all(letter in letters for letter in stem):
        return noun
    return noun[noun.index(stem) :] if stem in noun else ""
