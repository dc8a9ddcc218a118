"""Every test is run once, whichever processes crash while they run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scheduling import FileScheduling


class Process:
    """What the scheduler knows of a process: it runs a test when it has the next one, or knows that there is none."""

    def __init__(self, name: str) -> None:
        self.gateway = SimpleNamespace(id=name)
        self.shutting_down = False
        self.queue: list[int] = []

    def send_runtest_some(self, tests: list[int]) -> None:
        self.queue += tests

    def shutdown(self) -> None:
        self.shutting_down = True

    @property
    def can_run(self) -> bool:
        return len(self.queue) > 1 or bool(self.queue and self.shutting_down)


def start(scheduling: Any, name: str, tests: list[str]) -> Process:
    process = Process(name)
    scheduling.add_node(process)
    scheduling.add_node_collection(process, tests)
    return process


@given(
    sizes=st.lists(st.integers(1, 6), min_size=4, max_size=30),
    crashing=st.sets(st.integers(0, 40), max_size=4),
    choices=st.randoms(use_true_random=False),
)
def test_all_tests_run_once(sizes: list[int], crashing: set[int], choices: Any) -> None:
    tests = [f"tests/test_{file}.py::test_{number}" for file, size in enumerate(sizes) for number in range(size)]
    option = SimpleNamespace(loadscopereorder=False)
    scheduling: Any = FileScheduling(SimpleNamespace(option=option, getvalue=lambda _: ["popen"] * 3))  # type: ignore[arg-type]
    processes = [start(scheduling, f"gw{number}", tests) for number in range(3)]
    scheduling.schedule()
    ran: list[str] = []
    while ready := [process for process in processes if process.can_run]:
        process = choices.choice(ready)
        test = process.queue[0]
        ran.append(tests[test])
        if len(ran) - 1 in crashing:
            processes.remove(process)
            assert scheduling.remove_node(process) == tests[test]
            processes.append(start(scheduling, f"gw{len(ran) + 3}", tests))
            scheduling.schedule()
        else:
            process.queue.pop(0)
            scheduling.mark_test_complete(process, test)
    assert sorted(ran) == sorted(tests)
    assert all(process.shutting_down for process in processes)
