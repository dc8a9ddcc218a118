"""The warm process: it has imported what short commands need and opened the graphs that were asked last, and forks a
child for each command (`warm_client` starts and asks it).

It stays safe to fork: it has one thread and no connections, and leaves to its children whatever starts threads. A child
is an ordinary process from then on, whose parent has done the slow part of its start. It ends with its caller.

Run as `python -m clew.app.cli.warm_server NAME.sock` in the folder of the socket.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import struct
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from clew.app.cli import COLLECTED_AFTER
from clew.app.cli.invocation import QUIET
from clew.app.cli.warm_client import ACCEPTED, GO, PID_BYTES, READY, code_stamp
from clew.app.cli.warm_graphs import WarmGraphs
from clew.app.loading import answering_steps, connecting_steps

IDLE_SECONDS = 600.0
Step = Callable[[], object]
COMMANDS = (
    "clew.app.cli.commands", "clew.app.cli.graphs", "clew.app.cli.progress_bars", "clew.app.cli.trace",
    "clew.app.cli.sessions", "clew.app.cli.documents", "clew.app.cli.ask", "clew.app.cli.verify",
)  # fmt: skip
"""Imported before the first command runs, with what connects to a graph."""
READERS = frozenset({"ask", "verify", "replay", "fork"})
"""Commands that wait for what questions need; otherwise it is loaded while there is no command."""
_CHECK_S, _STAMP_S, _REQUEST_S = 0.5, 10.0, 1.0
_QUIET_S = 1.0
"""After so long without a command, there is time for what takes a second."""


class Request:
    """A command, with its caller's streams and working directory."""

    def __init__(self, connection: socket.socket) -> None:
        """Raises OSError or ValueError for a connection of another user, or without a request."""
        self.connection = connection
        connection.settimeout(_REQUEST_S)
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        if struct.unpack("3i", credentials)[1] != os.getuid():
            raise PermissionError
        connection.sendall(ACCEPTED)
        size, self.descriptors, _, _ = socket.recv_fds(connection, 4, 4)
        with connection.makefile("rb") as sent:
            self.fields: dict[str, Any] = json.loads(sent.read(int.from_bytes(size, "big")))
        connection.settimeout(None)

    @property
    def arguments(self) -> list[str]:
        given: list[str] = self.fields["arguments"]
        return given[1:]

    def close(self) -> None:
        """In the process that does not run the command."""
        self.connection.close()
        for descriptor in self.descriptors:
            os.close(descriptor)


