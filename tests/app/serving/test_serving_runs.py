"""Runs in threads: bounded, told part by part, and ended when nobody listens."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from threading import Event

import pytest

from clew.app.serving.queries import OF_ONE_USER, QueryRuns
from clew.app.serving.runs import QueueFull, Runs
from clew.graphs.interruptible import Stopped


@pytest.fixture
async def runs() -> AsyncIterator[Runs]:
    made = Runs(2, 1)
    yield made
    made.close()


def counting(left: Event) -> Iterator[int]:
    yield from range(3)


async def test_parts_come_as_they_are_told_and_then_it_is_over(runs: Runs) -> None:
    with runs.admitted() as places:
        assert [part async for part in runs.stream(counting, places)] == [0, 1, 2]
    assert await runs.last(counting) == 2
    await until(lambda: runs.running == 0)


async def test_what_goes_wrong_is_raised_where_one_listens(runs: Runs) -> None:
    def failing(left: Event) -> Iterator[int]:
        yield 1
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await runs.last(failing)


async def test_no_more_at_once_than_set_and_the_rest_is_refused(runs: Runs) -> None:
    go = Event()

    def waiting(left: Event) -> Iterator[int]:
        go.wait(10)
        yield 1

    asked = [asyncio.create_task(runs.last(waiting)) for _ in range(3)]
    await until(lambda: (runs.running, runs.waiting) == (2, 1))
    with pytest.raises(QueueFull):
        await runs.last(waiting)
    assert runs.refused == 1
    go.set()
    assert await asyncio.gather(*asked) == [1, 1, 1]
    await until(lambda: runs.running == 0)


async def test_places_are_given_all_or_none_and_back_at_the_end(runs: Runs) -> None:
    with runs.admitted(2) as places:
        with pytest.raises(QueueFull), runs.admitted(2):
            pass
        assert (runs.waiting, runs.refused) == (2, 1)
        assert [part async for part in runs.stream(counting, places)] == [0, 1, 2]
    await until(lambda: (runs.running, runs.waiting) == (0, 0))
    with pytest.raises(Stopped):
        await anext(runs.stream(counting, places))
    with runs.admitted(3):
        assert runs.waiting == 3


async def test_who_leaves_ends_the_run_and_its_place_is_free_when_it_has_ended(runs: Runs) -> None:
    begun, ended = Event(), Event()

    def patient(left: Event) -> Iterator[int]:
        try:
            yield 1
            begun.set()
            assert left.wait(10)
            yield 2
        finally:
            ended.set()

    async def ask() -> None:
        await runs.last(patient)

    task = asyncio.create_task(ask())
    await asyncio.to_thread(begun.wait, 10)
    assert runs.running == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(ended.wait, 10)
    await until(lambda: runs.running == 0)
    assert await runs.last(counting) == 2


async def test_who_leaves_while_waiting_gives_the_place_back(runs: Runs) -> None:
    go = Event()

    def waiting(left: Event) -> Iterator[int]:
        go.wait(10)
        yield 1

    asked = [asyncio.create_task(runs.last(waiting)) for _ in range(3)]
    await until(lambda: runs.waiting == 1)
    asked[2].cancel()
    await asyncio.wait(asked[2:])
    assert runs.waiting == 0
    go.set()
    await asyncio.gather(*asked[:2])
    await until(lambda: runs.running == 0)
    assert list(await asyncio.gather(runs.last(counting), runs.last(counting))) == [2, 2]


async def test_closing_ends_what_runs(runs: Runs) -> None:
    begun = Event()

    def endless(left: Event) -> Iterator[int]:
        begun.set()
        while not left.wait(0.01):
            yield 1

    task = asyncio.create_task(runs.last(endless))
    await asyncio.to_thread(begun.wait, 10)
    await asyncio.to_thread(runs.close)
    with pytest.raises(Stopped):
        await task
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("run_")]


async def until(holds: object, seconds: float = 10.0) -> None:
    assert callable(holds)
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.005)


async def test_slow_queries_of_one_user_leave_room_for_those_of_others() -> None:
    queries, end = QueryRuns(), threading.Event()
    slow = [asyncio.create_task(queries.run("many", end.wait)) for _ in range(OF_ONE_USER)]
    await asyncio.sleep(0)
    with pytest.raises(QueueFull, match="of your queries"):
        await queries.run("many", lambda: 1)
    assert await asyncio.wait_for(queries.run("other", lambda: 2), 30) == 2
    end.set()
    assert await asyncio.gather(*slow) == [True] * OF_ONE_USER
    assert await queries.run("many", lambda: 3) == 3
    queries.close()
