"""The flat tables that an entity index searches, and the nodes that they are made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import IntEnum
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.strings import IntArray, Strings, hash_text
from clew.tools.graph.changed_nodes import ByLabel, scan_nodes
from clew.tools.graph.schema import Schema, published_chunks
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.linking.edit_distance import NearNames
from clew.tools.linking.normalise import ARTICLES, fold, short_forms, without_article
from clew.tools.linking.segments import Segments

LONGEST_NAME = 16
"""Words of a name that can be found by some of them."""


@dataclass(frozen=True, slots=True)
class IndexedNode:
    """A node for the index. A node without a name is only found by its id."""

    id: str
    name: str
    label: str
    aliases: tuple[str, ...] = ()
    degree: int = 0
    """Relationships, which order names that fit equally."""


def indexed_nodes(
    store: GraphStore, schema: Schema, *, degrees: bool = False, among: ByLabel | None = None
) -> Iterator[IndexedNode]:
    """All nodes of a graph that have an id, each once, streamed from the store label by label; of a graph that Clew
    imported, with `among`, those of these ids."""
    terms, seen = store.terms, set[str]()
    own = f"MATCH (n)--(m) WHERE {terms.own('m')} RETURN m" if degrees and published_chunks(store) else "(n)--()"
    for label in terms.counting(schema.labels):
        columns = f"{terms.id('n')} AS id, {terms.name('n')} AS name, {terms.aliases('n', label)} AS aliases"
        columns += f", COUNT {{ {own} }} AS degree" if degrees else ", 0 AS degree"
        for row in scan_nodes(store, label, columns, among):
            key = str(row["id"])
            if row["id"] is not None and key not in seen:
                if terms.labels:
                    seen.add(key)  # A node may have two of the labels.
                yield IndexedNode(
                    key, str(row["name"] or ""), label, tuple(map(str, row["aliases"] or ())), row["degree"]
                )


class SpellingKind(IntEnum):
    """How a key was derived from a name."""

    FULL = 0
    NO_ARTICLE = 1
    """`harvey girls` from "The Harvey Girls"."""
    SHORT = 2
    """`matrix` from "Matrix (1999)"."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The index's arrays.

    A spelling is a name or an alias; the first len(ids) spellings are the nodes' names, in node order.
    A key is a distinct folded spelling; keys are sorted by length, then by text.
    """

    ids: Strings
    node_labels: npt.NDArray[np.int32]
    node_degrees: npt.NDArray[np.int32]
    id_hashes: npt.NDArray[np.uint64]
    """Sorted; `hashed_ids` are their nodes."""
    hashed_ids: npt.NDArray[np.int64]
    spellings: Strings
    spelling_nodes: npt.NDArray[np.int64]
    keys: Strings
    key_starts: IntArray
    key_signatures: npt.NDArray[np.uint64]
    key_segment_starts: npt.NDArray[np.uint32]
    """See `Segments`, also for those of words."""
    key_segment_owners: npt.NDArray[np.int32]
    key_hashes: npt.NDArray[np.uint64]
    """Sorted hashes of the compact keys; `hashed_keys` are their keys."""
    hashed_keys: npt.NDArray[np.int64]
    posting_starts: IntArray
    """Of key k the postings [starts[k], starts[k + 1]): a spelling and the kind of its making."""
    posting_spellings: npt.NDArray[np.int64]
    posting_kinds: npt.NDArray[np.int8]
    words: Strings
    """The words of the keys, sorted by length, then by text."""
    word_starts: IntArray
    word_signatures: npt.NDArray[np.uint64]
    word_segment_starts: npt.NDArray[np.uint32]
    word_segment_owners: npt.NDArray[np.int32]
    word_hashes: npt.NDArray[np.uint64]
    """Sorted; `hashed_words` are their words."""
    hashed_words: npt.NDArray[np.int64]
    word_key_starts: IntArray
    """Of word w the keys word_keys[starts[w]:starts[w + 1]] that contain it."""
    word_keys: npt.NDArray[np.int32]

    def near_keys(self) -> NearNames:
        segments = Segments(self.key_segment_starts, self.key_segment_owners)
        return NearNames(self.keys, self.key_starts, self.key_signatures, segments)

    def near_words(self) -> NearNames:
        segments = Segments(self.word_segment_starts, self.word_segment_owners)
        return NearNames(self.words, self.word_starts, self.word_signatures, segments)

    def postings(self, key: int) -> Iterator[tuple[int, SpellingKind]]:
        first, last = int(self.posting_starts[key]), int(self.posting_starts[key + 1])
        spellings, kinds = self.posting_spellings[first:last].tolist(), self.posting_kinds[first:last].tolist()
        for spelling, kind in zip(spellings, kinds, strict=True):
            yield spelling, SpellingKind(kind)

    def nodes_hashed(self, id: str) -> list[int]:
        """Nodes whose id has the hash of `id`."""
        hashed = np.uint64(hash_text(id))
        first, last = np.searchsorted(self.id_hashes, hashed, "left"), np.searchsorted(self.id_hashes, hashed, "right")
        return [int(node) for node in self.hashed_ids[first:last]]

    def keys_of_label(self, label: int) -> npt.NDArray[np.bool_]:
        """One bool per key: whether a node of the label has it."""
        fits = self.node_labels[self.spelling_nodes[self.posting_spellings]] == label
        owners = np.repeat(np.arange(len(self.keys)), np.diff(self.posting_starts))
        mask = np.zeros(len(self.keys), np.bool_)
        mask[owners[fits]] = True
        return mask

    def contents(self) -> str:
        """A digest of the spellings in their order."""
        digest = blake2b(self.spellings.text.data, digest_size=8)
        digest.update(self.spellings.ends.data)
        return digest.hexdigest()

    def save(self, folder: Path) -> None:
        for table in fields(self):
            value = getattr(self, table.name)
            if isinstance(value, Strings):
                value.save(folder, table.name)
            else:
                np.save(folder / f"{table.name}.npy", value)

    @classmethod
    def load(cls, folder: Path) -> Tables:
        tables: dict[str, Any] = {}
        for table in fields(cls):
            if table.type == "Strings":
                tables[table.name] = Strings.load(folder, table.name)
            else:
                tables[table.name] = mapped(folder, table.name)
        return cls(**tables)


def aliases_of(node: IndexedNode) -> list[str]:
    """A node's further names, each once."""
    return [alias for alias in dict.fromkeys(node.aliases) if alias != node.name]


def keys_of(name: str) -> dict[str, SpellingKind]:
    """The keys of a name or alias."""
    full = fold(name)
    if not full:
        return {}
    kinds = {full: SpellingKind.FULL}
    kinds.setdefault(without_article(full), SpellingKind.NO_ARTICLE)
    for form in short_forms(name):
        if (short := fold(form)) and short not in ARTICLES:
            kinds.setdefault(short, SpellingKind.SHORT)
            kinds.setdefault(without_article(short), SpellingKind.SHORT)
    return kinds


def words_of(key: str) -> list[str]:
    """The words of a key, each once; none of a very long one, which is a text."""
    words = list(dict.fromkeys(key.split()))
    return words if len(words) <= LONGEST_NAME else []
