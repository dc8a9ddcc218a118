"""The chunk graph: edges against brute force, title links, and the two expansions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunk_graph import graph as graph_module
from clew.tools.documents.chunk_graph.expansion import hard_split, reasons_of
from clew.tools.documents.chunk_graph.graph import ChunkGraph, Reason, best, soft, write
from clew.tools.documents.chunk_graph.names import spellings
from clew.tools.documents.chunk_graph.titles import LongerTitles, title_links
from clew.tools.documents.search_options import EDGE_KINDS, EdgeKind
from clew.tools.embedding import exact
from clew.tools.embedding.exact import Pairs, similar_pairs, threshold

Vectors = npt.NDArray[np.float32]


def some_vectors(rows: int, seed: int, width: int = 6) -> Vectors:
    """Rows of length 1; some are alike, so that there are ties."""
    chance = np.random.default_rng(seed)
    found = chance.integers(-2, 3, (rows, width)).astype(np.float32)
    found[:, 0] += 0.5
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def joined(parts: list[Pairs]) -> list[tuple[int, int]]:
    return [pair for part in parts for pair in zip(part.left.tolist(), part.right.tolist(), strict=True)]


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 99), st.integers(1, 5), st.floats(-1, 1), st.booleans())
def test_alike_is_brute_force(rows: int, columns: int, seed: int, degree: int, least: float, same: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "BLOCK", 7)
        patch.setattr(exact, "_COLUMNS", 11)
        left = some_vectors(rows, seed)
        right = left if same else some_vectors(columns, seed + 1)
        found = joined(list(similar_pairs(left, right, least, degree)))
    wanted = []
    cosines = np.round(left @ right.T, 5)
    for row in range(len(left)):
        near = [(-cosines[row, i], i) for i in range(len(right)) if not (same and i == row)]
        # A cosine that is within rounding of `least` or of the last one kept may fall either way.
        wanted.append([i for value, i in sorted(near)[:degree] if -value >= least])
    by_row = {row: [right for left, right in found if left == row] for row in range(len(left))}
    for row, names in enumerate(wanted):
        assert np.allclose(cosines[row, by_row[row]], cosines[row, names], atol=2e-5) or any(
            abs(cosines[row, i] - least) < 2e-5 for i in range(len(right))
        )


@pytest.mark.parametrize("sampled", [100_000, 3000])
def test_the_threshold_is_the_percentile_of_pairs_of_different_rows(
    monkeypatch: pytest.MonkeyPatch, sampled: int
) -> None:
    monkeypatch.setattr(exact, "SAMPLED_PAIRS", sampled)
    vectors = some_vectors(60, 3, width=20)
    every = (vectors @ vectors.T)[~np.eye(60, dtype=bool)]
    assert threshold(vectors, vectors) == pytest.approx(np.percentile(every, 95), abs=1e-6 if sampled > 3600 else 0.05)
    alone = vectors[:1]
    assert threshold(alone, alone) == 1.0
    assert threshold(vectors[:0], vectors) == 1.0


edge_lists = st.lists(
    st.tuples(st.sampled_from(list(Reason)), st.integers(0, 9), st.integers(0, 9), st.floats(0, 1, width=32)),
    max_size=40,
)


@settings(deadline=None, max_examples=40)
@given(edge_lists)
def test_edges_are_merged_and_there_from_both_ends(
    tmp_path_factory: pytest.TempPathFactory, edges: list[tuple[Reason, int, int, float]]
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    parts = pytest.MonkeyPatch()
    parts.setattr(graph_module, "_CHUNKS_A_PART", 4)
    reasons: dict[tuple[int, int], Reason] = {}
    for reason, left, right, _ in edges:
        if left != right:
            mirrored = Reason.TITLE_NAMED if reason == Reason.NAMES_TITLE else reason
            reasons[left, right] = reasons.get((left, right), Reason(0)) | reason
            reasons[right, left] = reasons.get((right, left), Reason(0)) | mirrored
    write(
        folder,
        10,
        (
            (reason, Pairs(np.array([left], np.int32), np.array([right], np.int32), np.array([how], np.float32)))
            for reason, left, right, how in edges
            if left != right
        ),
    )
    parts.undo()
    graph = ChunkGraph.open(folder)
    for chunk in range(10):
        assert graph.around(chunk).tolist() == sorted(right for left, right in reasons if left == chunk)
        for reason in Reason:
            wanted = sorted(right for (left, right), held in reasons.items() if left == chunk and held & reason)
            assert graph.around(chunk, reason).tolist() == wanted
    assert not list(folder.glob("*.spill"))


def graph_of(folder: Path, count: int, pairs: list[tuple[int, int]]) -> ChunkGraph:
    ends = np.array(pairs, np.int32).reshape(-1, 2)
    write(folder, count, [(Reason.SHARED_NAMES, Pairs(ends[:, 0], ends[:, 1], np.ones(len(ends), np.float32)))])
    return ChunkGraph.open(folder)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda pair: pair[0] != pair[1]), max_size=30),
    st.lists(st.floats(0, 1, width=32), min_size=12, max_size=12),
    st.integers(1, 6),
)
def test_the_soft_spread_is_its_formula(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[int, int]], values: list[float], seeds: int
) -> None:
    graph = graph_of(tmp_path_factory.mktemp("graph"), 12, pairs)
    scores = np.array(values, np.float32)
    given_by = sorted(range(12), key=lambda i: (-scores[i], i))[:seeds]
    found = soft(scores, graph, share=0.4, seeds=seeds)
    for chunk in range(12):
        gifts = [scores[seed] for seed in given_by if (seed, chunk) in pairs or (chunk, seed) in pairs]
        assert found[chunk] == pytest.approx(scores[chunk] + 0.4 * max(gifts, default=0), abs=1e-6)


def test_the_hard_split_keeps_seeds_and_adds_their_best_neighbours(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, 6, [(0, 3), (0, 4), (1, 4), (2, 5)])
    scores = np.array([0.9, 0.8, 0.7, 0.1, 0.2, 0.3], np.float32)
    assert [part.tolist() for part in hard_split(scores, graph, 2, 2, reasons_of(EDGE_KINDS))] == [[0, 1], [4, 3]]
    assert [part.tolist() for part in hard_split(scores, graph, 1, 1, reasons_of(EDGE_KINDS))] == [[0], [4]]
    assert [part.tolist() for part in hard_split(scores, graph, 3, 2, Reason(0))] == [[0, 1, 2], []]


@settings(deadline=None, max_examples=40)
@given(
    edge_lists, st.lists(st.floats(0, 1, width=16), min_size=10, max_size=10), st.integers(0, 12), st.integers(0, 12),
    st.sets(st.sampled_from(EDGE_KINDS)),
)  # fmt: skip
def test_a_hard_split_is_the_listing_of_the_paper(
    tmp_path_factory: pytest.TempPathFactory,
    edges: list[tuple[Reason, int, int, float]],
    values: list[float],
    k: int,
    more: int,
    kinds: set[EdgeKind],
) -> None:
    """Listing 1: the k best; their one-hop neighbours by the edges that count; of these the k' best; nothing twice."""
    scores, reasons = np.array(values, np.float32), reasons_of(kinds)
    pairs = [(reason, left, right) for reason, left, right, _ in edges if left != right]
    folder = tmp_path_factory.mktemp("split")
    write(folder, 10, ((r, Pairs(np.array([a], np.int32), np.array([b], np.int32), np.ones(1, np.float32)))
                       for r, a, b in pairs))  # fmt: skip
    seeds, neighbours = (part.tolist() for part in hard_split(scores, ChunkGraph.open(folder), k, more, reasons))
    assert seeds == best(scores, k).tolist()
    around = {b for r, a, b in pairs if r & reasons and a in seeds} | {
        a for r, a, b in pairs if r & reasons and b in seeds
    }
    wanted = sorted(around - set(seeds), key=lambda chunk: (-scores[chunk], chunk))[:more]
    assert neighbours == wanted


