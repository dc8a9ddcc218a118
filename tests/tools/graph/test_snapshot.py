"""Graph snapshots: what is stored, versions, interrupted builds."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.errors import BadInput
from clew.tools.graph.snapshot.snapshot import EdgeRow, NodeRow, Snapshot

NODES: list[NodeRow] = [("a", "Åse", "Person"), ("b", "Bo", "Person"), ("ü", "", "Film")]
EDGES: list[EdgeRow] = [
    ("a", "KNOWS", "b"),
    ("a", "LIKES", "b"),
    ("b", "KNOWS", "a"),
    ("ü", "BY", "a"),
    ("ü", "BY", "ü"),
]

ids = st.text(alphabet=st.characters(codec="utf-8"), max_size=4)
small = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def triples(snapshot: Snapshot) -> set[tuple[str, str, str]]:
    """All triples, read from their heads; every one must be there from its tail too."""
    forward, backward = set(), set()
    for node in range(len(snapshot)):
        for i in range(snapshot.starts[node], snapshot.starts[node + 1]):
            relation = snapshot.relations[snapshot.reldirs[i] >> 1]
            here, there = snapshot.id(node), snapshot.id(int(snapshot.neighbours[i]))
            if snapshot.reldirs[i] & 1:
                backward.add((there, relation, here))
            else:
                forward.add((here, relation, there))
    assert forward == backward
    assert snapshot.edges == len(forward)
    return forward


@small
@given(st.data())
def test_a_snapshot_holds_each_triple_once(tmp_path: Path, data: st.DataObject) -> None:
    names = data.draw(st.lists(ids, min_size=1, max_size=8, unique=True))
    nodes = [(id, id.upper(), data.draw(st.sampled_from(["X", "Y"]))) for id in names]
    end = st.sampled_from(names)
    edges = data.draw(st.lists(st.tuples(end, st.sampled_from(["r", "s", "t"]), end), max_size=20))
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    snapshot = Snapshot.build(nodes, edges, folder, "1")
    assert triples(snapshot) == set(edges)
    assert [(snapshot.id(i), snapshot.name(i), snapshot.label(i)) for i in range(len(snapshot))] == nodes
    assert [snapshot.node(id) for id in names] == list(range(len(names)))
    assert snapshot.node("no such id") is None


def test_the_same_version_is_reused(tmp_path: Path) -> None:
    Snapshot.build(NODES, EDGES, tmp_path, "1")

    def unread() -> Iterator[NodeRow]:
        raise AssertionError("read again")
        yield NODES[0]

    assert Snapshot.build(unread(), [], tmp_path, "1").version == "1"
    assert len(Snapshot.build(NODES[:1], [], tmp_path, "2")) == 1


def test_an_old_snapshot_stays_usable_beside_a_new_one(tmp_path: Path) -> None:
    old = Snapshot.build(NODES, EDGES, tmp_path, "1")
    new = Snapshot.build(NODES[:1], [], tmp_path, "2")
    assert triples(old) == set(EDGES)
    assert triples(new) == set()
    assert len(list(tmp_path.glob("data-*"))) == 1


def test_an_interrupted_build_leaves_the_old_one_and_starts_again(tmp_path: Path) -> None:
    Snapshot.build(NODES, EDGES, tmp_path, "1")

    def broken() -> Iterator[EdgeRow]:
        yield EDGES[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Snapshot.build(NODES, broken(), tmp_path, "2")
    assert Snapshot.open(tmp_path).version == "1"
    assert triples(Snapshot.build(NODES, EDGES[:2], tmp_path, "2")) == set(EDGES[:2])
    assert not list(tmp_path.glob("building-*"))


def test_rows_read_are_reported(tmp_path: Path) -> None:
    seen: list[int] = []
    Snapshot.build(NODES, EDGES, tmp_path, "1", lambda *_: nullcontext(seen.append))
    assert seen[-1] == len(NODES) + len(EDGES)
    assert seen == sorted(seen)


def test_an_empty_graph_is_a_snapshot(tmp_path: Path) -> None:
    assert len(Snapshot.build([], [], tmp_path, "1")) == 0
    assert Snapshot.open(tmp_path).node("a") is None


def test_bad_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="'a' occurs twice"):
        Snapshot.build([*NODES, NODES[0]], [], tmp_path, "1")
    with pytest.raises(BadInput, match=r"\('a', 'KNOWS', 'z'\) names a node"):
        Snapshot.build(NODES, [*EDGES, ("a", "KNOWS", "z")], tmp_path, "1")


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no graph snapshot"):
        Snapshot.open(tmp_path)
    Snapshot.build(NODES, EDGES, tmp_path, "1")
    manifest = tmp_path / "snapshot.json"
    fields = json.loads(manifest.read_text())
    (tmp_path / fields["folder"] / "starts.npy").write_bytes(b"no array")
    with pytest.raises(BadInput, match="damaged"):
        Snapshot.open(tmp_path)
    manifest.write_text(json.dumps(fields | {"format": 99}))
    with pytest.raises(BadInput, match="format 99"):
        Snapshot.open(tmp_path)
    manifest.write_text("{")
    with pytest.raises(BadInput, match="cannot be read"):
        Snapshot.open(tmp_path)