class Server:
    """Listens on a socket in the working directory."""

    def __init__(self, name: str) -> None:
        self.name = name
        Path(name).unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        mask = os.umask(0o177)
        self.listener.bind(name)
        os.umask(mask)
        self.listener.listen(64)
        self._own = os.stat(name).st_ino
        self._code = code_stamp()
        self._checked = self._used = time.monotonic()
        self.graphs = WarmGraphs()
        self._to_connect: list[Step] = [*(partial(import_module, name) for name in COMMANDS), *connecting_steps()]
        self._to_answer: list[Step] = [*answering_steps()]

    def serve(self) -> Request:
        """Fork a child for each command until nobody needs the process any more, and then end.

        Returns:
            In a child, the command that it is to run.
        """
        signal.signal(signal.SIGTERM, lambda *_: self._end())
        while self._is_wanted():
            is_quiet = time.monotonic() - self._used > _QUIET_S
            wait = 0.0 if self._to_connect or (self._to_answer and is_quiet) else _CHECK_S
            readable = select.select([self.listener, self.graphs.announced], [], [], wait)[0]
            if self.listener in readable:
                if (request := self._accepted()) is not None and self._forked(request):
                    return request
            elif self.graphs.announced in readable:
                _without_a_word(self.graphs.open_announced)
            elif self._to_connect:
                _without_a_word(self._to_connect.pop(0))
            elif self._to_answer and is_quiet:
                _without_a_word(self._to_answer.pop(0))
            elif not self.graphs.is_ready and is_quiet:
                _without_a_word(self.graphs.search_documents)
            with suppress(ChildProcessError):
                os.waitpid(-1, os.WNOHANG)
        self._end()

    def _accepted(self) -> Request | None:
        connection = self.listener.accept()[0]
        self._used = time.monotonic()
        try:
            return Request(connection)
        except (OSError, ValueError):
            connection.close()
            return None

    def _forked(self, request: Request) -> bool:
        """Whether this is the child."""
        steps = [self._to_connect] if READERS.isdisjoint(request.arguments) else [self._to_connect, self._to_answer]
        for each in steps:
            while each:
                _without_a_word(each.pop(0))
        gc.freeze()  # A collection in the child would copy the memory that it shares with this process.
        if os.fork() == 0:
            self.listener.close()
            return True
        gc.unfreeze()
        request.close()
        return False

    def _is_wanted(self) -> bool:
        """Whether the socket and the code are still there, the process was used lately and can be forked."""
        now = time.monotonic()
        try:
            if os.stat(self.name).st_ino != self._own:
                return False
            if now - self._checked > _STAMP_S:
                self._checked = now
                if code_stamp() != self._code:
                    return False
        except OSError:
            return False
        return now - self._used < IDLE_SECONDS and threading.active_count() == 1 and "torch" not in sys.modules

    def _end(self) -> NoReturn:
        """End, and leave no socket behind, unless it is another process's. Children go on."""
        with suppress(OSError):
            if os.stat(self.name).st_ino == self._own:
                os.unlink(self.name)
        os._exit(0)


def _without_a_word(load: Step) -> None:
    """What fails here fails again, with a message, in the child that needs it."""
    with warnings.catch_warnings(), suppress(Exception):
        warnings.simplefilter("ignore")
        load()


def _take_over(request: Request) -> None:
    """Become what the caller is: its streams, working directory and environment, and the signals of a new process."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    *streams, here = request.descriptors
    os.fchdir(here)
    for target, descriptor in enumerate(streams):
        os.dup2(descriptor, target)
    for descriptor in request.descriptors:
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request.fields["environment"])
    time.tzset()
    sys.stdin, sys.stdout, sys.stderr = (_stream(*each) for each in enumerate(request.fields["streams"]))
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    sys.argv = request.fields["arguments"]


def _stream(descriptor: int, options: dict[str, Any]) -> TextIOWrapper:
    """A standard stream as the caller has it."""
    buffering = 0 if options["write_through"] else -1
    return TextIOWrapper(open(descriptor, "wb" if descriptor else "rb", buffering, closefd=False), **options)


def _run(request: Request, graphs: WarmGraphs) -> NoReturn:
    """Run the command and report its exit status to the caller; then end as every process does."""
    from clew.app.cli.commands import ended, run
    from clew.app.cli.invocation import Invocation

    _take_over(request)
    if not _is_awaited(request.connection):
        os._exit(0)
    threading.Thread(target=_end_with_caller, args=(request.connection,), daemon=True).start()
    status = ended(run(request.arguments, Invocation(graphs.client)))
    request.connection.sendall(bytes([status & 0xFF]))
    os._exit(status)


def _is_awaited(connection: socket.socket) -> bool:
    """Whether the caller still waits for its command."""
    try:
        connection.sendall(READY + os.getpid().to_bytes(PID_BYTES, "big"))
        return connection.recv(1) == GO
    except OSError:
        return False


def _end_with_caller(connection: socket.socket) -> None:
    """A caller that is killed closes its connection."""
    with suppress(OSError):
        connection.recv(1)
    os._exit(1)


def main() -> None:
    """Run the warm process, which listens on the socket that the first argument names."""
    gc.set_threshold(*COLLECTED_AFTER)
    os.environ.update(QUIET)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # Its threads would not be in the children, which wait for them.
    server = Server(sys.argv[1])
    _run(server.serve(), server.graphs)


if __name__ == "__main__":
    main()