@given(st.lists(st.floats(0, 1, width=16), max_size=30), st.integers(1, 40))
def test_best_is_a_stable_sort(values: list[float], k: int) -> None:
    scores = np.array(values, np.float32)
    wanted = [i for i in np.argsort(-scores, kind="stable")[:k].tolist() if scores[i] > 0]
    assert best(scores, k).tolist() == wanted


def test_a_cell_is_linked_with_the_texts_that_it_names() -> None:
    def text(title: str) -> Chunk:
        return Chunk(title, title, title, "About it.")

    cells = ("Filton , Bristol", "Jon Brooks", "Thai elephant (Elephas maximus)", "Nobody")
    titles = ["Bristol", "Jon Brooks (footballer)", "Elephas Maximus", "Filton", "Somewhere else"]
    chunks = [Chunk("t", "t", "Places", "…", "table", entities=cells), *map(text, titles)]
    found = joined(list(title_links(chunks)))
    assert found == [(0, 4), (0, 1), (0, 2), (0, 3)]
    shared = [text("Common") for _ in range(6)]
    numbered = [Chunk(f"{i}", f"{i}", each.title, each.text) for i, each in enumerate(shared)]
    assert joined(list(title_links([Chunk("x", "x", "T", "…", entities=("Common",)), *numbered]))) == []


