"""What both databases owe to the rest of Clew. Every test runs on the embedded one, and on Neo4j where there is one."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from neo4j.exceptions import ServiceUnavailable

from clew.tools.cypher import guard
from clew.tools.cypher.quoting import quoted
from clew.tools.errors import BadInput, ClewError, QueryFailed, QueryForbidden, QueryTimeout, UnknownGraph
from clew.tools.graph.store.arcadedb import ArcadeDB
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.graph.store.results import plain

ENDLESS = "UNWIND range(1, $n) AS a UNWIND range(1, $n) AS b UNWIND range(1, $n) AS c RETURN count(*) AS n"
WRITES = [
    "CREATE (n:X)",
    "CREATE (n:Unheard:Of {a: 1})-[:OF]->(m) RETURN n",
    "MATCH (n:Film) SET n.name = 'changed' RETURN n",
    "MATCH (n:Film) SET n += {name: 'changed'}",
    "MATCH (n:Film) SET n:Other",
    "MATCH (n:Film) REMOVE n.name",
    "MATCH (n:Film) DELETE n",
    "MATCH (n:Film) DETACH DELETE n",
    "MATCH (:Film)-[r]->() DELETE r",
    "MERGE (n:Film {name: 'new'}) RETURN n",
    "MATCH (n:Film) FOREACH (x IN [1] | SET n.x = x)",
    "MATCH (n:Film) CALL { WITH n SET n.x = 1 } RETURN n",
    "CREATE INDEX FOR (n:Film) ON (n.year)",
    "DROP INDEX film_name",
    "CREATE CONSTRAINT FOR (n:Film) REQUIRE n.name IS UNIQUE",
    "LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line",
    "CREATE USER other SET PASSWORD 'long enough'",
    "CALL apoc.cypher.doIt('CREATE (n:X)', {}) YIELD value RETURN value",
    "RETURN apoc.cypher.runFirstColumnMany('CREATE (n:X) RETURN n', {}) AS n",
    "MATCH (n:Film) CALL apoc.create.setProperty(n, 'name', 'changed') YIELD node RETURN node",
]


def label(graph: GraphStore, *labels: str) -> str:
    """The labels of a node of this graph, as they stand in a pattern."""
    return "".join(f":{quoted(each)}" for each in (*labels, *([graph.scope] if graph.scope else [])))


def names(graph: GraphStore) -> list[str]:
    rows = graph.read(f"MATCH (n{label(graph, 'Film')}) RETURN n.name AS name ORDER BY name").records
    return [row["name"] for row in rows]


def side_by_side(threads: int, work: Callable[[], None]) -> list[ClewError]:
    """Runs `work` in so many threads at once; the errors that ended some of them."""
    faults: list[ClewError] = []

    def run() -> None:
        try:
            work()
        except ClewError as error:
            faults.append(error)

    running = [threading.Thread(target=run) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join(60)
    return faults


def with_films(graph: GraphStore) -> GraphStore:
    film, person = label(graph, "Film"), label(graph, "Person")
    graph.ensure_index("Film", "name")
    graph.write(
        f"CREATE (a{film} {{nodeId: '1', name: 'Set It Off'}})-[:STARRED]->(b{person} {{nodeId: '2', name: 'Q'}}), "
        f"(c{film} {{nodeId: '3', name: 'It'}})-[:STARRED]->(b)"
    )
    return graph


@contextmanager
def fresh(database: BoltDatabase) -> Iterator[GraphStore]:
    graph = database.open(f"test-{uuid.uuid4().hex[:12]}", create=True)
    yield graph
    database.drop(graph.name)


@pytest.fixture
def films(graph: GraphStore) -> GraphStore:
    return with_films(graph)


@pytest.fixture(scope="module")
def kept_films(any_database: BoltDatabase) -> Iterator[GraphStore]:
    """Films that no test changes."""
    with fresh(any_database) as graph:
        yield with_films(graph)


@pytest.fixture(scope="module")
def shared(any_database: BoltDatabase) -> Iterator[GraphStore]:
    """A graph for tests that read nothing from it, or only what they wrote under labels of their own."""
    with fresh(any_database) as graph:
        yield graph


def test_a_query_with_parameters_returns_plain_values(kept_films: GraphStore) -> None:
    rows = kept_films.read(
        f"MATCH p = (a{label(kept_films, 'Film')} {{name: $name}})-[r]->(b) "
        "RETURN a, r, p, [b.name] AS names, date('2020-02-29') AS day, null AS nothing",
        {"name": "Set It Off"},
    )
    film, person = {"nodeId": "1", "name": "Set It Off"}, {"nodeId": "2", "name": "Q"}
    assert not rows.truncated
    assert rows.ms > 0
    assert rows.records[0]["a"] == film
    assert rows.records[0]["r"][1] == "STARRED"
    assert rows.records[0]["p"] == [film, "STARRED", person]
    assert rows.records[0]["names"] == ["Q"]
    assert rows.records[0]["day"] == "2020-02-29"
    assert rows.records[0]["nothing"] is None


def test_plain_values_pass_through() -> None:
    value = {"a": [1, 2.5, "x", None, True, {"b": (1, 2)}]}
    assert plain(value) == {"a": [1, 2.5, "x", None, True, {"b": [1, 2]}]}


@pytest.mark.parametrize(("there", "truncated"), [(9, False), (10, False), (11, True), (5_000_000, True)])
def test_rows_are_capped_and_say_so(shared: GraphStore, there: int, truncated: bool) -> None:
    rows = shared.read("UNWIND range(1, $n) AS x RETURN x", {"n": there}, Limits(max_rows=10))
    assert [row["x"] for row in rows.records] == list(range(1, min(there, 10) + 1))
    assert rows.truncated is truncated
    assert rows.ms < 3000


def test_an_endless_query_is_stopped_in_time(shared: GraphStore) -> None:
    started = time.monotonic()
    with pytest.raises(QueryTimeout) as caught:
        shared.read(ENDLESS, {"n": 100_000}, Limits(timeout_s=0.7))
    assert 0.5 < time.monotonic() - started < 4
    assert caught.value.cypher == ENDLESS
    assert shared.read("RETURN 1 AS one").records == [{"one": 1}]


def test_stopping_one_query_leaves_the_others_alone(shared: GraphStore) -> None:
    outcomes: list[str] = []

    def endless() -> None:
        try:
            shared.read(ENDLESS, {"n": 100_000}, Limits(timeout_s=1.0))
        except QueryTimeout:
            outcomes.append("stopped")

    threads = [threading.Thread(target=endless) for _ in range(2)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + 2
    while time.monotonic() < until:
        assert shared.read("RETURN 1 AS one").records == [{"one": 1}]
    for thread in threads:
        thread.join(10)
    assert outcomes == ["stopped"] * 2


@pytest.mark.parametrize("cypher", WRITES)
def test_reading_cannot_write(kept_films: GraphStore, cypher: str) -> None:
    with pytest.raises(QueryForbidden):
        kept_films.read(cypher)
    with pytest.raises(QueryForbidden):
        kept_films.plan(cypher)
    assert names(kept_films) == ["It", "Set It Off"]


@pytest.mark.parametrize("cypher", WRITES)
def test_reading_cannot_write_without_the_guard_either(
    kept_films: GraphStore, cypher: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "check", lambda cypher, decodes: None)
    with pytest.raises(QueryFailed):  # forbidden, or not known to this engine
        kept_films.read(cypher)
    monkeypatch.undo()
    assert names(kept_films) == ["It", "Set It Off"]
    assert kept_films.read("MATCH (n:X) RETURN count(n) AS n").records == [{"n": 0}]


def test_a_faulty_query_says_what_is_wrong(shared: GraphStore) -> None:
    with pytest.raises(QueryFailed, match=r"(?i)retrn|input") as caught:
        shared.read("MATCH (n) RETRN n")
    assert not isinstance(caught.value, QueryForbidden | QueryTimeout)
    with pytest.raises(QueryFailed):
        shared.read("RETURN $missing AS x")


def test_graphs_do_not_see_each_other(make_graph: Callable[[], GraphStore], any_database: BoltDatabase) -> None:
    one, other = make_graph(), make_graph()
    one.ensure_index("Film", "nodeId")
    other.ensure_index("Film", "nodeId")
    for graph, name in ((one, "one"), (other, "other")):
        graph.write(f"CREATE ({label(graph, 'Film')} {{nodeId: '1', name: $name}})-[:R]->({label(graph, 'X')})",
                    {"name": name})  # fmt: skip
    assert (names(one), names(other)) == (["one"], ["other"])
    infos = {info.name: info for info in any_database.graphs()}
    assert (infos[one.name].nodes, infos[one.name].relationships) == (2, 1)
    any_database.drop(one.name)
    assert not any_database.exists(one.name)
    assert names(other) == ["other"]


def test_a_dropped_graph_comes_back_empty(films: GraphStore, any_database: BoltDatabase) -> None:
    films.set_version("1")
    any_database.drop(films.name)
    with pytest.raises(UnknownGraph) as caught:
        any_database.open(films.name)
    assert films.name in caught.value.message
    again = any_database.open(films.name, create=True)
    assert names(again) == []
    assert again.version() != "1"
    again.write(f"CREATE ({label(again, 'Film')} {{name: 'new'}})")
    assert names(again) == ["new"]
    assert names(films) == ["new"]  # an older store of the same name still works


def test_dropping_what_is_not_there(any_database: BoltDatabase) -> None:
    with pytest.raises(UnknownGraph):
        any_database.drop("no-such-graph")


@pytest.mark.parametrize("name", ["", "-a", "a b", "a/b", "../a", "ä", "a" * 61, "a`b", "a;b", "_a", "a\n"])
def test_bad_names_are_refused(any_database: BoltDatabase, name: str) -> None:
    with pytest.raises(BadInput):
        any_database.open(name, create=True)


def test_the_version_is_kept_and_hidden(films: GraphStore, any_database: BoltDatabase) -> None:
    films.set_version("abc")
    assert films.version() == "abc"
    assert any_database.open(films.name).version() == "abc"
    films.set_version("it's `new` é 2")
    assert films.version() == "it's `new` é 2"
    scope = label(films)
    assert films.read(f"MATCH (n{scope}) RETURN count(n) AS n").records == [{"n": 3}]
    labels = films.scan(f"MATCH (n{scope}) UNWIND labels(n) AS label RETURN DISTINCT label")
    assert {row["label"] for row in labels} - {films.scope} == {"Film", "Person"}


ODD_NAMES = ["plain", "with space", "back`tick", "qu'o\"te", "Größe", "電影", "a.b:c", "set", "{$x}"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_may_hold_anything(shared: GraphStore, name: str) -> None:
    shared.ensure_index(name, name)
    shared.ensure_index(name, name)
    shared.write(
        f"UNWIND $rows AS row CREATE (n{label(shared, name)} {{{quoted(name)}: row}})"
        f"-[:{quoted('r' + name)}]->({label(shared, 'End')})",
        {"rows": [name, "other"]},
    )
    rows = shared.read(
        f"MATCH (n{label(shared, name)} {{{quoted(name)}: $value}})-[r:{quoted('r' + name)}]->() "
        f"RETURN n.{quoted(name)} AS value, labels(n) AS labels, type(r) AS type",
        {"value": name},
    ).records
    assert [(row["value"], row["type"]) for row in rows] == [(name, "r" + name)]
    assert name in rows[0]["labels"]


def test_the_index_is_used(graph: GraphStore) -> None:
    graph.ensure_index("Film", "nodeId")
    graph.write(f"UNWIND range(1, 2000) AS i CREATE ({label(graph, 'Film')} {{nodeId: toString(i)}})")
    graph.set_version("1")
    assert "IndexSeek" in graph.plan(f"MATCH (n{label(graph, 'Film')} {{nodeId: $id}}) RETURN n", {"id": "7"})


def test_writers_that_make_the_same_index_at_the_same_moment_all_have_it(graph: GraphStore) -> None:
    together = threading.Barrier(4)

    def make() -> None:
        for number in range(8):
            together.wait(60)
            graph.ensure_index(f"Kind{number}", "nodeId")

    assert not side_by_side(4, make)


def test_writing_counts_what_it_did(graph: GraphStore) -> None:
    counters = graph.write(f"UNWIND range(1, 3) AS i CREATE ({label(graph, 'Film')})-[:R]->({label(graph, 'X')})")
    assert counters["nodes_created"] == 6
    assert counters["relationships_created"] == 3
    assert graph.write(f"MATCH (n{label(graph, 'None')}) SET n.x = 1") == {}


def test_scanning_streams_past_the_limits_of_reading(shared: GraphStore) -> None:
    rows = shared.scan("UNWIND range(1, $n) AS x RETURN x", {"n": 30_000})
    assert next(rows) == {"x": 1}
    assert sum(1 for _ in rows) == 29_999
    with pytest.raises(QueryFailed):
        next(shared.scan("MATCH (n) RETRN n"))


def test_sixteen_threads(kept_films: GraphStore) -> None:
    query = f"MATCH (n{label(kept_films, 'Film')} {{name: $name}})-[:STARRED]->(m) RETURN m.name AS name"

    def ask() -> None:
        for _ in range(20):
            assert kept_films.read(query, {"name": "It"}).records == [{"name": "Q"}]

    assert not side_by_side(16, ask)


def test_results_that_are_cut_off_leave_other_threads_their_connections(shared: GraphStore) -> None:
    """The end of a stream may arrive while its reader gives the rest of it up."""

    def cut(number: int) -> None:
        until = time.monotonic() + 2.0
        while time.monotonic() < until:
            rows = shared.read("UNWIND range(1, $most) AS i RETURN i", {"most": 6}, Limits(max_rows=5))
            wrong.append(rows.truncated is not True or [r["i"] for r in rows.records] != [1, 2, 3, 4, 5])
            rows = shared.read("RETURN $mine AS mine", {"mine": number})
            wrong.append([r["mine"] for r in rows.records] != [number])

    wrong: list[bool] = []
    threads = [threading.Thread(target=cut, args=(number,), daemon=True) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads), "a thread waits for a reply that another one took"
    assert wrong
    assert not any(wrong)


def test_concurrent_writers_lose_nothing(shared: GraphStore) -> None:
    shared.write(f"CREATE ({label(shared, 'Counter')} {{nodeId: '1', value: 0}})")

    def count() -> None:
        for _ in range(5):
            shared.write(f"MATCH (n{label(shared, 'Counter')}) SET n.value = n.value + 1")

    assert not side_by_side(4, count)
    assert shared.read(f"MATCH (n{label(shared, 'Counter')}) RETURN n.value AS value").records == [{"value": 20}]


def test_a_graph_of_somebody_else_is_read_and_not_written(neo4j_database: BoltDatabase) -> None:
    own = neo4j_database.open("test-mine", create=True)
    try:
        own.write(f"CREATE ({label(own, 'Film')} {{name: 'mine'}})")
        # Without its entry in the catalogue and its scope, the node is nobody's.
        own.write(f"MATCH (n{label(own, 'Film')}) REMOVE n{label(own)}")
        foreign = neo4j_database.open("neo4j")
        assert foreign.scope is None
        assert foreign.read("MATCH (n:Film {name: 'mine'}) RETURN n.name AS name").records == [{"name": "mine"}]
        assert foreign.version().startswith("counts-")
        for write in (lambda: foreign.write("CREATE (n:X)"), lambda: foreign.set_version("x"),
                      lambda: foreign.ensure_index("A", "b"), lambda: neo4j_database.drop("neo4j")):  # fmt: skip
            with pytest.raises(BadInput):
                write()
    finally:
        own.write("MATCH (n:Film {name: 'mine'}) DETACH DELETE n")
        neo4j_database.drop("test-mine")


def test_a_graph_that_goes_while_graphs_are_listed_is_left_out(
    database: BoltDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    stays, names = database.open(f"test-{uuid.uuid4().hex[:12]}", create=True), ArcadeDB.names
    monkeypatch.setattr(ArcadeDB, "names", lambda self: [*names(self), "gone-meanwhile"])
    listed = {graph.name for graph in database.graphs()}
    database.drop(stays.name)
    assert stays.name in listed
    assert "gone-meanwhile" not in listed


@pytest.mark.parametrize("failures", [1, 2])
def test_ctrl_c_inside_the_driver_stays_ctrl_c(any_database: BoltDatabase, failures: int) -> None:
    calls = []

    def interrupted(_: object) -> None:
        calls.append(1)
        frame = bytearray(b"answer")
        view = memoryview(frame)
        try:
            raise KeyboardInterrupt
        finally:  # what the driver's buffers do while a view of them lives
            try:
                frame.extend(view)
            except BufferError:
                if failures == 1:
                    raise
                raise ServiceUnavailable("and again as the driver resets the connection")  # noqa: B904

    with pytest.raises(KeyboardInterrupt):
        any_database.ask(interrupted)
    assert len(calls) == 1, "what the user stopped is not sent again"
