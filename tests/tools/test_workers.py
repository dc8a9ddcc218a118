"""The same work in this process, in others and on Ray."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from clew.tools.embedding import Vectors
from clew.tools.embedding.embedder import Embedder
from clew.tools.embedding.spread import SpreadEmbedder
from clew.tools.errors import BadInput
from clew.tools.text_search.index import TextIndex
from clew.tools.text_search.source import TextNode
from clew.tools.workers import Workers
from tests.app.serving.serving_world import until
from tests.command_processes import ROOT

SCRIPT = """
import time
from multiprocessing import get_context
from clew.tools import workers

process = get_context("forkserver").Process(target=workers.end_with_the_first_process)
process.start()
print(process.pid, flush=True)
time.sleep(60)
"""
TWO = Workers(2)


def doubled() -> Callable[[int], int]:
    begun = os.getpid()

    def work(number: int) -> int:
        assert os.getpid() == begun, "prepared in another process"
        if number == 13:
            raise BadInput("Thirteen.", "Leave it out.")
        return 2 * number

    return work


@pytest.fixture(scope="module")
def ray() -> Iterator[Workers]:
    """Two workers on a Ray of this test's own, on the loopback interface."""
    with pytest.MonkeyPatch.context() as patched, TemporaryDirectory(prefix="ray") as folder:  # of short sockets
        patched.setenv("RAY_TMPDIR", folder)
        module = pytest.importorskip("ray", reason="Ray is not installed: pip install 'clew[ray]'")
        yield Workers(2, "local")
        module.shutdown()


def test_an_address_without_a_cluster_is_named() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'clew[ray]'")
    with pytest.raises(BadInput, match="no Ray cluster at 127"), Workers(1, "127.0.0.1:1").open(doubled):
        pass


def test_results_and_errors_are_the_same_in_other_processes() -> None:
    taken = 0

    def shards() -> Iterator[int]:
        nonlocal taken
        while taken < 1000:
            taken += 1
            yield taken

    for workers in (Workers(), TWO):
        taken = 11
        with workers.open(doubled) as mapped:
            assert list(mapped(range(12))) == [2 * number for number in range(12)]
            results = mapped(shards())
            assert next(results) == 24
            assert taken < 40, "more shards are under way than the workers need"
            with pytest.raises(BadInput, match="Thirteen") as raised:
                next(results)
            assert raised.value.remedy == "Leave it out."


def test_a_worker_ends_when_the_first_process_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", SCRIPT], cwd=ROOT, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        worker = int(first.stdout.readline())
        assert is_alive(worker)
        first.kill()
    until(lambda: not is_alive(worker))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class _Digests:
    """Vectors made from hashes of texts, without a model."""

    name = "digests"
    dimension = 32

    def embed(self, texts: list[str]) -> Vectors:
        rows = np.array([list(sha256(text.encode()).digest()) for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def arrays_of(folder: Path, embedder: Embedder) -> dict[str, bytes]:
    nodes = (TextNode(f"n{n}", f"Node {n}", "Note", (("text", f"{n} is noted. " * 20),)) for n in range(1500))
    TextIndex.build(nodes, folder, "1", embedder)
    data = next(folder.glob("data-*"))
    return {str(path.relative_to(data)): path.read_bytes() for path in data.rglob("*") if path.is_file()}


def test_an_index_is_the_same_wherever_its_texts_are_embedded(tmp_path: Path, ray: Workers) -> None:
    here = arrays_of(tmp_path / "here", _Digests())
    for workers in (TWO, ray):
        assert arrays_of(tmp_path / f"on {workers.ray}", SpreadEmbedder(_Digests(), _Digests, workers)) == here


def test_ray_gives_results_in_order_and_errors_as_they_are(ray: Workers) -> None:
    with ray.open(doubled) as mapped:
        assert list(mapped(range(12))) == [2 * number for number in range(12)]
        with pytest.raises(BadInput, match="Thirteen"):
            list(mapped([13]))
