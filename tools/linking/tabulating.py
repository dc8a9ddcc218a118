"""The tables of an entity index from all nodes of a graph, written to files as the nodes come."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import Column, StringColumns, batches
from clew.tools.arrays.index_files import Advance
from clew.tools.arrays.sorted_texts import Group, TextSorter
from clew.tools.arrays.strings import Strings, StringsWriter, hash_text
from clew.tools.linking.edit_distance import length_starts, signatures_of
from clew.tools.linking.normalise import compact
from clew.tools.linking.segments import Segments
from clew.tools.linking.tables import IndexedNode, aliases_of, keys_of, words_of

_BATCH = 10_000


def tabulate(nodes: Iterable[IndexedNode], folder: Path, advance: Advance) -> tuple[list[str], int]:
    """Write the tables to a folder, from which `Tables.load` reads them. Memory holds some 40 bytes a node, and the
    names of one length at a time.

    Returns:
        The labels by number, and the length of the longest compact key.
    """
    with tempfile.TemporaryDirectory(prefix="sorting-", dir=folder) as name:
        sorting = Path(name)
        (sorting / "keys").mkdir()
        (sorting / "words").mkdir()
        keys, words = TextSorter(sorting / "keys"), TextSorter(sorting / "words")
        labels = _write_nodes(nodes, folder, keys, advance)
        longest = _write_keys(keys, words, folder)
        _write_words(words, folder)
    return labels, longest


def _write_nodes(nodes: Iterable[IndexedNode], folder: Path, keys: TextSorter, advance: Advance) -> list[str]:
    """Write what is known of nodes and spellings, and add the keys of all spellings; the labels by number."""
    labels: dict[str, int] = {}
    aliases, owners, hashes = StringsWriter(), array("q"), array("Q")
    with ExitStack() as files:
        ids = files.enter_context(StringColumns(folder, "ids"))
        spellings = files.enter_context(StringColumns(folder, "spellings"))
        node_labels = files.enter_context(Column(folder, "node_labels", np.int32))
        degrees = files.enter_context(Column(folder, "node_degrees", np.int32))
        for batch in batches(nodes, _BATCH):
            for position, node in enumerate(batch, len(hashes)):
                _post(keys, position, node.name)
                for alias in aliases_of(node):
                    aliases.append(alias)
                    owners.append(position)
            hashes.extend(hash_text(node.id) for node in batch)
            ids.append([node.id for node in batch])
            spellings.append([node.name for node in batch])
            node_labels.append(np.array([labels.setdefault(node.label, len(labels)) for node in batch], np.int32))
            degrees.append(np.array([node.degree for node in batch], np.int32))
            advance(len(hashes))
        further = aliases.finish()
        for first in range(0, len(further), _BATCH):
            texts = further.take(np.arange(first, min(first + _BATCH, len(further))))
            spellings.append(texts)
            for position, alias in enumerate(texts, len(hashes) + first):
                _post(keys, position, alias)
    np.save(folder / "spelling_nodes.npy", np.concatenate([np.arange(len(hashes)), np.array(owners, np.int64)]))
    _save_hashes(folder, hashes, "id_hashes", "hashed_ids")
    return list(labels)


def _post(keys: TextSorter, spelling: int, name: str) -> None:
    for key, kind in keys_of(name).items():
        keys.add(key, spelling, kind)


def _write_keys(keys: TextSorter, words: TextSorter, folder: Path) -> int:
    """Write the tables of keys, and add their words; the length of the longest compact key."""
    hashes, longest = array("Q"), 0

    def see(texts: Sequence[str]) -> None:
        nonlocal longest
        compacts = list(map(compact, texts))
        longest = max(longest, *map(len, compacts))
        for key, text in enumerate(texts, len(hashes)):
            for word in words_of(text):
                words.add(word, key)
        hashes.extend(map(hash_text, compacts))

    with Column(folder, "posting_spellings", np.int64) as spellings, Column(folder, "posting_kinds", np.int8) as kinds:
        for group in _written(keys, folder, "key", "posting_starts", see):
            spellings.append(group.numbers)
            kinds.append(group.kinds)
    _save_hashes(folder, hashes, "key_hashes", "hashed_keys")
    return longest


def _write_words(words: TextSorter, folder: Path) -> None:
    hashes = array("Q")
    with Column(folder, "word_keys", np.int32) as keys:
        for group in _written(
            words, folder, "word", "word_key_starts", lambda each: hashes.extend(map(hash_text, each))
        ):
            keys.append(group.numbers)
    _save_hashes(folder, hashes, "word_hashes", "hashed_words")


def _written(
    sorter: TextSorter, folder: Path, what: str, starts: str, see: Callable[[Sequence[str]], None]
) -> Iterator[Group]:
    """Write the texts of a sorter, where the items of each begin, and what finds texts by edit distance; `see` is
    called with the texts in their order."""
    counts, items = [0], 0
    with (
        StringColumns(folder, f"{what}s") as column,
        Column(folder, f"{what}_signatures", np.uint64) as signatures,
        Column(folder, starts, np.int64) as item_starts,
    ):
        for group in sorter.groups():
            column.append_joined(group.texts.text, group.texts.ends)
            item_starts.append(group.starts[:-1] + items)
            for first in range(0, len(group.texts), _BATCH):
                texts = group.texts.take(np.arange(first, min(first + _BATCH, len(group.texts))))
                signatures.append(signatures_of(texts))
                see(texts)
            counts.append(len(group.texts))
            items += len(group.numbers)
            yield group
        item_starts.append(np.array([items]))
    text_starts = length_starts(np.repeat(np.arange(len(counts)), counts))
    np.save(folder / f"{what}_starts.npy", text_starts)
    segments = Segments.of(Strings.load(folder, f"{what}s"), text_starts)
    np.save(folder / f"{what}_segment_starts.npy", segments.starts)
    np.save(folder / f"{what}_segment_owners.npy", segments.owners)


def _save_hashes(folder: Path, hashes: array[int], name: str, positions: str) -> None:
    """Save hashes sorted, with the position of each."""
    found: npt.NDArray[Any] = np.frombuffer(hashes, np.uint64) if hashes else np.zeros(0, np.uint64)
    order = np.argsort(found, kind="stable")
    np.save(folder / f"{name}.npy", found[order])
    np.save(folder / f"{positions}.npy", order)
