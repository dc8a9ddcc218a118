"""The warm process: commands in it do what they do in a process of their own, and it goes when nobody needs it."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from clew.app.cli import run, warm_processes
from clew.app.cli.warm_client import SHORT, _home_of
from clew.app.cli.warm_server import IDLE_SECONDS, Server
from tests.app.cli.test_cli_basics import HEAVY
from tests.app.cli.test_cli_processes import FACTS, read_until
from tests.command_processes import CommandProcess, environment

CLEW = [sys.executable, "-c", "from clew.app.cli import main; main()"]
NOT_ASKED = {
    "scipy",
    "torch",
    "numba",
    "chromadb",
    "rich",
    "httpx",
    "websockets",
    "langgraph_sdk.client",
    "langsmith.types.run",
}
VARYING = re.compile(r'\d+(\.\d+)? ms|\b[0-9a-f]{16}\b|"(ms|started|at_ms|start_ms)": [\d.]+|"took": [\d.]+')


def started(home: Path, *arguments: str, warm: bool = True, **options: object) -> subprocess.Popen[str]:
    variables = {**environment(home), "CLEW_WARM": "1" if warm else "0", **options.pop("variables", {})}  # type: ignore[dict-item]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([*CLEW, *arguments], env=variables, text=True, **pipes)  # type: ignore[call-overload, no-any-return]


def clew(home: Path, *arguments: str, warm: bool = True, **options: object) -> tuple[int, str, str]:
    """Exit status, standard output and standard error, without times and the ids of traces."""
    process = started(home, *arguments, warm=warm, **options)
    out, err = process.communicate(timeout=120)
    return process.returncode, VARYING.sub("…", out), VARYING.sub("…", err)


def alone(home: Path, *arguments: str, **options: object) -> tuple[int, str, str]:
    """The same of a command in a process of its own."""
    process = CommandProcess(home, *arguments, **options)  # type: ignore[arg-type]
    out, err = process.communicate()
    return process.wait(), VARYING.sub("…", out), VARYING.sub("…", err)


def until(holds: Callable[[], bool], limit_s: float = 20.0) -> bool:
    deadline = time.monotonic() + limit_s
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def children(process: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def warm_process(home: Path) -> int:
    (process,) = warm_processes.running(home).values()
    return process


@pytest.fixture(scope="module")
def home(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home of this module's own with the database that all tests share."""
    place = tmp_path_factory.mktemp("warm") / ("a long name ä " * 8)
    place.mkdir()
    assert run(["--home", str(clew_home), "graphs"]) == 0  # the database runs
    (place / "database").symlink_to(clew_home / "database")
    yield place
    warm_processes.stop(place)


@pytest.fixture(scope="module")
def films(home: Path) -> Iterator[str]:
    facts, name = home.parent / "films.txt", f"warm-{uuid.uuid4().hex[:8]}"
    facts.write_text(FACTS, encoding="utf-8")
    assert run(["--home", str(home), "import", str(facts), "--graph", name]) == 0
    yield name
    assert run(["--home", str(home), "drop", name, "--yes"]) == 0


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Path]:
    """A home without a database."""
    place = tmp_path / "home"
    place.mkdir()
    yield place
    warm_processes.stop(place)


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "who directed Heat?", "-g", "FILMS"],
        ["ask", "who starred in Casino?", "-g", "FILMS", "--json"],
        ["ask", "who directed Zorblax?", "-g", "FILMS"],
        ["ask", "who directed Heat?", "-g", "nothing-of-that-name"],
        ["ask"],
        ["ask", "x", "--strategies", "magic"],
        ["ask", "--help"],
        ["-v", "verify", "Michael Mann directed Heat", "-g", "FILMS"],
        ["schema", "--graph=FILMS"],
        ["trace", "show", "zzz"],
        ["sessions", "list"],
    ],
)
def test_a_command_does_what_it_does_in_a_process_of_its_own(home: Path, films: str, arguments: list[str]) -> None:
    given = [each.replace("FILMS", films) for each in arguments]
    expected = alone(home, *given)
    assert clew(home, *given) == expected
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert clew(home, *given) == expected
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime - before.ru_utime < 0.3, "it ran in the process that asked"


