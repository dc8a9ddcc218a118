"""A Cypher script, split into statements outside of strings, quoted names and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.tools.cypher.lexer import COMMENT, OPAQUE
from clew.tools.errors import BadInput
from clew.tools.ingest.formats.format import Format
from clew.tools.ingest.records import Record
from clew.tools.ingest.source import Advance, lines

_TOKEN = re.compile(rf"{OPAQUE} | (?P<end>;)", re.VERBOSE | re.DOTALL)
_FIRST_WORD = re.compile(r"(CREATE|MERGE|MATCH|OPTIONAL\s+MATCH|UNWIND|WITH|DROP\s+(CONSTRAINT|INDEX))\b", re.I)
_FORBIDDEN = re.compile(r"\b(LOAD\s+CSV|CALL|DELETE)\b|\\", re.I)
_SCHEMA = re.compile(r"(CREATE|DROP)\s+(?:\w+\s+){0,3}?(INDEX|CONSTRAINT)\b", re.I)
_OTHER_CREATE = re.compile(r"CREATE\s+(?:OR\s+REPLACE\s+)?(DATABASE|USER|ROLE|ALIAS|COMPOSITE|SERVER)\b", re.I)
_RECOGNISED = re.compile(r"\s*(CREATE|MERGE|MATCH|UNWIND|LOAD\s+CSV|CALL)\b|\s*:(begin|param|auto)\b", re.I)
_EXTENSIONS = frozenset({".cypher", ".cql", ".cyp"})


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement without its semicolon, and the line on which it starts."""

    text: str
    line: int

    @property
    def is_schema(self) -> bool:
        """True for CREATE and DROP of an INDEX or CONSTRAINT."""
        return _SCHEMA.match(_bare(self.text)) is not None


def recognise(path: Path, sample: Sequence[str]) -> Format | None:
    """The file as a Cypher script, by extension or by a first statement that begins like one, else None."""
    if _EXTENSIONS & {suffix.lower() for suffix in path.suffixes}:
        return Format(path, "cypher", "a Cypher script, by its extension", lambda _advance: _no_records())
    bare = _bare("\n".join(sample))
    if _RECOGNISED.match(bare) and ("(" in bare or ";" in bare):
        return Format(path, "cypher", "a Cypher script, by its first statement", lambda _advance: _no_records())
    return None


def read(path: Path, advance: Advance | None = None) -> list[Statement]:
    """The script's statements, all checked. Raises BadInput, naming the line of the first that may not run.

    The whole script is held in memory, as its statements may span any number of lines.
    """
    texts = []
    for number, text in lines(path, advance):
        if text is None:
            raise BadInput(f"{path}:{number}: not UTF-8 text.", "Save the file as UTF-8.")
        # commands of cypher-shell, as APOC's export writes them
        texts.append("" if text.lstrip().startswith(":") else text)
    found = list(split("\n".join(texts), str(path)))
    for statement in found:
        _check(statement, str(path))
    if not found:
        raise BadInput(f"{path} holds no statement.", "Check that it is a Cypher script.")
    return found


def split(text: str, file: str) -> Iterator[Statement]:
    """Statements separated by semicolons; raises BadInput where a string, name or comment is never closed."""
    start = 0
    for token in _TOKEN.finditer(text):
        if token["open"]:
            line = text.count("\n", 0, token.start()) + 1
            raise BadInput(f"{file}:{line}: `{token['open']}` is never closed.", "Close the string, name or comment.")
        if token["end"]:
            yield from _statement(text, start, token.start())
            start = token.end()
    yield from _statement(text, start, len(text))


def _statement(text: str, start: int, end: int) -> Iterator[Statement]:
    bare = _bare(text[start:end])
    if not bare.strip():
        return
    # the first character that belongs to the statement itself, after comments
    offset = _first_code(text[start:end])
    yield Statement(text[start + offset : end].rstrip(), text.count("\n", 0, start + offset) + 1)


def _first_code(text: str) -> int:
    position = 0
    while match := re.compile(rf"\s+|{COMMENT}", re.DOTALL).match(text, position):
        position = match.end()
    return position


def _bare(text: str) -> str:
    """The text with strings and quoted names emptied and comments removed."""
    return _TOKEN.sub(lambda m: "''" if m["string"] else "``" if m["quoted"] else " " if m["comment"] else m[0], text)


def _check(statement: Statement, file: str) -> None:
    bare = _bare(statement.text).strip()
    # property keys, labels, types and parameters may be called like a keyword
    plain = re.sub(r"[.$|]\w+|\w*\s*:\s*\w+|\w+\s*:", " ", bare)
    forbidden = _FORBIDDEN.search(plain) or _OTHER_CREATE.match(bare)
    if forbidden or not _FIRST_WORD.match(bare):
        what = " ".join((forbidden[0] if forbidden else bare.split()[0]).upper().split())
        raise BadInput(
            f"{file}:{statement.line}: a script may not use {what}.",
            "Use CREATE, MERGE, MATCH, UNWIND and SET, and constraints or indexes; nothing has been run.",
        )


def _no_records() -> Iterator[Record]:
    return iter(())
