"""The checks of what cannot be made again: databases, documents, conversations, traces, and what users wrote."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from clew.app.doctor.findings import CheckFailed, Part, damaged, stale
from clew.app.doctor.indexes import checked
from clew.app.files import make_private
from clew.tools.sqlite_files import damage_of, rescue, set_aside

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.app.graph_files import GraphFiles

_RESCUED = ".rescued-"
_DAMAGED = ".damaged-"


def home_parts(container: Container) -> Iterator[Part]:
    """The parts that all graphs share."""
    home = container.settings.home
    yield Part("", "permissions", lambda: _permissions(home), lambda: make_private(home))
    if container.state is None:
        yield _sqlite("", "traces", home / "traces.sqlite", lambda: container.traces.forget(""))
        yield _sqlite("", "conversations", home / "conversations.sqlite", lambda: container.sessions.overview())
    else:
        yield Part("", "shared state", lambda: _shared(container))
    yield _sqlite("", "cached replies", home / "replies.sqlite")
    yield Part("", "databases", lambda: _databases(home))
    if container.state is None:
        yield Part("", "tokens", lambda: _tokens(home / "tokens.json"))


def graph_part(files: GraphFiles) -> Part:
    """The graph in its database."""
    return Part(files.name, "graph", lambda: _graph(files), lambda: _rebuild_indexes(files))


def written_parts(files: GraphFiles) -> Iterator[Part]:
    """What was written about a graph by its imports, users and teaching."""
    folder = files.folder
    yield _sqlite(files.name, "imports", folder / "import" / files.name / "journal.sqlite")
    yield Part(files.name, "glosses", lambda: _glosses(files))
    yield Part(files.name, "teaching", lambda: _teaching(files))


def document_parts(files: GraphFiles) -> Iterator[Part]:
    """The documents beside a graph, and what is made of them."""
    path = files.documents().path
    yield _sqlite(files.name, "documents", path, lambda: files.documents().totals(), ("extractions",))
    if path.exists():
        yield Part(files.name, "mentions in documents", lambda: _mentions(files), files.linked_documents)
        yield Part(files.name, "document index", lambda: _document_index(files), lambda: _documents_again(files))
        yield Part(files.name, "document keywords", lambda: _keywords(files), lambda: _keywords_again(files))
        yield Part(files.name, "document skeleton", lambda: _skeleton(files), lambda: _documents_again(files))


def _permissions(home: Path) -> str:
    own = list(home.rglob("*"))
    for path in (home, *own):
        if not os.access(path, os.R_OK | os.W_OK):
            raise damaged(f"{path} cannot be read or written", "Give it to the user who runs Clew (chown, chmod).")
    for path in home.iterdir():
        kept = path.name in ("database", "graphs", "tokens.json") or ".sqlite" in path.name
        if kept and stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise stale(f"other users can read {path}")
    return f"{len(own):,} files and folders"


def _tokens(path: Path) -> str | None:
    if not path.exists():
        return None
    try:
        tokens = json.loads(path.read_text(encoding="utf-8"))["tokens"]
        whole = all(each["user"] and re.fullmatch(r"[0-9a-f]{64}", each["sha256"]) for each in tokens)
    except (OSError, ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise damaged(f"{path} cannot be read, so tokens are refused", "Restore it, or remove it and add new tokens.")
    return f"{len(tokens)} tokens"


def _shared(container: Container) -> str:
    """Conversations and traces in PostgreSQL."""
    sessions, graphs = container.sessions.overview(), container.traces.graphs()
    return f"{len(sessions)} conversations of the terminal, traces of {len(graphs)} graphs"


def _databases(home: Path) -> str | None:
    from clew.tools.graph.store import daemon

    place = daemon.folder(home)
    if aside := [each.name for each in daemon.damaged_databases(place)]:
        raise damaged(
            f"the files of {', '.join(aside)} could not be opened",
            f"Import the graphs again; then remove {place / 'damaged'}.",
        )
    return f"{len(list((place / 'databases').glob('*/')))} databases" if place.exists() else None


def _sqlite(
    graph: str, name: str, path: Path, made: Callable[[], object] | None = None, tables: tuple[str, ...] = ()
) -> Part:
    """A SQLite file. Where `made` opens, and so makes, a new one, the rows of a damaged one are taken over."""

    def check() -> str | None:
        if path.exists() and (wrong := damage_of(path)):
            raise damaged(f"{path}: {wrong}")
        if left := _set_aside(path):
            raise stale(f"{left[0]} was set aside as damaged, and what can be read of it is not taken over yet")
        return f"{path.stat().st_size:,} bytes" if path.exists() else None

    def repair() -> None:
        set_aside(path)
        if made is None:
            for aside in _set_aside(path):
                aside.rename(aside.with_name(aside.name.replace(_DAMAGED, _RESCUED)))
            return
        made()
        for aside in _set_aside(path):
            with closing(sqlite3.connect(path, timeout=10.0)) as connection:
                rescue(aside, connection, tables)
            aside.rename(aside.with_name(aside.name.replace(_DAMAGED, _RESCUED)))

    return Part(graph, name, check, repair)


def _set_aside(path: Path) -> list[Path]:
    """The damaged files that had the name of this one."""
    endings = ("-wal", "-shm", "-journal")
    return sorted(each for each in path.parent.glob(f"{path.name}{_DAMAGED}*") if not each.name.endswith(endings))


def _graph(files: GraphFiles) -> str:
    from clew.tools.errors import BadInput
    from clew.tools.ingest import is_unfinished
    from clew.tools.linking.index import FILES, EntityIndex

    store = files.store
    version = store.version()
    if is_unfinished(version):
        raise damaged("its import was interrupted", "Run the same `clew import` again: it continues.")
    if wrong := files.parts.database.ask(lambda each: each.catalogue.damage(each.entries.current(files.name))):
        raise damaged("; ".join(wrong), _IMPORT_AGAIN)
    if missing := files.missing_records():
        raise damaged(f"the database has lost {missing}", _IMPORT_AGAIN)
    schema = files.read_schema()
    nodes = sum(schema.labels.values())
    try:
        if checked(FILES, files.folder / "entities", version):
            indexed = len(EntityIndex.open(files.folder / "entities"))
            if nodes < indexed:
                raise damaged(f"it has {nodes:,} of {indexed:,} nodes that its index of names has", _IMPORT_AGAIN)
    except BadInput:
        pass  # It is damaged itself, and says nothing of the graph.
    except CheckFailed as unsound:
        if unsound.remedy:
            raise
    return f"{nodes:,} nodes, {sum(each.count for each in schema.relations):,} relationships"


_IMPORT_AGAIN = "Import its files again with `clew import --replace`."


def _rebuild_indexes(files: GraphFiles) -> None:
    files.parts.database.ask(lambda each: each.catalogue.rebuild_indexes(each.entries.current(files.name)))


def _glosses(files: GraphFiles) -> str | None:
    glosses = files.glosses()  # Its errors name the line.
    return None if glosses is None else f"words for {len(glosses.relations) + len(glosses.labels)} names"


def _teaching(files: GraphFiles) -> str | None:
    from clew.tools.learning.teaching.stored import load_taught, manifest_of

    if manifest_of(files.teaching) is None:
        return None
    return "in use" if load_taught(files.teaching, files.schema()) else "not in use"


def _mentions(files: GraphFiles) -> str | None:
    from clew.tools.documents.mentions.linking import unlinked
    from clew.tools.linking.index import EntityIndex

    documents = files.documents()
    totals = documents.totals()
    if not totals.documents or not files.schema().labels:
        return None
    if waiting := unlinked(documents, EntityIndex.open(files.folder / "entities")):
        raise stale(f"{len(waiting):,} documents were not searched with the names of the graph as it is now")
    return f"{totals.mentions:,} mentions"


def _document_index(files: GraphFiles) -> str | None:
    from clew.tools.documents.index.builder import FILES
    from clew.tools.documents.index.index import DocumentIndex

    documents, folder = files.documents(), files.folder / "document-index"
    if not documents.version or not checked(FILES, folder, documents.version):
        return None
    index, chunks = DocumentIndex.open(folder, files.parts.embedder, files.vectors), documents.totals().chunks
    if len(index) != chunks:
        raise damaged(f"it has {len(index):,} of {chunks:,} chunks")
    return f"{chunks:,} chunks"


def _keywords(files: GraphFiles) -> str | None:
    from clew.tools.documents.keyword_graph.keyword_index import FILES, keyword_version

    documents, folder = files.documents(), files.folder / "document-keywords"
    splits = _splits(folder)
    if not documents.version or not checked(FILES, folder, keyword_version(documents.version, splits)):
        return None
    return f"chunks halved {splits} times"


def _keywords_again(files: GraphFiles) -> None:
    from clew.tools.documents.keyword_graph.keyword_index import FILES

    splits = _splits(folder := files.folder / "document-keywords")
    FILES.discard(folder)
    files.collection().keywords(splits)


def _splits(folder: Path) -> int:
    """How often chunks are halved, as the version of the keyword index says."""
    from clew.tools.documents.keyword_graph.keyword_index import FILES
    from clew.tools.errors import BadInput

    try:
        return int(FILES.read(folder).version.rpartition(" ")[2] or 0)
    except (BadInput, ValueError):
        return 0


def _skeleton(files: GraphFiles) -> str | None:
    from clew.tools.documents.skeleton.files import FILES

    collection, folder = files.collection(), files.folder / "document-skeleton"
    version = collection.skeleton_version
    if version is None or not checked(FILES, folder, version):
        return None
    return f"{FILES.read(folder).entities:,} entities"


def _documents_again(files: GraphFiles) -> None:
    from clew.tools.documents.index.builder import FILES as INDEX
    from clew.tools.documents.skeleton.files import FILES as SKELETON

    INDEX.discard(files.folder / "document-index")
    SKELETON.discard(files.folder / "document-skeleton")
    collection = files.collection()
    _ = collection.index, collection.skeleton
