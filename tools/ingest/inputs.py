"""What an import is given: files, folders, wildcards, archives and database URLs, as graph files or as tables."""

from __future__ import annotations

import glob
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clew.tools.errors import BadInput
from clew.tools.ingest import formats, source
from clew.tools.ingest.records import Format, Kind
from clew.tools.ingest.tables.sources import Source, databases, delimited_text, json_files, parquet, workbooks

_IN_FOLDERS = frozenset({
    ".csv", ".tsv", ".tab", ".psv", ".txt", ".parquet", ".jsonl", ".ndjson", ".json", ".geojson", ".nt", ".ttl",
    ".graphml", ".gexf", ".gml",
    ".rdf", ".owl", ".jsonld", ".cypher", ".cql", ".db", ".sqlite", ".sqlite3", ".zip", *workbooks.SUFFIXES,
})  # fmt: skip
_ALWAYS_TABLES = frozenset({".csv", ".tsv", ".parquet", *workbooks.SUFFIXES})
"""Files in folders and archives that are never left out without an error."""
_OF_SYSTEMS = frozenset({"thumbs.db", "desktop.ini"})
"""Files, besides hidden ones, that nobody put into a folder: they are left out without a word."""
_NAMED = 8
"""Names in a note."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_MOST_UNPACKED = 64 * 1024**3


@dataclass(slots=True)
class Inputs:
    """The parts of an import: graph files, or tables."""

    files: list[Format] = field(default_factory=list)
    tables: list[Source] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Files of folders and archives that are left out, and why."""
    json: list[json_files.JsonFile] = field(default_factory=list)
    """The files of JSON that hold no graph: their tables are made together, for objects may stand in several."""
    unheaded: list[_File] = field(default_factory=list)
    """The files that are read as triples where no tables are given."""


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    shown: Path
    """What messages call it."""
    named: bool
    """It must be used; other files of folders and archives may be of no known format."""
    given: bool = False
    """The user named it, and not only its folder."""


def read(given: Sequence[str | Path], scratch: Path, kind: Kind | None = None) -> Inputs:
    """Sort out what an import is given.

    Args:
        given: paths of files and folders, wildcards, and database URLs.
        scratch: a folder for what archives hold, and for copies of files in UTF-8.
        kind: the format of all files; None finds it out file by file.

    Raises:
        BadInput: a file cannot be read, is of no known format, or graph files and tables are mixed.
    """
    found = Inputs()
    for each in given:
        if isinstance(each, str) and databases.is_url(each):
            found.tables += databases.tables(each)
            continue
        for file in _files(str(each), scratch, found.notes):
            try:
                _sort(file, scratch, kind, found)
            except BadInput as error:
                if file.named:
                    raise
                said = error.message.replace(str(file.path), str(file.shown)).split("; ")[0]
                found.notes.append(f"Left out: {said.rstrip('.')}.")
    if found.json:
        found.tables += json_files.tables(found.json, scratch)
    if not found.files and not found.tables:
        reasons = "\n".join(found.notes)
        raise BadInput("There is nothing to import." + (f"\n{reasons}" if reasons else ""), "Name one or more files.")
    if found.tables and len(found.unheaded) == len(found.files):  # Beside tables, three columns are a table, too.
        found.tables += [delimited_text.delimited_text(each.path, scratch, each.shown) for each in found.unheaded]
        found.files.clear()
    if found.files and found.tables:
        raise BadInput(
            f"{found.tables[0].path} is a table, and {found.files[0].path} is {found.files[0].why}: they cannot be "
            "imported together.",
            "Import them one after the other, or name the format of all with --format.",
        )
    return found


