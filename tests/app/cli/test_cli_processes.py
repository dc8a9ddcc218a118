"""Commands in processes of their own: pipes, terminals, Ctrl-C, a full disk."""

from __future__ import annotations

import json
import os
import pty
import resource
import select
import signal
import time
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from clew.app.cli import run
from tests.command_processes import CommandProcess

FACTS = """\
Heat|directed_by|Michael Mann
Heat|starred_actors|Al Pacino
Heat|starred_actors|Robert De Niro
Casino|directed_by|Martin Scorsese
Casino|starred_actors|Sharon Stone
Casino|starred_actors|Robert De Niro
Casino|starred_actors|Joe Pesci
"""


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("facts") / "films.txt"
    path.write_text(FACTS, encoding="utf-8")
    name = f"films-{uuid.uuid4().hex[:8]}"
    assert run(["--home", str(clew_home), "import", str(path), "--graph", name]) == 0
    yield name
    assert run(["--home", str(clew_home), "drop", name, "--yes"]) == 0


def test_a_piped_chat_answers_line_by_line(clew_home: Path, films: str) -> None:
    lines = ["who directed Heat?", "and who starred in it?", "", "/graph", "/nonsense", "/quit", "who directed Casino?"]
    process = CommandProcess(clew_home, "chat", "--graph", films)
    out, err = process.communicate("\n".join(lines) + "\n", timeout=120)
    assert process.returncode == 0, err
    said = out.splitlines()
    assert said[0] == "Michael Mann"
    assert sorted(said[1].split(", ")) == ["Al Pacino", "Robert De Niro"]
    assert films in said[2]
    assert "/nonsense" in said[3]
    assert len(said) == 4


def test_a_named_conversation_goes_on_in_another_process(clew_home: Path, films: str) -> None:
    session = f"s-{uuid.uuid4().hex}"
    said = []
    for line in ("who directed Casino?", "who starred in it?"):
        process = CommandProcess(clew_home, "chat", "-g", films, "--session", session)
        said.append(process.communicate(line + "\n", timeout=120)[0].strip())
    assert said[0] == "Martin Scorsese"
    assert sorted(said[1].split(", ")) == ["Joe Pesci", "Robert De Niro", "Sharon Stone"]


def test_a_chat_at_a_terminal_shows_answers_and_steps_where_asked_and_keeps_history(
    clew_home: Path, films: str
) -> None:
    ours, theirs = pty.openpty()
    process = CommandProcess(clew_home, "chat", "--graph", films, terminal=theirs, variables={"TERM": "dumb"})
    os.close(theirs)
    seen = ""
    try:
        seen += read_until(ours, "> ")
        os.write(ours, b"who directed Heat?\n")
        brief = read_until(ours, "\n\n> ")
        os.write(ours, b"/steps\n")
        read_until(ours, "are shown.")
        os.write(ours, b"who directed Heat?\n")
        seen += read_until(ours, "trace ")
        os.write(ours, b"/trace\n")
        seen += read_until(ours, "\nreason ")
        os.write(ours, b"/quit\n")
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    question, answer, reading, *rest = brief.splitlines()
    assert (question, answer) == ("who directed Heat?", "Michael Mann  (Person)")
    assert "Read as: " in reading
    assert "".join(rest) == "> ", "the answer first, one line of how it was read, and no steps"
    assert "link: " in seen
    assert "Michael Mann" in seen
    assert "who directed Heat?" in (clew_home / "chat-history").read_text(encoding="utf-8")


