"""Turns of users: equal shares, also for users who ask more or return sooner."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from clew.app.serving.turns import CLAIM_SECONDS, Turns


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@given(st.integers(1, 5), st.integers(2, 8), st.integers(0, 999))
@settings(max_examples=15)
def test_users_who_always_ask_get_like_shares_of_too_little_room(room: int, more: int, seed: int) -> None:
    """Who is answered asks again at once, who was turned away some time later; one user has three conversations."""
    turns, random = Turns(room, Clock()), Random(seed)
    users = [f"user {n}" for n in range(room + more)]
    served = Counter(dict.fromkeys(users, 0))
    away, running = [*users, users[0], users[0]], list[str]()

    def turned_away(user: str) -> bool:
        number = turns.admitted(user, 1, room - len(running))
        if number is not None:
            running.append(user)
            turns.begun(number)
        return number is None

    for _ in range(30 * len(users)):
        if running:
            user = running.pop(random.randrange(len(running)))
            served[user] += 1
            away += [user] if turned_away(user) else []
        random.shuffle(away)
        away = [user for user in away if random.random() < 0.5 or turned_away(user)]
    assert max(served.values()) <= 2 * min(served.values())


def test_a_user_with_many_runs_does_not_keep_others_waiting() -> None:
    async def order() -> list[str]:
        turns, begun = Turns(1), list[str]()

        async def run(user: str) -> None:
            number = turns.admitted(user, 1, 100)
            assert number is not None
            await turns.take(number)
            begun.append(user)
            await asyncio.sleep(0)
            turns.give_back()

        await asyncio.gather(*(run(user) for user in ["many"] * 6 + ["few"] * 2))
        return begun

    assert asyncio.run(order())[:4] in (["many", "few", "many", "few"], ["many", "many", "few", "many"])


def test_a_place_is_kept_for_who_was_turned_away_and_only_for_a_while() -> None:
    clock = Clock()
    turns = Turns(1, clock)
    assert turns.admitted("first", 1, 1) == 0
    assert turns.admitted("late", 1, 0) is None
    assert turns.admitted("first", 1, 1) is None, "one who was served before takes the place"
    assert turns.admitted("late", 1, 1) == 0
    assert turns.admitted("late", 1, 1) is None
    clock.now += CLAIM_SECONDS
    assert turns.admitted("first", 1, 1) is not None


async def test_a_run_that_is_given_up_while_it_waits_takes_no_place() -> None:
    turns = Turns(1)
    await turns.take(0)
    waiting = [asyncio.create_task(turns.take(number)) for number in (1, 2)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    turns.give_back()
    await asyncio.wait_for(waiting[1], 1)
    turns.give_back()
    await asyncio.wait_for(turns.take(3), 1)
