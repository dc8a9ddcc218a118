"""Descriptions of a table's columns: a model's, else by rules from their values (SAGE, section 2.1, where a model
describes every column)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.tools.documents.chunk import Chunk

SHOWN = 2
"""Number of example values in a description."""
_LONGEST_VALUE = 40
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_NUMBER = re.compile(r"[^\w\s.,-]?\s?([+-]?\d[\d,\u202f\u00a0 ]*(?:\.\d+)?)\s?(?:%|[^\W\d_]{0,3})")
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE = re.compile(
    rf"\d{{4}}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{{2,4}}|(?=.*\d)(?:.*\b)?(?:{_MONTHS})\w*\b.*", re.IGNORECASE
)
_MOST_WORDS = 6


def described_columns(chunk: Chunk) -> tuple[str, ...]:
    """One description for each column; () for a chunk that is not of a table with column names."""
    if chunk.columns:
        return chunk.columns
    return tuple(_described(values) for values in values_of(chunk)) if chunk.header else ()


def values_of(chunk: Chunk) -> list[list[str]]:
    """By column, its non-empty cells from the text of a segment: "year: 1976; film: Jaws"."""
    found: list[list[str]] = [[] for _ in chunk.header]
    for line in chunk.text.splitlines():
        for column, value in _cells(line, chunk.header):
            found[column].append(value)
    return found


def _cells(line: str, header: Sequence[str]) -> Iterator[tuple[int, str]]:
    """(column, value) of a row without empty cells; nothing for a line that is not a row."""
    places: list[tuple[int, int, int]] = []  # Column, where its name begins, where its value begins.
    reach = 0
    for column, name in enumerate(header):
        begin = f"; {name}: " if places else f"{name}: "
        at = line.find(begin, reach) if places else (0 if line.startswith(begin) else -1)
        if at >= 0:
            reach = at + len(begin)
            places.append((column, at, reach))
    ends = [*(at for _, at, _ in places[1:]), len(line)]
    for (column, _, start), end in zip(places, ends, strict=False):
        yield column, line[start:end]


def _described(values: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(value.strip() for value in values if value.strip()))
    if not distinct:
        return "empty"
    if all(_YEAR.fullmatch(value) for value in distinct):
        return _from_to("years", sorted(distinct))
    numbers = {value: found[1] for value in distinct if (found := _NUMBER.fullmatch(value))}
    if len(numbers) == len(distinct):
        return _from_to("numbers", sorted(distinct, key=lambda value: _number(numbers[value])))
    kind = "dates" if all(_DATE.fullmatch(value) for value in distinct) else "texts"
    if kind == "texts" and all(len(value.split()) <= _MOST_WORDS and not value[0].islower() for value in distinct):
        kind = "names"
    shown = (value if len(value) <= _LONGEST_VALUE else value[: _LONGEST_VALUE - 1] + "…" for value in distinct[:SHOWN])
    return f"{kind}, such as {', '.join(shown)}"


def _from_to(kind: str, values: Sequence[str]) -> str:
    return f"{kind}, {values[0]}" if len(values) == 1 else f"{kind}, {values[0]} to {values[-1]}"


def _number(text: str) -> float:
    return float(re.sub(r"[^\d.+-]", "", text))
