"""The checks of what is derived from a graph: all of it can be rebuilt."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.app.dense_names import dense_store, embed_names
from clew.app.doctor.findings import Part, damaged, stale
from clew.tools.arrays.checksums import crc_of, unsealed
from clew.tools.arrays.index_files import IndexFiles, OtherFormat
from clew.tools.errors import BadInput
from clew.tools.sqlite_files import damage_of

if TYPE_CHECKING:
    from clew.app.graph_files import GraphFiles
    from clew.tools.graph.schema import Schema


def schema_part(files: GraphFiles) -> Part:
    """The schema, which others are made from: it comes before all that reads it."""
    return Part(files.name, "schema", lambda: _schema(files), files.introspected)


def index_parts(files: GraphFiles) -> Iterator[Part]:
    """The indexes of a graph, each after those that it is made from."""
    yield Part(files.name, "names", lambda: _names(files), lambda: files.index(rebuild=True))
    yield Part(files.name, "meanings of names", lambda: _dense(files), lambda: _dense_again(files))
    yield Part(files.name, "snapshot", lambda: _snapshot(files), lambda: _snapshot_again(files))
    yield Part(files.name, "texts", lambda: _texts(files), lambda: _texts_again(files))
    yield Part(files.name, "similar nodes", lambda: _similar(files), lambda: _similar_again(files))
    yield Part(files.name, "stored values", lambda: _values(files.values_file), files.values_file.unlink)
    yield Part(files.name, "stored phrases", lambda: _phrases(files.phrases), lambda: _drop_phrases(files.phrases))


def checked(kind: IndexFiles[Any], directory: Path, version: str) -> bool:
    """Whether there is an index of that kind; its files are all read. Raises CheckFailed."""
    if not (directory / f"{kind.name}.json").exists():
        if any(directory.glob("data-*")):
            raise damaged(f"{directory / kind.name}.json is missing")
        return False
    try:
        manifest = kind.check(directory)
    except OtherFormat as error:
        raise stale(error.message) from None
    except BadInput as error:
        raise damaged(error.message) from None
    if manifest.version != version:
        raise stale("the graph has changed since it was made")
    return True


def rebuild(kind: IndexFiles[Any], directory: Path, build: Callable[[], object]) -> None:
    """Rebuild an index. A sound index gives its unchanged parts."""
    kind.discard(directory)
    build()


def _schema(files: GraphFiles) -> str | None:
    from clew.tools.graph.schema import Schema

    now = files.read_schema()
    if not files.schema_file.exists():
        return None
    try:
        stored = Schema.from_json(unsealed(json.loads(files.schema_file.read_text(encoding="utf-8"))))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise damaged(f"{files.schema_file} cannot be read: {error}") from None
    if stored.version != files.store.version():
        raise stale("the graph has changed since it was read")
    if _without_samples(stored) != _without_samples(now):
        raise stale("the graph has other labels, relationships or properties")
    return f"{len(stored.labels)} labels, {len(stored.relations)} relationships"


def _without_samples(schema: Schema) -> Any:
    """What of a schema does not depend on samples."""
    relations = {(r.type, r.source, r.target): r.count for r in schema.relations}
    return schema.labels, relations, {(p.label, p.name) for p in schema.properties}


def _names(files: GraphFiles) -> str | None:
    from clew.tools.linking.index import FILES, EntityIndex
    from clew.tools.linking.tables import indexed_nodes

    if not checked(FILES, files.folder / "entities", files.store.version()):
        return None
    index, unlike = EntityIndex.open(files.folder / "entities"), 0
    for node in indexed_nodes(files.store, files.schema()):
        found = index.get(node.id)
        unlike += found is None or (found.name, found.label) != (node.name, node.label)
    if unlike:
        raise stale(f"{unlike:,} nodes of the graph are not in it, or have other names")
    return f"{len(index):,} nodes"


def _dense(files: GraphFiles) -> str | None:
    from clew.tools.linking.dense import open_dense
    from clew.tools.linking.index import EntityIndex

    folder, in_home = files.folder / "dense", not files.vectors.address
    if in_home and not folder.exists():
        return None
    if in_home and (wrong := damage_of(folder / "chroma.sqlite3")):
        raise damaged(f"{folder / 'chroma.sqlite3'}: {wrong}")
    index = EntityIndex.open(files.folder / "entities")
    try:
        dense = open_dense(index, files.parts.embedder, dense_store(files))
    except BadInput as error:
        raise stale(error.message) from None
    if dense is None:
        return None
    names = sum(1 for _ in index.distinct_names())
    if dense.count() != names:
        raise damaged(f"it has {dense.count():,} of {names:,} names")
    return f"{names:,} names"


def _dense_again(files: GraphFiles) -> None:
    if files.vectors.address:
        store = dense_store(files)
        for name in store.names():
            store.delete(name)
    else:
        from chromadb.api.shared_system_client import SharedSystemClient

        SharedSystemClient.clear_system_cache()  # Chroma keeps what it has opened by its path.
        shutil.rmtree(files.folder / "dense")
    embed_names(files)


def _snapshot(files: GraphFiles) -> str | None:
    from clew.tools.graph.snapshot.builder import stored_edges
    from clew.tools.graph.snapshot.snapshot import FILES, Snapshot
    from clew.tools.linking.tables import indexed_nodes

    if not checked(FILES, files.folder / "snapshot", files.store.version()):
        return None
    snapshot = Snapshot.open(files.folder / "snapshot")
    nodes = [(node.id, node.name) for node in indexed_nodes(files.store, files.schema())]
    places = snapshot.nodes([id for id, _ in nodes]).tolist()
    unlike = sum(place < 0 or snapshot.name(place) != name for place, (_, name) in zip(places, nodes, strict=True))
    edges = len(set(stored_edges(files.store)))
    if unlike or len(snapshot) != len(nodes) or snapshot.edges != edges:
        raise stale(f"it has {len(snapshot):,} nodes and {snapshot.edges:,} triples of {len(nodes):,} and {edges:,}")
    return f"{len(snapshot):,} nodes, {edges:,} triples"


def _snapshot_again(files: GraphFiles) -> None:
    from clew.tools.graph.snapshot.snapshot import FILES

    rebuild(FILES, files.folder / "snapshot", files.snapshot)


def _texts(files: GraphFiles) -> str | None:
    from clew.tools.text_search.arrays import FILES
    from clew.tools.text_search.source import text_nodes

    if not checked(FILES, files.folder / "texts", files.store.version()):
        return None
    index, unlike, count = files.open_texts(), 0, 0
    for node in text_nodes(files.store, files.schema()):
        count += 1
        place = int(index.positions([node.id])[0])
        unlike += place < 0 or index.described(place) != (node.id, node.name, node.label)
    if unlike or len(index) != count:
        raise stale(f"it has {len(index):,} of {count:,} nodes, {unlike:,} of them others than the graph's")
    return f"{count:,} nodes"


def _texts_again(files: GraphFiles) -> None:
    from clew.tools.text_search.arrays import FILES

    rebuild(FILES, files.folder / "texts", files.text_index)


def _similar(files: GraphFiles) -> str | None:
    from clew.tools.text_search.expansion.similar import FILES, SimilarNodes

    folder = files.folder / "similar"
    if not checked(FILES, folder, files.store.version()):
        return None
    index = files.open_texts()
    if FILES.read(folder).texts != index.manifest.folder:
        raise stale("the texts have been indexed again since it was made")
    return f"{len(SimilarNodes.open(index, folder)):,} nodes"


def _similar_again(files: GraphFiles) -> None:
    from clew.tools.text_search.expansion.similar import FILES

    rebuild(FILES, files.folder / "similar", lambda: files.similar_nodes(files.text_index()))


def _values(path: Path) -> str | None:
    if not path.exists():
        return None
    try:
        return f"{len(unsealed(json.loads(path.read_text(encoding='utf-8')))['values']):,} values"
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise damaged(f"{path} cannot be read: {error}") from None


def _phrases(folder: Path) -> str | None:
    found = _phrase_files(folder)
    if spoilt := [path.name for path in found if not path.stem.endswith(f"-{crc_of(path):08x}")]:
        raise damaged(f"the content of {', '.join(spoilt)} has changed")
    return f"{len(found)} files" if found else None


def _phrase_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("phrases-*-*.npy"))


def _drop_phrases(folder: Path) -> None:
    for path in _phrase_files(folder):
        path.unlink(missing_ok=True)
