"""A file can take no more of the machine than it may, and the files after it are read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from clew.tools.documents.adding import AddReport, add_documents
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.reading import read
from clew.tools.documents.reading.block_lines import TooMuchText, decoded, encoded
from clew.tools.documents.reading.blocks import Block, Content, Paragraph, Table
from clew.tools.documents.reading.options import ReadingOptions
from clew.tools.documents.reading.process import ReadingProcess
from clew.tools.documents.sources import find_sources
from clew.tools.documents.store.store import DocumentStore
from clew.tools.errors import BadInput, BoundPassed
from tests.test_layers import ROOT
from tests.tools.documents.document_bombs import web_table_bomb, word_bomb, write_all
from tests.tools.documents.document_files import write_pdf, write_word
from tests.tools.linking.letters import Letters

PAGE = (
    "<title>T</title><h1>Head \u2028 \U0001f600</h1><p>Text of <b>Ada</b>.<table><tr><th>a<th>b<tr><td>1<td>2</table>"
)
ADDING = """
import json, resource, sys
from pathlib import Path
from clew.tools.documents.adding import AddReport, add_documents
from clew.tools.documents.sources import find_sources
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.reading.options import ReadingOptions
from clew.tools.documents.store.store import DocumentStore
from tests.tools.linking.letters import Letters

