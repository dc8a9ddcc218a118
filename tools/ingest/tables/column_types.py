"""The types of columns, by all their values: integers, numbers, booleans, dates, and otherwise text or lists of texts.

A type is taken only if every value has it. Numbers with leading zeros ("01581") are codes and stay text. Values that
stand for a missing one ("N/A") do not count where all others are numbers or dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import duckdb

from clew.tools.ingest import relation_words
from clew.tools.ingest.tables import cell_lists, number_formats
from clew.tools.ingest.tables.sources import Hint

Kind = Literal["text", "integer", "number", "boolean", "date", "datetime", "list"]

MISSING = ("NA", "N/A", "n/a", "#N/A", "NaN", "nan", "None", "none", "-", "?")
_MISSING = "(" + ", ".join(f"'{text}'" for text in MISSING) + ")"
_SAMPLE = 2000
_INTEGER = r"[+-]?(0|[1-9]\d{0,17})(\.0)?"
_NUMBER = r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?"
_ISO_DATE = r"\d{4}-\d{1,2}-\d{1,2}"
_ISO_TIME = _ISO_DATE + r"[ T]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?"
_DATE_FORMATS = (
    "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%d %b %Y", "%d-%b-%Y", "%d %B %Y",
    "%b %d, %Y", "%B %d, %Y",
)  # fmt: skip
_TIMES = (" %H:%M:%S", " %H:%M", " %I:%M:%S %p", " %I:%M %p")
_NUMBERED = frozenset({"version", "versions", "ver", "release", "revision", "build", "section", "chapter"})
"""Words of columns whose numbers with a point are no decimal numbers: 1.10 is not 1.1."""
_YES_NO = (
    ("true", "false"), ("t", "f"), ("yes", "no"), ("y", "n"), ("1", "0"), ("ja", "nein"), ("j", "n"),
    ("wahr", "falsch"), ("ja", "nee"), ("ja", "nej"), ("oui", "non"), ("o", "n"), ("vrai", "faux"),
    ("sí", "no"), ("si", "no"), ("sì", "no"), ("sim", "não"), ("tak", "nie"),
)  # fmt: skip
"""How the values of a column say that something is so, and that it is not."""
_STATE = re.compile(r"(is|has|was|can|allow|allows)|.*(ed|able|active|flag)")
"""The first or last word of a column of 0 and 1 that says whether something is so."""


@dataclass(frozen=True, slots=True)
class ColumnType:
    """The type of a column, and the format of dates that are not ISO 8601 and of numbers with marks, or what separates
    the values of a list."""

    kind: Kind
    format: str = ""


@dataclass(frozen=True, slots=True)
class InferredType:
    """What the values of a column are."""

    type: ColumnType
    left_out: str = ""
    """Why the column is not a property, such as "binary data"."""
    note: str = ""


def quoted(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def joined_text(columns: Sequence[str], alias: str = "") -> str:
    """SQL: the text of some columns of a row, joined by a blank; `alias` is what the query calls their table."""
    texts = [f"CAST({alias and f'{alias}.'}{quoted(name)} AS VARCHAR)" for name in columns]
    return texts[0] if len(texts) == 1 else f"concat_ws(' ', {', '.join(texts)})"


def unnested(rows: str, columns: Sequence[str]) -> str:
    """SQL: the rows, once for each value of columns with lists."""
    for column in map(quoted, columns):
        rows = f"(SELECT * EXCLUDE ({column}), unnest({column}) AS {column} FROM {rows})"
    return rows


def converted(column: str, type: ColumnType) -> str:
    """SQL that gives the typed value of a column of text, and NULL for a value of another type."""
    if type.format == number_formats.CENTS:
        return f"TRY_CAST(regexp_replace({column}, '\\.0$', '') AS BIGINT) / 100.0"
    if type.format in number_formats.PATTERNS:
        kind = "BIGINT" if type.kind == "integer" else "DOUBLE"
        return f"TRY_CAST({number_formats.plain(column, type.format)} AS {kind})"
    if type.kind == "integer":
        return f"TRY_CAST(regexp_replace({column}, '\\.0$', '') AS BIGINT)"
    if type.kind == "number":
        return f"TRY_CAST({column} AS DOUBLE)"
    if type.kind == "boolean":
        yes, no = (", ".join(f"'{text}'" for text in dict.fromkeys(pair[i] for pair in _YES_NO)) for i in (0, 1))
        low = f"lower({column})"
        return f"CASE WHEN {low} IN ({yes}) THEN true WHEN {low} IN ({no}) THEN false END"
    if type.kind in ("date", "datetime"):
        if type.format:
            moment = f"try_strptime({column}, '{type.format.replace(chr(39), chr(39) * 2)}')"
        else:
            moment = f"(TRY_CAST(replace({column}, ',', '.') AS TIMESTAMPTZ) AT TIME ZONE 'UTC')"
        return f"CAST({moment} AS {'DATE' if type.kind == 'date' else 'TIMESTAMP'})"
    return cell_lists.split(column, type.format) if type.kind == "list" else column


def is_missing(column: str, type: ColumnType) -> str:
    """SQL: whether the text stands for a missing value in a column of this type."""
    return "false" if type.kind in ("text", "list") else f"{column} IN {_MISSING}"


def detect(db: duckdb.DuckDBPyConnection, table: str, column: str, hint: Hint | None) -> InferredType:
    """The type of a column of text in a table."""
    name = quoted(column)
    if hint == "boolean":
        return InferredType(ColumnType("boolean"))
    sample = _texts(db, f"SELECT {name} FROM {table} WHERE {name} IS NOT NULL LIMIT {_SAMPLE}")
    if not sample:
        return InferredType(ColumnType("text"), left_out="no values")
    if all(re.fullmatch(r"(0x|\\x)[0-9A-Fa-f]{16,}", text) for text in sample):
        return InferredType(ColumnType("text"), left_out="binary data")
    filled = [text for text in sample if text not in MISSING]
    dates = [each for each in _dates(filled) if _fits(db, table, name, each)]
    if len(dates) > 1:
        note = f"{column}: day and month cannot be distinguished, so it stays text. Give the format in the model."
        return InferredType(ColumnType("text"), note=note)
    if dates:
        return InferredType(_without_midnight(db, table, name, dates[0]))
    if hint == "text":
        booleans = [each for each in _plain(column, filled) if each.kind == "boolean" and not filled[0].isdigit()]
        return InferredType(booleans[0] if booleans and _fits(db, table, name, booleans[0]) else _text(sample))
    candidates = [each for each in _plain(column, filled) if _fits(db, table, name, each)]
    if candidates and candidates[0].kind == "integer" and _is_in_hundredths(column):
        return InferredType(ColumnType("number", number_formats.CENTS))
    if candidates or not filled:
        return InferredType(candidates[0] if candidates else _text(sample))
    marked = [each for each in _marked(filled) if _fits(db, table, name, each)]
    if len(marked) > 1:
        note = (
            f"{column}: commas may stand before decimals or thousands, so it stays text. Give the format in the model."
        )
        return InferredType(ColumnType("text"), note=note)
    return InferredType(marked[0] if marked else _text(sample))


def _is_in_hundredths(column: str) -> bool:
    """Whether a column of whole numbers is called like a sum of money in hundredths: `price_cents`."""
    words = relation_words.words(column)
    return len(words) > 1 and words[-1] in number_formats.HUNDREDTHS


def _text(sample: Sequence[str]) -> ColumnType:
    """Text, or a list of texts."""
    separator = cell_lists.separator(sample)
    return ColumnType("list", separator) if separator else ColumnType("text")


def _marked(sample: Sequence[str]) -> list[ColumnType]:
    """The types of numbers with a decimal comma or marks between thousands that the sampled values fit."""
    return [ColumnType("integer" if whole else "number", each) for each, whole in number_formats.found(sample)]


def _plain(column: str, sample: Sequence[str]) -> list[ColumnType]:
    """Integer, number and boolean, where the sampled values fit."""
    found = []
    values = {text.lower() for text in sample}
    words = relation_words.words(column)
    says = any(_STATE.fullmatch(word) for word in (words[0], words[-1])) if words else False
    if values and (
        values <= {"true", "false"} or (values == {"0", "1"} and says)
        or values in [{yes, no} for yes, no in _YES_NO if yes.isalpha()]
    ):  # fmt: skip
        found.append(ColumnType("boolean"))
    if sample and _all_match(_INTEGER, sample):
        found.append(ColumnType("integer"))
    if sample and not _NUMBERED & set(words) and _all_match(_NUMBER, sample):
        found.append(ColumnType("number"))
    return found


def _dates(sample: Sequence[str]) -> list[ColumnType]:
    """The types of dates that the sampled values fit."""
    if not sample:
        return []
    if _all_match(f"({_ISO_DATE})|({_ISO_TIME})", sample):
        return [ColumnType("date" if _all_match(_ISO_DATE, sample) else "datetime")]
    if not all(re.search(r"\d{4}", text) and re.search(r"[-/. ]", text) for text in sample):
        return []
    formats = [ColumnType("date", each) for each in _DATE_FORMATS]
    formats += [ColumnType("datetime", each + time) for each in _DATE_FORMATS for time in _TIMES]
    return [each for each in formats if all(_reads(text, each.format) for text in sample)]


def _reads(text: str, format: str) -> bool:
    from datetime import datetime

    try:
        datetime.strptime(text, format)
    except ValueError:
        return False
    return True


def _fits(db: duckdb.DuckDBPyConnection, table: str, name: str, type: ColumnType) -> bool:
    """Whether every value of the column is of the type."""
    pattern = {"integer": _INTEGER, "number": _NUMBER, "date": _ISO_DATE, "datetime": f"({_ISO_DATE})|({_ISO_TIME})"}
    wrong = f"{converted(name, type)} IS NULL"
    shape = number_formats.PATTERNS.get(type.format) if type.format else pattern.get(type.kind)
    if shape is not None:
        wrong += f" OR NOT regexp_full_match({name}, '{shape}')"
    query = f"SELECT 1 FROM {table} WHERE {name} IS NOT NULL AND NOT {is_missing(name, type)} AND ({wrong}) LIMIT 1"
    return db.execute(query).fetchone() is None


def _without_midnight(db: duckdb.DuckDBPyConnection, table: str, name: str, type: ColumnType) -> ColumnType:
    """A date, if each moment is the beginning of a day."""
    if type.kind == "date":
        return type
    query = f"SELECT 1 FROM {table} WHERE CAST({converted(name, type)} AS TIME) <> TIME '00:00:00' LIMIT 1"
    return ColumnType("date", type.format) if db.execute(query).fetchone() is None else type


def _texts(db: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    return [str(row[0]) for row in db.execute(query).fetchall()]


def _all_match(pattern: str, texts: Iterable[str]) -> bool:
    return all(re.fullmatch(pattern, text) for text in texts)
