"""The tables of an entity index after some nodes have changed: what `tabulate` makes of all nodes, in the time of the
change and a copy of the arrays. Segments are made anew, which takes no longer than the copy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from clew.tools.arrays.splicing import Places, SortedTexts, in_order, renumbered, taken
from clew.tools.arrays.strings import IntArray, hash_text
from clew.tools.graph.changed_nodes import Change, Since
from clew.tools.linking.edit_distance import length_starts, signatures_of
from clew.tools.linking.normalise import compact
from clew.tools.linking.segments import Segments
from clew.tools.linking.tables import IndexedNode, Tables, aliases_of, keys_of, words_of


class Earlier(Protocol):
    """Of the manifest of an index."""

    @property
    def version(self) -> str: ...
    @property
    def labels(self) -> list[str]: ...


def tables_since(
    earlier: tuple[Earlier, Path] | None, since: Since[IndexedNode]
) -> tuple[Tables, list[str], int] | None:
    """What `tabulate` returns, from the manifest and the folder of an earlier index and what has changed since; None if
    there is none, or if that is not known."""
    if earlier is None:
        return None
    manifest, folder = earlier
    old = Tables.load(folder)
    change = since(manifest.version, len(old.ids))
    return None if change is None else changed(old, manifest.labels, change)


def changed(old: Tables, labels: Sequence[str], change: Change[IndexedNode]) -> tuple[Tables, list[str], int] | None:
    """What `tabulate` returns for the nodes after a change: those that stay in their order, and new ones after them.
    None if an id stands for two nodes."""
    found = {id: _positions(old, id) for id in change.ids}
    if any(len(places) > 1 for places in found.values()):
        return None
    touched = [places[0] for places in found.values() if places]
    given = [found[node.id][0] if found.get(node.id) else -1 for node in change.nodes]
    places = Places.of(len(old.ids), touched, given)
    spellings = _spellings(old, change.nodes, places)
    keys = _keys(old, spellings)
    ids = taken(old.ids, [node.id for node in change.nodes], places.order)
    id_hashes = _unsorted(old.id_hashes, old.hashed_ids, [hash_text(node.id) for node in change.nodes])[places.order]
    names = list(dict.fromkeys([*labels, *(node.label for node in change.nodes)]))
    of_given = np.array([names.index(node.label) for node in change.nodes], np.int32)
    numbers, names = renumbered(np.concatenate([old.node_labels, of_given])[places.order], names)
    degrees = np.array([node.degree for node in change.nodes], np.int32)
    by_hash = np.argsort(id_hashes, kind="stable")
    tables = Tables(
        ids=ids,
        node_labels=numbers,
        node_degrees=np.concatenate([old.node_degrees, degrees])[places.order],
        id_hashes=id_hashes[by_hash],
        hashed_ids=by_hash,
        spellings=taken(old.spellings, spellings.texts, spellings.order),
        spelling_nodes=spellings.nodes,
        **keys,
    )
    return tables, names, _longest(tables)


class _Spellings(NamedTuple):
    """Names and aliases after a change; orders are those of `taken`."""

    texts: list[str]
    """Those of the given nodes."""
    order: IntArray
    nodes: IntArray
    """By spelling its node."""
    old_places: IntArray
    """By old spelling its place, -1 where it has gone."""
    new_places: IntArray


def _spellings(old: Tables, nodes: Sequence[IndexedNode], places: Places) -> _Spellings:
    """Names in the order of nodes, then aliases in that order."""
    count, total = len(old.ids), len(old.spellings)
    aliases = [(number, alias) for number, node in enumerate(nodes) for alias in aliases_of(node)]
    names = np.where(places.order < count, places.order, places.order - count + total)
    stays = places.order[places.old] < count if len(places.order) else np.zeros(count, bool)
    stays &= places.old >= 0  # A node that was given again has its spellings anew.
    kept = np.flatnonzero(stays[old.spelling_nodes[count:]]) + count
    owners = np.concatenate(
        [places.old[old.spelling_nodes[kept]], places.given[np.array([number for number, _ in aliases], np.int64)]]
    )
    by_owner = np.argsort(owners, kind="stable")
    alias_order = np.concatenate([kept, np.arange(len(aliases)) + total + len(nodes)])[by_owner]
    order = np.concatenate([names, alias_order]).astype(np.int64)
    at = np.full(total + len(nodes) + len(aliases), -1, np.int64)
    at[order] = np.arange(len(order))
    texts = [*(node.name for node in nodes), *(alias for _, alias in aliases)]
    spelling_nodes = np.concatenate([np.arange(len(names)), owners[by_owner]]).astype(np.int64)
    return _Spellings(texts, order, spelling_nodes, at[:total], at[total:])


def _keys(old: Tables, spellings: _Spellings) -> dict[str, Any]:
    """The tables of keys, postings and words."""
    made = [keys_of(text) for text in spellings.texts]
    wanted = list(dict.fromkeys(key for keys in made for key in keys))
    number = {key: i for i, key in enumerate(wanted)}
    places = spellings.old_places[old.posting_spellings]
    stays = places >= 0
    old_keys = np.repeat(np.arange(len(old.keys)), np.diff(old.posting_starts))[stays]
    known = SortedTexts(old.keys, old.key_starts)
    merged = known.merged(np.bincount(old_keys, minlength=len(old.keys)) > 0, wanted)
    posted = [(number[key], place, kind) for place, keys in enumerate(made) for key, kind in keys.items()]
    new = np.array(posted, np.int64).reshape(-1, 3)
    key_of = np.concatenate([merged.old_places[old_keys], merged.wanted_places[new[:, 0]]])
    posting_spellings = np.concatenate([places[stays], spellings.new_places[new[:, 1]]])
    kinds = np.concatenate([old.posting_kinds[stays], new[:, 2].astype(np.int8)])
    starts, order = in_order(key_of, posting_spellings, len(merged.order))
    hashes = _unsorted(old.key_hashes, old.hashed_keys, [hash_text(compact(key)) for key in wanted])[merged.order]
    by_hash = np.argsort(hashes, kind="stable")
    lengths = np.concatenate([known.lengths(), np.fromiter(map(len, wanted), np.int64, len(wanted))])
    fresh = [(int(merged.wanted_places[i]), wanted[i]) for i in merged.fresh]
    keys, text_starts = taken(old.keys, wanted, merged.order), length_starts(lengths[merged.order])
    segments = Segments.of(keys, text_starts)
    return {
        "keys": keys,
        "key_starts": text_starts,
        "key_segment_starts": segments.starts,
        "key_segment_owners": segments.owners,
        "key_signatures": np.concatenate([old.key_signatures, signatures_of(wanted)])[merged.order],
        "key_hashes": hashes[by_hash],
        "hashed_keys": by_hash,
        "posting_starts": starts,
        "posting_spellings": posting_spellings[order],
        "posting_kinds": kinds[order],
        **_words(old, merged.old_places, fresh),
    }


def _words(old: Tables, key_places: IntArray, fresh: Sequence[tuple[int, str]]) -> dict[str, Any]:
    """The tables of words. `fresh` are the new keys with their places."""
    posted = [(word, place) for place, key in fresh for word in words_of(key)]
    wanted = list(dict.fromkeys(word for word, _ in posted))
    number = {word: i for i, word in enumerate(wanted)}
    places = key_places[old.word_keys]
    stays = places >= 0
    old_words = np.repeat(np.arange(len(old.words)), np.diff(old.word_key_starts))[stays]
    known = SortedTexts(old.words, old.word_starts)
    merged = known.merged(np.bincount(old_words, minlength=len(old.words)) > 0, wanted)
    new = np.array([(number[word], place) for word, place in posted], np.int64).reshape(-1, 2)
    words = np.concatenate([merged.old_places[old_words], merged.wanted_places[new[:, 0]]])
    keys = np.concatenate([places[stays], new[:, 1]])
    starts, order = in_order(words, keys, len(merged.order))
    hashes = _unsorted(old.word_hashes, old.hashed_words, list(map(hash_text, wanted)))[merged.order]
    by_hash = np.argsort(hashes, kind="stable")
    lengths = np.concatenate([known.lengths(), np.fromiter(map(len, wanted), np.int64, len(wanted))])
    texts, text_starts = taken(old.words, wanted, merged.order), length_starts(lengths[merged.order])
    segments = Segments.of(texts, text_starts)
    return {
        "words": texts,
        "word_starts": text_starts,
        "word_segment_starts": segments.starts,
        "word_segment_owners": segments.owners,
        "word_signatures": np.concatenate([old.word_signatures, signatures_of(wanted)])[merged.order],
        "word_hashes": hashes[by_hash],
        "hashed_words": by_hash,
        "word_key_starts": starts,
        "word_keys": keys[order].astype(np.int32),
    }


def _positions(old: Tables, id: str) -> list[int]:
    return [node for node in old.nodes_hashed(id) if old.ids[node] == id]


def _unsorted(hashes: Any, positions: Any, more: Sequence[int]) -> Any:
    """Hashes by position, and more after them, of sorted ones with their positions."""
    found = np.empty(len(hashes) + len(more), np.uint64)
    found[positions] = hashes
    found[len(hashes) :] = np.array(more, np.uint64)
    return found


def _longest(tables: Tables) -> int:
    """The length of the longest compact key; keys are sorted by length, and no shorter than when they are compact."""
    longest = 0
    for place in range(len(tables.keys) - 1, -1, -1):
        text = tables.keys[place]
        if len(text) <= longest:
            break
        longest = max(longest, len(compact(text)))
    return longest
