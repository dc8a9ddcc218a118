"""The entity index: every node's name and aliases, found by spelling, by edit distance and by meaning."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from clew.tools.arrays.index_files import IndexFiles, Manifest, Stage, silent
from clew.tools.arrays.strings import hash_text
from clew.tools.errors import ClewError
from clew.tools.graph.changed_nodes import Since, unknown
from clew.tools.graph.entity import Candidate, Entity
from clew.tools.linking import table_changes
from clew.tools.linking.best import FUZZY_WEIGHT as FUZZY_WEIGHT
from clew.tools.linking.best import best_of as best_of
from clew.tools.linking.best import fuzzy_score
from clew.tools.linking.edit_distance import NearNames
from clew.tools.linking.name_words import NameWords, are_full_names
from clew.tools.linking.normalise import compact, fold, of_other_number, without_article
from clew.tools.linking.tables import IndexedNode as IndexedNode
from clew.tools.linking.tables import SpellingKind, Tables
from clew.tools.linking.tabulating import tabulate

Mode = Literal["union", "fuzzy", "dense"]

_FLOOR = 0.6
_KIND_SCORE = {SpellingKind.FULL: 0.99, SpellingKind.NO_ARTICLE: 0.97, SpellingKind.SHORT: 0.96}
_KEYS_PER_CANDIDATE = 4
_SAMPLE = 300
"""Names of a label that are looked at."""
PARTIAL_SCORE = 0.9
"""Score of a name that contains all words of a text as they are written."""
_WHOLE_SCORE = 0.95
"""The same where no content word of the name is left out: "Rocky 2" for "Rocky II"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityManifest(Manifest):
    """What `index.json` holds."""

    contents: str
    """A digest of all names and aliases and their order."""
    labels: list[str]
    longest: int
    """Letters and digits in the longest spelling."""


FILES = IndexFiles(EntityManifest, "index", "entity index", 3, "Build it with `clew index`.")


class DenseNames(Protocol):
    """Names by nearness of embeddings; `clew.tools.linking.dense` has the one over Chroma."""

    def nearest(self, text: str, k: int) -> list[tuple[int, float]]:
        """The `k` nearest names as (spelling position, cosine), best first."""
        ...