def test_a_question_in_a_process_of_its_own_imports_only_what_it_needs(home: Path, films: str) -> None:
    alone(home, "ask", "who directed Heat?", "-g", films)  # The first question embeds the words of the graph.
    variables = {"PYTHONPROFILEIMPORTTIME": "1"}
    status, out, err = clew(home, "ask", "who directed Heat?", "-g", films, warm=False, variables=variables)
    assert (status, out.splitlines()[0]) == (0, "Heat is directed by Michael Mann.")
    imported = {line.rpartition("|")[2].strip() for line in err.splitlines()}
    assert {"clew.graphs.ask", "langgraph_sdk.auth.types", "langsmith.run_trees"} <= imported
    assert imported & NOT_ASKED == set()


@pytest.mark.parametrize(("package", "used"), [("langgraph_sdk", "get_client"), ("langsmith.types", "Run")])
def test_a_deferred_package_is_whole_when_it_is_used(package: str, used: str) -> None:
    code = (
        "import sys; from clew.app.cli.deferred_packages import defer_packages; defer_packages()\n"
        f"import {package} as package; inside = lambda: sum(name.startswith('{package}.') for name in sys.modules)\n"
        f"before = inside(); package.{used}; from {package} import {used}\n"
        f"print(before, inside() > 0, callable({used}), type(package).__name__, hasattr(package, 'nothing'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["0", "True", "True", "module", "False"]


def test_a_terminal_is_a_terminal(home: Path, films: str) -> None:
    seen = []
    for warm, variables in ((False, {}), (True, {}), (True, {"NO_COLOR": "1"})):
        ours, theirs = pty.openpty()
        terminal = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
        process = started(home, "ask", "who directed Heat?", "-g", films, warm=warm, variables=variables, **terminal)
        os.close(theirs)
        seen.append(VARYING.sub("…", read_until(ours, ", trace ")))
        assert process.wait(timeout=60) == 0
        os.close(ours)
    assert seen[0] == seen[1]
    assert "\x1b[2m" in seen[0], "colours"


def test_a_graph_that_changes_is_opened_anew(home: Path, films: str, tmp_path: Path) -> None:
    def answer(question: str) -> str:
        return clew(home, "ask", question, "-g", films)[1].splitlines()[0]

    assert answer("who directed Heat?") == answer("who directed Heat?") == "Heat is directed by Michael Mann."
    more = tmp_path / "more.txt"
    more.write_text("Collateral|directed_by|Michael Mann\n", encoding="utf-8")
    assert run(["--home", str(home), "import", str(more), "--graph", films]) == 0
    assert answer("who directed Collateral?") == "Collateral is directed by Michael Mann."
    glosses = home / "graphs" / films / "glosses.toml"
    glosses.write_text('[shot_by]\nforward = ["shot"]\n', encoding="utf-8")
    for _ in range(2):
        assert "has no shot_by" in clew(home, "ask", "who directed Heat?", "-g", films)[2]
    glosses.unlink()
    assert clew(home, "ask", "who directed Heat?", "-g", films)[2] == ""


def test_documents_that_are_added_are_read(home: Path, films: str, tmp_path: Path) -> None:
    question = ["ask", "What did the crew of Heat call the van?", "-g", films, "--strategies", "documents"]
    assert "No answer found." in clew(home, *question)[1]
    (tmp_path / "heat.txt").write_text("Heat was filmed in Los Angeles. The crew of Heat called the van Old Bertha.")
    assert run(["--home", str(home), "documents", "add", str(tmp_path / "heat.txt"), "--graph", films]) == 0
    expected = alone(home, *question)
    assert "Bertha" in expected[1]
    for pause in (0.0, 3.0):  # within it, the warm process searches the documents
        time.sleep(pause)
        assert clew(home, *question) == expected


def test_the_open_graphs_hold_no_connection(home: Path, films: str) -> None:
    for _ in range(2):
        assert clew(home, "ask", "who directed Heat?", "-g", films)[0] == 0
    process = warm_process(home)
    assert until(lambda: not children(process))

    def sockets() -> int:
        return sum(os.readlink(each).startswith("socket:") for each in Path(f"/proc/{process}/fd").iterdir())

    assert until(lambda: sockets() == 3), "the listener and the pair that children tell over"
    assert not any(
        "sqlite" in os.readlink(each) or "documents" in os.readlink(each)
        for each in Path(f"/proc/{process}/fd").iterdir()
    )


def test_nobody_else_may_ask(home: Path, films: str) -> None:
    assert clew(home, "ask", "who directed Heat?", "-g", films)[0] == 0
    (path,) = (home / "warm").glob("*.sock")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_callers_folder_settings_and_umask_count(home: Path, films: str, tmp_path: Path) -> None:
    assert clew(home, "ask", "who directed Heat?", "-g", films)[0] == 0
    latest = json.loads(started(home, "trace", "list", "--json", "--limit", "1").communicate(timeout=60)[0])[0]["id"]
    os.umask(mask := os.umask(0o077))
    for asked in (mask, 0o077):
        options = {"cwd": tmp_path, "umask": asked}
        assert clew(home, "trace", "export", latest, "--out", f"{asked}.json", **options)[0] == 0
        assert (tmp_path / f"{asked}.json").stat().st_mode & 0o777 == 0o666 & ~asked
    wrong = {"CLEW_QUESTION_SECONDS": "soon"}
    status, _, err = clew(home, "ask", "who directed Heat?", "-g", films, variables=wrong)
    assert status == 1
    assert "CLEW_QUESTION_SECONDS" in err


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home of several tests without a database."""
    place = tmp_path_factory.mktemp("bare")
    yield place
    warm_processes.stop(place)


@pytest.fixture
def waiting(bare: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A command that waits for a server that says nothing, and its child of the warm process."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        url = f"bolt://127.0.0.1:{listener.getsockname()[1]}"
        with started(bare, "--database-url", url, "graphs") as process:
            try:
                with listener.accept()[0]:
                    assert until(lambda: len(children(warm_process(bare))) == 1)
                    yield process, children(warm_process(bare))[0]
            finally:
                process.kill()


def test_ctrl_c(bare: Path, waiting: tuple[subprocess.Popen[str], int]) -> None:
    process, _ = waiting
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert err.strip() == "Stopped."
    assert until(lambda: not children(warm_process(bare)))


def test_ctrl_z(waiting: tuple[subprocess.Popen[str], int]) -> None:
    def state(process: int) -> str:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]

    process, child = waiting
    process.send_signal(signal.SIGTSTP)
    assert until(lambda: state(process.pid) == state(child) == "T")
    process.send_signal(signal.SIGCONT)
    assert until(lambda: "T" not in state(process.pid) + state(child))


def test_a_command_ends_with_its_caller(bare: Path, waiting: tuple[subprocess.Popen[str], int]) -> None:
    process, _ = waiting
    process.kill()
    process.communicate()
    assert until(lambda: not children(warm_process(bare)))


def test_a_killed_command_is_told(waiting: tuple[subprocess.Popen[str], int]) -> None:
    process, child = waiting
    os.kill(child, signal.SIGKILL)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "ended unexpectedly" in err


def test_after_kill_9_another_takes_over(empty: Path) -> None:
    assert clew(empty, "trace", "list")[0] == 0
    first = warm_process(empty)
    os.kill(first, signal.SIGKILL)
    assert until(lambda: not warm_processes.running(empty))
    assert list((empty / "warm").glob("*.sock")), "the socket is left"
    assert clew(empty, "trace", "list") == alone(empty, "trace", "list")
    second = warm_process(empty)
    assert second != first
    os.kill(second, signal.SIGKILL)
    assert until(lambda: not warm_processes.running(empty))
    assert not warm_processes.stop(empty)
    assert not list((empty / "warm").glob("*.sock"))


def test_one_that_hangs_is_not_waited_for(empty: Path) -> None:
    expected = clew(empty, "trace", "list")
    os.kill(hanging := warm_process(empty), signal.SIGSTOP)
    try:
        code = "from clew.app.cli import main, warm_client\nwarm_client._ACCEPT_S = 0.2\nmain()"
        variables = {**environment(empty), "CLEW_WARM": "1"}
        done = subprocess.run([*CLEW[:2], code, "trace", "list"], env=variables, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == expected
    finally:
        os.kill(hanging, signal.SIGCONT)


def test_of_several_first_commands_one_starts_it(empty: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: clew(empty, "trace", "list"), range(4)))
    assert len(set(done)) == 1
    assert len(warm_processes.running(empty)) == 1


def test_database_stop_ends_it(empty: Path) -> None:
    assert clew(empty, "trace", "list")[0] == 0
    process = warm_process(empty)
    assert f"warm    process {process}" in clew(empty, "database", "status")[1]
    assert clew(empty, "database", "stop") == (0, "stopped\n", "")
    assert warm_processes.running(empty) == {}
    assert not list((empty / "warm").glob("*.sock"))
    assert clew(empty, "database", "stop")[1] == "was not running\n"


def test_it_ends_with_its_home(empty: Path) -> None:
    assert clew(empty, "trace", "list")[0] == 0
    process = warm_process(empty)
    shutil.rmtree(empty)
    assert until(lambda: not Path(f"/proc/{process}").exists())
    assert clew(empty, "trace", "list")[0] == 0
    assert not empty.exists(), "no home is made for it"


def test_it_is_not_wanted_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr("threading.active_count", lambda: 1)
    server = Server("one.sock")
    assert server._is_wanted()
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert not server._is_wanted(), "a process with threads is not forked"
    monkeypatch.setattr("threading.active_count", lambda: 1)
    server._used -= IDLE_SECONDS
    assert not server._is_wanted()
    server._used += IDLE_SECONDS
    server._code, server._checked = [], -1000.0
    assert not server._is_wanted(), "the code has changed"
    server = Server("two.sock")
    Path("two.sock").unlink()
    assert not server._is_wanted()


@pytest.mark.parametrize(
    ("arguments", "short"),
    [
        (["ask", "x"], True),
        (["--home", "/h", "-v", "--model=m", "graphs"], True),
        (["trace", "list"], True),
        (["trace", "prune"], False),
        (["documents", "add", "list"], False),
        (["gloss", "-g", "x", "--show"], True),
        (["gloss", "-g", "x", "--define", "a = b"], False),
        (["import", "x"], False),
        (["chat"], False),
        (["--help"], False),
        ([], False),
    ],
)
def test_only_short_commands_go_there(arguments: list[str], short: bool) -> None:
    assert (_home_of(arguments) is not None) is short
    if arguments[:1] == ["--home"]:
        assert _home_of(arguments) == "/h"


def test_every_short_command_exists() -> None:
    import click

    from clew.app.cli import cli

    for name, words in SHORT.items():
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        options = {option for parameter in command.params for option in parameter.opts}
        assert words <= options | set(getattr(command, "commands", ()))


def test_asking_it_loads_nothing_heavy() -> None:
    code = "import sys\nfrom clew.app.cli.warm_client import answered\nanswered(['ask', 'x'])\nprint(*sys.modules)"
    variables = {**os.environ, "CLEW_WARM": "1", "CLEW_HOME": "/nonexistent"}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert (HEAVY | {"click", "subprocess", "filelock", "asyncio"}) & loaded == set()
    assert {name for name in loaded if name.startswith("clew")} == {
        "clew", "clew.app", "clew.app.cli", "clew.app.cli.warm_client",
    }  # fmt: skip
