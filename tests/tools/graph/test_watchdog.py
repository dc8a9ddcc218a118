"""When a server that cannot stop a query ends itself."""

from __future__ import annotations

from dataclasses import dataclass

from clew.tools.graph.store.arcadedb import READER
from clew.tools.graph.store.watchdog import GRACE_S, QUERY_LIMIT_S, WRITES_S, Watchdog


@dataclass
class FakeQuery:
    id: str
    user: str = READER
    elapsed_s: float = 0.0
    told: bool = False

    def getId(self) -> str:
        return self.id

    def getUser(self) -> str:
        return self.user

    def getText(self) -> str:
        return f"RETURN {self.id}"

    def getElapsedMillis(self) -> float:
        return self.elapsed_s * 1000

    def isTerminated(self) -> bool:
        return self.told

    def terminate(self, by: str) -> None:
        self.told = True


class FakeRegistry:
    def __init__(self, *queries: FakeQuery) -> None:
        self.queries = list(queries)

    def getRunning(self) -> list[FakeQuery]:
        return self.queries


class Watched:
    """A watchdog whose clock is set by hand."""

    def __init__(self, *queries: FakeQuery) -> None:
        self.now = 0.0
        self.registry = FakeRegistry(*queries)
        self.watchdog = Watchdog(self.registry, lambda: self.now)

    def after(self, seconds: float) -> list[str]:
        self.now = seconds
        return self.watchdog.hung()


def test_a_query_past_its_limit_is_told_to_end() -> None:
    long, short = FakeQuery("1", elapsed_s=QUERY_LIMIT_S + 1), FakeQuery("2")
    assert Watched(long, short).after(0) == []
    assert (long.told, short.told) == (True, False)


def test_one_that_does_not_end_is_hung_after_the_grace() -> None:
    watched = Watched(FakeQuery("1", told=True))
    assert watched.after(0) == watched.after(GRACE_S) == []
    assert watched.after(GRACE_S + 0.1) == ["RETURN 1"]


def test_one_that_ends_in_time_is_forgotten() -> None:
    query = FakeQuery("1", told=True)
    watched = Watched(query)
    watched.after(0)
    watched.registry.queries.clear()
    watched.after(1)
    watched.registry.queries.append(query)
    assert watched.after(GRACE_S + 0.5) == []


def test_writes_may_end_first_but_not_for_ever() -> None:
    watched = Watched(FakeQuery("1", told=True), FakeQuery("2", user="root", elapsed_s=100))
    watched.after(0)
    assert watched.after(GRACE_S + 1) == []
    assert watched.after(GRACE_S + WRITES_S + 1) == ["RETURN 1"]


def test_writes_have_no_limit() -> None:
    write = FakeQuery("1", user="root", elapsed_s=1000)
    assert Watched(write).after(1000) == []
    assert not write.told
