"""Commands in processes that are forked from one that has everything loaded: a crash is seen, and a case takes half a
second."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from clew.app.cli import run
from tests.command_processes import environment, fork_server

Command = Sequence[str]
_LIMIT_S = 120
"""After so many seconds a process that hangs is ended, which counts as a crash."""


class Said(NamedTuple):
    """What one command did."""

    status: int
    answers: Any
    """Of JSON, the names of the answers, or the number of items; else whether it wrote anything."""
    told: str
    """Standard error."""


class Asker:
    """Runs commands on a home; each `ask` in a process of its own.

    The commands that warm it up must not start threads, which a fork would lack: they find no index in Chroma.
    """

    def __init__(self, home: Path, warm_up: Sequence[Command] = ()) -> None:
        self._ours, theirs = fork_server().Pipe()
        self._process = fork_server().Process(target=_drive, args=(theirs, home, list(warm_up)), daemon=True)
        self._process.start()
        self._ours.recv()

    def ask(self, commands: Sequence[Command]) -> list[Said]:
        """What the commands did, one after the other in one new process. A process that crashed did less."""
        self._ours.send(list(commands))
        return [Said(*each) for each in self._ours.recv()]

    def close(self) -> None:
        self._ours.send(None)
        self._process.join(10)


@contextlib.contextmanager
def asker(home: Path, warm_up: Sequence[Command] = ()) -> Iterator[Asker]:
    made = Asker(home, warm_up)
    try:
        yield made
    finally:
        made.close()


def flaws(commands: Sequence[Command], sound: Sequence[Said], found: Sequence[Said]) -> list[str]:
    """Where the law is broken: a crash, a traceback, an unexpected error, an error without a remedy, or answers that
    differ from those of the sound home though nothing was said in this run."""
    seen: list[str] = (
        [] if len(found) == len(commands) else [f"it ended after {len(found)} of {len(commands)} commands"]
    )
    told = ""
    for command, before, after in zip(commands, sound, found, strict=False):
        told += after.told if after.told != before.told else ""
        name = " ".join(command[:2])
        if "unexpected" in after.told or "Traceback" in after.told or after.status not in (0, 1):
            seen.append(f"{name}: {after.status}, {after.told[-400:]}")
        elif after.status == 1 and before.status == 0 and after.told.count("\n") < 2:
            seen.append(f"{name}: no remedy in {after.told!r}")
        elif after.status == 0 and after.answers != before.answers and not told:
            seen.append(f"{name}: {after.answers} in place of {before.answers}, and nothing was said")
    return seen


def _drive(pipe: Connection, home: Path, warm_up: list[Command]) -> None:
    variables = environment(home)
    os.environ.clear()
    os.environ.update(variables)
    from clew.app.loading import answering_steps

    for step in answering_steps():
        step()
    import chromadb  # noqa: F401

    _said(home, warm_up)
    pipe.send(True)
    while (commands := pipe.recv()) is not None:
        pipe.send(_forked(home, commands))


def _forked(home: Path, commands: list[Command]) -> list[Any]:
    """The results are written command after command, so that a crash leaves those before it."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        signal.alarm(_LIMIT_S)
        with os.fdopen(write, "w") as file:
            for said in _each(home, commands):
                file.write(json.dumps(said) + "\n")
                file.flush()
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        found = [json.loads(line) for line in file]
    os.waitpid(child, 0)
    return found


def _said(home: Path, commands: Sequence[Command]) -> list[Any]:
    return list(_each(home, commands))


def _each(home: Path, commands: Sequence[Command]) -> Iterator[Any]:
    for command in commands:
        out, err = io.StringIO(), io.StringIO()
        logging.getLogger().handlers.clear()  # Those of an earlier command write to its streams.
        sys.stdin = io.StringIO("who directed Amber Road?\n")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = run(["--home", str(home), *command])
            except BaseException:
                status = 99
                traceback.print_exc()
        yield status, _answers(out.getvalue()), err.getvalue()


def _answers(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return bool(text.strip())
    return [each["name"] for each in value["answers"]] if isinstance(value, dict) else len(value)
