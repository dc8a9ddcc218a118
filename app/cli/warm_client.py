"""The client of the warm process: a process that has imported Clew already, and runs short commands in moments.

There is one per home, started by the first short command. It forks a child for each command, which takes over the
caller's streams, environment and working directory, so that the command does what it would do in the caller's own
process. This module imports only what it needs to find and ask it (`warm_server` is the other side).

Whatever a process inherits, or reads while it imports, is part of the name of the socket: a caller with another
version of the code, another umask or another OMP_NUM_THREADS gets a process of its own.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen

SHORT: Mapping[str, frozenset[str]] = {
    "ask": frozenset(),
    "verify": frozenset(),
    "graphs": frozenset(),
    "schema": frozenset(),
    "documents": frozenset({"list", "show"}),
    "sessions": frozenset({"list", "export"}),
    "trace": frozenset({"list", "show", "diff", "export", "feedback", "replay", "fork"}),
    "gloss": frozenset({"--show", "--check"}),
    "teach": frozenset({"--status"}),
}
"""The commands that run in the warm process: all of a command, or those with one of these subcommands or options."""
GLOBAL_OPTIONS = frozenset({"--home", "--database-url", "--model", "--base-url"})
"""Options before the command that take a value."""
READ_BY_IMPORTS = (
    "PYTHON", "LANG", "LC_", "LD_", "TMP", "TEMP", "HOME", "XDG_", "SSL_", "MALLOC_", "OMP_", "KMP_", "MKL_",
    "OPENBLAS_", "NPY_", "NUMBA_", "RAYON_", "TOKENIZERS_", "TIKTOKEN_", "HF_", "HUGGINGFACE_", "TRANSFORMERS_",
    "TORCH", "CUDA_", "LANGCHAIN_", "LANGSMITH_", "LANGGRAPH_", "OTEL_",
)  # fmt: skip
"""Beginnings of the environment variables that the interpreter and libraries read when they start. The warm process
gets no others, and its children get the caller's."""
ACCEPTED, READY, GO = b"a", b"r", b"g"
"""The server takes a request; a child waits to run it (the number of its process follows); the child may run."""
PID_BYTES = 4
_OFF = frozenset({"0", "off", "f", "false", "n", "no"})
_ACCEPT_S, _READY_S, _START_S = 5.0, 60.0, 10.0
_POLL_S = 0.01


def answered(arguments: Sequence[str]) -> int | None:
    """The exit status of a command that the warm process ran; None if this process should run it."""
    try:
        home = _home_of(arguments)
        if home is None or not _is_possible() or not os.path.isdir(home):
            return None
        folder, name = os.path.join(home, "warm"), f"{_identity()}.sock"
        connection = connected(folder, name) or _started(folder, name)
        if connection is None:
            return None
        with connection:
            child = _waiting_child(connection, arguments)
            return None if child is None else _status(connection, child)
    except OSError:
        return None  # It stopped at this moment, or cannot be started here.