def _sort(file: _File, scratch: Path, kind: Kind | None, found: Inputs) -> None:
    """Add a file to the graph files or the tables."""
    if kind not in (None, "table"):
        found.files.append(formats.forced(file.path, kind))
        return
    head = source.head(file.path, 16) if file.path.is_file() else b""
    if not head and file.path.is_file() and not file.given:
        found.notes.append(f"Left out: {file.shown} is empty.")
        return
    if head.startswith(parquet.MAGIC):
        found.tables.append(parquet.parquet(file.path, file.shown))
    elif head == databases.SQLITE_MAGIC:
        found.tables += databases.tables(f"sqlite:///{file.path}", str(file.shown))
    elif head.startswith((_ZIP, _OLD_EXCEL)) and file.path.suffix.lower() in workbooks.SUFFIXES:
        found.tables += workbooks.sheets(file.path, scratch, file.shown)
    elif json_files.is_json(file.path):
        graph = formats.json_graph(file.path) if kind is None else None
        if graph is not None:
            found.files.append(graph)
        else:
            found.json.append(json_files.JsonFile(file.path, file.shown))
    elif kind == "table" or head.startswith(_UTF16) or (detected := formats.detect(file.path)).kind == "table":
        found.tables.append(delimited_text.delimited_text(file.path, scratch, file.shown))
    else:
        found.files.append(detected)
        if detected.is_likely_table and file.path.suffix.lower() in _ALWAYS_TABLES:
            found.unheaded.append(file)


def _files(given: str, scratch: Path, notes: list[str]) -> Iterator[_File]:
    """The files of a path, a folder, a wildcard or an archive; `notes` gets what a folder has besides."""
    path = Path(given)
    if not path.exists() and glob.has_magic(given):
        matching = [Path(name) for name in sorted(glob.glob(given, recursive=True)) if Path(name).is_file()]
        if not matching:
            raise BadInput(f"No file matches {given}.", "Check the pattern.")
        paths = matching
    elif path.is_dir():
        children = sorted(each for each in path.iterdir() if _is_of_people(each.name))
        for child in (each for each in children if each.is_file() and _is_known(each)):
            yield from _unpacked(_File(child, child, _must_be_used(child)), scratch)
        notes += _besides([each for each in children if not (each.is_file() and _is_known(each))])
        return
    else:
        paths = [path]
    for each in paths:
        yield from _unpacked(_File(each, each, True, given=True), scratch)


def _besides(paths: Sequence[Path]) -> list[str]:
    """What is said of the files of unknown formats and the folders in a folder: none of them is read."""
    files = [str(each) for each in paths if each.is_file()]
    folders = [f"{each}/" for each in paths if each.is_dir()]
    said = []
    if files:
        said.append(f"Left out: {_listed(files)} {'is' if len(files) == 1 else 'are'} of no known format.")
    if folders:
        said.append(f"Left out: {_listed(folders)}. To import a folder in a folder, name it, too.")
    return said


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _is_of_people(name: str) -> bool:
    return not name.startswith(".") and name.lower() not in _OF_SYSTEMS


def _is_known(path: Path) -> bool:
    return source.suffix(path) in _IN_FOLDERS


def _must_be_used(path: Path) -> bool:
    return source.suffix(path) in _ALWAYS_TABLES


def _unpacked(file: _File, scratch: Path) -> Iterator[_File]:
    """The file itself, or what an archive holds."""
    suffix = file.path.suffix.lower()
    is_archive = file.path.is_file() and suffix not in workbooks.SUFFIXES and source.head(file.path, 4) == _ZIP
    if not is_archive:
        yield file
        return
    try:
        with zipfile.ZipFile(file.path) as archive:
            members = [each for each in archive.infolist() if not each.is_dir() and _is_member(each.filename)]
            if sum(each.file_size for each in members) > _MOST_UNPACKED:
                raise BadInput(f"{file.shown} unpacks to more than 64 GiB.", "Unpack it, and import the folder.")
            for member in sorted(members, key=lambda each: each.filename):
                copy = Path(tempfile.mkdtemp(prefix="unpacked-", dir=scratch)) / Path(member.filename).name
                with archive.open(member) as packed, copy.open("wb") as out:
                    while block := packed.read(1 << 20):
                        out.write(block)
                yield _File(copy, file.shown / member.filename, _must_be_used(copy))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise BadInput(f"{file.shown} cannot be unpacked: {error}.", "Unpack it, and import the folder.") from error


def _is_member(name: str) -> bool:
    path = Path(name)
    hidden = any(part.startswith("__MACOSX") or not _is_of_people(part) for part in path.parts)
    return not hidden and _is_known(path)
