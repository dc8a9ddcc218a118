"""Every file of a home is damaged, one after the other: answers stay right or are marked, errors have a remedy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.tools.graph.store import daemon
from tests.faults.asking import flaws
from tests.faults.conftest import FULL, Damaged, full_suite
from tests.faults.world import DAMAGES, QUESTIONS, kept_files, overwritten

BOUNDED_FILES = 5

Case = tuple[Path, Callable[[Path], None]]


def cases(home: Path, *, database: bool) -> list[Case]:
    """In the full suite every file, else some; each in one way, which change in turn."""
    files = kept_files(home, database=database)
    every = [(path, DAMAGES[n % len(DAMAGES)]) for n, path in enumerate(files)]
    return every if FULL else every[:: max(1, len(every) // BOUNDED_FILES)]


@pytest.mark.timeout(3600)
def test_damage_to_any_file_is_told_or_does_not_matter(damaged: Damaged) -> None:
    broken: dict[str, list[str]] = {}
    chosen = cases(damaged.sound, database=False)
    assert len(chosen) >= BOUNDED_FILES
    for path, damage in chosen:
        damaged.restore()
        damage(damaged.home / path)
        if found := flaws(QUESTIONS, damaged.said, damaged.asker.ask(QUESTIONS)):
            broken[f"{path} {damage.__name__}"] = found
    damaged.restore()
    print(f"{len(chosen)} files damaged")
    assert not broken, broken


@full_suite
@pytest.mark.timeout(3600)
def test_damage_to_any_file_of_the_database_is_told_or_does_not_matter(damaged: Damaged) -> None:
    broken: dict[str, list[str]] = {}
    chosen = cases(damaged.sound, database=True)
    for path, damage in chosen:
        daemon.stop(damaged.home)
        damaged.restore(database=True)
        damage(damaged.home / path)
        if found := flaws(QUESTIONS, damaged.said, damaged.asker.ask(QUESTIONS)):
            broken[f"{path} {damage.__name__}"] = found
    daemon.stop(damaged.home)
    damaged.restore(database=True)
    print(f"{len(chosen)} files of the database damaged")
    assert not broken, broken


@full_suite
@pytest.mark.parametrize("damage", [each for each in DAMAGES if each is not overwritten])  # That hits no record here.
def test_records_that_the_database_has_lost_are_told(damaged: Damaged, damage: Callable[[Path], None]) -> None:
    daemon.stop(damaged.home)
    damaged.restore(database=True)
    damage(next((damaged.home / "database" / "databases").glob("*/DIRECTED_0.*.bucket")))
    [doctor] = damaged.asker.ask([("doctor",)])
    assert (doctor.status, "not sound" in doctor.told) == (1, True), doctor
    assert not flaws(QUESTIONS, damaged.said, damaged.asker.ask(QUESTIONS))
    daemon.stop(damaged.home)
    damaged.restore(database=True)


@full_suite
def test_a_sound_home_is_told_nothing(damaged: Damaged) -> None:
    damaged.restore()
    again = damaged.asker.ask(QUESTIONS)
    assert [each.answers for each in again] == [each.answers for each in damaged.said]
    assert [each.told for each in again] == [each.told for each in damaged.said]
    assert {each.status for each in again} == {0}