def test_a_chat_at_a_terminal_asks_which_is_meant(clew_home: Path, tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text(
        "id:ID,name,:LABEL\nk1,Kismet,Film\nk2,Kismet,Film\na,Ann,Person\nb,Bob,Person\n"
    )
    (tmp_path / "edges.csv").write_text(":START_ID,:END_ID,:TYPE\na,k1,directed\nb,k2,directed\n")
    files = [str(tmp_path / "nodes.csv"), str(tmp_path / "edges.csv")]
    graph = f"namesakes-{uuid.uuid4().hex[:8]}"
    assert run(["--home", str(clew_home), "import", *files, "--graph", graph]) == 0
    ours, theirs = pty.openpty()
    process = CommandProcess(clew_home, "chat", "--graph", graph, terminal=theirs, variables={"TERM": "dumb"})
    os.close(theirs)
    try:
        read_until(ours, "> ")
        os.write(ours, b"who directed Kismet?\n")
        choice = read_until(ours, "Enter for any: ")
        os.write(ours, b"3\n")
        read_until(ours, "Enter for any: ")
        os.write(ours, b"1\n")
        answer = read_until(ours, "\n\n> ")
        os.write(ours, b"/quit\n")
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        run(["--home", str(clew_home), "drop", graph, "--yes"])
    first = "Ann" if choice.index("Ann →") < choice.index("Bob →") else "Bob"
    assert f"\n{first}  (Person)" in answer


def read_until(descriptor: int, text: str, limit_s: float = 90) -> str:
    seen, deadline = "", time.monotonic() + limit_s
    while text not in seen:
        if not select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise AssertionError(f"{text!r} did not come; seen: {seen}")
        seen += os.read(descriptor, 65536).decode(errors="replace").replace("\r\n", "\n")
    return seen


def test_ctrl_c_in_mid_question(clew_home: Path, films: str) -> None:
    slow = (
        "import sys, time, clew.graphs.ask as g\ndef stream(*a, **more):\n"
        "    print('asking', file=sys.stderr)\n    time.sleep(60)\n"
    )
    process = CommandProcess(
        clew_home, "ask", "who directed Heat?", "--graph", films, code=slow + "    yield\ng.stream = stream"
    )
    wait_for_line(process, "asking")
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "Stopped." in err
    assert "Traceback" not in err
    assert time.monotonic() - began < 10


def test_ctrl_c_in_mid_evaluation_reports_on_what_was_asked(clew_home: Path, films: str, tmp_path: Path) -> None:
    questions, report = tmp_path / "q.jsonl", tmp_path / "report.json"
    row = json.dumps({"question": "who directed Heat?", "answers": ["Michael Mann"]})
    questions.write_text((row + "\n") * 5000, encoding="utf-8")
    tell = "import sys\nfrom clew.app.api.graph import Graph\nreal, n = Graph.ask, 0\ndef ask(*a, **o):\n    global n\n"
    tell += "    n += 1\n    if n == 4: print('three done', file=sys.stderr)\n    return real(*a, **o)\nGraph.ask = ask"
    process = CommandProcess(clew_home, "eval", str(questions), "--graph", films, "--json", str(report), code=tell)
    wait_for_line(process, "three done")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert 3 <= figures["n"] < 5000
    assert figures["interrupted"] is True
    assert f"{figures['n']} of 5000" in err
    assert "hits_at_1" in out
    assert "Traceback" not in err


def test_ctrl_c_in_mid_import_and_again(clew_home: Path, tmp_path: Path) -> None:
    path, name = big_file(tmp_path), f"big-{uuid.uuid4().hex[:8]}"
    tell = "import sys, clew.tools.ingest.writing as w\nreal = w.Writer.write\ndef write(self, batch, rows, **how):\n"
    tell += "    print('writing', batch.number, file=sys.stderr)\n    real(self, batch, rows, **how)\n"
    tell += "w.Writer.write = write"
    process = CommandProcess(clew_home, "import", str(path), "--graph", name, code=tell)
    wait_for_line(process, "writing 3")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, ""), err
    assert "run the same command again to continue" in err
    assert "Traceback" not in err
    asked = CommandProcess(clew_home, "ask", "who?", "--graph", name)
    assert "not complete" in asked.communicate(timeout=60)[1]
    assert asked.returncode == 1
    again = CommandProcess(clew_home, "import", str(path), "--graph", name, "--json")
    out, err = again.communicate(timeout=120)
    assert again.returncode == 0, err
    assert json.loads(out)["status"] == "continued"
    listed = json.loads(CommandProcess(clew_home, "graphs", "--json").communicate(timeout=60)[0])
    assert [(g["nodes"], g["relationships"]) for g in listed if g["name"] == name] == [(12_001, 12_000)]
    assert CommandProcess(clew_home, "drop", name, "--yes").wait(timeout=60) == 0


def limited_files(size: int) -> Callable[[], None]:
    """No file of a process may become larger than `size` bytes: what a full disk does, at a chosen moment."""
    return partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size))


def test_a_full_disk_during_an_import_leaves_nothing_half_visible(clew_home: Path, tmp_path: Path) -> None:
    path, name = big_file(tmp_path), f"full-{uuid.uuid4().hex[:8]}"
    process = CommandProcess(clew_home, "import", str(path), "--graph", name, prepare=limited_files(200_000))
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (1, ""), err
    assert "disk" in err or "space" in err
    assert "Traceback" not in err
    assert "unexpected" not in err
    assert name not in CommandProcess(clew_home, "graphs").communicate(timeout=60)[0]


def test_a_full_disk_while_a_report_is_written_keeps_the_old_one(clew_home: Path, films: str, tmp_path: Path) -> None:
    questions, report = tmp_path / "q.jsonl", tmp_path / "report.json"
    questions.write_text(json.dumps({"question": "who directed Heat?", "answers": ["x"]}), encoding="utf-8")
    report.write_text("old", encoding="utf-8")
    full = "import clew.tools.atomic_files as c, errno\ndef whole(path, text):\n"
    full += "    raise OSError(errno.ENOSPC, 'No space left on device', str(path))\nc.write_text = whole"
    process = CommandProcess(clew_home, "eval", str(questions), "--graph", films, "--json", str(report), code=full)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "hits_at_1" in out
    assert f"no space left to write {report}" in err
    assert report.read_text(encoding="utf-8") == "old"


def test_a_database_in_the_foreground(tmp_path: Path) -> None:
    process = CommandProcess(tmp_path, "database", "run")
    try:
        wait_for_line(process, "Listening on bolt://127.0.0.1:")
        second = CommandProcess(tmp_path, "database", "run")
        assert "already running" in second.communicate(timeout=60)[1]
        assert second.returncode == 1
        assert CommandProcess(tmp_path, "database", "status").communicate(timeout=60)[0].startswith("running")
        assert CommandProcess(tmp_path, "graphs").wait(timeout=60) == 0
        process.send_signal(signal.SIGINT)
        assert "Traceback" not in process.communicate(timeout=60)[1]
        assert CommandProcess(tmp_path, "database", "status").communicate(timeout=60)[0].startswith("not running")
    finally:
        process.kill()
        process.wait()


def big_file(folder: Path) -> Path:
    path = folder / "big.txt"
    path.write_text("".join(f"thing {i}|part_of|thing {i + 1}\n" for i in range(12_000)), encoding="utf-8")
    return path


def wait_for_line(process: CommandProcess, text: str) -> None:
    """Read standard error up to a line that begins with `text`."""
    seen = []
    for line in process.stderr:
        if line.startswith(text):
            return
        seen.append(line)
    raise AssertionError("".join(seen))
