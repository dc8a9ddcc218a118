"""The keyword graph: PageRank against networkx, the nearest neighbours against brute force, and keywords."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from clew.tools.documents.keyword_graph import graph as graph_module
from clew.tools.documents.keyword_graph.core import core_chunks, knn_graph, pagerank
from clew.tools.documents.keyword_graph.graph import KeywordGraph, write
from clew.tools.text_search.bm25 import Postings, PostingsWriter

Vectors = npt.NDArray[np.float32]
WORDS = [f"word{i}" for i in range(8)]
word_lists = st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=10)


def postings_of(folder: Path, words: Sequence[Sequence[str]]) -> Postings:
    folder.mkdir(parents=True)
    with PostingsWriter(folder) as writer:
        writer.add(words)
    return Postings.open(folder)


def keyword_graph(folder: Path, names: Sequence[Sequence[str]], words: Sequence[Sequence[str]]) -> KeywordGraph:
    write(folder, postings_of(folder / "n", names), postings_of(folder / "w", words), len(words))
    return KeywordGraph.open(folder)


@pytest.fixture(autouse=True)
def _all_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_module, "WORD_SHARE", 1.0)


@settings(deadline=None, max_examples=30)
@given(word_lists, word_lists, st.integers(0, 99))
def test_the_walk_is_personalised_pagerank(
    tmp_path_factory: pytest.TempPathFactory, names: list[list[str]], words: list[list[str]], seed: int
) -> None:
    size = min(len(names), len(words))
    names, words = [[f"n{name}" for name in each] for each in names[:size]], words[:size]
    graph = keyword_graph(tmp_path_factory.mktemp("graph"), names, words)
    chance = np.random.default_rng(seed)
    seeds = np.array([int(chance.integers(size))])
    asked = graph.worded(["word1", "word2", "word9"])
    found = graph.walk(seeds, np.ones(1, np.float32), asked, damping=0.7, iterations=200, least=0.0)

    peer: nx.DiGraph[object] = nx.DiGraph()
    peer.add_nodes_from(range(size))
    for keyword, weight in enumerate(graph.weights.tolist()):
        held = graph.chunks[graph.starts[keyword] : graph.starts[keyword + 1]].tolist()
        for chunk in held:
            peer.add_edge(chunk, ("k", keyword), weight=weight)
            peer.add_edge(("k", keyword), chunk, weight=1.0)
    restart: dict[object, float] = {int(seeds[0]): 1.0 if not len(asked) else 0.5}
    for keyword in asked.tolist():
        restart["k", keyword] = 0.5 * float(graph.weights[keyword]) / float(graph.weights[asked].sum())
    wanted = nx.pagerank(peer, alpha=0.7, personalization=restart, tol=1e-12, max_iter=500, dangling=restart)
    assert found == pytest.approx([wanted[chunk] for chunk in range(size)], abs=1e-5)


def test_keywords_are_neither_rare_nor_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_module, "WORD_SHARE", 0.5)
    words = [["everywhere", "once"], ["everywhere", "half"], ["everywhere", "half"], ["everywhere"]]
    graph = keyword_graph(tmp_path, [["ann"], ["ann"], [], ["bob"]], words)
    assert len(graph) == 2
    assert graph.named(["ann", "bob"]).tolist() == [0]
    assert graph.worded(["once", "half", "everywhere", "half"]).tolist() == [1]
    assert graph.weights[0] == pytest.approx(2 * np.log(1 + 2.5 / 2.5))
    assert graph.walk(np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(0, np.int64)).tolist() == [0.0] * 4


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 14), st.integers(0, 99), st.floats(0, 0.5))
def test_pagerank_is_that_of_networkx(size: int, seed: int, share: float) -> None:
    chance = np.random.default_rng(seed)
    upper = np.triu(chance.random((size, size)) < share, 1)
    edges = sparse.csr_matrix((upper | upper.T).astype(np.int32))
    peer = nx.from_scipy_sparse_array(edges)
    wanted = nx.pagerank(peer, alpha=0.85, tol=1e-12, max_iter=500)
    assert pagerank(edges) == pytest.approx([wanted[node] for node in range(size)], abs=1e-8)


@settings(deadline=None, max_examples=30)
@given(word_lists, st.integers(0, 99), st.sampled_from([2, 4]))
def test_the_knn_graph_is_brute_force(
    tmp_path_factory: pytest.TempPathFactory, words: list[list[str]], seed: int, k: int
) -> None:
    graph = keyword_graph(tmp_path_factory.mktemp("graph"), [[] for _ in words], words)
    vectors = np.random.default_rng(seed).normal(size=(len(words), 5)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    held = [set(graph.keywords[graph.chunk_starts[i] : graph.chunk_starts[i + 1]].tolist()) for i in range(len(words))]
    cosines, wanted = vectors @ vectors.T, np.zeros((len(words), len(words)), int)
    for i in range(len(words)):
        others = [j for j in range(len(words)) if j != i]
        nearest = sorted(others, key=lambda j: (-cosines[i, j], j))[: k // 2]
        sharing = sorted((j for j in others if held[i] & held[j]), key=lambda j: (-len(held[i] & held[j]), j))
        for j in [*nearest, *sharing[: k // 2]]:
            wanted[i, j] = wanted[j, i] = 1
    assert knn_graph(graph, vectors, k).toarray().tolist() == wanted.tolist()


def test_the_core_is_the_budgets_share() -> None:
    ranks = np.array([0.1, 0.4, 0.1, 0.4])
    assert core_chunks(ranks, 0.5).tolist() == [1, 3]
    assert core_chunks(ranks, 0.75).tolist() == [1, 3, 0]
    assert core_chunks(ranks, 0).tolist() == []