folder, store, options = sys.argv[1:]
report = AddReport()
sources = find_sources([Path(folder)])
def advance(done): print("done", done, flush=True)
print("begin", flush=True)
add_documents(
    DocumentStore(Path(store)), sources, Chunking(), Letters(), advance, report, ReadingOptions(**json.loads(options))
)
status = Path("/proc/self/status").read_text()
own = int(status.partition("VmHWM:")[2].split()[0]) * 1024
child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print(json.dumps([report.added, [each.message + " " + each.remedy for each in report.bad], own, child]))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "files"
    made.mkdir()
    return made


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a PDF library that never returns."""
    library = tmp_path / "library"
    library.mkdir()
    (library / "pypdf.py").write_text("import time\ntime.sleep(600)\n")
    monkeypatch.syspath_prepend(library)
    return library


def adding(folder: Path, **options: float) -> subprocess.Popen[str]:
    """A process that adds a folder."""
    command = [sys.executable, "-c", ADDING, str(folder), str(folder.parent / "store"), json.dumps(options)]
    path = os.pathsep.join([*sys.path[:1], str(ROOT)])
    return subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": path},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def children(process: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                state = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            found += [int(entry.name)] if int(state[1]) == process and state[0] != "Z" else []
    return found


def is_alive(process: int) -> bool:
    try:
        return (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends(process: int, seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while is_alive(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def as_read(content: Content) -> list[Any]:
    def whole(block: Block) -> Any:
        if isinstance(block, Paragraph):
            return block
        return list(block.rows), list(block.rows), block.header, block.title, block.headings, block.page

    return [content.title, content.note, *map(whole, content.blocks)]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds memory")
def test_no_file_takes_more_memory_than_it_may_and_the_next_one_is_added(folder: Path) -> None:
    bombs = write_all(folder)
    assert sum(path.stat().st_size for path in bombs) < 9_000_000
    (folder / "zz_last.md").write_text("# Last\n\nIt is still added.\n")
    out, err = adding(folder, memory_mb=200, text_mb=1, seconds=100).communicate(timeout=170)
    added, bad, own, child = json.loads(out.splitlines()[-1])
    assert (added, len(bad)) == (1, len(bombs)), err
    for path in bombs:
        (said,) = [each for each in bad if path.name in each]
        assert "takes more than" in said
        assert "Leave it out" in said
        bound = ("200 MB of memory", "CLEW_DOCUMENT_MEMORY_MB")
        if path.name in ("pages.pdf", "cells.html"):
            bound = ("1 MB for what it holds", "CLEW_DOCUMENT_TEXT_MB")
        assert all(words in said for words in bound)
    assert own < 150_000_000
    assert child < 205_000_000


def test_what_a_file_passes_is_told_apart(tmp_path: Path, library: Path) -> None:
    pdf = write_pdf(tmp_path / "a.pdf", [["Text"]])
    page = web_table_bomb(tmp_path / "a.html", 900)
    with ReadingProcess(ReadingOptions(seconds=1, text_mb=1)) as reading:
        started = time.monotonic()
        for path, bound in ((pdf, "time"), (page, "text"), (pdf, "time")):
            with pytest.raises(BoundPassed, match=path.name) as error:
                reading.read(path, None)
            assert error.value.bound == bound
        assert "1 s" in error.value.message
        assert "CLEW_DOCUMENT_SECONDS" in error.value.remedy
        assert time.monotonic() - started < 30


def test_after_a_file_that_hangs_the_next_is_added(folder: Path, tmp_path: Path, library: Path) -> None:
    write_pdf(folder / "a.pdf", [["Text"]])
    (folder / "b.md").write_text("It is still added.")
    report = AddReport()
    store = DocumentStore(tmp_path / "store")
    add_documents(
        store, find_sources([folder]), Chunking(), Letters(), lambda _: None, report, ReadingOptions(seconds=1)
    )
    assert (report.added, len(report.bad)) == (1, 1)
    assert "a.pdf takes more than 1 s" in report.bad[0].message


@pytest.mark.parametrize("crash", ["os.abort()", "os._exit(3)", "os.kill(os.getpid(), 11)"])
def test_a_library_that_ends_the_process_costs_one_file(tmp_path: Path, library: Path, crash: str) -> None:
    (library / "pypdf.py").write_text(f"import os\n{crash}\n")
    (tmp_path / "b.html").write_text("<p>Text.")
    with ReadingProcess(ReadingOptions()) as reading:
        with pytest.raises(BadInput, match=r"a\.pdf ended the process that read it"):
            reading.read(write_pdf(tmp_path / "a.pdf", [["Text"]]), None)
        assert as_read(reading.read(tmp_path / "b.html", None))[2:] == [Paragraph("Text.")]


def test_what_a_library_prints_or_raises_is_no_answer(tmp_path: Path, library: Path) -> None:
    (library / "pypdf.py").write_text("import os\nos.write(1, b'x' * 100_000)\nraise ZeroDivisionError('odd')\n")
    said = r"a\.pdf is damaged, or not a \.pdf file: odd"
    with ReadingProcess(ReadingOptions()) as reading, pytest.raises(BadInput, match=said):
        reading.read(write_pdf(tmp_path / "a.pdf", [["Text"]]), None)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_process_ends_with_the_one_that_reads(folder: Path, library: Path, sent: signal.Signals) -> None:
    write_pdf(folder / "a.pdf", [["Text"]])
    process = adding(folder)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        deadline = time.monotonic() + 30
        while not (found := children(process.pid)):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        time.sleep(1)  # Until it has begun to read.
        (child,) = found
        process.send_signal(sent)
        _, err = process.communicate(timeout=20)
        assert ("KeyboardInterrupt" in err) == (sent == signal.SIGINT)
        assert ends(child)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def ordinary(tmp_path: Path) -> list[Path]:
    pages = [["The tides were strong that", "year (halves: \\330)."], ["A second page."]]
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "b.htm").write_bytes("<p>Zürich am See, naïve “quotes” — dash".encode("cp1252"))
    (tmp_path / "c.md").write_text("---\ntitle: T\n---\nSome *Ada*.\n\n## H\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    (tmp_path / "d.csv").write_text("a,b\n1,2\n")
    (tmp_path / "e.txt").write_text("Text.")
    others = [tmp_path / name for name in ("a.html", "b.htm", "c.md", "d.csv", "e.txt")]
    return [*others, write_word(tmp_path / "f.docx"), write_pdf(tmp_path / "g.pdf", pages, title="Tides")]


def test_ordinary_documents_are_what_they_are_without_a_process(ordinary: list[Path]) -> None:
    with ReadingProcess(ReadingOptions()) as reading:
        found = [as_read(reading.read(path, None)) for path in ordinary]
    assert found == [as_read(read(path)) for path in ordinary]
    assert all(len(each) > 2 for each in found)


def test_halves_of_characters_arrive(tmp_path: Path) -> None:
    """PDFs can hold them."""
    content = Content("T \ud800", [Paragraph("a \udfff b", ("H",), 2, 0, ("\ud800",))], "note")
    assert as_read(decoded(encoded(content, 1000))) == as_read(content)
    with pytest.raises(TooMuchText):
        encoded(content, 50)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The commands of processes as they start."""
    found: list[object] = []
    popen = subprocess.Popen

    def counted(command: Any, **options: Any) -> Any:
        found.append(command)
        return popen(command, **options)

    monkeypatch.setattr(subprocess, "Popen", counted)
    return found


