"""A Cypher script, split into statements outside of strings, quoted names and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.tools.cypher.lexer import COMMENT, OPAQUE
from clew.tools.errors import BadInput
from clew.tools.ingest.records import Format, Record
from clew.tools.ingest.source import Advance, lines

_TOKEN = re.compile(rf"{OPAQUE} | (?P<end>;)", re.VERBOSE | re.DOTALL)
_LEADING = re.compile(rf"\A(?:\s+|{COMMENT})+", re.DOTALL)
"""What stands before a statement: blanks and comments."""
_FIRST_WORD = re.compile(r"(CREATE|MERGE|MATCH|OPTIONAL\s+MATCH|UNWIND|WITH|DROP\s+(CONSTRAINT|INDEX))\b", re.I)
_FORBIDDEN = re.compile(r"\b(LOAD\s+CSV|CALL|DELETE)\b|\\", re.I)
_SCHEMA = re.compile(r"(CREATE|DROP)\s+(?:\w+\s+){0,3}?(INDEX|CONSTRAINT)\b", re.I)
_OTHER_CREATE = re.compile(r"CREATE\s+(?:OR\s+REPLACE\s+)?(DATABASE|USER|ROLE|ALIAS|COMPOSITE|SERVER)\b", re.I)
_RECOGNISED = re.compile(r"\s*(CREATE|MERGE|MATCH|UNWIND|LOAD\s+CSV|CALL)\b|\s*:(begin|param|auto)\b", re.I)
_EXTENSIONS = frozenset({".cypher", ".cql", ".cyp"})


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement without its semicolon."""

    text: str
    file: str
    line: int
    """On which it starts."""

    @property
    def is_schema(self) -> bool:
        """True for CREATE and DROP of an INDEX or CONSTRAINT."""
        return _SCHEMA.match(_bare(self.text)) is not None


def recognise(path: Path, sample: Sequence[str]) -> Format | None:
    """The file as a Cypher script, by extension or by a first statement that begins like one, else None."""
    if _EXTENSIONS & {suffix.lower() for suffix in path.suffixes}:
        return Format(path, "cypher", "a Cypher script, by its extension", _no_records)
    bare = _bare("\n".join(sample))
    if _RECOGNISED.match(bare) and ("(" in bare or ";" in bare):
        return Format(path, "cypher", "a Cypher script, by its first statement", _no_records)
    return None


def read(path: Path, advance: Advance | None = None) -> list[Statement]:
    """The script's statements, all checked. The whole script is held in memory.

    Raises:
        BadInput: names the line of the first statement that may not run.
    """
    texts = []
    for number, text in lines(path, advance):
        if text is None:
            raise BadInput(f"{path}:{number}: not UTF-8 text.", "Save the file as UTF-8.")
        # commands of cypher-shell, as APOC's export writes them
        texts.append("" if text.lstrip().startswith(":") else text)
    found = list(split("\n".join(texts), str(path)))
    for statement in found:
        _check(statement)
    if not found:
        raise BadInput(f"{path} holds no statement.", "Check that it is a Cypher script.")
    return found


def split(text: str, file: str) -> Iterator[Statement]:
    """Statements separated by semicolons; raises BadInput where a string, name or comment is never closed."""
    ends: list[int] = []
    for token in _TOKEN.finditer(text):
        if token["open"]:
            line = text.count("\n", 0, token.start()) + 1
            raise BadInput(f"{file}:{line}: `{token['open']}` is never closed.", "Close the string, name or comment.")
        if token["end"]:
            ends.append(token.start())
    starts = [0, *(end + 1 for end in ends)]
    for start, end in zip(starts, [*ends, len(text)], strict=True):
        if _bare(text[start:end]).strip():
            statement = _LEADING.sub("", text[start:end])
            yield Statement(statement.rstrip(), file, text.count("\n", 0, end) - statement.count("\n") + 1)


def _bare(text: str) -> str:
    """The text with strings and quoted names emptied and comments removed."""
    return _TOKEN.sub(lambda m: "''" if m["string"] else "``" if m["quoted"] else " " if m["comment"] else m[0], text)


def _check(statement: Statement) -> None:
    """Raises BadInput for a statement that does more than create and change nodes, relationships and indexes."""
    bare = _bare(statement.text).strip()
    # property keys, labels, types and parameters may be called like a keyword
    plain = re.sub(r"[.$|]\w+|\w*\s*:\s*\w+|\w+\s*:", " ", bare)
    forbidden = _FORBIDDEN.search(plain) or _OTHER_CREATE.match(bare)
    if forbidden or not _FIRST_WORD.match(bare):
        what = " ".join((forbidden[0] if forbidden else bare.split()[0]).upper().split())
        raise BadInput(
            f"{statement.file}:{statement.line}: a script may not use {what}.",
            "Use CREATE, MERGE, MATCH, UNWIND and SET, and constraints or indexes; nothing has been run.",
        )


def _no_records(_advance: Advance | None) -> Iterator[Record]:
    """Scripts are run, not read as records."""
    return iter(())
