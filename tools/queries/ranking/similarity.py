"""Cosine similarity between spans of a question and everything a schema can say: hops, hops there and back, labels."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.checksums import crc_of
from clew.tools.embedding import Embedder, Vectors
from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import FUNCTION_WORDS, UNSPECIFIC_LABELS
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.space.moves import Moves

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Similarities:
    """Cosines of n texts, each the best over a unit's phrases. S steps (hops, then properties), H hops, L labels."""

    steps: Floats
    """Shape (n, S)."""
    pairs: Floats
    """Shape (n, H): a hop and straight back, so that the path ends where it began ("same director")."""
    labels: Floats
    """Shape (n, L)."""
    verbs: Floats
    """Shape (n, H): the active verbs of a hop's relation, whichever way it goes; -1 where it has none."""

    @property
    def nearest(self) -> Floats:
        """Shape (n,): the cosine with whatever of the schema is nearest."""
        best: Floats = np.hstack([self.steps, self.pairs, self.labels]).max(axis=1, initial=-1.0)
        return best


class SchemaPhrases:
    """The phrases of one schema, embedded once; `cache` is a folder that keeps the vectors between processes."""

    def __init__(self, moves: Moves, glosses: Glosses, embedder: Embedder, cache: Path | None = None) -> None:
        steps = [glosses.phrases(hop.relation, forward=hop.forward) for hop in moves.hops]
        steps += [glosses.phrases(p.name, forward=True) for p in moves.properties]
        pairs = [
            (*glosses.peer_phrases(hop.relation, forward=hop.forward), *_sharing(hop.target)) for hop in moves.hops
        ]
        self.kinds: list[str | None] = [glosses.kind(hop.relation, forward=hop.forward) for hop in moves.hops]
        self.senses = [glosses.sense(hop.relation, forward=hop.forward) for hop in moves.hops]
        self.kinds += [glosses.kind(p.name, forward=True) for p in moves.properties]
        kinds = _label_kinds(moves, self.kinds)
        labels = [glosses.label_phrases(label, kinds.get(label)) for label in moves.labels]
        spoken = [glosses.verbs(hop.relation, forward=hop.forward) for hop in moves.hops]
        self.to_subject = np.array([leads for _, leads in spoken], dtype=bool)
        """Shape (H,): whether a hop leads to the subject of its verbs."""
        verbs = [phrases for phrases, _ in spoken]
        units = [_with_content_forms(unit) for unit in (*steps, *pairs, *labels, *verbs)]
        self._embedder = embedder
        self._ends = np.cumsum([len(steps), len(pairs), len(labels)]).tolist()
        texts = [phrase for unit in units for phrase in unit]
        self._vectors = embedded(texts, embedder, cache)
        self._starts = np.cumsum([0, *(len(unit) for unit in units)])

    def compare(self, texts: Sequence[str]) -> Similarities:
        steps, pairs, labels = self._ends
        cosines = (self._embedder.embed(texts) @ self._vectors.T).astype(np.float64)
        best = np.full((len(texts), len(self._starts) - 1), -1.0)
        filled = np.flatnonzero(np.diff(self._starts))
        if filled.size:
            best[:, filled] = np.maximum.reduceat(cosines, self._starts[filled], axis=1)
        return Similarities(best[:, :steps], best[:, steps:pairs], best[:, pairs:labels], best[:, labels:])


def _with_content_forms(phrases: Sequence[str]) -> list[str]:
    """The phrases, and each without its function words, as spans of a question are compared."""
    content = [" ".join(word for word in phrase.split() if word not in FUNCTION_WORDS) for phrase in phrases]
    return list(dict.fromkeys(text for text in (*phrases, *content) if text))


def _sharing(label: str) -> tuple[str, ...]:
    """ "The same port", for a hop to a Port and back."""
    words = " ".join(identifier_words(label))
    return () if words in UNSPECIFIC_LABELS else (f"same {words}", f"share {words}")


def _label_kinds(moves: Moves, kinds: Sequence[str | None]) -> dict[str, str]:
    """The kind of thing that most relations leading to a label say of it."""
    votes: dict[str, Counter[str]] = {}
    for hop, kind in zip(moves.hops, kinds, strict=False):
        if kind is not None:
            votes.setdefault(hop.target, Counter())[kind] += 1
    return {label: counter.most_common(1)[0][0] for label, counter in votes.items()}


def embedded(texts: list[str], embedder: Embedder, cache: Path | None) -> Vectors:
    """The vectors of texts, shape (n, d), from the cache folder where they were written before."""
    distinct = sorted(set(texts))
    vectors = _cached(distinct, embedder, cache)
    row = {text: i for i, text in enumerate(distinct)}
    return vectors[[row[text] for text in texts]] if texts else np.zeros((0, embedder.dimension), dtype=np.float32)


def _cached(texts: list[str], embedder: Embedder, cache: Path | None) -> Vectors:
    """The texts' vectors, read from the cache folder where they were written before."""
    if cache is None or not texts:
        return embedder.embed(texts)
    digest = hashlib.sha256("\n".join([str(embedder.dimension), *texts]).encode()).hexdigest()[:16]
    for file in cache.glob(f"phrases-{digest}-*.npy"):
        with suppress(OSError, ValueError, EOFError):
            if not file.stem.endswith(f"-{crc_of(file):08x}"):
                continue
            vectors: Vectors = np.load(file)
            if vectors.shape == (len(texts), embedder.dimension):
                return vectors
    vectors = embedder.embed(texts)
    cache.mkdir(parents=True, exist_ok=True)
    partial = cache / f"{uuid4().hex}.npy"  # two processes may write at once
    np.save(partial, vectors)
    for old in cache.glob(f"phrases-{digest}*.npy"):
        old.unlink(missing_ok=True)
    partial.replace(cache / f"phrases-{digest}-{crc_of(partial):08x}.npy")
    return vectors
