"""`clew` commands in processes that are forked from one that has imported Clew already: each starts in moments."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from multiprocessing.reduction import DupFd
from pathlib import Path
from subprocess import TimeoutExpired
from threading import Thread
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
PRELOADED = ["clew.app.cli.ask", "clew.app.cli.chat", "clew.app.graph_context", "clew.app.traces.recording"]
PRELOADED += ["clew.graphs.ask", "clew.agents.answering.node_reasoner", "neo4j", "scipy.special"]
PRELOADED += ["clew.app.serving.application", "torch"]  # of servers


def environment(home: Path) -> dict[str, str]:
    """The environment of a command with `home` as CLEW_HOME and no other setting of Clew."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CLEW_")}
    return {**kept, "CLEW_HOME": str(home), "CLEW_WARM": "0", "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


@cache
def fork_server() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


class CommandProcess:
    """`clew ARGUMENTS` in a process of its own, with the part of the interface of `subprocess.Popen` that tests use.

    `code` runs before the command, and `prepare` before that. The streams of the command are pipes; the descriptor of
    a `terminal` replaces all three.
    """

    def __init__(
        self,
        home: Path,
        *arguments: str,
        code: str = "",
        terminal: int | None = None,
        variables: dict[str, str] | None = None,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        (read_in, write_in), (read_out, write_out), (read_err, write_err) = os.pipe(), os.pipe(), os.pipe()
        descriptors = (read_in, write_out, write_err) if terminal is None else (terminal,) * 3
        given = (_Streams(descriptors), {**environment(home), **(variables or {})}, code, arguments, prepare)
        self._process = fork_server().Process(target=_run, args=given)
        self._process.start()
        for descriptor in (read_in, write_out, write_err):
            os.close(descriptor)
        self._stdin = os.fdopen(write_in, "w")
        self.stdout, self.stderr = os.fdopen(read_out, errors="replace"), os.fdopen(read_err, errors="replace")

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        if self._process.exitcode is None and self._process.pid is not None:
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise TimeoutExpired("clew", timeout or 0.0)
        return self._process.exitcode

    def communicate(self, input: str = "", timeout: float = 60) -> tuple[str, str]:
        """Send `input`, and return all that the command writes to standard output and standard error until its end."""
        ends = time.monotonic() + timeout
        texts: dict[IO[str], str] = {}
        readers = [Thread(target=_read_all, args=(stream, texts), daemon=True) for stream in (self.stdout, self.stderr)]
        for reader in readers:
            reader.start()
        with self._stdin:
            self._stdin.write(input)
        self.wait(timeout)
        for reader in readers:
            reader.join(max(0.0, ends - time.monotonic()))
        return texts[self.stdout], texts[self.stderr]


class _Streams:
    """Descriptors that are sent to another process."""

    def __init__(self, descriptors: tuple[int, ...]) -> None:
        self.descriptors = descriptors

    def __getstate__(self) -> list[object]:
        return [DupFd(each) for each in self.descriptors]  # type: ignore[no-untyped-call]

    def __setstate__(self, state: list[object]) -> None:
        self.descriptors = tuple(each.detach() for each in state)  # type: ignore[attr-defined]


def _read_all(stream: IO[str], texts: dict[IO[str], str]) -> None:
    with stream:
        texts[stream] = stream.read()


def _run(
    streams: _Streams,
    variables: dict[str, str],
    code: str,
    arguments: tuple[str, ...],
    prepare: Callable[[], None] | None,
) -> None:
    for target, descriptor in enumerate(streams.descriptors):
        os.dup2(descriptor, target)
        os.close(descriptor)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w", 1), os.fdopen(2, "w", 1)
    os.environ.clear()
    os.environ.update(variables)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if prepare is not None:
        prepare()
    sys.argv = ["clew", *arguments]
    exec(code, {"__name__": "__main__"})
    from clew.app.cli import main

    main()
