"""Writes a skeleton's files from the extractions of chunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from clew.tools.arrays.index_files import Stage
from clew.tools.arrays.strings import Strings, grouped, hash_text
from clew.tools.documents.skeleton.files import (
    ENTITIES,
    FILES,
    RELATIONS,
    SkeletonEntity,
    SkeletonRelation,
    id_key,
)
from clew.tools.documents.skeleton.merging import Merger, NodeOf, spelling
from clew.tools.documents.store.extractions import Extraction
from clew.tools.embedding import Embedder
from clew.tools.embedding.text_vectors import TextVectors, distinct_texts

EMBEDDED = 400
"""Characters of an entity with its descriptions. Of a relation, its ends and words: its description says the same, and
takes four times as long."""


def fill(
    extractions: Iterable[tuple[str, Extraction]],
    node_of: NodeOf | None,
    directory: Path,
    folder: Path,
    embedder: Embedder,
    stage: Stage,
) -> dict[str, Any]:
    """Merge the extractions of (chunk id, extraction) and write the result into `folder`; the fields of the manifest
    but `by`."""
    ids: list[str] = []
    merger = Merger(node_of)
    for number, (chunk, extraction) in enumerate(extractions):
        ids.append(chunk)
        merger.add(number, chunk, extraction)
    entities, relations = merger.merged()
    Strings.of(ids).save(folder, "chunk_ids")
    _write(folder, entities, relations)
    names = [entity.name for entity in entities]
    texts = [entity.text[:EMBEDDED] for entity in entities]
    texts += [f"{names[each.head]} {each.words} {names[each.tail]}" for each in relations]
    hashes = np.array([hash_text(text) for text in texts], np.uint64)
    _, distinct, first = distinct_texts(hashes)
    vectors = TextVectors(FILES, directory, [ENTITIES, RELATIONS], embedder)
    vectors.embed("Embedding the skeleton", distinct, lambda row: texts[int(first[row])], stage)
    vectors.write(folder, ENTITIES, hashes[: len(entities)])
    vectors.write(folder, RELATIONS, hashes[len(entities) :])
    return {
        "dimension": embedder.dimension,
        "embedder": embedder.name,
        "chunks": len(ids),
        "entities": len(entities),
        "relations": len(relations),
        "linked": sum(entity.linked for entity in entities),
    }


def _write(folder: Path, entities: Sequence[SkeletonEntity], relations: Sequence[SkeletonRelation]) -> None:
    Strings.of(entity.to_line() for entity in entities).save(folder, "entities")
    Strings.of(relation.to_line() for relation in relations).save(folder, "relations")
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
