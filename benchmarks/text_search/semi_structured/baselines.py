"""Peers that know nothing of Clew: BM25, MiniLM, and both, over one text for each node (its name and description).

They tell how hard the questions are: too easy where words alone find the answers, impossible where meaning does not.
"""

from __future__ import annotations

import csv
import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.app.evaluation.evaluation import score_ids
from clew.tools.embedding import MiniLM

K1, B = 1.2, 0.75
BM25_SHARE = 0.6
"""Of the sum with the cosine, both scaled to 0..1 (SAGE, appendix E)."""
KEPT = 100
Array = npt.NDArray[np.float32]


def read_texts(folder: Path, labels: Sequence[str]) -> dict[str, str]:
    """Each node's id, and its name and running text."""
    found = {}
    for label in labels:
        with (folder / f"{label.lower()}.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                parts = [row.get("name") or row.get("title"), row.get("description") or row.get("abstract")]
                found[row[":ID"]] = ". ".join(part for part in parts if part)
    return found


class Bm25:
    """Robertson and Walker's BM25 over words in lower case."""

    def __init__(self, texts: Sequence[str]) -> None:
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = np.zeros(len(texts), dtype=np.float32)
        for number, text in enumerate(texts):
            words = Counter(_words(text))
            lengths[number] = words.total()
            for word, count in words.items():
                postings[word].append((number, count))
        self._norm = K1 * (1 - B + B * lengths / lengths.mean())
        self._postings = {word: np.array(rows, dtype=np.int64) for word, rows in postings.items()}

    def scores(self, question: str) -> Array:
        found = np.zeros(len(self._norm), dtype=np.float32)
        for word in _words(question):
            if (rows := self._postings.get(word)) is not None:
                places, counts = rows[:, 0], rows[:, 1].astype(np.float32)
                idf = np.log(1 + (len(found) - len(rows) + 0.5) / (len(rows) + 0.5))
                found[places] += idf * counts * (K1 + 1) / (counts + self._norm[places])
        return found


def vectors_of(texts: Sequence[str], cache: Path) -> Array:
    """MiniLM's, from the cache where it is there."""
    if cache.exists():
        kept: Array = np.load(cache)
        return kept
    embedder = MiniLM(cache_size=1)
    made = np.concatenate([embedder.embed(texts[at : at + 512]) for at in range(0, len(texts), 512)])
    np.save(cache, made)
    return made


def measure(folder: Path, labels: Sequence[str], questions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Figures of each peer, overall and by type of question."""
    texts = read_texts(folder, labels)
    ids, documents = list(texts), list(texts.values())
    started = time.process_time()
    words, vectors = Bm25(documents), vectors_of(documents, folder / "minilm.npy")
    embedder = MiniLM()
    rankings: dict[str, list[list[str]]] = defaultdict(list)
    for line in questions:
        sparse, dense = words.scores(line["question"]), vectors @ embedder.embed([line["question"]])[0]
        both = BM25_SHARE * _scaled(sparse) + (1 - BM25_SHARE) * _scaled(dense)
        for name, scores in (("bm25", sparse), ("minilm", dense), ("bm25+minilm", both)):
            rankings[name].append([ids[i] for i in np.argsort(-scores, kind="stable")[:KEPT]])
    rankings["gold"] = [line["answer_ids"] for line in questions]
    return {
        "texts": len(ids),
        "cpu_s": round(time.process_time() - started, 1),
        **{name: by_type(questions, ranked) for name, ranked in rankings.items()},
    }


def by_type(questions: Sequence[dict[str, Any]], ranked: Sequence[Sequence[str]]) -> dict[str, dict[str, float]]:
    """Hit@1, Hit@5, Recall@20 and MRR by type of question, and for all."""
    groups: dict[str, list[dict[str, float]]] = defaultdict(list)
    for line, ids in zip(questions, ranked, strict=True):
        scores = score_ids(ids, line["answer_ids"])
        row = {m: getattr(scores, m) for m in ("hits_at_1", "hits_at_5", "recall_at_20", "mrr")}
        groups["all"].append(row)
        groups[line["type"]].append(row)
    return {
        kind: {"n": len(rows), **{m: round(float(np.mean([row[m] for row in rows])), 4) for m in rows[0]}}
        for kind, rows in groups.items()
    }


def _scaled(scores: Array) -> Array:
    low, high = float(scores.min()), float(scores.max())
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