def test_one_process_reads_many_files(tmp_path: Path, ordinary: list[Path], started: list[object]) -> None:
    with ReadingProcess(ReadingOptions()) as reading:
        reading.start_for([tmp_path / "e.txt", tmp_path / "d.csv"])
        assert len(started) == 0, "plain text needs none"
        for path in ordinary * 3:
            reading.read(path, None)
        with pytest.raises(BadInput, match="no such file"):
            reading.read(tmp_path / "none.html", None)
        reading.read(tmp_path / "a.html", None)
        assert len(started) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds memory")
def test_a_process_that_holds_much_memory_is_replaced(
    tmp_path: Path, library: Path, ordinary: list[Path], started: list[object]
) -> None:
    (library / "pypdf.py").write_text("import sys\nsys.kept = bytearray(150_000_000)\nraise ValueError\n")
    with ReadingProcess(ReadingOptions(memory_mb=250)) as reading:
        for expected in (1, 2, 3):
            reading.read(tmp_path / "a.html", None)
            reading.read(tmp_path / "f.docx", None)
            assert len(started) == expected
            with pytest.raises(BadInput, match="damaged"):
                reading.read(tmp_path / "g.pdf", None)


def test_a_word_document_has_a_bound_on_its_tags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.tools.documents.reading.word_parts.MOST_TAGS", 5000)
    with pytest.raises(BadInput, match=r"a\.docx has more than 5,000 tags"):
        read(word_bomb(tmp_path / "a.docx", "<w:p/>" * 5000))


def test_a_paragraph_after_many_takes_no_more_memory_than_they_do(tmp_path: Path) -> None:
    """The elements of a Word document are forgotten when they have been read."""
    path = word_bomb(
        tmp_path / "a.docx", "<w:p><w:r><w:t></w:t></w:r></w:p>" * 400_000 + "<w:p><w:r><w:t>x</w:t></w:r></w:p>"
    )
    with ReadingProcess(ReadingOptions(memory_mb=110)) as reading:
        assert as_read(reading.read(path, None))[2:] == [Paragraph("x")]


def test_a_long_number_costs_no_time(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("1" * 200_000 + "x,b\n1,2\n")
    started = time.monotonic()
    (table,) = read(path).blocks
    assert time.monotonic() - started < 5
    assert isinstance(table, Table)
    assert len(table.header[0]) == 200_001


def test_column_names_that_stand_in_every_row_have_a_bound(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.tools.documents.adding.MOST_CHARACTERS", 1_000_000)
    (folder / "a.csv").write_text("n" * 3000 + ",b\n" + "1,2\n" * 1000)
    (folder / "b.csv").write_text("n,b\n1,2\n")
    report = AddReport()
    store = DocumentStore(tmp_path / "store")
    add_documents(store, find_sources([folder]), Chunking(), Letters(), lambda _: None, report)
    assert (report.added, len(report.bad)) == (1, 1)
    assert "a.csv gives more than 1,000,000 characters" in report.bad[0].message
    assert [document.source for document in store.documents()] == [str(folder / "b.csv")]
