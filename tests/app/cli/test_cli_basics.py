"""The command line before any database: help, speed, exit statuses, and what a user sees of failures."""

from __future__ import annotations

import errno
import os
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import click
import pytest

from clew.app.cli import COMMANDS, cli, run
from clew.app.cli.errors import Interrupted, exit_status
from clew.tools.errors import ClewError, DatabaseUnavailable

CLEW = [sys.executable, "-c", "from clew.app.cli import main; main()"]
HEAVY = {
    "torch",
    "transformers",
    "numpy",
    "chromadb",
    "neo4j",
    "langgraph",
    "langchain_core",
    "rdflib",
    "pydantic",
    "rich",
}


def clew(*arguments: str, home: Path, **kwargs: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CLEW_HOME": str(home), "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [*CLEW, *arguments], env=environment, capture_output=True, text=True, timeout=120, **kwargs
    )


def test_help_is_fast_and_names_every_command(tmp_path: Path) -> None:
    """Its own processor time, which does not depend on what else the machine does."""
    seconds = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = clew("--help", home=tmp_path)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert done.returncode == 0
    assert min(seconds) <= 0.5
    assert all(f"\n  {command} " in done.stdout for command in COMMANDS)
    assert list(tmp_path.iterdir()) == []


def test_help_loads_nothing_heavy() -> None:
    code = "import sys\nfrom clew.app.cli import run\nrun(['--help'])\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert HEAVY & set(done.stderr.split()) == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    assert "Usage: clew " + command in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["no-such-command"], ["ask"], ["--no-such-option"], ["eval", "x", "--limit", "0"]]
)
def test_wrong_usage_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "Error" in said.err


def test_unknown_strategies_are_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "x", "--strategies", "cypher,magic"]) == 2
    assert "magic" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("clew ")


def test_a_bad_setting_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--database-url", "http://localhost", "graphs"]) == 1
    assert "--database-url" in capsys.readouterr().err


def failing_command(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail() -> None:
        raise error

    command = click.Command("graphs", callback=fail)
    monkeypatch.setattr(type(cli), "get_command", lambda self, ctx, name: command)


def test_an_unexpected_error_leaves_a_log_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing_command(monkeypatch, KeyError("inner\nsecond line"))
    assert run(["--home", str(tmp_path), "graphs"]) == 1
    said = capsys.readouterr().err
    (log,) = (tmp_path / "logs").iterdir()
    assert "KeyError" in said
    assert str(log) in said
    assert "Traceback" not in said
    assert "Traceback" in log.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (ClewError("It broke.", "Mend it."), 1, "Error: It broke.\nMend it."),
        (DatabaseUnavailable("No answer."), 1, "No answer."),
        (OSError(errno.ENOSPC, "No space left on device", "/x/y"), 1, "no space left to write /x/y"),
        (OSError(errno.EFBIG, "File too large", "/x/y"), 1, "no space left to write /x/y"),
        (sqlite3.OperationalError("database or disk is full"), 1, "no space left"),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), 1, "/x cannot be accessed"),
        (NotADirectoryError(errno.ENOTDIR, "Not a directory", "/x"), 1, "/x is not a folder"),
        (KeyboardInterrupt(), 130, "Stopped."),
        (Interrupted("Half is kept."), 130, "Stopped. Half is kept."),
        (click.Abort(), 130, "Stopped."),
    ],
)
def test_failures_have_a_message_and_a_status(
    error: BaseException, status: int, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing_command(monkeypatch, error)
    assert run(["graphs"]) == status
    assert says in capsys.readouterr().err


def test_a_log_that_cannot_be_written_at_home_goes_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    assert exit_status(RuntimeError("x"), ["ask"], tmp_path / "file") == 1
    (log,) = (tmp_path / "tmp").iterdir()
    assert str(log) in capsys.readouterr().err


def test_a_reader_that_has_gone_is_told_nothing(tmp_path: Path) -> None:
    code = "import os, sys\nsys.stdin.readline()\nfrom clew.app.cli import main\nsys.argv = ['clew', '--help']\nmain()"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    process.stdin.write(b"\n")
    process.stdin.close()
    process.wait(timeout=60)
    assert process.stderr.read() == b""
    process.stderr.close()
