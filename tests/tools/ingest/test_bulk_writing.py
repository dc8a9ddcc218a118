"""The bulk load gives the graph that batches of Cypher give."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.tools.errors import ClewError, QueryFailed
from clew.tools.graph.store import bulk_load as bulk_load_module
from clew.tools.graph.store.arcadedb import ArcadeDB
from clew.tools.graph.store.bolt import BoltDatabase, BoltStore
from clew.tools.graph.store.bulk_load import ArcadeDBLoad
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest import ImportOptions, bulk_writing, load

SCALARS = {
    "int": [5, -7, 0, 2**31 - 1, 2**62, -(2**63)],
    "float": [1.0, 0.1, 1e300, -0.0, 1e-300],
    "text": ["", 'ünï "日本" \\ \u0001 \n\r\t 😀', "2020-01-01", "#1:0", "0012", "null", "x" * 7_000],
    "flag": [True, False],
    "ints": [[1, 2**40], []],
    "floats": [[1.0, 2.5]],
    "texts": [["a", "ü"]],
    "flags": [[True, False]],
    "none": [None],
}
INTEGERS = st.integers(-(2**63), 2**63 - 1)
QUESTIONS = (
    "MATCH (a:`Odd ``l``/x`)-[r]->(b) RETURN a.nodeId AS a, type(r) AS t, b.nodeId AS b, properties(r) AS p",
    "MATCH (b:Work)<-[r:`t ``y``/\\\\`]-(a) RETURN a.nodeId AS a, b.nodeId AS b, r.int AS p",
    "MATCH (a)-[r]-(b:Work {nodeId: 'w1'}) RETURN a.nodeId AS a, type(r) AS t, r.text AS p",
    "MATCH ()-[r]->() WHERE -10 < r.int < 3000000000 RETURN r.int + 1 AS a, r.int * 10 AS b, r.int / 2 AS c",
    "MATCH ()-[r]->() RETURN toString(r.float) AS a, r.ints[0] AS b, r.texts[0] + r.text AS c",
    "MATCH ()-[r:B]->() WHERE -10 < r.int < 3000000000 RETURN sum(r.int) AS a, avg(r.float) AS b, count(r) AS c",
    "MATCH (a)-[:B]->()<-[:B]-(c) RETURN a.nodeId AS a, c.nodeId AS c",
    "MATCH ()-[r]->() WHERE r.on < date('2020-01-02') RETURN r.on AS a, r.at AS b",
)


def lines(count: int) -> list[dict[str, Any]]:
    """Nodes of two labels, and `count` relationships of three types with properties of all kinds."""
    labels = {f"o{n}": "Odd `l`/x" for n in range(20)} | {f"w{n}": "Work" for n in range(20)}
    found: list[dict[str, Any]] = [
        {"type": "node", "id": key, "labels": [label], "properties": {"name": key}} for key, label in labels.items()
    ]
    keys = list(labels)
    for n in range(count):
        properties = {name: values[n % len(values)] for name, values in SCALARS.items() if (n + len(name)) % 3}
        properties["row"] = n
        ends = {"start": {"id": keys[n % 40]}, "end": {"id": keys[n * 7 % 40]}}
        label = ("A", "B", "t `y`/\\")[n % 3]
        found.append({"type": "relationship", "id": f"r{n}", "label": label, "properties": properties, **ends})
    return found


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def content(store: GraphStore) -> list[list[str]]:
    return [sorted(json.dumps(row, sort_keys=True) for row in store.scan(query)) for query in QUESTIONS]


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many relationships each request loads."""
    counts: list[int] = []
    real = ArcadeDBLoad.load

    def load(self: ArcadeDBLoad, lines: bytes, count: int) -> None:
        real(self, lines, count)
        counts.append(count)

    monkeypatch.setattr(ArcadeDBLoad, "load", load)
    return counts


@pytest.fixture
def stores(database: BoltDatabase, tmp_path: Path) -> Iterator[list[BoltStore]]:
    made = [database.open(f"bulk-{tmp_path.name[-20:].replace('_', '-')}-{n}", create=True) for n in range(2)]
    yield made
    for store in made:
        database.drop(store.name)


def without_bulk_load(store: BoltStore, paths: list[Path], options: ImportOptions) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BoltStore, "bulk_load", lambda self: None)
        load(store, paths, options)


