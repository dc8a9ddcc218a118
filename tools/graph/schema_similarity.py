"""The similarity of the names in a schema to a question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING

from clew.tools.graph.identifiers import bare_words
from clew.tools.graph.schema import Relation, Schema

if TYPE_CHECKING:
    from clew.tools.embedding import Embedder


class SchemaSimilarity:
    """The similarity of names to a question, 0 to 1: by rare words in common, and with an embedder by meaning."""

    def __init__(
        self, question: str, schema: Schema, meant: Sequence[str] = (), embedder: Embedder | None = None
    ) -> None:
        """`meant` are the names to compare by meaning, too; the others are not, since embedding is slow."""
        self._question_stems = {_stem(word) for word in bare_words(question)}
        self._schema = schema
        self._known: dict[str, float] = {}
        names = {*schema.labels, *(relation.type for relation in schema.relations)}
        seen: dict[str, int] = defaultdict(int)
        for name in names:
            for stem in set(_stems(name)):
                seen[stem] += 1
        self._weight = {stem: log(1 + len(names) / n) for stem, n in seen.items()}
        self._meaning = _meanings(question, meant, embedder) if embedder is not None and meant else {}
        self._of_label = {label: self.words(label) for label in schema.labels}
        for each in schema.properties:
            if each.label in self._of_label:
                self._of_label[each.label] = max(self._of_label[each.label], 0.7 * self.words(each.name))

    def words(self, name: str) -> float:
        """The similarity of one name."""
        if name not in self._known:
            self._known[name] = max(self._common(name), self._meaning.get(name, 0.0))
        return self._known[name]

    def label(self, label: str) -> float:
        """The similarity of a label, or of its properties."""
        return self._of_label.get(label, 0.0)

    def relation(self, relation: Relation) -> float:
        """The similarity of a type, and with less weight of the labels at its ends."""
        return self.words(relation.type) + 0.3 * max(self.label(relation.source), self.label(relation.target))

    def labels(self) -> list[str]:
        """All labels, the most similar first, and of equals the most frequent."""
        touching: dict[str, float] = defaultdict(float)
        for relation in self._schema.relations:
            for end in (relation.source, relation.target):
                touching[end] = max(touching[end], self.words(relation.type))
        counts = self._schema.labels
        return sorted(counts, key=lambda label: (-self.label(label) - 0.5 * touching[label], -counts[label]))

    def _common(self, name: str) -> float:
        stems = _stems(name)
        weights = [self._weight.get(stem, 1.0) for stem in stems]
        common = sum(weight for stem, weight in zip(stems, weights, strict=True) if stem in self._question_stems)
        return common / sum(weights) if weights else 0.0


def _meanings(question: str, names: Sequence[str], embedder: Embedder) -> dict[str, float]:
    vectors = embedder.embed([question, *(" ".join(bare_words(name)) or name for name in names)])
    near = vectors[1:] @ vectors[0]
    return {name: max(0.0, float(value)) for name, value in zip(names, near, strict=True)}


@lru_cache(maxsize=20_000)
def _stems(name: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in bare_words(name))


def _stem(word: str) -> str:
    """A word without common English endings, so that "designs", "designed" and "designer" are equal."""
    for ending in ("ing", "ers", "ors", "ed", "er", "or", "es", "s", "e"):
        if len(word) - len(ending) >= 3 and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)]
    return word
