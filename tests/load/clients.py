"""Clients that chat with a server in closed loops: each asks its next question when the last one is answered."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

import httpx

QUESTIONS = (
    "who directed Heat?", "and who starred in it?", "what films did Martin Scorsese direct?", "only those after 1980",
    "when was Collateral released?", "how many films star Robert De Niro?", "which films star Tom Cruise?",
    "who wrote Taxi Driver?", "who directed Hete?", "what does nobody know?",
)  # fmt: skip


@dataclass(slots=True)
class Load:
    """Conversations about one graph over connections of their own, and what came of their requests."""

    client: httpx.AsyncClient
    graph: str
    answered: Counter[str] = field(default_factory=Counter)
    """Results of each user."""
    refused: int = 0
    """Requests that were refused with a time to retry before anything was sent."""
    faults: list[str] = field(default_factory=list)
    """Everything else."""
    seconds: list[float] = field(default_factory=list)
    """Of each answer, without earlier refusals."""
    over: bool = False
    """Whether no further question is to be asked."""

    async def chat(self, user: str, questions: Iterator[str]) -> None:
        """One conversation; who is refused asks again after the time that the server names."""
        for question in questions:
            while not self.over and (wait := await self._asked(user, question)):
                await asyncio.sleep(wait)
            if self.over:
                return

    async def _asked(self, user: str, question: str) -> float:
        """The seconds after which to ask again; 0 if the request was answered."""
        started, event, data = time.monotonic(), "", ""
        body = {"graph": self.graph, "question": question, "session": user}
        try:
            async with self.client.stream("POST", "/api/ask", json=body) as answer:
                if answer.status_code in (429, 503):
                    self.refused += 1
                    return float(answer.headers["Retry-After"])
                async for line in answer.aiter_lines():
                    name, _, value = line.partition(": ")
                    event, data = (value, "") if name == "event" else (event, value or data or line)
        except httpx.HTTPError as error:
            # Nothing had begun if there was no event: a server that has ended takes no connections.
            self.faults += [f"{type(error).__name__} after {event!r}"] if event else []
            self.over = True
            return 0.0
        if event == "result" and isinstance(json.loads(data)["answers"], list):
            self.answered[user] += 1
            self.seconds.append(time.monotonic() - started)
        else:
            self.faults.append(f"{event}: {data[:200]}")
        return 0.0

    def shares(self) -> tuple[int, int]:
        """The fewest and the most answers of a user."""
        return min(self.answered.values()), max(self.answered.values())

    def __str__(self) -> str:
        times, total = sorted(self.seconds), len(self.seconds)
        return (
            f"{total} answers, {self.refused} refusals, {len(self.faults)} faults, "
            f"p50 {times[total // 2]:.2f} s, p95 {times[int(total * 0.95)]:.2f} s"
        )


def _load(url: str, graph: str) -> Load:
    unlimited = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    return Load(httpx.AsyncClient(base_url=url, timeout=300, limits=unlimited, verify=False), graph)


async def chats(url: str, graph: str, users: list[str], seconds: float, answers: int = 0) -> Load:
    """A conversation of each user, for so long and until there are so many answers."""
    load, ends = _load(url, graph), time.monotonic() + seconds
    load.answered.update(dict.fromkeys(users, 0))
    async with load.client:
        each = [asyncio.ensure_future(load.chat(user, _endless(n))) for n, user in enumerate(users)]
        while not load.over and (time.monotonic() < ends or len(load.seconds) < answers):
            await asyncio.sleep(0.05)
        load.over = True
        await asyncio.gather(*each)
    return load


async def soak(url: str, graph: str, questions: int, connections: int = 8) -> Load:
    """So many questions over some connections, a new conversation for every ten."""
    load, numbers, every = _load(url, graph), count(), len(QUESTIONS)

    async def loop() -> None:
        while (first := next(numbers) * every) < questions:
            await load.chat(f"soak-{first}", iter(QUESTIONS[: questions - first]))

    async with load.client:
        await asyncio.gather(*(loop() for _ in range(connections)))
    return load


def _endless(first: int) -> Iterator[str]:
    for number in count(first):
        yield QUESTIONS[number % len(QUESTIONS)]
