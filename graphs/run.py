"""What belongs to one question: its time, the cost of its model calls, its trace, and its ranked queries."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import TYPE_CHECKING, Generic, TypedDict, TypeVar

from clew.agents.models.calls import Role, Usage, total
from clew.graphs.recorder import Trace

if TYPE_CHECKING:
    from clew.tools.queries.reading.reader import Reading
    from clew.tools.queries.space.query import RankedQuery
    from clew.tools.queries.surroundings.asked import Asked

T = TypeVar("T")
MOST_CHARACTERS = 1000
"""Of a question: ranking takes time for every name in it, and cannot be stopped on the way."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one question may cost. A run that exceeds its budget returns what it has found."""

    seconds: float = 20.0
    """Wall-clock time, checked before every query; also the upper limit of every query's own time."""
    max_rows: int = 2000
    """Rows of one query."""
    max_tokens: int = 4000
    """Evidence handed to the reasoner and to users, in tokens."""
    max_iterations: int = 2
    """How often the linker reads the question (T_R in ByoKG-RAG section 3.6)."""
    max_model_calls: int = 12
    """Calls of a language model; a role without a call left works without the model."""
    nodes: int = 20
    """Nodes at which a method that unites the nodes of several queries runs no further one."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time after which no further work may begin."""

    at: float = float("inf")
    """On the clock of `time.monotonic`, in seconds."""

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        return cls(time.monotonic() + seconds)

    @property
    def remaining(self) -> float:
        """Seconds left, 0 or more."""
        return max(0.0, self.at - time.monotonic())

    @property
    def passed(self) -> bool:
        return self.remaining <= 0


class RoleCost(TypedDict):
    """What the calls of one role took."""

    calls: int
    """Including failed ones and those answered from the cache."""
    input_tokens: int
    output_tokens: int
    estimated: bool
    """Whether some of the tokens were counted here, because an endpoint did not report them."""
    price: float | None
    """US dollars; None where a model has no price."""


class ModelCost(RoleCost):
    """What all calls of a run took."""

    by_role: dict[str, RoleCost]


@dataclass
class Ledger:
    """What the model calls of one run took, by role. Thread-safe."""

    entries: list[tuple[Role, Usage]] = field(default_factory=list)
    """The calls that have ended."""
    _lock: Lock = field(default_factory=Lock)
    _begun: int = 0

    def begin(self, most: int) -> bool:
        """Count one more call, and return True, if fewer than `most` have begun."""
        with self._lock:
            if self._begun >= most:
                return False
            self._begun += 1
            return True

    def add(self, role: Role, usage: Usage) -> None:
        with self._lock:
            self.entries.append((role, usage))

    def summary(self) -> ModelCost:
        """The costs as results report them; all zeros for a run without a call."""
        with self._lock:
            entries = list(self.entries)
        roles = dict.fromkeys(role for role, _ in entries)
        by_role = {str(r): _cost(usage for role, usage in entries if role == r) for r in roles}
        return {**_cost(usage for _, usage in entries), "by_role": by_role}


def _cost(usages: Iterable[Usage]) -> RoleCost:
    every = list(usages)
    whole = total(every)
    return {
        "calls": len(every),
        "input_tokens": whole.input_tokens,
        "output_tokens": whole.output_tokens,
        "estimated": whole.estimated,
        "price": None if whole.price is None else round(whole.price, 6),
    }


class Shared(Generic[T]):
    """A value that several strategies need: computed once for a key, by whichever asks first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: tuple[object, T] | None = None

    def get(self, key: object, compute: Callable[[], T]) -> T:
        """The value for a key; only the last key's value is kept."""
        with self._lock:
            if self._known is None or self._known[0] != key:
                self._known = key, compute()
            return self._known[1]


@dataclass(frozen=True, slots=True)
class Run:
    """One question that is being answered."""

    trace: Trace = field(default_factory=Trace)
    deadline: Deadline = Deadline()
    ledger: Ledger = field(default_factory=Ledger)
    cancelled: Event = field(default_factory=Event)
    """Set when nobody waits for the answer any more."""
    ranking: Shared[list[RankedQuery]] = field(default_factory=Shared)
    """The ranked queries of the current reading."""
    readings: Shared[list[Reading]] = field(default_factory=Shared)
    """The logical forms of the current reading."""
    surroundings: Shared[Asked | None] = field(default_factory=Shared)
    """What the question asks of the surroundings of its nodes."""
