"""`clew import --follow`: lines in batches, each acknowledged when the graph has it, and nothing twice."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.app.api import following
from clew.app.api.client import Client
from clew.app.api.following import Following, follow
from clew.app.api.graph import Graph
from clew.app.settings import load_settings
from tests.app.serving.serving_world import until
from tests.command_processes import CommandProcess


def node(number: int) -> bytes:
    return (
        json.dumps(
            {"type": "node", "id": f"p{number}", "labels": ["Person"], "properties": {"name": f"P {number}"}}
        ).encode()
        + b"\n"
    )


def knows(source: int, target: int) -> bytes:
    ends = {"start": {"id": f"p{source}"}, "end": {"id": f"p{target}"}}
    return json.dumps({"type": "relationship", "label": "KNOWS", **ends}).encode() + b"\n"


@pytest.fixture
def people(clew_home: Path) -> Iterator[Graph]:
    name = f"people-{uuid.uuid4().hex[:8]}"
    with Client(load_settings(home=clew_home)) as client:
        yield client.graph(name)
        if client.database.exists(name):
            client.drop(name)


def counts(graph: Graph) -> tuple[int, int]:
    store = graph.client.store(graph.name)
    [nodes] = store.read("MATCH (n:Person) RETURN count(n) AS n").records
    [edges] = store.read("MATCH (:Person)-[r:KNOWS]->(:Person) RETURN count(r) AS n").records
    return int(nodes["n"]), int(edges["n"])


def test_every_batch_is_acknowledged_and_bad_lines_are_named(people: Graph) -> None:
    lines = [node(1), b"\n", node(2), b'{"type": "node"}\n', knows(1, 2), node(3), knows(3, 1), knows(3, 99)]
    told = list(follow(people, lines, Following(rows=3)))
    assert [(each.lines, each.nodes, each.relationships, each.bad_lines) for each in told] == [
        (3, 2, 0, 0), (6, 1, 1, 1), (8, 0, 1, 1),
    ]  # fmt: skip
    assert [str(bad).split(" ")[0:2] for each in told for bad in each.bad] == [
        ["standard", "input:4:"],
        ["standard", "input:8:"],
    ]
    assert counts(people) == (3, 2)
    again = list(follow(people, lines, Following(rows=100)))
    assert (again[-1].lines, counts(people)) == (8, (3, 2))


def test_a_line_does_not_wait_for_others(people: Graph) -> None:
    sent = threading.Event()

    def lines() -> Iterator[bytes]:
        yield node(1)
        sent.wait(60)
        yield node(2)

    told = follow(people, lines(), Following(rows=1000, seconds=0.05))
    assert next(told).lines == 1
    sent.set()
    assert [each.lines for each in told] == [2]


def test_what_a_killed_import_left_is_finished_once(people: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    kept = following.write_bytes

    def write_and_die(path: Path, content: bytes, mode: int, *, durable: bool) -> None:
        kept(path, content, mode, durable=durable)
        if b"p2" in content:
            raise Killed

    monkeypatch.setattr(following, "write_bytes", write_and_die)
    batches = follow(people, [node(1), node(2), node(3)], Following(rows=1))
    assert next(batches).lines == 1
    with pytest.raises(Killed):
        next(batches)
    monkeypatch.setattr(following, "write_bytes", kept)
    told = [each.lines for each in follow(people, [node(2), node(3)], Following(rows=1))]
    assert told == [0, 1, 2]
    assert counts(people) == (3, 0)


def test_a_process_that_is_killed_loses_and_doubles_nothing(clew_home: Path, people: Graph) -> None:
    lines = [node(number) for number in range(1, 41)] + [knows(number, number + 1) for number in range(1, 40)]
    sent = 0
    for kill_after in (10, 40, None):
        process = CommandProcess(clew_home, "import", "--follow", "--follow-seconds", "0.2", "--graph", people.name)
        rest, acknowledged = lines[sent:], 0
        try:
            for number, line in enumerate(rest, 1):
                process._stdin.write(line.decode())
                if number == kill_after:
                    process._stdin.flush()
                    acknowledged = json.loads(process.stdout.readline())["acknowledged"]
                    time.sleep(0.1)
                    break
            if kill_after is None:
                out, err = process.communicate(timeout=120)
                acknowledged = json.loads(out.splitlines()[-1])["acknowledged"]
                assert acknowledged == len(rest), err
        finally:
            process.kill()
        sent += acknowledged
    assert sent == len(lines)
    until(lambda: counts(people) == (40, 39))
