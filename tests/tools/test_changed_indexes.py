"""Indexes that are changed where the graph changed are those that are made anew from it."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.arrays.strings import Strings
from clew.tools.graph.changed_nodes import Change, ChangedNodes
from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.linking.index import EntityIndex, IndexedNode
from clew.tools.text_search.index import TextIndex
from clew.tools.text_search.source import TextNode
from tests.tools.text_search.texts import Letters

LAW = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

NAMES = st.sampled_from(
    ["", "The Harvey Girls", "Matrix, The (1999)", "harvey girls", "Ann Lee", "ann lee", "Åse", "a b c", "Acme Ltd."]
) | st.text(alphabet="abé ·(", max_size=6)
IDS = st.sampled_from([f"n{i}" for i in range(9)])


class Graph(NamedTuple):
    """One version: id → (name, label, aliases), and triples."""

    nodes: dict[str, tuple[str, str, tuple[str, ...]]]
    edges: set[tuple[str, str, str]]

    def indexed(self, ids: list[str]) -> list[IndexedNode]:
        degrees = {id: sum((id == a) + (id == b) for a, _, b in self.edges) for id in ids}
        return [IndexedNode(id, self.nodes[id][0], self.nodes[id][1], self.nodes[id][2], degrees[id]) for id in ids]

    def rows(self, ids: list[str]) -> list[tuple[str, str, str]]:
        return [(id, self.nodes[id][0], self.nodes[id][1]) for id in ids]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    node = st.tuples(NAMES, st.sampled_from(["A", "B", "C"]), st.lists(NAMES.filter(bool), max_size=2).map(tuple))
    nodes = draw(st.dictionaries(IDS, node, max_size=9))
    ends = st.sampled_from(sorted(nodes)) if nodes else st.nothing()
    edges = draw(st.sets(st.tuples(ends, st.sampled_from(["R", "S", "T"]), ends), max_size=8)) if nodes else set()
    return Graph(nodes, edges)


def touched(old: Graph, new: Graph) -> set[str]:
    ids = {id for id in old.nodes.keys() | new.nodes.keys() if old.nodes.get(id) != new.nodes.get(id)}
    return ids | {end for edge in old.edges ^ new.edges for end in (edge[0], edge[2])}


def order_after(order: list[str], new: Graph) -> list[str]:
    """Nodes keep their order, and new ones follow."""
    kept = [id for id in order if id in new.nodes]
    return kept + sorted(id for id in new.nodes if id not in kept)


def arrays_of(index: EntityIndex) -> dict[str, Any]:
    found: dict[str, Any] = {"labels": index._labels, "longest": index.longest}
    for field in fields(index._tables):
        value = getattr(index._tables, field.name)
        found[field.name] = [*value.take(np.arange(len(value)))] if isinstance(value, Strings) else value.tolist()
    return found


def unread() -> Iterator[Any]:
    raise AssertionError("the whole graph is read")
    yield


@LAW
@given(st.lists(graphs(), min_size=2, max_size=4))
def test_names_after_changes_are_those_of_the_graph(tmp_path: Path, versions: list[Graph]) -> None:
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    order = sorted(versions[0].nodes)
    EntityIndex.build(versions[0].indexed(order), folder, "0")
    for number, (old, new) in enumerate(pairwise(versions), 1):
        ids, order = touched(old, new), order_after(order, new)
        change = Change(frozenset(ids), new.indexed([id for id in order if id in ids]))
        changed = EntityIndex.build(unread(), folder, str(number), since=lambda *_, change=change: change)
        fresh = EntityIndex.build(new.indexed(order), Path(tempfile.mkdtemp(dir=tmp_path)), str(number))
        assert arrays_of(changed) == arrays_of(fresh)
        assert changed.contents == fresh.contents


@pytest.mark.parametrize("saved", [0, 5, 20])
def test_a_kill_while_an_index_is_changed_loses_nothing(tmp_path: Path, saved: int) -> None:
    """After so many arrays of the new version."""
    old = Graph({id: (f"Ann {id}", "A", ()) for id in ("n1", "n2")}, set())
    new = Graph({**old.nodes, "n2": ("Bo Day", "B", ("Bob",)), "n3": ("Cy Lee", "A", ())}, set())
    before = arrays_of(EntityIndex.build(old.indexed(["n1", "n2"]), tmp_path / "i", "0"))
    change = Change(frozenset({"n2", "n3"}), new.indexed(["n2", "n3"]))

    def killed() -> None:
        save, counted = np.save, iter(range(saved))
        np.save = lambda *given: save(*given) if next(counted, None) is not None else os._exit(9)
        EntityIndex.build(unread(), tmp_path / "i", "1", since=lambda *_: change)

    process = multiprocessing.get_context("fork").Process(target=killed)
    process.start()
    process.join()
    assert process.exitcode == 9
    kept = EntityIndex.open(tmp_path / "i")
    assert (kept.version, arrays_of(kept)) == ("0", before)
    changed = EntityIndex.build(unread(), tmp_path / "i", "1", since=lambda *_: change)
    fresh = EntityIndex.build(new.indexed(["n1", "n2", "n3"]), tmp_path / "fresh", "1")
    assert arrays_of(changed) == arrays_of(fresh)
    assert not [*(tmp_path / "i").glob("building-*")]


@LAW
@given(st.lists(graphs(), min_size=2, max_size=4))
def test_snapshots_after_changes_are_those_of_the_graph(tmp_path: Path, versions: list[Graph]) -> None:
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    order = sorted(versions[0].nodes)
    Snapshot.build(versions[0].rows(order), sorted(versions[0].edges), folder, "0")
    for number, (old, new) in enumerate(pairwise(versions), 1):
        ids, order = touched(old, new), order_after(order, new)
        edges = [edge for edge in sorted(new.edges) if edge[0] in ids or edge[2] in ids]
        change = Change(frozenset(ids), new.rows([id for id in order if id in ids]), [*edges, *edges])
        changed = Snapshot.build(unread(), unread(), folder, str(number), since=lambda *_, change=change: change)
        ordered = sorted(new.edges, key=lambda edge: changed.relations.index(edge[1]))
        fresh = Snapshot.build(new.rows(order), ordered, Path(tempfile.mkdtemp(dir=tmp_path)), str(number))
        assert (changed.relations, changed.labels) == (fresh.relations, fresh.labels)
        for name in ("starts", "reldirs", "neighbours", "node_labels", "fans"):
            assert getattr(changed, name).tolist() == getattr(fresh, name).tolist(), name
        assert changed.nodes(sorted(new.nodes)).tolist() == fresh.nodes(sorted(new.nodes)).tolist()
        assert [changed.name(i) for i in range(len(changed))] == [fresh.name(i) for i in range(len(fresh))]


def test_files_of_versions_lead_from_one_to_another(tmp_path: Path) -> None:
    notes = ChangedNodes(tmp_path)
    notes.note("b", "a", [("X", "1"), ("X", "2")])
    notes.note("c", "b", [("X", "2"), ("Y", "3")])
    assert notes.between("a", "c") == {"X": ["2", "1"], "Y": ["3"]}
    assert notes.between("b", "c") == {"X": ["2"], "Y": ["3"]}
    assert notes.between("c", "c") == {}
    assert notes.between("other", "c") is None
    (tmp_path / "b.json").write_text('{"before": "a", "nodes": {}, "checksum": 1}')
    assert notes.between("a", "c") is None


TEXTS = st.sampled_from(["", "A river. It is long and old.", "The old mill by the river stands.", "Words words words."])


@st.composite
def text_nodes(draw: st.DrawFn) -> dict[str, TextNode]:
    bodies = st.tuples(TEXTS, TEXTS).map(lambda two: tuple((f"p{i}", text) for i, text in enumerate(two) if text))
    found = draw(st.dictionaries(IDS, st.tuples(NAMES, st.sampled_from(["A", "B"]), bodies), max_size=9))
    return {id: TextNode(id, name, label, texts, label == "A") for id, (name, label, texts) in found.items()}


def described(index: TextIndex) -> list[Any]:
    chunks = [
        [(index.property_name(c), index.chunk_texts[int(c)]) for c in index.chunks_of(n)] for n in range(len(index))
    ]
    return [(index.described(node), chunks[node]) for node in range(len(index))]


@LAW
@given(st.lists(text_nodes(), min_size=2, max_size=4))
def test_texts_after_changes_are_those_of_the_graph(tmp_path: Path, versions: list[dict[str, TextNode]]) -> None:
    folder, embedder = Path(tempfile.mkdtemp(dir=tmp_path)), Letters()
    order = sorted(versions[0])
    TextIndex.build([versions[0][id] for id in order], folder, "0", embedder)
    for number, (old, new) in enumerate(pairwise(versions), 1):
        ids = {id for id in old.keys() | new.keys() if old.get(id) != new.get(id)}
        order = [id for id in order if id in new] + sorted(id for id in new if id not in order)
        change = Change(frozenset(ids), [new[id] for id in order if id in ids])
        changed = TextIndex.build(unread(), folder, str(number), embedder, since=lambda _, change=change: change)
        nodes = [new[id] for id in order]
        fresh = TextIndex.build(nodes, Path(tempfile.mkdtemp(dir=tmp_path)), str(number), embedder)
        assert described(changed) == described(fresh)
        for name in ("terms", "starts", "chunks", "counts", "lengths"):
            assert getattr(changed.postings, name).tolist() == getattr(fresh.postings, name).tolist(), name
        for name in ("node_starts", "chunk_rows", "row_hashes", "row_starts", "row_chunks", "vectors"):
            assert getattr(changed, name).tolist() == getattr(fresh, name).tolist(), name
        assert changed.text_properties == fresh.text_properties
        assert changed.search("old river; words") == fresh.search("old river; words")
