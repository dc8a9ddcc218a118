"""Pages that were being written when the embedded database was killed: nothing that was acknowledged is lost."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.graph.store import daemon, open_database
from clew.tools.graph.store.torn_pages import before_first, rewind
from tests.tools.graph.engine_process import ROWS

BATCHES = 6
NODES = ROWS * BATCHES
KEYS = {"keys": [f"film {number}" for number in range(NODES)]}
BLOCK = 4096
"""The kernel writes a page in blocks, in order, and a signal ends it between two of them."""
CUTS = (1, 2, 7, 15)


def run(task: str, *folders: Path) -> list[str]:
    command = [sys.executable, "-m", "tests.tools.graph.engine_process", task, *map(str, folders)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.splitlines()


def paged(folder: Path) -> dict[Path, int]:
    """The files of pages that hold something, and the size of their pages."""
    files = [path for path in folder.iterdir() if path.suffix in (".bucket", ".numtidx") and path.stat().st_size]
    return {path: int(path.name.split(".")[-3]) for path in files}


def versions(folder: Path) -> list[int]:
    return [int.from_bytes(path.read_bytes()[:4], "big") for path in paged(folder)]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that was killed when its pages had been written, but its log was still there."""
    folder = tmp_path_factory.mktemp("torn") / "whole"
    command = [sys.executable, "-m", "tests.tools.graph.engine_process", "write", str(folder), str(BATCHES)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "written" in process.stdout.readline()
        limit = time.monotonic() + 30
        while min(versions(folder)) < BATCHES and time.monotonic() < limit:
            time.sleep(0.05)
        process.kill()
    return folder


def cut(whole: Path, blocks: int) -> Path:
    """A copy of a database, of whose pages only the first blocks were written."""
    folder = whole.parent / f"cut-{blocks}"
    shutil.copytree(whole, folder)
    for path, size in paged(folder).items():
        content = bytearray(path.read_bytes())
        for page in range(0, len(content), size):
            content[page + blocks * BLOCK : page + size] = bytes(max(0, size - blocks * BLOCK))
        path.write_bytes(content)
    return folder


def test_a_page_that_was_written_in_part_is_whole_again(killed: Path) -> None:
    assert run("check", *(cut(killed, blocks) for blocks in CUTS)) == [f"{NODES} {NODES}"] * len(CUTS)


def test_a_server_that_starts_mends_it(killed: Path, tmp_path: Path) -> None:
    (tmp_path / "database" / "databases").mkdir(parents=True)
    cut(killed, 5).rename(tmp_path / "database" / "databases" / "films")
    unreadable = tmp_path / "database" / "databases" / "unreadable"
    (unreadable / "txlog_0.wal").mkdir(parents=True)
    (unreadable / "database.lck").touch()
    try:
        database = open_database(tmp_path)
        rows = database.open("films").scan("UNWIND $keys AS key MATCH (n:Film {nodeId: key}) RETURN n.name", KEYS)
        assert len(list(rows)) == NODES
        database.close()
    finally:
        daemon.stop(tmp_path)


def test_the_engine_alone_does_not_mend_it(killed: Path) -> None:
    """Once this fails, the module is not needed any more."""
    folder = killed.parent / "raw"
    cut(killed, 3).rename(folder)
    assert run("check-raw", folder) != [f"{NODES} {NODES}"]


def test_a_database_that_was_closed_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "txlog_0.wal").write_bytes(b"anything")
    assert rewind(tmp_path) == 0


changes = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 30)), max_size=12).map(sorted)


@given(st.integers(0, 9), changes)
def test_the_log_leads_to_the_version_of_the_page_without_a_gap(version: int, changes: list[tuple[int, int]]) -> None:
    first = before_first(version, changes)
    applied = [change for change in sorted(set(changes)) if first < change[0] <= version]
    assert first <= version
    assert [each for each, _ in applied] == list(range(first + 1, version + 1))
    assert all(one < other for (_, one), (_, other) in pairwise(applied))
