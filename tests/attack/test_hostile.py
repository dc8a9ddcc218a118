"""Hostile queries against both engines: no content, index, file or socket is touched, and every query ends in time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from clew.tools.cypher import guard
from clew.tools.errors import QueryFailed, QueryForbidden
from clew.tools.graph.store import open_database
from clew.tools.graph.store.connection import Connection
from tests.attack import benign, grammar
from tests.attack.tck import scenarios
from tests.attack.world import EXAMPLES, World, attack, attacked, stop
from tests.conftest import NO_NEO4J

BATCH = 25
HOSTILE = [*grammar.WRITES, *grammar.ADMIN, *grammar.OUTSIDE]


def examples(count: int) -> Any:
    """So many batches; in the bounded version the same ones every time. A batch that fails names the query itself."""
    return settings(
        max_examples=max(1, count // BATCH), deadline=None, database=None, phases=[Phase.generate],
        derandomize=EXAMPLES < 1000, suppress_health_check=list(HealthCheck),
    )  # fmt: skip


@pytest.fixture(scope="module", params=["arcadedb", "neo4j"])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A graph in a database of its own: attacks may end the server."""
    home, url = tmp_path_factory.mktemp("home"), os.environ.get("NEO4J_URI")
    if request.param == "neo4j" and not url:
        pytest.skip(NO_NEO4J)
    credentials = (url, os.environ.get("NEO4J_USERNAME"), os.environ.get("NEO4J_PASSWORD"))
    database = open_database(home, *(credentials if request.param == "neo4j" else ()))
    try:
        with attacked(database, home, tmp_path_factory.mktemp("watched")) as made:
            yield made
    finally:
        database.close()
        stop(home)


def sendable(cypher: str, *, decodes: bool = True) -> None:
    """In place of the guard: the driver cannot send half a character."""
    if any("\ud800" <= sign <= "\udfff" for sign in cypher):
        raise QueryForbidden("The query is not run: it contains half a character.")


def unguarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the database's own rights, and its read mode."""
    monkeypatch.setattr(guard, "check", sendable)
    monkeypatch.setattr(Connection, "approve", lambda self, cypher, parameters, database: None)


@pytest.mark.timeout(7200)
@examples(EXAMPLES)
@given(queries=grammar.queries(HOSTILE, BATCH))
def test_hostile_queries_do_nothing(world: World, queries: list[str]) -> None:
    attack(world, queries)


@pytest.mark.timeout(7200)
@examples(EXAMPLES // 40)
@given(queries=grammar.queries(grammar.BOMBS, BATCH))
def test_large_queries_end_in_time(world: World, queries: list[str]) -> None:
    attack(world, queries)


@pytest.mark.timeout(7200)
def test_the_rights_of_the_reader_are_enough(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the guard. On Neo4j, reading may load what is outside, so that the guard alone keeps it from that."""
    unguarded(monkeypatch)
    payloads = HOSTILE if world.engine == "arcadedb" else [*grammar.WRITES, *grammar.ADMIN]

    @examples(EXAMPLES // 2)
    @given(queries=grammar.queries(payloads, BATCH))
    def run(queries: list[str]) -> None:
        attack(world, queries, guarded=False)

    run()


def test_the_attacks_have_teeth(world: World) -> None:
    """With the rights of a writer, and no guard, many of the queries do change the graph."""
    done = 0

    @examples(2 * BATCH if world.engine == "arcadedb" else BATCH)
    @given(queries=grammar.queries(grammar.WRITES, BATCH))
    def run(queries: list[str]) -> None:
        nonlocal done
        for cypher in queries:
            before = world.state()
            with suppress(QueryFailed, UnicodeEncodeError):
                world.graph.write(cypher)
            if world.state() != before:
                done += 1
                world.reset()

    run()
    assert done >= 3


@pytest.mark.timeout(7200)
def test_what_the_guard_accepts_of_the_tck_only_reads(world: World) -> None:
    """Also of the scenarios that fail: what is no query, or ends with an error."""
    every = list(dict.fromkeys(each.query for each in scenarios()))
    step = max(1, len(every) // (EXAMPLES // 2))
    for start in range(0, len(every), BATCH * step):
        attack(world, every[start : start + BATCH * step : step])


@pytest.mark.timeout(7200)
@examples(EXAMPLES)
@given(queries=benign.queries(BATCH, functions=True))
def test_the_guard_refuses_nothing_that_only_reads(queries: list[str]) -> None:
    for cypher in queries:
        guard.check(cypher)


@pytest.mark.timeout(7200)
def test_queries_that_only_read_are_run(world: World) -> None:
    @examples(EXAMPLES // 2 if world.engine == "arcadedb" or EXAMPLES > 1000 else BATCH)
    @given(queries=benign.queries(BATCH))
    def run(queries: list[str]) -> None:
        world.late = []
        for cypher in queries:
            error = world.read(cypher)
            assert error is None, f"{cypher}\n{error}"
        assert not world.late

    run()
