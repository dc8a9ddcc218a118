"""The processes of `clew eval --workers` do not outlive the one that started them."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.app.serving.serving_world import until
from tests.command_processes import ROOT

SCRIPT = """
import time
from multiprocessing import get_context
from clew.app.cli import evaluate_processes

process = get_context("forkserver").Process(target=evaluate_processes._end_with_the_first_process)
process.start()
print(process.pid, flush=True)
time.sleep(60)
"""


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_worker_ends_when_the_first_process_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", SCRIPT], cwd=ROOT, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        worker = int(first.stdout.readline())
        assert is_alive(worker)
        first.kill()
    until(lambda: not is_alive(worker))