def connected(folder: str, name: str) -> socket.socket | None:
    """A connection to the process that listens in `folder`; None if there is none of this user."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(_ACCEPT_S)
    try:
        within = os.open(folder, os.O_PATH)
        try:
            path = f"/proc/self/fd/{within}/{name}"  # the address of a socket holds 107 bytes, and a path may be longer
            if {os.stat(within).st_uid, os.stat(path).st_uid} == {os.getuid()}:
                connection.connect(path)
                return connection
        finally:
            os.close(within)
    except OSError:
        pass
    connection.close()
    return None


def code_stamp() -> list[tuple[str, int]]:
    """The files of Clew, and the folders of installed packages, with the times of their last change."""
    installed = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    found = [(path, os.stat(path).st_mtime_ns) for path in installed if os.path.isdir(path)]
    folders = [_code_root() + "/clew"]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if not entry.is_dir():
                    found.append((entry.path, entry.stat().st_mtime_ns))
                elif entry.name not in ("__pycache__", "web"):
                    folders.append(entry.path)
    return sorted(found)


def _home_of(arguments: Sequence[str]) -> str | None:
    """The home of a short command; None for another command."""
    home, words = os.environ.get("CLEW_HOME"), iter(arguments)
    for word in words:
        option, is_joined, value = word.partition("=")
        if option in GLOBAL_OPTIONS:
            value = value if is_joined else next(words, "")
            home = value if option == "--home" else home
        elif not word.startswith("-"):
            return _absolute(home) if _is_short(word, list(words)) else None
        elif word not in ("-v", "-vv", "--verbose"):
            return None
    return None


def _is_short(command: str, rest: Sequence[str]) -> bool:
    wanted = SHORT.get(command)
    if not wanted:
        return wanted is not None
    return not wanted.isdisjoint([*rest[:1], *(word for word in rest if word.startswith("--"))])


def _absolute(home: str | None) -> str:
    if home:
        return os.path.abspath(os.path.expanduser(home))
    from platformdirs import user_data_path

    return str(user_data_path("clew", appauthor=False))


def _is_possible() -> bool:
    """Whether the system can fork and pass descriptors, the streams are open, and the settings allow it."""
    if not sys.platform.startswith("linux") or os.environ.get("CLEW_WARM", "").strip().lower() in _OFF:
        return False
    return None not in (sys.stdin, sys.stdout, sys.stderr)


def _identity() -> str:
    """A name for all that a process inherits from its caller or reads while it imports."""
    import resource

    try:
        from _blake2 import blake2b  # `hashlib` loads OpenSSL, which takes as long as all else here.
    except ImportError:
        from hashlib import blake2b

    mask = os.umask(0o077)
    os.umask(mask)
    limits = [resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")]
    python = [sys.executable, sys.version, sys.flags, sys.warnoptions, sys._xoptions]
    spaces = [os.readlink(entry.path) for entry in os.scandir("/proc/self/ns")]  # a home may be shared by containers
    inherited = [mask, os.nice(0), os.getgroups(), sorted(os.sched_getaffinity(0)), limits, os.uname(), sorted(spaces)]
    whole = repr([python, code_stamp(), inherited, sorted(_environment())])
    return blake2b(whole.encode(errors="surrogateescape"), digest_size=8).hexdigest()


def _environment() -> Iterator[tuple[str, str]]:
    return ((name, value) for name, value in os.environ.items() if name.startswith(READ_BY_IMPORTS))


def _code_root() -> str:
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def _started(folder: str, name: str) -> socket.socket | None:
    """A connection to a new warm process; of several callers at once, one starts it."""
    import time

    import filelock

    for each in (os.path.dirname(folder), folder):
        os.makedirs(each, mode=0o700, exist_ok=True)
    if os.stat(folder).st_uid != os.getuid():
        return None
    deadline = time.monotonic() + _START_S
    try:
        with filelock.FileLock(os.path.join(folder, "start.lock"), timeout=_START_S):
            if connection := connected(folder, name):
                return connection
            process = _spawned(folder, name)
            while process.poll() is None and time.monotonic() < deadline:
                if connection := connected(folder, name):
                    return connection
                time.sleep(_POLL_S)
    except filelock.Timeout:
        pass
    return None


def _spawned(folder: str, name: str) -> Popen[bytes]:
    import subprocess

    path = [_code_root(), os.environ.get("PYTHONPATH")]
    environment = {**dict(_environment()), "PYTHONPATH": os.pathsep.join(filter(None, path))}
    options = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    with open(os.path.join(folder, "log"), "wb") as log:
        return subprocess.Popen(
            [sys.executable, *options, "-P", "-m", "clew.app.cli.warm_server", name],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _waiting_child(connection: socket.socket, arguments: Sequence[str]) -> int | None:
    """The number of the process that waits to run the command; None if the warm process does not serve it."""
    if connection.recv(1) != ACCEPTED:  # Streams that wait in the queue of a process that hangs would stay open.
        return None
    _send(connection, arguments)
    connection.settimeout(_READY_S)
    with connection.makefile("rb") as sent:
        ready = sent.read(1 + PID_BYTES)
    connection.settimeout(None)
    return int.from_bytes(ready[1:], "big") if ready[:1] == READY else None


def _status(connection: socket.socket, child: int) -> int:
    """The exit status of the command, which runs in `child` from now on."""
    _pass_on_signals(child)
    try:
        connection.sendall(GO)
        status = connection.recv(1)
    except OSError:
        status = b""
    if status:
        return status[0]
    print(
        "Error: The process that ran the command ended unexpectedly.\n"
        "Run it again; with CLEW_WARM=0 it runs in a process of its own.",
        file=sys.stderr,
    )
    return 1


def _send(connection: socket.socket, arguments: Sequence[str]) -> None:
    """Send the command with the standard streams and the working directory of this process."""
    import json

    options = ("encoding", "errors", "line_buffering", "write_through")
    streams = [{name: getattr(stream, name) for name in options} for stream in (sys.stdin, sys.stdout, sys.stderr)]
    request = {"arguments": [sys.argv[0], *arguments], "environment": dict(os.environ), "streams": streams}
    text = json.dumps(request).encode()
    here = os.open(".", os.O_PATH)
    try:
        socket.send_fds(connection, [len(text).to_bytes(4, "big")], [0, 1, 2, here])
    finally:
        os.close(here)
    connection.sendall(text)


def _pass_on_signals(child: int) -> None:
    """Send what the terminal sends to this process, Ctrl-C and Ctrl-Z, to the child as well."""
    import signal

    def interrupt(*_: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGINT)

    def suspend(*_: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)  # until the shell continues this process
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGCONT)

    for number, pass_on in ((signal.SIGINT, interrupt), (signal.SIGTSTP, suspend)):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, pass_on)
