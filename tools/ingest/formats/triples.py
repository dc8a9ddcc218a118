"""Triples: three columns by tab, comma or `|`, with or without a header row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from clew.tools.ingest.formats.delimited import DELIMITER_NAMES, rows, split
from clew.tools.ingest.records import BadLine, Format, Record, Triple
from clew.tools.ingest.source import Advance, lines

DELIMITERS = ("\t", "|", ",")
_ENOUGH = 0.5
"""Share of the sampled lines that must have three columns."""

_HEADER_WORDS = (
    frozenset({"head", "subject", "source", "src", "s", "from", "h", "start", "entity1", "node1", "subj"}),
    frozenset({"relation", "predicate", "rel", "type", "edge", "r", "p", "property", "relationship", "label"}),
    frozenset({"tail", "object", "target", "dst", "o", "to", "t", "end", "entity2", "node2", "obj", "value"}),
)
_PLACES = ("head", "relation", "tail")


@dataclass(frozen=True, slots=True)
class Dialect:
    """The layout of the three columns in the file."""

    delimiter: str
    order: tuple[int, int, int] = (0, 1, 2)
    """Columns of head, relation and tail."""
    header: bool = False


def recognise(path: Path, sample: Sequence[str]) -> Format | None:
    """The file as triples, or None where fewer than half of its sampled lines have three columns."""
    filled = [line for line in sample if line.strip() and not _is_comment(line)]
    shares = {delimiter: _share_of_three(filled, delimiter) for delimiter in DELIMITERS}
    delimiter = max(DELIMITERS, key=lambda d: shares[d])  # the first of equals: tab before | before comma
    if not filled or shares[delimiter] < _ENOUGH:
        return None
    table = [fields for line in filled if (fields := _three(line, delimiter))]
    dialect, order_reason = _dialect(delimiter, table)
    why = f"triples: three columns separated by {DELIMITER_NAMES[delimiter]}, {order_reason}"
    return Format(path, "triples", why, partial(read, path, dialect), is_likely_table=not dialect.header)


def read(path: Path, dialect: Dialect, advance: Advance | None = None) -> Iterator[Record]:
    """One Triple for every good line; surrounding blanks are dropped, names are otherwise verbatim."""
    file = str(path)
    head_at, relation_at, tail_at = dialect.order
    skip_header = dialect.header
    for row in rows(
        lines(path, advance), dialect.delimiter, quoted=dialect.delimiter == ",", multiline=False, file=file
    ):
        if isinstance(row, BadLine):
            yield row
            continue
        number, fields = row
        if len(fields) != 3:
            if not fields[0].lstrip().startswith("#"):
                yield BadLine(file, number, f"{len(fields)} columns instead of 3")
            continue
        if skip_header:
            skip_header = False
            continue
        head, relation, tail = fields[head_at].strip(), fields[relation_at].strip(), fields[tail_at].strip()
        if head and relation and tail:
            yield Triple(head, relation, tail, number)
        else:
            empty = _PLACES[(head, relation, tail).index("")]
            yield BadLine(file, number, f"the {empty} is empty")


def column_order(header: Sequence[str]) -> tuple[int, int, int] | None:
    """The columns of head, relation and tail that a header names, None where it does not name all three."""
    folded = [field.lower().lstrip(":").replace(" ", "_") for field in header]
    places = [next((i for i, word in enumerate(folded) if word in words), -1) for words in _HEADER_WORDS]
    return (places[0], places[1], places[2]) if sorted(places) == [0, 1, 2] else None


def columns_found(sample: Sequence[str]) -> str:
    """The number of columns in the first line by each delimiter, for an error message."""
    first = next((line for line in sample if line.strip()), "")
    counts = [f"{len(first.split(d))} by {DELIMITER_NAMES[d]}" for d in DELIMITERS]
    return f"columns in its first line: {', '.join(counts)}"


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#") and all(len(line.split(d)) != 3 for d in DELIMITERS)


def _three(line: str, delimiter: str) -> list[str] | None:
    fields = split(line, delimiter, quoted=delimiter == ",")
    return [field.strip() for field in fields] if fields is not None and len(fields) == 3 else None


def _share_of_three(sample: Sequence[str], delimiter: str) -> float:
    return sum(1 for line in sample if _three(line, delimiter)) / max(1, len(sample))


def _dialect(delimiter: str, table: list[list[str]]) -> tuple[Dialect, str]:
    """The order of the columns and whether the first row is a header, with the reason in words."""
    order = column_order(table[0])
    if order is not None:
        return Dialect(delimiter, order, header=True), f"with the header {', '.join(table[0])}"
    if _relation_is_last(table):
        return Dialect(delimiter, (0, 2, 1)), "the third being the relation (it has few values, the second many)"
    return Dialect(delimiter), "no header"


def _relation_is_last(table: list[list[str]]) -> bool:
    if len(table) < 50:
        return False
    distinct = [len({row[column] for row in table}) / len(table) for column in range(3)]
    return distinct[1] > 0.5 and distinct[2] < 0.1
