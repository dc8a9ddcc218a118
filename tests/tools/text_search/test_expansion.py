"""Similar nodes and the expansion over them and the graph's relationships."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.embedding.exact import DEGREE
from clew.tools.errors import BadInput
from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.text_search.expansion import similar as similar_module
from clew.tools.text_search.expansion.expansion import MOST_AROUND, Expansion, Link, Seed
from clew.tools.text_search.expansion.graph_texts import GraphTexts
from clew.tools.text_search.expansion.similar import SimilarNodes
from clew.tools.text_search.index import TextIndex
from clew.tools.text_search.source import TextNode
from tests.tools.text_search.texts import indexed, some_nodes

QUESTION = "a whisk for dough"
Edges = dict[str, list[tuple[str, float]]]


def brute_force(index: TextIndex) -> tuple[Edges, list[float]]:
    """Every node's neighbours, nearest first, and the cosines of all pairs."""
    vectors: dict[str, np.ndarray] = {}
    for place in range(len(index)):
        rows = index.chunk_rows[index.node_starts[place] : index.node_starts[place + 1]]
        if (rows >= 0).any():
            mean = index.vectors[rows[rows >= 0]].sum(axis=0)
            vectors[index.ids[place]] = mean / np.linalg.norm(mean)
    near = {
        id: sorted(((other, float(own @ vectors[other])) for other in vectors if other != id), key=lambda p: -p[1])
        for id, own in vectors.items()
    }
    return near, [cosine for pairs in near.values() for _, cosine in pairs]


def edges_of(similar: SimilarNodes, index: TextIndex) -> Edges:
    found = {}
    for node in similar.nodes.tolist():
        nodes, cosines = similar.around(node)
        found[index.ids[node]] = [(index.ids[n], float(c)) for n, c in zip(nodes.tolist(), cosines, strict=True)]
    return found


def alike(one: Edges, other: Edges, threshold: float) -> bool:
    """Equal but for the last digits, which depend on how the products were grouped."""

    def cosines(edges: list[tuple[str, float]]) -> list[float]:
        return [cosine for _, cosine in edges if abs(cosine - threshold) > 1e-5]

    def matched(left: list[float], right: list[float]) -> bool:
        return len(left) == len(right) and np.allclose(left, right, atol=1e-5)

    return one.keys() == other.keys() and all(matched(cosines(one[id]), cosines(other[id])) for id in one)


def test_similar_nodes_are_the_nearest_above_the_percentile(tmp_path: Path) -> None:
    index = indexed(some_nodes(120), tmp_path / "texts")
    similar = SimilarNodes.build(index, tmp_path / "similar")
    near, pairs = brute_force(index)
    threshold = similar.manifest.threshold
    assert abs(threshold - float(np.percentile(pairs, 95))) < 0.01  # of a sample of pairs
    expected = {id: [pair for pair in pairs if pair[1] >= threshold][:DEGREE] for id, pairs in near.items()}
    assert alike(edges_of(similar, index), expected, threshold)
    assert max(map(len, edges_of(similar, index).values())) <= DEGREE


@given(st.integers(0, 40), st.integers(0, 20), st.integers(0, 5))
@settings(deadline=None, max_examples=12)
def test_an_incremental_comparison_equals_a_fresh_one(removed: int, added: int, changed: int) -> None:
    folder = Path(mkdtemp(prefix="clew-similar-"))
    before = some_nodes(70)
    SimilarNodes.build(indexed(before, folder / "texts"), folder / "similar")
    after = before[removed:] + some_nodes(70 + added)[70:]
    for place in range(changed):
        node = after[-1 - place]
        after[-1 - place] = TextNode(node.id, node.name, node.label, (("body", f"brake chain {place}"),))
    index = indexed(after, folder / "texts", "2")
    incremental = SimilarNodes.build(index, folder / "similar")
    fresh = SimilarNodes.build(index, folder / "fresh")
    assert abs(incremental.manifest.threshold - fresh.manifest.threshold) < 1e-5
    assert alike(edges_of(incremental, index), edges_of(fresh, index), fresh.manifest.threshold)


def test_only_what_changed_is_compared_with_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nodes = some_nodes(90)
    SimilarNodes.build(indexed(nodes, tmp_path / "texts"), tmp_path / "similar")
    whole: list[int] = []
    compared = similar_module.nearest

    def counted(asked, vectors, degree, *, own, among, known):  # type: ignore[no-untyped-def]
        whole.extend(own.tolist() if among is None else [])
        return compared(asked, vectors, degree, own=own, among=among, known=known)

    monkeypatch.setattr(similar_module, "nearest", counted)
    index = indexed([*nodes, *some_nodes(96)[90:]], tmp_path / "texts", "2")
    similar = SimilarNodes.build(index, tmp_path / "similar")
    assert 0 < len(whole) <= 6 < len(similar)