def test_the_graph_is_that_of_the_batches(stores: list[BoltStore], tmp_path: Path, loaded: list[int]) -> None:
    bulk, plain = stores
    path = written(tmp_path / "all.jsonl", lines(400))
    report = load(bulk, [path], ImportOptions(tmp_path / "bulk", batch_size=20))
    without_bulk_load(plain, [path], ImportOptions(tmp_path / "plain", batch_size=20))
    assert sum(loaded) > report.edges / 2
    assert content(bulk) == content(plain)
    assert bulk.version() == plain.version()
    query = "MATCH (b:Work {nodeId: 'w1'}) MATCH (a)-[r:B]->(b) RETURN a.name"
    assert bulk.plan(query) == plain.plan(query)
    assert not damage(bulk)


def damage(store: BoltStore) -> list[str]:
    return store._owner.ask(lambda connection: connection.entries._catalogue.damage(store._entry))  # type: ignore[union-attr]


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.dictionaries(
            st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8),
            INTEGERS | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.lists(INTEGERS, max_size=3)
            | st.text(st.characters(codec="utf-8"), max_size=20),
            max_size=4,
        ),
        min_size=8, max_size=30,
    )
)  # fmt: skip
def test_properties_of_all_kinds_arrive(
    database: BoltDatabase, tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    nodes = [{"type": "node", "id": str(n), "labels": ["N"], "properties": {}} for n in range(5)]
    edges = [
        {"type": "relationship", "label": "R", "properties": {**row, "row": n}}
        | {"start": {"id": str(n % 5)}, "end": {"id": str(n * 3 % 5)}}
        for n, row in enumerate(rows)
    ]
    path = written(folder / "all.jsonl", nodes + edges)
    found = []
    for write in (load, without_bulk_load):
        store = database.open(f"bulk-hypothesis-{write.__name__.replace('_', '-')}", create=True)
        try:
            write(store, [path], ImportOptions(folder / write.__name__, batch_size=3))
            query = "MATCH (a)-[r:R]->(b) RETURN a.nodeId AS a, b.nodeId AS b, properties(r) AS p"
            found.append(sorted(repr(sorted(row.items())) for row in map(sorted_properties, store.scan(query))))
        finally:
            database.drop(store.name)
    assert found[0] == found[1]


def sorted_properties(row: dict[str, Any]) -> dict[str, Any]:
    return {name: sorted(value.items()) if isinstance(value, dict) else value for name, value in row.items()}


@pytest.mark.parametrize(
    ("header", "value"),
    [("on:date", "2020-01-01"), ("at:datetime", "2020-01-01T10:00:00Z"), ("much:float", "NaN"),
     ("least:float", "5e-324"), ("note", "x" * 70_000)],
)  # fmt: skip
def test_what_a_line_or_a_page_cannot_hold_goes_by_batches(
    stores: list[BoltStore], tmp_path: Path, loaded: list[int], header: str, value: str
) -> None:
    nodes = tmp_path / "nodes.csv"
    nodes.write_text("id:ID,:LABEL\n" + "".join(f"{n},N\n" for n in range(10)))
    edges = tmp_path / "edges.csv"
    rows = "".join(f"{n % 10},{n * 3 % 10},R,{value},{n}\n" for n in range(20))
    edges.write_text(f":START_ID,:END_ID,:TYPE,{header},n:int\n{rows}")
    for store, write in zip(stores, (load, without_bulk_load), strict=True):
        write(store, [nodes, edges], ImportOptions(tmp_path / store.name, batch_size=4))
    assert loaded == []
    query = "MATCH ()-[r:R]->() RETURN properties(r) AS p ORDER BY r.n"
    assert [repr(row) for row in stores[0].scan(query)] == [repr(row) for row in stores[1].scan(query)]


@pytest.mark.parametrize("state", ["lost", "half", "whole", "one end"])
def test_a_request_that_broke_off_is_neither_lost_nor_doubled(
    stores: list[BoltStore], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    path, options = written(tmp_path / "all.jsonl", lines(300)), ImportOptions(tmp_path / "state", batch_size=10)
    real, failed = ArcadeDBLoad.load, []

    def broken(self: ArcadeDBLoad, rows: bytes, count: int) -> None:
        if failed or not count:
            return real(self, rows, count)
        failed.append(count)
        if state in ("whole", "one end"):
            real(self, rows, count)
        elif state == "half":
            real(self, b"\n".join(rows.splitlines()[: count // 2]), count // 2)
        raise ClewError("gone")

    monkeypatch.setattr(ArcadeDBLoad, "load", broken)
    with pytest.raises(ClewError, match="gone"):
        load(stores[0], [path], options)
    if state == "one end":
        monkeypatch.setattr(ArcadeDBLoad, "is_whole", lambda self, relation: False)
    assert load(stores[0], [path], options).status == "continued"
    without_bulk_load(stores[1], [path], ImportOptions(tmp_path / "plain", batch_size=10))
    assert content(stores[0]) == content(stores[1])
    assert not damage(stores[0])


def test_relationships_that_one_end_does_not_know_are_noticed(stores: list[BoltStore], tmp_path: Path) -> None:
    load(stores[0], [written(tmp_path / "all.jsonl", lines(60))], ImportOptions(tmp_path / "state", batch_size=10))
    bulk = stores[0].bulk_load()
    assert bulk is not None
    assert bulk.is_whole("B")
    assert bulk.is_whole("t `y`/\\")
    ids = [record for _key, record in bulk.record_ids("Work")]

    def one_way(server: ArcadeDB) -> None:
        server._sql(stores[0]._database, "CREATE EDGE TYPE One UNIDIRECTIONAL")
        server._sql(stores[0]._database, f"CREATE EDGE One FROM {ids[0]} TO {ids[1]}")

    bulk._ask(one_way)
    assert not bulk.is_whole("One")


def test_record_ids_are_read_in_pages(stores: list[BoltStore], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_load_module, "PAGE", 7)
    load(stores[0], [written(tmp_path / "all.jsonl", lines(60))], ImportOptions(tmp_path / "state", batch_size=10))
    bulk = stores[0].bulk_load()
    assert bulk is not None
    found = dict(bulk.record_ids("Work"))
    rows = stores[0].read("MATCH (n:Work) RETURN n.nodeId AS key, elementId(n) AS id").records
    assert len(rows) > 2 * bulk_load_module.PAGE
    assert found == {row["key"]: row["id"] for row in rows}


def test_a_request_in_progress_is_waited_for(stores: list[BoltStore], tmp_path: Path) -> None:
    load(stores[0], [written(tmp_path / "all.jsonl", lines(60))], ImportOptions(tmp_path / "state", batch_size=10))
    bulk = stores[0].bulk_load()
    assert bulk is not None
    row = json.dumps(
        {"@type": "edge", "@class": "B", **dict.fromkeys(("@from", "@to"), next(bulk.record_ids("Work"))[1])}
    )
    begun, sent = threading.Event(), threading.Event()

    def slow(server: ArcadeDB) -> None:
        path = f"/api/v1/batch/{stores[0]._database}?batchSize=10"
        with socket.create_connection((server._host, server._port)) as connection:
            head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {server._headers['Authorization']}\r\n"
            body = row.encode() + b"\n"
            connection.sendall(f"{head}Content-Length: {2 * len(body)}\r\n\r\n".encode() + body)
            begun.set()
            sent.wait()
            connection.sendall(body)
            connection.recv(1000)

    thread = threading.Thread(target=bulk._ask, args=(slow,))
    thread.start()
    begun.wait()
    refused = False
    while not refused:
        time.sleep(0.5)  # The slow request would be refused itself if it came during another one.
        try:
            bulk.load(b"", 0)
        except QueryFailed:
            refused = True
    threading.Timer(0.5, sent.set).start()
    bulk.wait()
    thread.join()
    assert next(iter(stores[0].scan("MATCH (n:Work)-[r:B]->(n) WHERE r.int IS NULL RETURN count(r) AS n")))["n"] >= 2


@pytest.mark.parametrize(("most_bytes", "most_batches", "most"), [(1_000, 40, 5), (16_000_000, 3, 15)])
def test_a_request_is_bounded(
    stores: list[BoltStore],
    tmp_path: Path,
    loaded: list[int],
    monkeypatch: pytest.MonkeyPatch,
    most_bytes: int,
    most_batches: int,
    most: int,
) -> None:
    monkeypatch.setattr(bulk_writing, "_BYTES", most_bytes)
    monkeypatch.setattr(bulk_writing, "MOST_BATCHES", most_batches)
    load(stores[0], [written(tmp_path / "all.jsonl", lines(300))], ImportOptions(tmp_path / "state", batch_size=5))
    assert sum(loaded) > 200
    assert max(loaded) == most


@pytest.mark.parametrize(("version", "able"), [("26.10.2 (build e8)", True), ("26.9.1", False), ("", False)])
def test_an_earlier_server_gets_batches(
    stores: list[BoltStore], monkeypatch: pytest.MonkeyPatch, version: str, able: bool
) -> None:
    monkeypatch.setattr(ArcadeDB, "_call", lambda self, method, path: {"version": version})
    assert (stores[0].bulk_load() is not None) is able
