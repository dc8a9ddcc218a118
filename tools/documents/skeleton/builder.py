"""From the extractions of chunks to a skeleton's files. Texts that the skeleton that is there has a vector for are not
embedded again, and a build that was interrupted goes on from its journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import filelock
import numpy as np

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.published import published_name
from clew.tools.arrays.strings import Strings, grouped
from clew.tools.documents.skeleton.merging import Merger, NodeOf, SkeletonEntity, SkeletonRelation, spelling
from clew.tools.documents.skeleton.skeleton import (
    FILES,
    FORMAT,
    Manifest,
    Skeleton,
    entity_line,
    entity_text,
    id_key,
    relation_line,
)
from clew.tools.documents.store.extraction import Extraction
from clew.tools.embedding import Embedder
from clew.tools.embedding.vector_journal import Journal, embed_missing, not_in, write_vectors
from clew.tools.errors import BadInput
from clew.tools.linking.index_builder import hash_text

Stage = Callable[[str, str, int | None], AbstractContextManager[Callable[[int], None]]]

JOURNAL = "embedded-{}.vectors"
EMBEDDED = 400
"""Characters of an entity with its descriptions. Of a relation, its ends and words: its description says the same, and
takes four times as long."""
_LOCK = "skeleton.lock"


def build(
    extractions: Iterable[tuple[str, Extraction]],
    directory: Path,
    version: str,
    by: str,
    embedder: Embedder,
    stage: Stage | None = None,
    node_of: NodeOf | None = None,
) -> Skeleton:
    """Write and publish a skeleton of (chunk id, extraction), and open it; one of the same version there is opened as
    it is. One builder works in a directory at a time."""
    directory.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(directory / _LOCK):
        if (found := opened(directory, version, embedder)) is not None:
            return found
        FILES.remove_interrupted(directory)
        with FILES.building(directory) as folder:
            ids: list[str] = []
            merger = Merger(node_of)
            for number, (chunk, extraction) in enumerate(extractions):
                ids.append(chunk)
                merger.add(number, chunk, extraction)
            entities, relations = merger.merged()
            Strings.of(ids).save(folder, "chunk_ids")
            _write(folder, entities, relations)
            _embed(folder, directory, entities, relations, embedder, stage or _silent)
            linked, name = sum(entity.linked for entity in entities), published_name(folder)
            counts = (len(ids), len(entities), len(relations), linked)
            FILES.publish(directory, folder, Manifest(FORMAT, version, name, embedder.dimension, by, *counts))
        for journal in directory.glob(JOURNAL.format("*")):
            journal.unlink()
    return Skeleton.open(directory)


def _silent(_: str, __: str, ___: int | None) -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda _: None)


def opened(directory: Path, version: str, embedder: Embedder) -> Skeleton | None:
    """The skeleton of this version and of vectors as the embedder makes them, where it is there and whole."""
    try:
        found = Skeleton.open(directory)
    except BadInput:
        return None
    fits = (found.manifest.version, found.manifest.dimension) == (version, embedder.dimension)
    return found if fits else None


def _write(folder: Path, entities: Sequence[SkeletonEntity], relations: Sequence[SkeletonRelation]) -> None:
    Strings.of(map(entity_line, entities)).save(folder, "entities")
    Strings.of(map(relation_line, relations)).save(folder, "relations")
    ends = np.array([(each.head, each.tail) for each in relations], np.int32).reshape(-1, 2)
    starts, order = grouped(ends.ravel(), len(entities))
    np.save(folder / "ends.npy", ends.ravel())
    np.save(folder / "starts.npy", starts)
    np.save(folder / "relations_of.npy", (order // 2).astype(np.int32))
    keys = [
        (hash_text(key), place)
        for place, entity in enumerate(entities)
        for key in dict.fromkeys([id_key(entity.id), *map(spelling, (entity.name, *entity.names))])
        if key
    ]
    keys.sort()
    np.save(folder / "name_hashes.npy", np.array([key for key, _ in keys], np.uint64))
    np.save(folder / "name_entities.npy", np.array([place for _, place in keys], np.int32))


def _embed(
    folder: Path,
    directory: Path,
    entities: Sequence[SkeletonEntity],
    relations: Sequence[SkeletonRelation],
    embedder: Embedder,
    stage: Stage,
) -> None:
    """The vectors of entities and relations, and the hashes of their texts, by which the next build finds them."""
    names = [entity.name for entity in entities]
    texts = [entity_text(entity)[:EMBEDDED] for entity in entities]
    texts += [f"{names[each.head]} {each.words} {names[each.tail]}" for each in relations]
    hashes = np.array([hash_text(text) for text in texts], np.uint64)
    distinct, first = np.unique(hashes, return_index=True)
    dimension = embedder.dimension
    published = _published(directory, dimension)
    with Journal(directory / JOURNAL.format(dimension), dimension) as journal:
        wanted = not_in(distinct, [*published, journal.read()])
        with stage("Embedding the skeleton", "texts", len(wanted)) as advance:
            embed_missing(distinct, wanted, lambda place: texts[int(first[place])], journal, embedder, advance)
        known = [*published, journal.read()]
        for name, part in (("entity", hashes[: len(entities)]), ("relation", hashes[len(entities) :])):
            np.save(folder / f"{name}_hashes.npy", part)
            write_vectors(folder, f"{name}_vectors", part, known, dimension)


def _published(directory: Path, dimension: int) -> list[Any]:
    """Hashes and vectors of the skeleton that is there, if it is of as many dimensions."""
    try:
        manifest = FILES.read(directory)
        folder = directory / manifest.folder
        if manifest.dimension != dimension:
            return []
        return [
            {
                "hash": mapped(folder, f"{name}_hashes"),
                "vector": mapped(folder, f"{name}_vectors").reshape(-1, dimension),
            }
            for name in ("entity", "relation")
        ]
    except (BadInput, OSError, ValueError):
        return []
