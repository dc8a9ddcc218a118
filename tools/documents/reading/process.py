"""Reading files in a process of its own: a hostile file can take no more memory, time or text than that process may.

Plain text and tables of delimited text are read in this process: they take memory in proportion to their size.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Literal

from clew.tools.documents.reading import is_plain, read
from clew.tools.documents.reading.block_lines import decoded, line_of
from clew.tools.documents.reading.blocks import Content
from clew.tools.documents.reading.child import LAST
from clew.tools.documents.reading.options import ReadingOptions
from clew.tools.errors import BadInput, BoundPassed
from clew.tools.process_bounds import OUT_OF_MEMORY

_CHILD = (
    "import json, sys; given = json.loads(sys.argv[1]); sys.path[:] = given.pop(); "
    "from clew.tools.documents.reading.child import main; main(*given)"
)
_MEGABYTE = 1_000_000
_SHORTER = "Leave it out, split it or save it as plain text"


class ReadingProcess:
    """One process for many files: started for the first that is not plain text, and again after one that ended it.

    It ends with the `with` statement, however that is left. For one thread.
    """

    def __init__(self, options: ReadingOptions) -> None:
        self.options = options
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> ReadingProcess:
        return self

    def start_for(self, paths: Iterable[Path]) -> None:
        """Start the process if one of these files needs it, so that it is ready when that is read."""
        if self._child is None and not all(map(is_plain, paths)):
            self._start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if (child := self._child) is not None:
            self._child = None
            child.kill()
            child.communicate()

    def read(self, path: Path, encoding: str | None) -> Content:
        """As `reading.read`.

        Raises:
            BoundPassed: the file takes more than the options allow.
            BadInput: it cannot be read.
        """
        if is_plain(path):
            return read(path, encoding)
        try:
            answer = self._answer(line_of([str(path), encoding]))
        except BaseException:
            self.close()
            raise
        if answer is None:
            raise self._ended(path)
        verdict, _, content = answer.partition(b"\n")
        error = json.loads(verdict)
        if error == []:
            raise self._passed(path, "text")
        if error is not None:
            raise BadInput(*error)
        return decoded(content)

    def _answer(self, request: bytes) -> bytes | None:
        """The answer of the process; None where it ended without one."""
        child = self._child or self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(request)
            child.stdin.flush()
        except BrokenPipeError:
            return None
        head = child.stdout.read(9)
        size = int.from_bytes(head[1:], "big")
        answer = child.stdout.read(size) if size <= self._most + 64 * 1024 else b""
        if not size or len(answer) < size:
            return None
        if head[:1] == LAST:
            self.close()
        return answer

    @property
    def _most(self) -> int:
        return int(self.options.text_mb * _MEGABYTE)

    def _start(self) -> subprocess.Popen[bytes]:
        given = [os.getpid(), int(self.options.memory_mb * _MEGABYTE), self.options.seconds, self._most, sys.path]
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-c", _CHILD, json.dumps(given)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return self._child

    def _ended(self, path: Path) -> BadInput:
        """The error for a file at which the process ended."""
        assert self._child is not None
        status = self._child.wait()
        _, said = self._child.communicate()
        self._child = None
        if said:
            raise RuntimeError(f"The process that reads documents did not start: {said.decode(errors='replace')}")
        if status == -signal.SIGALRM:
            return self._passed(path, "time")
        if status in (OUT_OF_MEMORY, -signal.SIGKILL):  # The system kills a process when it has no memory left itself.
            return self._passed(path, "memory")
        why = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        return BadInput(f"{path} ended the process that read it ({why}).", f"{_SHORTER}.")

    def _passed(self, path: Path, bound: Literal["memory", "time", "text"]) -> BoundPassed:
        options = self.options
        limit, setting = {
            "memory": (f"{options.memory_mb:,g} MB of memory", "CLEW_DOCUMENT_MEMORY_MB"),
            "time": (f"{options.seconds:,g} s", "CLEW_DOCUMENT_SECONDS"),
            "text": (f"{options.text_mb:,g} MB for what it holds", "CLEW_DOCUMENT_TEXT_MB"),
        }[bound]
        return BoundPassed(f"{path} takes more than {limit}.", f"{_SHORTER}, or raise {setting}.", bound=bound)
