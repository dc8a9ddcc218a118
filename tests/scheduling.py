"""Which process runs which test file."""

from __future__ import annotations

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

TOGETHER = {"tests/faults/test_damaged_files.py": "tests/faults/test_doctor.py"}
"""By test file another one that shares a fixture with it: both run in one process, which makes the fixture once."""


class FileScheduling(LoadFileScheduling):
    """Runs each file in one process, and in the others what a process that crashed had not yet run.

    The base class gives the others also the files that the process had finished, and the test that crashed it. A
    process waits for ever that is given nothing to run, or one test and no word that it is the last.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return TOGETHER.get(file, file)

    def remove_node(self, node: WorkerController) -> str | None:
        files = self.assigned_work.pop(node)
        left = [(file, name) for file, tests in files.items() for name, done in tests.items() if not done]
        if not left:
            return None
        for file, name in left[1:]:
            self.workqueue.setdefault(file, {})[name] = False
        for other in self.nodes:
            self._reschedule(other)
        return left[0][1]

    def _reschedule(self, node: WorkerController) -> None:
        if node.shutting_down or node not in self.registered_collections:
            return
        while self.workqueue and self._pending_of(self.assigned_work[node]) <= 2:
            self._assign_work_unit(node)
        if not self.workqueue:
            node.shutdown()
