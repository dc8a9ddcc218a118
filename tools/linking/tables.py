"""The flat tables that an entity index searches, made from nodes."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from enum import IntEnum
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.index_files import Advance
from clew.tools.arrays.strings import IntArray, Strings, StringsWriter, grouped, hash_text
from clew.tools.graph.changed_nodes import ByLabel, scan_nodes
from clew.tools.graph.schema import Schema, published_chunks
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.linking.edit_distance import length_starts, signatures_of
from clew.tools.linking.normalise import ARTICLES, compact, fold, short_forms, without_article

_REPORT_EVERY = 10_000
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
    word_hashes: npt.NDArray[np.uint64]
    """Sorted; `hashed_words` are their words."""
    hashed_words: npt.NDArray[np.int64]
    word_key_starts: IntArray
    """Of word w the keys word_keys[starts[w]:starts[w + 1]] that contain it."""
    word_keys: npt.NDArray[np.int32]

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
        digest = blake2b(self.spellings.text.tobytes(), digest_size=8)
        digest.update(self.spellings.ends.tobytes())
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


def tabulate(nodes: Iterable[IndexedNode], advance: Advance) -> tuple[Tables, list[str], int]:
    """The tables, the labels by number, and the length of the longest compact key."""
    collected = _Collected()
    for count, node in enumerate(nodes, 1):
        collected.add(node)
        if count % _REPORT_EVERY == 0:
            advance(count)
    tables, longest = collected.tables()
    advance(len(tables.ids))
    return tables, list(collected.labels), longest


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


class _Collected:
    """The nodes read so far."""

    def __init__(self) -> None:
        self.labels: dict[str, int] = {}
        self._ids = StringsWriter()
        self._id_hashes = array("Q")
        self._node_labels = array("i")
        self._node_degrees = array("i")
        self._names = StringsWriter()
        self._aliases: list[tuple[int, str]] = []
        self._keys: dict[str, int] = {}
        self._posting_keys = array("q")
        self._posting_spellings = array("q")
        self._posting_kinds = array("b")

    def add(self, node: IndexedNode) -> None:
        position = self._ids.append(node.id)
        self._id_hashes.append(hash_text(node.id))
        self._node_labels.append(self.labels.setdefault(node.label, len(self.labels)))
        self._node_degrees.append(node.degree)
        self._names.append(node.name)
        self._post(position, node.name)
        self._aliases += [(position, alias) for alias in aliases_of(node)]

    def _post(self, spelling: int, name: str) -> None:
        for key, kind in keys_of(name).items():
            self._posting_keys.append(self._keys.setdefault(key, len(self._keys)))
            self._posting_spellings.append(spelling)
            self._posting_kinds.append(kind)

    def tables(self) -> tuple[Tables, int]:
        names = len(self._node_labels)
        for i, (_, alias) in enumerate(self._aliases):
            self._names.append(alias)
            self._post(names + i, alias)
        nodes = np.concatenate([np.arange(names), np.array([node for node, _ in self._aliases], np.int64)])
        texts = sorted(self._keys, key=lambda key: (len(key), key))
        place = np.empty(len(texts), np.int64)
        place[[self._keys[text] for text in texts]] = np.arange(len(texts))
        posting_keys = place[np.frombuffer(self._posting_keys, np.int64)] if texts else np.zeros(0, np.int64)
        starts, order = grouped(posting_keys, len(texts))
        key_hashes = np.fromiter((hash_text(compact(text)) for text in texts), np.uint64, len(texts))
        id_hashes = np.array(self._id_hashes, np.uint64)
        id_order, key_order = np.argsort(id_hashes, kind="stable"), np.argsort(key_hashes, kind="stable")
        tables = Tables(
            ids=self._ids.finish(),
            node_labels=np.array(self._node_labels, np.int32),
            node_degrees=np.array(self._node_degrees, np.int32),
            id_hashes=id_hashes[id_order],
            hashed_ids=id_order,
            spellings=self._names.finish(),
            spelling_nodes=nodes,
            keys=Strings.of(texts),
            key_starts=length_starts(np.fromiter(map(len, texts), np.int64, len(texts))),
            key_signatures=signatures_of(texts),
            key_hashes=key_hashes[key_order],
            hashed_keys=key_order,
            posting_starts=starts,
            posting_spellings=np.array(self._posting_spellings, np.int64)[order],
            posting_kinds=np.array(self._posting_kinds, np.int8)[order],
            **_word_tables(texts),
        )
        return tables, max((len(compact(text)) for text in texts), default=0)


def _word_tables(keys: list[str]) -> dict[str, Any]:
    """The tables of the words of keys."""
    numbers: dict[str, int] = {}
    word_of, key_of = array("q"), array("i")
    for key, text in enumerate(keys):
        for word in words_of(text):
            word_of.append(numbers.setdefault(word, len(numbers)))
            key_of.append(key)
    texts = sorted(numbers, key=lambda word: (len(word), word))
    place = np.empty(len(texts), np.int64)
    place[[numbers[text] for text in texts]] = np.arange(len(texts))
    words_of_keys = place[np.array(word_of, np.int64)] if texts else np.zeros(0, np.int64)
    starts, order = grouped(words_of_keys, len(texts))
    hashes = np.fromiter((hash_text(text) for text in texts), np.uint64, len(texts))
    by_hash = np.argsort(hashes, kind="stable")
    return {
        "words": Strings.of(texts),
        "word_starts": length_starts(np.fromiter(map(len, texts), np.int64, len(texts))),
        "word_signatures": signatures_of(texts),
        "word_hashes": hashes[by_hash],
        "hashed_words": by_hash,
        "word_key_starts": starts,
        "word_keys": np.array(key_of, np.int32)[order],
    }