CLUBS = ["Ipswich Town F.C.", "Luton Town F.C.", "HNK Cibalia", "Mali", "Mali national football team", "Millwall F.C."]


def longer(*cells: str, titles: Sequence[str] = CLUBS) -> list[str]:
    found = LongerTitles([(title, position) for position, title in enumerate(titles)]).of_column(cells)
    return sorted({titles[position] for position in found})


def test_a_column_tells_what_its_names_are_short_for() -> None:
    assert longer("Ipswich Town", "Luton Town") == CLUBS[:2]
    assert longer("Cibalia") == ["HNK Cibalia"]  # nothing else ends so
    assert longer("Mali") == []  # something is called just that, and no other cell is longer in the same way
    assert longer("Mali", titles=[*CLUBS, "Ghana national football team"]) == []
    assert longer("Mali", "Ghana", titles=[*CLUBS, "Ghana national football team"]) == [
        "Ghana national football team", "Mali national football team"
    ]  # fmt: skip
    assert longer("Town", "1-0", "F.C.", "") == []


def test_a_name_that_begins_many_titles_says_nothing() -> None:
    titles = [f"Paris {number}" for number in range(6)]
    assert longer("Paris", titles=titles) == []
    assert longer("Paris", titles=titles[:1]) == titles[:1]


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), min_size=1, max_size=4), st.data())
def test_a_longer_title_begins_or_ends_with_a_name(words: list[str], data: st.DataObject) -> None:
    texts = st.lists(st.sampled_from(words), min_size=1, max_size=4).map(" ".join)
    titles, cells = data.draw(st.lists(texts, max_size=6)), data.draw(st.lists(texts, max_size=4))
    for title in longer(*cells, titles=titles):
        assert any(title.startswith(f"{cell} ") or title.endswith(f" {cell}") for cell in cells)


def test_a_table_is_linked_with_longer_titles_by_its_columns() -> None:
    rows = "Ties\nHome: Ipswich Town; Away: Birmingham City\nHome: Millwall; Away: Luton Town"
    documents = [Chunk(title, title, title, "A club.") for title in CLUBS]
    found = joined(list(title_links([Chunk("t", "t", "Cup", rows, "table"), *documents])))
    assert {CLUBS[right - 1] for left, right in found if left == 0} == {CLUBS[0], CLUBS[1], CLUBS[5]}


def test_a_text_is_not_linked_by_its_own_title() -> None:
    chunks = [
        Chunk("a", "a", "Jaws", "Jaws was made by Steven Spielberg.", entities=("Jaws", "Steven Spielberg")),
        Chunk("b", "b", "Jaws (novel)", "A novel.", entities=()),
        Chunk("c", "c", "Steven Spielberg", "A director.", entities=()),
    ]
    assert joined(list(title_links(chunks))) == [(0, 2)]


def test_spellings_begin_with_the_whole_name() -> None:
    assert spellings("Warmley , Kingswood (Avon)")[:2] == ["warmley kingswood avon", "warmley kingswood"]
    assert spellings("") == []
