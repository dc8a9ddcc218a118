"""How much is made to happen, and a home that is damaged again and again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from clew.tools.graph.store import daemon
from tests.faults.asking import Asker, Said, asker
from tests.faults.world import GRAPH, QUESTIONS, copy_home, make_home

TIMES = int(os.environ.get("CLEW_FAULTS", "2"))
"""Kills of a database; `make test-faults` asks for 50, and then damages every file."""
FULL = TIMES >= 10
full_suite = pytest.mark.skipif(not FULL, reason="in the full suite: make test-faults")
"""For tests that take many seconds beside another one of the same fault."""


class Damaged(NamedTuple):
    """A home and a sound copy of it."""

    home: Path
    sound: Path
    asker: Asker
    said: list[Said]
    """To the questions, by the sound home."""

    def restore(self, *, database: bool = False) -> None:
        copy_home(self.sound, self.home, database=database)


@pytest.fixture(scope="session")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Damaged]:
    """A home with everything in it, and its server. Its making is slow: test files that use it run in one process."""
    home, sound = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("sound")
    try:
        make_home(home, tmp_path_factory.mktemp("files") / "films", taught=FULL)
        dense = home / "graphs" / GRAPH / "dense"
        dense.rename(home / "dense")
        with asker(home, [QUESTIONS[1], QUESTIONS[3]]) as asking:
            (home / "dense").rename(dense)
            asking.ask(QUESTIONS)  # What is made at the first use is there from now on.
            daemon.stop(home)
            copy_home(home, sound, database=True)
            said = asking.ask(QUESTIONS)
            yield Damaged(home, sound, asking, said)
    finally:
        daemon.stop(home)