def test_an_interrupted_comparison_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    index = indexed(some_nodes(90), tmp_path / "texts")
    complete = edges_of(SimilarNodes.build(index, tmp_path / "complete"), index)
    monkeypatch.setattr(similar_module, "BLOCK", 8)
    compared, rows_seen = similar_module.nearest, list[int]()

    def interrupted(asked, vectors, degree, *, own, among, known):  # type: ignore[no-untyped-def]
        if len(rows_seen) >= 24 and not resumed:
            raise KeyboardInterrupt
        rows_seen.extend(own.tolist())
        return compared(asked, vectors, degree, own=own, among=among, known=known)

    monkeypatch.setattr(similar_module, "nearest", interrupted)
    resumed = False
    with pytest.raises(KeyboardInterrupt):
        SimilarNodes.build(index, tmp_path / "similar")
    journal = next((tmp_path / "similar").glob("compared-*.rows"))
    with journal.open("ab") as file:
        file.write(b"torn")
    resumed = True
    similar = SimilarNodes.build(index, tmp_path / "similar")
    assert len(rows_seen) == len(set(rows_seen)) == len(similar)
    assert alike(edges_of(similar, index), complete, similar.manifest.threshold)
    assert not list((tmp_path / "similar").glob("compared-*"))


@pytest.mark.parametrize("name", ["hashes", "nearest", "cosines"])
@pytest.mark.parametrize("kept", [0.0, 0.5])
def test_a_build_takes_nothing_over_from_a_damaged_one(tmp_path: Path, name: str, kept: float) -> None:
    index = indexed(some_nodes(30), tmp_path / "texts")
    similar = SimilarNodes.build(index, tmp_path / "similar")
    sound = edges_of(similar, index)
    path = next((tmp_path / "similar").glob(f"data-*/{name}.npy"))
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)] + bytes(int(len(whole) * kept)))
    again = SimilarNodes.build(index, tmp_path / "similar")
    assert alike(edges_of(again, index), sound, again.manifest.threshold)


def test_similar_nodes_that_are_damaged_or_of_another_text_index_are_refused(tmp_path: Path) -> None:
    index = indexed(some_nodes(30), tmp_path / "texts")
    SimilarNodes.build(index, tmp_path / "similar")
    folder = next((tmp_path / "similar").glob("data-*"))
    (folder / "cosines.npy").unlink()
    with pytest.raises(BadInput, match="damaged"):
        SimilarNodes.open(index, tmp_path / "similar")
    assert len(SimilarNodes.build(index, tmp_path / "similar")) > 0
    newer = indexed(some_nodes(33), tmp_path / "texts", "2")
    with pytest.raises(BadInput, match="another text index"):
        SimilarNodes.open(newer, tmp_path / "similar")


def test_a_graph_without_text_has_no_similar_nodes(tmp_path: Path) -> None:
    index = indexed([TextNode(str(i), f"name {i}", "A", (), rich=False) for i in range(5)], tmp_path / "texts")
    similar = SimilarNodes.build(index, tmp_path / "similar")
    assert len(similar) == 0
    assert len(similar.around(0)[0]) == 0


# ---- expansion ------------------------------------------------------------------------------------------------------

SHOP = [
    TextNode("p1", "Marsh Lamp", "Product", (("body", "A brass lamp that burns for nine hours."),)),
    TextNode("p2", "Fen Lamp", "Product", (("body", "A brass lamp that burns for ten hours."),)),
    TextNode("p3", "Iron Whisk", "Product", (("body", "Beats cream and dough in little time."),)),
    TextNode("p4", "Oak Bowl", "Product", (("body", "Holds flour and keeps its shape."),)),
    TextNode("r1", "First review", "Review", (("body", "The whisk is good for dough."),)),
    TextNode("b1", "Tarn and Sons", "Brand", (), rich=False),
]
EDGES = [("p1", "MADE_BY", "b1"), ("p3", "MADE_BY", "b1"), ("p1", "BOUGHT_WITH", "p3"), ("r1", "ABOUT", "p3")]


@pytest.fixture
def texts(tmp_path: Path) -> GraphTexts:
    nodes = [(node.id, node.name, node.label) for node in SHOP]
    return GraphTexts(
        lambda: indexed(SHOP, tmp_path / "texts"),
        lambda index: SimilarNodes.build(index, tmp_path / "similar"),
        lambda: Snapshot.build(nodes, EDGES, tmp_path / "snapshot", "1"),
        lambda: True,
    )