@dataclass(frozen=True, slots=True)
class EntityIndex:
    """Names and aliases of all nodes, memory-mapped. Made by `build` or `open`; safe to share between threads."""

    version: str
    contents: str
    """A digest of all names and aliases and their order."""
    longest: int
    """Letters and digits in the longest spelling: no longer span of a text can be a name."""
    _labels: tuple[str, ...]
    _tables: Tables
    _near: NearNames
    words: NameWords
    """The words of the names."""
    years: range = range(0)
    """The years of the graph's dates: a number that is one of these names nothing by itself."""
    _dense: DenseNames | None = None
    _masks: dict[str, npt.NDArray[np.bool_]] = field(default_factory=dict)
    _full_names: dict[str, bool] = field(default_factory=dict)

    @classmethod
    def build(
        cls,
        nodes: Iterable[IndexedNode],
        directory: Path,
        version: str,
        stage: Stage = silent,
        total: int | None = None,
        *,
        rebuild: bool = False,
        since: Since[IndexedNode] = unknown,
    ) -> EntityIndex:
        """The index of `nodes` in `directory`. An index of the same version there is opened as it is unless `rebuild`
        is set; else the new index replaces it in one step.

        Args:
            version: Names the state of the graph.
            total: The number of nodes, for progress.
            since: Gives what has changed since the index there was built; its arrays are then changed, and `nodes` are
                not read.
        """

        def fill(folder: Path) -> dict[str, Any]:
            made = None if rebuild else table_changes.tables_since(FILES.earlier(directory), since)
            if made is None:
                with stage("Indexing names", "nodes", total) as advance:
                    labels, longest = tabulate(nodes, folder, advance)
            else:
                tables, labels, longest = made
                tables.save(folder)
            return {"contents": Tables.load(folder).contents(), "labels": labels, "longest": longest}

        return FILES.open_or_build(directory, version, lambda: cls.open(directory), fill, rebuild=rebuild)

    @classmethod
    def open(cls, directory: Path) -> EntityIndex:
        """Raises BadInput if there is no index, a damaged one, or one of another format."""

        def load(manifest: EntityManifest, folder: Path) -> EntityIndex:
            tables = Tables.load(folder)
            labels, near, words = tuple(manifest.labels), tables.near_keys(), NameWords(tables)
            return cls(manifest.version, manifest.contents, manifest.longest, labels, tables, near, words)

        return FILES.open(directory, load)

    def with_dense(self, dense: DenseNames) -> EntityIndex:
        """The same index with embeddings of its names beside it."""
        return replace(self, _dense=dense)

    @property
    def has_dense(self) -> bool:
        return self._dense is not None

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self._tables.ids)

    def get(self, id: str) -> Entity | None:
        """The entity with that `nodeId`."""
        node = self._node(id)
        return None if node is None else self.entity(node)

    def by_name(self, name: str) -> list[Entity]:
        """The entities whose name or alias is exactly `name`, names first."""
        key = fold(name)
        exact = [c.entity for c in self.spelled(name, self.keys_spelled([compact(key)])[0]) if c.matcher == "exact"]
        return list(dict.fromkeys(exact))

    def search(self, text: str, *, m: int = 3, mode: Mode = "union", label: str | None = None) -> list[Candidate]:
        """The `m` entities that `text` most likely names, best first, each entity once.

        Equal spellings come first, then names by edit distance ("fuzzy"), by nearness of embeddings ("dense"),
        or by both ("union", which is "fuzzy" for an index without embeddings and for texts spelled exactly like
        a name). `label` keeps only entities of that label. Source: ByoKG-RAG section 3.2.
        """
        if m < 1 or not text.strip() or (label is not None and label not in self._labels):
            return []
        if mode == "dense" and self._dense is None:
            raise ClewError("This entity index has no embeddings.", "Build them with `clew index --dense`.")
        key = fold(text)
        spellings = dict.fromkeys((compact(key), compact(without_article(key))))
        same = [c for keys in self.keys_spelled(list(spellings)) for c in self.spelled(text, keys)]
        found = best_of(c for c in same if label is None or c.entity.label == label)
        if mode != "dense" and len(found) < m:
            found += self._fuzzy(text, key, m, label)
        if self._dense is not None and mode != "fuzzy" and not any(c.matcher == "exact" for c in found):
            found += self._nearest_meanings(text, m, label)
        return best_of(found)[:m]

    def entity(self, node: int) -> Entity:
        """The entity at position `node` of the index."""
        tables = self._tables
        return Entity(tables.ids[node], tables.spellings[node], self._labels[tables.node_labels[node]])

    def degree(self, id: str) -> int:
        """The relationships of the entity with that `nodeId`; 0 if there is none."""
        node = self._node(id)
        return 0 if node is None else int(self._tables.node_degrees[node])

    def keys_spelled(self, compacts: Sequence[str]) -> list[list[int]]:
        """For each compact text the keys that are spelled so, whatever their spaces."""
        tables = self._tables
        hashes = np.fromiter((hash_text(text) for text in compacts), np.uint64, len(compacts))
        lows = np.searchsorted(tables.key_hashes, hashes, "left").tolist()
        highs = np.searchsorted(tables.key_hashes, hashes, "right").tolist()
        return [
            [k for k in tables.hashed_keys[low:high].tolist() if compact(tables.keys[k]) == text] if low < high else []
            for text, low, high in zip(compacts, lows, highs, strict=True)
        ]

    def spelling_of(self, name: str) -> int | None:
        """The first position of a name or alias that is written exactly so; None if there is none."""
        keys = self.keys_spelled([compact(fold(name))])[0]
        found = [spelling for key in keys for spelling, _ in self._tables.postings(key)]
        return min((spelling for spelling in found if self._tables.spellings[spelling] == name), default=None)

    def spelled(self, text: str, keys: Iterable[int]) -> list[Candidate]:
        """The entities behind `keys` (as `keys_spelled` gives them for `text`), best first."""
        folded, key_text = text.casefold(), fold(text)
        candidates = []
        for key in keys:
            space_penalty = 0.0 if self._tables.keys[key] == key_text else 0.01
            for spelling, kind in self._tables.postings(key):
                matched = self._tables.spellings[spelling]
                entity = self.entity(int(self._tables.spelling_nodes[spelling]))
                if matched == text:
                    candidates.append(Candidate(entity, 1.0, "exact", matched))
                elif matched.casefold() == folded:
                    candidates.append(Candidate(entity, 0.995, "normalised", matched))
                else:
                    score = _KIND_SCORE[kind] - space_penalty - 0.005 * OSA.normalized_distance(text, matched)
                    candidates.append(Candidate(entity, score, "normalised", matched))
        return best_of(candidates)

    def partly(
        self, words: Sequence[str], *, optional: Collection[str] = (), misspelt: bool = False
    ) -> list[Candidate]:
        """The entities whose names contain the folded `words` in their order, best first: "hanks" for Tom Hanks.

        Names that contain them equally well have the same score. Those that begin or end with them come first, then
        nodes with more relationships. See `NameWords` for the forms of a word that count.
        """
        found: dict[str, tuple[tuple[float, bool, int], Candidate]] = {}
        for match in self.words.matches(words, optional=optional, misspelt=misspelt):
            score = (_WHOLE_SCORE if match.whole else PARTIAL_SCORE) - match.cost
            for spelling, _ in self._tables.postings(match.key):
                node = int(self._tables.spelling_nodes[spelling])
                candidate = Candidate(self.entity(node), score, "partial", self._tables.spellings[spelling])
                rank = (-score, not match.at_edge, -int(self._tables.node_degrees[node]))
                known = found.get(candidate.entity.id)
                if known is None or rank < known[0]:
                    found[candidate.entity.id] = rank, candidate
        return [candidate for _, candidate in sorted(found.values(), key=lambda each: each[0])]

    def has_full_names(self, label: str) -> bool:
        """Whether the nodes of a label are called by first name and surname: by two or three words without numbers and
        function words, not all of them words of the language."""
        if label not in self._full_names:
            nodes = np.flatnonzero(self._tables.node_labels == self._labels.index(label))
            names = [fold(self._tables.spellings[node]) for node in nodes[:: max(1, len(nodes) // _SAMPLE)].tolist()]
            self._full_names[label] = are_full_names(names)
        return self._full_names[label]

    def near(self, folded: str, errors: int, k: int, *, floor: float) -> list[tuple[int, float]]:
        """The `k` nearest keys with at most `errors` typing errors as (key, ratio); see NearNames.within."""
        return self._near.within(folded, errors, k, floor=floor)

    def fuzzy_candidates(self, text: str, near: Iterable[tuple[int, float]]) -> list[Candidate]:
        """The entities behind (key, ratio) pairs found for `text`, best first."""
        candidates = []
        for key, ratio in near:
            for spelling, kind in self._tables.postings(key):
                matched = self._tables.spellings[spelling]
                if of_other_number(text, matched):
                    continue
                entity = self.entity(int(self._tables.spelling_nodes[spelling]))
                score = fuzzy_score(text, matched, ratio) * _KIND_SCORE[kind] / _KIND_SCORE[SpellingKind.FULL]
                candidates.append(Candidate(entity, score, "fuzzy", matched))
        return best_of(candidates)

    def distinct_names(self) -> Iterable[tuple[int, str]]:
        """Every distinct name or alias once, with the position of its first spelling."""
        seen: set[bytes] = set()
        for position in range(len(self._tables.spellings)):
            name = self._tables.spellings[position]
            digest = hash_text(name).to_bytes(8, "little")
            if name and digest not in seen:
                seen.add(digest)
                yield position, name

    def _node(self, id: str) -> int | None:
        return next((node for node in self._tables.nodes_hashed(id) if self._tables.ids[node] == id), None)

    def _fuzzy(self, text: str, key: str, m: int, label: str | None) -> list[Candidate]:
        among = None if label is None else self._mask(label)
        near = self._near.nearest(key, m * _KEYS_PER_CANDIDATE, floor=_FLOOR, among=among, wanted=m)
        return [c for c in self.fuzzy_candidates(text, near) if label is None or c.entity.label == label]

    def _nearest_meanings(self, text: str, m: int, label: str | None) -> list[Candidate]:
        assert self._dense is not None
        reach = m * (4 if label is None else 32)
        candidates = []
        for spelling, cosine in self._dense.nearest(text, reach):
            entity = self.entity(int(self._tables.spelling_nodes[spelling]))
            if label is None or entity.label == label:
                candidates.append(Candidate(entity, cosine, "dense", self._tables.spellings[spelling]))
        return best_of(candidates)

    def _mask(self, label: str) -> npt.NDArray[np.bool_]:
        """The keys that some node of `label` is spelled by (one bool per key), kept for the next search."""
        if label not in self._masks:
            self._masks[label] = self._tables.keys_of_label(self._labels.index(label))
        return self._masks[label]