def test_neighbours_come_by_relationships_and_by_similarity(texts: GraphTexts) -> None:
    found = {node.id: node for node in texts.expansion.expand([Seed("p1", 1.0)], QUESTION, 10, "edge")}
    assert {"b1", "p3"} <= found.keys()
    assert Link("p1", "MADE_BY", True) in found["b1"].links
    assert "p2" in found  # says nearly the same
    assert Link("p1", None, True) in found["p2"].links
    assert "p1" not in found
    assert "r1" not in found  # two hops away
    assert (found["p3"].name, found["p3"].label) == ("Iron Whisk", "Product")


def test_the_question_orders_the_neighbours(texts: GraphTexts) -> None:
    found = texts.expansion.expand([Seed("p1", 1.0)], QUESTION, 10, "edge")
    assert found[0].id == "p3"
    assert [node.score for node in found] == sorted((node.score for node in found), reverse=True)
    assert all(0 <= node.score <= 1 for node in found)
    expected = texts.index.scores_at(QUESTION, texts.index.positions([node.id for node in found])).tolist()
    assert [node.score for node in found] == pytest.approx(expected, abs=1e-5)
    assert texts.expansion.expand([Seed("p1", 1.0)], QUESTION, 1, "edge") == found[:1]


def test_a_relationship_is_followed_against_its_direction(texts: GraphTexts) -> None:
    found = {node.id: node for node in texts.expansion.expand([Seed("b1", 1.0)], QUESTION, 10, "edge")}
    assert found["p3"].links == (Link("b1", "MADE_BY", False),)


def test_the_policies(texts: GraphTexts) -> None:
    expand, seeds = texts.expansion.expand, [Seed("p1", 1.0)]
    assert expand(seeds, QUESTION, 10, "off") == []
    assert expand(seeds, QUESTION, 10, "no-edge", used_edges=True) == []
    assert expand(seeds, QUESTION, 10, "spread", used_edges=True) == []
    always = expand(seeds, QUESTION, 10, "edge", used_edges=True)
    assert always
    assert expand(seeds, QUESTION, 10, "no-edge") == always


def test_spreading_prefers_neighbours_of_good_seeds(texts: GraphTexts) -> None:
    low, high = Seed("r1", 0.1), Seed("p1", 1.0)
    plain = {node.id: node.score for node in texts.expansion.expand([low, high], "lamp", 10, "no-edge")}
    spread = {node.id: node.score for node in texts.expansion.expand([low, high], "lamp", 10, "spread")}
    assert spread["b1"] == pytest.approx((plain["b1"] + 0.4) / 1.4, abs=1e-5)  # only p1 has it
    assert all(0 <= score <= 1 for score in spread.values())


def test_a_label_restricts_what_is_added(texts: GraphTexts) -> None:
    found = texts.expansion.expand([Seed("p1", 1.0)], QUESTION, 10, "edge", label="Brand")
    assert [node.id for node in found] == ["b1"]
    assert texts.expansion.expand([Seed("p1", 1.0)], QUESTION, 10, "edge", label="Nothing") == []


def test_seeds_that_are_not_there_and_seeds_twice(texts: GraphTexts) -> None:
    assert texts.expansion.expand([], QUESTION) == []
    assert texts.expansion.expand([Seed("unknown", 1.0)], QUESTION) == []
    once = texts.expansion.expand([Seed("p1", 1.0)], QUESTION)
    assert texts.expansion.expand([Seed("p1", 1.0), Seed("p1", 0.5)], QUESTION) == once


def test_a_hub_gives_a_fair_share_of_every_relation(tmp_path: Path) -> None:
    count = MOST_AROUND + 50
    nodes = [TextNode("hub", "hub", "A"), *(TextNode(f"n{i}", f"node {i}", "A") for i in range(count))]
    edges = [("hub", "MANY", f"n{i}") for i in range(count - 1)] + [("hub", "RARE", f"n{count - 1}")]
    snapshot = Snapshot.build([(n.id, n.name, n.label) for n in nodes], edges, tmp_path / "snapshot", "1")
    index = indexed(nodes, tmp_path / "texts")
    nothing = SimilarNodes.build(indexed([], tmp_path / "none"), tmp_path / "similar")
    nothing = SimilarNodes(nothing.manifest, nothing.nodes, np.full(len(index), -1, np.int32), nothing.nearest,
                           nothing.cosines)  # fmt: skip
    found = Expansion(index, lambda: nothing, lambda: snapshot).expand([Seed("hub", 1.0)], "node", count)
    assert f"n{count - 1}" in {node.id for node in found}
    assert len(found) <= MOST_AROUND
